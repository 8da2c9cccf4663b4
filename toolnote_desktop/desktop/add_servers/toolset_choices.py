"""Toolsets to choose from, each with a tick box, its tools and its notes in full: what somebody wrote is to be read."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.server_choices import TEXT_INDENT
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.toolset import Toolset, parse_toolset
from toolnote_desktop.model.toolsets.toolset_import import ImportedToolset


class _Line(Struct, frozen=True):
    text: str
    kind: str = "second"
    is_inner: bool = False


class ToolsetList(QWidget):
    """Rows of toolsets.

    Signals:
        changed: others are ticked now.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._boxes: dict[str, CheckBox] = {}
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(8)

    def show_toolsets(
        self, toolsets: Iterable[ImportedToolset], catalogue: Catalogue, servers: Collection[str]
    ) -> None:
        """Show these, all of them ticked.

        Args:
            servers: ids of the servers that come with them.
        """
        self._boxes.clear()
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for toolset in toolsets:
            self._rows.addWidget(self._row(toolset, catalogue, servers))

    def chosen(self) -> list[str]:
        """The names of the ticked toolsets, in order."""
        return [name for name, box in self._boxes.items() if box.isChecked()]

    def first_box(self) -> CheckBox | None:
        """The first of them."""
        return next(iter(self._boxes.values()), None)

    def _row(self, imported: ImportedToolset, catalogue: Catalogue, servers: Collection[str]) -> QWidget:
        toolset = parse_toolset(imported.name, imported.content, lambda _place, _reason: None)  # reported in its notes
        row = QFrame()
        row.setProperty("kind", "panel")
        column = QVBoxLayout(row)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(3)
        box = CheckBox(toolset.title.replace("&", "&&"))
        box.setChecked(True)
        box.toggled.connect(self.changed)
        column.addWidget(box)
        self._boxes[imported.name] = box
        notes = sum(len(group.notes) for group in toolset.notes)
        count = f"{messages.count_tools(len(toolset.tools))}, {messages.count_notes(notes)}"
        remarks = [messages.problem_text(note) for note in imported.notes]
        lines = [_Line(text, "small") for text in (count, *remarks)] + self._lines(toolset, catalogue, servers)
        for line in lines:
            shown = FullTextLabel(line.text, line.kind)
            shown.setContentsMargins(TEXT_INDENT * (2 if line.is_inner else 1), 0, 0, 0)
            column.addWidget(shown)
        box.setAccessibleDescription(". ".join(line.text for line in lines))
        return row

    def _lines(self, toolset: Toolset, catalogue: Catalogue, servers: Collection[str]) -> list[_Line]:
        """Each tool with its notes, then the notes on tools that are not in it, then what holds for the whole."""
        lines = [_Line(toolset.description)] if toolset.description else []
        left = list(toolset.notes)
        for entry in toolset.tools:
            lines.append(_Line(self._tool(entry, catalogue, servers), "name"))
            if entry.when_to_use:
                text = self.tr("When to use it: {0}").format(entry.when_to_use)
                lines.append(_Line(text, is_inner=True))
            if entry.instructions:
                lines.append(_Line(entry.instructions, is_inner=True))
            for group in [group for group in left if _is_about(group.reference, entry)]:
                left.remove(group)
                lines += [_Line(f"{note.name}: {note.note}", is_inner=True) for note in group.notes]
        for group in left:
            lines.append(_Line(self._tool(group.reference, catalogue, servers), "name"))
            lines += [_Line(f"{note.name}: {note.note}", is_inner=True) for note in group.notes]
        if toolset.guidelines:
            lines.append(_Line(self.tr("For all of its tools: {0}").format(toolset.guidelines)))
        return lines

    def _tool(self, reference: ToolReference, catalogue: Catalogue, servers: Collection[str]) -> str:
        name = reference.namespaced_name or reference.ref_id or "?"
        if catalogue.resolve(reference):
            return name
        if any(name.startswith(f"{server}.") for server in servers):
            return self.tr("{0} (comes with its tool source)").format(name)
        return self.tr("{0} (not here: it works as soon as a tool source offers it)").format(name)


def _is_about(reference: ToolReference, entry: ToolReference) -> bool:
    same_name = reference.namespaced_name is not None and reference.namespaced_name == entry.namespaced_name
    return same_name or (reference.ref_id is not None and reference.ref_id == entry.ref_id)
