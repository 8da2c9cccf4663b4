"""Fields that keep what is written when they are left, or after a pause, and that say what they are for."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget

from toolnote_desktop.desktop.widgets.basics import Button, column, label, restyle
from toolnote_desktop.desktop.widgets.debouncer import Debouncer
from toolnote_desktop.desktop.widgets.text_editor import NoteText

PAUSE_MS: Final = 600
"""After so long without a key, what stands in a field is kept."""


class LineField(QLineEdit):
    """One line. Undo and redo are the window's.

    Signals:
        kept: the text, when it is another one than was shown.
    """

    kept = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.waits = False
        """Whether it keeps what is written only when it is left: what is begun would be another value."""
        self._shown = ""
        self._pause = Debouncer(self, PAUSE_MS, self.keep)
        self.textEdited.connect(self._edited)
        self.editingFinished.connect(self.keep)
        self.returnPressed.connect(self.keep)

    def show_text(self, text: str) -> None:
        """What is kept now; what somebody is writing stays."""
        if not (self.hasFocus() and self.text() != self._shown):
            self.setText(text)
            self.setCursorPosition(0)
        self._shown = text

    def _edited(self, _text: str) -> None:
        if not self.waits:
            self._pause.trigger()

    def keep(self) -> None:
        """Tell what stands here, if it is new."""
        self._pause.cancel()
        if self.text() != self._shown and (self.hasAcceptableInput() or not self.text()):
            self._shown = self.text()
            self.kept.emit(self._shown)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.keep()  # Qt does not call an emptied field finished where it has a validator

    def event(self, event: QEvent) -> bool:
        """Qt's hook: undo and redo are for the window, which takes back what was kept."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_undo(event):
            event.ignore()
            return False
        return super().event(event)


class TextField(QFrame):
    """Several lines in a frame, as high as what stands in it.

    Signals:
        kept: the text, when it is another one than was shown.
    """

    kept = Signal(str)

    def __init__(self, name: str, placeholder: str = "") -> None:
        super().__init__()
        self.setProperty("kind", "field")
        self.setProperty("state", "")
        self.editor = NoteText("")
        self.editor.setAccessibleName(name)
        self.editor.setPlaceholderText(placeholder)
        self._shown = ""
        self._pause = Debouncer(self, PAUSE_MS, self.keep)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 7, 10, 6)
        row.addWidget(self.editor)
        self.editor.typed.connect(lambda _text: self._pause.trigger())
        self.editor.left.connect(self.keep)
        self.editor.paused.connect(self.keep)
        self.editor.entered.connect(lambda: restyle(self, state="editing"))
        self.editor.left.connect(lambda: restyle(self, state=""))

    def text(self) -> str:
        """What stands here."""
        return self.editor.text()

    def show_text(self, text: str) -> None:
        """What is kept now; what somebody is writing stays."""
        is_writing = self.editor.hasFocus() and self.editor.text() != self._shown
        if not is_writing and self.editor.text() != text:
            self.editor.show_text(text)
        self._shown = text

    def keep(self) -> None:
        """Tell what stands here, if it is new."""
        self._pause.cancel()
        if self.editor.text() != self._shown:
            self._shown = self.editor.text()
            self.kept.emit(self._shown)


def keep_fields(widget: QWidget) -> None:
    """Keep what is being written in the fields of a page: it goes away, or shows something else."""
    for line in widget.findChildren(LineField):
        line.keep()
    for text in widget.findChildren(TextField):
        text.keep()


def captioned(caption: str, sentence: str, control: QWidget) -> QWidget:
    """A caption, a control below it, and a sentence on what it does."""
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


class Picks(QWidget):
    """A few answers as chips, one of them chosen.

    Signals:
        chosen: the value of the one that was pressed.
    """

    chosen = Signal(object)

    def __init__(self, question: str, answers: tuple[tuple[object, str], ...]) -> None:
        super().__init__()
        self.setAccessibleName(question)
        self._question = question
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self.buttons: list[tuple[object, Button]] = []
        for value, text in answers:
            button = Button(text, "chip")
            button.setCheckable(True)
            button.clicked.connect(lambda _checked, value=value: self._press(value))
            row.addWidget(button)
            self.buttons.append((value, button))
            self.set_text(value, text)
        row.addStretch(1)

    def show_value(self, value: object) -> None:
        """Which one is chosen now."""
        for one, button in self.buttons:
            button.setChecked(one == value and type(one) is type(value))

    def set_text(self, value: object, text: str) -> None:
        """Another text for one of the answers."""
        for one, button in self.buttons:
            if one == value and type(one) is type(value):
                button.set_text(text, f"{self._question} {text}")

    def button(self, value: object) -> Button:
        """The chip of an answer."""
        return next(button for one, button in self.buttons if one == value and type(one) is type(value))

    def _press(self, value: object) -> None:
        self.show_value(value)
        self.chosen.emit(value)


def _is_undo(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
