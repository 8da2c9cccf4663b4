"""Exact text served to an assistant, with the user's additions on a ground of their own."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextEdit

from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.widgets.basics import FocusRing
from toolnote_desktop.guidance.description import DescriptionPart, Writer

LINE_HEIGHT_PERCENT = 135.0
NOTE_GAP = 6.0
"""Pixels between two notes; in the text they are separated by a line end only."""
_NOTE_LINE = re.compile(r"(• )(\*\*)([a-z0-9-]{1,50})(\*\*)(: )")
_READ_ONLY = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


class TextView(FocusRing, QTextEdit):
    """View of a description: the tool's own text, the user's additions, and the dialect's, each on its ground."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[tuple[DescriptionPart, ...], int | None] | None = None
        self._grounds: list[tuple[int, int, Writer]] = []
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

    def show_seen(self, parts: tuple[DescriptionPart, ...], limit: int | None = None) -> None:
        """Show these parts; text behind the first ``limit`` characters is struck through."""
        if (parts, limit) == self._shown:
            return
        is_other = self._shown is None or _own_words(self._shown[0]) != _own_words(parts)
        self._shown = (parts, limit)
        bar = self.verticalScrollBar()
        place = 0 if is_other else bar.value()
        self._build(parts)
        self._strike(limit)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        bar.setValue(place)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme's colours; a parent's handler may run before this widget has them."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._shown is not None:
            shown, self._shown = self._shown, None
            self.show_seen(*shown)

    def _build(self, parts: tuple[DescriptionPart, ...]) -> None:
        scheme = colours(self.palette())
        self.clear()
        self._grounds = []
        cursor = QTextCursor(self.document())
        cursor.setBlockFormat(_block(left=0))
        for number, part in enumerate(parts):
            form = QTextCharFormat()
            form.setForeground(QColor(scheme.added_text if part.writer is Writer.USER else scheme.text))
            left = 0 if part.writer is Writer.TOOL else 12
            if number:
                cursor.insertBlock(_block(left=0))  # the empty line between
                cursor.insertBlock(_block(left=left), form)
            else:
                cursor.setBlockFormat(_block(left=left))
                cursor.setCharFormat(form)
            first = cursor.block().blockNumber()
            if part.writer is Writer.USER:
                self._insert_lines(cursor, part.text, form)
            else:
                cursor.insertText(part.text, form)
            if part.writer is not Writer.TOOL:
                self._grounds.append((first, cursor.block().blockNumber(), part.writer))

    def _insert_lines(self, cursor: QTextCursor, text: str, ours: QTextCharFormat) -> None:
        lines = text.split("\n")
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

    def _strike(self, limit: int | None) -> None:
        text = self.toPlainText()
        if limit is None or len(text) <= limit:
            return
        form = QTextCharFormat()
        form.setFontStrikeOut(True)
        form.setForeground(QColor(colours(self.palette()).wrong))
        cursor = QTextCursor(self.document())
        cursor.setPosition(utf16_units(text[:limit]))
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(form)

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        layout = self.document().documentLayout()
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for first, last, writer in self._grounds:
            ground = layout.blockBoundingRect(self.document().findBlockByNumber(first))
            ground = ground.united(layout.blockBoundingRect(self.document().findBlockByNumber(last)))
            ground.translate(0, -self.verticalScrollBar().value())
            whole = QRectF(0, ground.top() - 8, self.viewport().width() - 2, ground.height() + 15)
            painter.setBrush(QColor(scheme.added_ground if writer is Writer.USER else scheme.accent_ground))
            painter.drawRoundedRect(whole, 6, 6)
        painter.end()
        super().paintEvent(event)


def _own_words(parts: tuple[DescriptionPart, ...]) -> str:
    return next((part.text for part in parts if part.writer is Writer.TOOL), "")


def _block(left: float, above: float = 0) -> QTextBlockFormat:
    form = QTextBlockFormat()
    form.setLineHeight(LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    form.setLeftMargin(left)
    form.setTopMargin(above)
    form.setRightMargin(left and 8)
    return form


def utf16_units(text: str) -> int:
    """Return the length of a text in UTF-16 units, as Qt counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
