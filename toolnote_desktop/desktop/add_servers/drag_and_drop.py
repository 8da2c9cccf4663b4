"""Drops on the window, from a file manager or web page: a file, a link, or a piece of settings."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

LONGEST_TEXT = 1024 * 1024
"""Characters; a longer text is ignored."""


class DropTarget(QObject):
    """Accepts drops on a window.

    Signals:
        dropped: a path or a ``toolnote:`` link.
        text_dropped: a text that may be settings.
    """

    dropped = Signal(str)
    text_dropped = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept drags and drops (Qt)."""
        if event.type() in (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop) and isinstance(
            event, QDropEvent
        ):
            target, text = parse_drop(event.mimeData())
            if not target and not text:
                return False
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            if event.type() == QEvent.Type.Drop:
                self.dropped.emit(target) if target else self.text_dropped.emit(text)
            return True
        return super().eventFilter(watched, event)


def parse_drop(data: QMimeData) -> tuple[str, str]:
    """Return the first file or ``toolnote:`` link, and else a text that looks like settings; "" for none."""
    from toolnote_desktop.desktop.add_servers.deep_link import SCHEME  # not needed for the first paint

    for url in data.urls():
        if url.isLocalFile():
            return url.toLocalFile(), ""
        if url.scheme().lower() == SCHEME:
            return url.toString(), ""
    text = data.text().strip() if data.hasText() else ""
    if text.lower().startswith(f"{SCHEME}:"):
        return text, ""
    return "", text if len(text) <= LONGEST_TEXT and text.startswith(("{", '"', "[")) else ""
