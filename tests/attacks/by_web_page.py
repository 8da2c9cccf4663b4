"""Attacks without a token: a web page in the user's browser, or any program on this computer."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable

from tests.attacks.arena import Arena, Attack, Client


def connections(number: int, begin: bytes, seconds: float = 3.0) -> Callable[[Arena], None]:
    """Return connections that send a beginning and then nothing."""

    def run(arena: Arena) -> None:
        with contextlib.ExitStack() as stack:
            for _ in range(number):
                with contextlib.suppress(OSError):
                    stack.enter_context(arena.connect()).sendall(begin)
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:  # each place that gets free is taken again
                with contextlib.suppress(OSError):
                    stack.enter_context(arena.connect()).sendall(begin)
                time.sleep(0.001)

    return run


def requests(number: int, data: Callable[[Client], bytes]) -> Callable[[Arena], None]:
    """Return requests on connections of their own."""

    def run(arena: Arena) -> None:
        client = Client(arena.port, token=None)
        for _ in range(number):
            with contextlib.suppress(OSError):
                client.exchange(data(client))

    return run


def pour(begin: bytes, piece: bytes, seconds: float = 3.0) -> Callable[[Arena], None]:
    """Return pieces without an end."""

    def run(arena: Arena) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with arena.connect() as one, contextlib.suppress(OSError):
                one.sendall(begin)
                while time.monotonic() < deadline:
                    one.sendall(piece)

    return run


def reset(arena: Arena) -> None:
    """Open connections and reset them."""
    deadline = time.monotonic() + 3
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), arena.connect() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")


def foreign(**headers: str) -> Callable[[Client], bytes]:
    """Return a list request with other headers."""
    return lambda client: Client(client.port, token=None, **headers).request("tools/list", {})


CHUNKED = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"


def keep_alive(number: int, seconds: float) -> Callable[[Arena], None]:
    """Return requests for ``/health`` on connections that stay open, whose answers are not read."""

    def run(arena: Arena) -> None:
        data = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % arena.port * 1000
        with contextlib.ExitStack() as stack:
            held: list[socket.socket] = []
            for _ in range(number):
                with contextlib.suppress(OSError):
                    held.append(stack.enter_context(arena.connect()))
            for one in held:
                one.settimeout(0.1)
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                for one in held:
                    with contextlib.suppress(OSError):
                        one.sendall(data)

    return run


ATTACKS = [
    Attack("asks for /health on 200 connections, answers not read", "web page", "-", keep_alive(200, 3.0), "pipelined"),
    Attack("1,000 preflights", "web page", "-", requests(1_000, lambda c: c.head(0, "OPTIONS"))),
    Attack(
        "garbage that is no HTTP, without an end",
        "web page",
        "-",
        pour(b"", b"\x16\x03\x01" + b"\0" * 1000),
        "unverified",
    ),
    Attack("2,000 tokens of 60 KB", "web page", "-", requests(2_000, foreign(Authorization="Bearer " + "x" * 60_000))),
    Attack("1,100 connections that send nothing", "web page", "M4", connections(1_100, b""), "unverified", quick=True),
    Attack(
        "1,100 connections with half a head",
        "web page",
        "M4",
        connections(1_100, b"GET /mcp HTTP/1.1\r\nX: "),
        "unverified",
    ),
    Attack("2,000 requests without a token", "web page", "-", requests(2_000, foreign())),
    Attack("1,000 requests with a wrong token", "web page", "-", requests(1_000, foreign(Authorization="Bearer x"))),
    Attack(
        "1,000 requests with a foreign Origin", "web page", "-", requests(1_000, foreign(Origin="https://evil.example"))
    ),
    Attack("1,000 requests with a foreign Host", "web page", "-", requests(1_000, foreign(Host="evil.example"))),
    Attack(
        "20 bodies of 60 MB without a token",
        "web page",
        "-",
        requests(20, lambda c: c.head(60_000_000) + b"x" * 60_000_000),
    ),
    Attack("a head without an end", "web page", "-", pour(b"GET /mcp HTTP/1.1\r\nX: ", b"x" * 65536), "head"),
    Attack("headers without an end", "web page", "-", pour(b"GET /mcp HTTP/1.1\r\n", b"X-Many: 1\r\n" * 4096), "head"),
    Attack("chunk extensions without an end", "web page", "-", pour(CHUNKED + b"1;", b"x" * 65536)),
    Attack("opens and resets connections", "web page", "-", reset),
]
