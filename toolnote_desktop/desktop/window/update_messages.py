"""Messages about new versions: a toast, an entry under *Needs you*, and a dialog on request."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from toolnote_desktop.desktop.async_tasks import LatestTask
from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.models.needs_you import Need
from toolnote_desktop.desktop.shell.updater import Updater
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.updates.feed import Update


class UpdateNotices(QObject):
    """Shows in the window what ``Updater`` finds.

    Signals:
        restart_requested: the app is to restart as the version that was installed meanwhile.
    """

    restart_requested = Signal()

    def __init__(
        self, updates: Updater, window: MainWindow, dialogs: DialogOpener, library: Library, home: Home
    ) -> None:
        super().__init__(window)
        self._updates = updates
        self._window = window
        self._dialogs = dialogs
        self._library = library
        self._home = home
        window.menu.about_requested.connect(self.about)
        updates.found.connect(self._show_found)
        updates.replaced.connect(self._offer_restart)
        self._check = LatestTask(self)

    def about(self) -> None:
        """Open *About Toolnote*."""
        from toolnote_desktop.desktop.dialogs.about import AboutDialog

        self._dialogs.show_dialog(AboutDialog(self._updates.build, self.check_now, self._window))

    def check_now(self) -> None:
        """Check for a new version and show the outcome, whatever it is."""
        self._check.start(self._check_and_show())

    async def _check_and_show(self) -> None:
        try:
            update = await self._updates.check()
        except Exception as error:  # noqa: BLE001 - the user asked and sees why there is no answer
            text = self.tr("Couldn’t check for a new version: {reason}").format(reason=error)
            self._window.toast.show_message(text, self.tr("Try again"), self.check_now)
            return
        if update is not None:
            self._show_found(update)
        else:
            self._window.toast.show_message(self.tr("This is the newest version of Toolnote."))

    def _show_found(self, update: Update) -> None:
        text = self.tr("Toolnote {version} is here.").format(version=update.version)
        self._window.toast.show_message(text, self.tr("What’s new"), lambda: self._show_update(update))
        need = Need(
            Mark.ATTENTION,
            self.tr("Toolnote {version} is available").format(version=update.version),
            self.tr("Read what changes before you install it."),
            self.tr("What’s new"),
        )
        self._window.show_need("update", need, lambda: self._show_update(update))

    def _show_update(self, update: Update) -> None:
        from toolnote_desktop.desktop.dialogs.update_dialog import UpdateDialog

        checks = self._library.snapshot.settings.look_for_updates
        dialog = UpdateDialog(update, self._home.updates, checks=checks, work=self._window.work, parent=self._window)
        dialog.ready.connect(self._updates.install_on_exit)
        dialog.checks_changed.connect(self._set_checks)
        self._dialogs.show_dialog(dialog)

    def _set_checks(self, on: bool) -> None:
        self._library.submit(SetFields(SETTINGS, {"lookForUpdates": on}))

    def _offer_restart(self) -> None:
        if not self._window.isVisible() or self._window.isMinimized():
            self.restart_requested.emit()  # assistants connect again by themselves
            return
        text = self.tr("A new version of Toolnote is installed. Restart to use it.")
        self._window.toast.show_message(text, self.tr("Restart"), self.restart_requested.emit)
        need = Need(
            Mark.ATTENTION,
            self.tr("A new version of Toolnote was installed"),
            self.tr("Restart to use it."),
            self.tr("Restart"),
        )
        self._window.drop_need("update")
        self._window.show_need("restart", need, self.restart_requested.emit)
