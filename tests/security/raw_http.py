"""HTTP by hand: bytes as no client library would send them."""

from __future__ import annotations

import contextlib
import json
import socket
import urllib.parse
from collections.abc import Iterator
from typing import Any

from tests.proxy.running import Running

PATIENCE = 30.0
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def address(proxy: Running) -> tuple[str, int]:
    """Return the endpoint's address."""
    parts = urllib.parse.urlsplit(proxy.endpoint.url)
    assert parts.hostname
    assert parts.port
    return parts.hostname, parts.port


@contextlib.contextmanager
def connection(proxy: Running) -> Iterator[socket.socket]:
    """An open connection to the endpoint."""
    with socket.create_connection(address(proxy), PATIENCE) as one:
        yield one


def head(method: str, path: str, *headers: str) -> bytes:
    """A request's line and headers, and the empty line behind them."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", *headers, "", ""]).encode("latin-1")


def everything(one: socket.socket) -> bytes:
    """Return the data until the other side ends the connection."""
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := one.recv(65536):
            parts.append(part)
    return b"".join(parts)


def ended(one: socket.socket) -> bytes:
    """Return the data of a connection that must end by itself."""
    one.settimeout(PATIENCE)
    return everything(one)


def status_of(answer: bytes) -> int:
    """The status of the first answer in these bytes; 0 where there is none."""
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0


def exchange(proxy: Running, request: bytes) -> bytes:
    """Send a request that says that it is the last one of its connection, and take what is answered."""
    with connection(proxy) as one:
        with contextlib.suppress(ConnectionError):  # it was refused before all was sent
            one.sendall(request)
        return everything(one)


def usual_headers(proxy: Running, **changed: str | None) -> list[str]:
    """The headers of a sound request, some changed or left out (None)."""
    host, port = address(proxy)
    headers: dict[str, str | None] = {
        "Host": f"{host}:{port}",
        "Authorization": f"Bearer {proxy.endpoint.token}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "Connection": "close",
        **{name.replace("_", "-"): value for name, value in changed.items()},
    }
    return [f"{name}: {value}" for name, value in headers.items() if value is not None]


def request(proxy: Running, message: Any = None, *more: str, **changed: str | None) -> bytes:
    """A sound request but for what is changed."""
    body = message if isinstance(message, bytes) else json.dumps(LIST if message is None else message).encode()
    return head("POST", "/mcp", *usual_headers(proxy, **changed), f"Content-Length: {len(body)}", *more) + body
