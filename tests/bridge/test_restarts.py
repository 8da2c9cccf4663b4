"""The app goes, and comes back, while a client uses the bridge (docs/contract.md 4)."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.harness import MODERN, App, Client, bridge
from toolnote_desktop.bridge.app_discovery import read_endpoint
from toolnote_desktop.paths import Home, start_ticks

StartApp = Callable[..., App]
CLOSED = "Toolnote is closed; open it to use these tools"
LOST = "Toolnote was closed during this call"


def text_of(answer: dict[str, Any]) -> str:
    text: str = answer["result"]["content"][0]["text"]
    return text


def wait_until_closed(client: Client) -> None:
    """Until requests are answered with "closed": those that come while the app may yet be back wait for it."""
    answer = client.call("closed?", "echo")
    assert text_of(answer) == CLOSED
    assert answer["result"]["isError"] is True


@pytest.mark.parametrize("same_port", [True, False])
def test_the_app_is_started_again(home: Home, start_app: StartApp, same_port: bool) -> None:
    app = start_app()
    with bridge(home) as client:
        first = client.shake_hands()
        client.call(1, "echo")
        for round_ in range(4):  # more often than a message is tried again
            app.kill()
            app.port = app.port if same_port else 0
            app.start()
            assert text_of(client.call(f"after {round_}", "counter")) == "1"  # a new session, its first call
            for kind in ("tools", "prompts", "resources"):
                client.notice(f"notifications/{kind}/list_changed")
        assert client.kept == []  # nothing else was shown, not the answers to the bridge's own initialize
    begun = app.record.received("initialize")
    assert len(begun) == 5
    assert all(message["params"] == begun[0]["params"] for message in begun)
    assert len(app.record.received("notifications/initialized")) == 5
    assert first["id"] == "init"


def test_session_state_is_carried_to_the_next_session(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        for number, level in enumerate(("debug", "error")):
            client.ask(number, "logging/setLevel", level=level)
        client.ask("a", "resources/subscribe", uri="test://a")
        client.ask("b", "resources/subscribe", uri="test://b")
        client.ask("c", "resources/unsubscribe", uri="test://a")
        app.start_again()
        client.call(1, "echo")
    after = app.record.entries()
    after = after[max(at for at, entry in enumerate(after) if '"toolnote-bridge"' in entry.get("raw", "")) :]
    said = [json.loads(entry["raw"]) for entry in after if entry["event"] == "in"]
    assert [(m["method"], m.get("params", {}).get("level") or m.get("params", {}).get("uri")) for m in said[:5]] == [
        ("initialize", None),
        ("notifications/initialized", None),
        ("logging/setLevel", "error"),
        ("resources/subscribe", "test://b"),
        ("tools/call", None),
    ]


def test_a_client_that_only_listens_is_told(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        app.record.wait_for("GET")
        app.start_again(listChanged=False)
        for kind in ("tools", "prompts", "resources"):
            client.notice(f"notifications/{kind}/list_changed")
        app.record.wait_for("GET", count=2)
        app.control('notify {"jsonrpc":"2.0","method":"notifications/new"}')
        client.notice("notifications/new")


def test_a_client_that_was_promised_no_notices_gets_none(home: Home, start_app: StartApp) -> None:
    app = start_app(listChanged=False)
    with bridge(home) as client:
        client.shake_hands()
        app.start_again()
        client.call(1, "echo")
        assert client.kept == []


def test_a_session_that_the_app_has_forgotten(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        client.call(1, "echo")
        app.record.wait_for("GET")
        app.control("forget")
        app.record.wait_for("GET", count=2)  # the stream ended with the session: the bridge knows by then or soon
        assert text_of(client.call(2, "counter")) == "1"
        client.notice("notifications/tools/list_changed")
    assert [m["id"] for m in app.record.received("tools/call") if m["params"]["name"] == "counter"][-1] == 2


def test_a_secret_that_is_no_longer_good(home: Home, start_app: StartApp) -> None:
    app = start_app(http={"get": False})
    with bridge(home) as client:
        client.shake_hands()
        app.control("token another", "forget")
        assert app.process is not None
        app.announce(f"http://127.0.0.1:{app.port}/mcp", app.process.pid, "another")
        for number in range(20):
            assert client.call(number, "echo", n=number)["result"]["content"]
    assert len([m for m in app.record.received("tools/call") if m["params"]["arguments"]["n"] == 19]) == 1


def test_a_request_waits_for_an_app_that_is_just_coming_back(home: Home, start_app: StartApp) -> None:
    app = start_app(http={"get": False})
    with bridge(home) as client:
        client.shake_hands()
        app.quit()
        client.request(1, "tools/list")
        client.request(2, "tools/call", name="counter", arguments={})
        app.start()
        assert client.answer(1)["result"]["tools"]
        assert text_of(client.answer(2)) == "1"


def test_calls_in_flight_when_the_app_dies(home: Home, start_app: StartApp) -> None:
    app = start_app(on={"prompts/get": "hang"})
    with bridge(home) as client:
        client.shake_hands()
        client.request(1, "tools/call", name="hang", arguments={})
        client.request(2, "tools/call", name="progress", arguments={"ms": 60_000}, _meta={"progressToken": 1})
        client.request(3, "prompts/get", name="greet")
        client.request(4, "tools/call", name="hang", arguments={}, _meta=MODERN)
        app.record.wait_for("call", count=3)
        app.kill()
        for number in (1, 2, 4):
            result = client.answer(number)["result"]
            assert result["isError"] is True
            assert result["content"][0]["text"].startswith(LOST)
            assert result.get("resultType") == ("complete" if number == 4 else None)
        error = client.answer(3)["error"]
        assert error["code"] == -32000
        assert "Toolnote" in error["message"]


def test_a_quit_is_answered_readably_and_undone_later(home: Home, start_app: StartApp, tmp_path: Path) -> None:
    app = start_app()
    started = tmp_path / "started"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {started}\n", encoding="utf-8")
    program.chmod(0o755)
    with bridge(home, disguise=(str(program), "plain")) as client:
        client.shake_hands()
        app.quit()
        wait_until_closed(client)
        assert client.ask(1, "tools/list")["error"] == {"code": -32000, "message": CLOSED}
        assert client.ask(2, "initialize", protocolVersion="2025-06-18")["error"]["message"] == CLOSED
        assert client.ask(3, "ping")["result"] == {}
        assert client.call(4, "echo", meta=MODERN)["result"]["resultType"] == "complete"
        client.notify("notifications/progress", progressToken=1, progress=1)
        app.start()
        assert text_of(client.call(5, "counter")) == "1"
        client.notice("notifications/tools/list_changed")
        app.quit()
        wait_until_closed(client)
        app.start()  # and without a request: the client is told by itself
        client.notice("notifications/tools/list_changed")
    assert not started.exists()


def test_an_app_that_was_killed_counts_as_closed(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        app.kill()
        assert home.endpoint.exists()
        wait_until_closed(client)
        app.start()
        assert text_of(client.call(1, "counter")) == "1"


def test_subscriptions_of_the_modern_era_outlive_the_app(home: Home, start_app: StartApp) -> None:
    app = start_app()
    wanted = {"toolsListChanged": True}
    with bridge(home) as client:
        client.request(1, "subscriptions/listen", notifications=wanted, _meta=MODERN)
        client.notice("notifications/subscriptions/acknowledged")
        for round_ in range(5):
            app.start_again()
            notice = client.next()
            assert notice["method"] == "notifications/tools/list_changed"
            assert notice["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": 1}
            app.record.wait_for("in", count=round_ + 2)
            app.control("change")
            assert client.next() == notice
        app.quit()
        failed = client.answer(1)
        assert failed["error"]["message"] == CLOSED
        client.call(2, "echo", meta=MODERN)
        assert client.kept == []


def test_the_modern_era_needs_no_session_to_go_on(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.call(1, "echo", meta=MODERN)
        app.start_again()
        assert client.call(2, "echo", meta=MODERN)["result"]["content"]
    assert app.record.received("initialize") == []


def test_a_request_cancelled_while_it_waits_is_never_sent(home: Home, start_app: StartApp) -> None:
    app = start_app(http={"get": False})
    with bridge(home) as client:
        client.shake_hands()
        app.quit()
        client.request(1, "tools/call", name="echo", arguments={"cancelled": True})
        client.notify("notifications/cancelled", requestId=1)
        client.request(2, "tools/list")
        app.start()
        client.answer(2)
        assert client.kept == [] or all("id" not in message for message in client.kept)
    assert app.record.received("tools/call") == []


def test_stdin_may_end_while_the_app_is_gone(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        app.quit()
        client.request(1, "tools/call", name="echo", arguments={})
        assert client.end_input() == 0


def test_an_endpoint_file_that_makes_no_sense_is_no_app(home: Home, start_app: StartApp) -> None:
    app = start_app()
    good = home.endpoint.read_text(encoding="utf-8")
    with bridge(home) as client:
        client.shake_hands()
        app.kill()
        for content in ("", "[]", "{", '{"url":5}', '{"url":"http://127.0.0.1:1/mcp","bridgeSecret":"a\\r\\nb"}'):
            home.endpoint.write_text(content, encoding="utf-8")
        wait_until_closed(client)
        recycled = json.loads(good) | {"pid": os.getpid(), "startTime": 1_000_000_000.0}
        home.endpoint.write_text(json.dumps(recycled), encoding="utf-8")
        assert text_of(client.call(1, "echo")) == CLOSED


@contextmanager
def thief(port: int) -> Iterator[list[bytes]]:
    """Another program on the app's port, maybe another user's: what it is sent. It answers like the app."""
    sent: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", port))

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection, suppress(OSError):
                    if data := connection.recv(65536):
                        sent.append(data)
                        body = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"forged"}]}}'
                        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                        connection.sendall(head % len(body) + body)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield sent
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


@pytest.mark.parametrize("meta", [None, MODERN], ids=["handshake", "modern"])
def test_port_of_an_app_that_has_ended_is_not_the_app(
    home: Home, start_app: StartApp, meta: dict[str, Any] | None
) -> None:
    """Seen red: the bridge sent its secret and the call to who listened there, and gave its answer to the client."""
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        client.call("before", "echo", meta=meta)
        app.kill()
        with thief(app.port) as sent:
            assert text_of(client.call(1, "echo", meta=meta)) != "forged"
            assert text_of(client.call(2, "echo", meta=meta)) == CLOSED
        assert sent == []
        app.start()
        assert "forged" not in text_of(client.call(3, "echo", meta=meta))


@pytest.mark.skipif(sys.platform != "linux", reason="tells ticks")
def test_app_is_found_after_the_clock_was_set(home: Home, start_app: StartApp) -> None:
    """Seen red: the time of the app's start, by the clock, moved with it, and no bridge found the app."""
    app = start_app()
    assert app.process is not None
    known = json.loads(home.endpoint.read_text("utf-8")) | {"startTicks": start_ticks(app.process.pid)}
    home.endpoint.write_text(json.dumps(known | {"startTime": known["startTime"] - 7200}), encoding="utf-8")
    with bridge(home) as client:
        client.shake_hands()
        assert text_of(client.call(1, "echo"))
    home.endpoint.write_text(json.dumps(known | {"startTicks": start_ticks(os.getpid())}), encoding="utf-8")
    assert read_endpoint(home) is None


@pytest.mark.parametrize("meta", [None, MODERN], ids=["handshake", "modern"])
def test_requests_are_answered_once_whenever_the_app_stops(
    home: Home, start_app: StartApp, meta: dict[str, Any] | None
) -> None:
    app = start_app()
    asked: set[str] = set()
    with bridge(home) as client:
        client.shake_hands()
        for round_ in range(6):
            for number in range(60):
                tool, arguments = (("sleep_ms", {"ms": 5 * number}), ("big", {"kb": 300}), ("echo", {}))[number % 3]
                message_id = f"{round_}.{number}"
                asked.add(message_id)
                extra = {"_meta": meta} if meta else {}
                client.request(message_id, "tools/call", name=tool, arguments=arguments, **extra)
            app.record.wait_for("call", count=20 * (round_ + 1))
            app.start_again()
        answered = [client.answer(message_id)["id"] for message_id in sorted(asked)]
        assert client.ask("last", "tools/list", **({"_meta": meta} if meta else {}))["result"]["tools"]
        assert all("id" not in message for message in client.kept)  # no second answer to anything
    assert set(answered) == asked
    calls = [message["id"] for message in app.record.received("tools/call")]
    assert len(set(calls)) == len(calls)  # and none was carried out twice
