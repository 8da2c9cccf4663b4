"""List of toolsets to choose from, each with its tools, its notes and what is set for them in full."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from msgspec import UNSET, Struct

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.check_list import CheckList, Line
from toolnote_desktop.model import json_text
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.toolset import NoteGroup, ToolEntry, Toolset, parse_toolset
from toolnote_desktop.model.toolsets.toolset_import import ImportedToolset
from toolnote_desktop.packs.pack_file import PROMPTS

MOST_LINES: Final = 20
"""Lines of a toolset that are labels of their own."""

_INDENT: Final = "    "


class ToolsetRow(Struct, frozen=True):
    """Row of one toolset, in full."""

    name: str
    title: str
    lines: tuple[Line, ...]


class ToolsetList(CheckList):
    """Toolsets to choose from, with their tools and notes in full."""

    def show_toolsets(self, rows: Iterable[ToolsetRow]) -> None:
        """Show these, all of them checked."""
        self.clear()
        for row in rows:
            lines = row.lines
            if len(lines) > MOST_LINES:  # the rest as one text, of which only the start is laid out
                rest = "\n".join(f"{_INDENT * (line.level - 1)}{line.text}" for line in lines[MOST_LINES:])
                lines = (*lines[:MOST_LINES], Line(rest, "second"))
            self.add_row(row.name, row.title, lines)

    def rows_of(
        self, toolsets: Iterable[ImportedToolset], catalogue: Catalogue, servers: Collection[str]
    ) -> list[ToolsetRow]:
        """Return the rows of toolsets. Thousands of tools and notes take a part of a second: it may run in a thread.

        Args:
            servers: ids of the servers that come with them.
        """
        rows = []
        for imported in toolsets:
            # problems are among the import's notes
            toolset = parse_toolset(imported.name, imported.content, lambda _place, _reason: None)
            notes = sum(len(group.notes) for group in toolset.notes)
            count = f"{messages.count_tools(len(toolset.tools))}, {messages.count_notes(notes)}"
            remarks = [messages.problem_text(note) for note in imported.notes]
            lines = [*(Line(text) for text in (count, *remarks)), *self._lines(toolset, catalogue, servers)]
            rows.append(ToolsetRow(imported.name, toolset.title, tuple(lines)))
        return rows

    def _lines(self, toolset: Toolset, catalogue: Catalogue, servers: Collection[str]) -> list[Line]:
        """Return the lines of tools with their notes, of notes on other tools, and of the toolset's own notes."""
        lines = [Line(toolset.description, "second")] if toolset.description else []
        about: dict[tuple[str, str | None], list[NoteGroup]] = {}
        for group in toolset.notes:
            for key in _keys(group.reference):
                about.setdefault(key, []).append(group)
        shown: set[int] = set()
        for entry in toolset.tools:
            lines.append(Line(self._tool(entry, catalogue, servers), "name"))
            if entry.when_to_use:
                text = self.tr("When to use it: {0}").format(entry.when_to_use)
                lines.append(Line(text, "second", level=2))
            if entry.instructions:
                lines.append(Line(entry.instructions, "second", level=2))
            lines += [Line(text, "second", level=2) for text in self._settings(entry)]
            for group in (group for key in _keys(entry) for group in about.get(key, ()) if id(group) not in shown):
                shown.add(id(group))
                lines += [Line(f"{note.name}: {note.note}", "second", level=2) for note in group.notes]
        for group in toolset.notes:
            if id(group) in shown:
                continue
            lines.append(Line(self._tool(group.reference, catalogue, servers), "name"))
            lines += [Line(f"{note.name}: {note.note}", "second", level=2) for note in group.notes]
        if toolset.guidelines:
            lines.append(Line(self.tr("For all of its tools: {0}").format(toolset.guidelines), "second"))
        types = toolset.task_types if isinstance(toolset.task_types, dict) else {}
        for name, one in types.items():
            lines.append(Line(self.tr("Kind of work: {0}").format(f"{name} {_shown(one)}"), "second"))
        prompts = toolset.extra.get(PROMPTS)
        for one in prompts if isinstance(prompts, list) else ():
            if isinstance(one, dict) and one.get("prompt"):
                lines.append(Line(self.tr("Prompt of the bench: {0}").format(one["prompt"]), "second"))
        return lines

    def _settings(self, entry: ToolEntry) -> Iterator[str]:
        """Yield what is set for a tool beside its notes: an assistant may be kept from seeing it."""
        if not entry.enabled:
            yield self.tr("Turned off")
        if entry.alias:
            yield self.tr("Assistants know it as {0}.").format(entry.alias)
        if entry.approval == "ask":
            yield self.tr("You are asked before each call.")
        if entry.consent is not None:
            yield self.tr("Runs only with your consent.")
        for name, one in entry.parameters.items():
            if one.note:
                yield f"{name}: {one.note}"
            if one.fixed is not UNSET:
                yield self.tr("{0} is always {1}. Assistants don’t see it.").format(name, _shown(one.fixed))
            if one.default is not UNSET:
                yield self.tr("{0} is {1} where the assistant leaves it out.").format(name, _shown(one.default))
            if one.hidden:
                yield self.tr("Assistants don’t see {0}.").format(name)
            if one.allowed:
                yield self.tr("{0} may only be {1}.").format(name, _shown(one.allowed))
        for name, value in entry.argument_defaults.items():
            if name in entry.hidden_arguments:
                yield self.tr("{0} is always {1}. Assistants don’t see it.").format(name, _shown(value))
            else:
                yield self.tr("{0} is {1} where the assistant leaves it out.").format(name, _shown(value))
        for name in entry.hidden_arguments:
            if name not in entry.argument_defaults:
                yield self.tr("Assistants don’t see {0}.").format(name)
        for text in entry.muted:
            yield self.tr("Left out of its description: {0}").format(text)
        if entry.hints:
            yield self.tr("Hints: {0}").format(_shown(entry.hints))

    def _tool(self, reference: ToolReference, catalogue: Catalogue, servers: Collection[str]) -> str:
        name = reference.namespaced_name or reference.ref_id or "?"
        if catalogue.resolve(reference):
            return name
        if any(name.startswith(f"{server}.") for server in servers):
            return self.tr("{0} (comes with its tool source)").format(name)
        return self.tr("{0} (not here: it works as soon as a tool source offers it)").format(name)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json_text.dumps(value).decode()


def _keys(reference: ToolReference) -> list[tuple[str, str | None]]:
    """Return the names of a tool by which notes and entries belong together."""
    names = (("name", reference.namespaced_name), ("id", reference.ref_id))
    return [(kind, name) for kind, name in names if name is not None]
