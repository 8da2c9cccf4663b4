"""Part *kills* of the soak: ``kill -9`` in the middle of writing, over and over; no acknowledged note is lost."""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from tests.endurance import load
from tests.servers.launch import raw_server_entry
from tests.waiting import wait_until
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.paths import Home

TOKEN = "kills-token-0123456789"
TOOL = f"{load.STEADY}.echo"
FAULTS = (OSError, load.HTTPException, ValueError, AssertionError)
"""What a writer meets when its ``serve`` is killed."""


class Kills:
    """Home whose ``serve`` is killed, with the notes that were acknowledged.

    Attributes:
        done: what was done, by what it is.
        faults: what was lost or damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.home = Home(folder / "killed")
        self.done: Counter[str] = Counter()
        self.faults: list[str] = []
        self._written: set[str] = set()
        self._stop = threading.Event()
        self.home.toolsets.mkdir(parents=True, mode=0o700)
        entry = {**raw_server_entry(), "toolnote": {"toolset": load.TOOLSET}}
        self.home.servers.write_text(json.dumps({"mcpServers": {load.STEADY: entry}}))
        self.home.settings.write_text(json.dumps({"equippedToolset": load.TOOLSET}))
        clients = {"writer": {"name": "writer", "tokenHash": hash_token(TOKEN), "toolset": None}}
        self.home.clients.write_text(json.dumps({"clients": clients}))
        self._empty_toolset()

    def _empty_toolset(self) -> None:
        """Write the toolset without notes: a tool takes 200 of an assistant's."""
        content = {"name": load.TOOLSET, "tools": [{"namespacedName": TOOL}]}
        self.home.toolset(load.TOOLSET).write_text(json.dumps(content))
        self._written.clear()

    def round(self, seconds: float) -> None:
        """Start a ``serve``, write to it and to its files, and kill it."""
        script = str(Path(__file__).parent / "measured.py")
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
        with subprocess.Popen(
            [sys.executable, script, str(self.home.root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        ) as process:
            assert process.stdout is not None
            url = json.loads(process.stdout.readline())["url"]
            self._stop.clear()
            writers = [
                threading.Thread(target=self._write_through_tools, args=(load.Target(self.home, url, TOKEN),)),
                threading.Thread(target=self._write_with_command, args=(environment,)),
            ]
            for writer in writers:
                writer.start()
            time.sleep(seconds)
            process.kill()
            self._stop.set()
            for writer in writers:
                writer.join()
        self.done["kills"] += 1
        self.check()

    def check(self) -> None:
        """Compare the documents with what was acknowledged, and remove the notes."""
        found = set()
        for path in (self.home.toolset(load.TOOLSET), self.home.servers, self.home.clients, self.home.settings):
            try:
                document = json.loads(path.read_bytes())
            except ValueError as error:
                self.faults.append(f"{path.name} is damaged: {error}")
                continue
            for tool in document.get("toolNotes", ()):
                found |= {note["name"] for note in tool["notes"]}
        if lost := self._written - found:
            self.faults.append(f"lost after kill {self.done['kills']}: {', '.join(sorted(lost))}")
        self._empty_toolset()

    def _write_through_tools(self, target: load.Target) -> None:
        reference = {"namespacedName": TOOL}
        with contextlib.suppress(*FAULTS), load.Client(target) as client:
            client.open()
            wait_until(lambda: any(tool["name"].endswith("_echo") for tool in client.request("tools/list")["tools"]))
            while not self._stop.is_set():
                name = f"t-{random.randrange(10**9)}"
                added = {"toolRef": reference, "notes": [{"name": name, "note": "x" * random.randrange(1, 2000)}]}
                if client.call("add-tool-annotation", **added).get("isError"):
                    self.faults.append(f"{name} was refused")
                    return
                self._written.add(name)
                self.done["writes of a client"] += 1
                if self.done["writes of a client"] % 10:
                    self._written.discard(name)  # in doubt until its removal is acknowledged
                    client.call("remove-tool-annotation", toolRef=reference, name=name)

    def _write_with_command(self, environment: dict[str, str]) -> None:
        while not self._stop.is_set():
            name = f"c-{random.randrange(10**9)}"
            words = ["note", "add", "--home", str(self.home.root), "--toolset", load.TOOLSET, TOOL, name, "a text"]
            command = [sys.executable, "-m", "toolnote_desktop", *words]
            with subprocess.Popen(
                command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as one:
                if random.random() < 0.3:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        one.wait(random.uniform(0.2, 1.5))
                    one.kill()
                    self.done["killed commands"] += 1
                if one.wait() == 0:
                    self._written.add(name)
                    self.done["writes of commands"] += 1


def kills(folder: Path, rounds: int) -> Kills:
    """Carry out some rounds."""
    found = Kills(folder)
    for _ in range(rounds):
        found.round(random.uniform(2.0, 5.0))
    return found
