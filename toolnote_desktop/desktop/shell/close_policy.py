"""What closing the window does: hide where there is a tray to come back from, else quit or minimise (case C66).

Where there is no tray the user is asked once which of the two it shall be, and told what each means.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from toolnote_desktop.desktop.widgets.question import Question
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.store.library import Library

SETTING = "closeWithoutTray"
QUIT = "quit"
MINIMISE = "minimise"


class ClosePolicy(QObject):
    """Decides about each close event of the window.

    Signals:
        quit_requested: the window was closed and the app shall end.
    """

    quit_requested = Signal()

    def __init__(self, window: QWidget, library: Library, has_tray: Callable[[], bool]) -> None:
        super().__init__(window)
        self._window = window
        self._library = library
        self._has_tray = has_tray
        self._quitting = False
        self._question: Question | None = None
        window.installEventFilter(self)

    def let_go(self) -> None:
        """The app is ending: from now on a close event closes."""
        self._quitting = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook; only the window's close event is ours."""
        if watched is not self._window or event.type() != QEvent.Type.Close:
            return False
        application = QGuiApplication.instance()
        ending = isinstance(application, QGuiApplication) and application.isSavingSession()
        if self._quitting or ending:
            return False
        event.ignore()
        if self._has_tray():
            self._window.hide()
        else:
            self._without_tray()
        return True

    def _without_tray(self) -> None:
        match self._library.snapshot.settings.extra.get(SETTING):
            case "quit":
                self.quit_requested.emit()
            case "minimise":
                self._window.showMinimized()
            case _:
                self._ask()

    def _ask(self) -> None:
        if self._question is not None and isValid(self._question):
            self._question.raise_()
            return
        question = Question(
            self.tr("This desktop has no tray"),
            self.tr(
                "So Toolnote cannot stay there when you close its window. Minimised, it goes on serving your tools to "
                "your assistants; if it quits, they have none until you open it again. It will do the same next time."
            ),
            [(MINIMISE, self.tr("Minimise")), (QUIT, self.tr("Quit"))],
            self._window,
        )
        question.setObjectName("closing")
        question.answered.connect(self._answered)
        self._question = question
        question.open()

    def _answered(self, answer: str) -> None:
        self._library.submit(SetFields(SETTINGS, {SETTING: answer}))
        self._without_tray()
