"""Clients that Toolnote can find, import from and install into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolnote_desktop.assistants.known import (
    amazon_q,
    claude_code,
    claude_desktop,
    codex,
    continue_dev,
    copilot_cli,
    cursor,
    gemini_cli,
    goose,
    hermes,
    junie,
    kiro,
    lm_studio,
    opencode,
    plain_json,
    vscode,
    vscode_extensions,
    windsurf,
    zed,
)
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.model.problem import Code, ToolnoteError

_ALL = (
    claude_desktop.CLIENT,
    claude_code.CLIENT,
    cursor.CLIENT,
    vscode.CLIENT,
    windsurf.CLIENT,
    vscode_extensions.CLINE,
    vscode_extensions.ROO,
    vscode_extensions.ZOO,
    zed.CLIENT,
    gemini_cli.GEMINI,
    plain_json.ANTIGRAVITY,
    gemini_cli.QWEN,
    codex.CLIENT,
    codex.GROK,
    lm_studio.CLIENT,
    goose.CLIENT,
    continue_dev.CLIENT,
    amazon_q.CLIENT,
    kiro.CLIENT,
    junie.CLIENT,
    copilot_cli.CLIENT,
    opencode.CLIENT,
    opencode.KILO,
    plain_json.WARP,
    plain_json.AMP,
    plain_json.CRUSH,
    plain_json.DROID,
    plain_json.KIMI,
    hermes.CLIENT,
    plain_json.JAN,
    plain_json.ANYTHINGLLM,
    plain_json.WITSY,
)

CLIENTS: Final[Mapping[str, KnownClient]] = {client.id: client for client in _ALL}
"""Known clients by id, in the order in which they are shown."""


def known_client(client: str) -> KnownClient:
    """Return the client with this id.

    Raises:
        ToolnoteError: ``client-unknown``.
    """
    if client not in CLIENTS:
        raise ToolnoteError(Code.CLIENT_UNKNOWN, client=client, known=", ".join(CLIENTS))
    return CLIENTS[client]
