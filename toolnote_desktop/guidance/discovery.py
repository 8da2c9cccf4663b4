"""Discovery: a client is listed its tools in full, or finds them by searching (docs/contract.md 7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from toolnote_desktop.guidance.served_tools import ChosenTool, ServedTool, Serving, chosen_tools
from toolnote_desktop.guidance.tokens import estimate_definition_tokens, estimate_tokens
from toolnote_desktop.model.clients import Client, Discovery
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import own_tools
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.tools.hints import ALWAYS_LOAD
from toolnote_desktop.model.tools.tool_records import ToolRecord
from toolnote_desktop.model.toolsets.toolset import Toolset

CONTEXT_SHARE: Final = 0.05
"""Share of a client's context above which its list is too large for *Automatic*."""


OWN_TOKENS: Final = {
    "list-available-tools": 105,
    "build-toolset": 533,
    "list-saved-toolsets": 74,
    "equip-toolset": 117,
    "delete-toolset": 263,
    "unequip-toolset": 73,
    "get-active-toolset": 76,
    "add-tool-annotation": 294,
    "update-tool-annotation": 244,
    "remove-tool-annotation": 208,
    "list-tool-annotations": 159,
    "get-tool-guide": 325,
    "search-tools": 202,
    "call-tool": 171,
}
"""Tokens of the definitions of Toolnote's own tools, which the window does not import."""


def own_tokens(own: Iterable[ToolRecord]) -> int:
    """Return an estimate of what Toolnote's own tools cost in a list, the user's texts on them among it."""
    return sum(OWN_TOKENS[one.id] + estimate_tokens(one.instructions) for one in own)


def discovery_of(settings: Settings, client: Client | None) -> Discovery:
    """Return a client's discovery: the user's choice; None is the run's own token."""
    if settings.lazy_mode:
        return "search"
    return (client.discovery if client is not None else None) or "full"


def is_searched(
    snapshot: Snapshot,
    client: Client | None,
    toolset: Toolset | None,
    dialect: Dialect,
    chosen: Sequence[ChosenTool] | None = None,
) -> bool:
    """Return True if a client finds its tools by searching.

    Args:
        chosen: its tools, where they are known.
    """
    discovery = discovery_of(snapshot.settings, client)
    if discovery != "auto":
        return discovery == "search"
    return is_list_too_large(snapshot, client, toolset, dialect, chosen)


def is_list_too_large(
    snapshot: Snapshot,
    client: Client | None,
    toolset: Toolset | None,
    dialect: Dialect,
    chosen: Sequence[ChosenTool] | None = None,
) -> bool:
    """Return True if a list passes the client's tool limit, or costs more than ``CONTEXT_SHARE`` of its context.

    Toolnote's own tools count as well.
    False for a client that loads tools on demand by itself, and where neither figure is known.
    """
    if dialect.loads_on_demand or (dialect.tool_limit is None and dialect.context_tokens is None):
        return False
    tools = chosen_tools(snapshot, toolset, dialect) if chosen is None else chosen
    own = own_tools(snapshot.settings, client, is_searched=False)
    if dialect.tool_limit is not None and len(tools) + len(own) > dialect.tool_limit:
        return True
    if dialect.context_tokens is None:
        return False
    serving, left = Serving(snapshot, toolset, dialect), dialect.context_tokens * CONTEXT_SHARE
    left -= own_tokens(own)
    for tool in tools:  # ends with the limit: a list of thousands costs no more than one of some dozens
        left -= estimate_definition_tokens(serving.serve(tool).definition, dialect.family)
        if left < 0:
            return True
    return False


def is_always_listed(tool: ChosenTool | ServedTool) -> bool:
    """Return True if a tool is listed for clients that search, too: by its switch, or as one that asks first."""
    return tool.entry.approval == "ask" or tool.entry.hints.get(ALWAYS_LOAD) is True
