"""Message bar below the panes: a sentence, one button, and a close button. It stays until it is closed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.widgets.announce import announce
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.controls import IconButton


class MessageBar(QFrame):
    """Bar with one message; a new one replaces it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "bar")
        self.setAccessibleName(self.tr("Message"))
        self._action: Callable[[], object] | None = None
        self.about: object = None
        """Subject of the message, by which its sender can recognise and close it."""
        self.dot = Dot()
        self.sentence = label("", wraps=True, can_be_copied=True)
        self.action_button = Button("", pressed=self._act)
        self.close_button = IconButton("close", self.tr("Close this message"), pressed=self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 8, 6)
        row.setSpacing(10)
        row.addWidget(self.dot)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.action_button)
        row.addWidget(self.close_button)
        self.hide()

    def show_message(
        self,
        text: str,
        action: str = "",
        pressed: Callable[[], object] | None = None,
        *,
        mark: Mark = Mark.NONE,
        about: object = None,
    ) -> None:
        """Show a sentence, with a button if there is an action."""
        self._action = pressed
        self.about = about
        self.dot.show_mark(mark)
        self.sentence.setText(text)
        self.action_button.set_text(action)
        self.action_button.setVisible(bool(action))
        self.show()
        announce(self, f"{text} {action}".rstrip())

    def dismiss(self) -> None:
        """Close the message."""
        self._action = None
        self.about = None
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def _act(self) -> None:
        action = self._action
        self.dismiss()
        if action is not None:
            action()
