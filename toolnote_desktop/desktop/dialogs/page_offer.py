"""Dialog that offers a web page which a tool source asks the user to open, with its whole address."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop.theme.fonts import fixed_font, text_scale
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel


class PageOffer(Dialog):
    """See the module. Closing it without an answer is ``rejected``.

    Signals:
        answered: True to open the page, False to refuse it.
    """

    answered = Signal(bool)

    def __init__(self, source: str, assistant: str, message: str, url: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page-offer")
        lead = self.tr("{0} can’t show it. It waits for your answer.").format(assistant)
        self.introduce(self.tr("{0} asks you to open a web page").format(source), lead)
        self.message = FullTextLabel(message)
        self.message.setVisible(bool(message))
        self.address = FullTextLabel(url)
        self.address.setFont(fixed_font(13))
        self.address.setAccessibleName(self.tr("Address"))
        self.body.addWidget(self.message)
        self.body.addWidget(label(self.tr("Address"), "heading"))
        self.body.addWidget(self.address)
        self.body.addWidget(
            label(self.tr("Open it only if you know the address and expected to be asked."), "small", wraps=True)
        )
        self.body.addStretch(1)
        self.refuse_button = Button(self.tr("Don’t open"), pressed=lambda: self._answer(False))
        self.open_button = Button(self.tr("Open page"), "primary", pressed=lambda: self._answer(True))
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.refuse_button)
        self.buttons.addWidget(self.open_button)
        self.refuse_button.setFocus()
        self.setMinimumWidth(round(480 * text_scale()))

    def _answer(self, opens: bool) -> None:
        self.accept()
        self.answered.emit(opens)
