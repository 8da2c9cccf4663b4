"""The same session with a server directly and through Toolnote, message by message, and what differs.

``python3 packaging/dev.py twin [--sessions N] [--length N] [--seed N]`` runs many; ``test_twin.py`` a few.

A session is made at random from its number: era, transport of the server, and messages with odd ``_meta`` of all
methods and extensions of ``tests/servers/extended.py``. Compared are each reply, what is said on the way to it in its
order, and the notices beside it. Before that both sides are normalized, and in nothing else:

* ids of requests, progress tokens of the server's own connection, ``requestState``, the keys of ``inputRequests``;
* the modern era's envelope: members of ``_meta`` under ``io.modelcontextprotocol/``, which each hop writes anew, and
  caching hints;
* lists: their order and their pages (Toolnote serves one page, in the toolset's order);
* the handshake's result: only capabilities under ``extensions`` and ``tasks`` (but ``tasks.list``), and the server's
  instructions, which must be contained with their headings indented;
* texts of errors -32601 and -32602, which Toolnote words itself, and the method as the data of such an error;
* notices beside a reply: their order among different methods, because streams are several.

That the roots have changed is sent, and reaches only servers with a connection for each client (docs/contract.md 5).
In the modern era a cancelled call ends with its connection, so no reason is sent there.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from tests.conformance.suite import Outcome as Score
from tests.proxy.live import MODERN, Live, ModernClient, live, live_stream
from tests.proxy.raw_client import RawClient
from tests.proxy.running import TOOLSET, Running, running
from tests.servers.extended import ALL_SKILLS, EXTENSIONS, FILES, INSTRUCTIONS, LEVELS, ODD, OWN, PAGE
from tests.servers.launch import http_server, raw_server_command, raw_server_entry
from tests.servers.task_tools import TASKS
from tests.waiting import wait_until
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.paths import Home

ENVELOPE = "io.modelcontextprotocol/"
LISTS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}
PAGED = {**LISTS, "skills/list": "skills"}
CAPABILITIES: dict[str, Any] = {
    "roots": {"listChanged": True},
    "sampling": {},
    "elicitation": {"form": {}, "url": {}},
    "extensions": {TASKS: {}, OWN: {"client": [1]}},
}
PATIENCE = 20.0
ONE = "test://one"
TOOLS = 22
"""Tools of the server."""


# -- sessions ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """Message of a client, and the number of notices beside its reply that it causes.

    Attributes:
        cancelled: key of a call of ``held`` that is cancelled once it has begun; the reply says what the server knows.
        listens: the reply is a stream that stays open, of which the acknowledgement is compared.
        progress: progress that the client sends before it answers a request.
    """

    method: str
    params: dict[str, Any] | None = None
    notice: bool = False
    notices: int = 0
    cancelled: str = ""
    listens: bool = False
    progress: int = 0


@dataclass(frozen=True)
class Session:
    """Session that is made from its number alone."""

    number: int
    modern: bool
    http: bool
    steps: tuple[Step, ...]


def session(number: int, length: int) -> Session:
    """Return the session with a number."""
    chance = random.Random(number)
    modern, http = bool(number % 2), bool(number // 2 % 2)
    steps = [] if modern else [Step("logging/setLevel", {"level": chance.choice(LEVELS)})]
    subscribed: set[str] = set()
    tasks: list[str] = []
    while len(steps) < length:
        steps.append(_step(chance, modern, number, subscribed, tasks))
    return Session(number, modern, http, tuple(steps))


def _step(chance: random.Random, modern: bool, number: int, subscribed: set[str], tasks: list[str]) -> Step:
    kinds = ["list"] * 2 + ["call"] * 8 + ["read", "prompt", "complete", "skill", "own", "task", "task", "unknown"]
    kinds += ["cancel"] if chance.random() < 0.5 else []
    kinds += ["touch"] + ([] if subscribed else ["listen"]) if modern else []
    kinds += [] if modern else ["subscribe", "subscribe", "touch", "notice", "ping", "roots", "work"]
    params: dict[str, Any]
    match chance.choice(kinds):
        case "list":
            return Step(chance.choice(list(PAGED)), with_meta(chance, {}))
        case "read":
            uri = chance.choice([*FILES, "test://three", "none://x"])
            return Step("resources/read", with_meta(chance, {"uri": uri}))
        case "prompt":
            params = {"name": "greet", "arguments": {"who": odd_text(chance)}}
            return Step("prompts/get", with_meta(chance, params))
        case "complete":
            reference = chance.choice(
                [{"type": "ref/prompt", "name": "greet"}, {"type": "ref/resource", "uri": "test://{name}"}]
            )
            params = {
                "ref": reference,
                "argument": {"name": "a", "value": odd_text(chance)},
                "context": {"arguments": {"b": "c"}},
            }
            return Step("completion/complete", with_meta(chance, params))
        case "skill":
            method = chance.choice(["skills/get", "resources/directory/read"])
            uri = chance.choice([*ALL_SKILLS, "skill://paint", "skill://none/SKILL.md"])
            return Step(method, with_meta(chance, {"uri": uri}))
        case "own":
            method = chance.choice(["own/echo", "own/error", "own/progress", "own/none"])
            params = with_meta(chance, {"value": odd_value(chance), "ключ": odd_text(chance)})
            if method == "own/progress":
                params["_meta"] = {**params.get("_meta", {}), "progressToken": chance.choice([7, "token"])}
            return Step(method, params)
        case "task":
            if not tasks or chance.random() < 0.4:
                tasks.append(f"task-{number}-{len(tasks)}")
                more: dict[str, Any] = {} if modern else {"task": {"ttl": 60000}}
                return Step("tools/call", {"name": "begin_task", "arguments": {"id": tasks[-1]}, **more})
            method = chance.choice(
                ["tasks/get", "tasks/get", "tasks/cancel", "tasks/update" if modern else "tasks/result"]
            )
            params = {"taskId": chance.choice(tasks)}
            more = {"inputResponses": {"a": odd_value(chance)}} if method == "tasks/update" else {}
            return Step(method, with_meta(chance, {**params, **more}))
        case "subscribe":
            uri = chance.choice(["test://one", "test://two"])
            method = chance.choice(["subscribe", "subscribe", "unsubscribe"])
            (subscribed.add if method == "subscribe" else subscribed.discard)(uri)
            return Step(f"resources/{method}", {"uri": uri})
        case "touch":
            uri = chance.choice(["test://one", "test://two"])
            params = {"name": "touch", "arguments": {"uri": uri}}
            return Step("tools/call", params, notices=int(uri in subscribed))
        case "notice":
            params = with_meta(chance, {"odd": odd_value(chance)})
            return Step("notifications/own/said", params, notice=True, notices=1)
        case "cancel":
            key = f"{number}-{modern}-{chance.random()}"
            params = {"name": "held", "arguments": {"key": key}, "_meta": {"progressToken": chance.choice([3, "held"])}}
            return Step("tools/call", params, cancelled=key)
        case "listen":
            subscribed |= set(chance.sample(["test://one", "test://two"], chance.choice([1, 2])))
            wanted: dict[str, Any] = {"resourceSubscriptions": sorted(subscribed)}
            wanted |= {"toolsListChanged": True} if chance.random() < 0.5 else {}
            return Step("subscriptions/listen", {"notifications": wanted}, listens=True)
        case "roots":
            return Step("notifications/roots/list_changed", {}, notice=True)
        case "work":
            token = chance.choice([11, "work", "ключ"])
            asked = {"messages": [], "maxTokens": 5, "_meta": {"progressToken": token}}
            arguments = {"method": "sampling/createMessage", "params": asked}
            count = chance.choice([1, 2, 3])
            params = {"name": "ask", "arguments": arguments}
            return Step("tools/call", params, notices=count, progress=count)
        case "ping":
            return Step("ping")
        case "unknown":
            return Step(chance.choice(["tools/none", "none/none", "x"]), with_meta(chance, {}))
        case _:
            return _call(chance, modern)


def _call(chance: random.Random, modern: bool) -> Step:
    tool = chance.choice(
        [
            "echo",
            "echo",
            "structured",
            "fail",
            "error",
            "progress",
            "ask",
            "raw_result",
            "log",
            "sign_in",
            "linked",
            "none",
        ]
    )
    arguments: dict[str, Any] = {odd_text(chance): odd_value(chance) for _ in range(chance.randrange(3))}
    params: dict[str, Any] = {"name": tool}
    match tool:
        case "error":
            arguments = {
                "code": chance.choice([-32042, -32000, 5]),
                "message": odd_text(chance),
                "data": odd_value(chance),
            }
        case "fail":
            arguments = {"text": odd_text(chance)}
        case "progress":
            arguments = {"steps": chance.randrange(1, 4), "message": odd_text(chance)}
            params["_meta"] = {"progressToken": chance.choice([1, "token", "ключ"])}
        case "ask":
            method, asked = chance.choice(
                [
                    ("roots/list", {"_meta": ODD}),
                    ("sampling/createMessage", {"messages": [], "maxTokens": 5, "x-odd": odd_value(chance)}),
                    (
                        "elicitation/create",
                        {"message": odd_text(chance), "requestedSchema": {"type": "object", "properties": {}}},
                    ),
                    (
                        "elicitation/create",
                        {"mode": "url", "message": "m", "elicitationId": "e-9", "url": "https://example.org/?q=1#x"},
                    ),
                ]
            )
            arguments = {"method": method, "params": asked}
        case "raw_result":
            content = [{"type": "text", "text": odd_text(chance), "_meta": ODD}]
            arguments = {"text": json.dumps({"content": content, "_meta": ODD, "x-odd": odd_value(chance)})}
    if modern and tool == "log" and chance.random() < 0.7:
        params["_meta"] = {f"{ENVELOPE}logLevel": chance.choice(LEVELS)}
    return Step("tools/call", with_meta(chance, {**params, "arguments": arguments}))


def with_meta(chance: random.Random, params: dict[str, Any]) -> dict[str, Any]:
    """Add an odd ``_meta`` to params, now and then."""
    if chance.random() < 0.5:
        return params
    odd = {key: ODD[key] for key in ODD if chance.random() < 0.7} | {odd_text(chance) or "k": odd_value(chance)}
    return {**params, "_meta": {**params.get("_meta", {}), **odd}}


def odd_text(chance: random.Random) -> str:
    """Return a text that is easily damaged."""
    return chance.choice(["", "a", "ключ", "\u2028\u0007\x7f", '"\\/', "a" * 300, "😀", " x ", "__proto__", "null"])


def odd_value(chance: random.Random) -> Any:
    """Return a value that is easily damaged."""
    return chance.choice(
        [None, True, 0, -0.5, 1.0, 1e300, 10**25, "", [], {}, [[None]], {"": {"a": [1]}}, {"b": 1, "a": 2}]
    )


@dataclass(frozen=True)
class Feature:
    """Messages about a feature, and texts that the replies contain."""

    steps: tuple[Step, ...]
    expected: tuple[str, ...]


def features(*, modern: bool) -> dict[str, Feature]:
    """Return what ``extended.py`` has, each as a few messages."""

    def call(tool: str, *expected: str, meta: Any = None, **arguments: Any) -> Feature:
        params: dict[str, Any] = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
        return Feature((Step("tools/call", params),), expected)

    def one(method: str, *expected: str, **params: Any) -> Feature:
        return Feature((Step(method, params),), expected)

    asked = {"mode": "url", "message": "m", "elicitationId": "e-9", "url": "https://example.org/?q=1#x"}
    form = {"message": "é", "requestedSchema": {"type": "object", "properties": {}}}
    begin = Step("tools/call", {"name": "begin_task", "arguments": {"id": f"feature-{modern}"}, "task": {"ttl": 1}})
    tasks = [Step(f"tasks/{name}", {"taskId": f"feature-{modern}"}) for name in ("get", "get", "cancel")]
    key = f"feature-{modern}"
    params = {"name": "held", "arguments": {"key": key}, "_meta": {"progressToken": 1}}
    held = Step("tools/call", params, cancelled=key)
    found = {
        "instructions": Feature((), ('"instructions": true',)),
        "extensions declared": Feature((), tuple(key for key in EXTENSIONS if not (key == TASKS and not modern))),
        "odd _meta of tools": one("tools/list", "123456789012345678901234567890", "x-odd", PAGE),
        "odd _meta of a call": call("echo", "ключ", "x/y", meta={"x/y": [None, 1.0], **ODD}),
        "odd _meta of a prompt": one("prompts/get", "given", "ключ", name="greet", arguments={"who": "é"}, _meta=ODD),
        "page of an app": one("resources/read", "<title>Panel", "profile=mcp-app", uri=PAGE),
        "skills/list": one("skills/list", "skill://paint/SKILL.md", "sha256:", "nextCursor"),
        "skills/list, next page": one("skills/list", "skill://acme/sing/SKILL.md", cursor="page-1"),
        "skills/get, unlisted": one("skills/get", "Hums", uri="skill://hum/SKILL.md"),
        "file of a skill": one("resources/read", "# Forms", uri="skill://paint/refs/FORMS.md"),
        "resources/directory/read": one("resources/directory/read", "inode/directory", uri="skill://paint"),
        "task": Feature((begin, *tasks), ("working", "completed")),
        "elicitation by form": call("ask", "accept", method="elicitation/create", params=form),
        "elicitation by address": call("ask", "accept", asked["url"], method="elicitation/create", params=asked),
        "error that demands an address": call("sign_in", "-32042", "example.org/in"),
        "sampling": call("ask", "assistant", method="sampling/createMessage", params={"messages": [], "maxTokens": 1}),
        "roots": call("ask", "file:///a", method="roots/list", params={"_meta": ODD}),
        "progress": call("progress", '"progress": 3', meta={"progressToken": "ключ"}, steps=3),
        "link to an unlisted resource": Feature(
            (*call("linked").steps, Step("resources/read", {"uri": "test://two"})), ("resource_link", "two")
        ),
        "completion with context": one(
            "completion/complete",
            "arguments",
            ref={"type": "ref/prompt", "name": "greet"},
            argument={"name": "who", "value": "é"},
            context={"arguments": {"b": "c"}},
        ),
        "method of an extension": one("own/echo", "ключ", value={"a": [1.0, None]}, _meta=ODD),
        "error of an extension": one("own/error", "-31999", "ключ", value=1),
        "cancelled call": Feature((held,), ("cancelled", *(() if modern else (CAUSE["reason"],)))),
        "progress of an extension": one("own/progress", '"progress": 2', _meta={"progressToken": 5}),
    }
    if modern:
        meta = {f"{ENVELOPE}logLevel": "warning"}
        listen = Step("subscriptions/listen", {"notifications": {"resourceSubscriptions": [ONE]}}, listens=True)
        touch = Step("tools/call", {"name": "touch", "arguments": {"uri": ONE}}, notices=1)
        return found | {
            "log messages": call("log", "emergency", meta=meta),
            "stream of a resource's updates": Feature((listen, touch), ("acknowledged", "resources/updated", "ключ")),
        }
    work = {"method": "sampling/createMessage", "params": {"messages": [], "_meta": {"progressToken": "ключ"}}}
    working = Step("tools/call", {"name": "ask", "arguments": work}, notices=2, progress=2)
    subscribe = Step("resources/subscribe", {"uri": "test://one"})
    touch = Step("tools/call", {"name": "touch", "arguments": {"uri": "test://one"}}, notices=1)
    heard = Step("notifications/own/said", {"a": [None], "_meta": ODD}, notice=True, notices=1)
    level = Step("logging/setLevel", {"level": "warning"})
    return found | {
        "progress of the client": Feature((working,), ("own/heard", "1.5", "assistant")),
        "log messages": Feature((level, *call("log").steps), ("emergency",)),
        "subscription to a resource": Feature((subscribe, touch), ("resources/updated", "ключ")),
        "notifications of an extension": Feature((heard,), ("notifications/own/heard", "ключ")),
    }


def _outcome(good: bool, said: str) -> Score:
    return Score(int(good), int(not good), 0, 0, () if good else (said,))


# -- links ------------------------------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """Result of a step.

    Attributes:
        said: messages on the way to the reply, in their order.
        reply: the reply; None for a notification.
        beside: notices that belong to no request.
    """

    said: list[Any]
    reply: Any
    beside: list[Any] = field(default_factory=list)


class Link(Protocol):
    """Connection of a client."""

    def open(self) -> Any:
        """Perform the handshake and return its result."""

    def send(self, step: Step) -> Outcome:
        """Send a message, answer what is asked on the way, and return what came."""

    def close(self) -> None:
        """End the connection."""


def answer_to(method: str, params: Any) -> Any:
    """Return a client's answer to a server's request, made from the request alone."""
    match method:
        case "roots/list":
            return {"roots": [{"uri": "file:///a", "name": "é", "_meta": ODD}], "_meta": ODD}
        case "sampling/createMessage":
            return {
                "role": "assistant",
                "content": {"type": "text", "text": json.dumps(params.get("x-odd"))},
                "model": "m",
            }
        case _:
            return {"action": "accept", "content": {"a": params.get("message")}, "_meta": ODD}


def is_beside(message: Any) -> bool:
    """Return True for a notice that belongs to no request, on whatever stream it came."""
    return str(message.get("method")).startswith(("notifications/own/", "notifications/resources/"))


def work_on(step: Step, asked: Any) -> Iterator[dict[str, Any]]:
    """Yield the progress that the client sends on a server's request."""
    token = (asked.get("params") or {}).get("_meta", {}).get("progressToken")
    for number in range(step.progress):
        params = {"progressToken": token, "progress": number + 0.5, "total": 9, "message": "é", "_meta": ODD}
        yield {"method": "notifications/progress", "params": params}


def ended(key: str) -> Step:
    """Return the call that tells why a cancelled one ended."""
    return Step("tools/call", {"name": "ended", "arguments": {"key": key}})


CAUSE = {"reason": "no longer ключ"}


def incoming(exchange: Live) -> Iterator[Any]:
    """Yield the messages of an answer as they come."""
    for at in itertools.count():
        exchange.until(partial(_has, exchange, at))
        yield exchange.messages[at]


def _has(exchange: Live, at: int) -> bool:
    return len(exchange.messages) > at


class HttpLink:
    """Client of the handshake era over HTTP."""

    def __init__(self, url: str, token: str) -> None:
        self.client = RawClient(url, token)
        self.seen = 0

    def open(self) -> Any:
        result = self.client.initialize(CAPABILITIES, version="2025-11-25")
        self.stream = live_stream(self.client)
        return result

    def send(self, step: Step) -> Outcome:
        if step.notice:
            assert self.client.post({"jsonrpc": "2.0", "method": step.method, "params": step.params}).status == 202
            return Outcome([], None, self.beside(step.notices, []))
        number = next(self.client.ids)
        exchange = live(self.client, step.method, step.params, number)
        said: list[Any] = []
        if step.cancelled:
            said.append(next(incoming(exchange)))
            cause = {"requestId": number, **CAUSE}
            message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cause}
            assert self.client.post(message).status == 202
            outcome = self.send(ended(step.cancelled))
            exchange.close()
            return Outcome([*said, *outcome.said], outcome.reply)
        inside: list[Any] = []
        for message in incoming(exchange):
            if "method" not in message:
                break
            (inside if is_beside(message) else said).append(message)
            if "id" in message:
                for progress in work_on(step, message):
                    assert self.client.post({"jsonrpc": "2.0", **progress}).status == 202
                result = answer_to(message["method"], message.get("params"))
                assert self.client.post({"jsonrpc": "2.0", "id": message["id"], "result": result}).status == 202
        exchange.close()
        return Outcome(said, message, self.beside(step.notices, inside))

    def beside(self, count: int, inside: list[Any]) -> list[Any]:
        self.stream.until(lambda: len(self.stream.messages) - self.seen + len(inside) >= count)
        found = [*inside, *self.stream.messages[self.seen :]]
        self.seen = len(self.stream.messages)
        return found

    def close(self) -> None:
        self.stream.close()
        self.client.send("DELETE")


class ModernHttpLink:
    """Client of the modern era over HTTP."""

    def __init__(self, url: str, token: str) -> None:
        self.client = ModernClient(url, token, CAPABILITIES)
        self.listening: list[Live] = []
        self.seen = 0

    def open(self) -> Any:
        return self.client.request("server/discover").result

    def send(self, step: Step) -> Outcome:
        params = dict(step.params or {})
        said: list[Any] = []
        meta = params.pop("_meta", None)
        named = {"Mcp_Name": params["taskId"]} if step.method.startswith("tasks/") else {}
        while True:
            body, headers = self.client._request(step.method, params, meta)
            headers |= {key.replace("_", "-"): value for key, value in named.items()}
            accept = {"Accept": "application/json, text/event-stream"}
            exchange = Live(
                self.client.raw.url.geturl(), "POST", body, {**self.client.raw.headers, **accept, **headers}
            )
            if step.listens:
                self.listening.append(exchange)
                self.seen = 1
                return Outcome([next(incoming(exchange))], None)
            if step.cancelled:
                said.append(next(incoming(exchange)))
                exchange.close()
                outcome = self.send(ended(step.cancelled))
                return Outcome([*said, *outcome.said], outcome.reply)
            for reply in incoming(exchange):
                if "method" not in reply:
                    break
                said.append(reply)
            exchange.close()
            following = answered(reply, said, params)
            if following is None:
                return Outcome(said, reply, self.beside(step.notices))
            params = following

    def beside(self, count: int) -> list[Any]:
        if not count:
            return []
        (stream,) = self.listening
        stream.until(lambda: len(stream.messages) - self.seen >= count)
        found = stream.messages[self.seen :]
        self.seen = len(stream.messages)
        return found

    def close(self) -> None:
        for stream in self.listening:
            stream.close()


def answered(reply: Any, said: list[Any], params: dict[str, Any]) -> dict[str, Any] | None:
    """Return the params that answer an ``input_required`` result, which is recorded in ``said``; None for another."""
    result = reply.get("result")
    if not isinstance(result, dict) or result.get("resultType") != "input_required":
        return None
    requests = result["inputRequests"]
    said.append({"asked": list(requests.values())})
    answers = {key: answer_to(one["method"], one.get("params", {})) for key, one in requests.items()}
    return {**params, "inputResponses": answers, "requestState": result.get("requestState")}


class PipeLink:
    """Client of either era over the pipes of a process."""

    def __init__(self, command: list[str], *, modern: bool) -> None:
        self.modern = modern
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.messages: list[Any] = []
        self.taken = 0
        self.arrived = threading.Condition()
        self.reader = threading.Thread(target=self._read, name="pipe")
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self.arrived:
                self.messages.append(json.loads(line))
                self.arrived.notify_all()

    def _next(self) -> Any:
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.messages) > self.taken, PATIENCE)
            self.taken += 1
            return self.messages[self.taken - 1]

    def _write(self, message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def open(self) -> Any:
        if self.modern:
            return self.send(Step("server/discover")).reply["result"]
        info = {"name": "raw", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": CAPABILITIES, "clientInfo": info}
        result = self.send(Step("initialize", params)).reply["result"]
        self._write({"method": "notifications/initialized"})
        return result

    def send(self, step: Step) -> Outcome:
        params = dict(step.params or {})
        said: list[Any] = []
        beside: list[Any] = []
        if step.notice:
            self._write({"method": step.method, "params": params})
            return Outcome([], None, [self._next() for _ in range(step.notices)])
        while True:
            self.number += 1
            sent = {**params, "_meta": {**params.get("_meta", {}), **envelope()}} if self.modern else params
            bare = {} if step.params is None and not self.modern else {"params": sent}
            self._write({"id": self.number, "method": step.method, **bare})
            if step.listens:
                return Outcome([self._next()], None)
            if step.cancelled:
                said.append(self._next())
                cause = {"requestId": self.number, **({} if self.modern else CAUSE)}
                self._write({"method": "notifications/cancelled", "params": cause})
                outcome = self.send(ended(step.cancelled))
                return Outcome([*said, *outcome.said], outcome.reply)
            while "method" in (message := self._next()):
                (beside if is_beside(message) else said).append(message)
                if "id" in message:
                    for progress in work_on(step, message):
                        self._write(progress)
                    self._write({"id": message["id"], "result": answer_to(message["method"], message.get("params"))})
            following = answered(message, said, params) if self.modern else None
            if following is None:
                break
            params = following
        while len(beside) < step.notices:
            beside.append(self._next())
        return Outcome(said, message, beside)

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        self.process.stdout.close()


def envelope() -> dict[str, Any]:
    """Return the members of ``_meta`` that each request of the modern era has."""
    return {
        f"{ENVELOPE}protocolVersion": MODERN,
        f"{ENVELOPE}clientInfo": {"name": "modern", "version": "1"},
        f"{ENVELOPE}clientCapabilities": CAPABILITIES,
    }


# -- comparison -------------------------------------------------------------------------------------------------------


def normalized(step: Step, outcome: Outcome) -> Any:
    """Return what is compared of an outcome."""
    beside = sorted((normal_message(one) for one in outcome.beside), key=lambda one: json.dumps(one, sort_keys=True))
    said = [normal_message(one) for one in outcome.said]
    return {"said": said, "reply": normal_reply(step, outcome.reply), "beside": beside}


def normal_message(message: Any) -> Any:
    """Return a server's message without its id."""
    return without_hops({key: value for key, value in message.items() if key != "id"})


def normal_reply(step: Step, reply: Any) -> Any:
    """Return a reply without what the head of this module names."""
    if reply is None:
        return None
    if "error" in reply:
        error = dict(reply["error"])
        if error.get("code") in (-32601, -32602):
            if error.get("data") == step.method:
                del error["data"]
            return {"error": {key: value for key, value in without_hops(error).items() if key != "message"}}
        return {"error": without_hops(error)}
    result = without_hops(reply["result"])
    for key in ("resultType", "ttlMs", "cacheScope"):
        if result.get(key) in ("complete", 0, "private"):
            del result[key]
    if step.method in LISTS:
        entries = result[LISTS[step.method]]
        return sorted(entries, key=lambda one: json.dumps(one, sort_keys=True))
    return {"result": result}


def without_hops(value: Any) -> Any:
    """Return a value without envelopes; of texts that are JSON (the echo's) inside as well."""
    if isinstance(value, dict):
        whole = {key: without_hops(one) for key, one in value.items()}
        meta = whole.get("_meta")
        if isinstance(meta, dict):
            kept = {key: one for key, one in meta.items() if not key.startswith(ENVELOPE)}
            whole["_meta"] = kept
            if not kept:
                del whole["_meta"]
        return whole
    if isinstance(value, list):
        return [without_hops(one) for one in value]
    if isinstance(value, str) and value[:1] == "{":
        with contextlib.suppress(ValueError):
            return {"json": without_answers(without_hops(json.loads(value)))}
    return value


def without_answers(value: Any) -> Any:
    """Return an echoed answer without the id of its request, the state and keys of a round."""
    if not isinstance(value, dict):
        return value
    if "responses" in value:
        return list(value["responses"].values())
    return {key: one for key, one in value.items() if key not in ("id", "jsonrpc")}


def introduction(result: Any) -> Any:
    """Return what is compared of a handshake's result."""
    capabilities = result["capabilities"]
    tasks = {key: value for key, value in capabilities.get("tasks", {}).items() if key != "list"}
    said = INSTRUCTIONS.replace("\n#", "\n  #")
    instructions = result.get("instructions", "")
    return {
        "extensions": capabilities.get("extensions"),
        "tasks": tasks,
        "instructions": said in instructions or INSTRUCTIONS in instructions,
    }


@dataclass(frozen=True)
class Difference:
    """Difference in a session."""

    session: int
    step: str
    direct: Any
    through: Any

    def __str__(self) -> str:
        return f"session {self.session}, {self.step}:\n  direct  {short(self.direct)}\n  through {short(self.through)}"


def short(value: Any) -> str:
    """Return a value as text that is not too long."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 2000 else text[:2000] + "…"


def compare(one: Session, direct: Link, through: Link) -> list[Difference]:
    """Run a session on both links and return the differences."""
    found = []
    with contextlib.closing(direct), contextlib.closing(through):
        pair = introduction(direct.open()), introduction(through.open())
        if pair[0] != pair[1]:
            found.append(Difference(one.number, "handshake", *pair))
        for number, step in enumerate(one.steps):
            pair = normalized(step, direct.send(step)), normalized(step, through.send(step))
            if pair[0] != pair[1]:
                name = f"step {number}, {step.method} {short(step.params)}"
                found.append(Difference(one.number, name, *pair))
    return found


class Twins:
    """Both transports of the server, each directly and through a proxy of its own."""

    def __init__(self, direct_url: str, proxies: dict[bool, Running]) -> None:
        self.direct_url = direct_url
        self.proxies = proxies

    def links(self, modern: bool, http: bool) -> tuple[Link, Link]:
        """Return new connections of a client, directly and through the proxy."""
        endpoint = self.proxies[http].endpoint
        over_http = ModernHttpLink if modern else HttpLink
        pipes = partial(PipeLink, raw_server_command(extended=True), modern=modern)
        return over_http(self.direct_url, "") if http else pipes(), over_http(endpoint.url, endpoint.token)

    def compare(self, one: Session) -> list[Difference]:
        """Run a session directly and through the proxy, and return the differences."""
        direct, through = self.links(one.modern, one.http)
        return compare(one, direct, through)

    def features(self, *, modern: bool, http: bool) -> dict[str, tuple[Score, Score]]:
        """Send the messages of each feature directly and through the proxy, and return what is as it should be."""
        found = {}
        with contextlib.ExitStack() as stack:
            links = [stack.enter_context(contextlib.closing(link)) for link in self.links(modern, http)]
            opened = [introduction(link.open()) for link in links]
            for name, feature in features(modern=modern).items():
                replies = [[normalized(step, link.send(step)) for step in feature.steps] for link in links]
                said = [json.dumps([one, *rest], ensure_ascii=False) for one, rest in zip(opened, replies, strict=True)]
                good = [all(word in text for word in feature.expected) for text in said]
                found[name] = (_outcome(good[0], said[0]), _outcome(good[1] and replies[0] == replies[1], said[1]))
        return found


@contextlib.contextmanager
def twins(folder: Path) -> Iterator[Twins]:
    """Run the servers and proxies while inside."""
    with http_server(extended=True) as direct, http_server(extended=True) as server, contextlib.ExitStack() as stack:
        entries = {True: {"type": "http", "url": server.url}, False: raw_server_entry(extended=True)}
        proxies = {}
        for http, entry in entries.items():
            served = {**entry, "toolnote": {"prefix": "", "toolset": TOOLSET}}
            proxy = stack.enter_context(running(Home(folder / str(http)), {"one": served}))
            groups = ["toolsets", "notes", "guide"]
            proxy.library.submit(SetFields(SETTINGS, {"hiddenBuiltInGroups": groups}))
            proxy.wait(lambda s: len(s.toolsets[TOOLSET].tools) == TOOLS)
            proxies[http] = proxy
            for made in (HttpLink, ModernHttpLink):  # the server is connected anew for the first that declares more
                link = made(proxy.endpoint.url, proxy.endpoint.token)
                with contextlib.closing(link):
                    link.open()
                    link.send(Step("own/echo", {}))
        yield Twins(direct.url, proxies)


@contextlib.contextmanager
def bridged(folder: Path) -> Iterator[Callable[[Session], list[Difference]]]:
    """Yield what compares a session with the server on pipes, and through ``toolnote bridge`` and ``serve``."""
    home = Home(folder)
    documents: dict[Path, Any] = {
        home.servers: {
            "mcpServers": {"one": {**raw_server_entry(extended=True), "toolnote": {"prefix": "", "toolset": TOOLSET}}}
        },
        home.toolset(TOOLSET): {"name": TOOLSET, "tools": []},
        home.settings: {"equippedToolset": TOOLSET, "hiddenBuiltInGroups": ["toolsets", "notes", "guide"]},
    }
    for path, document in documents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document), encoding="utf-8")
    toolnote = [sys.executable, "-m", "toolnote_desktop"]
    command = [*toolnote, "serve", "--home", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as serve:
        try:
            assert serve.stdout is not None
            assert b"ready" in serve.stdout.readline()
            tools = home.toolset(TOOLSET)
            wait_until(lambda: len(json.loads(tools.read_text(encoding="utf-8"))["tools"]) == TOOLS)

            def run(one: Session) -> list[Difference]:
                direct = PipeLink(raw_server_command(extended=True), modern=one.modern)
                return compare(one, direct, PipeLink([*toolnote, "bridge", "--home", str(folder)], modern=one.modern))

            yield run
        finally:
            serve.terminate()


def main(arguments: list[str]) -> int:
    """Run the long form; return 1 if something differs."""
    parser = argparse.ArgumentParser(prog="dev.py twin", description=__doc__)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--length", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    messages = differing = 0
    with tempfile.TemporaryDirectory() as folder, twins(Path(folder)) as both:
        for number in range(options.seed, options.seed + options.sessions):
            one = session(number, options.length)
            messages += len(one.steps)
            for difference in both.compare(one):
                differing += 1
                print(difference, flush=True)
    print(f"{options.sessions} sessions of {options.length} messages, {messages} in all: {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
