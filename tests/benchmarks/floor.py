"""``floor.py MCP_JSON PORT [LIST]`` and ``floor.py --bridge URL``: what Python allows at best.

A relay with no SDK, no checks, no notes, no log and one client's session, on asyncio and the standard library: HTTP in
front, the servers of a plain ``mcpServers`` file behind it, over pipes or HTTP. ``LIST`` is a file whose bytes it
serves as its ``tools``. The bridge is the same from stdio to HTTP.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

_ID = re.compile(rb'\{"jsonrpc":"2\.0","id":(\d+),')

Reply = Callable[[bytes], None]


class Server(asyncio.SubprocessProtocol):
    """One server behind the relay."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._kept: list[bytes] = []
        self._last = 0
        self._waiting: dict[int, Reply] = {}
        self._stdin: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Its process runs."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        stdin = transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        self._stdin = stdin

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Some of its answers."""
        assert isinstance(data, bytes)
        *lines, rest = data.split(b"\n")
        if lines and self._kept:
            lines[0] = b"".join((*self._kept, lines[0]))
            self._kept.clear()
        if rest:
            self._kept.append(rest)
        for line in lines:
            if (found := _ID.match(line)) is not None:
                self._waiting.pop(int(found[1]))(line[found.end() :])

    def ask(self, method: str, params: dict[str, Any], reply: Reply) -> None:
        """``reply`` gets what stands behind the id in the answer."""
        self._last += 1
        self._waiting[self._last] = reply
        text = json.dumps(params, separators=(",", ":")).encode()
        self._stdin.write(
            b'{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}\n' % (self._last, method.encode(), text)
        )

    async def answer(self, method: str, params: dict[str, Any]) -> Any:
        """The result."""
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.ask(method, params, future.set_result)
        return json.loads(b"{" + await future)["result"]


class HttpServer:
    """Server over HTTP: one connection for each request in flight."""

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        address, _, path = url.removeprefix("http://").partition("/")
        host, _, port = address.partition(":")
        self._host, self._port = host, int(port)
        head = f"POST /{path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n"
        self._head = f"{head}accept: application/json, text/event-stream\r\ncontent-length: %d\r\n\r\n".encode()
        self._last = 0
        self._idle: list[BridgeConnection] = []
        self._waiting: dict[BridgeConnection, Reply] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, method: str, params: dict[str, Any], reply: Reply) -> None:
        """Send a request; ``reply`` gets what follows the id in the response."""
        self._last += 1
        text = json.dumps(params, separators=(",", ":")).encode()
        body = b'{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}' % (self._last, method.encode(), text)
        request = self._head % len(body) + body
        if self._idle:
            self._send(self._idle.pop(), request, reply)
        else:
            task = asyncio.ensure_future(self._send_on_a_new_one(request, reply))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _send(self, connection: BridgeConnection, request: bytes, reply: Reply) -> None:
        self._waiting[connection] = reply
        connection.send(request)

    async def _send_on_a_new_one(self, request: bytes, reply: Reply) -> None:
        loop = asyncio.get_running_loop()
        connection = (await loop.create_connection(lambda: BridgeConnection(self._answered), self._host, self._port))[1]
        self._send(connection, request, reply)

    def _answered(self, connection: BridgeConnection, head: bytes, body: bytes) -> None:
        self._idle.append(connection)
        found = _ID.match(body)
        assert found is not None
        self._waiting.pop(connection)(body[found.end() :])

    async def answer(self, method: str, params: dict[str, Any]) -> Any:
        """Return the result of a request."""
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.ask(method, params, future.set_result)
        return json.loads(b"{" + await future)["result"]


class Relay:
    """Who is called for which name."""

    def __init__(self, tools: bytes | None) -> None:
        self._tools = tools
        self._routes: dict[str, tuple[Server | HttpServer, str]] = {}

    async def start(self, entries: dict[str, Any]) -> None:
        """Start all servers."""
        loop = asyncio.get_running_loop()
        listed: list[Any] = []
        servers: list[Server | HttpServer] = []
        for name, entry in entries.items():
            if "url" in entry:
                servers.append(HttpServer(name, entry["url"]))
                continue
            command = [entry["command"], *entry["args"]]
            servers.append((await loop.subprocess_exec(partial(Server, name), *command, stderr=None))[1])
        for server in servers:
            await server.answer("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})
            for tool in (await server.answer("tools/list", {}))["tools"]:
                name = f"{server.name}_{tool['name']}"
                self._routes[name] = (server, tool["name"])
                listed.append({**tool, "name": name})
        if self._tools is None:
            self._tools = json.dumps(listed, separators=(",", ":")).encode()

    def handle(self, body: bytes, reply: Reply) -> None:
        """Answer one message; with nothing, if it is a notification."""
        message = json.loads(body)
        method, params = message.get("method"), message.get("params") or {}
        if "id" not in message:
            reply(b"")
            return
        head = b'{"jsonrpc":"2.0","id":%s,' % json.dumps(message["id"]).encode()
        if method == "tools/call":
            server, params["name"] = self._routes[params["name"]]
            server.ask(method, params, lambda rest: reply(head + rest))
        elif method == "tools/list":
            reply(head + b'"result":{"tools":%s}}' % (self._tools or b"[]"))
        else:
            who = {"serverInfo": {"name": "floor", "version": "1"}, "capabilities": {"tools": {}}}
            reply(head + b'"result":%s}' % json.dumps({"protocolVersion": "2025-06-18", **who}).encode())


class Connection(asyncio.Protocol):
    """One connection of a client."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._kept = b""
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has connected."""
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Some of its requests."""
        data = self._kept + data if self._kept else data
        while (end := data.find(b"\r\n\r\n")) >= 0:
            head = data[:end].lower()
            place = head.find(b"content-length:")
            length = int(head[place + 15 :].split(b"\r\n", 1)[0]) if place >= 0 else 0
            if len(data) < end + 4 + length:
                break
            body, data = data[end + 4 : end + 4 + length], data[end + 4 + length :]
            self._relay.handle(body, self._reply)
        self._kept = data

    def _reply(self, body: bytes) -> None:
        status = b"200 OK\r\nmcp-session-id: floor" if body else b"202 Accepted"
        head = b"HTTP/1.1 %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
        self._transport.write(head % (status, len(body), body))


class Bridge(asyncio.Protocol):
    """From stdio to HTTP: one connection for each request that is under way."""

    def __init__(self, url: str, write: Callable[[bytes], None]) -> None:
        address, _, path = url.removeprefix("http://").partition("/")
        host, _, port = address.partition(":")
        self._host, self._port, self._write = host, int(port), write
        head = "POST /%s HTTP/1.1\r\nhost: %s\r\ncontent-type: application/json\r\n%scontent-length: %%d\r\n\r\n"
        accept = "accept: application/json, text/event-stream\r\n"
        self._head = (head % (path, address, accept + "".join(sys.argv[3:]).replace("|", "\r\n"))).encode()
        self._session = b""
        self._idle: list[BridgeConnection] = []
        self._kept = b""
        self._tasks: set[asyncio.Task[None]] = set()

    def data_received(self, data: bytes) -> None:
        """Messages of the client's."""
        *lines, self._kept = (self._kept + data).split(b"\n")
        for line in filter(None, lines):
            if self._session and self._idle:
                self._idle.pop().send(self._request(line))
            else:
                task = asyncio.ensure_future(self._send_on_a_new_one(line))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        os._exit(0)

    def _request(self, line: bytes) -> bytes:
        head = (self._head % len(line)).replace(b"\r\n\r\n", b"\r\n%s\r\n" % self._session)
        return head + line

    async def _send_on_a_new_one(self, line: bytes) -> None:
        loop = asyncio.get_running_loop()
        connection = (await loop.create_connection(lambda: BridgeConnection(self._answered), self._host, self._port))[1]
        connection.send(self._request(line))

    def _answered(self, connection: BridgeConnection, head: bytes, body: bytes) -> None:
        if not self._session and (place := head.lower().find(b"mcp-session-id:")) >= 0:
            self._session = head[place:].split(b"\r\n", 1)[0] + b"\r\n"
        self._idle.append(connection)
        if body:
            self._write(body + b"\n")


class BridgeConnection(asyncio.Protocol):
    """One connection to the endpoint; answers are JSON with their length."""

    def __init__(self, answered: Callable[[BridgeConnection, bytes, bytes], None]) -> None:
        self._answered = answered
        self._kept = b""
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is there."""
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport

    def send(self, request: bytes) -> None:
        """One request."""
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Some of the answer."""
        self._kept += data
        end = self._kept.find(b"\r\n\r\n")
        found = re.search(rb"content-length: (\d+)", self._kept[:end].lower()) if end >= 0 else None
        if found is not None and len(self._kept) >= end + 4 + int(found[1]):
            head, body, self._kept = self._kept[:end], self._kept[end + 4 :], b""
            self._answered(self, head, body)


async def serve(entries: dict[str, Any], port: int, tools: bytes | None) -> None:
    """Until it is ended."""
    relay = Relay(tools)
    await relay.start(entries)
    server = await asyncio.get_running_loop().create_server(lambda: Connection(relay), "127.0.0.1", port)
    await server.serve_forever()


async def bridge(url: str) -> None:
    """Until stdin ends."""
    loop = asyncio.get_running_loop()
    with os.fdopen(1, "wb", 0) as stdout, os.fdopen(0, "rb", 0) as stdin:
        out, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, stdout)
        await loop.connect_read_pipe(lambda: Bridge(url, out.write), stdin)
        await loop.create_future()


if __name__ == "__main__":
    if sys.argv[1] == "--bridge":
        asyncio.run(bridge(sys.argv[2]))
    else:
        listed = Path(sys.argv[3]).read_bytes() if len(sys.argv) > 3 else None
        servers = json.loads(Path(sys.argv[1]).read_text())["mcpServers"]
        asyncio.run(serve(servers, int(sys.argv[2]), listed))
