"""The Qt application object, and its registration with the desktop."""

from __future__ import annotations

import sys

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from toolnote_desktop import __version__
from toolnote_desktop.desktop.shell import icons
from toolnote_desktop.desktop.shell.languages import Languages
from toolnote_desktop.paths import APP_NAME

DESKTOP_ID = "org.toolnote.ToolNote"
"""Name of the ``.desktop`` file, macOS bundle and Windows application id, by which windows are grouped."""


class Application(QApplication):
    """The application, with signals for the events that the system sends to it and not to a window.

    Signals:
        quit_requested: by the system, or by the application's menu on macOS.
        file_opened: a file or URL is to be opened (macOS sends an event where others start a second process).
    """

    quit_requested = Signal()
    file_opened = Signal(str)

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self.languages = Languages(self)

    def event(self, event: QEvent) -> bool:
        """Handle Quit and FileOpen."""
        if event.type() == QEvent.Type.Quit:
            # Qt would close the window first, which hides in the tray instead.
            self.quit_requested.emit()
            return True
        if isinstance(event, QFileOpenEvent):
            self.file_opened.emit(event.file() or event.url().toString())
            return True
        return super().event(event)


def make_application() -> Application:
    """Create the application; closing its last window does not quit it."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID(DESKTOP_ID)
    Application.setApplicationName(APP_NAME)
    Application.setApplicationDisplayName(APP_NAME)
    Application.setApplicationVersion(__version__)
    Application.setDesktopFileName(DESKTOP_ID)
    application = Application([APP_NAME])
    application.setQuitOnLastWindowClosed(False)
    application.setWindowIcon(icons.app_icon())
    application.languages.use()
    return application
