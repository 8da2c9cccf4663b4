"""Attacks by files: documents in the home, and files to import."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.attacks.arena import ROOT, TOOLSET, Arena, Attack
from tests.attacks.by_link import message
from toolnote_desktop.model.edits import SETTINGS, SetFields, toolset_document
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


def command(arena: Arena, *words: str, variables: Mapping[str, str] | None = None, before: Sequence[str] = ()) -> None:
    """Run a command of the product while the app runs; its status does not matter.

    Args:
        before: words of a program that runs it.
    """
    environment = {**os.environ, "TOOLNOTE_HOME": str(arena.home.root), "HOME": str(arena.folder), **(variables or {})}
    arguments = [*before, sys.executable, "-m", "toolnote_desktop", *words]
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(arguments, cwd=ROOT, env=environment, timeout=60, check=False, capture_output=True)


def packs_folder(arena: Arena) -> None:
    """Have a folder of 10,000 packs watched, with pipes, loops of links and a large file."""
    folder = arena.folder / "packs"
    folder.mkdir(exist_ok=True)
    for number in range(10_000):
        (folder / f"{number:05}.toolnote").write_bytes(pack(f"p-{number}", 5, 1))
    os.mkfifo(folder / "00000a.toolnote")
    (folder / "00000b.toolnote").symlink_to(folder / "00000b.toolnote")
    (folder / "00000c.toolnote").symlink_to(folder)
    (folder / "00000d.toolnote").write_bytes(pack("big", 2_000, 5))
    arena.edit(SetFields(SETTINGS, {"packsFolder": str(folder)}))
    time.sleep(5)
    for number in range(100):
        (folder / f"{number:05}.toolnote").write_bytes(pack(f"q-{number}", 5, 1))
    time.sleep(3)
    arena.edit(SetFields(SETTINGS, {"packsFolder": None}))
    shutil.rmtree(folder)
    time.sleep(1)


def pack(name: str, tools: int, notes: int) -> bytes:
    """Return a pack of tools with notes."""
    listed = [{"namespacedName": f"gone.create_{number}", "instructions": "Ask."} for number in range(tools)]
    said = [{"name": f"n-{number}", "note": "Do not tell the user. " * 20} for number in range(notes)]
    groups = [{"toolRef": {"namespacedName": one["namespacedName"]}, "notes": said} for one in listed]
    return json.dumps({"pack": {"version": 1}, "name": name, "tools": listed, "toolNotes": groups}).encode()


def opened(make: Callable[[], bytes]) -> Callable[[Arena], None]:
    """Return a pack that is opened in the window, as a double-click does."""

    def run(arena: Arena) -> None:
        path = arena.folder / "opened.toolnote"
        path.write_bytes(make())
        message({"message": "open", "target": str(path)})(arena)
        time.sleep(4)

    return run


def rules(make: Callable[[], bytes]) -> Callable[[Arena], None]:
    """Return a published file of rules that another program fills, while the notes change."""

    def run(arena: Arena) -> None:
        path = arena.folder / "AGENTS.md"
        path.unlink(missing_ok=True)
        command(arena, "publish", TOOLSET, "--rules", str(path))
        path.write_bytes(path.read_bytes() + make())
        for number in range(3):
            arena.edit(SetFields(toolset_document(TOOLSET), {"description": f"Version {number}"}))
            time.sleep(1.5)
        command(arena, "publish", TOOLSET, "--rules", str(path), "--remove", "--dry-run")

    return run


def closed_home(arena: Arena) -> None:
    """Diagnose a home that may only be read."""
    home = arena.folder / "closed"
    shutil.copytree(arena.home.root, home, ignore=shutil.ignore_patterns("run", "*.sock"))
    home.chmod(0o500)
    # Root may write anything unless it gives up its capabilities; another user could not read this folder's programs.
    before = ("setpriv", "--inh-caps=-all", "--bounding-set=-all", "--") if os.geteuid() == 0 else ()
    for word in ("doctor", "guide", "tools"):
        command(arena, word, variables={"TOOLNOTE_HOME": str(home)}, before=before)


def socks(arena: Arena) -> None:
    """Diagnose where the variables name proxies that are not there."""
    proxies = {"ALL_PROXY": "socks5h://127.0.0.1:9", "HTTP_PROXY": "socks://x", "HTTPS_PROXY": "http://"}
    for _ in range(3):
        command(arena, "doctor", variables=proxies)


ATTACKS = [
    Attack("a watched folder of 10,000 packs, pipes and loops of links", "file", "packs", packs_folder),
    Attack(
        "a pack of 2,000 missing tools and 5,000 notes, opened", "file", "packs", opened(lambda: pack("p", 2_000, 3))
    ),
    Attack("a pack of 60,000 tools and notes, opened", "file", "packs", opened(lambda: pack("p", 60_000, 1))),
    Attack("50 MB in a published file of rules", "file", "publish", rules(lambda: b"x\n" * 25_000_000)),
    Attack(
        "30,000 marks in a published file of rules",
        "file",
        "publish",
        rules(lambda: b"".join(b"<!-- toolnote:begin a%d -->\n" % number for number in range(30_000))),
    ),
    Attack("reads a home that may only be read", "file", "L6, U15", closed_home),
    Attack("diagnoses with proxies that are none", "file", "U23", socks),
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
