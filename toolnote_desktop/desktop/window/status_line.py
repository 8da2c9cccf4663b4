"""Status line: the state on the left; on the right the most important thing to do, with its button."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.models.status import (
    Assistant,
    Serving,
    StatusAction,
    next_status_action,
    status_of,
)
from toolnote_desktop.desktop.widgets.announce import announce
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, label, tooltip_text
from toolnote_desktop.model.snapshot import Snapshot


class _Line(QLabel):
    """Label that elides its text to its width; the tooltip has all of it."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        self.setToolTip("" if shown == self.text() else tooltip_text(self.text()))
        painter = QPainter(self)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading, shown)


class StatusLine(QFrame):
    """Status line of the window.

    Signals:
        pressed: the ``StatusAction`` whose button was pressed.
    """

    pressed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "status")
        self.setAccessibleName(self.tr("State"))
        self._attention: StatusAction | None = None
        self.state_dot, self.attention_dot = Dot(), Dot()
        self.state, self.attention = _Line(), label("")
        self.action_button = Button("", "link", pressed=self._press)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 3, 12, 3)
        row.setSpacing(6)
        row.addWidget(self.state_dot)
        row.addWidget(self.state, 1)
        row.addWidget(self.attention_dot)
        row.addWidget(self.attention)
        row.addWidget(self.action_button)

    def show_state(self, snapshot: Snapshot, assistants: Sequence[Assistant], serving: Serving) -> None:
        """Show the current state."""
        mark, text = status_of(snapshot, assistants, serving)
        self.state_dot.show_mark(mark)
        if text != self.state.text():
            self.state.setText(text)
            announce(self.state, text)
        attention = next_status_action(snapshot, assistants, serving)
        if attention == self._attention:
            return
        self._attention = attention
        shown = attention or StatusAction(Mark.NONE, "")
        self.attention_dot.show_mark(shown.mark)
        self.attention.setText(shown.text)
        self.action_button.set_text(shown.action, f"{shown.action}: {shown.text}")
        self.action_button.setVisible(bool(shown.action))
        if attention is not None:
            announce(self.attention, attention.text)

    def _press(self) -> None:
        if self._attention is not None:
            self.pressed.emit(self._attention)
