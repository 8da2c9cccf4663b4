"""Library as commands use it: opened, edited, and saved before the command ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from toolnote_desktop import log
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.bridge.app_discovery import read_endpoint
from toolnote_desktop.commands.output import print_problem
from toolnote_desktop.model.edits import CATALOG, Edit
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.servers import secret_values
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.paths import DEFAULT_PORT, Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.system.program import toolnote_command

# Printed by every command; problems inside a document are reported by `doctor`.
_PRINTED_AT_ONCE = (Code.FILE_UNREADABLE, Code.FILE_NOT_WRITTEN)


@contextmanager
def open_library(home: Home) -> Iterator[Library]:
    """Open the library of this home; print damaged files on stderr.

    A catalogue that cannot be saved at the end, on a full disk say, is only printed: servers are read again next time.
    """
    with Library.open(home, watch=False) as library:
        log.hide(value for server in library.snapshot.servers.values() for value in secret_values(server))
        for problem in library.snapshot.problems:
            if problem.code in _PRINTED_AT_ONCE:
                print_problem(problem)
        yield library
        try:
            library.close()
        except ToolnoteError as error:
            if error.problem.parameters.get("file") != str(CATALOG):
                raise
            print_problem(error.problem)


def save(library: Library, *edits: Edit) -> Snapshot:
    """Submit edits and wait until they are on disk.

    Raises:
        ToolnoteError: an edit does not fit, or the file could not be written.
    """
    submitted = library.submit(*edits)
    library.flush()
    submitted.saved.result(timeout=10.0)
    return submitted.snapshot


def find_toolset(snapshot: Snapshot, name: str | None) -> Toolset:
    """Return the toolset that a command names, else the shared one.

    Raises:
        ToolnoteError: ``toolset-not-found``, ``no-toolset``.
    """
    wanted = name if name is not None else snapshot.settings.equipped_toolset
    if not wanted:
        raise ToolnoteError(Code.NO_TOOLSET)
    if wanted not in snapshot.toolsets:
        raise ToolnoteError(Code.TOOLSET_NOT_FOUND, name=wanted)
    return snapshot.toolsets[wanted]


def toolnote_identity(home: Home, snapshot: Snapshot) -> ToolnoteIdentity:
    """Return the command and ports by which Toolnote's own entries are recognised (case C51)."""
    ports = {DEFAULT_PORT}
    if snapshot.settings.port:
        ports.add(snapshot.settings.port)
    running = read_endpoint(home)
    if running is not None:
        ports.add(running.port)
    return ToolnoteIdentity(ports=frozenset(ports), command=tuple(toolnote_command()))
