"""What needs the user, worst first, and how assistants and the app itself are: plain values."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.desktop import sample
from toolnote_desktop.desktop.models.library_rows import LOST_NOTES, Kind, Mark, RowKey
from toolnote_desktop.desktop.models.needs_you import (
    LOST_DOCUMENTS,
    EndpointState,
    Need,
    NeedAction,
    assistant_states,
    count_all_notes,
    count_notes_in,
    needs_you,
    state_of_toolnote,
)
from toolnote_desktop.desktop.widgets.server_instructions import instructions_of
from toolnote_desktop.model.clients import Client
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus, parse_servers
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue, ServerListing
from toolnote_desktop.model.tools.catalogue_document import build_catalogue
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.tool_settings import ToolSettingsIndex

ON = EndpointState(url="http://127.0.0.1:8377/mcp")
TAKEN = Problem(Code.PORT_TAKEN, {"port": "8377", "other": "8378"})


def texts(needs: tuple[Need, ...]) -> list[str]:
    return [one.text for one in needs]


def test_the_worst_comes_first_and_each_has_its_reason_and_one_button() -> None:
    cursor = sample.ConnectedAssistant("cursor", "cursor-vscode", False)
    found = needs_you(sample.snapshot(), [cursor], ON)
    assert [(one.mark, one.text, one.action, one.target) for one in found] == [
        (Mark.WRONG, "Postgres couldn’t start", "Show log", RowKey(Kind.SERVER, "Postgres")),
        (Mark.ATTENTION, "Notion needs you to sign in", "Sign in", RowKey(Kind.SERVER, "Notion")),
        (
            Mark.ATTENTION,
            "GitHub changed Merge pull request",
            "Review change",
            RowKey(Kind.CHANGED, "GitHub", "merge_pull_request"),
        ),
        (Mark.ATTENTION, "Cursor hasn’t read your latest changes", "Show steps", RowKey(Kind.ASSISTANT, "cursor")),
        (Mark.ATTENTION, "1 note has lost its tool", "Review", LOST_NOTES),
    ]
    assert found[0].reason == "It stopped by itself. Its last line: could not connect to localhost:5432"
    assert found[3].reason == "On the MCP page of Cursor’s settings, switch toolnote off and on again."


def test_many_changes_of_a_source_are_one_need() -> None:
    """Seen red as a need for each: 1,000 rows stopped the window for seconds (attack: L8)."""
    listed = sample.catalogue()
    (changed,) = [known for known in listed.servers["GitHub"].tools if known.changed]
    definition = changed.tool.definition
    tools = tuple(
        replace(changed, tool=Tool("GitHub", {**definition, "name": f"t{number}"})) for number in range(1_000)
    )
    listings = {**listed.servers, "GitHub": replace(listed.servers["GitHub"], tools=tools)}
    catalogue = build_catalogue(sample.snapshot().servers, listings, ())
    found = needs_you(sample.snapshot(found=catalogue), [], ON)
    needs = [one for one in found if "changed" in one.text]
    assert [(one.text, one.target) for one in needs] == [("GitHub changed 1000 tools", RowKey(Kind.SERVER, "GitHub"))]


@pytest.mark.parametrize(
    ("policy", "reasons"),
    [
        ("accept", []),
        ("show", ["Assistants already read the new version."]),
        ("hold", ["Assistants still read the old version."]),
    ],
)
def test_changed_instructions_need_the_user_by_the_policy_of_their_source(policy: str, reasons: list[str]) -> None:
    """Seen red: each policy's was called served, that of "accept" too."""
    servers = parse_servers({"mcpServers": {"git": {"command": "x", "toolnote": {"changes": policy}}}}, lambda *_: None)
    listing = ServerListing(
        status=ServerStatus(ServerState.READY), instructions="Push.", accepted_instructions="Ask first."
    )
    snapshot = replace(Snapshot(servers=servers), catalogue=Catalogue(servers={"git": listing}))
    found = [one for one in needs_you(snapshot, [], ON) if "instructions" in one.text]
    assert [one.reason for one in found] == reasons
    assert (instructions_of(snapshot, "git").before is None) is (policy == "accept")


def test_needs_are_counted_from_the_fifty_first_on() -> None:
    failed = ServerStatus(ServerState.FAILED)
    servers = {f"s{number}": {"command": "x"} for number in range(80)}
    snapshot = Snapshot(servers=parse_servers({"mcpServers": servers}, lambda place, reason: None))
    catalogue = Catalogue(servers={name: ServerListing(status=failed) for name in servers})
    found = texts(needs_you(replace(snapshot, catalogue=catalogue), [], ON))
    assert (len(found), found[-1]) == (51, "30 more")


def test_what_is_solved_is_gone() -> None:
    calm = sample.catalogue(dict.fromkeys(sample.catalogue().servers, ServerStatus(ServerState.READY)))
    current = sample.ConnectedAssistant("cursor", "cursor-vscode", True)
    left = texts(needs_you(sample.snapshot(found=calm), [current], ON))
    assert left == ["GitHub changed Merge pull request", "1 note has lost its tool"]
    assert needs_you(Snapshot(), [], ON) == ()


def test_an_endpoint_that_cannot_be_reached_comes_before_all() -> None:
    found = needs_you(sample.snapshot(), [], EndpointState(problem=TAKEN))
    assert (found[0].mark, found[0].text, found[0].action) == (Mark.WRONG, "Assistants can’t reach Toolnote", "")
    assert "port 8377" in found[0].reason


def test_another_port_that_works_needs_nobody() -> None:
    assert needs_you(Snapshot(), [], EndpointState(url=ON.url, problem=TAKEN)) == ()


def test_lost_rules_are_said_first_and_can_be_dropped() -> None:
    snapshot = replace(sample.snapshot(), tool_settings=ToolSettingsIndex(rules_lost=True))
    first = needs_you(snapshot, [], ON)[0]
    assert (first.mark, first.target, first.action) == (Mark.WRONG, NeedAction.DROP_LOST_RULES, "Don’t ask anymore")


def test_lost_settings_and_catalogue_can_be_dropped() -> None:
    lost = replace(sample.snapshot().settings, rules_lost=True)
    snapshot = replace(sample.snapshot(), settings=lost, catalogue_lost=True, servers_lost=True)
    targets = [one.target for one in needs_you(snapshot, [], ON)][:3]
    own = (NeedAction.DROP_LOST_SOURCES, NeedAction.DROP_LOST_SETTINGS, NeedAction.DROP_LOST_CATALOGUE)
    assert targets == [*own]
    assert [str(LOST_DOCUMENTS[one]) for one in targets if isinstance(one, NeedAction)] == [
        "servers.json",
        "settings.json",
        "catalog.json",
    ]


def test_paused_notes_can_be_resumed() -> None:
    snapshot = sample.snapshot(settings={"notesPaused": True})
    (paused,) = [one for one in needs_you(snapshot, [], ON) if one.target is NeedAction.RESUME_NOTES]
    assert (paused.text, paused.action) == ("Your notes are paused", "Resume")


@pytest.mark.parametrize(
    ("serving", "paused", "expected"),
    [
        (EndpointState(), False, (Mark.WAITING, "Toolnote is starting")),
        (ON, False, (Mark.GOOD, "Toolnote is on")),
        (ON, True, (Mark.ATTENTION, "Notes are paused")),
        (EndpointState(problem=TAKEN), False, (Mark.WRONG, "Toolnote is off")),
        (EndpointState(is_safe_mode=True), False, (Mark.ATTENTION, "Safe mode")),
    ],
)
def test_the_state_of_the_app(serving: EndpointState, paused: bool, expected: tuple[Mark, str]) -> None:
    snapshot = sample.snapshot(settings={"notesPaused": paused})
    assert state_of_toolnote(snapshot, serving) == expected


def test_an_assistant_that_follows_changes_is_not_to_be_restarted() -> None:
    """Seen red: with *Restart needed* for all that have not fetched the newest list."""
    snapshot = sample.snapshot()
    snapshot = replace(snapshot, clients={one: Client() for one in ("claude-code", "gemini-cli", "codex")})
    behind = [sample.ConnectedAssistant(one, one, False) for one in snapshot.clients]
    words = {state.id: (state.mark, state.word) for state in assistant_states(snapshot, behind)}
    reading = (Mark.WAITING, "Reading your changes")
    assert words == {
        "claude-code": reading,
        "gemini-cli": reading,
        "codex": (Mark.ATTENTION, "Restart needed"),
    }
    (need,) = [one for one in needs_you(snapshot, behind, EndpointState("http://x")) if one.action == "Show steps"]
    assert (need.text, need.reason) == ("Codex hasn’t read your latest changes", "Start a new session in Codex.")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (0, "Cursor hasn’t read your latest changes"),
        (1, "Cursor hasn’t read your last change"),
        (2, "Cursor hasn’t read your last 2 changes"),
    ],
)
def test_how_many_changes_an_assistant_has_not_read_is_said(changes: int, words: str) -> None:
    behind = [sample.ConnectedAssistant("cursor", "cursor-vscode", False, changes_behind=changes)]
    needs = needs_you(sample.snapshot(), behind, EndpointState("http://x"))
    assert words in [one.text for one in needs]


def test_an_assistant_with_several_sessions_is_one_and_behind_if_one_of_them_is() -> None:
    sessions = [sample.ConnectedAssistant("cursor", "cursor-vscode", current) for current in (True, False)]
    states = {one.id: one.word for one in assistant_states(sample.snapshot(), sessions)}
    assert states == {"claude-desktop": "Set up", "cursor": "Restart needed", "vscode": "Set up"}


def test_notes_are_counted_in_each_scope() -> None:
    snapshot = sample.snapshot()
    groups = [group for toolset in snapshot.toolsets.values() for group in toolset.notes]
    own = sum(map(len, snapshot.notes.tools.values())) + sum(map(len, snapshot.notes.servers.values()))
    assert count_all_notes(snapshot) == own + len(snapshot.notes.everything) + sum(len(one.notes) for one in groups)
    my_tools = snapshot.toolsets["my-tools"]
    assert 0 < count_notes_in(snapshot, my_tools) <= count_all_notes(snapshot)
