"""All clients that Toolnote can find, import from and install into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolnote_desktop.assistants.known import (
    amazon_q,
    claude_code,
    claude_desktop,
    cline,
    codex,
    continue_dev,
    copilot_cli,
    cursor,
    gemini_cli,
    goose,
    junie,
    kiro,
    lm_studio,
    opencode,
    roo,
    vscode,
    windsurf,
    zed,
)
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.model.problem import Code, ToolnoteError

_ALL = (
    claude_desktop,
    claude_code,
    cursor,
    vscode,
    windsurf,
    cline,
    roo,
    zed,
    gemini_cli,
    codex,
    lm_studio,
    goose,
    continue_dev,
    amazon_q,
    kiro,
    junie,
    copilot_cli,
    opencode,
)

CLIENTS: Final[Mapping[str, KnownClient]] = {known.CLIENT.id: known.CLIENT for known in _ALL}
"""By id, in the order in which they are shown."""


def known_client(client: str) -> KnownClient:
    """The client with this id.

    Raises:
        ToolnoteError: ``client-unknown``.
    """
    if client not in CLIENTS:
        raise ToolnoteError(Code.CLIENT_UNKNOWN, client=client, known=", ".join(CLIENTS))
    return CLIENTS[client]
