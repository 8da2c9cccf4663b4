"""Calls are recorded as they end, through the real endpoint: outcome, class, what the session had read, sizes."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.proxy.live import ModernClient, live_call
from tests.proxy.raw_client import RawClient, Stream
from tests.proxy.running import TOOLSET, Running, raw_server, running
from tests.waiting import wait_until
from toolnote_desktop.log import hide
from toolnote_desktop.model.calls.outcome import Outcome
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, SetEntryFields, toolset_document
from toolnote_desktop.model.toolsets.note_edits import AddNote, EditNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import SetToolFields
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.activity_queries import fetched_revisions, recent_calls

CREATE = {
    "name": "create",
    "description": "Creates an issue",
    "inputSchema": {
        "type": "object",
        "properties": {
            "priority": {"type": "integer", "minimum": 1, "maximum": 4},
            "text": {"type": "string"},
            "code": {"type": "integer"},
            "message": {"type": "string"},
        },
    },
}
PLAIN = {"inputSchema": {"type": "object"}}
REFERENCE = ToolReference(namespaced_name="raw.create")
TARGET = NoteTarget.in_toolset(TOOLSET, REFERENCE)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    server = raw_server(
        tools=[
            CREATE,
            {"name": "wrong", **PLAIN},
            {"name": "hang", **PLAIN},
            {"name": "echo", **PLAIN},
            {"name": "flaky", **PLAIN},
        ],
        calls={"create": "fail", "wrong": "error", "flaky": "raw_result"},
    )
    with running(Home(tmp_path_factory.mktemp("home")), {"raw": server, "slow": {**server, "timeout": 0.2}}) as proxy:
        yield proxy


@pytest.fixture
def client(shared: Running) -> RawClient:
    client = shared.bridge("cursor")
    client.initialize()
    return client


def recorded(proxy: Running, count: int = 1, after: int = 0) -> list[Call]:
    """The calls after the one with this id, the oldest first, once there are so many."""

    def found() -> list[Call]:
        return [call for call in reversed(recent_calls(proxy.library.home)) if call.id > after]

    wait_until(lambda: len(found()) >= count)
    return found()


def read_state(proxy: Running) -> tuple[bool, int]:
    (there,) = [one for one in proxy.thread.clients() if one.id == "cursor"]
    return there.up_to_date, there.changes_behind


def newest(proxy: Running) -> int:
    calls = recent_calls(proxy.library.home, 1)
    return calls[0].id if calls else 0


def settled(proxy: Running) -> int:
    """The id of the newest call, after all earlier ones are written."""
    before = newest(proxy)
    client = proxy.client()
    client.initialize()
    client.call("raw_echo", {"mark": before})
    wait_until(
        lambda: (calls := recent_calls(proxy.library.home, 1)) and calls[0].client == "" and calls[0].id > before
    )
    return newest(proxy)


def test_outcomes_sizes_and_classes(shared: Running, client: RawClient) -> None:
    start = settled(shared)
    client.call("raw_echo", {"a": 1})
    client.call("raw_create", {"text": 'Issue "LIN-123" not found in /home/anna/x', "priority": 9})
    client.call("raw_wrong", {"code": -32602, "message": "Invalid value 'secret-thing' for priority"})
    hang = live_call(client, "raw_hang")
    hang.close()
    client.call("slow_hang")
    worked, failed, code, cancelled, late = recorded(shared, 5, start)
    assert [one.outcome for one in (worked, failed, code, cancelled, late)] == [
        Outcome.WORKED,
        Outcome.FAILED,
        Outcome.FAILED,
        Outcome.CANCELLED,
        Outcome.TIMED_OUT,
    ]
    assert {one.client for one in (worked, failed, code)} == {"cursor"}
    assert worked.sent is not None
    assert worked.received is not None
    assert 0 < worked.sent < 500
    assert 0 < worked.received < 500
    assert (worked.error, worked.message, worked.arguments, worked.result) == (None, None, None, None)
    assert (failed.error, failed.refused) == ("Issue <value> not found in <path>", ("/priority maximum",))
    assert failed.message == 'Issue "LIN-123" not found in /home/anna/x'
    assert code.error == "-32602 Invalid value <value> for priority"
    assert late.error == "toolnote:call-timed-out"
    assert (late.server, late.tool) == ("slow", "hang")
    assert worked.revision is None, "this session has fetched no list"
    assert worked.notes is None


def test_a_call_belongs_to_the_notes_its_session_had_fetched(shared: Running, client: RawClient) -> None:
    client.tools()
    start = settled(shared)
    client.call("raw_create", {})
    (first,) = recorded(shared, 1, start)
    assert (first.behind, first.notes, first.toolset) == (0, (), TOOLSET)
    assert first.revision is not None
    listening = Stream(client)
    try:
        shared.library.submit(AddNote(TARGET, {"name": "team", "note": "Ask first."})).saved.result(10)
        listening.wait_for("notifications/tools/list_changed")
        shared.library.submit(EditNote(TARGET, "team", {"note": "Ask which team first."})).saved.result(10)
        listening.wait_for("notifications/tools/list_changed", 2)
    finally:
        listening.close()
    wait_until(lambda: read_state(shared) == (False, 2))
    client.call("raw_create", {})
    other = shared.bridge("cursor")
    other.initialize()
    other.tools()
    other.call("raw_create", {})
    old, current = recorded(shared, 2, first.id)
    assert (old.revision, old.behind, old.notes) == (first.revision, 2, ()), "it has not read them"
    assert current.notes is not None
    assert [(note.name, note.scope) for note in current.notes] == [("team", "toolset")]
    assert (current.revision, current.behind) == (first.revision + 2, 0)
    wait_until(
        lambda: fetched_revisions(shared.library.home)["cursor", TOOLSET] == (current.revision, current.revision)
    )
    wait_until(lambda: read_state(shared) == (True, 0))


def test_a_client_has_read_the_notes_that_it_wrote_itself(shared: Running, client: RawClient) -> None:
    """Red, with two changes behind, while a client's own note counted as unread."""
    client.tools()
    wait_until(lambda: read_state(shared) == (True, 0))
    listening = Stream(client)
    try:
        note = {"name": "own", "note": "Titles in English."}
        answer = client.call("add-tool-annotation", {"toolRef": {"namespacedName": "raw.create"}, "notes": [note]})
        assert not answer.result.get("isError"), answer.result
        listening.wait_for("notifications/tools/list_changed")
        wait_until(lambda: read_state(shared) == (True, 0))
        start = settled(shared)
        client.call("raw_echo", {})
        (call,) = recorded(shared, 1, start)
        assert call.behind == 0, "the call, too, was made with the note known"
        shared.library.submit(EditNote(TARGET, "own", {"note": "Titles in German."})).saved.result(10)
        listening.wait_for("notifications/tools/list_changed", 2)
    finally:
        listening.close()
    wait_until(lambda: not read_state(shared)[0])
    assert read_state(shared) == (False, 1), "the user's change is unread"
    shared.library.submit(RemoveNote(TARGET, "own")).saved.result(10)
    client.tools()
    wait_until(lambda: read_state(shared) == (True, 0))


def test_a_client_without_a_session_belongs_to_what_it_fetched(shared: Running) -> None:
    modern = ModernClient(shared.endpoint.url, shared.endpoint.token)
    start = settled(shared)
    modern.request("tools/list")
    modern.request("tools/call", {"name": "raw_echo", "arguments": {}})
    (call,) = recorded(shared, 1, start)
    assert call.behind == 0
    assert call.revision is not None


def test_a_call_that_the_users_rules_refuse_is_recorded_as_refused(shared: Running, client: RawClient) -> None:
    document = toolset_document(TOOLSET)
    start = settled(shared)
    shared.library.submit(SetToolFields(document, ToolReference(namespaced_name="raw.echo"), {"consent": {}}))
    try:
        answer = client.call("raw_echo", {})
        assert answer.result["isError"]
    finally:
        shared.library.submit(SetToolFields(document, ToolReference(namespaced_name="raw.echo"), {"consent": None}))
    (call,) = recorded(shared, 1, start)
    assert (call.outcome, call.error) == (Outcome.REFUSED, "toolnote:consent-missing")


def test_arguments_and_results_are_recorded_only_where_the_user_wants_it(shared: Running, client: RawClient) -> None:
    hide(["hunter2-hunter2"])
    start = settled(shared)
    client.call("raw_echo", {"password": "hunter2-hunter2", "a": 1})
    ours = {"toolset": TOOLSET, "recordContents": 7}
    shared.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "raw", {"toolnote": ours}))
    client.call("raw_echo", {"password": "hunter2-hunter2", "a": 1})
    client.call("raw_create", {"text": "no", "priority": 2})
    client.call("slow_echo", {"a": 1})
    shared.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "raw", {"toolnote": {"toolset": TOOLSET}}))
    before, kept, failed, other = recorded(shared, 4, start)
    assert (before.arguments, other.arguments) == (None, None)
    assert kept.arguments is not None
    assert json.loads(kept.arguments) == {"password": "•••", "a": 1}
    assert kept.result is not None
    assert "hunter2" not in kept.result
    assert '"content"' in kept.result
    assert failed.arguments is not None
    assert json.loads(failed.arguments) == {"text": "no", "priority": 2}


def test_secrets_are_masked_in_messages(shared: Running, client: RawClient) -> None:
    hide(["hunter2-hunter2"])
    start = settled(shared)
    client.call("raw_create", {"text": "hunter2-hunter2 is wrong " + "lorem ipsum " * 420})
    (call,) = recorded(shared, 1, start)
    assert call.message is not None
    assert call.message.startswith("••• is wrong")
    assert len(call.message) == 500
    assert call.error is not None
    assert "hunter2" not in call.error


def test_arguments_that_worked_after_a_failure_are_an_example(shared: Running, client: RawClient) -> None:
    key = ("raw", "flaky")
    works, fails = json.dumps({"content": []}), json.dumps({"content": [], "isError": True})
    client.call("raw_flaky", {"text": works})
    assert shared.thread.worked_example(key) is None, "no call had failed before"
    client.call("raw_flaky", {"text": fails})
    other = shared.bridge("cursor")
    other.initialize()
    other.call("raw_flaky", {"text": works, "of": "another session"})
    assert shared.thread.worked_example(key) is None
    client.call("raw_flaky", {"text": works, "of": "the same session"})
    assert shared.thread.worked_example(key) == {"text": works, "of": "the same session"}
    assert shared.thread.worked_example(("raw", "echo")) is None
    text = b"".join(path.read_bytes() for path in shared.library.home.root.glob("activity.db*"))
    assert b"the same session" not in text, "held in memory"


def test_a_call_of_megabytes_after_a_failure_is_answered_and_recorded_without_its_arguments(
    shared: Running, client: RawClient
) -> None:
    """Seen red without the limits of ``CallRecorder``: the example held 3 MB."""
    start = settled(shared)
    client.call("raw_flaky", {"text": json.dumps({"content": [], "isError": True})})
    answer = client.call("raw_flaky", {"text": json.dumps({"content": []}), "blob": "x" * 3_000_000})
    assert answer.result == {"content": []}
    failed, worked = recorded(shared, 2, start)
    assert (failed.outcome, worked.outcome) == (Outcome.FAILED, Outcome.WORKED)
    assert worked.sent is not None
    assert worked.sent > 3_000_000
    example = shared.thread.worked_example(("raw", "flaky"))
    assert example is None or "blob" not in example
