"""Toolsets: a named choice of tools with their notes (CONTRACT 3, a superset of hypertool-mcp's)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from toolnote_desktop.model.document import Document, Report, parse_list
from toolnote_desktop.model.notes import Note, ToolReference


class ToolEntry(ToolReference):
    """One tool in a toolset. Optional keys that belong to shaping and guidance stay in the file as they are."""

    enabled: bool = True
    category: str | None = None


class ToolNotes(Document):
    """The notes that one toolset has for one tool."""

    tool_ref: ToolReference
    notes: list[Any] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class NoteGroup:
    """One entry of ``toolNotes``, its unusable notes left out."""

    reference: ToolReference
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Toolset:
    """One toolset file, read. ``title`` falls back to the name."""

    name: str
    title: str
    description: str = ""
    tools: tuple[ToolEntry, ...] = ()
    notes: tuple[NoteGroup, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


_READ = frozenset({"name", "title", "description", "tools", "toolNotes"})


def parse_toolset(name: str, raw: Mapping[str, Any], report: Report) -> Toolset:
    """Read a toolset document. The file's name counts, not the ``name`` in it (it may have been copied)."""
    title, description = raw.get("title"), raw.get("description")
    tools = []
    for number, entry in enumerate(parse_list(ToolEntry, raw.get("tools"), "tools", report), start=1):
        if entry.namespaced_name is None and entry.ref_id is None:
            report(f"tools {number}", "neither namespacedName nor refId")
        else:
            tools.append(entry)
    groups = []
    for group in parse_list(ToolNotes, raw.get("toolNotes"), "toolNotes", report):
        reference = group.tool_ref
        label = reference.namespaced_name or reference.ref_id
        if label is None:
            report("toolNotes", "a toolRef with neither namespacedName nor refId")
        else:
            groups.append(NoteGroup(reference, parse_list(Note, group.notes, f"toolNotes {label}", report)))
    return Toolset(
        name=name,
        title=title if isinstance(title, str) and title.strip() else name,
        description=description if isinstance(description, str) else "",
        tools=tuple(tools),
        notes=tuple(groups),
        extra={key: value for key, value in raw.items() if key not in _READ},
    )
