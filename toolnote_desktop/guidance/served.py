"""What a toolset makes of the catalogue: the tools that a client is served, and what cannot be served and why.

The window's preview, the ``tools`` command and the proxy all ask here, so that they cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass

from toolnote_desktop.guidance.hydrate import NoteIndex, hydrated
from toolnote_desktop.model.catalogue import KnownTool
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.notes import AppliedNote
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolset import ToolEntry, Toolset


@dataclass(frozen=True, slots=True)
class ServedTool:
    """One tool as a client of this toolset sees it.

    Attributes:
        notes: every note that holds for it, the switched-off ones too.
        definition: what ``tools/list`` gives for it.
    """

    known: KnownTool
    name: str
    notes: tuple[AppliedNote, ...]
    definition: JsonObject


@dataclass(frozen=True, slots=True)
class ResolvedEntry:
    """One entry of a toolset and what became of it: a tool, or a problem (none, ambiguous)."""

    entry: ToolEntry
    known: KnownTool | None
    problem: Problem | None


def resolve_toolset(snapshot: Snapshot, toolset: Toolset) -> tuple[ResolvedEntry, ...]:
    """Each entry of a toolset, in its order, looked up in the catalogue."""
    resolved = []
    for entry in toolset.tools:
        found = snapshot.catalogue.resolve(entry)
        label = entry.namespaced_name or entry.ref_id or "?"
        if len(found) == 1:
            resolved.append(ResolvedEntry(entry, found[0], None))
        else:
            code = Code.TOOL_AMBIGUOUS if found else Code.TOOL_NOT_FOUND
            resolved.append(ResolvedEntry(entry, None, Problem(code, {"tool": label})))
    return tuple(resolved)


def served_tools(snapshot: Snapshot, toolset: Toolset | None) -> tuple[ServedTool, ...]:
    """The upstream tools that a client of ``toolset`` is served, in the toolset's order, each once.

    Not served: entries that are switched off or unresolved, tools that a connected server no longer lists, and tools of
    servers that are switched off. Tools of a server that is offline are (CONTRACT 3).
    """
    if toolset is None:
        return ()
    index = NoteIndex(toolset, snapshot.notes, snapshot.catalogue)
    seen: set[ToolKey] = set()
    served = []
    for resolved in resolve_toolset(snapshot, toolset):
        known = resolved.known
        if known is None or not resolved.entry.enabled or known.tool.key in seen:
            continue
        seen.add(known.tool.key)
        if is_available(snapshot, known):
            served.append(_serve(snapshot, index, known))
    return tuple(served)


def is_available(snapshot: Snapshot, known: KnownTool) -> bool:
    """Whether a tool can be offered at all: its server is not switched off and has not dropped it."""
    listing = snapshot.catalogue.servers.get(known.tool.server)
    return listing is not None and known.listed and listing.status.state is not ServerState.DISABLED


def serve_tool(snapshot: Snapshot, toolset: Toolset | None, known: KnownTool) -> ServedTool:
    """One tool with the notes that hold for it in ``toolset``."""
    return _serve(snapshot, NoteIndex(toolset, snapshot.notes, snapshot.catalogue), known)


def _serve(snapshot: Snapshot, index: NoteIndex, known: KnownTool) -> ServedTool:
    notes = index.applied(known.tool)
    name = snapshot.catalogue.exposed[known.tool.key]
    definition = hydrated(known.tool.definition, name, [applied.note for applied in notes])
    return ServedTool(known, name, notes, definition)
