"""What a person is told of new versions: a line in the message bar, and a page when they ask for it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from toolnote_desktop.desktop.shell.updater import Updater
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.updates.feed import Update


class UpdateNotices(QObject):
    """Between ``Updater`` and the window.

    Signals:
        restart_requested: the version that was put in our place shall go on.
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
        updates.found.connect(self._found)
        updates.nothing_new.connect(self._nothing_new)
        updates.failed.connect(self._failed)
        updates.replaced.connect(self._replaced)

    def about(self) -> None:
        """*About Toolnote*."""
        from toolnote_desktop.desktop.dialogs.about import AboutDialog

        self._dialogs.show_dialog(AboutDialog(self._updates.build, self._updates.look_now, self._window))

    def _found(self, update: Update) -> None:
        text = self.tr("Toolnote {version} is here.").format(version=update.version)
        self._window.message_bar.say(text, self.tr("What is new"), lambda: self._show(update))

    def _show(self, update: Update) -> None:
        from toolnote_desktop.desktop.dialogs.update_dialog import UpdateDialog

        looks = self._library.snapshot.settings.look_for_updates
        dialog = UpdateDialog(update, self._home.updates, looks=looks, parent=self._window)
        dialog.ready.connect(self._updates.install_at_the_end)
        dialog.looking_changed.connect(self._set_looking)
        self._dialogs.show_dialog(dialog)

    def _set_looking(self, on: bool) -> None:
        self._library.submit(SetFields(SETTINGS, {"lookForUpdates": on}))

    def _nothing_new(self) -> None:
        self._window.message_bar.say(self.tr("This is the newest version of Toolnote."))

    def _failed(self, error: Exception) -> None:
        text = self.tr("Whether there is a new version could not be found out: {reason}").format(reason=error)
        self._window.message_bar.say(text, self.tr("Try again"), self._updates.look_now)

    def _replaced(self) -> None:
        if not self._window.isVisible() or self._window.isMinimized():
            self.restart_requested.emit()  # nobody is looking, and assistants connect again by themselves
            return
        text = self.tr("A new version of Toolnote was installed. It is in use after a restart.")
        self._window.message_bar.say(text, self.tr("Restart"), self.restart_requested.emit)
