"""Identity of the client that sends a request."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from toolnote_desktop.model.audit import PRODUCT
from toolnote_desktop.model.hidden_characters import normalized
from toolnote_desktop.model.toolsets.notes import ASSISTANT
from toolnote_desktop.store.library import FILE_ORIGIN, REGISTRY_ORIGIN, USER_ORIGIN

_RESERVED_ORIGINS = (USER_ORIGIN, FILE_ORIGIN, REGISTRY_ORIGIN)
_RESERVED_AUTHORS = frozenset({ASSISTANT, PRODUCT, *(origin.author for origin in _RESERVED_ORIGINS)})


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
        return ASSISTANT if self.client is None else _author(self.client)


@lru_cache(1_024)
def _author(client: str) -> str:
    seen = "".join(sign for sign in normalized("NFKC", client).casefold() if sign.isalnum())
    return f"client {client}" if seen in _RESERVED_AUTHORS else client
