"""Offers packs of the shared folder on Home when they are new or have changed (docs/packs.md)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
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

_LIBRARY: Final = ""
"""Change of a toolset or the setting, among changed paths."""

_MOST_LISTINGS: Final = 4
"""Listings of the folder until nothing is new in it."""


Identity = tuple[int, int]
"""Device and number of a file: another one where a folder was put into the place of an older one."""


def _watched(settings: Settings) -> tuple[str, dict[str, Identity]]:
    """Return the folder that the folder of packs is in, or is to be made in, and the paths to watch: this, the folder,
    its subfolders, and the ordinary files in them that are read.
    """
    parents = Path(settings.packs_folder).expanduser().parents if settings.packs_folder else ()
    above = [one for one in parents if one.is_dir()][:1]
    files = (file for file in pack_files(settings) if file.is_file())
    paths = [*above, *pack_folders(settings), *files]
    return "".join(map(str, above)), {str(path): found for path in paths if (found := _identity(path)) is not None}


def _identity(path: Path) -> Identity | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


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
        self._held: dict[str, Identity] = {}
        self._changed_paths: set[str] = set()
        self._watcher.directoryChanged.connect(self._note_path)
        self._watcher.fileChanged.connect(self._note_path)
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

    def _note_path(self, path: str) -> None:
        self._changed_paths.add(path)
        self._timer.start()

    def _note_change(self, change: Change) -> None:
        before, now = change.previous, change.snapshot
        if before.settings is not now.settings or (now.settings.packs_folder and before.toolsets is not now.toolsets):
            self._changed_paths.add(_LIBRARY)
            self._changed.emit()

    def _watch(self, wanted: dict[str, Identity]) -> bool:
        """Watch these paths and return True if others were watched: what is new may have changed before."""
        held = {path: self._held.get(path) for path in (*self._watcher.files(), *self._watcher.directories())}
        if gone := [path for path, identity in held.items() if wanted.get(path) != identity]:
            self._watcher.removePaths(gone)
        if new := [path for path, identity in wanted.items() if held.get(path) != identity]:
            self._watcher.addPaths(new)
        self._held = wanted
        return bool(gone or new)

    async def _read(self) -> None:
        settings, changed = self._library.snapshot.settings, frozenset(self._changed_paths)
        has_news = False
        for _ in range(_MOST_LISTINGS):
            above, wanted = await in_thread(_watched, settings)
            if not self._watch(wanted):
                break
            has_news = True
        if has_news or not changed or not changed <= {above}:  # else something beside the folder has changed
            self._show(await in_thread(offered_packs, settings, self._library.raw))
        self._changed_paths -= changed

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
