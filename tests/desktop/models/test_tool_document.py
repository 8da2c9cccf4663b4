"""What a tool's page shows for an assistant is what that assistant's ``tools/list`` has (issue 17, one truth)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.model.builders import Reports, catalogue, known
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.models.tool_document import ToolDocument, Viewer, tool_document
from toolnote_desktop.guidance.description import PartKind
from toolnote_desktop.model.clients import parse_clients
from toolnote_desktop.model.servers import ServerState, parse_servers
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect, NotesPosition
from toolnote_desktop.model.toolsets.notes import parse_everywhere
from toolnote_desktop.model.toolsets.tool_settings import parse_tool_settings
from toolnote_desktop.model.toolsets.toolset import parse_toolset
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.client_guidance import ClientGuidance
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.served_lists import ServedLists
from toolnote_desktop.store import bundled_files

SCHEMA = {
    "type": "object",
    "properties": {"team": {"type": "string", "description": "Team"}, "n": {"type": "integer"}},
    "required": ["team"],
}
TOOLS = [
    known("a", "one", inputSchema=SCHEMA, description="One.\n\nMore of one."),
    known("a", "two", inputSchema=SCHEMA),
    known("b", "three", inputSchema=SCHEMA, description="x" * 1500),
    known("b", "gone", listed=False),
]
NAMES = [tool.tool.namespaced_name for tool in TOOLS]
TOOLSETS = ["my-tools", "release", "review"]
HOME = Home(Path("/nonexistent/toolnote-home"))
FILES = GuidanceFiles(HOME)
DIALECTS = sorted(bundled_files.dialects(HOME))
CLIENTS = ["claude-desktop", "cursor", "chatgpt"]

texts = st.sampled_from(
    ["Short.", "Two\nlines.", "Über → ünïcode", "• **x**: y", "### Additional Tool Notes", "y" * 900]
)
notes = st.lists(
    st.builds(
        lambda name, text, enabled: {"name": name, "note": text, "enabled": enabled},
        st.sampled_from(["aa", "bb", "cc", "dd"]),
        texts,
        st.booleans(),
    ),
    max_size=2,
    unique_by=lambda note: note["name"],
)
parameters = st.dictionaries(
    st.sampled_from(["team", "n", "absent"]),
    st.fixed_dictionaries(
        {},
        optional={"note": texts, "default": st.just("A"), "fixed": st.just(1), "hidden": st.booleans()},
    ),
    max_size=2,
)
set_keys: dict[str, st.SearchStrategy[Any]] = {
    "enabled": st.sampled_from([True, True, False]),
    "approval": st.sampled_from(["ask", "off", None]),
    "consent": st.sampled_from([None, True, {}, {"literal": "YES", "reason": "Because"}, False]),
    "whenToUse": texts,
    "instructions": texts,
    "hints": st.fixed_dictionaries({}, optional={"readOnlyHint": st.booleans(), "title": st.just("T")}),
    "parameters": parameters,
    "muted": st.sampled_from([[], ["More of one."]]),
}
entries = st.lists(
    st.builds(
        lambda name, more: {"namespacedName": name, **more},
        st.sampled_from([*NAMES, "no.such"]),
        st.fixed_dictionaries({}, optional={**set_keys, "alias": st.just("alias"), "hiddenArguments": st.just(["n"])}),
    ),
    max_size=4,
)
toolsets = st.builds(
    lambda tools, groups: {"tools": tools, "toolNotes": groups},
    entries,
    st.lists(
        st.builds(
            lambda name, held: {"toolRef": {"namespacedName": name}, "notes": held}, st.sampled_from(NAMES), notes
        ),
        max_size=3,
    ),
)
clients = st.fixed_dictionaries(
    {
        client: st.fixed_dictionaries(
            {},
            optional={
                "toolset": st.sampled_from([*TOOLSETS, "", "no-such"]),
                "dialect": st.sampled_from(DIALECTS),
                "schemaSubset": st.booleans(),
            },
        )
        for client in CLIENTS
    }
)
everywhere = st.fixed_dictionaries(
    {},
    optional={
        "global": notes,
        "servers": st.dictionaries(st.sampled_from(["a", "b"]), notes, max_size=2),
        "tools": st.dictionaries(st.sampled_from(NAMES), notes, max_size=2),
    },
)
tool_settings = st.dictionaries(st.sampled_from(NAMES), st.fixed_dictionaries({}, optional=set_keys), max_size=3)


@st.composite
def libraries(draw: st.DrawFn) -> Snapshot:
    """Return a random library: every dialect, own and shared toolsets, notes paused, tools off, gone and absent."""
    report = Reports()
    state = draw(st.sampled_from([ServerState.READY, ServerState.FAILED, ServerState.DISABLED]))
    return Snapshot(
        servers=parse_servers({"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}}, report),
        toolsets={name: parse_toolset(name, draw(toolsets), report) for name in TOOLSETS},
        settings=Settings(
            equipped_toolset=draw(st.sampled_from([None, *TOOLSETS])),
            notes_paused=draw(st.sampled_from([False, False, True])),
        ),
        clients=parse_clients({"clients": draw(clients)}, report),
        notes=parse_everywhere(draw(everywhere), report),
        tool_settings=parse_tool_settings({"tools": draw(tool_settings)}, report),
        catalogue=catalogue(TOOLS, {"b": state}),
    )


class Choices:
    """The toolset of each caller, as without a bridge's own or the run's."""

    run_toolset: str | None = None

    def __init__(self) -> None:
        self.bridge_toolsets: dict[str, str] = {}

    def toolset_name(self, principal: Principal, snapshot: Snapshot) -> str | None:
        client = snapshot.clients.get(principal.client or "")
        if client is not None and client.toolset is not None:
            return client.toolset or None
        return snapshot.settings.equipped_toolset

    def choose(self, principal: Principal, name: str | None) -> Any:
        raise NotImplementedError


def assert_shows_all_own_words(document: ToolDocument) -> None:
    """Muted paragraphs are in their places, and without them the text is the served one."""
    own = document.own
    part = next((one for one in document.parts if one.part.kind is PartKind.OWN), None)
    left = "\n\n".join(text for text, is_muted in own.paragraphs if not is_muted)
    assert left == (part.part.text if part is not None else "")
    assert own.text == "\n\n".join(text for text, _ in own.paragraphs)
    assert [own.text[start:end] for start, end in own.muted] == [text for text, muted in own.paragraphs if muted]
    unread = len(left) - (part.read if part is not None else 0)
    assert len(own.text) - own.read >= unread
    assert unread > 0 or own.read == len(own.text)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_the_page_equals_the_assistants_list(data: st.DataObject) -> None:
    """Seen red with the tool's settings left out of ``ServedLists``' cache key, and with a document made of the entry
    as it is in the file.
    """
    lists = ServedLists(Choices(), ClientGuidance.of(HOME))  # one for successive libraries, as its cache must notice
    first = data.draw(libraries())
    other = parse_tool_settings({"tools": data.draw(tool_settings)}, Reports(), first.tool_settings)
    for snapshot in (first, replace(first, tool_settings=other)):
        for client in CLIENTS:
            view = lists.view(snapshot, Principal(client))
            listed = {tool["name"]: tool for tool in json.loads(view.listed.at_once())}
            shown = {}
            for tool in TOOLS:
                dialect = FILES.dialect_of(client, snapshot.clients[client])
                document = tool_document(snapshot, Viewer(client), tool.tool.key, dialect)
                if document.served is not None:
                    shown[document.served.name] = json.loads(document.exact)
                    assert document.exact in view.listed.at_once()
                    assert document.description == (shown[document.served.name].get("description") or "")
                    assert_shows_all_own_words(document)
            assert shown == {name: listed[name] for name in view.tools}


def snapshot_with(*held: dict[str, Any]) -> Snapshot:
    toolset = {"tools": [{"namespacedName": "b.three", "whenToUse": "Now."}]}
    return Snapshot(
        toolsets={"work": parse_toolset("work", toolset, Reports())},
        notes=parse_everywhere({"tools": {"b.three": list(held)}}, Reports()),
        catalogue=catalogue(TOOLS),
    )


def test_parts_say_what_they_are_and_where_reading_stops() -> None:
    held: list[dict[str, Any]] = [
        {"name": "aa", "note": "First."},
        {"name": "bb", "note": "Off.", "enabled": False},
        {"name": "cc", "note": "z"},
    ]
    cut = Dialect("x", "X", description_limit=1024, notes=NotesPosition.BEFORE_IF_CUT, tool_sentences=("End.",))
    document = tool_document(snapshot_with(*held), Viewer(None, "work"), ("b", "three"), cut)
    kinds = [one.part.kind for one in document.parts]
    assert kinds == [
        PartKind.WHEN,
        PartKind.HEADING,
        PartKind.NOTE,
        PartKind.NOTE,
        PartKind.OWN,
        PartKind.DIALECT,
    ]
    assert document.notes_first
    assert [one.note.note.name for one in document.parts if one.note is not None] == ["aa", "cc"]
    own = document.parts[4]
    assert own.is_cut
    assert document.description.index("x" * 10) + own.read == 1024
    assert document.parts[5].read == 0
    whole = tool_document(snapshot_with(*held), Viewer(None, "work"), ("b", "three"))
    assert not whole.notes_first
    assert not any(one.is_cut for one in whole.parts)


@pytest.mark.parametrize("viewer", [Viewer(None, "no-such"), Viewer("unknown"), Viewer(None, None)])
def test_an_assistant_without_the_tool_reads_nothing(viewer: Viewer) -> None:

    document = tool_document(snapshot_with(), viewer, ("b", "three"))
    assert (document.served, document.parts, document.exact) == (None, (), b"")
