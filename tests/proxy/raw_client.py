"""An MCP client that sees every byte: raw HTTP requests, answers as they came."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import urllib.parse
from dataclasses import dataclass, field
from typing import Any

ACCEPT = "application/json, text/event-stream"


@dataclass
class Answer:
    """One HTTP answer. ``messages`` are the raw texts of the JSON-RPC messages in it, in order."""

    status: int
    headers: dict[str, str]
    body: bytes
    messages: list[bytes] = field(default_factory=list)

    @property
    def last(self) -> Any:
        """The last message, parsed."""
        return json.loads(self.messages[-1])

    @property
    def result(self) -> Any:
        """The last message's result."""
        assert "result" in self.last, self.last
        return self.last["result"]


class RawClient:
    """Speaks the handshake era by hand."""

    def __init__(self, url: str, token: str, **headers: str) -> None:
        self.url = urllib.parse.urlsplit(url)
        self.headers = {"Authorization": f"Bearer {token}", **headers}
        self.session_id: str | None = None
        self.ids = itertools.count(1)

    def send(self, method: str, body: bytes = b"", path: str | None = None, **headers: str | None) -> Answer:
        """One HTTP request on a connection of its own; a header of None is left out."""
        connection = http.client.HTTPConnection(self.url.hostname or "", self.url.port, timeout=30)
        every: dict[str, str | None] = {"Accept": ACCEPT, "Content-Type": "application/json", **self.headers}
        if self.session_id is not None:
            every["Mcp-Session-Id"] = self.session_id
        every.update({name.replace("_", "-"): value for name, value in headers.items()})
        sent = {name: value for name, value in every.items() if value is not None}
        try:
            connection.request(method, path or self.url.path, body, sent)
            response = connection.getresponse()
            text = response.read()
        finally:
            connection.close()
        answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, text)
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            events = text.replace(b"\r\n", b"\n").split(b"\n\n")
            lines = [line for event in events for line in event.split(b"\n") if line.startswith(b"data:")]
            answer.messages = [line[5:].strip() for line in lines if line[5:].strip()]
        elif text:
            answer.messages = [text]
        return answer

    def post(self, message: Any, **headers: str | None) -> Answer:
        """One message, given as an object or as raw bytes."""
        return self.send("POST", message if isinstance(message, bytes) else json.dumps(message).encode(), **headers)

    def initialize(self, capabilities: dict[str, Any] | None = None, version: str = "2025-06-18") -> Any:
        """The handshake; its result."""
        params = {
            "protocolVersion": version,
            "capabilities": capabilities or {},
            "clientInfo": {"name": "raw", "version": "1"},
        }
        answer = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        assert answer.status == 200, answer
        self.session_id = answer.headers["mcp-session-id"]
        assert self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 202
        return answer.result

    def request(self, method: str, params: Any = None, **headers: str | None) -> Answer:
        """A request with a new id."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": next(self.ids), "method": method}
        if params is not None:
            message["params"] = params
        return self.post(message, **headers)

    def call(self, tool: str, arguments: Any = None, **extra: Any) -> Answer:
        """``tools/call``."""
        return self.request("tools/call", {"name": tool, "arguments": arguments or {}, **extra})

    def tools(self) -> list[dict[str, Any]]:
        """``tools/list``."""
        tools: list[dict[str, Any]] = self.request("tools/list").result["tools"]
        return tools

    def tool(self, name: str) -> dict[str, Any]:
        """One listed tool."""
        return next(tool for tool in self.tools() if tool["name"] == name)


class Stream:
    """The stream of notices (GET) of a client: collects messages in a thread until closed."""

    def __init__(self, client: RawClient, accept: str = "text/event-stream") -> None:
        self.messages: list[Any] = []
        self._arrived = threading.Condition()
        self._connection = http.client.HTTPConnection(client.url.hostname or "", client.url.port, timeout=60)
        headers = {**client.headers, "Accept": accept, "Mcp-Session-Id": client.session_id or ""}
        self._connection.request("GET", client.url.path, headers=headers)
        self._response = self._connection.getresponse()
        assert self._response.status == 200
        self._thread = threading.Thread(target=self._read, name="stream")
        self._thread.start()

    def _read(self) -> None:
        try:
            for line in self._response:
                if line.startswith(b"data:") and line[5:].strip():
                    with self._arrived:
                        self.messages.append(json.loads(line[5:]))
                        self._arrived.notify_all()
        except (OSError, ValueError, http.client.HTTPException):
            return  # closed: by us or by the server

    def wait_for(self, method: str, count: int = 1, timeout: float = 20) -> list[Any]:
        """Wait until ``count`` messages of a method have come."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.of(method)) >= count, timeout), self.messages
        return self.of(method)

    def of(self, method: str) -> list[Any]:
        """The messages of a method so far."""
        return [message for message in self.messages if message.get("method") == method]

    def close(self) -> None:
        """End the stream."""
        import socket

        if self._connection.sock is not None:
            self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(10)
        self._response.close()
        self._connection.close()
