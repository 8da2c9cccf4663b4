"""Finding and starting a server's program, and ending it with everything it has started."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial

from msgspec import Struct

from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.servers import Server
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.aio.worker_thread import WorkerThread
from toolnote_desktop.system.base import Launch, Platform
from toolnote_desktop.system.children import ChildRecord
from toolnote_desktop.system.environment import prepend_folder
from toolnote_desktop.system.process_tree import ProcessTree, refresh_all, start_time

log = logging.getLogger(__name__)

_POLL = 0.02

SCAN_INTERVAL = 60.0
"""Seconds between two looks at what the children have started, and …"""

SCAN_AFTER_START = 1.0
"""… after one was started."""

_DOWNLOADERS = frozenset("npx npm pnpm pnpx yarn bunx bun deno uvx uv pipx docker podman".split())  # noqa: SIM905


class ProcessTimeouts(Struct, frozen=True):
    """Seconds that a child is given to end: after its stdin is closed, and after it was asked to."""

    after_eof: float = 1.5
    after_terminate: float = 1.5
    after_kill: float = 1.0


_QUIT_TIMEOUTS = ProcessTimeouts(after_eof=0.8, after_terminate=0.8)
"""When the app ends, which has five seconds for everything."""


class ChildProgram(Struct, frozen=True):
    """A program, found, with everything that is needed to start it."""

    launch: Launch
    environment: Mapping[str, str]
    folder: str


class Children:
    """The children of one run: guarded, on record, ended to the last grandchild."""

    def __init__(self, home: Home, platform: Platform, worker: WorkerThread) -> None:
        self._record = ChildRecord(home)
        self._guard = platform.child_guard()
        self._worker = worker
        self._trees: dict[int, ProcessTree] = {}
        self._guarded: dict[int, set[int]] = {}  # groups beside a child's own that are under guard
        self._started = asyncio.Event()
        self._hurry = False

    def add(self, pid: int, server: str) -> ProcessTree:
        """A child was started."""
        self._guard.add(pid)
        self._update_record(lambda: self._record.add(pid, server))
        tree = self._trees[pid] = ProcessTree(pid)
        self._started.set()
        return tree

    async def track_descendants(self) -> None:
        """Now and then note what the children have started outside their groups, until cancelled.

        When a child has crashed it can no longer be told what was its own; after a kill of ours, nor by the next start.
        """
        while True:
            try:
                async with asyncio.timeout(SCAN_INTERVAL if self._trees else None):
                    await self._started.wait()
                self._started.clear()
                await asyncio.sleep(SCAN_AFTER_START)
            except TimeoutError:
                pass
            await self.look(*self._trees.values())

    async def look(self, *trees: ProcessTree) -> None:
        """Note what these children have started outside their groups: under guard first, then on record."""
        for pid, outside in (await self._worker.run(lambda: _outside_groups(trees))).items():
            if pid in self._trees:
                self._guard_groups(pid, {stray for stray, _ in outside if _is_group_leader(stray)})
                self._update_record(partial(self._record.set_strays, pid, outside))

    def _guard_groups(self, pid: int, groups: set[int]) -> None:
        before = self._guarded.get(pid, set())
        for group in groups - before:
            self._guard.add(group)
        for group in before - groups:
            self._guard.remove(group)
        self._guarded[pid] = groups

    async def end(self, tree: ProcessTree, exited: asyncio.Event, timeouts: ProcessTimeouts) -> None:
        """End a child whose stdin is closed, its group and its strays; returns when none is left.

        What it has started was to be looked at before its stdin was closed: it may be gone by now.

        Args:
            exited: set when the child itself has been waited for.
        """
        gone = await self._wait_gone(tree, exited, self._effective(timeouts).after_eof)
        if not gone:
            await self._worker.run(tree.refresh)
            tree.terminate()
            gone = await self._wait_gone(tree, exited, self._effective(timeouts).after_terminate)
        if not gone:
            await self._worker.run(tree.refresh)
            tree.kill()
            await self._wait_gone(tree, exited, timeouts.after_kill)
        self._trees.pop(tree.pid, None)
        self._guard_groups(tree.pid, set())
        del self._guarded[tree.pid]
        self._guard.remove(tree.pid)
        await asyncio.wrap_future(self._update_record(lambda: self._record.remove(tree.pid)))

    def shorten_timeouts(self) -> None:
        """The app ends: what is ended from now on has less time."""
        self._hurry = True

    def _effective(self, timeouts: ProcessTimeouts) -> ProcessTimeouts:
        if not self._hurry:
            return timeouts
        return ProcessTimeouts(
            min(timeouts.after_eof, _QUIT_TIMEOUTS.after_eof),
            min(timeouts.after_terminate, _QUIT_TIMEOUTS.after_terminate),
        )

    def kill(self) -> None:
        """End all of them on the spot. From any thread, where there is no time left for more."""
        for tree in list(self._trees.values()):
            tree.kill()

    async def _wait_gone(self, tree: ProcessTree, exited: asyncio.Event, timeout: float) -> bool:
        """Whether all of it has gone within ``timeout`` seconds. Groups say nothing when they end: they are asked."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        try:
            async with asyncio.timeout_at(deadline):
                await exited.wait()
        except TimeoutError:
            return False
        polls = 0
        while tree.alive():
            if loop.time() >= deadline:
                return False
            await asyncio.sleep(_POLL)
            polls += 1
            # Zombies that nobody waits for (a container without an init) keep their group's id for ever.
            if polls % 5 == 0 and await self._worker.run(tree.is_dead):
                return True
        return True

    def _update_record(self, change: Callable[[], None]) -> Future[None]:
        def write() -> None:
            try:
                change()
            except OSError as error:  # a full disk, say; the record only matters if this process is killed
                log.warning("the record of server processes could not be written: %s", error)

        return self._worker.submit(write)

    def close(self) -> None:
        """All children are gone. Blocks for a moment."""
        self._guard.close()


def _outside_groups(trees: tuple[ProcessTree, ...]) -> dict[int, list[tuple[int, float]]]:
    """The processes outside the groups of some children that are theirs, by child: ids and start times."""
    refresh_all(trees)
    strays: dict[int, list[tuple[int, float]]] = {}
    for tree in trees:
        outside = [(process.pid, start_time(process.pid)) for process in tree.outside()]
        strays[tree.pid] = [(pid, started) for pid, started in outside if started is not None]
    return strays


def _is_group_leader(pid: int) -> bool:
    try:
        return sys.platform != "win32" and os.getpgid(pid) == pid
    except OSError:
        return False


def find_program(server_id: str, server: Server, environment: Mapping[str, str], platform: Platform) -> ChildProgram:
    """The program of an expanded entry, looked up on the PATH that the child will have.

    Raises:
        ToolnoteError: ``server-entry-invalid`` (what no program can be given), ``folder-missing``, ``program-missing``
            (with the PATH searched) or ``program-not-started``.
    """
    _check_launchable(server_id, server)
    folder = os.path.expanduser(server.cwd) if server.cwd else os.path.expanduser("~")
    if not os.path.isdir(folder):
        raise ToolnoteError(Code.FOLDER_MISSING, server=server_id, folder=folder)
    child = platform.child_environment(environment, server.env)
    command = server.command or ""
    program = platform.find_program(command, child, folder)
    if program is None:
        raise ToolnoteError(Code.PROGRAM_MISSING, server=server_id, program=command, path=child.get("PATH", ""))
    if not os.path.isfile(program) or not os.access(program, os.X_OK):
        reason = "it is a folder" if os.path.isdir(program) else "it is not executable"
        raise ToolnoteError(Code.PROGRAM_NOT_STARTED, server=server_id, program=program, reason=reason)
    # `npx` by its full path still needs the `node` beside it (case C43).
    path_name = next((name for name in child if name.upper() == "PATH"), "PATH")
    child[path_name] = prepend_folder(child.get(path_name), os.path.dirname(program))
    return ChildProgram(platform.launch(program, server.args), child, folder)


def _check_launchable(server_id: str, server: Server) -> None:
    """Whether a system can hand all of it to a program: never the value in what is said, which may be a secret."""
    fields = {"command": server.command or "", "cwd": server.cwd or ""}
    fields |= {f"args[{number}]": text for number, text in enumerate(server.args)}
    fields |= {f"env.{name}": f"{name}{value}" for name, value in server.env.items()}
    for field, text in fields.items():
        reason = "it has a null character" if "\0" in text else None
        try:
            os.fsencode(text)
        except UnicodeEncodeError:
            reason = "it has broken characters, which are no Unicode"
        if reason is not None:
            raise ToolnoteError(Code.SERVER_ENTRY_INVALID, server=server_id, field=field, reason=reason)
    for name in server.env:
        if not name or "=" in name:
            reason = "the name of a variable is not empty and has no ="
            raise ToolnoteError(Code.SERVER_ENTRY_INVALID, server=server_id, field=f"env.{name}", reason=reason)


def is_downloader(server: Server) -> bool:
    """Whether the first start may have to fetch the server from the net (npx, uvx, docker and their like)."""
    name = os.path.basename((server.command or "").replace("\\", "/")).lower()
    return name.removesuffix(".exe").removesuffix(".cmd") in _DOWNLOADERS
