"""Parsed documents for the snapshot; each is parsed again only if its raw object was replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from toolnote_desktop.model.clients import parse_clients
from toolnote_desktop.model.document import Report
from toolnote_desktop.model.edits import DocumentId, DocumentKind
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import parse_servers
from toolnote_desktop.model.settings import parse_settings
from toolnote_desktop.model.toolsets.notes import parse_everywhere
from toolnote_desktop.model.toolsets.tool_settings import parse_tool_settings
from toolnote_desktop.model.toolsets.toolset import ToolsetCache, parse_toolset


class ParsedView(Struct, frozen=True):
    """Document as a model, and the problems of its unusable parts."""

    raw: JsonObject | None
    model: Any
    problems: tuple[Problem, ...]


class ParsedViews:
    """Parsed documents of one library."""

    def __init__(self) -> None:
        self._views: dict[DocumentId, ParsedView] = {}
        self._remembered: dict[DocumentId, ToolsetCache] = {}

    def view(self, document: DocumentId, raw: JsonObject | None) -> ParsedView:
        """Return the parsed form of ``raw`` (None: no file); the same object for the same ``raw``."""
        known = self._views.get(document)
        if known is None or known.raw is not raw:
            remembered = self._remembered.setdefault(document, ToolsetCache())
            before = known.model if known is not None else None
            known = self._views[document] = _read(document, raw, remembered, before)
        return known


def _read(document: DocumentId, raw: JsonObject | None, remembered: ToolsetCache, before: Any) -> ParsedView:
    problems: list[Problem] = []

    def report(entry: str, reason: str) -> None:
        problems.append(Problem(Code.FILE_ENTRY_INVALID, {"file": str(document), "entry": entry, "reason": reason}))

    if document.kind is DocumentKind.TOOLSET:
        model: Any = parse_toolset(str(document.name), raw or {}, report, remembered)
    elif document.kind is DocumentKind.TOOLS:
        model = parse_tool_settings(raw or {}, report, before)
    else:
        reader = _READERS.get(document.kind)
        model = reader(raw or {}, report) if reader is not None else raw
    return ParsedView(raw, model, tuple(problems))


_READERS: dict[DocumentKind, Callable[[Mapping[str, Any], Report], Any]] = {
    DocumentKind.SERVERS: parse_servers,
    DocumentKind.SETTINGS: parse_settings,
    DocumentKind.CLIENTS: parse_clients,
    DocumentKind.NOTES: parse_everywhere,
}
