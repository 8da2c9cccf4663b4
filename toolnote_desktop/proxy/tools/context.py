"""Context of a built-in tool's call: caller and library."""

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


class ToolsetChoices(Protocol):
    """Choice of toolsets by callers.

    Attributes:
        run_toolset: value of ``serve --toolset``, in use for all clients without a toolset of their own.
    """

    run_toolset: str | None

    def toolset_name(self, principal: Principal, snapshot: Snapshot) -> str | None:
        """Return the name of the toolset in use, which may not exist; None for no toolset."""

    def choose(self, principal: Principal, name: str | None) -> Submitted:
        """Choose another toolset, or none."""


class ToolContext(Struct, frozen=True):
    """Context of one call."""

    library: Library
    principal: Principal
    choices: ToolsetChoices
    guidance: ClientGuidance

    @property
    def dialect(self) -> Dialect:
        """Dialect of the caller."""
        return self.guidance.dialect(self.snapshot, self.principal)

    @property
    def snapshot(self) -> Snapshot:
        """Newest state of the library."""
        return self.library.snapshot

    @property
    def toolset(self) -> Toolset | None:
        """Toolset in use for the caller."""
        name = self.choices.toolset_name(self.principal, self.snapshot)
        return self.snapshot.toolsets.get(name) if name else None

    @property
    def client(self) -> Client | None:
        """Entry of the caller in ``clients.json``."""
        return self.snapshot.clients.get(self.principal.client) if self.principal.client else None

    @property
    def withheld(self) -> frozenset[str]:
        """Servers whose own instructions the caller is not sent."""
        return frozenset(self.client.without_instructions if self.client is not None else ())

    @property
    def origin(self) -> Origin:
        """Origin of its edits."""
        return Origin(self.principal.author)


def now() -> str:
    """Return the time in the format of documents: ISO 8601 in UTC, whole seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
