"""Child processes of stdio servers: finding the program, and ending it together with all its descendants."""

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
from toolnote_desktop.system.environment import prepend_folder, withheld_names
from toolnote_desktop.system.process_marks import ProcessMark, new_mark, set_subreaper
from toolnote_desktop.system.process_tree import ProcessTree, refresh_all, start_time

log = logging.getLogger(__name__)

_POLL = 0.02

SCAN_INTERVAL = 60.0
"""Seconds between two scans for descendants of the children, and …"""

SCAN_AFTER_START = 1.0
"""… after one was started."""

_DOWNLOADERS = frozenset("npx npm pnpm pnpx yarn bunx bun deno uvx uv pipx docker podman".split())  # noqa: SIM905


class ProcessTimeouts(Struct, frozen=True):
    """Seconds that a child may take to exit: after its stdin is closed, after SIGTERM, and after SIGKILL."""

    after_eof: float = 1.5
    after_terminate: float = 1.5
    after_kill: float = 1.0


_QUIT_TIMEOUTS = ProcessTimeouts(after_eof=0.8, after_terminate=0.8)
"""Upper limits while the app quits, which may take five seconds in all."""


class ChildProgram(Struct, frozen=True):
    """Program that was found, with everything that is needed to start it.

    Attributes:
        withheld: variables of the user that it does not get, because its entry does not name them.
    """

    launch: Launch
    environment: Mapping[str, str]
    folder: str
    withheld: tuple[str, ...] = ()


class Children:
    """Child processes of one run: guarded, recorded, and ended down to the last descendant."""

    def __init__(self, home: Home, platform: Platform, worker: WorkerThread) -> None:
        self._home = home
        self._record = ChildRecord(home)
        self._guard = platform.child_guard()
        self._worker = worker
        self._trees: dict[int, ProcessTree] = {}
        self._guarded: dict[int, set[int]] = {}  # groups beside a child's own that are under guard
        self._started = asyncio.Event()
        self._is_quitting = False
        self._has_orphans = False
        self._to_refresh: list[ProcessTree] = []
        self._refreshing: Future[None] | None = None

    def new_mark(self) -> ProcessMark:
        """Return the mark for the next child. From now on its orphans, and those of all that we start, are ours."""
        set_subreaper(True)
        return new_mark(self._home)

    def add(self, pid: int, server: str, mark: ProcessMark) -> ProcessTree:
        """Register a child that was started with a mark."""
        set_subreaper(True)
        self._guard.add(pid)
        self._update_record(lambda: self._record.add(pid, server))
        tree = self._trees[pid] = ProcessTree(pid, mark)
        self._started.set()
        return tree

    async def track_descendants(self) -> None:
        """Scan for descendants outside the children's groups from time to time, until cancelled.

        After a child has crashed, its descendants can no longer be determined. Orphans that outlive all children, such
        as a browser that one opened, are waited for too: they are reaped when they have ended.
        """
        while True:
            try:
                async with asyncio.timeout(SCAN_INTERVAL if self._trees or self._has_orphans else None):
                    await self._started.wait()
                self._started.clear()
                await asyncio.sleep(SCAN_AFTER_START)
            except TimeoutError:
                pass
            await self.scan(*self._trees.values())

    async def scan(self, *trees: ProcessTree) -> None:
        """Scan for descendants of these children outside their groups; guard them first, then record them."""
        outside_pids, own = await self._worker.run(lambda: _outside_groups(trees))
        self._has_orphans = bool(own - self._trees.keys() - {self._guard.pid})
        for pid, outside in outside_pids.items():
            if pid in self._trees:
                self._guard_groups(pid, {outside_pid for outside_pid, _ in outside if _is_group_leader(outside_pid)})
                self._update_record(partial(self._record.set_strays, pid, outside))

    def _guard_groups(self, pid: int, groups: set[int]) -> None:
        before = self._guarded.get(pid, set())
        for group in groups - before:
            self._guard.add(group)
        for group in before - groups:
            self._guard.remove(group)
        self._guarded[pid] = groups

    async def end(self, tree: ProcessTree, exited: asyncio.Event, timeouts: ProcessTimeouts) -> None:
        """End a child whose stdin is closed, its group and its descendants; returns when none is left.

        Its descendants must have been scanned before its stdin was closed: it may have exited by now.

        Args:
            exited: set when the child itself has been reaped.
        """
        effective = self._effective(timeouts)
        for action, seconds in (
            (None, effective.after_eof),
            (tree.terminate, effective.after_terminate),
            (tree.kill, timeouts.after_kill),
            (tree.kill, timeouts.after_kill),
        ):
            if action is not None:
                action()
            gone = await self._wait_gone(tree, exited, seconds)
            await self._refresh(tree)  # also what was orphaned meanwhile
            if gone and not tree.outside():
                break
        self._trees.pop(tree.pid, None)
        if not self._trees:  # what is opened for the user now is init's, as usual
            set_subreaper(False)
        self._guard_groups(tree.pid, set())
        del self._guarded[tree.pid]
        self._guard.remove(tree.pid)
        await asyncio.wrap_future(self._update_record(lambda: self._record.remove(tree.pid)))

    async def _refresh(self, tree: ProcessTree) -> None:
        """Record the tree's descendants. Callers that wait at the same time share one reading of the process table."""
        self._to_refresh.append(tree)
        if self._refreshing is None or self._refreshing.running() or self._refreshing.done():
            self._refreshing = self._worker.submit(self._refresh_all)
        await asyncio.wrap_future(self._refreshing)

    def _refresh_all(self) -> None:
        trees, self._to_refresh = self._to_refresh, []
        refresh_all(trees)

    def shorten_timeouts(self) -> None:
        """Give children less time from now on, because the app quits."""
        self._is_quitting = True

    def _effective(self, timeouts: ProcessTimeouts) -> ProcessTimeouts:
        if not self._is_quitting:
            return timeouts
        return ProcessTimeouts(
            min(timeouts.after_eof, _QUIT_TIMEOUTS.after_eof),
            min(timeouts.after_terminate, _QUIT_TIMEOUTS.after_terminate),
        )

    def kill(self) -> None:
        """Kill all children at once. May be called from any thread."""
        for tree in list(self._trees.values()):
            tree.kill()

    async def _wait_gone(self, tree: ProcessTree, exited: asyncio.Event, timeout: float) -> bool:
        """Return True if the tree exits within ``timeout`` seconds. Groups signal no end, so they are polled."""
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
            # Zombies that are never reaped (a container without an init) hold their group's id for ever.
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
        """Release the guard after all children have exited. Blocks briefly."""
        self._guard.close()


def _outside_groups(trees: tuple[ProcessTree, ...]) -> tuple[dict[int, list[tuple[int, float]]], frozenset[int]]:
    """Return the descendants outside their groups by child (process ids and start times), and the ids of all children
    of this process.
    """
    own = refresh_all(trees)
    outside_pids: dict[int, list[tuple[int, float]]] = {}
    for tree in trees:
        outside = [(process.pid, start_time(process.pid)) for process in tree.outside()]
        outside_pids[tree.pid] = [(pid, started) for pid, started in outside if started is not None]
    return outside_pids, own


def _is_group_leader(pid: int) -> bool:
    try:
        return sys.platform != "win32" and os.getpgid(pid) == pid
    except OSError:
        return False


def find_program(server_id: str, server: Server, environment: Mapping[str, str], platform: Platform) -> ChildProgram:
    """Find the program of an expanded entry on the PATH that the child will have.

    Raises:
        ToolnoteError: ``server-entry-invalid`` (values that cannot be passed to a process), ``folder-missing``,
            ``program-missing`` (with the PATH searched) or ``program-not-started``.
    """
    _check_launchable(server_id, server)
    folder = os.path.expanduser(server.cwd) if server.cwd else os.path.expanduser("~")
    if os.path.isfile(folder):
        raise ToolnoteError(
            Code.SERVER_ENTRY_INVALID, server=server_id, field="cwd", reason="it is a file, not a folder"
        )
    if not os.path.isdir(folder):
        raise ToolnoteError(Code.FOLDER_MISSING, server=server_id, folder=folder)
    child = platform.child_environment(environment, server.env, server.toolnote.inherit)
    command = server.command or ""
    program = platform.find_program(command, child, folder)
    if program is None:
        path = "" if os.path.dirname(command) else child.get("PATH", "")
        raise ToolnoteError(Code.PROGRAM_MISSING, server=server_id, program=command, path=path)
    if not os.path.isfile(program) or not os.access(program, os.X_OK):
        reason = "it is a folder" if os.path.isdir(program) else "it is not executable"
        raise ToolnoteError(Code.PROGRAM_NOT_STARTED, server=server_id, program=program, reason=reason)
    # `npx` by its full path still needs the `node` beside it (case C43).
    path_name = next((name for name in child if name.upper() == "PATH"), "PATH")
    child[path_name] = prepend_folder(child.get(path_name), os.path.dirname(program))
    withheld = withheld_names(environment, server.toolnote.inherit)
    return ChildProgram(platform.launch(program, server.args), child, folder, withheld)


def _check_launchable(server_id: str, server: Server) -> None:
    """Raise ToolnoteError if a value cannot be passed to a process; the message never contains it: it may be secret."""
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
    """Return True if the first start may have to download the server (npx, uvx, docker and the like)."""
    name = os.path.basename((server.command or "").replace("\\", "/")).lower()
    return name.removesuffix(".exe").removesuffix(".cmd") in _DOWNLOADERS
