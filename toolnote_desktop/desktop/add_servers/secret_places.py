"""Locations for secrets where the keychain cannot be used: this run only, or an unencrypted file."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import KEYCHAIN_PROBLEMS, OPEN_FILE, SecretLocation


class SecretNotStoredError(Exception):
    """A secret could not be stored, and the user can choose another place; its text is for the window."""


def keychain_text(problem: Problem) -> str:
    """Return why a secret cannot be stored, in words for someone who has just entered it."""
    match problem.code:
        case Code.KEYCHAIN_ABSENT:
            return translate("SecretDialog", "This computer has no keychain that Toolnote can use.")
        case Code.KEYCHAIN_LOCKED:
            return translate("SecretDialog", "Your keychain is locked. Unlock it, then try again.")
        case Code.KEYCHAIN_SILENT:
            return translate("SecretDialog", "Your keychain doesn’t answer. It may be waiting for you to unlock it.")
    return messages.problem_text(problem)


class SecretPlaces(QWidget):
    """Choice of a location, hidden until the keychain fails; the user chooses, never the program.

    Signals:
        chosen: a ``SecretLocation``. One that is chosen because there is no keychain is remembered.
    """

    chosen = Signal(object)

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library
        self._trouble: Code | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        elsewhere = self.tr(
            "You can keep keys elsewhere: for this session only, or in the file {0}, "
            "readable by anyone who can open your files."
        )
        self.text = label(elsewhere.format(OPEN_FILE), "second", wraps=True)
        self.run_button = Button(self.tr("For this session only"))
        self.run_button.clicked.connect(lambda _checked: self._choose(SecretLocation.RUN))
        self.file_button = Button(self.tr("Save unencrypted"))
        self.file_button.clicked.connect(lambda _checked: self._choose(SecretLocation.FILE))
        buttons = QWidget()
        flow = FlowLayout(buttons)
        flow.addWidget(self.run_button)
        flow.addWidget(self.file_button)
        column.addWidget(self.text)
        column.addWidget(buttons)
        self.hide()

    def offer(self, error: Exception) -> bool:
        """Show the choice if another location helps against this error, wherever the page is scrolled to.

        Return True if it does.
        """
        code = error.problem.code if isinstance(error, ToolnoteError) else None
        if code not in KEYCHAIN_PROBLEMS:
            return False
        self._trouble = code
        self.show()
        QTimer.singleShot(0, self, self._scroll_to)  # once it has its place
        return True

    def _scroll_to(self) -> None:
        above = self.parentWidget()
        while above is not None:
            if isinstance(above, QScrollArea):
                above.ensureWidgetVisible(self)
            above = above.parentWidget()

    def _choose(self, place: SecretLocation) -> None:
        if self._trouble is Code.KEYCHAIN_ABSENT:
            self._library.submit(SetFields(SETTINGS, {"secretsWithoutKeychain": str(place)}))
        self.chosen.emit(place)
