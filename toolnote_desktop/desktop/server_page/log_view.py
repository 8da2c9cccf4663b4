"""Live log of a tool source: its last lines, or all that are kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QDateTime, QTime, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QShowEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QWidget

from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import style_font
from toolnote_desktop.desktop.widgets.basics import Button, column, label

EVERY_MS: Final = 1_000
MOST_LINES: Final = 500
LAST_LINES: Final = 6
ALL_SHOWN: Final = 18
"""Number of lines that are visible at once when all are shown."""
SCROLL_BAR: Final = 14
"""Pixels below the last line for a horizontal scroll bar."""
LONGEST_LINE: Final = 400
"""Characters per line shown; laying out a line of a megabyte takes seconds."""
_FAULT: Final = re.compile(
    r"\b(error|failed|failure|fatal|refused|denied|unauthorized|forbidden|exception|traceback|panic|cannot|couldn.t)\b",
    re.IGNORECASE,
)

TimedLine = tuple[float, str]


class ServerLogView(QWidget):
    """Heading *Log* with a link that opens and closes the log, which is read only while visible.

    It is closed, or shows the last lines (for a source with a fault), or all lines that are kept.
    """

    def __init__(self, log_of: Callable[[str], tuple[TimedLine, ...]]) -> None:
        super().__init__()
        self._log_of = log_of
        self._server: str | None = None
        self._shown: tuple[TimedLine, ...] | None = None
        self._has_fault = False
        self._shows_all = False
        self.button = Button("", "link", pressed=self._toggle)
        self.copy_button = Button(self.tr("Copy"), "link", name=self.tr("Copy the log"), pressed=self._copy)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(style_font("mono"))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(self.tr("Log"))
        self.text.setTabChangesFocus(True)
        self.text.document().setDocumentMargin(0)
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() + SCROLL_BAR)
        self.box = QFrame()
        self.box.setProperty("kind", "log")
        column(self.box, (16, 8, 8, 8)).addWidget(self.text)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(label(self.tr("Log"), "heading"), 1)
        row.addWidget(self.copy_button)
        row.addWidget(self.button)
        whole = column(self, spacing=6)
        whole.addLayout(row)
        whole.addWidget(self.box)
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.refresh)
        self.close_log()

    def show_server(self, server: str, *, has_fault: bool) -> None:
        """Show a tool source's log: the last lines if it has a fault, else none until the user opens it."""
        if server != self._server:
            self._server = server
            self._shows_all = False
            self._has_fault = has_fault
            self.close_log()
        was_open, self._has_fault = self.is_open, has_fault
        if has_fault and not was_open:
            self._begin()
        elif was_open and not has_fault and not self._shows_all:
            self.close_log()

    @property
    def is_open(self) -> bool:
        """True while lines are shown."""
        return self._timer.isActive()

    def open_log(self) -> None:
        """Show all lines, live."""
        self._shows_all = True
        self._begin()

    def _begin(self) -> None:
        self._shown = None
        self.box.show()
        self.copy_button.setVisible(self._shows_all)
        self._show_words()
        self._timer.start()
        self.refresh()

    def close_log(self) -> None:
        """Show no lines and stop reading."""
        self._timer.stop()
        self._shown = None
        self._shows_all = False
        self.box.hide()
        self.copy_button.hide()
        self.text.clear()
        self._show_words()

    def _show_words(self) -> None:
        if not self.is_open and not self.box.isVisibleTo(self):
            self.button.set_text(self.tr("Show log"))
        elif self._shows_all:
            self.button.set_text(self.tr("Show less") if self._has_fault else self.tr("Hide log"))
        else:
            self.button.set_text(self.tr("Show all"), self.tr("Show the whole log"))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.is_open:
            self.refresh()

    def refresh(self) -> None:
        """Show the newest lines, without moving a view that is scrolled up."""
        if self._server is None:
            return
        if not self.isVisible():
            self._shown = None  # read again when it is visible
            self.text.clear()
            return
        lines = self._log_of(self._server)[-MOST_LINES:]
        if lines == self._shown:
            return
        self._shown = lines
        bar = self.text.verticalScrollBar()
        at_end, place = bar.value() >= bar.maximum() - 2, bar.value()
        shown = lines if self._shows_all else lines[-LAST_LINES:]
        self._write(shown)
        visible = min(max(len(shown), 1), ALL_SHOWN)
        self.text.setFixedHeight(visible * self.text.fontMetrics().lineSpacing() + SCROLL_BAR)
        bar.setValue(bar.maximum() if at_end else place)

    def _write(self, lines: tuple[TimedLine, ...]) -> None:
        self.text.clear()
        cursor = QTextCursor(self.text.document())
        scheme = colours(QGuiApplication.palette())
        if not lines:
            cursor.insertText(self.tr("The log is empty."), _coloured(scheme.dim))
            return
        cursor.beginEditBlock()
        for number, (moment, line) in enumerate(lines):
            if number:
                cursor.insertText("\n")
            when = QDateTime.fromSecsSinceEpoch(int(moment)).time()
            cursor.insertText(f"{_time_text(when)}  ", _coloured(scheme.dim))
            shown = _cut(line)
            cursor.insertText(shown, _coloured(scheme.wrong if _FAULT.search(shown) else scheme.text))
        cursor.endEditBlock()

    def _toggle(self) -> None:
        if not self.is_open:
            self.open_log()
        elif self._shows_all and not self._has_fault:
            self.close_log()
        else:
            self._shows_all = not self._shows_all
            self._begin()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())


def _time_text(when: QTime) -> str:
    return when.toString("HH:mm:ss")


def _coloured(colour: str) -> QTextCharFormat:
    form = QTextCharFormat()
    form.setForeground(QColor(colour))
    return form


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
