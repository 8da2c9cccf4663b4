"""Announcements to screen readers about content that has no focus."""

from __future__ import annotations

from PySide6.QtCore import QObject


def announce(about: QObject, text: str) -> None:
    """Let an active screen reader speak ``text`` at its next pause."""
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent  # importing its 200 names takes 5 ms

    if text and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(about, text))
