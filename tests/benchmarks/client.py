"""An HTTP client for MCP that costs next to nothing: raw requests over connections that stay open."""

from __future__ import annotations

import asyncio
import json
from typing import Any

VERSION = "2025-06-18"


class _Connection(asyncio.Protocol):
    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._wanted = 0
        self._head: bytes | None = None
        self._answer: asyncio.Future[tuple[bytes, bytes]]
        self.transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is there."""
        assert isinstance(transport, asyncio.WriteTransport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone: whoever waits is told."""
        if not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError("the endpoint closed the connection"))

    async def request(self, text: bytes) -> tuple[bytes, bytes]:
        """Head and body of the answer, whole."""
        self._answer = asyncio.get_running_loop().create_future()
        self._head = None
        self.transport.write(text)
        return await self._answer

    def data_received(self, data: bytes) -> None:
        """Some of the answer."""
        self._parts.append(data)
        self._size += len(data)
        if self._head is None:
            whole = b"".join(self._parts)
            end = whole.find(b"\r\n\r\n")
            self._parts = [whole]
            if end < 0:
                return
            self._head = whole[:end].lower()
            place = self._head.find(b"content-length:")
            # Event streams end with an empty chunk.
            length = int(self._head[place + 15 :].split(b"\r\n", 1)[0]) if place >= 0 else -1
            self._wanted = end + 4 + length if length >= 0 else 0
        ended = self._size >= self._wanted if self._wanted else data.endswith(b"0\r\n\r\n")
        if ended:
            whole, self._parts, self._size = b"".join(self._parts), [], 0
            self._answer.set_result((self._head, whole[len(self._head) + 4 :]))


class HttpClient:
    """One session with one endpoint."""

    def __init__(self, port: int, path: str = "/mcp", token: str | None = None) -> None:
        self._port = port
        authorization = f"authorization: Bearer {token}\r\n" if token else ""
        self._lines = (
            f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n"
            f"accept: application/json, text/event-stream\r\n{authorization}"
        )
        self._head = self._lines.encode()
        self._idle: list[_Connection] = []
        self._last = 0

    async def open(self) -> None:
        """Shake hands."""
        params = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        head, _ = await self._post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        session = head[head.find(b"mcp-session-id:") :].split(b"\r\n", 1)[0].decode()
        self._head = f"{self._lines}{session}\r\nmcp-protocol-version: {VERSION}\r\n".encode()
        await self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def stream_request(self) -> bytes:
        """The request for the stream of notices (GET)."""
        head = self._head.replace(b"POST", b"GET", 1).replace(b"accept: application/json, ", b"accept: ")
        return head.replace(b"content-type: application/json\r\n", b"") + b"\r\n"

    async def _post(self, message: dict[str, Any]) -> tuple[bytes, bytes]:
        body = json.dumps(message, separators=(",", ":")).encode()
        connection = self._idle.pop() if self._idle else await self._connect()
        answer = await connection.request(self._head + b"content-length: %d\r\n\r\n%s" % (len(body), body))
        self._idle.append(connection)
        return answer

    async def _connect(self) -> _Connection:
        return (await asyncio.get_running_loop().create_connection(_Connection, "127.0.0.1", self._port))[1]

    async def ask(self, method: str, params: dict[str, Any] | None = None) -> bytes:
        """The answer's body; raises where it is no result of this very request."""
        self._last += 1
        number = self._last
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": method}
        _, body = await self._post(message if params is None else {**message, "params": params})
        if b'"id":%d,"result"' % number not in body[:64]:
            raise AssertionError(f"request {number} was answered {body[:200]!r}")
        return body

    async def echo(self, tool: str, mark: str) -> None:
        """One call with a few hundred bytes of arguments, and the check that its answer is its own."""
        arguments = {"mark": mark, "title": "A title of a work item", "body": "x" * 100}
        body = await self.ask("tools/call", {"name": tool, "arguments": arguments})
        if mark.encode() not in body:
            raise AssertionError(f"{mark} got somebody else's answer: {body[:200]!r}")

    def close(self) -> None:
        """Close all connections."""
        for connection in self._idle:
            connection.transport.close()
        self._idle.clear()
