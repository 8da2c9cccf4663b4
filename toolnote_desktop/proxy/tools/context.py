"""What a built-in tool knows of the call: who calls, and the library."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol

from msgspec import Struct

from toolnote_desktop.model.clients import Client
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.proxy.client_guidance import ClientGuidance
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.store.library import Library, Origin, Submitted


class Choices(Protocol):
    """Which toolset a principal has, and what becomes of it when it chooses another one."""

    def toolset_name(self, principal: Principal, snapshot: Snapshot) -> str | None:
        """The name of the toolset in use, whether there is one of that name or not; None for no toolset."""

    def choose(self, principal: Principal, name: str | None) -> Submitted:
        """Use another toolset, or none."""


class ToolContext(Struct, frozen=True):
    """One call of a built-in tool."""

    library: Library
    principal: Principal
    choices: Choices
    guidance: ClientGuidance

    @property
    def dialect(self) -> Dialect:
        """How the caller is told things."""
        return self.guidance.dialect(self.snapshot, self.principal)

    @property
    def snapshot(self) -> Snapshot:
        """The newest state."""
        return self.library.snapshot

    @property
    def toolset(self) -> Toolset | None:
        """The toolset in use for the caller."""
        name = self.choices.toolset_name(self.principal, self.snapshot)
        return self.snapshot.toolsets.get(name) if name else None

    @property
    def client(self) -> Client | None:
        """The caller's entry of ``clients.json``."""
        return self.snapshot.clients.get(self.principal.client) if self.principal.client else None

    @property
    def origin(self) -> Origin:
        """What its edits are signed with."""
        return Origin(self.principal.author)


def now() -> str:
    """The time as documents have it: ISO 8601 in UTC, whole seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
