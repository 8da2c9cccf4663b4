"""State of an assistant on this computer, and changes to its settings file. Free of Qt: runs in threads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from msgspec import Struct

from toolnote_desktop.assistants.discovery import FoundClient, find_clients
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.installing import plan as installing
from toolnote_desktop.assistants.installing.connect import (
    ConnectAction,
    ConnectOptions,
    InstallState,
    PreparedChange,
    RawDocuments,
    inspect_installation,
    prepare_change,
)
from toolnote_desktop.assistants.known_client import FileRole
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.secrets.secret_repr import SecretStruct
from toolnote_desktop.paths import Home


class Surroundings(Struct, frozen=True):
    """Values that planning needs of this computer and of this Toolnote."""

    environment: Environment
    identity: ToolnoteIdentity
    home: Home
    documents: RawDocuments
    url: str


class AssistantReading(SecretStruct, frozen=True):
    """State of an assistant.

    Attributes:
        files: the settings files that it may use.
        file: the one with Toolnote's entry, or for it; None: it is not on this computer.
        state: state of that file.
        change: change that connects it, or that its entry needs; None: it is impossible, see ``problem``.
        diff: the change of the file as text, with secrets masked.
        problem: why it cannot be connected now.
        is_edited: Toolnote's entry was edited by hand in the file.
    """

    secret_fields: ClassVar = frozenset({"change"})

    client: str
    found: FoundClient | None = None
    files: tuple[Path, ...] = ()
    file: Path | None = None
    state: InstallState = InstallState()
    change: PreparedChange | None = None
    diff: str = ""
    problem: Problem | None = None
    notes: tuple[Problem, ...] = ()
    is_edited: bool = False

    @property
    def is_connected(self) -> bool:
        """True if its settings file has Toolnote's entry."""
        return self.state.connected


def find_unconnected(environment: Environment, identity: ToolnoteIdentity, clients: Iterable[str]) -> frozenset[str]:
    """Return the ids of those assistants that are on this computer without an entry of Toolnote in their settings."""
    known = [CLIENTS[one] for one in clients if one in CLIENTS]
    found = find_clients(environment, identity, known)
    return frozenset(one.client.id for one in found if one.installed and not one.connected)


def read_assistant(
    client: str,
    around: Surroundings,
    options: ConnectOptions | None = None,
    file: Path | None = None,
) -> AssistantReading:
    """Read an assistant's settings file and plan its change.

    Args:
        options: None: those of the file; for one that is not connected, all own copies of Toolnote's sources are turned
            off, so that each tool appears once.
        file: the one that the user chose.
    """
    known = CLIENTS.get(client)
    if known is None:
        return AssistantReading(client)
    found = find_clients(around.environment, around.identity, [known])[0]
    live = [one for one in found.files if one.location.role is FileRole.LIVE]
    files = tuple(one.location.file for one in live)
    own = next((one.location.file for one in live if one.own), None)
    chosen = file if file in files else own or (found.chosen.location.file if found.chosen is not None else None)
    notes = tuple(found.notes)
    if chosen is None:
        problem = found.problem if found.problem is not None else Problem(Code.CLIENT_NOT_INSTALLED, {"client": client})
        return AssistantReading(client, found, files, problem=problem, notes=notes)
    state = inspect_installation(known, chosen, around.home, around.identity, around.documents)
    if options is None:
        off = frozenset(state.off) | (frozenset() if state.connected else frozenset(state.duplicates))
        options = ConnectOptions(ConnectAction.CONNECT, state.direct is not None, off, None)
    try:
        change = prepare_change(
            known, chosen, around.home, around.identity, around.documents, around.url, options, state
        )
    except ToolnoteError as error:
        return AssistantReading(client, found, files, chosen, state, problem=error.problem, notes=notes)
    edited = any(note.code is Code.CLIENT_ENTRY_EDITED for note in change.plan.notes)
    return AssistantReading(
        client,
        found,
        files,
        chosen,
        state,
        change,
        change.plan.diff() or _made_change(client, around, chosen),
        notes=(*notes, *change.plan.notes),
        is_edited=edited,
    )


def _made_change(client: str, around: Surroundings, file: Path) -> str:
    """Return the change that Toolnote made to a file: the reverse of its removal."""
    options = ConnectOptions(ConnectAction.REMOVE, by_address=False, off=frozenset(), toolset=None)
    try:
        removal = prepare_change(
            CLIENTS[client], file, around.home, around.identity, around.documents, around.url, options
        )
    except ToolnoteError:
        return ""
    return removal.plan.inverse().diff()


def plan_removal(reading: AssistantReading, around: Surroundings) -> PreparedChange:
    """Plan the change that disconnects an assistant.

    Raises:
        ToolnoteError: its file cannot be changed.
    """
    known, file = CLIENTS[reading.client], reading.file
    if file is None:
        raise ToolnoteError(Code.CLIENT_NOT_INSTALLED, client=reading.client)
    options = ConnectOptions(ConnectAction.REMOVE, False, frozenset(), None)
    return prepare_change(known, file, around.home, around.identity, around.documents, around.url, options)


def apply_change(change: PreparedChange, home: Home) -> None:
    """Write a planned change to the assistant's file."""
    installing.apply(change.plan, home)


def revert_change(change: PreparedChange, home: Home) -> None:
    """Restore the assistant's file as it was before a change."""
    installing.undo(change.plan, home)
