"""Attacks by files: documents in the home, and files to import."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.attacks.arena import ROOT, Arena, Attack
from toolnote_desktop.paths import Home


def document(name: str, make: Callable[[], bytes], seconds: float = 3.0) -> Callable[[Arena], None]:
    """Return a document that another program writes into the home, and removes again."""

    def run(arena: Arena) -> None:
        path = arena.home.root / name
        before = path.read_bytes() if path.exists() else None
        path.write_bytes(make())
        time.sleep(seconds)
        if before is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(before)
        time.sleep(1.5)

    return run


def imported(make: Callable[[], Any], most: float = 60.0) -> Callable[[Arena], None]:
    """Return a file that ``servers import`` is given while the app runs."""

    def run(arena: Arena) -> None:
        path = arena.folder / "imported.json"
        path.write_text(json.dumps(make()), encoding="utf-8")
        command = [sys.executable, "-m", "toolnote_desktop", "servers", "import", str(path), "--dry-run"]
        environment = {**os.environ, "TOOLNOTE_HOME": str(arena.home.root), "HOME": str(arena.folder)}
        subprocess.run(command, cwd=ROOT, env=environment, timeout=most, check=False, capture_output=True)

    return run


def toolset(notes: int) -> bytes:
    """Return a toolset with many notes."""
    reference = {"namespacedName": "good.counter"}
    listed = [{"name": f"n-{number}", "note": "x" * 50} for number in range(notes)]
    return json.dumps({"name": "many", "tools": [], "toolNotes": [{"toolRef": reference, "notes": listed}]}).encode()


def wide(tools: int) -> bytes:
    """Return a toolset of many tools."""
    listed = [{"namespacedName": f"good.t{number}"} for number in range(tools)]
    return json.dumps({"name": "wide", "tools": listed, "toolNotes": []}).encode()


def rewriting(arena: Arena) -> None:
    """Write a document again and again."""
    path = arena.home.root / "notes.json"
    deadline = time.monotonic() + 4
    number = 0
    while time.monotonic() < deadline:
        number += 1
        path.write_text(json.dumps({"global": [{"name": "a", "note": f"text {number}"}]}), encoding="utf-8")
        time.sleep(0.01)
    path.unlink()


def entries(number: int, argument: str = "x") -> dict[str, Any]:
    """Return servers that are switched off."""
    return {"mcpServers": {f"s{n}": {"command": "x", "args": [argument], "disabled": True} for n in range(number)}}


def special(make: Callable[[Path], None]) -> Callable[[Arena], None]:
    """Return something that is no regular file among the toolsets."""

    def run(arena: Arena) -> None:
        path = arena.home.root / "toolsets" / "odd.json"
        make(path)
        time.sleep(3)
        path.unlink()
        time.sleep(1)

    return run


def many_toolsets(arena: Arena) -> None:
    """Write 2,000 toolsets, and remove them."""
    paths = [arena.home.root / "toolsets" / f"many-{number}.json" for number in range(2_000)]
    for path in paths:
        path.write_text(json.dumps({"name": path.stem, "tools": []}), encoding="utf-8")
    time.sleep(3)
    for path in paths:
        path.unlink()
    time.sleep(2)


def foreign_endpoint(arena: Arena) -> None:
    """Start five bridges on a home whose ``endpoint.json`` names another computer."""
    home = Home(arena.folder / "foreign")
    home.endpoint.parent.mkdir(parents=True, mode=0o700)
    content = {"url": "http://192.0.2.2:9/mcp", "token": "x", "bridgeSecret": "x", "pid": os.getpid(), "version": "0"}
    home.endpoint.write_text(json.dumps(content), encoding="utf-8")
    message = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n'
    for _ in range(5):
        command = [sys.executable, "-m", "toolnote_desktop", "bridge", "--home", str(home.root)]
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(command, cwd=ROOT, input=message, timeout=2, check=False, capture_output=True)


def guide(arena: Arena) -> None:
    """Print the guide 3 times while the app runs."""
    environment = {**os.environ, "TOOLNOTE_HOME": str(arena.home.root), "HOME": str(arena.folder)}
    for _ in range(3):
        command = [sys.executable, "-m", "toolnote_desktop", "guide"]
        subprocess.run(command, cwd=ROOT, env=environment, timeout=60, check=False, capture_output=True)


def with_entries(make: Callable[[], Any]) -> Callable[[Arena], None]:
    """Return servers that another program adds to the document, and takes out again."""

    def run(arena: Arena) -> None:
        path = arena.home.root / "servers.json"
        before = path.read_bytes()
        merged = json.loads(before)
        merged["mcpServers"] |= make()["mcpServers"]
        path.write_text(json.dumps(merged), encoding="utf-8")
        time.sleep(4)
        path.write_bytes(before)
        time.sleep(2)

    return run


ATTACKS = [
    Attack("2,000 servers that are switched off, in the document", "file", "L5", with_entries(lambda: entries(2_000))),
    Attack("2,000 toolsets", "file", "-", many_toolsets),
    Attack("a pipe in the place of a toolset", "file", "-", special(os.mkfifo)),
    Attack(
        "a link to an endless device in the place of a toolset",
        "file",
        "-",
        special(lambda p: p.symlink_to("/dev/zero")),
    ),
    Attack("a toolset of 50,000 tools", "file", "-", document("toolsets/wide.json", lambda: wide(50_000))),
    Attack("prints the guide 3 times", "file", "L1", guide),
    Attack("bridges whose endpoint is on another computer", "file", "L3", foreign_endpoint),
    Attack(
        "a toolset of 10,000 notes", "file", "-", document("toolsets/many.json", lambda: toolset(10_000)), quick=True
    ),
    Attack("a document of arrays 200,000 deep", "file", "-", document("notes.json", lambda: b"[" * 200_000)),
    Attack("a document of 40 MB", "file", "-", document("notes.json", lambda: b" " * 40_000_000 + b"{}")),
    Attack("a document that is written 100 times a second", "file", "-", rewriting),
    Attack("an import of 2,000 servers", "file", "L5", imported(lambda: entries(2_000))),
    Attack("an import of an argument of 80 KB", "file", "H1", imported(lambda: entries(1, "a." * 40_000))),
]
