"""Boundary between clients: the user's assignment of toolsets holds (docs/contract.md 7)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.proxy.tools.test_built_in_tools import Assistant, notes
from toolnote_desktop.model.audit import call_entry
from toolnote_desktop.model.calls.outcome import Outcome
from toolnote_desktop.model.edits import (
    ABSENT,
    CLIENT_ENTRIES,
    CLIENTS,
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    PutEntry,
    RemoveEntry,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import SetToolFields
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.proxy.tools import built_in_definitions
from toolnote_desktop.proxy.upstream.server import Listed
from toolnote_desktop.store.audit import AuditFilter, read_entries
from toolnote_desktop.store.library import Library

CURSOR = Principal("cursor")
CODEX = Principal("codex")
RUN = Principal(None)
CREATE: list[JsonObject] = [{"namespacedName": "linear.create_issue"}]
PROTECTED = "toolset_protected"
CONSENT = {"user_consent": "DELETE_TOOLSET"}


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    """Library where the user gave ``safe`` to Codex, and Cursor has no toolset of its own."""
    library = Library.open(home, watch=False)
    library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "linear", {"command": "linear"}))
    registry = Registry(library)
    registry.apply(library.snapshot.servers)
    names = ("create_issue", "list_teams", "delete_issue")
    registry.listed("linear", Listed(tools=tuple({"name": name, "inputSchema": {"type": "object"}} for name in names)))
    library.submit(CreateDocument(toolset_document("safe"), {"tools": [{"namespacedName": "linear.list_teams"}]}))
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "codex", {"name": "Codex", "toolset": "safe"}))
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "cursor", {"name": "Cursor"}))
    yield library
    library.close()


@pytest.fixture
def assistant(library: Library) -> Assistant:
    return Assistant(library)


def built(assistant: Assistant, name: str, principal: Principal = CURSOR) -> JsonObject:
    return assistant.value("build-toolset", {"name": name, "tools": CREATE}, principal)


def test_toolset_of_another_client_cannot_be_used_written_deleted_or_replaced(
    assistant: Assistant, library: Library
) -> None:
    before = library.raw(toolset_document("safe"))
    assert assistant.failure("equip-toolset", {"name": "safe"}, CURSOR) == PROTECTED
    assert assistant.failure("delete-toolset", {"name": "safe", "confirm": True, **CONSENT}, CURSOR) == PROTECTED
    assert assistant.failure("build-toolset", {"name": "safe", "tools": CREATE}, CURSOR) == PROTECTED
    library.submit(SetFields(SETTINGS, {"equippedToolset": "safe"}))  # shared, and given to Codex all the same
    for tool, arguments in (
        ("add-tool-annotation", notes(("a", "b"), tool="linear.list_teams")),
        ("update-tool-annotation", {"toolRef": {"namespacedName": "linear.list_teams"}, "name": "a", "note": "c"}),
        ("remove-tool-annotation", {"toolRef": {"namespacedName": "linear.list_teams"}, "name": "a"}),
    ):
        assert assistant.failure(tool, arguments, CURSOR) == PROTECTED
    assert library.raw(toolset_document("safe")) == before


def test_client_deletes_and_builds_anew_only_what_it_made(assistant: Assistant, library: Library) -> None:
    built(assistant, "mine")
    assert library.snapshot.toolsets["mine"].created_by == "cursor"
    for other in (CODEX, RUN):
        assert assistant.failure("delete-toolset", {"name": "mine", "confirm": True, **CONSENT}, other) == PROTECTED
        assert assistant.failure("build-toolset", {"name": "mine", "tools": CREATE}, other) == PROTECTED
    assistant.value("equip-toolset", {"name": "mine"}, CURSOR)
    assistant.value("add-tool-annotation", notes(("a", "b")), CURSOR)
    teams = [{"namespacedName": "linear.list_teams"}]
    assistant.value("build-toolset", {"name": "mine", "tools": teams, "description": "New"}, CURSOR)
    toolset = library.snapshot.toolsets["mine"]
    assert [entry.namespaced_name for entry in toolset.tools] == ["linear.list_teams"]
    assert toolset.description == "New"
    assert toolset.notes, "notes are not lost with the tools"
    assistant.value("delete-toolset", {"name": "mine", "confirm": True, **CONSENT}, CURSOR)


def test_toolset_with_the_users_words_is_not_deleted_by_the_client_that_made_it(
    assistant: Assistant, library: Library
) -> None:
    """Seen red: the literal consent was enough to delete the user's notes with the toolset."""
    create = ToolReference(namespaced_name="linear.create_issue")
    document, deletion = toolset_document("mine"), {"name": "mine", "confirm": True, **CONSENT}
    built(assistant, "mine")
    assistant.value("equip-toolset", {"name": "mine"}, CURSOR)
    assistant.value("add-tool-annotation", notes(("a", "b")), CURSOR)
    (own,) = (library.raw(document) or {})["toolNotes"]
    (note,) = own["notes"]
    for group in (
        {**own, "notes": [note, {"name": "mine", "note": "The user's."}]},
        {**own, "notes": [{**note, "kept": True}]},
        {**own, "notes": [{**note, "author": "zed"}]},
    ):
        library.submit(SetFields(document, {"toolNotes": [group]}))
        assert assistant.failure("delete-toolset", deletion, CURSOR) == PROTECTED
    library.submit(SetFields(document, {"toolNotes": [own]}))
    for key in ("whenToUse", "instructions"):
        library.submit(SetToolFields(document, create, {key: "For bugs."}))
        assert assistant.failure("delete-toolset", deletion, CURSOR) == PROTECTED
        library.submit(SetToolFields(document, create, {key: ABSENT}))
    assistant.value("delete-toolset", deletion, CURSOR)


def test_toolset_that_the_user_gave_on_is_no_longer_its_makers(assistant: Assistant, library: Library) -> None:
    built(assistant, "mine")
    library.submit(SetFields(SETTINGS, {"equippedToolset": "mine"}))
    assert assistant.failure("delete-toolset", {"name": "mine", "confirm": True, **CONSENT}, CURSOR) == PROTECTED
    library.submit(SetFields(SETTINGS, {"equippedToolset": None}))
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "zed", {"name": "Zed", "toolset": "mine"}))
    for tool, arguments in (
        ("delete-toolset", {"name": "mine", "confirm": True, **CONSENT}),
        ("build-toolset", {"name": "mine", "tools": CREATE}),
        ("equip-toolset", {"name": "mine"}),
    ):
        assert assistant.failure(tool, arguments, CURSOR) == PROTECTED


@pytest.mark.parametrize("place", ["client", "shared", "server", "run"])
def test_name_that_something_refers_to_is_not_free(place: str, assistant: Assistant, library: Library) -> None:
    match place:
        case "client":
            library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "zed", {"toolset": "gone"}))
        case "shared":
            library.submit(SetFields(SETTINGS, {"equippedToolset": "gone"}))
        case "server":
            library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "git", {"command": "g", "toolnote": {"toolset": "gone"}}))
        case _:
            assistant.choices.run_toolset = "gone"
    assert assistant.failure("build-toolset", {"name": "gone", "tools": CREATE}, CURSOR) == PROTECTED
    assert "gone" not in library.snapshot.toolsets


def test_toolset_that_a_bridge_was_given_is_its_clients_alone(assistant: Assistant, library: Library) -> None:
    """Seen red: ``bridge --toolset`` is in no document, so its toolset was open to the client that had made it."""
    built(assistant, "mine")
    zed = Principal("zed", "mine")
    assistant.value("get-active-toolset", None, zed)
    for tool, arguments in (
        ("equip-toolset", {"name": "mine"}),
        ("delete-toolset", {"name": "mine", "confirm": True, **CONSENT}),
        ("build-toolset", {"name": "mine", "tools": CREATE}),
    ):
        assert assistant.failure(tool, arguments, CURSOR) == PROTECTED
    assistant.value("get-active-toolset", None, Principal("zed", "planned"))
    assert assistant.failure("build-toolset", {"name": "planned", "tools": CREATE}, CURSOR) == PROTECTED
    library.audit.flush()
    refused = [one for one in read_entries(library.home, 9, AuditFilter()) if one.action == "refused"]
    assert [(one.actor, one.subject) for one in refused] == [("cursor", "planned"), *[("cursor", "mine")] * 3]


def test_toolset_of_the_run_is_shared(assistant: Assistant) -> None:
    built(assistant, "mine")
    assistant.choices.run_toolset = "mine"
    assert assistant.failure("delete-toolset", {"name": "mine", "confirm": True, **CONSENT}, CURSOR) == PROTECTED


def test_bridges_toolset_wins_over_one_that_the_client_chose(assistant: Assistant, library: Library) -> None:
    """Seen red: a choice that the client had made before outlived the user's."""
    built(assistant, "wide")
    assistant.value("equip-toolset", {"name": "wide"}, CURSOR)
    assert assistant.value("get-active-toolset", None, CURSOR)["toolset"]["name"] == "wide"
    assigned = assistant.value("get-active-toolset", None, Principal("cursor", "safe"))
    assert assigned["toolset"]["name"] == "safe"
    library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "cursor", {"toolset": "wide"}))
    assert assistant.value("get-active-toolset", None, Principal("cursor", "safe"))["toolset"]["name"] == "wide"


def test_shared_toolset_is_written_by_all_who_use_it(assistant: Assistant, library: Library) -> None:
    library.submit(CreateDocument(toolset_document("team"), {"tools": CREATE}))
    library.submit(SetFields(SETTINGS, {"equippedToolset": "team"}))
    assert assistant.value("add-tool-annotation", notes(("a", "b")), CURSOR)["successCount"] == 1
    assistant.value("equip-toolset", {"name": "team"}, CURSOR)


def test_toolset_that_a_client_builds_has_the_users_rules_for_its_tools(assistant: Assistant, library: Library) -> None:
    """Seen red: building a toolset, or building it anew, set tools free of *Ask me first* and of fixed values."""
    create, teams = ({"namespacedName": f"linear.{name}"} for name in ("create_issue", "list_teams"))
    rules = {"approval": "ask", "parameters": {"team": {"fixed": "A"}}}
    library.submit(CreateDocument(toolset_document("careful"), {"tools": [{**create, **rules, "alias": "make"}]}))
    library.submit(CreateDocument(toolset_document("free"), {"tools": [{**teams, "approval": "off"}]}))

    def entries() -> list[JsonObject]:
        found = (library.raw(toolset_document("mine")) or {})["tools"]
        return [{key: one[key] for key in one if key not in ("namespacedName", "refId")} for one in found]

    assistant.value("build-toolset", {"name": "mine", "tools": [create, teams]}, CURSOR)
    assert entries() == [rules, {}]
    assistant.value("build-toolset", {"name": "mine", "tools": [teams]}, CURSOR)  # the rules are in the other one
    in_mine = ToolReference(namespaced_name="linear.list_teams")
    library.submit(SetToolFields(toolset_document("mine"), in_mine, {"approval": "ask"}))
    assert assistant.failure("build-toolset", {"name": "mine", "tools": [create]}, CURSOR) == PROTECTED
    assert assistant.failure("delete-toolset", {"name": "mine", "confirm": True, **CONSENT}, CURSOR) == PROTECTED
    assistant.value("build-toolset", {"name": "mine", "tools": [teams, create]}, CURSOR)
    assert entries() == [{"approval": "ask"}, rules]
    library.submit(SetToolFields(toolset_document("mine"), in_mine, {"approval": ABSENT}))
    assistant.value("delete-toolset", {"name": "mine", "confirm": True, **CONSENT}, CURSOR)
    # A tool of the toolset in use is as it is there, where the user serves it without rules.
    library.submit(CreateDocument(toolset_document("open"), {"tools": [create]}))
    assistant.value("equip-toolset", {"name": "open"}, CURSOR)
    assistant.value("build-toolset", {"name": "mine", "tools": [create]}, CURSOR)
    assert entries() == [{}]


def test_assigned_client_sees_its_toolset_alone(assistant: Assistant) -> None:
    def names(principal: Principal) -> list[str]:
        groups = assistant.value("list-available-tools", None, principal)["toolsByServer"]
        return [tool["namespacedName"] for group in groups for tool in group["tools"]]

    assert names(CODEX) == ["linear.list_teams"]
    assert names(Principal("zed", "safe")) == ["linear.list_teams"]
    assert len(names(CURSOR)) == 3


def test_writing_and_choosing_are_switches_of_each_assistant(library: Library) -> None:
    switches = {"mayWriteNotes": False, "mayChooseToolset": False}
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "zed", switches))

    def names(client: str) -> set[str]:
        return {entry["name"] for entry in built_in_definitions(library.snapshot, Principal(client))}

    withheld = {"build-toolset", "equip-toolset", "unequip-toolset", "delete-toolset"}
    withheld |= {"add-tool-annotation", "update-tool-annotation", "remove-tool-annotation"}
    assert names("cursor") - names("zed") == withheld
    assert "list-tool-annotations" in names("zed")


def test_client_whose_settings_are_lost_gets_nothing_until_the_user_gives_it(
    assistant: Assistant, library: Library
) -> None:
    """Seen red: where clients.json was unreadable, Codex had the shared toolset, and could equip and annotate."""
    library.submit(
        SetFields(SETTINGS, {"equippedToolset": "safe"}),
        RemoveEntry(CLIENTS, CLIENT_ENTRIES, "codex"),
        SetFields(CLIENTS, {"rulesLost": True}),
    )
    assert library.snapshot.lost_rules == (CLIENTS,)
    assert library.snapshot.toolset_of("codex") is None
    assert library.snapshot.toolset_of("cursor") is library.snapshot.toolset_of(None) is not None
    served = {str(tool["name"]) for tool in built_in_definitions(library.snapshot, CODEX)}
    assert not served & {"equip-toolset", "build-toolset", "add-tool-annotation"}
    library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "codex", {"toolset": "safe"}))
    assert library.snapshot.toolset_of("codex") is not None
    library.submit(SetFields(CLIENTS, {"rulesLost": ABSENT}))
    library.audit.flush()
    entries = [(one.action, one.subject) for one in read_entries(library.home, 20, AuditFilter())]
    assert {("rules-lost", "clients.json"), ("lost-rules-dropped", "clients.json")} <= {*entries}


@pytest.mark.parametrize("name", ["user", "User ", "us\u200ber", "\uff55ser", "toolnote", "Assistant"])
def test_client_named_like_the_user_signs_otherwise(name: str) -> None:
    """Seen red: "user " was read as the user in the audit and beside a note."""
    assert Principal(name).author == f"client {name}"
    assert call_entry(name, ("s", "t"), Outcome.REFUSED, "", 1).actor == f"client {name}", "of its calls, too"
    assert Principal("cursor").author == "cursor"
