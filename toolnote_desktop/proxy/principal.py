"""Identity of the client that sends a request."""

from __future__ import annotations

from msgspec import Struct

from toolnote_desktop.model.audit import signature


class Principal(Struct, frozen=True):
    """Sender of a request, as named by its token or its bridge, never by its ``clientInfo`` (docs/contract.md 1).

    Attributes:
        client: id of the client; None for the run's own token, which uses the shared toolset.
        bridge_toolset: value of the bridge's ``--toolset``.
    """

    client: str | None
    bridge_toolset: str | None = None

    @property
    def author(self) -> str:
        """Signature of its notes and edits. A client named like the user or like Toolnote gets a prefix."""
        return signature(self.client or "")
