"""Reader of guides and instructions: Toolnote's own tools as it sees them, its record with tools, its preferences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from toolnote_desktop.guidance.discovery import is_searched
from toolnote_desktop.guidance.served_tools import ChosenTool, ServedTool
from toolnote_desktop.model.clients import Client
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.preferences import LANGUAGE_NAMES, NO_PREFERENCES, Preferences
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import own_tools
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.tools.hints import READ_ONLY
from toolnote_desktop.model.toolsets.toolset import Toolset

FAMILIAR_CALLS: Final = 10
"""Calls of a tool without a fault after which guides for a client describe it in short."""


class Reader(Struct, frozen=True):
    """Reader.

    Attributes:
        is_connected: it calls tools natively; False: the text is copied to an assistant without MCP.
        own_tools: Toolnote's own tools that it is served: name without prefix -> name as it sees it.
        is_lazy: the tools are not in its list; it finds and calls them with ``search-tools`` and ``call-tool``.
        familiar: tools whose last ten calls by it had no fault.
        faulty: tools whose last calls by it had faults.
        used: task type -> tools used for such tasks before, with the number of calls.
    """

    is_connected: bool = False
    own_tools: Mapping[str, str] = field(default_factory=dict)
    is_lazy: bool = False
    preferences: Preferences = NO_PREFERENCES
    familiar: frozenset[ToolKey] = frozenset()
    faulty: frozenset[ToolKey] = frozenset()
    used: Mapping[str, Mapping[ToolKey, int]] = field(default_factory=dict)

    @property
    def key(self) -> tuple[object, ...]:
        """Value that is equal for readers of the same texts."""
        used = tuple((kind, tuple(sorted(tools.items()))) for kind, tools in sorted(self.used.items()))
        own = tuple(sorted(self.own_tools.items()))
        rest = (self.familiar, self.faulty, used)
        return (self.is_connected, own, self.is_lazy, _text(self.preferences), *rest)


WITHOUT_MCP: Final = Reader()
"""Reader that no client is: the text is copied."""


def copying_reader(snapshot: Snapshot) -> Reader:
    """Return the reader of a text that the user copies to an assistant without MCP."""
    return Reader(preferences=snapshot.settings.preferences)


def client_reader(snapshot: Snapshot, client: Client | None, toolset: Toolset | None, dialect: Dialect) -> Reader:
    """Return the reader that a client of ``clients.json`` is, as the proxy sees it; None: the run's own token."""
    settings, is_lazy = snapshot.settings, is_searched(snapshot, client, toolset, dialect)
    records = own_tools(settings, client, is_searched=is_lazy)
    reserved = {one.id: name for one in records for name in snapshot.catalogue.reserved if name.endswith(one.id)}
    own = {one.id: dialect.shown_name(reserved.get(one.id, one.id)) for one in records}
    preferences = client.preferences.over(settings.preferences) if client is not None else settings.preferences
    return Reader(is_connected=True, own_tools=own, is_lazy=is_lazy, preferences=preferences)


def preference_sentences(preferences: Preferences, tools: Iterable[ChosenTool | ServedTool]) -> Iterator[str]:
    """Yield the sentences that tell an assistant the user's preferences, with the names of tools as it sees them."""
    names: dict[str, str] = {}
    changing = False
    for tool in tools:
        names[tool.known.tool.namespaced_name] = tool.name
        changing = changing or not reads_only(tool)
    if preferences.language is not None:
        language = LANGUAGE_NAMES[preferences.language]
        yield f"Write to the user, and notes for them, in {language}."
    if preferences.ask_before_changes and changing:
        yield "Before a call that may change something, say what you are about to do and ask the user."
    if always := [names[one] for one in preferences.always if one in names]:
        yield f"Where it fits, the user prefers {', '.join(always)} to other tools."
    if never := [names[one] for one in preferences.never if one in names]:
        yield f"Do not use {', '.join(never)} unless the user names it."


def reads_only(tool: ChosenTool | ServedTool) -> bool:
    """Return True if a tool only reads, by the user's hint, else the server's."""
    own = tool.entry.hints.get(READ_ONLY)
    if isinstance(own, bool):
        return own
    annotations = tool.known.tool.definition.get("annotations")
    return isinstance(annotations, dict) and annotations.get(READ_ONLY) is True


def _text(preferences: Preferences) -> str:
    return repr(preferences.to_json())
