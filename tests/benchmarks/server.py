"""``server.py NAME TOOLS [--http PORT]``: an MCP server that costs next to nothing, over pipes or HTTP.

Its tools are about 1.8 KB each. ``echo`` gives its arguments back, with the server's name; ``blob`` a text of ``kb``
kilobytes. Standard library only, so that what is measured is whoever stands in front of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

VERSION = "2025-06-18"
_PROSE = "Looks up work items in the tracker and gives the matching records with their identifiers, state and changes. "


class Answers:
    """What the server says."""

    def __init__(self, name: str, tools: int) -> None:
        self._name = name
        self._tools = json.dumps([_tool(name, number) for number in range(tools)])
        self._blobs: dict[int, str] = {}

    def answer(self, raw: bytes) -> bytes | None:
        """The answer to one message; None for a notification."""
        message = json.loads(raw)
        if "id" not in message:
            return None
        result = self._result(message["method"], message.get("params") or {})
        return b'{"jsonrpc":"2.0","id":%s,%s}' % (json.dumps(message["id"]).encode(), result.encode())

    def _result(self, method: str, params: dict[str, Any]) -> str:
        match method, params.get("name"):
            case "tools/call", "blob":
                size = int(params["arguments"]["kb"])
                text = self._blobs.setdefault(size, "0123456789abcdef" * (64 * size))
                return f'"result":{{"content":[{{"type":"text","text":"{text}"}}],"isError":false}}'
            case "tools/call", _:
                said = json.dumps({"server": self._name, "arguments": params.get("arguments")})
                return f'"result":{{"content":[{{"type":"text","text":{json.dumps(said)}}}],"isError":false}}'
            case "tools/list", _:
                return f'"result":{{"tools":{self._tools}}}'
            case "initialize", _:
                who = {"serverInfo": {"name": self._name, "version": "1"}, "capabilities": {"tools": {}}}
                return f'"result":{json.dumps({"protocolVersion": VERSION, **who})}'
            case "ping", _:
                return '"result":{}'
            case _:
                return '"error":{"code":-32601,"message":"Method not found"}'


def _tool(server: str, number: int) -> dict[str, Any]:
    name = ("echo", "blob")[number] if number < 2 else f"tool_{number:04}"
    properties = {
        f"argument_{place}": {"type": "string", "description": f"The field {place} of a work item. {_PROSE}"}
        for place in range(9)
    }
    return {
        "name": name,
        "title": f"{server} {name}",
        "description": f"Tool {name} of server {server}. {_PROSE * 2}",
        "inputSchema": {"type": "object", "properties": properties, "required": ["argument_0"]},
        "annotations": {"readOnlyHint": True},
    }


def serve_pipes(answers: Answers) -> None:
    """Until stdin ends."""
    kept = b""
    while data := os.read(0, 1 << 18):
        *lines, kept = (kept + data).split(b"\n")
        said = [text for line in lines if line.strip() and (text := answers.answer(line)) is not None]
        if said:
            view = memoryview(b"\n".join(said) + b"\n")
            while view:
                view = view[os.write(1, view) :]


class HttpConnection(asyncio.Protocol):
    """One connection of a client, as raw as can be."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._kept = b""
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has connected."""
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Some of its requests."""
        self._kept += data
        while (end := self._kept.find(b"\r\n\r\n")) >= 0:
            head = self._kept[:end].lower()
            place = head.find(b"content-length:")
            length = int(head[place + 15 :].split(b"\r\n", 1)[0]) if place >= 0 else 0
            if len(self._kept) < end + 4 + length:
                return
            body, self._kept = self._kept[end + 4 : end + 4 + length], self._kept[end + 4 + length :]
            if head.startswith(b"get "):  # no event stream
                self._transport.write(b"HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n")
                continue
            answer = self._answers.answer(body) if body else None
            status = b"202 Accepted" if answer is None else b"200 OK\r\nmcp-session-id: direct"
            head = b"HTTP/1.1 %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
            self._transport.write(head % (status, len(answer or b"")) + (answer or b""))


async def serve_http(answers: Answers, port: int) -> None:
    """Until it is ended."""
    server = await asyncio.get_running_loop().create_server(lambda: HttpConnection(answers), "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    own = Answers(sys.argv[1], int(sys.argv[2]))
    if sys.argv[3:4] == ["--http"]:
        asyncio.run(serve_http(own, int(sys.argv[4])))
    else:
        serve_pipes(own)
