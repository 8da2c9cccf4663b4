"""What the connect dialog works out about one assistant's file. No Qt: of a large file it is done in a thread."""

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
    """What was carried out in the dialog, so that it can be undone."""

    secret_fields: ClassVar = frozenset({"inverse"})

    prepared: PreparedChange
    inverse: tuple[Edit, ...]
    deed: ConnectAction = ConnectAction.CONNECT


class PlanRequest(Struct, frozen=True):
    """What to work out.

    Attributes:
        standing: how the file stands, where that is known; None: look.
        by_address, off: what is chosen; where it has to be looked, what is there counts.
        toolset: what is chosen for an assistant that is not connected.
        done: what was done already, and is shown instead of what could be.
    """

    client: KnownClient
    file: Path
    deed: ConnectAction
    url: str
    standing: InstallState | None = None
    by_address: bool = False
    off: frozenset[str] = frozenset()
    toolset: str | None = None
    done: CompletedChange | None = None


class PlannedChange(Struct, frozen=True):
    """The outcome. ``diff`` is of what is to be shown; ``error`` why there is nothing prepared."""

    standing: InstallState
    prepared: PreparedChange | None
    diff: str = ""
    error: ToolnoteError | None = None


def plan_change(request: PlanRequest, home: Home, identity: ToolnoteIdentity, documents: RawDocuments) -> PlannedChange:
    """Read the file, plan the change, and say what it would be."""
    client, file, standing = request.client, request.file, request.standing
    by_address, off, now = request.by_address, request.off, None
    if standing is None:
        now = standing = inspect_installation(client, file, home, identity, documents)
        by_address, off = standing.direct is not None, frozenset(standing.off)
    wish = ConnectOptions(request.deed, by_address, off, None if standing.connected else request.toolset)
    try:
        prepared = prepare_change(client, file, home, identity, documents, request.url, wish, now)
    except ToolnoteError as error:
        return PlannedChange(standing, None, error=error)
    shown = request.done.prepared if request.done is not None else prepared
    return PlannedChange(standing, prepared, shown.plan.diff())
