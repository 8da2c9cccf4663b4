"""What passes the bridge while the app runs, in both eras."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import psutil
import pytest

from tests.bridge.harness import MODERN, App, bridge
from tests.signalled import signalled_command
from toolnote_desktop.paths import CLIENT_HEADER, TOOLSET_HEADER, Home

StartApp = Callable[..., App]


def headers_seen(answer: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = json.loads(answer["result"]["content"][0]["text"])
    return found


@pytest.mark.parametrize("mode", ["json", "sse", "auto"])
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_handshake_era(home: Home, start_app: StartApp, mode: str, version: str) -> None:
    app = start_app(http={"answer": mode})
    with bridge(home) as client:
        assert client.shake_hands(version)["result"]["protocolVersion"] == version
        seen = headers_seen(client.call(1, "headers"))
        assert seen["mcp-protocol-version"] == version
        assert seen["mcp-session-id"]
        assert client.end_input() == 0
    assert app.record.events("DELETE")[0]["session"] == seen["mcp-session-id"]
    assert client.errors == b""


def test_sign_in_with_names_in_any_script(home: Home, start_app: StartApp) -> None:
    start_app()
    with bridge(home, "--client", "Клод 100%", "--toolset", "planning-week") as client:
        client.shake_hands()
        seen = headers_seen(client.call(1, "headers"))
    assert seen["authorization"] == "Bearer secret-1"
    assert seen[CLIENT_HEADER.lower()] == "%D0%9A%D0%BB%D0%BE%D0%B4%20100%25"
    assert seen[TOOLSET_HEADER.lower()] == "planning-week"


def test_the_modern_era(home: Home, start_app: StartApp) -> None:
    start_app(http={"checkHeaders": True})
    with bridge(home) as client:
        assert client.ask(1, "server/discover", _meta=MODERN)["result"]["supportedVersions"] == ["2026-07-28"]
        assert client.ask(2, "tools/list", _meta=MODERN)["result"]["resultType"] == "complete"
        seen = headers_seen(client.call(3, "headers", meta=MODERN))
        assert (seen["mcp-method"], seen["mcp-name"]) == ("tools/call", "headers")
        assert "mcp-session-id" not in seen
        assert client.ask(4, "resources/read", uri="test://one", _meta=MODERN)["result"]["contents"]
        assert client.ask(5, "no/such", _meta=MODERN)["error"]["code"] == -32601


def test_names_that_fit_no_header_are_wrapped(home: Home, start_app: StartApp) -> None:
    start_app(calls={"工具 ": "headers"})
    with bridge(home) as client:
        assert headers_seen(client.call(1, "工具 ", meta=MODERN))["mcp-name"] == "=?base64?5bel5YW3IA==?="


def test_parameters_that_the_schema_wants_in_headers(home: Home, start_app: StartApp) -> None:
    properties = {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "dry": {"type": "boolean", "x-mcp-header": "Dry"},
        "deep": {"type": "object", "properties": {"count": {"type": "integer", "x-mcp-header": "Count"}}},
        "other": {"type": "string"},
    }
    start_app(tools=[{"name": "headers", "inputSchema": {"type": "object", "properties": properties}}])
    with bridge(home) as client:
        client.ask(1, "tools/list", _meta=MODERN)
        given = {"region": "Zürich", "dry": True, "deep": {"count": 3}, "other": "x"}
        seen = headers_seen(client.call(2, "headers", meta=MODERN, **given))
        sent = {name: value for name, value in seen.items() if name.startswith("mcp-param-")}
        assert sent == {
            "mcp-param-region": "=?base64?WsO8cmljaA==?=",
            "mcp-param-dry": "true",
            "mcp-param-count": "3",
        }
        assert "mcp-param-region" not in headers_seen(client.call(3, "headers", meta=MODERN, region=None))


def test_notifications_before_a_result_are_delivered_before_it(home: Home, start_app: StartApp) -> None:
    start_app()
    with bridge(home) as client:
        client.shake_hands()
        client.request(7, "tools/call", name="progress", arguments={"steps": 20}, _meta={"progressToken": "t"})
        seen = [client.next() for _ in range(21)]
    assert [message["params"]["progress"] for message in seen[:-1]] == list(range(1, 21))
    assert seen[-1]["id"] == 7


@pytest.mark.parametrize("mode", ["json", "sse"])
@pytest.mark.parametrize("split", [0, 1000])
def test_an_answer_of_any_size_is_one_line(home: Home, start_app: StartApp, mode: str, split: int) -> None:
    start_app(http={"answer": mode, "split": split})
    with bridge(home) as client:
        client.shake_hands()
        client.request(1, "tools/call", name="big", arguments={"kb": 6000})
        line = client.line()
    assert len(json.loads(line)["result"]["content"][0]["text"]) == 6000 * 1024


def test_a_request_of_any_size(home: Home, start_app: StartApp) -> None:
    start_app()
    with bridge(home) as client:
        client.shake_hands()
        text = client.call(1, "echo", value="ä" * 3_000_000)["result"]["content"][0]["text"]
    assert len(json.loads(text)["arguments"]["value"]) == 3_000_000


def test_bytes_pass_unchanged(home: Home, start_app: StartApp) -> None:
    start_app()
    params = '{"name":"echo",  "arguments":{"n":123456789012345678901234567890,"f":1.0,"s":"\\ud800","big":1e999}}'
    with bridge(home) as client:
        client.shake_hands()
        client.write(b'{"method":"tools/call","params":' + params.encode() + b',"id":"\xc3\xa4","jsonrpc":"2.0"}\n')
        assert client.answer("ä")["result"]["content"][0]["text"] == params
        raw = '{"content":[],"n":123456789012345678901234567890,"s":"\\ud800","f":1.0}'
        client.request(2, "tools/call", name="raw_result", arguments={"text": raw})
        assert client.line() == b'{"jsonrpc":"2.0","id":2,"result":' + raw.encode() + b"}\n"


@pytest.mark.parametrize("http", [{"answer": "json"}, {"answer": "sse", "crlf": True, "comments": True}])
def test_an_answer_on_many_lines_becomes_one(home: Home, start_app: StartApp, http: dict[str, Any]) -> None:
    start_app(http=http)
    with bridge(home) as client:
        client.shake_hands()
        text = '{\n  "jsonrpc": "2.0",\r\n  "result": {},\n  "id": $ID\n}'
        client.request(1, "tools/call", name="raw_line", arguments={"text": text})
        assert json.loads(client.line()) == {"jsonrpc": "2.0", "result": {}, "id": 1}
        assert client.ask(2, "ping")["result"] == {}


def test_byte_order_mark_before_the_first_message_is_no_part_of_it(home: Home, start_app: StartApp) -> None:
    """U17; seen red without ``_BOM``: -32700."""
    start_app()
    with bridge(home) as client:
        client.write(b"\xef\xbb\xbf")
        client.shake_hands()
        assert client.ask(1, "ping")["result"] == {}


def test_many_calls_at_once(home: Home, start_app: StartApp) -> None:
    start_app()
    with bridge(home) as client:
        client.shake_hands()
        for number in range(60):
            client.request(number, "tools/call", name="concurrency", arguments={"ms": 500})
        most = [json.loads(client.answer(n)["result"]["content"][0]["text"])["most"] for n in range(60)]
    assert max(most) > 30


def test_an_error_and_a_failure_stay_what_they_are(home: Home, start_app: StartApp) -> None:
    start_app()
    with bridge(home) as client:
        client.shake_hands()
        error = client.call(1, "error", code=-32042, message="no", data={"a": 1})["error"]
        assert error == {"code": -32042, "message": "no", "data": {"a": 1}}
        assert client.call(2, "fail")["result"]["isError"] is True


@pytest.mark.parametrize(
    ("line", "code"),
    [(b"{oops", -32700), (b"\xff\xfe", -32700), (b"[" * 100_000, -32700), (b"5", -32600), (b"[]", -32600)],
)
def test_invalid_message_is_answered_and_the_rest_goes_on(
    home: Home, start_app: StartApp, line: bytes, code: int
) -> None:
    start_app()
    with bridge(home) as client:
        client.shake_hands()
        client.write(b"\n  \n" + line + b"\n")
        answer = client.next()
        assert (answer["id"], answer["error"]["code"]) == (None, code)
        assert client.ask(1, "ping")["result"] == {}


def test_a_batch_is_relayed_or_refused_for_each_of_its_requests(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands("2025-03-26")
        batch = [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in (1, 2)]
        client.send([*batch, {"jsonrpc": "2.0", "method": "notifications/x"}])
        answer = client.next()
        received = [entry["raw"] for entry in app.record.events("in")]
        assert json.dumps([*batch, {"jsonrpc": "2.0", "method": "notifications/x"}]) in received
        assert answer["error"]["code"] == -32600  # the test server takes none, and says so itself
        assert client.ask(3, "ping")["result"] == {}


def test_questions_of_the_server(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        client.request(1, "tools/call", name="ask", arguments={"method": "roots/list"})
        question = client.next()
        client.send({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": [{"uri": "file:///x"}]}})
        assert "file:///x" in client.answer(1)["result"]["content"][0]["text"]
        app.record.wait_for("GET")
        app.control('ask {"method":"ping"}')  # on the stream that belongs to no request
        question = client.notice("ping")
        client.send({"jsonrpc": "2.0", "id": question["id"], "result": {}})
        app.record.wait_for("reply", count=2)


def test_questions_of_the_modern_era_are_results(home: Home, start_app: StartApp) -> None:
    start_app()
    with bridge(home) as client:
        asked = client.call(1, "ask", meta=MODERN, method="elicitation/create")["result"]
        assert (asked["resultType"], asked["requestState"]) == ("input_required", "state-1")


def test_the_servers_own_notices(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        app.record.wait_for("GET")
        app.control("change")
        assert client.next()["method"] == "notifications/tools/list_changed"


def test_the_stream_is_opened_again_when_it_drops(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        app.record.wait_for("GET")
        app.control("drop")
        app.record.wait_for("GET", count=2)
        client.notice("notifications/tools/list_changed")  # something may have been said in between
        app.control('notify {"jsonrpc":"2.0","method":"notifications/again"}')
        client.notice("notifications/again")


def test_a_server_without_a_stream(home: Home, start_app: StartApp) -> None:
    app = start_app(http={"get": False})
    with bridge(home) as client:
        client.shake_hands()
        app.record.wait_for("GET")
        assert client.ask(1, "ping")["result"] == {}
    assert len(app.record.events("GET")) == 1


def test_subscriptions_of_the_modern_era(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.request("sub", "subscriptions/listen", notifications={"toolsListChanged": True}, _meta=MODERN)
        acknowledged = client.next()
        assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
        app.control("change")
        notice = client.next()
        assert notice["method"] == "notifications/tools/list_changed"
        assert notice["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": "sub"}
        client.notify("notifications/cancelled", requestId="sub")
        app.record.wait_for("closed", id='"sub"')
        assert client.ask(2, "tools/list", _meta=MODERN)["result"]["tools"]


def test_cancelling_in_the_handshake_era_is_passed_on(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        client.request(1, "tools/call", name="hang")
        app.record.wait_for("call", tool="hang")
        client.notify("notifications/cancelled", requestId=1, reason="changed my mind")
        app.record.wait_for("cancelled", id="1")
        assert client.ask(2, "ping")["id"] == 2


def test_cancelling_in_the_modern_era_closes_the_request(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.request("1", "tools/call", name="hang", _meta=MODERN)
        client.request(1, "tools/call", name="hang", _meta=MODERN)
        app.record.wait_for("call", count=2)
        client.notify("notifications/cancelled", requestId=1)
        app.record.wait_for("closed", id="1")
        assert client.ask(2, "tools/list", _meta=MODERN)["id"] == 2
    assert app.record.received("notifications/cancelled") == []
    assert app.record.events("closed")[0]["id"] == "1"


def test_connections_are_kept(home: Home, start_app: StartApp) -> None:
    start_app()
    with bridge(home) as client:
        client.shake_hands()
        for number in range(50):
            client.call(number, "echo")
        connections = psutil.Process(client.process.pid).net_connections("tcp")
    assert len([c for c in connections if c.status == psutil.CONN_ESTABLISHED]) <= 3


def test_connections_that_the_server_does_not_keep(home: Home, start_app: StartApp) -> None:
    app = start_app(http={"closeEach": True})
    with bridge(home) as client:
        client.shake_hands()
        for number in range(30):
            assert client.call(number, "echo", n=number)["result"]["content"]
    assert len(app.record.received("tools/call")) == 30


def test_connections_that_the_server_closes_without_a_word(home: Home, start_app: StartApp) -> None:
    app = start_app(http={"closeIdle": True})
    with bridge(home) as client:
        client.shake_hands()
        answers = [client.call(number, "echo", n=number)["result"] for number in range(30)]
    lost = [answer for answer in answers if "closed during this call" in answer["content"][0]["text"]]
    calls = [message["id"] for message in app.record.received("tools/call")]
    assert len(set(calls)) == len(calls) >= 30 - len(lost)  # none was sent twice, even where nobody can know


def test_a_list_whose_connection_ends_is_asked_for_again(home: Home, start_app: StartApp) -> None:
    app = start_app(http={"dropAfterRead": {"tools/list": 1}})
    with bridge(home) as client:
        client.shake_hands()
        assert client.ask(1, "tools/list")["result"]["tools"]
    assert len(app.record.received("tools/list")) == 1


def test_a_call_whose_connection_ends_is_not_repeated(home: Home, start_app: StartApp) -> None:
    app = start_app(http={"dropAfterRead": {"tools/call": 1}})
    with bridge(home) as client:
        client.shake_hands()
        result = client.call(1, "echo")["result"]
        assert result["isError"] is True
        assert "was closed during this call" in result["content"][0]["text"]
        assert client.call(2, "echo")["result"]["content"]
    assert len(app.record.received("tools/call")) == 1


def test_answers_under_way_when_stdin_ends_still_come_out(home: Home, start_app: StartApp) -> None:
    start_app()
    with bridge(home) as client:
        client.shake_hands()
        client.request(1, "tools/call", name="sleep_ms", arguments={"ms": 100})
        assert client.end_input() == 0
        assert client.answer(1)["result"]["content"][0]["text"] == "slept"


def test_a_call_that_hangs_does_not_keep_the_bridge(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        client.request(1, "tools/call", name="hang")
        app.record.wait_for("call")
        assert client.end_input() == 0
    assert app.record.events("DELETE")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it_cleanly(home: Home, start_app: StartApp, number: int) -> None:
    app = start_app()
    with bridge(home) as client:
        client.shake_hands()
        client.request(1, "tools/call", name="hang")
        app.record.wait_for("call")
        client.process.send_signal(number)
        assert client.process.wait(20) == 0
    assert app.record.events("DELETE")
    assert client.errors == b""


def test_a_client_that_reads_no_more(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with subprocess.Popen(
        [sys.executable, "-m", "toolnote_desktop", "bridge", "--home", str(home.root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b'{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
        process.stdin.flush()
        assert process.wait(20) == 0
        assert process.stderr.read() == b""
    assert app.record.events("DELETE")


def test_no_secret_on_stderr(home: Home, start_app: StartApp) -> None:
    app = start_app()
    with bridge(home, TOOLNOTE_LOG="debug") as client:
        client.shake_hands()
        app.start_again()
        client.call(1, "echo", word="a-private-word")
        app.quit()
        client.notice("notifications/tools/list_changed")
        client.call(2, "echo")
    assert b"toolnote bridge: " in client.errors
    assert b"secret" not in client.errors
    assert b"private" not in client.errors


def test_message_without_an_end_is_not_kept(home: Home, start_app: StartApp) -> None:
    """Seen red: the bridge grew by as much as it was sent."""
    start_app()
    with bridge(home) as client:
        client.shake_hands()
        before = psutil.Process(client.process.pid).memory_info().rss
        for _ in range(160):
            client.write(b"x" * 1024 * 1024)
        grown = psutil.Process(client.process.pid).memory_info().rss - before
        client.write(b"\n")
        assert client.next()["error"]["code"] == -32600
        client.request(1, "ping")
        assert client.answer(1)["result"] == {}
    assert grown < 80 * 1024 * 1024


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_signal_that_interrupts_another_thread_ends_it_cleanly(home: Home, start_app: StartApp) -> None:
    """Seen red: as one that came just before the main thread read stdin, it did not interrupt that."""
    app = start_app()
    with bridge(home, starter=signalled_command) as client:
        client.shake_hands()
        client.request(1, "tools/call", name="hang")
        app.record.wait_for("call")
        client.process.send_signal(signal.SIGUSR1)
        assert client.process.wait(20) == 0
    assert app.record.events("DELETE")
    assert client.errors == b""
