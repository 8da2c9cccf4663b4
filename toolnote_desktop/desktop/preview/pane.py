"""Preview pane: the selected tool exactly as an assistant sees it, with the user's additions marked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.models.tool_view import SeenTool, ToolView, seen_tool
from toolnote_desktop.desktop.preview.assistant_picker import AssistantPicker, ReaderDescription
from toolnote_desktop.desktop.preview.captions import captions_of
from toolnote_desktop.desktop.preview.json_view import JsonView
from toolnote_desktop.desktop.preview.text_view import TextView
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label, side_ground
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.desktop.widgets.token_meter import TokenMeter
from toolnote_desktop.guidance.budgets import budget_problem
from toolnote_desktop.guidance.description import DescriptionPart, Writer
from toolnote_desktop.guidance.served_tools import served_names
from toolnote_desktop.guidance.tokens import estimate_definition_tokens
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect
from toolnote_desktop.model.toolsets.notes import Note

MOST_WARNINGS: Final = 4
"""Maximum number of warnings shown in full beside the text."""


class Legend(QWidget):
    """Colour sample of the ground that marks the user's own words."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(14, 14)

    def sizeHint(self) -> QSize:
        return QSize(14, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(scheme.good))
        painter.setBrush(QColor(scheme.added_ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 3, 3)


class PreviewPane(QWidget):
    """Preview as text or exact data, with or without the user's additions, for any assistant, and its size.

    Signals:
        find_requested: no tool is selected, and the user wants to search for one.
    """

    find_requested = Signal()

    def __init__(self, files: GuidanceFiles, settings: ToolSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("previewPane")
        self._settings = settings
        self._seen: SeenTool | None = None
        self._view: ToolView | None = None
        self._snapshot: Snapshot | None = None
        self._notes: tuple[Note, ...] = ()
        self._dialect = PLAIN
        self._name: tuple[ToolView, tuple[str, bool, str], str] | None = None
        self.seen_by = AssistantPicker(files)
        self.with_notes = Button(self.tr("With your notes"), "chip")
        self.without = Button(self.tr("Without"), "chip", name=self.tr("Without your notes"))
        self.data = Button(self.tr("Exact data"), "chip")
        self.simple = Button(self.tr("Simpler arguments"), "chip")
        self.reads_as = ReaderDescription(files)
        self.reads_as.chosen.connect(self._set_dialect)
        self._choice = QButtonGroup(self)
        for button in (self.with_notes, self.without):
            button.setCheckable(True)
            self._choice.addButton(button)
        for button in (self.data, self.simple):
            button.setCheckable(True)
        self.with_notes.setChecked(True)
        self.name = label("", "name", wraps=True, can_be_copied=True)
        self.patch = Legend()
        self.legend = label("", "small", wraps=True)
        self.warnings = Warnings()
        self.text = TextView()
        self.json = JsonView()
        self.json.setAccessibleName(self.tr("Exact data that the assistant gets"))
        self.find_tool = Button(self.tr("Find a tool"), pressed=self.find_requested.emit)
        self._nothing = QWidget()
        self.meter = TokenMeter()
        self._lay_out()
        side_ground(self)
        self.seen_by.changed.connect(self._look_again)
        self.simple.clicked.connect(self._simplify)
        self._choice.buttonToggled.connect(self._show)
        self.data.toggled.connect(self._show)
        self.show_view(None, None, ())

    def _lay_out(self) -> None:
        self._legend_row = QWidget()
        legend = QHBoxLayout(self._legend_row)
        legend.setContentsMargins(0, 0, 0, 0)
        legend.setSpacing(6)
        legend.addWidget(self.patch, 0, Qt.AlignmentFlag.AlignTop)
        legend.addWidget(self.legend, 1)
        chips = FlowLayout(spacing=8)
        for button in (self.with_notes, self.without, self.data, self.simple):
            chips.addWidget(button)
        self._texts = QStackedWidget()
        self._texts.addWidget(self.text)
        self._texts.addWidget(self.json)
        self._shown = QWidget()
        inside = column(self._shown, spacing=10)
        inside.addLayout(chips)
        inside.addWidget(self.reads_as)
        inside.addWidget(self.name)
        inside.addWidget(self._legend_row)
        inside.addWidget(self.warnings)
        inside.addWidget(self._texts, 1)
        inside.addWidget(self.meter)
        top = QHBoxLayout()
        top.setSpacing(10)
        top.addWidget(label(self.tr("What the assistant sees"), "heading", wraps=True), 1)
        top.addWidget(self.seen_by)
        whole = column(self, (20, 18, 20, 16), 12)
        whole.addLayout(top)
        nothing = column(self._nothing, spacing=10)
        nothing.addWidget(label(self.tr("Choose a tool to see what assistants read about it."), "second", wraps=True))
        nothing.addWidget(self.find_tool, 0, Qt.AlignmentFlag.AlignLeading)
        whole.addWidget(self._nothing)
        whole.addWidget(self._shown, 1)
        whole.addStretch(0)

    def show_view(self, snapshot: Snapshot | None, view: ToolView | None, notes: Iterable[Note]) -> None:
        """Show a tool with these notes, which may be unsaved; nothing if no tool is selected."""
        self._view, self._snapshot, self._notes = view, snapshot, tuple(notes)
        self._shown.setVisible(view is not None)
        self._nothing.setVisible(view is None)
        self.find_tool.setVisible(snapshot is not None and bool(snapshot.catalogue.tools))
        self.seen_by.setVisible(view is not None)
        if view is None or snapshot is None:
            self._seen = None
            self.meter.counter.stop()
            return
        self.seen_by.show_snapshot(snapshot)
        self._look()

    def _look_again(self) -> None:
        self.simple.setChecked(False)
        self._look()

    def _look(self) -> None:
        snapshot, view = self._snapshot, self._view
        if snapshot is None or view is None:
            return
        dialect = self.seen_by.dialect(snapshot)
        if self.seen_by.reader.client is None:
            dialect = replace(dialect, schema_subset=self.simple.isChecked())
        self._dialect = dialect
        self.reads_as.show_client(snapshot, self.seen_by.reader.client, dialect)
        self._seen = seen_tool(snapshot, view, self._notes, dialect, self._exposed_name(snapshot, view, dialect))
        self.name.setText(dialect.final_name(str(self._seen.definition["name"])))
        self.simple.setChecked(dialect.schema_subset)
        refused = any(one.code is Code.DIALECT_SCHEMA_REFUSED for one in self._seen.problems)
        self.simple.setVisible(dialect.schema_subset or refused)
        self.meter.show_toolset(snapshot, view.toolset, dialect)
        self._show()

    def _exposed_name(self, snapshot: Snapshot, view: ToolView, dialect: Dialect) -> str:
        """Return the exposed name, cached until another view or dialect is shown."""
        if self._name is None or self._name[0] is not view or self._name[1] != dialect.key:
            pair = (view.known, view.effective)
            name = served_names(snapshot, [pair], dialect)[view.known.tool.key]
            self._name = (view, dialect.key, name)
        return self._name[2]

    def _show(self) -> None:
        seen, view, snapshot = self._seen, self._view, self._snapshot
        if seen is None or view is None or snapshot is None:
            return
        with_notes = not self.without.isChecked()
        definition, other = (seen.definition, seen.plain) if with_notes else (seen.plain, seen.definition)
        own = str(seen.plain.get("description") or "")
        plain = (DescriptionPart(Writer.TOOL, own),) if own else ()
        self._texts.setCurrentWidget(self.json if self.data.isChecked() else self.text)
        self.text.show_seen(seen.parts if with_notes else plain, seen.limit)
        if self.data.isChecked():  # comparing is slow, and the user may be typing
            self.json.show_seen(definition, other, gone=not with_notes)
        said = captions_of(snapshot, view, seen, self.seen_by.reader, self._dialect, with_notes=with_notes)
        self.patch.setVisible(said.has_added)
        self.legend.setText(said.legend)
        self.text.setAccessibleName(self.tr("What the assistant reads"))
        self.text.setAccessibleDescription(said.for_screen_readers)
        family = self._dialect.family
        total = estimate_definition_tokens(definition, family)
        added = max(0, total - estimate_definition_tokens(seen.plain, family))
        self.meter.show_tool(total, added)
        budget = budget_problem(view.known.tool.title, total, snapshot.settings.tool_tokens)
        problems = [one for one in seen.problems if one.code is not Code.DIALECT_DESCRIPTION_CUT]
        told = [*problems, *budget] if with_notes else []
        self.warnings.show_problems((*said.warnings, *(messages.problem_text(one) for one in told)))

    def _set_dialect(self, name: str | None) -> None:
        client = self.seen_by.reader.client
        if client is not None and self._snapshot is not None:
            assistant = messages.author_name(self._snapshot, client)
            self._settings.set_dialect(client, name, assistant=assistant)

    def _simplify(self, simple: bool) -> None:
        client = self.seen_by.reader.client
        if client is not None and self._snapshot is not None:
            name = messages.author_name(self._snapshot, client)
            self._settings.simplify(client, simple=simple, name=name)
        self._look()


class Warnings(QWidget):
    """List of warnings about cut, refused or contradictory content, each a dot and a sentence."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: tuple[str, ...] = ()
        self._rows = column(self, spacing=6)
        self.hide()

    @property
    def texts(self) -> tuple[str, ...]:
        """Shown texts."""
        return self._texts

    def show_problems(self, texts: Iterable[str]) -> None:
        """Show these problems."""
        found = tuple(dict.fromkeys(texts))
        if found == self._texts:
            return
        self._texts = found
        empty(self._rows)
        for text in found[:MOST_WARNINGS]:
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(Dot(Mark.ATTENTION), 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(label(text, "small", wraps=True), 1)
            self._rows.addLayout(row)
        if len(found) > MOST_WARNINGS:
            self._rows.addWidget(label(self.tr("… and %n more.", "", len(found) - MOST_WARNINGS), "small"))
        self.setVisible(bool(found))
