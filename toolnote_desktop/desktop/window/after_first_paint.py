"""What lives around the window and is in no picture of it: dialogs, tray, new versions, the ear for later starts.

Imported and made after the first picture, which would come 60 ms later otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell.close_policy import ClosePolicy
from toolnote_desktop.desktop.shell.icons import tray_icon
from toolnote_desktop.desktop.shell.single_instance import SingleInstance, forget_activation
from toolnote_desktop.desktop.shell.tray import PATIENCE_SECONDS, Tray
from toolnote_desktop.desktop.shell.updater import Updater
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener, login_command
from toolnote_desktop.desktop.window.update_messages import UpdateNotices
from toolnote_desktop.desktop.window.visible_servers import VisibleServers
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.system import current
from toolnote_desktop.updates.build import this_build

if TYPE_CHECKING:
    from toolnote_desktop.assistants.known_client import KnownClient


class DesktopServices(QObject):
    """Made for one window, and closed before it.

    Signals:
        quit_requested: the app shall end.
        restart_requested: … and go on as the command that is given.
    """

    quit_requested = Signal()
    restart_requested = Signal(list)

    def __init__(
        self, window: MainWindow, library: Library, link: ProxyLink, home: Home, add_demo: Callable[[], None]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._home = home
        VisibleServers(window, link)
        self.dialogs = DialogOpener(window, library, link, home, add_demo)
        self.tray = Tray(library, link, tray_icon(), current().autostart, login_command(home), self)
        self.updates = Updater(this_build(), library, home, self)
        self._update_notices = UpdateNotices(self.updates, window, self.dialogs, library, home)
        self._instance = SingleInstance(home, self)
        self._closing = ClosePolicy(window, library, self.tray.has_tray)
        self._connect()

    def _connect(self) -> None:
        window, dialogs, tray = self._window, self.dialogs, self.tray
        window.add_tools_requested.connect(dialogs.add_tools)
        window.connect_requested.connect(dialogs.connect_assistant)
        window.edit_server_requested.connect(dialogs.edit_server)
        window.secret_requested.connect(dialogs.set_secret)
        window.settings_requested.connect(dialogs.settings)
        window.menu.find_requested.connect(dialogs.find_tools)
        window.menu.file_requested.connect(dialogs.choose_file)
        window.menu.hand_on_requested.connect(self._hand_on)
        window.row_menu.hand_on_requested.connect(dialogs.hand_on)
        window.notes_pane.make_pages()
        window.notes_pane.toolset_page.hand_on_requested.connect(dialogs.hand_on)
        dialogs.note_wanted.connect(self._write_first_note)
        dialogs.assistants_connected.connect(self._tell_next_steps)
        tray.open_requested.connect(self.show)
        tray.went.connect(self.show)
        tray.server_requested.connect(self._show_server)
        tray.failed.connect(self._tell_error)
        tray.quit_requested.connect(self.quit_requested)
        self._closing.quit_requested.connect(self.quit_requested)
        self._update_notices.restart_requested.connect(self._restart)
        self._instance.told.connect(self._told)

    def start(self, *, background: bool, safe: bool) -> None:
        """Listen to later starts, look for a tray, and unless ``safe`` for new versions.

        ``background``: nobody has seen the window yet.
        """
        self._instance.listen()
        self.tray.start()
        if background:
            QTimer.singleShot(round(PATIENCE_SECONDS * 1000), self, self._be_reachable)
        if safe:
            self._window.say_safe_mode(self._restart)
        else:
            self.updates.start()

    def close(self) -> None:
        """No more of it: from now on a window that is closed closes."""
        self._instance.close()
        self.updates.stop()
        self._closing.let_go()
        self.tray.close()
        self.dialogs.close()

    def show(self) -> None:
        """Bring the window to the front."""
        if self._window.isMinimized():
            self._window.showNormal()
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()
        forget_activation()

    def open(self, target: str) -> None:
        """Show what a file or link holds: a preview, never more (docs/contract.md 3)."""
        self.show()
        self.dialogs.preview(target)

    def _be_reachable(self) -> None:
        """Started in the background, where no tray has come: a minimised window is the way in (case C66)."""
        if not self.tray.has_tray() and not self._window.isVisible():
            self._window.showMinimized()

    def _tell_error(self, error: Exception) -> None:
        """What was chosen in the tray cannot be: said in the window, which comes for it."""
        self.show()
        self._window.tell_error(error)

    def _show_server(self, server: str) -> None:
        self.show()
        self._window.go(RowKey(Kind.SERVER, server))

    def _tell_next_steps(self, clients: Sequence[KnownClient]) -> None:
        from toolnote_desktop.desktop.connect.next_steps import in_one_sentence, is_something_left

        action = self.tr("What to do") if is_something_left(clients) else ""
        self._window.message_bar.say(in_one_sentence(clients), action, lambda: self.dialogs.next_steps(clients))

    def _hand_on(self) -> None:
        row = self._window.library_pane.selected
        self.dialogs.hand_on(row.owner if row is not None and row.kind in (Kind.TOOLSET, Kind.ENTRY) else "")

    def _write_first_note(self, row: RowKey) -> None:
        self._window.go(row)
        self._window.add_note()

    def _restart(self) -> None:
        hidden = not self._window.isVisible() or self._window.isMinimized()
        self.restart_requested.emit([*login_command(self._home), *(["--background"] if hidden else [])])

    def _told(self, said: dict[str, object]) -> None:
        match said.get("message"), said.get("target"):
            case ("quit", _):
                self.quit_requested.emit()
            case ("open", str(target)):
                self.open(target)
            case ("nothing", _):
                pass
            case _:
                self.show()
