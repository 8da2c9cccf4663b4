"""A bar below the panes instead of boxes: a sentence, one button, and a cross. It stays until it is closed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.widgets.announce import announce
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.painted_buttons import IconButton


class MessageBar(QFrame):
    """One message at a time; a new one takes the place of the old."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "bar")
        self.setAccessibleName(self.tr("Message"))
        self._action: Callable[[], object] | None = None
        self.about: object = None
        """What the message is about; whoever shows it may ask and close it when that is over."""
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

    def say(
        self,
        text: str,
        action: str = "",
        pressed: Callable[[], object] | None = None,
        *,
        mark: Mark = Mark.NONE,
        about: object = None,
    ) -> None:
        """Show a sentence, and a button where something can be done about it."""
        self._action = pressed
        self.about = about
        self.dot.show_mark(mark)
        self.sentence.setText(text)
        self.action_button.set_text(action)
        self.action_button.setVisible(bool(action))
        self.show()
        announce(self, f"{text} {action}".rstrip())

    def dismiss(self) -> None:
        """Close it."""
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
