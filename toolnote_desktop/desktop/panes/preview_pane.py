"""The pane on the right: exactly what an assistant sees of the chosen tool, and what of it is the user's."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.hidden_signs import escaped_in_json
from toolnote_desktop.desktop.models.tool_view import SeenTool, ToolView, seen_tool
from toolnote_desktop.desktop.panes.flow_layout import FlowLayout
from toolnote_desktop.desktop.panes.parts import Button, column, label, side_ground
from toolnote_desktop.desktop.panes.seen_text import SeenData, SeenText
from toolnote_desktop.desktop.panes.token_meter import TokenMeter
from toolnote_desktop.desktop.theme import colours
from toolnote_desktop.guidance.tokens import estimate_definition_tokens
from toolnote_desktop.model import jsontext
from toolnote_desktop.model.notes import Note
from toolnote_desktop.model.snapshot import Snapshot


class Legend(QWidget):
    """A patch of the ground that marks the user's own words."""

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
    """With the notes, without, or the exact data; and how much it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("previewPane")
        self._seen: SeenTool | None = None
        self._view: ToolView | None = None
        self.with_notes = Button(self.tr("With your notes"), "chip")
        self.without = Button(self.tr("Without"), "chip", name=self.tr("Without your notes"))
        self.data = Button(self.tr("Exact data"), "chip")
        self._choice = QButtonGroup(self)
        for button in (self.with_notes, self.without, self.data):
            button.setCheckable(True)
            self._choice.addButton(button)
        self.with_notes.setChecked(True)
        self._choice.buttonToggled.connect(self._show)
        self.name = label("", "name", wraps=True, can_be_copied=True)
        self.patch = Legend()
        self.legend = label("", "small", wraps=True)
        self.text = SeenText()
        self.json = SeenData()
        self.json.setAccessibleName(self.tr("Exact data that the assistant gets"))
        self.nothing = label(self.tr("Choose a tool to see what assistants read about it."), "second", wraps=True)
        self.meter = TokenMeter()
        self._lay_out()
        side_ground(self)
        self.show_view(None, None, ())

    def _lay_out(self) -> None:
        self._legend_row = QWidget()
        legend = QHBoxLayout(self._legend_row)
        legend.setContentsMargins(0, 0, 0, 0)
        legend.setSpacing(6)
        legend.addWidget(self.patch, 0, Qt.AlignmentFlag.AlignTop)
        legend.addWidget(self.legend, 1)
        chips = FlowLayout(spacing=8)
        for button in (self.with_notes, self.without, self.data):
            chips.addWidget(button)
        self._texts = QStackedWidget()
        self._texts.addWidget(self.text)
        self._texts.addWidget(self.json)
        self._shown = QWidget()
        inside = column(self._shown, spacing=10)
        inside.addLayout(chips)
        inside.addWidget(self.name)
        inside.addWidget(self._legend_row)
        inside.addWidget(self._texts, 1)
        inside.addWidget(self.meter)
        whole = column(self, (20, 24, 20, 16), 12)
        whole.addWidget(label(self.tr("What the assistant sees"), "heading"))
        whole.addWidget(self.nothing)
        whole.addWidget(self._shown, 1)
        whole.addStretch(0)

    def show_view(self, snapshot: Snapshot | None, view: ToolView | None, notes: Iterable[Note]) -> None:
        """Show a tool with these notes, which may be typed right now; nothing where no tool is chosen."""
        self._view = view
        self._shown.setVisible(view is not None)
        self.nothing.setVisible(view is None)
        if view is None or snapshot is None:
            self._seen = None
            self.meter.counter.stop()
            return
        self._seen = seen_tool(view, notes)
        self.name.setText(view.exposed_name)
        self.meter.show_toolset(snapshot, view.toolset)
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.text.refresh()
            self.json.refresh()

    def _show(self) -> None:
        seen = self._seen
        if seen is None:
            return
        with_notes = not self.without.isChecked()
        definition = seen.definition if with_notes else seen.plain
        added = seen.added if with_notes else ""
        own = str(seen.plain.get("description") or "")
        self._texts.setCurrentWidget(self.json if self.data.isChecked() else self.text)
        self.text.show_seen(own, added)
        self.json.show_seen(_pretty(definition), _pretty(added)[1:-1] if added else "")
        self._say_what_is_added(added)
        total = estimate_definition_tokens(definition)
        self.meter.show_tool(total, max(0, total - estimate_definition_tokens(seen.plain)))

    def _say_what_is_added(self, added: str) -> None:
        view = self._view
        self.patch.setVisible(bool(added))
        if view is not None and not view.is_served:
            self.legend.setText(self.tr("Assistants do not get this tool now. This is what they would read."))
        elif added:
            self.legend.setText(self.tr("Yours, added below the tool’s own words"))
        elif self.without.isChecked():
            self.legend.setText(self.tr("The tool’s own words, and nothing else"))
        else:
            self.legend.setText(self.tr("Nothing of yours yet: a note shows here while you write it"))
        lines = added.count("\n• ")
        self.text.setAccessibleName(self.tr("What the assistant reads"))
        where = self.tr("From “{title}” on it is yours: {notes}.")
        title = added.split("\n", 1)[0].lstrip("# ")
        self.text.setAccessibleDescription(
            where.format(title=title, notes=messages.count_notes(lines)) if added else self.legend.text()
        )


def _pretty(value: object) -> str:
    """As JSON text, what cannot be seen written out."""
    return "\n".join(map(escaped_in_json, jsontext.dumps_pretty(value).decode("utf-8").rstrip("\n").split("\n")))
