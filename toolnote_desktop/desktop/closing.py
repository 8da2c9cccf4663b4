"""What closing the window does: hide where there is a tray to come back from, else quit or minimise (CASES C66).

Where there is no tray the user is asked once which of the two it shall be, and told what each means.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.store.library import Library

SETTING = "closeWithoutTray"
QUIT = "quit"
MINIMISE = "minimise"


class Closing(QObject):
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
        self._question: QMessageBox | None = None
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
        extra = self._library.snapshot.settings.model_extra or {}
        match extra.get(SETTING):
            case "quit":
                self.quit_requested.emit()
            case "minimise":
                self._window.showMinimized()
            case _:
                self._ask()

    def _ask(self) -> None:
        if self._question is not None:
            self._question.raise_()
            return
        question = QMessageBox(self._window)
        question.setObjectName("closing")
        question.setIcon(QMessageBox.Icon.Question)
        question.setWindowTitle(self.tr("Close Toolnote"))
        question.setText(self.tr("This desktop has no tray where Toolnote could stay."))
        question.setInformativeText(
            self.tr(
                "Minimised, it goes on serving your tools to your assistants. If you quit, they have none until you "
                "open it again. Toolnote will do the same the next time you close the window."
            )
        )
        minimise = question.addButton(self.tr("Minimise"), QMessageBox.ButtonRole.AcceptRole)
        quit_it = question.addButton(self.tr("Quit"), QMessageBox.ButtonRole.DestructiveRole)
        question.addButton(QMessageBox.StandardButton.Cancel)
        question.setDefaultButton(minimise)
        question.finished.connect(lambda _result: self._answered(question, minimise, quit_it))
        self._question = question
        question.open()

    def _answered(self, question: QMessageBox, minimise: QWidget, quit_it: QWidget) -> None:
        clicked = question.clickedButton()
        self._question = None
        question.deleteLater()
        if clicked is minimise:
            self._library.submit(SetFields(SETTINGS, {SETTING: MINIMISE}))
            self._window.showMinimized()
        elif clicked is quit_it:
            self._library.submit(SetFields(SETTINGS, {SETTING: QUIT}))
            self.quit_requested.emit()
