"""The exact JSON that an assistant gets, what differs from what the server sent on its own ground."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFocusEvent, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit

from toolnote_desktop.desktop.panes.parts import set_ring
from toolnote_desktop.desktop.panes.seen_text import utf16_units
from toolnote_desktop.desktop.theme import colours, fixed_font

MOST_LINES: Final = 3_000
"""Lines of one definition that are compared: a longer one is shown without marks, since comparing takes too long."""

Span = tuple[int, int]


class SeenData(QPlainTextEdit):
    """JSON, marked where it differs from another JSON."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "view")
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(fixed_font(11))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(2)
        self._shown: tuple[str, str, bool] | None = None

    def show_seen(self, data: str, other: str, *, gone: bool = False) -> None:
        """The JSON, marked where it is not as in ``other``: as what was added, or (``gone``) as what is taken away."""
        if (data, other, gone) != self._shown:
            bar = self.verticalScrollBar()
            place = bar.value()
            self._shown = (data, other, gone)
            self.setPlainText(data)
            self._mark()
            bar.setValue(place)

    def refresh(self) -> None:
        """Colours have changed."""
        self._mark()

    def _mark(self) -> None:
        selections = []
        if self._shown is not None:
            data, other, gone = self._shown
            scheme = colours(self.palette())
            form = QTextCharFormat()
            if gone:
                form.setFontStrikeOut(True)
                form.setForeground(QColor(scheme.dim))
            else:
                form.setBackground(QColor(scheme.added_ground))
                form.setForeground(QColor(scheme.added_text))
            for start, end in differing(data, other):
                selection = QTextEdit.ExtraSelection()
                cursor = QTextCursor(self.document())
                cursor.setPosition(utf16_units(data[:start]))
                cursor.setPosition(utf16_units(data[:end]), QTextCursor.MoveMode.KeepAnchor)
                selection.cursor = cursor
                selection.format = form
                selections.append(selection)
        self.setExtraSelections(selections)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        set_ring(self, event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        set_ring(self, event)


def differing(data: str, other: str) -> Iterator[Span]:
    """Where ``data`` has something that ``other`` has not, line by line, and within a line that is in both."""
    if data == other:
        return
    lines, others = data.split("\n"), other.split("\n")
    if max(len(lines), len(others)) > MOST_LINES:
        return
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for tag, before, before_end, now, now_end in SequenceMatcher(None, others, lines).get_opcodes():
        if tag in ("equal", "delete"):
            continue
        for place in range(now, now_end):
            pair = before + place - now
            has_pair = tag == "replace" and pair < before_end
            start, end = _within(lines[place], others[pair]) if has_pair else _whole(lines[place])
            if start < end:
                yield starts[place] + start, starts[place] + end


def _whole(line: str) -> Span:
    return len(line) - len(line.lstrip()), len(line)


def _within(line: str, other: str) -> Span:
    """The part of a line that is not in another, without the line ends (as JSON writes them) around it."""
    shortest = min(len(line), len(other))
    start = next((place for place in range(shortest) if line[place] != other[place]), shortest)
    rest = shortest - start
    end = next((place for place in range(rest) if line[-1 - place] != other[-1 - place]), rest)
    stop = len(line) - end
    while line.startswith("\\n", start) and start + 2 <= stop:
        start += 2
    if line[start:stop] in ("", ","):
        return start, start
    return start, stop
