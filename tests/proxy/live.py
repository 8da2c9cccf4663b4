"""Requests whose answers are read as they come, and a client of the modern era: raw, byte for byte."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import socket
import threading
import urllib.parse
from collections.abc import Callable
from typing import Any

from tests.proxy.raw_client import ACCEPT, Answer, RawClient

MODERN = "2026-07-28"
NAMED = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    **dict.fromkeys(("tasks/get", "tasks/update", "tasks/cancel"), "taskId"),
}
PATIENCE = 20.0


class Live:
    """One POST (or GET) whose answer a thread reads, message by message."""

    def __init__(self, url: str, method: str, body: bytes, headers: dict[str, str]) -> None:
        parts = urllib.parse.urlsplit(url)
        self.messages: list[Any] = []
        self.raw: list[bytes] = []
        self.comments = 0
        self.ended = False
        self.status = 0
        self._changed = threading.Condition()
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        self._connection.request(method, parts.path, body, headers)
        self._socket = self._connection.sock
        self._thread = threading.Thread(target=self._read, name="live")
        self._thread.start()

    def _read(self) -> None:
        with contextlib.closing(self._connection), contextlib.ExitStack() as stack:
            self._read_answer(stack)
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def _read_answer(self, stack: contextlib.ExitStack) -> None:
        try:
            response = stack.enter_context(contextlib.closing(self._connection.getresponse()))
            with self._changed:
                self.status = response.status
                self._changed.notify_all()
            if response.headers.get("content-type", "").startswith("text/event-stream"):
                for line in response:
                    self._line(line.strip())
            else:
                self._message(response.read())
        except (OSError, ValueError, http.client.HTTPException):
            return  # closed: by us or by the server

    def _line(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            self._message(line[5:].strip())
        elif line.startswith(b":"):
            with self._changed:
                self.comments += 1
                self._changed.notify_all()

    def _message(self, raw: bytes) -> None:
        if not raw:
            return
        with self._changed:
            self.raw.append(raw)
            self.messages.append(json.loads(raw))
            self._changed.notify_all()

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until what came makes the condition true."""
        with self._changed:
            assert self._changed.wait_for(condition, PATIENCE), (self.status, self.messages)

    def until_open(self) -> None:
        """Wait until the answer has begun."""
        self.until(lambda: self.status != 0)

    def wait(self, method: str, count: int = 1) -> list[Any]:
        """Wait until so many messages with a method have come."""
        self.until(lambda: len(self.of(method)) >= count)
        return self.of(method)

    def of(self, method: str) -> list[Any]:
        """The messages with a method so far."""
        return [message for message in self.messages if message.get("method") == method]

    def answer(self) -> Any:
        """Wait for the answer: the last message, with a result or an error."""
        self.until(lambda: bool(self.messages) and "method" not in self.messages[-1])
        self._thread.join(PATIENCE)
        return self.messages[-1]

    def result(self) -> Any:
        """Wait for the result."""
        answer = self.answer()
        assert "result" in answer, answer
        return answer["result"]

    def close(self) -> None:
        """Close the connection, answered or not."""
        with contextlib.suppress(OSError):  # the server was first
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


def live(client: RawClient, method: str, params: Any = None, request_id: Any = None) -> Live:
    """A request of a handshake-era client."""
    message = {"jsonrpc": "2.0", "id": next(client.ids) if request_id is None else request_id, "method": method}
    if params is not None:
        message["params"] = params
    headers = {"Accept": ACCEPT, "Content-Type": "application/json", **client.headers}
    headers["Mcp-Session-Id"] = client.session_id or ""
    return Live(client.url.geturl(), "POST", json.dumps(message).encode(), headers)


def live_call(client: RawClient, tool: str, arguments: Any = None, **extra: Any) -> Live:
    """A tool call of a handshake-era client."""
    return live(client, "tools/call", {"name": tool, "arguments": arguments or {}, **extra})


def live_stream(client: RawClient) -> Live:
    """The stream of a handshake-era client's session."""
    headers = {**client.headers, "Accept": "text/event-stream", "Mcp-Session-Id": client.session_id or ""}
    stream = Live(client.url.geturl(), "GET", b"", headers)
    stream.until_open()
    assert stream.status == 200
    return stream


def reply(client: RawClient, question: Any, result: Any) -> None:
    """A handshake-era client answers a question."""
    assert client.post({"jsonrpc": "2.0", "id": question["id"], "result": result}).status == 202


class ModernClient:
    """Speaks 2026-07-28 by hand."""

    def __init__(self, url: str, token: str, capabilities: dict[str, Any] | None = None, **headers: str) -> None:
        self.raw = RawClient(url, token, **headers)
        self.capabilities = capabilities or {}
        self.ids = itertools.count(1)

    def live(self, method: str, params: Any = None, meta: Any = None) -> Live:
        """A request whose answer is read as it comes."""
        body, headers = self._request(method, params, meta)
        return Live(self.raw.url.geturl(), "POST", body, {**self.raw.headers, "Accept": ACCEPT, **headers})

    def request(self, method: str, params: Any = None, meta: Any = None, **changed: str | None) -> Answer:
        """A request and its whole answer."""
        body, headers = self._request(method, params, meta)
        named: dict[str, str | None] = {**headers, **{key.replace("_", "-"): text for key, text in changed.items()}}
        return self.raw.send("POST", body, **named)

    def call(self, tool: str, arguments: Any = None, meta: Any = None, **extra: Any) -> Answer:
        """A tool call and its whole answer."""
        return self.request("tools/call", {"name": tool, "arguments": arguments or {}, **extra}, meta)

    def live_call(self, tool: str, arguments: Any = None, meta: Any = None, **extra: Any) -> Live:
        """A tool call whose answer is read as it comes."""
        return self.live("tools/call", {"name": tool, "arguments": arguments or {}, **extra}, meta)

    def listen(self, **notifications: Any) -> Live:
        """An open ``subscriptions/listen`` stream, acknowledged."""
        stream = self.live("subscriptions/listen", {"notifications": notifications})
        stream.wait("notifications/subscriptions/acknowledged")
        return stream

    def _request(self, method: str, params: Any, meta: Any) -> tuple[bytes, dict[str, str]]:
        envelope = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "modern", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
            **(meta or {}),
        }
        whole = {**(params or {}), "_meta": envelope}
        message = {"jsonrpc": "2.0", "id": next(self.ids), "method": method, "params": whole}
        headers = {"Content-Type": "application/json", "MCP-Protocol-Version": MODERN, "Mcp-Method": method}
        if NAMED.get(method) in whole:
            headers["Mcp-Name"] = whole[NAMED[method]]
        return json.dumps(message).encode(), headers
