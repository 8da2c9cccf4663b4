"""Planned change to an assistant's file, for the connect dialog. Free of Qt: runs in a thread for a large file."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from msgspec import Struct

from toolnote_desktop.assistants.installing.connect import (
    ConnectAction,
    ConnectOptions,
    InstallState,
    PreparedChange,
    RawDocuments,
    inspect_installation,
    prepare_change,
)
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.model.edits import Edit
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.secrets.secret_repr import SecretStruct
from toolnote_desktop.paths import Home


class CompletedChange(SecretStruct, frozen=True):
    """Change made in the dialog, which can be undone."""

    secret_fields: ClassVar = frozenset({"inverse"})

    prepared: PreparedChange
    inverse: tuple[Edit, ...]
    action: ConnectAction = ConnectAction.CONNECT


class PlanRequest(Struct, frozen=True):
    """Input of :func:`plan_change`.

    Attributes:
        install_state: state of the file; None: read it.
        by_address, off: chosen options; replaced by those of the file where it is read.
        toolset: chosen for an assistant that is not connected.
        done: change made already, to show instead of a planned one.
    """

    client: KnownClient
    file: Path
    action: ConnectAction
    url: str
    install_state: InstallState | None = None
    by_address: bool = False
    off: frozenset[str] = frozenset()
    toolset: str | None = None
    done: CompletedChange | None = None


class PlannedChange(Struct, frozen=True):
    """Planned change. ``diff`` is that of the change to show; ``error`` is why none is prepared."""

    install_state: InstallState
    prepared: PreparedChange | None
    diff: str = ""
    error: ToolnoteError | None = None


def plan_change(request: PlanRequest, home: Home, identity: ToolnoteIdentity, documents: RawDocuments) -> PlannedChange:
    """Read the file and plan the change."""
    client, file, install_state = request.client, request.file, request.install_state
    by_address, off, now = request.by_address, request.off, None
    if install_state is None:
        now = install_state = inspect_installation(client, file, home, identity, documents)
        by_address, off = install_state.direct is not None, frozenset(install_state.off)
    wish = ConnectOptions(request.action, by_address, off, None if install_state.connected else request.toolset)
    try:
        prepared = prepare_change(client, file, home, identity, documents, request.url, wish, now)
    except ToolnoteError as error:
        return PlannedChange(install_state, None, error=error)
    shown = request.done.prepared if request.done is not None else prepared
    return PlannedChange(install_state, prepared, shown.plan.diff())
