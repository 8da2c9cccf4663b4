"""Stdio transport: messages, garbage, and the end of calls."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.proxy.upstream.harness import QUICK, Running, result, run, running
from tests.servers.launch import Record, control, raw_server_entry
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.transports.base import Reply, ReplyUnreadable, TransportClosed
from toolnote_desktop.proxy.upstream.server import UpstreamNotReady


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Where the server under test writes down what it sees."""
    return Record(tmp_path / "record")


ODD_RESULTS = [
    '{"content":[],"text":"\\ud83d\\ude00"}',
    '{"content":[],"n":123456789012345678901234567890}',
    '{"content":[],"a":1,"a":2}',
    '{ "content" : [ ] , "x":1.0 , "y":1e999}',
    '{"content":[],"_meta":{"any":{"deep":[null]}}}',
]
MENDED_RESULTS = [
    ('{"content":[],"text":"\\ud800"}', '{"content":[],"text":"\ufffd"}'),
    ('{ "content" : [],"text":"\x01","n":1.0}', '{ "content" : [],"text":"\\u0001","n":1.0}'),
]


def test_results_come_as_the_bytes_they_were(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            for text, expected in [*((text, text) for text in ODD_RESULTS), *MENDED_RESULTS]:
                reply = await servers.raw_call("a", "raw_result", text=text)
                assert reply == Reply(expected.encode())
                # the same in another order of members, as TypeScript servers write, and with spaces
                for line in ('{"result":%s,"jsonrpc":"2.0","id":$ID}', ' {"id" : $ID ,"result": %s , "jsonrpc":"2.0"}'):
                    reply = await servers.raw_call("a", "raw_line", text=line.replace("%s", text))
                    assert reply == Reply(expected.encode())

    run(work())


def test_params_go_as_the_bytes_they_are(home: Home) -> None:
    params = b'{"name":"echo" , "arguments":{"n":1.0,"big":123456789012345678901234567890, "s":"\\ud800", "n":2}}'

    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            echoed = result(await servers["a"].request("tools/call", params))["content"][0]["text"]
            assert echoed.encode() == params
            pretty = b'{\n  "name": "echo",\r\n  "arguments": {}\n}'
            echoed = result(await servers["a"].request("tools/call", pretty))["content"][0]["text"]
            assert json.loads(echoed) == {"name": "echo", "arguments": {}}

    run(work())


def test_errors_come_as_they_were(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            reply = await servers.raw_call("a", "error", code=-32042, message="no", data={"why": [1]})
            assert reply == Reply(None, b'{"code":-32042,"message":"no","data":{"why":[1]}}')

    run(work())


def test_c34_noise_on_stdout(home: Home) -> None:
    noise = ["Server running on stdio", "", "{}", '{"jsonrpc":"2.0","id":1,"half":', "[]", '{"id":4711,"result":{}}']
    entry = raw_server_entry(noise={"start": noise, "before": noise, "after": noise})

    async def work() -> None:
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")
            assert len(servers.events.lists[0][1].tools) == 24
            assert await servers.text("a", "fail", text="still here") == "still here"
            assert await servers.text("a", "garbage", text="\x00\x1b[31m garbage") == "printed"
            log = "\n".join(servers["a"].log.tail())
        for text in ("Server running on stdio", '"half":', "4711", "garbage"):
            assert text in log

    run(work())


def test_c35_a_flood_on_stderr_without_a_line_end(home: Home) -> None:
    entry = raw_server_entry(stderr={"startBytes": 300_000, "callBytes": 300_000})

    async def work() -> None:
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")
            assert await servers.text("a", "fail", text="through") == "through"
            assert sum(map(len, servers["a"].log.tail())) <= 64 * 1024

    run(work())


def test_c36_big_results_and_lists(home: Home, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    text = "x" * 1000
    tools.write_text("".join(f'{{"name":"t{n}","description":"{text}","inputSchema":{{}}}}\n' for n in range(2000)))
    entry = raw_server_entry(toolsFile=str(tools), calls={"t0": "big"})

    async def work() -> None:
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")
            assert len(servers.events.lists[0][1].tools) == 2000
            assert len(await servers.text("a", "t0", kb=5 * 1024)) == 5 * 1024 * 1024

    run(work())


def test_c37_an_endless_line_ends_that_server_only(home: Home) -> None:
    async def work() -> None:
        servers = {"bad": raw_server_entry(era="handshake"), "good": raw_server_entry()}
        async with running(home, servers, line_limit=2 * 1024 * 1024) as both:
            await both.ready("bad", "good")
            before = psutil.Process().memory_info().rss
            with pytest.raises(TransportClosed) as closed:
                await both.raw_call("bad", "endless", kb=2 * 1024 * 1024)
            assert psutil.Process().memory_info().rss - before < 64 * 1024 * 1024, "the line was kept"
            assert closed.value.problem is not None
            assert closed.value.problem.code is Code.SERVER_LINE_TOO_LONG
            assert closed.value.problem.parameters["limit"] == "2"
            await both.until_state("bad", ServerState.FAILED)
            assert await both.text("good", "fail", text="fine") == "fine"
            await both.ready("bad")

    run(work())


def test_c38_a_python_server_speaks_utf8(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            environment = json.loads(await servers.text("a", "process"))["env"]
            assert (environment["PYTHONUTF8"], environment["PYTHONIOENCODING"]) == ("1", "utf-8")
            assert await servers.text("a", "fail", text="✓ 工具") == "✓ 工具"

    run(work())


@pytest.mark.parametrize("when", ["tools/call", "initialize", "tools/list"])
def test_c27_c15_the_server_dies_in_a_request(home: Home, when: str, record: Record) -> None:
    entry = raw_server_entry(on={when: [{"exit": 3}, None]}, stderr={"start": "out of luck\n"}, record=str(record.path))

    async def work() -> None:
        async with running(home, {"bad": entry, "good": raw_server_entry()}) as servers:
            await servers.ready("good")
            if when == "tools/call":
                await servers.ready("bad")
                with pytest.raises(TransportClosed) as closed:
                    await servers.raw_call("bad", "echo")
                problem = closed.value.problem
            else:
                problem = (await servers.until_state("bad", ServerState.RECONNECTING)).problem
            assert problem is not None
            assert problem.code is Code.SERVER_EXITED
            assert problem.parameters == {"server": "bad", "status": "exit status 3", "stderr": "out of luck"}
            assert await servers.text("good", "fail", text="fine") == "fine"
            # every process counts for itself, so this scenario never gets beyond its first time
            assert await servers["bad"].wait_ready(5) is (when == "tools/call")

    run(work())


def test_a_killed_server_names_the_signal(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            pid = servers["a"].status.pid
            calls = [asyncio.ensure_future(servers.raw_call("a", "hang")) for _ in range(20)]
            await asyncio.sleep(0)
            kill(pid)
            for error in await asyncio.gather(*calls, return_exceptions=True):
                assert isinstance(error, TransportClosed)
                assert error.problem is not None
                assert error.problem.parameters["status"] == "SIGKILL"
            await servers.until_state("a", ServerState.RECONNECTING)
            await servers.ready("a")
            assert servers["a"].status.pid != pid

    run(work())


def kill(pid: int | None) -> None:
    """End a process without asking."""
    import psutil

    psutil.Process(pid).kill()


def test_a_cancelled_request_is_cancelled_at_the_server(home: Home, record: Record) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry(record=str(record.path))}) as servers:
            await servers.ready("a")
            call = asyncio.ensure_future(servers.raw_call("a", "hang"))
            (started,) = await asyncio.to_thread(record.wait_for, "call", tool="hang")
            call.cancel()
            await asyncio.to_thread(record.wait_for, "cancelled", id=started["id"])
            assert (await asyncio.gather(call, return_exceptions=True))[0].__class__ is asyncio.CancelledError
            assert await servers.text("a", "fail", text="alive") == "alive"

    run(work())


def test_c22_a_call_over_its_time_is_given_up(home: Home, record: Record) -> None:
    entry = {**raw_server_entry(record=str(record.path)), "timeout": 0.2}

    async def work() -> None:
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")
            with pytest.raises(TimeoutError):
                await servers.raw_call("a", "hang")
            await asyncio.to_thread(record.wait_for, "cancelled")
            assert await servers.text("a", "fail", text="alive") == "alive"

    run(work())


def test_progress_starts_the_time_anew(home: Home) -> None:
    entry = {**raw_server_entry(), "timeout": 2}

    async def work() -> None:
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")
            params = {
                "name": "progress",
                "arguments": {"steps": 8, "ms": 350},
                "_meta": {"progressToken": "token-1"},
            }
            reply = await servers["a"].request("tools/call", params, progress_token="token-1")
            assert result(reply)["content"][0]["text"] == "done"
            steps = [params["progress"] for _, method, params in servers.events.notifications]
            assert steps == list(range(1, 9))
            with pytest.raises(TimeoutError):  # nobody said which call the progress belongs to
                await servers["a"].request("tools/call", params)

    run(work())


def test_an_answer_that_is_no_json_is_an_error_and_not_a_hang(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            with pytest.raises(ReplyUnreadable):
                await servers.raw_call("a", "raw_result", text='{"content":[],"x":NaN}')
            with pytest.raises(ReplyUnreadable):
                await servers.raw_call("a", "raw_result", text="[" * 100_000 + "]" * 100_000)
            assert await servers.text("a", "fail", text="alive") == "alive"

    run(work())


@pytest.mark.parametrize("tool", ["twice", "wrong_id"])
def test_answers_to_nothing_are_dropped(home: Home, tool: str) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            assert await servers.text("a", tool) in ("once", "right")
            assert await servers.text("a", "fail", text="alive") == "alive"

    run(work())


def test_ids_as_strings_and_batches_are_understood(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            text = '{"jsonrpc":"2.0","id":"$ID","result":{"content":[]}}'
            assert await servers.raw_call("a", "raw_line", text=text) == Reply(b'{"content":[]}')
            text = '[{"jsonrpc":"2.0","method":"notifications/odd"},{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}]'
            assert await servers.raw_call("a", "raw_line", text=text) == Reply(b'{"content":[]}')
            assert servers.events.notifications == [("a", "notifications/odd", None)]

    run(work())


def test_many_calls_at_once_are_not_mixed(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry(), "b": raw_server_entry()}) as servers:
            await servers.ready("a", "b")
            calls = [servers.text("ab"[n % 2], "fail", text=f"number {n}") for n in range(200)]
            assert await asyncio.gather(*calls) == [f"number {n}" for n in range(200)]

    run(work())


def test_a_server_that_does_not_read_holds_up_nobody(home: Home, tmp_path: Path) -> None:
    """Its pipe fills; what is to be written waits with whoever wants it, and memory does not grow."""
    script = tmp_path / "deaf.py"
    script.write_text(
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message.get('method') == 'initialize':\n"
        "        result = {'protocolVersion': '2025-06-18', 'capabilities': {}, 'serverInfo': {}}\n"
        "        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)\n"
        "    if message.get('method') == 'tools/call':\n"
        "        time.sleep(600)\n"
    )

    async def work() -> None:
        deaf = {"command": sys.executable, "args": [str(script)]}
        async with running(home, {"deaf": deaf, "good": raw_server_entry()}) as servers:
            await servers.ready("deaf", "good")
            arguments = {"text": "x" * 100_000}
            calls = [asyncio.ensure_future(servers.raw_call("deaf", "t", **arguments)) for _ in range(50)]
            assert await servers.text("good", "fail", text="fine") == "fine"
            connection = servers["deaf"]._ready
            assert connection is not None
            assert connection.transport._stdin.get_write_buffer_size() < 1_000_000  # type: ignore[attr-defined]
            with pytest.raises(TimeoutError):
                await servers["deaf"].request("tools/call", {}, timeout=0.05)
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)

    run(work())


def test_the_servers_own_questions(home: Home) -> None:
    async def answer(method: str, params: Any) -> Reply:
        return Reply(b'{"roots":[{"uri":"file:///x", "n":123456789012345678901234567890}]}')

    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            servers.events.answer = answer
            text = await servers.text("a", "ask", method="roots/list", params={"x": 1})
            assert '"n":123456789012345678901234567890' in text
            assert servers.events.requests == [("a", "roots/list", {"x": 1})]
            text = await servers.text("a", "ask", method="ping")
            assert json.loads(text)["result"] == {}
            assert len(servers.events.requests) == 1  # a ping is nobody's business but ours

    run(work())


def test_a_question_that_fails_is_answered_with_an_error(home: Home) -> None:
    async def answer(method: str, params: Any) -> Reply:
        raise RuntimeError("a fault of ours")

    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            servers.events.answer = answer
            text = await servers.text("a", "ask", method="sampling/createMessage")
            assert json.loads(text)["error"]["code"] == -32603

    run(work())


def test_a_question_that_the_server_takes_back(home: Home, tmp_path: Path) -> None:
    async def work() -> None:
        path = tmp_path / "control"
        taken_back = asyncio.Event()

        async def answer(method: str, params: Any) -> Reply:
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                taken_back.set()
            raise AssertionError

        async with running(home, {"a": raw_server_entry(control=str(path))}) as servers:
            await servers.ready("a")
            servers.events.answer = answer
            control(path, 'ask {"method":"elicitation/create"}')
            await servers.events.until(lambda: bool(servers.events.requests))
            cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "ask-1"}}
            control(path, f"notify {json.dumps(cancelled)}")
            await asyncio.wait_for(taken_back.wait(), 20)

    run(work())


def test_a_request_to_a_server_that_is_not_ready(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"off": {**raw_server_entry(), "disabled": True}}) as servers:
            with pytest.raises(UpstreamNotReady) as refused:
                await servers.raw_call("off", "echo")
            assert refused.value.status.state is ServerState.DISABLED
            with pytest.raises(UpstreamNotReady):
                await servers["off"].notify("notifications/x", None)

    run(work())


def test_connection_closes_quickly_and_clean(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}, timeouts=QUICK) as servers:
            await servers.ready("a")
            calls = [asyncio.ensure_future(servers.raw_call("a", "hang")) for _ in range(5)]
            await asyncio.sleep(0)
        for error in await asyncio.gather(*calls, return_exceptions=True):
            assert isinstance(error, TransportClosed)
        assert not Running(servers.upstreams, servers.events)["a"].ready

    run(work())
