#!/usr/bin/env python3
"""The scenarios of ``tests/servers/raw_server.py`` over the older HTTP with SSE: ``sse_server.py SCENARIO``.

Prints ``{"url": …}`` when it listens. GET opens the stream, which names the address to POST to; answers come on the
stream. The scenario's own key "sse": {"endpoint": what is named instead, "token": the bearer token that is required,
"refuseCalls": the HTTP statuses with which the first tool calls are refused}.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))))

from tests.servers.engine import Channel, Engine, Link
from tests.servers.scenario import load_scenario

SCENARIO = load_scenario(sys.argv[1] if len(sys.argv) > 1 else "{}")
OPTIONS: dict[str, Any] = SCENARIO.get("sse", {})
REFUSALS: list[int] = OPTIONS.get("refuseCalls", [])
LINKS: list[Link] = []
ENGINE = Engine(SCENARIO, LINKS)
STREAMS: dict[str, Stream] = {}


class Stream(Link):
    """One client's stream."""

    def __init__(self) -> None:
        super().__init__()
        self.outbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def broadcast(self, raw: bytes) -> None:
        self.outbox.put(raw)

    send = answer = broadcast


class Posted(Channel):
    """One message; its answer goes to the stream."""

    def __init__(self, stream: Stream, headers: dict[str, str]) -> None:
        self.stream = stream
        self.headers = headers

    def send(self, raw: bytes) -> None:
        self.stream.outbox.put(raw)

    def answer(self, raw: bytes) -> None:
        self.stream.outbox.put(raw)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on stderr."""

    def refused(self) -> bool:
        token = OPTIONS.get("token")
        if token is None or self.headers.get("authorization") == f"Bearer {token}":
            return False
        self.reply(401)
        return True

    def reply(self, status: int) -> None:
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        if self.refused():
            return
        name, stream = uuid.uuid4().hex, Stream()
        STREAMS[name] = stream
        LINKS.append(stream)
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        endpoint = OPTIONS.get("endpoint", f"/messages?session={name}")
        try:
            self.wfile.write(b": hello\r\n\r\nevent: endpoint\r\ndata: " + endpoint.encode() + b"\r\n\r\n")
            while True:
                self.wfile.write(b"event: message\ndata: " + stream.outbox.get() + b"\n\n")
        except ConnectionError:
            return

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.refused():
            return
        if b'"tools/call"' in raw and REFUSALS:
            self.reply(REFUSALS.pop(0))
            return
        stream = STREAMS.get(urlsplit(self.path).query.removeprefix("session="))
        if stream is None:
            self.reply(404)
            return
        self.reply(202)
        ENGINE.receive(raw, stream, Posted(stream, {k.lower(): v for k, v in self.headers.items()}))


class Server(ThreadingHTTPServer):
    """Quiet about clients that go away."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    ENGINE.begin()
    sys.stdout.write(json.dumps({"url": f"http://127.0.0.1:{server.server_address[1]}/sse"}) + "\n")
    sys.stdout.flush()
    server.serve_forever()
