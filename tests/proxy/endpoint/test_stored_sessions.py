"""Sessions of the handshake era outlive a restart of the app (docs/contract.md 5)."""

from __future__ import annotations

import json
import time
from functools import partial
from pathlib import Path

from tests.proxy.raw_client import RawClient, Stream
from tests.proxy.running import Running, raw_server, restarted, running
from tests.servers.launch import Record, control
from tests.waiting import wait_until
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, PutEntry
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.activity_queries import recent_calls

ENTRIES = {"raw": raw_server(tools=[{"name": "echo", "inputSchema": {"type": "object"}}])}
TOKEN = "t" * 40


def with_client(proxy: Running, token: str = TOKEN) -> RawClient:
    entry = {"name": "Gemini", "tokenHash": hash_token(token)}
    proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "gemini", entry))
    return RawClient(proxy.endpoint.url, token)


def session_of_an_earlier_run(home: Home) -> str:
    with restarted(home) if home.servers.exists() else running(home, ENTRIES) as proxy:
        client = with_client(proxy)
        client.initialize()
        assert client.session_id is not None
        return client.session_id


def status(client: RawClient, session: str) -> int:
    client.session_id = session
    return client.request("tools/list").status


def test_the_next_request_works(home: Home) -> None:
    """Seen red without ``restorer``: 404."""
    session = session_of_an_earlier_run(home)
    for _ in range(2):  # and after another restart
        with restarted(home) as proxy:
            assert status(proxy.client(), session) == 404  # it belongs to its token
            client = with_client(proxy)
            assert status(client, session[::-1]) == 404
            assert status(client, session) == 200
            assert client.request("ping").status == 200
            assert client.request("foreign/method").last["error"]["code"] == -32601  # answered by the SDK
    assert home.sessions.stat().st_mode & 0o777 == 0o600
    assert TOKEN not in home.sessions.read_text("utf-8")


def test_a_session_that_was_ended_or_has_another_token_is_gone(home: Home) -> None:
    """Seen red without the comparison of tokens."""
    session = session_of_an_earlier_run(home)
    with restarted(home) as proxy:
        assert status(with_client(proxy, "other" * 8), session) == 404
    session = session_of_an_earlier_run(home)
    with restarted(home) as proxy:
        client = with_client(proxy)
        assert status(client, session) == 200
        assert client.send("DELETE").status == 200
    with restarted(home) as proxy:
        assert status(with_client(proxy), session) == 404


def test_it_expires_as_usual(home: Home) -> None:
    session = session_of_an_earlier_run(home)
    stored = json.loads(home.sessions.read_text("utf-8"))
    stored["sessions"][-1]["lastUse"] = time.time() - 3601
    stored["sessions"] += [None, {"sessionId": 1}, {**stored["sessions"][-1], "opening": "[]"}]
    home.sessions.write_text(json.dumps(stored), "utf-8")
    with restarted(home) as proxy:
        assert status(with_client(proxy), session) == 404


def test_a_damaged_file_costs_the_sessions_only(home: Home) -> None:
    session = session_of_an_earlier_run(home)
    home.sessions.write_bytes(b"\xff{")
    with restarted(home) as proxy:
        assert status(with_client(proxy), session) == 404
        with_client(proxy).initialize()


def test_what_changed_while_the_app_was_closed_is_announced(home: Home) -> None:
    """Seen red without ``_announce_missed``."""
    with running(home, ENTRIES) as proxy:
        client = with_client(proxy)
        client.initialize()
        assert client.tool("raw_echo")
        session = client.session_id
    for turn in range(3):
        if turn == 1:
            path = home.root / "toolsets" / "work.json"
            document = json.loads(path.read_text("utf-8"))
            note = {"name": "kind", "note": "Be kind."}
            document["toolNotes"] = [{"toolRef": {"namespacedName": "raw.echo"}, "notes": [note]}]
            path.write_text(json.dumps(document), "utf-8")
        with restarted(home) as proxy:
            client = with_client(proxy)
            client.session_id = session
            stream = Stream(client)
            if turn == 1:
                stream.wait_for("notifications/tools/list_changed")
            assert ("Be kind." in client.tool("raw_echo").get("description", "")) is (turn > 0)
            proxy.wait_ready("raw")
            stream.close()
            assert len(stream.of("notifications/tools/list_changed")) == (turn == 1)
            assert stream.of("notifications/resources/list_changed") == []


def test_subscriptions_are_renewed(home: Home, tmp_path: Path) -> None:
    """Seen red without ``_subscribe_again``: an update after the restart was dropped."""
    updated = {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "test://one"}}
    record, commands = Record(tmp_path / "record"), tmp_path / "control"
    tools = [{"name": "echo", "inputSchema": {"type": "object"}}]
    with running(home, {"raw": raw_server(tools=tools, record=str(record.path), control=str(commands))}) as proxy:
        client = with_client(proxy)
        client.initialize()
        assert client.request("resources/subscribe", {"uri": "test://one"}).result == {}
        assert client.request("resources/subscribe", {"uri": "toolnote://guide"}).result == {}
        session = client.session_id
    commands.unlink(missing_ok=True)
    for _ in range(2):
        before = len(record.received("resources/subscribe"))
        with restarted(home) as proxy:
            client = with_client(proxy)
            client.session_id = session
            stream = Stream(client)
            found = stream.wait_for("notifications/resources/updated", 2)  # both may have changed meanwhile
            assert {one["params"]["uri"] for one in found} == {"test://one", "toolnote://guide"}
            assert len(record.received("resources/subscribe")) == before + 1
            control(commands, f"notify {json.dumps(updated)}")
            assert stream.wait_for("notifications/resources/updated", 3)[2] == updated
            assert client.request("resources/unsubscribe", {"uri": "test://none"}).result == {}
            stream.close()
        commands.unlink()
    assert len(record.received("resources/unsubscribe")) == 0


def test_tasks_stay_with_their_session(home: Home) -> None:
    """Seen red without ``restore_tasks``: "Unknown task"."""
    task = {"taskId": "t-1", "status": "working"}
    entry = raw_server(
        tools=[{"name": "echo", "inputSchema": {"type": "object"}}],
        capabilities={"tools": {}, "tasks": {"cancel": {}}},
        on={"tools/call": {"result": {"task": task}}, "tasks/get": {"result": task}},
    )
    with running(home, {"raw": entry}) as proxy:
        client = with_client(proxy)
        client.initialize()
        assert client.call("raw_echo").result == {"task": task}
        session = client.session_id
    with restarted(home) as proxy:
        client, other = with_client(proxy), with_client(proxy)
        client.session_id = session
        other.initialize()
        assert client.request("tasks/get", {"taskId": "t-1"}).result == task
        assert other.request("tasks/get", {"taskId": "t-1"}).last["error"]["code"] == -32602


def up_to_date(proxy: Running, *, state: bool) -> bool:
    return [one.up_to_date for one in proxy.thread.clients() if one.id == "gemini"] == [state]


def test_the_list_that_it_has_fetched_is_known_after_a_restart_unless_it_has_changed(home: Home) -> None:
    """Seen red without ``list_restored``: its calls belonged to no list, and the client counted as not up to date."""

    def calls(count: int) -> tuple[Call, ...]:
        wait_until(lambda: len(recent_calls(home)) >= count)
        return recent_calls(home)

    with running(home, ENTRIES) as proxy:
        client = with_client(proxy)
        client.initialize()
        assert client.tool("raw_echo")
        client.call("raw_echo")
        first = calls(1)[0]
        session = client.session_id
    assert first.revision is not None
    for turn in range(2):
        if turn:
            path = home.root / "toolsets" / "work.json"
            document = json.loads(path.read_text("utf-8"))
            note = {"name": "kind", "note": "Be kind."}
            document["toolNotes"] = [{"toolRef": {"namespacedName": "raw.echo"}, "notes": [note]}]
            path.write_text(json.dumps(document), "utf-8")
        with restarted(home) as proxy:
            client = with_client(proxy)
            client.session_id = session
            assert client.request("ping").status == 200
            proxy.wait_ready("raw")
            # Behind at once where the list has changed: "hasn't read your latest changes".
            wait_until(partial(up_to_date, proxy, state=not turn))
            client.call("raw_echo")
            call = calls(2 + turn)[0]
            assert (call.revision, call.behind, call.notes) == ((first.revision, 0, ()) if not turn else (None,) * 3)
