"""Attacks by links that a web page offers, and by messages to the socket of later starts."""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import time
from collections.abc import Callable
from typing import Any

from tests.attacks.arena import Arena, Attack


def message(content: Any) -> Callable[[Arena], None]:
    """Return a message to the window, as a later start sends it."""

    def run(arena: Arena) -> None:
        path = next(iter(arena.folder.rglob("*.sock")), None)
        if path is None:
            raise OSError("the window has no socket")
        with socket.socket(socket.AF_UNIX) as one, contextlib.suppress(OSError):
            one.settimeout(5)
            one.connect(str(path))
            one.recv(4096)
            one.sendall(json.dumps(content).encode() + b"\n")
            one.recv(4096)
        time.sleep(3)

    return run


def link(entry: Any) -> Callable[[Arena], None]:
    """Return a link that adds a server."""
    config = base64.urlsafe_b64encode(json.dumps(entry).encode()).decode()
    return message({"message": "open", "target": f"toolnote://add-server?name=x&config={config}"})


def connections(number: int, data: bytes) -> Callable[[Arena], None]:
    """Return connections to the window's socket that send bytes and stay."""

    def run(arena: Arena) -> None:
        path = next(iter(arena.folder.rglob("*.sock")), None)
        if path is None:
            raise OSError("the window has no socket")
        with contextlib.ExitStack() as stack:
            for _ in range(number):
                one = stack.enter_context(socket.socket(socket.AF_UNIX))
                one.settimeout(1)
                with contextlib.suppress(OSError):
                    one.connect(str(path))
                    one.sendall(data)
            time.sleep(2)

    return run


ATTACKS = [
    Attack("a message of 100 MB without an end", "link", "-", connections(1, b"x" * 100_000_000)),
    Attack("500 connections that say nothing", "link", "L2", connections(500, b"")),
    Attack(
        "a link with an argument of 46 KB without a space",
        "link",
        "M1",
        link({"command": "sh", "args": ["a." * 23_000]}),
        "link",
    ),
    Attack(
        "a link with a variable of 46 KB",
        "link",
        "M1",
        link({"command": "sh", "env": {"A": "0" * 46_000}}),
        "link",
        quick=True,
    ),
    Attack(
        "a link with an argument of 5 KB without a space", "link", "M1", link({"command": "sh", "args": ["a." * 2_500]})
    ),
    Attack("a link with 1,000 arguments", "link", "-", link({"command": "sh", "args": ["x"] * 1_000})),
    Attack("a link of 2 MB", "link", "M1", link({"command": "sh", "args": ["a " * 500_000]})),
    Attack("a message with a NUL in its token", "link", "L4", message({"message": "show", "activation": "a\0b"})),
]
