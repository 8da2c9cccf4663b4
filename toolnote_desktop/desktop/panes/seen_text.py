"""The exact text that an assistant reads, what the user added on its own ground. Plain text, sign for sign."""

from __future__ import annotations

import re

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit

from toolnote_desktop.desktop.panes.parts import set_ring
from toolnote_desktop.desktop.theme import colours, fixed_font

LINE_HEIGHT_PERCENT = 135.0
NOTE_GAP = 6.0
"""Pixels between two notes; in the text there is one line end and nothing else."""
_NOTE_LINE = re.compile(r"(• )(\*\*)([a-z0-9-]{1,50})(\*\*)(: )")
_READ_ONLY = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


class SeenText(QTextEdit):
    """A description, and the section of notes that was added to it."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "view")
        self.setReadOnly(True)
        self.setTextInteractionFlags(_READ_ONLY)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(2)
        self._shown: tuple[str, str] | None = None
        self._first_added = -1

    def show_seen(self, own: str, added: str) -> None:
        """The tool's own words, and the section below them (nothing where no note is on)."""
        if (own, added) == self._shown:
            return
        is_other = self._shown is None or self._shown[0] != own
        self._shown = (own, added)
        bar = self.verticalScrollBar()
        place = 0 if is_other else bar.value()
        self._build(own, added)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        bar.setValue(place)
        self.viewport().update()

    def refresh(self) -> None:
        """Colours have changed."""
        shown, self._shown = self._shown, None
        if shown is not None:
            self.show_seen(*shown)

    def _build(self, own: str, added: str) -> None:
        scheme = colours(self.palette())
        self.clear()
        cursor = QTextCursor(self.document())
        plain = QTextCharFormat()
        plain.setForeground(QColor(scheme.text))
        cursor.setBlockFormat(_block(left=0))
        cursor.setCharFormat(plain)
        cursor.insertText(own, plain)
        self._first_added = -1
        if not added:
            return
        ours = QTextCharFormat()
        ours.setForeground(QColor(scheme.added_text))
        if own:
            cursor.insertBlock(_block(left=0))  # the empty line between
            cursor.insertBlock(_block(left=12), ours)
        else:
            cursor.setBlockFormat(_block(left=12))
        self._first_added = cursor.block().blockNumber()
        lines = added.split("\n")
        self._insert_line(cursor, lines[0], ours)
        for line in lines[1:]:
            cursor.insertBlock(_block(left=12, above=NOTE_GAP if _NOTE_LINE.match(line) else 0), ours)
            self._insert_line(cursor, line, ours)

    def _insert_line(self, cursor: QTextCursor, line: str, ours: QTextCharFormat) -> None:
        found = _NOTE_LINE.match(line)
        if found is None:
            cursor.insertText(line, ours)
            return
        strong = QTextCharFormat(ours)
        strong.setFontWeight(QFont.Weight.DemiBold)
        signs = QTextCharFormat(ours)
        faded = QColor(colours(self.palette()).added_text)
        faded.setAlphaF(0.45)
        signs.setForeground(faded)
        bullet, open_signs, name, close_signs, colon = found.groups()
        pieces = ((bullet, ours), (open_signs, signs), (name, strong), (close_signs, signs), (colon, ours))
        for text, form in pieces:
            cursor.insertText(text, form)
        cursor.insertText(line[found.end() :], ours)

    def paintEvent(self, event: QPaintEvent) -> None:
        first = self.document().findBlockByNumber(self._first_added) if self._first_added >= 0 else QTextBlock()
        if first.isValid():
            layout = self.document().documentLayout()
            ground = layout.blockBoundingRect(first).united(layout.blockBoundingRect(self.document().lastBlock()))
            ground.translate(0, -self.verticalScrollBar().value())
            whole = QRectF(0, ground.top() - 8, self.viewport().width() - 2, ground.height() + 15)
            scheme = colours(self.palette())
            painter = QPainter(self.viewport())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.added_ground))
            painter.drawRoundedRect(whole, 6, 6)
            painter.end()
        super().paintEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        set_ring(self, event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        set_ring(self, event)


class SeenData(QPlainTextEdit):
    """The exact JSON, what was added on its own ground."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "view")
        self.setReadOnly(True)
        self.setTextInteractionFlags(_READ_ONLY)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(fixed_font(11))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(2)
        self._shown: tuple[str, str] | None = None

    def show_seen(self, data: str, added: str) -> None:
        """The JSON, and the part of it that was added, escaped as it stands there."""
        if (data, added) != self._shown:
            bar = self.verticalScrollBar()
            place = bar.value()
            self._shown = (data, added)
            self.setPlainText(data)
            self._mark()
            bar.setValue(place)

    def refresh(self) -> None:
        """Colours have changed."""
        self._mark()

    def _mark(self) -> None:
        selections = []
        if self._shown is not None and self._shown[1]:
            cursor = self._found(*self._shown)
            selection = QTextEdit.ExtraSelection()
            scheme = colours(self.palette())
            form = QTextCharFormat()
            form.setBackground(QColor(scheme.added_ground))
            form.setForeground(QColor(scheme.added_text))
            selection.cursor = cursor
            selection.format = form
            selections.append(selection)
        self.setExtraSelections(selections)

    def _found(self, data: str, added: str) -> QTextCursor:
        cursor = QTextCursor(self.document())
        start = data.find(added)
        if start >= 0:
            # Qt counts UTF-16 units, Python code points
            cursor.setPosition(_units(data[:start]))
            cursor.setPosition(_units(data[: start + len(added)]), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        set_ring(self, event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        set_ring(self, event)


def _block(left: float, above: float = 0) -> QTextBlockFormat:
    form = QTextBlockFormat()
    form.setLineHeight(LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    form.setLeftMargin(left)
    form.setTopMargin(above)
    form.setRightMargin(left and 8)
    return form


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
