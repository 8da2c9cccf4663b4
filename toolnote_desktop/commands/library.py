"""Library as commands use it: opened, edited, and saved before the command ends."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

from msgspec import Struct, convert, field

from toolnote_desktop import log
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.bridge.app_discovery import read_endpoint
from toolnote_desktop.commands.output import print_problem
from toolnote_desktop.model.edits import CATALOG, Edit
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.servers import secret_values
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.paths import DEFAULT_PORT, SERVED_PATH, Home
from toolnote_desktop.proxy.client_guidance import ClientGuidance
from toolnote_desktop.proxy.principal import Principal
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


SERVED_SECONDS: Final = 10.0
_SERVED_BYTES: Final = 1024 * 1024


class ServedState(Struct, frozen=True):
    """State of the running app that is in no document.

    Attributes:
        toolset: toolset of ``serve --toolset``.
        clients: client -> names and versions that it gave; "" is the run's own token.
    """

    toolset: str | None = None
    clients: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)


def served_state(home: Home) -> ServedState:
    """Ask the app that owns this home for its state; it writes its documents first, so that they are those served.

    Where none runs, or it does not answer, the documents are all there is.
    """
    running = read_endpoint(home)
    if running is None:
        return ServedState()
    connection = http.client.HTTPConnection(running.host, running.port, timeout=SERVED_SECONDS)
    try:
        headers = {"Authorization": f"Bearer {running.secret}", "Host": running.authority}
        connection.request("POST", SERVED_PATH, headers=headers)
        response = connection.getresponse()
        body = response.read(_SERVED_BYTES)
        return convert(json.loads(body), ServedState) if response.status == HTTPStatus.OK else ServedState()
    except (OSError, http.client.HTTPException, ValueError):
        return ServedState()
    finally:
        connection.close()


def client_guidance(home: Home, state: ServedState, client: str | None) -> ClientGuidance:
    """Return the dialects as the running app chooses them for a client."""
    guidance = ClientGuidance.of(home)
    given = state.clients.get(client or "", {})
    versions = given.get("versions") or ("",)
    for name in given.get("names", ()):
        for version in versions:
            guidance.introduce(Principal(client), {"name": name, "version": version})
    return guidance


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
