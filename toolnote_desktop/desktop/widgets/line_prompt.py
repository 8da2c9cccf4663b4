"""Dialog that asks for one line, such as a category or a name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button
from toolnote_desktop.desktop.widgets.dialog import Dialog


class LinePrompt(Dialog):
    """Dialog with a field and a button; known values are offered while typing.

    Signals:
        answered: the line, stripped; never an empty one.
    """

    answered = Signal(str)

    def __init__(
        self, title: str, lead: str, caption: str, verb: str, known: Sequence[str] = (), parent: QWidget | None = None
    ) -> None:
        """``caption`` names the field, ``verb`` is what the button says."""
        super().__init__(parent)
        self.setObjectName("one-line")
        self.introduce(title, lead)
        self.field = QLineEdit()
        self.field.setAccessibleName(caption)
        self.field.setPlaceholderText(caption)
        self.field.setMaxLength(80)
        if known:
            self.field.setCompleter(QCompleter(list(known), self.field))
        self.body.addWidget(self.field)
        self.body.addStretch(1)
        cancel = Button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.confirm = Button(verb, "primary")
        self.confirm.setEnabled(False)
        self.confirm.clicked.connect(self._answer)
        self.field.textChanged.connect(lambda text: self.confirm.setEnabled(bool(text.strip())))
        self.buttons.addStretch(1)
        self.buttons.addWidget(cancel)
        self.buttons.addWidget(self.confirm)
        self.setMinimumWidth(round(420 * text_scale()))
        self.field.setFocus()

    def _answer(self) -> None:
        line = " ".join(self.field.text().split())
        if line:
            self.accept()
            self.answered.emit(line)
