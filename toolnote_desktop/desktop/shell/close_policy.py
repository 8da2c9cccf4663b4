"""Behaviour of the window's close button: hide in the tray, else quit or minimise (case C66).

Where there is no tray, the user chooses once between quitting and minimising.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from toolnote_desktop.desktop.widgets.question import QuestionDialog
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.store.library import Library

SETTING = "closeWithoutTray"
QUIT = "quit"
MINIMISE = "minimise"


class ClosePolicy(QObject):
    """Event filter for the window's close events.

    Signals:
        quit_requested: the window was closed and the app shall end.
        first_hidden: the window was hidden for the first time of this run.
    """

    quit_requested = Signal()
    first_hidden = Signal()

    def __init__(self, window: QWidget, library: Library, has_tray: Callable[[], bool]) -> None:
        super().__init__(window)
        self._window = window
        self._library = library
        self._has_tray = has_tray
        self._quitting = False
        self._was_hidden = False
        self._question: QuestionDialog | None = None
        window.installEventFilter(self)

    def allow_close(self) -> None:
        """Let close events close the window from now on, because the app is quitting."""
        self._quitting = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the window's close event (Qt)."""
        if watched is not self._window or event.type() != QEvent.Type.Close:
            return False
        application = QGuiApplication.instance()
        ending = isinstance(application, QGuiApplication) and application.isSavingSession()
        if self._quitting or ending:
            return False
        event.ignore()
        if self._has_tray():
            self._window.hide()
            if not self._was_hidden:
                self._was_hidden = True
                self.first_hidden.emit()
        else:
            self._close_without_tray()
        return True

    def _close_without_tray(self) -> None:
        match self._library.snapshot.settings.extra.get(SETTING):
            case "quit":
                self.quit_requested.emit()
            case "minimise":
                self._window.showMinimized()
            case _:
                self._show_question()

    def _show_question(self) -> None:
        if self._question is not None and isValid(self._question):
            self._question.raise_()
            return
        question = QuestionDialog(
            self.tr("Keep Toolnote running?"),
            self.tr(
                "This desktop has no tray. Assistants lose their tools when Toolnote quits. Your choice is remembered; "
                "change it in the settings."
            ),
            [(MINIMISE, self.tr("Keep running minimized")), (QUIT, self.tr("Quit"))],
            self._window,
        )
        question.setObjectName("closing")
        question.answered.connect(self._save_answer)
        self._question = question
        question.open()

    def _save_answer(self, answer: str) -> None:
        self._library.submit(SetFields(SETTINGS, {SETTING: answer}))
        self._close_without_tray()
