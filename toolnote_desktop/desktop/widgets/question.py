"""Question with a few answers, each a button."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button
from toolnote_desktop.desktop.widgets.dialog import Dialog


class QuestionDialog(Dialog):
    """Dialog that asks a question; closing it answers nothing.

    Signals:
        answered: the key of the answer.
    """

    answered = Signal(str)

    def __init__(
        self, title: str, text: str, answers: Sequence[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        """Build the dialog. ``answers`` are keys and texts, the first the default; Cancel is always added."""
        super().__init__(parent)
        self.introduce(title, text)
        self.area.hide()  # all is said above it
        self.answer = ""
        self.buttons.addStretch(1)
        cancel = Button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.buttons.addWidget(cancel)
        for key, words in reversed(answers):
            made = Button(words, "primary" if (key, words) == answers[0] else "plain")
            made.clicked.connect(lambda _checked=False, key=key: self._answer(key))
            self.buttons.addWidget(made)
        made.setFocus()
        self.setMinimumWidth(round(480 * text_scale()))

    def _answer(self, key: str) -> None:
        self.answer = key
        self.accept()
        self.answered.emit(key)
