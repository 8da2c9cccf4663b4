"""Says something to screen readers that is shown but not in focus."""

from __future__ import annotations

from PySide6.QtCore import QObject


def announce(about: QObject, text: str) -> None:
    """Have a screen reader, where one runs, say ``text`` at the next pause."""
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent  # its 200 names take 5 ms to be made

    if text and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(about, text))
