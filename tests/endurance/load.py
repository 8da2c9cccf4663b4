"""Load of the soak on a running ``serve``: functions that run in threads and count their actions."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import random
import socket
import struct
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from toolnote_desktop.model.toolsets.note_edits import AddNote, EditNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.paths import Home
from toolnote_desktop.serve import TOKEN_VARIABLE
from toolnote_desktop.store.library import Library

TOOLSET = "work"
STEADY, FLAKY = "steady", "flaky"
"""A server that works, and one that is made to crash."""

__all__ = ["TOKEN_VARIABLE", "HTTPException"]

_ACCEPT = "application/json, text/event-stream"


@dataclass
class Target:
    """The ``serve`` that is under load.

    Attributes:
        done: what was done, by what it is.
        stop: set when those who go on until told shall end.
    """

    home: Home
    url: str
    token: str
    done: Counter[str] = field(default_factory=Counter)
    stop: threading.Event = field(default_factory=threading.Event)


class Client:
    """A client of the handshake era on one kept connection."""

    def __init__(self, target: Target) -> None:
        self._target = target
        parts = urlsplit(target.url)
        self._path = parts.path
        self.connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        self._ids = itertools.count(1)
        self._session: str | None = None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def open(self) -> None:
        """The handshake."""
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "soak", "version": "1"},
        }
        self.request("initialize", params)
        assert self.send("POST", {"jsonrpc": "2.0", "method": "notifications/initialized"})[0] == 202

    def send(self, method: str, message: Any = None) -> tuple[int, bytes]:
        """Make an HTTP exchange."""
        headers = {
            "Authorization": f"Bearer {self._target.token}",
            "Accept": _ACCEPT,
            "Content-Type": "application/json",
        }
        if self._session is not None:
            headers["Mcp-Session-Id"] = self._session
        body = b"" if message is None else json.dumps(message, separators=(",", ":")).encode()
        self.connection.request(method, self._path, body, headers)
        response = self.connection.getresponse()
        found = response.read()
        self._session = self._session or response.headers.get("mcp-session-id")
        return response.status, found

    def request(self, method: str, params: Any = None) -> Any:
        """A request's result."""
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params or {}}
        status, body = self.send("POST", message)
        assert status == 200, (status, body)
        data = body if body.startswith(b"{") else body.partition(b"data:")[2].strip()
        answer = json.loads(data)
        assert "result" in answer, answer
        return answer["result"]

    def call(self, tool: str, **arguments: Any) -> Any:
        """A tool's result."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def start(self, method: str, params: Any) -> None:
        """Send a request; ``answer`` waits for what comes."""
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        headers = {
            "Authorization": f"Bearer {self._target.token}",
            "Accept": _ACCEPT,
            "Content-Type": "application/json",
            "Mcp-Session-Id": self._session or "",
        }
        self.connection.request("POST", self._path, json.dumps(message).encode(), headers)

    def answer(self) -> Any:
        """The answer to what was started; None where the connection ended without one."""
        try:
            return json.loads(self.connection.getresponse().read())
        except (OSError, ValueError, HTTPException):
            return None

    def stream_then_cut(self) -> None:
        """Open the stream of notices and vanish as a machine does that lost its net: with a reset, without a word."""
        self.open_stream()
        self.cut()

    def open_stream(self) -> None:
        """Open the stream of notices."""
        headers = {
            "Authorization": f"Bearer {self._target.token}",
            "Accept": "text/event-stream",
            "Mcp-Session-Id": self._session or "",
        }
        self.connection.request("GET", self._path, headers=headers)
        self.stream = self.connection.getresponse()
        assert self.stream.status == 200

    def cut(self) -> None:
        """Reset the connection."""
        found = self.connection.sock
        assert found is not None
        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        found.close()


def sessions(target: Target, count: int) -> None:
    """Open sessions, use them a little, and leave: half in order, half without a word, some with a stream open."""
    for number in range(count):
        with Client(target) as client:
            client.open()
            client.request("tools/list")
            client.call(f"{STEADY}_echo", number=number)
            if number % 2:
                assert client.send("DELETE")[0] == 200
            elif number % 4:
                client.stream_then_cut()
            else:
                client.cut()
        target.done["sessions"] += 1


def strangers(target: Target, count: int) -> None:
    """Requests that belong to no session, and introductions that are never finished."""
    for number in range(count):
        with Client(target) as client:
            message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            if number % 2:
                message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 7}}
            client.send("POST", message)
        target.done["strangers"] += 1


def calls(target: Target, count: int) -> None:
    """Calls, one after the other; each must be answered with what was said."""
    with Client(target) as client:
        client.open()
        for number in range(count):
            result = client.call(f"{STEADY}_echo", number=number)
            assert json.loads(result["content"][0]["text"])["arguments"] == {"number": number}, result
            target.done["calls"] += 1
        client.send("DELETE")


def edits_through_files(target: Target, count: int) -> None:
    """Load of ``toolnote note`` and another app: edits by another process, on disk, that ``serve`` must notice."""
    place = NoteTarget.in_toolset(TOOLSET, ToolReference(namespaced_name=f"{STEADY}.sleep_ms"))
    with Library.open(target.home, watch=False) as library:
        name = f"file-{random.randrange(10**9)}"
        library.submit(AddNote(place, {"name": name, "note": "0"}))
        for number in range(count - 2):
            library.submit(EditNote(place, name, {"note": f"edit {number} " + "x" * (number % 200)}))
            target.done["edits"] += 1
            if number % 5 == 0:
                library.flush(60)
        library.submit(RemoveNote(place, name)).saved.result(60)
        target.done["edits"] += 2


def edits_through_tools(target: Target, count: int) -> None:
    """Load of an assistant: a note added, changed and removed by the built-in tools."""
    reference = {"namespacedName": f"{STEADY}.structured"}
    with Client(target) as client:
        client.open()
        for number in range(0, count, 3):
            name = f"tool-{number % 7}-{random.randrange(10**9)}"
            note = {"name": name, "note": f"text {number}"}
            for tool, arguments in (
                ("add-tool-annotation", {"toolRef": reference, "notes": [note]}),
                ("update-tool-annotation", {"toolRef": reference, "name": name, "note": "another"}),
                ("remove-tool-annotation", {"toolRef": reference, "name": name}),
            ):
                result = client.call(tool, **arguments)
                assert not result.get("isError"), (tool, result)
                target.done["edits"] += 1
            if number % 30 == 0:
                client.request("tools/list")
        client.send("DELETE")


def crashes(target: Target) -> None:
    """A server that crashes in a call, over and over: each call ends with words that name it, or works."""
    with Client(target) as client:
        client.open()
        while not target.stop.wait(0.5):
            for tool in ("crash", "echo"):
                result = client.call(f"{FLAKY}_{tool}")
                if result.get("isError"):
                    assert FLAKY in result["content"][0]["text"], result
                    target.done["crashes"] += 1
        client.send("DELETE")


def bridges(target: Target) -> None:
    """Clients on stdio that come, list, and go; every other one is killed."""
    for number in itertools.count():
        if target.stop.wait(0.3):
            return
        command = [sys.executable, "-m", "toolnote_desktop", "bridge", "--home", str(target.home.root)]
        with subprocess.Popen(
            [*command, "--client", f"soak-{number % 3}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ
        ) as bridge:
            assert bridge.stdin is not None
            assert bridge.stdout is not None
            info = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}}
            for message in (
                {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": info},
                {"jsonrpc": "2.0", "method": "notifications/initialized"},
                {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
            ):
                bridge.stdin.write(json.dumps(message).encode() + b"\n")
            bridge.stdin.flush()
            while json.loads(bridge.stdout.readline()).get("id") != 2:
                continue
            if number % 2:
                bridge.kill()
            bridge.stdin.close()
            bridge.stdout.read()
        target.done["bridges"] += 1
