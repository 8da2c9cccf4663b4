"""A registry over a real socket: its published API, and every way to answer it badly."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

PAGE = 3


@dataclass
class Registry:
    """State of the server: its entries, its way to answer, and the requests."""

    url: str = ""
    servers: list[dict[str, Any]] = field(default_factory=list)
    answer: Callable[[BaseHTTPRequestHandler], bool] | None = None
    """Answers instead, where it says that it has."""
    asked: list[dict[str, str]] = field(default_factory=list)
    end: threading.Event = field(default_factory=threading.Event)

    def page(self, query: dict[str, str]) -> dict[str, Any]:
        """As the API does it: names that contain the search, a few at a time."""
        found = [one for one in self.servers if query.get("search", "").lower() in one["name"].lower()]
        start = int(query.get("cursor", "0"))
        after = start + PAGE
        more = {"nextCursor": str(after)} if after < len(found) else {}
        wrapped = [{"server": one, "_meta": {}} for one in found[start:after]]
        return {"servers": wrapped, "metadata": {"count": len(wrapped), **more}}


@contextlib.contextmanager
def running(servers: list[dict[str, Any]] | None = None) -> Iterator[Registry]:
    """A registry for as long as the block lasts."""
    registry = Registry(servers=servers or [])

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            registry.asked.append(dict(parse_qsl(parts.query)))
            if registry.answer is not None and registry.answer(self):
                return
            assert parts.path == "/v0.1/servers"
            send(self, json.dumps(registry.page(registry.asked[-1])).encode())

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    registry.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield registry
    finally:
        registry.end.set()
        server.shutdown()
        thread.join()
        server.server_close()


def send(handler: BaseHTTPRequestHandler, data: bytes, status: int = 200) -> None:
    """Send a whole response."""
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


def wait_until_closed(handler: BaseHTTPRequestHandler, closed: threading.Event) -> None:
    """Send nothing, and set the event when the client closes its connection."""
    handler.connection.settimeout(20.0)
    with contextlib.suppress(TimeoutError):
        if handler.connection.recv(1) == b"":
            closed.set()
