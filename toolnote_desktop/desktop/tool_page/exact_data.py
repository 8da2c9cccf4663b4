"""Exact data of a tool: the served bytes, with what the user added on a ground of its own and a + in the margin."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QTextEdit, QWidget

from toolnote_desktop.desktop.models.json_diff import MarkedJson, marked_json
from toolnote_desktop.desktop.models.tool_document import ToolDocument
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import line_height, style_font, text_scale
from toolnote_desktop.desktop.tool_page.document import utf16_length
from toolnote_desktop.desktop.widgets.basics import Button, FocusRing, column, label
from toolnote_desktop.model import json_text

TAB_HEIGHT: Final = 560
"""Least height in pixels of a tab with a scrolling view."""


class _Margin(QWidget):
    """Line numbers, and + beside lines with the user's words."""

    def __init__(self, text: JsonText) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:
        return QSize(self._text.margin, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._text.paint_margin(QPainter(self))


class JsonText(FocusRing, QTextEdit):
    """Read-only JSON with marked spans."""

    def __init__(self) -> None:
        super().__init__()
        self.margin = round(56 * text_scale())
        self._data = MarkedJson("", ())
        self._added: frozenset[int] = frozenset()
        self.setReadOnly(True)
        self.setProperty("kind", "view")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(style_font("mono"))
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setViewportMargins(self.margin, 0, 0, 0)
        self.viewport().setAutoFillBackground(False)
        self.setMinimumHeight(round(TAB_HEIGHT * text_scale()))
        self._side = _Margin(self)
        self.verticalScrollBar().valueChanged.connect(self._side.update)
        self.document().documentLayout().documentSizeChanged.connect(self._side.update)

    def show_json(self, value: Any, other: Any) -> None:
        """Show JSON; what ``other`` lacks is marked."""
        data = marked_json(value, other)
        if data != self._data:
            self._data = data
            self.setPlainText(data.text)
            lines = QTextBlockFormat()
            lines.setLineHeight(line_height("mono"), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
            cursor = QTextCursor(self.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.mergeBlockFormat(lines)
            self._mark()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        x = inside.right() - self.margin + 1 if self.isRightToLeft() else inside.left()
        self._side.setGeometry(QRect(x, inside.top(), self.margin, inside.height()))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme's colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._mark()

    def paint_margin(self, painter: QPainter) -> None:
        """Paint the numbers of the visible lines."""
        scheme = colours(self.palette())
        painter.setFont(self.font())
        block = self.cursorForPosition(QPoint(0, 0)).block()
        shown = self.verticalScrollBar().value()
        while block.isValid():
            first = block.layout().lineAt(0)
            top, line = round(block.layout().position().y() + first.y()) - shown, round(first.height())
            if top > self.height():
                break
            painter.setPen(QColor(scheme.dim))
            number = QRect(0, top, self.margin - 28, line)
            painter.drawText(
                number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(block.blockNumber() + 1)
            )
            if block.blockNumber() in self._added:
                painter.setPen(QColor(scheme.note_bar))
                painter.drawText(QRect(self.margin - 22, top, 14, line), Qt.AlignmentFlag.AlignCenter, "+")
            block = block.next()

    def _mark(self) -> None:
        scheme = colours(self.palette())
        form = QTextCharFormat()
        form.setBackground(QColor(scheme.added_ground))
        form.setForeground(QColor(scheme.added_text))
        selections, added = [], set()
        for start, end in self._data.spans:
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(utf16_length(self._data.text[:start]))
            added.add(cursor.blockNumber())
            cursor.setPosition(utf16_length(self._data.text[:end]), QTextCursor.MoveMode.KeepAnchor)
            selection.cursor = cursor
            selection.format = form
            selections.append(selection)
        self._added = frozenset(added)
        self.setExtraSelections(selections)


class ExactData(QWidget):
    """Tab *Exact data*: a sentence, Copy, and the JSON."""

    def __init__(self) -> None:
        super().__init__()
        self._exact = b""
        self.sentence = label("", "second", wraps=True)
        self.copy_button = Button(self.tr("Copy"), "plain", pressed=self.copy)
        self.text = JsonText()
        self.text.setAccessibleName(self.tr("Exact data"))
        row = QHBoxLayout()
        row.addWidget(self.sentence, 1)
        row.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignTop)
        whole = column(self, (0, 8, 0, 0), 8)
        whole.addLayout(row)
        whole.addWidget(self.text, 1)

    def show_document(self, document: ToolDocument, reader: str) -> None:
        """Show the bytes that a reader is served."""
        served = document.served
        self._exact = document.exact
        if served is None:
            self.text.show_json(None, None)
            self.sentence.setText(self.tr("{assistant} doesn’t get this tool.").format(assistant=reader))
        else:
            if document.is_searched:
                text = self.tr(
                    "{assistant} searches for its tools: this one isn’t in its list. Exactly what it receives when the "
                    "search finds this tool first. Marked text with a + is added by you."
                )
            else:
                text = self.tr("Exactly what {assistant} receives. Marked text with a + is added by you.")
            count = len(document.own.muted)
            one = self.tr("1 paragraph of its text is muted.")
            muted = one if count == 1 else self.tr("%n paragraphs of its text are muted.", "", count) if count else ""
            self.sentence.setText(f"{text.format(assistant=reader)} {muted}".strip())
            own = {**served.known.tool.definition, "name": served.name}
            self.text.show_json(json_text.loads(document.exact), own)
        for widget in (self.copy_button, self.text):
            widget.setVisible(served is not None)

    def copy(self) -> None:
        """Copy the served bytes as they are."""
        QGuiApplication.clipboard().setText(self._exact.decode("utf-8"))
