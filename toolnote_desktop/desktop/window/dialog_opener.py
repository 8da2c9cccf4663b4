"""Opens the dialogs of the window, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget
from shiboken6 import isValid

from toolnote_desktop.desktop.add_servers.drag_and_drop import DropTarget
from toolnote_desktop.desktop.first_run.first_note import FirstNote
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell.crash_reporter import CrashReport
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.paths import Home, platform_config_folder
from toolnote_desktop.store.library import Library
from toolnote_desktop.system import current
from toolnote_desktop.system.program import window_command

# Each dialog is imported when it is opened: all together they take as long as the rest of the window.
if TYPE_CHECKING:
    from toolnote_desktop.assistants.known_client import KnownClient


class DialogOpener(QObject):
    """Opens the dialogs of one window; opening another one closes the current one.

    Signals:
        file_chosen: a file, folder or link that the user chose or dropped; nothing of it is added yet.
        text_dropped: a text that the user dropped.
        demo_added: the demo was added.
        said: what a dialog has done, for the toast.
        note_requested: the row of a tool on which the user is to write a first note.
    """

    note_requested = Signal(object)
    file_chosen = Signal(str)
    text_dropped = Signal(str)
    demo_added = Signal()
    said = Signal(str)

    def __init__(
        self,
        window: QWidget,
        library: Library,
        link: ProxyLink,
        home: Home,
        add_demo: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._library = library
        self._link = link
        self._home = home
        self._add_demo = add_demo
        self.current: Dialog | None = None
        self._first_note = FirstNote(library, link, self)
        self._first_note.tool_found.connect(self.note_requested)
        self._drops = DropTarget(window)
        self._drops.dropped.connect(self.file_chosen)
        self._drops.text_dropped.connect(self.text_dropped)

    def close(self) -> None:
        """Close the current dialog."""
        if self.current is not None and isValid(self.current):
            self.current.reject()
        self.current = None

    def next_steps(self, clients: Sequence[KnownClient]) -> None:
        """Open the list of what is left to do in the connected assistants."""
        from toolnote_desktop.desktop.dialogs.next_steps import NextSteps

        self.show_dialog(NextSteps(clients, self._link, self._window))

    def start_with_demo(self) -> None:
        """Add the demo, and lead to a first note on one of its tools."""
        self._add_demo()
        self.demo_added.emit()
        self._first_note.wait()

    def edit_server(self, server: str) -> None:
        """Open the settings of a tool source."""
        from toolnote_desktop.desktop.server_page.edit_dialog import EditServerDialog

        self.show_dialog(EditServerDialog(self._library, server, self._window, self._link.try_server))

    def set_secret(self, server: str, name: str) -> None:
        """Open the dialog for a secret of a tool source."""
        from toolnote_desktop.desktop.server_page.secret_dialog import SecretDialog

        dialog = SecretDialog(self._library, self._link.secrets, server, name, self._window)
        dialog.accepted.connect(lambda: self.said.emit(self.tr("Key saved")))
        self.show_dialog(dialog)

    def settings(self, key: str = "") -> None:
        """Open the settings, at one of them."""
        from toolnote_desktop.desktop.dialogs.settings import SettingsDialog

        dialog = SettingsDialog(self._library, current().autostart, login_command(self._home), self._window)
        self.show_dialog(dialog)
        if key:
            dialog.show_setting(key)

    def export(self, toolset: str = "") -> None:
        """Open the export of a toolset; "" is the one in use."""
        from toolnote_desktop.desktop.toolset_page.export_dialog import ExportDialog

        self.show_dialog(ExportDialog(self._library, toolset, self._window))

    def choose_file(self) -> None:
        """Let the user choose a file, and preview it."""
        chooser = QFileDialog(self._window, self.tr("Add from a file"))
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        chooser.setNameFilters(
            [
                self.tr("Toolsets and settings ({0})").format("*.toolnote *.json *.jsonc *.toml *.yaml *.yml"),
                self.tr("All files ({0})").format("*"),
            ]
        )
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.fileSelected.connect(self.file_chosen)
        chooser.open()

    def show_crash(self, report: CrashReport) -> None:
        """Open the report of an uncaught error, unless another dialog is open."""
        from toolnote_desktop.desktop.dialogs.crash_dialog import CrashDialog

        if self.current is not None and isValid(self.current):
            return
        self.show_dialog(CrashDialog(report, self._window))

    def show_dialog(self, dialog: Dialog) -> None:
        """Open a dialog in place of the current one."""
        self._first_note.stop()
        self.close()
        self.current = dialog
        if not self._window.isVisible():
            self._window.show()
        dialog.open()


def login_command(home: Home) -> list[str]:
    """Return the command that starts this app at login, with this home."""
    command = window_command()
    return command if str(home.root) == platform_config_folder() else [*command, "--home", str(home.root)]
