"""Services created after the first paint: dialogs, tray icon, updater and the single-instance server.

Importing them earlier would delay the first paint by 60 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from toolnote_desktop.bench.keys import OWNER
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.models.library_rows import HOME, Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell.close_policy import ClosePolicy
from toolnote_desktop.desktop.shell.icons import tray_icon
from toolnote_desktop.desktop.shell.single_instance import SingleInstance, clear_activation_token
from toolnote_desktop.desktop.shell.tray import PATIENCE_SECONDS, Tray
from toolnote_desktop.desktop.shell.updater import Updater
from toolnote_desktop.desktop.window.approvals import ApprovalPrompts
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener, login_command
from toolnote_desktop.desktop.window.home_activity import HomeActivity
from toolnote_desktop.desktop.window.list_offers import ListOffers
from toolnote_desktop.desktop.window.pack_offers import PackOffers
from toolnote_desktop.desktop.window.page_offers import PageOffers
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
    """Services of one window, closed before it.

    Signals:
        quit_requested: the app is to quit.
        restart_requested: the app is to quit and be replaced by the given command.
    """

    quit_requested = Signal()
    restart_requested = Signal(list)

    def __init__(
        self, window: MainWindow, library: Library, link: ProxyLink, home: Home, add_demo: Callable[[], None]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._home = home
        self._connections = LatestTask(self)
        VisibleServers(window, link)
        self._home_activity = HomeActivity(window, link, home)
        self.dialogs = DialogOpener(window, library, link, home, add_demo)
        self.tray = Tray(library, link, tray_icon(), current().autostart, login_command(home), self)
        self.updates = Updater(this_build(), library, home, self)
        self._update_notices = UpdateNotices(self.updates, window, self.dialogs, library, home)
        self.pages = PageOffers(window, self.dialogs, link, library, self.tray.announce)
        self.approvals = ApprovalPrompts(window, link, library)
        self.packs = PackOffers(window, library)
        self.lists = ListOffers(window, library, home)
        self._instance = SingleInstance(home, self)
        self._close_policy = ClosePolicy(window, library, self.tray.has_tray)
        self._connect()

    def _connect(self) -> None:
        window, dialogs, tray = self._window, self.dialogs, self.tray
        window.add_tools_requested.connect(lambda: window.go(RowKey(Kind.ADD_TOOLS)))
        window.connect_requested.connect(lambda client: window.go(RowKey(Kind.ASSISTANT, client)))
        window.edit_server_requested.connect(dialogs.edit_server)
        window.secret_requested.connect(dialogs.set_secret)
        window.settings_requested.connect(dialogs.settings)
        window.setting_requested.connect(dialogs.settings)
        window.demo_requested.connect(dialogs.start_with_demo)
        window.menu.find_requested.connect(lambda: window.go(RowKey(Kind.ADD_TOOLS, "catalog")))
        window.menu.file_requested.connect(dialogs.choose_file)
        window.menu.export_requested.connect(self._export)
        window.row_menu.export_requested.connect(dialogs.export)
        window.pages.made.connect(self._connect_page)
        window.pages.make_pages()
        dialogs.file_chosen.connect(self._show_file)
        dialogs.text_dropped.connect(self._show_text)
        dialogs.said.connect(window.toast.show_message)
        dialogs.demo_added.connect(lambda: window.go(HOME))
        window.pages.toolset_page.export_requested.connect(dialogs.export)
        dialogs.note_requested.connect(self._write_first_note)
        tray.open_requested.connect(self.show)
        tray.question_requested.connect(self.approvals.show_window)
        self.approvals.changed.connect(tray.show_questions)
        tray.tray_lost.connect(self.show)
        tray.server_requested.connect(self._show_server)
        tray.failed.connect(self._show_error)
        tray.quit_requested.connect(self.quit_requested)
        self._close_policy.quit_requested.connect(self.quit_requested)
        self._close_policy.first_hidden.connect(tray.say_still_running)
        self._update_notices.restart_requested.connect(self._restart)
        self._instance.message_received.connect(self._handle_message)

    def start(self, *, background: bool, safe: bool) -> None:
        """Listen to later starts, show the tray icon, and start the updater unless ``safe``.

        ``background``: the window has not been shown.
        """
        self._instance.listen()
        self.tray.start()
        self._read_connections()
        if background:
            QTimer.singleShot(round(PATIENCE_SECONDS * 1000), self, self._ensure_reachable)
        if safe:
            self._window.show_safe_mode(self._restart)
            self.tray.show_safe_mode()
        else:
            self.updates.start()

    def _read_connections(self) -> None:
        """Find out which assistants were disconnected; what is changed on their pages is reported by these."""
        identity, clients = self._window.pages.identity(), tuple(self._window.snapshot.clients)

        def read() -> frozenset[str]:
            from toolnote_desktop.assistants.environment import current_environment  # not in the window's thread
            from toolnote_desktop.desktop.assistant_page.reading import find_unconnected

            return find_unconnected(current_environment(), identity, clients)

        self._connections.start(self._show_connections(read))

    async def _show_connections(self, read: Callable[[], frozenset[str]]) -> None:
        self._window.show_unconnected(await in_thread(read))

    def close(self) -> None:
        """Stop the services; closing the window closes it from now on."""
        self._instance.close()
        self.updates.stop()
        self._home_activity.stop()
        self.packs.stop()
        self.lists.stop()
        self._connections.cancel()
        self._close_policy.allow_close()
        self.tray.close()
        self.approvals.close()
        self.dialogs.close()

    def show(self) -> None:
        """Bring the window to the front."""
        if self._window.isMinimized():
            self._window.showNormal()
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()
        clear_activation_token()

    def open(self, target: str) -> None:
        """Show a preview of a file or link; nothing is added by it (docs/contract.md 3)."""
        self.show()
        self._show_file(target)

    def _ensure_reachable(self) -> None:
        """Show the window minimised if it was started in the background and no tray has appeared (case C66)."""
        if not self.tray.has_tray() and not self._window.isVisible():
            self._window.showMinimized()

    def _show_error(self, error: Exception) -> None:
        """Show the window with an error of the tray menu."""
        self.show()
        self._window.show_error(error)

    def _show_server(self, server: str) -> None:
        self.show()
        self._window.go(RowKey(Kind.SERVER, server))

    def show_first_run(self) -> None:
        """Show the page of the first run."""
        self._window.go(RowKey(Kind.FIRST_RUN))

    def _show_file(self, target: str) -> None:
        self._window.go(RowKey(Kind.FILE, target))

    def _show_text(self, text: str) -> None:
        self._window.pages.file_page.show_text(text, self.tr("what you dropped"))
        self._window.go(RowKey(Kind.FILE))

    def _connect_page(self, name: str, page: Any) -> None:
        if name == "bench_page":
            page.key_requested.connect(lambda endpoint: self.dialogs.set_secret(OWNER, endpoint))
        if name == "first_run_page":
            page.demo_requested.connect(self.dialogs.start_with_demo)
            page.add_requested.connect(lambda: self._window.go(RowKey(Kind.ADD_TOOLS, "paste")))
            page.catalog_requested.connect(lambda: self._window.go(RowKey(Kind.ADD_TOOLS, "catalog")))
            page.connect_requested.connect(lambda: self._window.go(RowKey(Kind.ASSISTANT)))
            page.connected.connect(self._show_next_steps)

    def _show_next_steps(self, clients: Sequence[KnownClient]) -> None:
        from toolnote_desktop.desktop.dialogs.next_steps import needs_user_action, summary

        if not clients:
            return
        self._read_connections()
        action = self.tr("What to do") if needs_user_action(clients) else ""
        self._window.toast.show_message(summary(clients), action, lambda: self.dialogs.next_steps(clients))

    def _export(self) -> None:
        row = self._window.place
        self.dialogs.export(row.owner if row is not None and row.kind in (Kind.TOOLSET, Kind.ENTRY) else "")

    def _write_first_note(self, row: RowKey) -> None:
        self._window.go(row)
        self._window.add_note()

    def _restart(self) -> None:
        hidden = not self._window.isVisible() or self._window.isMinimized()
        self.restart_requested.emit([*login_command(self._home), *(["--background"] if hidden else [])])

    def _handle_message(self, message: dict[str, object]) -> None:
        match message.get("message"), message.get("target"):
            case ("quit", _):
                self.quit_requested.emit()
            case ("open", str(target)):
                self.open(target)
            case ("nothing", _):
                pass
            case _:
                self.show()
