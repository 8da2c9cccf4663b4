"""Live log of a tool source: its newest lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QWidget

from toolnote_desktop.desktop.theme.fonts import fixed_font
from toolnote_desktop.desktop.widgets.basics import Button, card, column

EVERY_MS: Final = 1_000
MOST_LINES: Final = 500
LONGEST_LINE: Final = 400
"""Characters per line shown; laying out a line of a megabyte takes seconds."""


class ServerLogView(QWidget):
    """Link that opens and closes the log, which is read only while visible."""

    def __init__(self, log_of: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._log_of = log_of
        self._server: str | None = None
        self._shown: tuple[str, ...] | None = None
        self.button = Button(self.tr("Show log"), "link", pressed=self._toggle)
        self.copy_button = Button(self.tr("Copy"), "link", name=self.tr("Copy the log"), pressed=self._copy)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(fixed_font(11))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(self.tr("Log"))
        self.text.setMinimumHeight(180)
        self.box = card("quiet-card")
        column(self.box, (12, 10, 6, 10)).addWidget(self.text)
        self.box.hide()
        self.copy_button.hide()
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.button)
        row.addWidget(self.copy_button)
        row.addStretch(1)
        whole = column(self)
        whole.addLayout(row)
        whole.addWidget(self.box)
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.refresh)

    def show_server(self, server: str) -> None:
        """Show another tool source, with its log closed."""
        if server != self._server:
            self._server = server
            self.close_log()

    def open_log(self) -> None:
        """Show the log, live."""
        self.box.show()
        self.copy_button.show()
        self.button.set_text(self.tr("Hide log"))
        self.refresh()
        self._timer.start()

    def close_log(self) -> None:
        """Close the log and stop reading."""
        self._timer.stop()
        self._shown = None
        self.box.hide()
        self.copy_button.hide()
        self.text.clear()
        self.button.set_text(self.tr("Show log"))

    def refresh(self) -> None:
        """Show the newest lines, without moving a view that is scrolled up."""
        if not self.isVisible() or self._server is None:
            self.close_log()
            return
        lines = self._log_of(self._server)[-MOST_LINES:]
        if lines == self._shown:
            return
        self._shown = lines
        bar = self.text.verticalScrollBar()
        at_end, place = bar.value() >= bar.maximum() - 2, bar.value()
        self.text.setPlainText("\n".join(_cut(line) for line in lines) or self.tr("The log is empty."))
        bar.setValue(bar.maximum() if at_end else place)

    def _toggle(self) -> None:
        if self._timer.isActive():
            self.close_log()
        else:
            self.open_log()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
