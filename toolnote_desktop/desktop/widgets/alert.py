"""A line beside a field, or below a form, that says what is wrong: shown in red, and said to screen readers."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from toolnote_desktop.desktop.widgets.announce import announce
from toolnote_desktop.desktop.widgets.basics import begin_where_lines_do


class Alert(QLabel):
    """Empty until something is wrong. It is said when it comes up, and when it changes."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "wrong")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        begin_where_lines_do(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumWidth(60)

    def setText(self, text: str) -> None:
        is_new = text != self.text()
        super().setText(text)
        if is_new and self.isVisible():
            announce(self, text)

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's hook."""
        super().showEvent(event)
        announce(self, self.text())
