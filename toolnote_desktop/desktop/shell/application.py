"""The Qt application object, and what each desktop has to be told before there is one."""

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
"""The name of our ``.desktop`` file, macOS bundle and Windows application id: what windows are grouped by."""


class Application(QApplication):
    """The application; hears what the system sends to it and not to a window.

    Signals:
        quit_asked: the system, or the menu of the application on macOS, wants it to end.
        file_dropped: a file or URL was opened with it (macOS sends an event where others start a second process).
    """

    quit_asked = Signal()
    file_dropped = Signal(str)

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self.languages = Languages(self)

    def event(self, event: QEvent) -> bool:
        """Qt's hook for events to the application itself."""
        if event.type() == QEvent.Type.Quit:
            # Qt would close all windows first, and the window answers a close by hiding in the tray.
            self.quit_asked.emit()
            return True
        if isinstance(event, QFileOpenEvent):
            self.file_dropped.emit(event.file() or event.url().toString())
            return True
        return super().event(event)


def make_application() -> Application:
    """The application, with its names. Ends by being told to, not because a window was closed."""
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
    application.languages.speak()
    return application
