"""Lenient reading of documents: the rest of a file is used; faults are reported and stay (docs/contract.md 2, 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.builders import Reports
from toolnote_desktop.model.clients import parse_clients
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry, RemoveEntry, apply_edits
from toolnote_desktop.model.names import is_toolset_name
from toolnote_desktop.model.servers import parse_servers
from toolnote_desktop.model.settings import Settings, parse_settings
from toolnote_desktop.model.tools.built_in_tools import enabled_built_in
from toolnote_desktop.model.toolsets.notes import parse_everywhere
from toolnote_desktop.model.toolsets.toolset import parse_toolset

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def shaped(*keys: str) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with the keys that a reader looks for, and anything at all behind them."""
    return st.dictionaries(st.sampled_from(keys), anything, max_size=len(keys))


tool_refs = shaped("namespacedName", "refId", "server")
notes = st.lists(shaped("name", "note", "enabled", "author", "createdAt") | anything, max_size=3)
toolsets = st.fixed_dictionaries(
    {},
    optional={
        "title": anything,
        "tools": st.lists(tool_refs | anything, max_size=3) | anything,
        "toolNotes": st.lists(st.fixed_dictionaries({"toolRef": tool_refs, "notes": notes}), max_size=3) | anything,
    },
)
servers = st.dictionaries(
    st.text(max_size=5),
    shaped("type", "command", "args", "env", "cwd", "url", "headers", "disabled", "timeout", "toolnote") | anything,
    max_size=3,
)


@given(toolsets)
def test_no_toolset_file_is_too_odd_to_read(raw: dict[str, Any]) -> None:
    toolset = parse_toolset("odd", raw, Reports())
    assert all(entry.namespaced_name is not None or entry.ref_id is not None for entry in toolset.tools)
    assert toolset.title


@given(st.fixed_dictionaries({}, optional={"mcpServers": servers | anything}))
def test_no_servers_file_is_too_odd_to_read(raw: dict[str, Any]) -> None:
    reports = Reports()
    found = parse_servers(raw, reports)
    if isinstance(raw.get("mcpServers"), dict):
        assert len(found) + len(reports) == len(raw["mcpServers"])
    assert all(server.command if server.type == "stdio" else server.url for server in found.values())


@given(
    shaped("equippedToolset", "equipped_toolset", "port", "toolPrefix", "hiddenBuiltInTools", "theme", "x") | anything
)
def test_no_settings_file_is_too_odd_to_read(raw: Any) -> None:
    assert isinstance(parse_settings(raw if isinstance(raw, dict) else {}, Reports()), Settings)


@given(shaped("global", "servers", "tools"), shaped("clients"))
def test_no_notes_or_clients_file_is_too_odd_to_read(everywhere: dict[str, Any], clients: dict[str, Any]) -> None:
    parse_everywhere(everywhere, Reports())
    parse_clients(clients, Reports())


def test_a_toolset_needs_no_more_than_a_name_for_its_tools() -> None:
    reports = Reports()
    toolset = parse_toolset(
        "work",
        {
            "name": "other",
            "tools": [{"namespacedName": "a.b"}, {"refId": "ff"}, {"alias": "x"}, "a.b", {"namespacedName": 5}],
            "toolNotes": [
                {"toolRef": {"refId": "ff"}, "notes": [{"name": "n", "note": "t"}, {"name": "N", "note": "t"}, 5]},
                {"toolRef": {}, "notes": []},
                {"notes": []},
            ],
            "guidelines": "kept",
        },
        reports,
    )
    assert (toolset.name, toolset.title) == ("work", "work")
    assert [(entry.namespaced_name, entry.ref_id) for entry in toolset.tools] == [("a.b", None), (None, "ff")]
    assert [[note.name for note in group.notes] for group in toolset.notes] == [["n"]]
    assert toolset.extra == {"guidelines": "kept"}
    assert [entry for entry, _ in reports] == [
        "tools 3",
        "tools 4",
        "tools 5",
        "toolNotes ff 2",
        "toolNotes ff 3",
        "toolNotes 2",
        "toolNotes 3",
    ]


def test_a_note_has_its_defaults_and_its_limits() -> None:
    long = "x" * 4000
    raw = {
        "global": [{"name": "a", "note": long, "createdAt": "2026-01-01T00:00:00Z"}, {"name": "b", "note": long + "x"}]
    }
    reports = Reports()
    (note,) = parse_everywhere(raw, reports).everything
    assert (note.enabled, note.author, note.created_at) == (True, "user", "2026-01-01T00:00:00Z")
    assert len(reports) == 1


def test_a_note_needs_no_more_than_its_name_and_its_text() -> None:
    reports = Reports()
    raw = [
        {"name": "a", "note": "t", "author": None, "createdAt": None, "enabled": None},
        {"name": "b", "note": "t", "author": 5, "createdAt": 1764000000},
        {"name": "c", "note": "t", "enabled": "perhaps"},
    ]
    toolset = parse_toolset("work", {"toolNotes": [{"toolRef": {"refId": "ff"}, "notes": raw}]}, reports)
    for read in (toolset.notes[0].notes, parse_everywhere({"global": raw}, Reports()).everything):
        assert [(note.name, note.enabled, note.author, note.created_at) for note in read] == [
            ("a", True, "user", None),
            ("b", True, "user", None),
        ]
    assert [entry for entry, _ in reports] == [
        "author of toolNotes ff 2",
        "createdAt of toolNotes ff 2",
        "toolNotes ff 3",
    ]


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ({"command": "npx"}, "stdio"),
        ({"command": "npx", "type": "local"}, "stdio"),
        ({"command": "npx", "url": "http://x"}, "stdio"),
        ({"url": "http://x"}, "http"),
        ({"url": "http://x", "type": "streamableHttp"}, "http"),
        ({"url": "http://x", "type": "streamable-http"}, "http"),
        ({"url": "http://x", "type": "sse"}, "sse"),
        ({"command": "npx", "env": None, "cwd": None, "disabled": None, "timeout": None, "toolnote": None}, "stdio"),
    ],
)
def test_server_keys_of_other_programs(entry: dict[str, Any], kind: str) -> None:
    """case C46."""
    reports = Reports()
    assert parse_servers({"mcpServers": {"s": entry}}, reports)["s"].type == kind
    assert not reports


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({}, "command"),
        ({"command": 5}, "command"),
        ({"command": "x", "args": "--flag"}, "args"),
        ({"command": "x", "args": [5]}, "args"),
        ({"command": "x", "env": {"A": {}}}, "env"),
        ({"command": "x", "type": "carrier-pigeon"}, "type"),
        ({"command": "x", "type": ["stdio"]}, "type"),
        ({"command": "x", "type": "http"}, "url"),
        ({"command": "x", "timeout": 0}, "timeout"),
        ({"command": "x", "toolnote": {"perClient": "perhaps"}}, "perClient"),
        ("npx", "object"),
    ],
)
def test_a_wrong_server_is_reported_by_field_and_the_others_stay(entry: Any, field: str) -> None:
    """case C47."""
    reports = Reports()
    assert list(parse_servers({"mcpServers": {"bad": entry, "good": {"command": "x"}}}, reports)) == ["good"]
    ((place, reason),) = reports
    assert place == "server bad"
    assert field in reason


def test_secrets_are_in_no_report_and_no_repr() -> None:
    secret = "hunter2-very-secret"
    reports = Reports()
    raw = {
        "a": {
            "command": "x",
            "env": {"TOKEN": secret},
            "headers": {"Authorization": secret},
            "url": f"http://x?k={secret}",
        },
        "b": {"command": "x", "env": secret},
        "c": {"url": f"http://x?k={secret}", "type": secret},
        "d": {"url": f"http://x?k={secret}", "headers": [secret]},
    }
    found = parse_servers({"mcpServers": raw}, reports)
    assert list(found) == ["a"]
    assert secret not in repr(found)
    assert secret not in repr([entry for entry, _ in reports])
    assert not any(secret in reason for place, reason in reports if place != "server c")


def test_wrong_setting_costs_only_itself() -> None:
    reports = Reports()
    settings = parse_settings(
        {"equippedToolset": "work", "port": 99999, "toolPrefix": [], "theme": "dark", "hiddenBuiltInTools": ["a", 5]},
        reports,
    )
    assert (settings.equipped_toolset, settings.port, settings.tool_prefix, settings.theme) == (
        "work",
        None,
        "",
        "dark",
    )
    assert sorted(entry for entry, _ in reports) == ["hiddenBuiltInTools.1", "port", "toolPrefix"]
    assert settings.hidden_built_in_tools == ("a",)
    assert settings.unusable == {"hiddenBuiltInTools": [5]}


def test_unknown_choices_are_reported() -> None:
    """Seen red: a theme that is none was taken for one, and nothing said so."""
    reports = Reports()
    raw = {"theme": "blue", "contrast": "less", "motion": "more", "closeWithoutTray": "ask", "language": "de"}
    settings = parse_settings(raw, reports)
    assert (settings.theme, settings.contrast, settings.motion, settings.language) == ("system",) * 3 + ("de",)
    assert sorted(entry for entry, _ in reports) == ["closeWithoutTray", "contrast", "motion", "theme"]


HALF = "\ud800"
ODD: tuple[Any, ...] = (None, True, 0, -1, 1.5, 10**400, "", "x", HALF, [], [HALF], [[]], {}, {HALF: 1}, [{"x": []}])


def each_with(sample: Any, odd: Any) -> Iterator[Any]:
    """The sample with one value at a time replaced by an odd one, or with a key of half a character added."""
    yield odd
    if isinstance(sample, dict):
        yield {**sample, HALF: odd}
        for key, value in sample.items():
            yield from ({**sample, key: changed} for changed in each_with(value, odd))
    elif isinstance(sample, list):
        for at, value in enumerate(sample):
            yield from ([*sample[:at], changed, *sample[at + 1 :]] for changed in each_with(value, odd))


PREFERRED = {"language": "de", "detail": "full", "always": ["a.b"], "guideTokens": 500}


@pytest.mark.parametrize(
    ("reader", "sample"),
    [
        (parse_settings, {"port": 1, "benchPrice": [1, 2], "packsSeen": {"a": "b"}, "preferences": PREFERRED}),
        (parse_clients, {"clients": {"a": {"toolset": "t", "withoutInstructions": ["s"], "preferences": PREFERRED}}}),
        (parse_servers, {"mcpServers": {"a": {"command": "c", "timeout": 1, "toolnote": {"signIn": {"port": 1}}}}}),
        (parse_everywhere, {"global": [{"name": "n", "note": "t"}], "servers": {"s": []}, "tools": {"s.t": []}}),
    ],
)
def test_no_value_is_too_odd_to_read(reader: Callable[[Any, Reports], Any], sample: Any) -> None:
    """Seen red: a language that is a list, and half of a character in a key or in a list, ended the reading."""
    for odd in ODD:
        for raw in each_with(sample, odd):
            if isinstance(raw, dict):
                reader(raw, Reports())


def test_an_unknown_key_with_half_of_a_character_costs_nothing() -> None:
    clients = parse_clients({"clients": {"a": {"toolset": "own", HALF: 1}}}, Reports())
    assert clients["a"].toolset == "own"
    odd = parse_clients({"clients": {"a": {"toolset": "own", "tokenHash": HALF}}}, Reports())["a"]
    assert (odd.toolset, odd.token_hash) == ("own", None), "seen red: no client with a token was answered any more"
    reports = Reports()
    for one in (HALF, -1, float("inf")):  # seen red: a cost below nothing
        assert parse_settings({"benchPrice": [one, 1]}, reports).bench_price is None
    assert [entry for entry, _ in reports] == ["benchPrice.0"] * 3


def test_what_is_hidden_stays_hidden_beside_a_wrong_element() -> None:
    reports = Reports()
    raw: dict[str, Any] = {
        "hiddenBuiltInTools": ["equip-toolset", 7],
        "builtInInstructions": {"get-tool-guide": "Be brief.", "search-tools": 7},
    }
    settings = parse_settings(raw, reports)
    assert "equip-toolset" not in enabled_built_in(settings)
    assert settings.built_in_instructions == {"get-tool-guide": "Be brief."}
    assert settings.with_unusable("hiddenBuiltInTools", ["build-toolset"]) == ["build-toolset", 7]
    told = settings.with_unusable("builtInInstructions", {"equip-toolset": "Ask."})
    assert told == {"search-tools": 7, "equip-toolset": "Ask."}
    unreadable: Any
    for unreadable in ("equip-toolset", 5, {}, True):
        assert enabled_built_in(parse_settings({"hiddenBuiltInTools": unreadable}, Reports())) == frozenset()
        assert enabled_built_in(parse_settings({"hiddenBuiltInGroups": unreadable}, Reports())) == frozenset()
    assert enabled_built_in(parse_settings({"hiddenBuiltInTools": None}, Reports()))


def test_unusable_task_types_and_guidelines_are_reported() -> None:
    reports = Reports()
    toolset = parse_toolset("work", {"guidelines": 5, "taskTypes": {"plan": {"words": "x"}, "b": 1}}, reports)
    assert [entry for entry, _ in reports] == ["taskTypes plan", "taskTypes b", "guidelines"]
    assert toolset.guidelines == ""


def test_clients() -> None:
    reports = Reports()
    clients = parse_clients(
        {"clients": {"cursor": {"name": "Cursor", "toolset": None, "tokenHash": "abc"}, "bad": []}}, reports
    )
    assert clients["cursor"].toolset is None
    assert "abc" not in repr(clients)
    assert reports == [("client bad", "not an object")]


def test_an_unusable_value_of_a_client_widens_nothing() -> None:
    """Seen red: the entry was left out, so that the assistant had the shared toolset, and could write and choose."""
    reports = Reports()
    given = {"toolset": "own", "mayWriteNotes": False, "withoutInstructions": ["a", 5], "tokenHash": "abc"}
    entries = {
        "one": {**given, "discovery": "weird", "dialect": 5, "toolsetChosenBy": 5},
        "two": {"toolset": 5, "mayWriteNotes": "no", "mayChooseToolset": []},
    }
    for whole in (5, "own", ["own"], True):
        closed = parse_clients({"clients": {"odd": whole}}, Reports())["odd"]
        assert (closed.toolset, closed.may_write_notes, closed.may_choose_toolset) == ("", False, False)
    clients = parse_clients({"clients": entries}, reports)
    one, two = clients["one"], clients["two"]
    assert (one.toolset, one.may_write_notes, one.without_instructions) == ("own", False, ("a",))
    assert (one.token_hash, one.discovery, one.toolset_assigned) == ("abc", None, True)
    assert two.toolset_assigned
    assert not is_toolset_name(two.toolset or "")
    assert (two.may_write_notes, two.may_choose_toolset) == (False, False)
    assert {entry.removeprefix("client ") for entry, _ in reports} == {
        *("one withoutInstructions.1", "one discovery", "one dialect", "one toolsetChosenBy"),
        *("two toolset", "two mayWriteNotes", "two mayChooseToolset"),
    }


def test_entries_added_since_variables_can_be_named_inherit_nothing_by_default() -> None:
    """Issue 15 item 6: existing entries keep what they get."""
    reports = Reports()
    raw: Any = {"mcpServers": {"old": {"command": "x"}}}
    assert parse_servers(raw, reports)["old"].toolnote.inherit is None
    entries = {"new": {"command": "x"}, "naming": {"command": "x", "toolnote": {"inherit": ["SSH_AUTH_SOCK"]}}}
    for name, entry in entries.items():
        raw, _ = AddEntry(SERVERS, SERVER_ENTRIES, name, entry).apply(raw)
    found = parse_servers(raw, reports)
    assert {name: server.toolnote.inherit for name, server in found.items()} == {
        "old": None,
        "new": (),
        "naming": ("SSH_AUTH_SOCK",),
    }
    assert {name: raw["mcpServers"][name] for name in entries} == entries


@pytest.mark.parametrize("at_once", [False, True])
def test_an_entry_under_the_id_of_a_removed_one_inherits_nothing(at_once: bool) -> None:
    """Seen red: it got all variables, since the list still had the id of the one before; and so did every new entry
    beside a key of another program under "toolnote".
    """
    raw: Any = {"mcpServers": {"old": {"command": "x"}, "rest": {"command": "x"}}, "toolnote": {"theirs": 1}}
    first = AddEntry(SERVERS, SERVER_ENTRIES, "new", {"command": "x"})
    raw, _ = apply_edits([first, RemoveEntry(SERVERS, SERVER_ENTRIES, "old")], raw)
    again = [AddEntry(SERVERS, SERVER_ENTRIES, name, {"command": "y"}) for name in ("another", "old")]
    if at_once:
        raw, _ = apply_edits(again, raw)
    else:
        for edit in again:
            raw, _ = edit.apply(raw)
    found = parse_servers(raw, Reports())
    inherited = {name: server.toolnote.inherit for name, server in found.items()}
    assert inherited == {"rest": None, "new": (), "another": (), "old": ()}
    assert raw["toolnote"] == {"theirs": 1, "inheritAll": ["rest"]}


def test_undoing_the_first_new_entry_takes_its_list_out_again() -> None:
    raw: Any = {"mcpServers": {"old": {"command": "x"}}, "toolnote": {"theirs": 1}}
    added, undo = AddEntry(SERVERS, SERVER_ENTRIES, "new", {"command": "x"}).apply(raw)
    undone, redo = undo.apply(added)
    assert undone == raw
    assert redo.apply(undone)[0] == added
