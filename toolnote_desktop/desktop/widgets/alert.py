"""Error line of a field or form, and announcements to screen readers about content that has no focus."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.basics import align_to_language, fit_to_lines


def announce(about: QObject, text: str) -> None:
    """Let an active screen reader speak ``text`` at its next pause."""
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent  # importing its 200 names takes 5 ms

    if text and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(about, text))


class Alert(QLabel):
    """Plain-text error line, announced when it appears and when it changes."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "wrong")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        align_to_language(self)
        fit_to_lines(self)

    def setText(self, text: str) -> None:
        is_new = text != self.text()
        super().setText(text)
        if is_new and self.isVisible():
            announce(self, text)

    def show_error(self, error: Exception) -> None:
        """Show why something failed."""
        self.setText(messages.error_text(error))
        self.show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        announce(self, self.text())
