"""The tools of the test servers: what each does when it is called (listed in ``raw_server.py``)."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.servers.scenario import encode, members

if TYPE_CHECKING:
    from tests.servers.engine import Channel, Engine, Link


class Call:
    """Request that is being answered."""

    def __init__(
        self, engine: Engine, link: Link, channel: Channel, raw_id: str, text: str, params: Any, modern: bool
    ) -> None:
        self.engine = engine
        self.link = link
        self.channel = channel
        self.raw_id = raw_id
        self.text = text
        self.params = params
        self.modern = modern
        self.cancelled = threading.Event()
        self.cause: dict[str, Any] = {}

    def raw_result(self, raw: bytes, cacheable: bool = False) -> None:
        """Answer with this raw result; the modern era's members are put in front."""
        if self.modern and raw.startswith(b"{") and b'"resultType"' not in raw:
            extra = b'{"resultType":"complete"' + (b',"ttlMs":0,"cacheScope":"private"' if cacheable else b"")
            raw = extra + (b"," if raw[1:].strip() != b"}" else b"") + raw[1:]
        self.channel.answer(b'{"jsonrpc":"2.0","id":' + self.raw_id.encode() + b',"result":' + raw + b"}")

    def result(self, value: dict[str, Any], cacheable: bool = False) -> None:
        """Answer with this result."""
        self.raw_result(encode(value), cacheable)

    def text_result(self, text: str, **more: Any) -> None:
        """Answer a tool call with one text."""
        self.result({"content": [{"type": "text", "text": text}], **more})

    def error(self, code: int, message: str, data: Any = None) -> None:
        """Answer with a JSON-RPC error."""
        error = {"code": code, "message": message, **({} if data is None else {"data": data})}
        self.channel.answer(b'{"jsonrpc":"2.0","id":' + self.raw_id.encode() + b',"error":' + encode(error) + b"}")

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Say something on the way."""
        self.channel.send(encode({"jsonrpc": "2.0", "method": method, "params": params}))


Arguments = dict[str, Any]


def echo(call: Call, arguments: Arguments) -> None:
    call.text_result(members(call.text).get("params", "null"))


def structured(call: Call, arguments: Arguments) -> None:
    call.text_result(encode(arguments).decode(), structuredContent=arguments)


def no_structured(call: Call, arguments: Arguments) -> None:
    call.text_result("no structuredContent here")


def sleep_ms(call: Call, arguments: Arguments) -> None:
    if not call.cancelled.wait(arguments.get("ms", 1) / 1000):
        call.text_result("slept")


def hang(call: Call, arguments: Arguments) -> None:
    call.cancelled.wait()


def fail(call: Call, arguments: Arguments) -> None:
    call.text_result(arguments.get("text", "it failed"), isError=True)


def crash(call: Call, arguments: Arguments) -> None:
    os._exit(arguments.get("code", 1))


def error(call: Call, arguments: Arguments) -> None:
    call.error(arguments.get("code", -32042), arguments.get("message", "an error"), arguments.get("data"))


def big(call: Call, arguments: Arguments) -> None:
    body = b"0123456789abcdef" * (64 * int(arguments.get("kb", 1024)))
    call.raw_result(b'{"content":[{"type":"text","text":"' + body + b'"}]}')


def raw_result(call: Call, arguments: Arguments) -> None:
    call.raw_result(arguments["text"].encode("utf-8", "surrogatepass"))


def raw_line(call: Call, arguments: Arguments) -> None:
    call.channel.answer(arguments["text"].replace("$ID", call.raw_id).encode("utf-8", "surrogatepass"))


def progress(call: Call, arguments: Arguments) -> None:
    token = (call.params.get("_meta") or {}).get("progressToken")
    steps = int(arguments.get("steps", 3))
    for step in range(1, steps + 1):
        if call.cancelled.wait(arguments.get("ms", 0) / 1000):
            return
        if token is not None:
            message = {"message": arguments["message"]} if "message" in arguments else {}
            call.notify("notifications/progress", {"progressToken": token, "progress": step, "total": steps, **message})
    call.text_result("done")


def ask(call: Call, arguments: Arguments) -> None:
    method, params = arguments.get("method", "roots/list"), arguments.get("params", {})
    if not call.modern and arguments.get("withdraw"):
        call.channel.send(encode({"jsonrpc": "2.0", "id": "withdrawn", "method": method, "params": params}))
        if arguments["withdraw"] != "at once":
            call.engine.withdraw.wait()
        call.notify("notifications/cancelled", {"requestId": "withdrawn", "reason": "no longer needed"})
        call.text_result("withdrawn")
    elif not call.modern:
        answer = call.engine.ask(call.link, call.channel, method, params)
        call.text_result(answer if answer is not None else "no answer")
    elif "inputResponses" in call.params:
        given = {"state": call.params.get("requestState"), "responses": call.params["inputResponses"]}
        call.text_result(encode(given).decode())
    else:
        question = {"question": {"method": method, "params": params}}
        call.result({"resultType": "input_required", "inputRequests": question, "requestState": "state-1"})


def log(call: Call, arguments: Arguments) -> None:
    for number in range(arguments.get("count", 1)):
        data = {"text": arguments.get("text", "hello"), "number": number}
        call.notify("notifications/message", {"level": arguments.get("level", "info"), "data": data})
    call.text_result("logged")


def notify(call: Call, arguments: Arguments) -> None:
    for _ in range(arguments.get("count", 1)):
        raw = encode({"jsonrpc": "2.0", "method": arguments["method"], "params": arguments.get("params", {})})
        call.link.broadcast(raw)
    call.text_result("notified")


def garbage(call: Call, arguments: Arguments) -> None:
    text = arguments.get("text", "this is no JSON").encode()
    call.channel.garbage(bytes.fromhex(arguments["hex"]) if "hex" in arguments else text)
    call.text_result("printed")


def endless(call: Call, arguments: Arguments) -> None:
    call.channel.garbage(b'{"jsonrpc":"2.0","id":' + call.raw_id.encode() + b',"result":{"content":"', newline=False)
    for _ in range(int(arguments.get("kb", 1024))):
        call.channel.garbage(b"x" * 1024, newline=False)
    call.cancelled.wait()


def twice(call: Call, arguments: Arguments) -> None:
    call.text_result("once")
    call.text_result("twice")


def wrong_id(call: Call, arguments: Arguments) -> None:
    call.channel.send(encode({"jsonrpc": "2.0", "id": "nobody's", "result": {"content": []}}))
    call.text_result("right")


def concurrency(call: Call, arguments: Arguments) -> None:
    call.cancelled.wait(arguments.get("ms", 0) / 1000)
    call.text_result(json.dumps({"now": call.engine.now, "most": call.engine.most}))


def counter(call: Call, arguments: Arguments) -> None:
    call.text_result(str(call.link.calls))


def process(call: Call, arguments: Arguments) -> None:
    call.text_result(json.dumps({"pid": os.getpid(), "argv": sys.argv, "cwd": os.getcwd(), "env": dict(os.environ)}))


def headers(call: Call, arguments: Arguments) -> None:
    call.text_result(json.dumps(call.channel.headers))


def change(call: Call, arguments: Arguments) -> None:
    call.engine.change(int(arguments.get("count", 1)), arguments.get("tools"))
    call.text_result("changed")


BEHAVIOURS: dict[str, Callable[[Call, Arguments], None]] = {
    "echo": echo,
    "structured": structured,
    "no_structured": no_structured,
    "sleep_ms": sleep_ms,
    "hang": hang,
    "fail": fail,
    "crash": crash,
    "error": error,
    "big": big,
    "raw_result": raw_result,
    "raw_line": raw_line,
    "progress": progress,
    "ask": ask,
    "log": log,
    "notify": notify,
    "garbage": garbage,
    "endless": endless,
    "twice": twice,
    "wrong_id": wrong_id,
    "concurrency": concurrency,
    "counter": counter,
    "process": process,
    "headers": headers,
    "_change": change,
}

_OBJECT: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": True}


def _definition(name: str) -> dict[str, Any]:
    definition: dict[str, Any] = {"name": name, "description": f"The test tool {name}.", "inputSchema": _OBJECT}
    if name == "echo":
        definition["title"] = "Echo"
        definition["annotations"] = {"readOnlyHint": True, "openWorldHint": False}
        definition["unknownKey"] = {"kept": True}
    if name in ("structured", "no_structured"):
        definition["outputSchema"] = {"type": "object"}
    return definition


DEFINITIONS: list[dict[str, Any]] = [_definition(name) for name in BEHAVIOURS]
