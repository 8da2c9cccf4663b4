"""Fields that save their content when they lose the focus or after a pause in typing."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget

from toolnote_desktop.desktop.widgets.basics import column, label, restyle
from toolnote_desktop.desktop.widgets.debouncer import Debouncer
from toolnote_desktop.desktop.widgets.text_editor import NoteText, is_undo_key

PAUSE_MS: Final = 600
"""Pause in typing after which a field's content is saved."""


class LineField(QLineEdit):
    """Single-line field. Undo and redo belong to the window.

    Signals:
        saved: the text, when it differs from the one shown.
    """

    saved = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.saves_on_leave = False
        """True if content is saved only on leaving the field, because a half-typed value would be a valid other one."""
        self._shown = ""
        self._pause = Debouncer(self, PAUSE_MS, self.save)
        self.textEdited.connect(self._edited)
        self.editingFinished.connect(self.save)
        self.returnPressed.connect(self.save)

    def show_text(self, text: str) -> None:
        """Show the stored text unless the user is editing the field."""
        if not (self.hasFocus() and self.text() != self._shown):
            self.setText(text)
            self.setCursorPosition(0)
        self._shown = text

    def _edited(self, _text: str) -> None:
        if not self.saves_on_leave:
            self._pause.trigger()

    def save(self) -> None:
        """Save the content if it has changed."""
        self._pause.cancel()
        if self.text() != self._shown and (self.hasAcceptableInput() or not self.text()):
            self._shown = self.text()
            self.saved.emit(self._shown)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.save()  # Qt does not call an emptied field finished where it has a validator

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the window, which undoes what was saved."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and is_undo_key(event):
            event.ignore()
            return False
        return super().event(event)


class TextField(QFrame):
    """Multi-line field in a frame, as high as its content.

    Signals:
        saved: the text, when it differs from the one shown.
    """

    saved = Signal(str)

    def __init__(self, name: str, placeholder: str = "") -> None:
        super().__init__()
        self.setProperty("kind", "field")
        self.setProperty("state", "")
        self.editor = NoteText("")
        self.editor.setAccessibleName(name)
        self.editor.setPlaceholderText(placeholder)
        self._shown = ""
        self._pause = Debouncer(self, PAUSE_MS, self.save)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 7, 10, 6)
        row.addWidget(self.editor)
        self.editor.typed.connect(lambda _text: self._pause.trigger())
        self.editor.left.connect(self.save)
        self.editor.paused.connect(self.save)
        self.editor.entered.connect(lambda: restyle(self, state="editing"))
        self.editor.left.connect(lambda: restyle(self, state=""))

    def text(self) -> str:
        """Return the content."""
        return self.editor.text()

    def show_text(self, text: str) -> None:
        """Show the stored text unless the user is editing the field."""
        is_writing = self.editor.hasFocus() and self.editor.text() != self._shown
        if not is_writing and self.editor.text() != text:
            self.editor.show_text(text)
        self._shown = text

    def save(self) -> None:
        """Save the content if it has changed."""
        self._pause.cancel()
        if self.editor.text() != self._shown:
            self._shown = self.editor.text()
            self.saved.emit(self._shown)


def save_fields(widget: QWidget) -> None:
    """Save the fields of a page, because it closes or shows something else."""
    for line in widget.findChildren(LineField):
        line.save()
    for text in widget.findChildren(TextField):
        text.save()


def captioned(caption: str, sentence: str, control: QWidget) -> QWidget:
    """Create a caption, a control below it, and a sentence that explains it."""
    whole = QWidget()
    inside = column(whole, spacing=3)
    said = label(caption)
    said.setBuddy(control)
    inside.addWidget(said)
    inside.addWidget(control)
    if sentence:
        inside.addWidget(label(sentence, "small", wraps=True))
        control.setAccessibleDescription(sentence)
    if not control.accessibleName():
        control.setAccessibleName(caption)
    return whole
