"""All clients that Toolnote can find, import from and install into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolnote_desktop.assistants.client import KnownClient
from toolnote_desktop.assistants.known import claude_desktop, cursor, vscode
from toolnote_desktop.model.problem import Code, ToolnoteError

_ALL = (claude_desktop, cursor, vscode)

CLIENTS: Final[Mapping[str, KnownClient]] = {known.CLIENT.id: known.CLIENT for known in _ALL}
"""By id, in the order in which they are shown."""


def known_client(client: str) -> KnownClient:
    """The client with this id.

    Raises:
        ToolnoteError: ``client-unknown``.
    """
    if client not in CLIENTS:
        raise ToolnoteError(Code.CLIENT_UNKNOWN, client=client)
    return CLIENTS[client]
