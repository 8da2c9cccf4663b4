"""Unified difference of a file, with the added lines on green ground."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from toolnote_desktop.desktop.theme.colours import Colours
from toolnote_desktop.desktop.theme.fonts import fixed_font, text_font

MOST_LINES: Final = 200


class DiffView(QPlainTextEdit):
    """Read-only view of a unified difference without its file names."""

    def __init__(self, parent: QWidget | None = None, *, fits: bool = False) -> None:
        """``fits``: as high as its text up to ``MOST_LINES``, so that only the page scrolls up and down."""
        super().__init__(parent)
        self._fits = fits
        self.setProperty("kind", "diff")
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setFont(fixed_font(text_font().pixelSize() - 1))
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self.document().setDocumentMargin(10)

    def show_diff(self, diff: str, scheme: Colours) -> None:
        """Show a unified difference; nothing for an empty one."""
        lines = diff.split("\n")
        if len(lines) > 1 and lines[0].startswith("--- ") and lines[1].startswith("+++ "):
            del lines[:2]
        shown = ["  …" if line.startswith("@@") else f"{line[:1]} {line[1:]}" for line in lines]
        if shown and shown[0] == "  …" and lines[0].startswith(("@@ -1 ", "@@ -1,", "@@ -0,0 ")):
            del shown[0]
        self.setPlainText("\n".join(shown))
        self.set_colours(scheme)
        if self._fits:
            most = min(round(self.document().size().height()), MOST_LINES)
            around = 2 * round(self.document().documentMargin()) + 2 * self.frameWidth()
            self.setFixedHeight(
                self.fontMetrics().lineSpacing() * most + around + self.horizontalScrollBar().sizeHint().height()
            )

    def set_colours(self, scheme: Colours) -> None:
        """Colour the lines."""
        formats = {
            "+": _format(scheme.added_text, scheme.added_ground),
            "-": _format(scheme.wrong, scheme.side),
            " ": _format(scheme.dim, None),
        }
        selections: list[QTextEdit.ExtraSelection] = []
        block = self.document().begin()
        while block.isValid():
            found = formats.get(block.text()[:1])
            if found is not None:
                line = QTextCursor(block)
                line.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                selections += [_selection(line, found), _selection(QTextCursor(block), _whole_line(found))]
            block = block.next()
        self.setExtraSelections(selections)


def _format(text: str, ground: str | None) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(QColor(text))
    if ground is not None:
        made.setBackground(QColor(ground))
    return made


def _whole_line(found: QTextCharFormat) -> QTextCharFormat:
    """Extend the ground to the right edge for short lines."""
    made = QTextCharFormat()
    made.setBackground(found.background())
    made.setProperty(QTextFormat.Property.FullWidthSelection, True)
    return made


def _selection(cursor: QTextCursor, found: QTextCharFormat) -> QTextEdit.ExtraSelection:
    made = QTextEdit.ExtraSelection()
    made.cursor = cursor
    made.format = found
    return made
