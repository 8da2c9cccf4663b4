"""Offers packs of the shared folder on Home when they are new or have changed (docs/packs.md)."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.needs_you import Need
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.packs.folder import OfferedPack, offered_packs, pack_files, pack_folders
from toolnote_desktop.store.library import Change, Library

QUIET_MS: Final = 500
"""Pause after the last change, so that a checkout is read when it is complete."""

MOST_OFFERS: Final = 10


def _watched(settings: Settings) -> set[str]:
    """Return the paths to watch: the folder, its subfolders, and the ordinary files in them that are read."""
    files = (file for file in pack_files(settings) if file.is_file())
    return {str(path) for path in (*pack_folders(settings), *files)}


class PackOffers(QObject):
    """Reads the folder when it, a pack in it, a toolset or the setting changes. Nothing is applied from here."""

    _changed = Signal()

    def __init__(self, window: MainWindow, library: Library) -> None:
        super().__init__(window)
        self._window, self._library = window, library
        self._shown: set[str] = set()
        self._reading = LatestTask(self)
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._timer.timeout.connect(self.refresh)
        self._changed.connect(self._timer.start)
        self._watcher.directoryChanged.connect(lambda _path: self._timer.start())
        self._watcher.fileChanged.connect(lambda _path: self._timer.start())
        self._unsubscribe = library.subscribe(self._note_change)
        self._timer.start()

    def stop(self) -> None:
        """Stop reading."""
        self._unsubscribe()
        self._timer.stop()
        self._reading.cancel()

    def refresh(self) -> None:
        """Read the folder, in a thread of its own."""
        self._reading.start(self._read())

    def _note_change(self, change: Change) -> None:
        before, now = change.previous, change.snapshot
        if before.settings is not now.settings or (now.settings.packs_folder and before.toolsets is not now.toolsets):
            self._changed.emit()

    def _watch(self, wanted: set[str]) -> None:
        held = {*self._watcher.files(), *self._watcher.directories()}
        if gone := held - wanted:
            self._watcher.removePaths(list(gone))
        if new := wanted - held:
            self._watcher.addPaths(list(new))

    async def _read(self) -> None:
        settings = self._library.snapshot.settings
        self._watch(await in_thread(_watched, settings))
        self._show(await in_thread(offered_packs, settings, self._library.raw))

    def _show(self, packs: tuple[OfferedPack, ...]) -> None:
        offered = {f"pack:{one.file}": one for one in packs[:MOST_OFFERS]}
        for name in self._shown - offered.keys():
            self._window.drop_need(name)
        for name, pack in offered.items():
            text = self.tr("New pack “{0}”") if pack.is_new else self.tr("The pack “{0}” has changed")
            need = Need(
                Mark.ATTENTION,
                text.format(pack.title),
                self.tr("It is in your packs folder. Nothing is applied before you have seen it."),
                self.tr("Review"),
            )
            self._window.show_need(name, need, partial(self._window.go, RowKey(Kind.FILE, str(pack.file))))
        self._shown = set(offered)
