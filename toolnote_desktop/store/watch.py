"""Notices that somebody else changed the documents of a home (docs/contract.md 2: within a second)."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolnote_desktop.paths import Home
from toolnote_desktop.store.documents import document_path, documents_in

if TYPE_CHECKING:
    from toolnote_desktop.store.inotify import FolderWatch

_STEP_MS: Final = 200
"""Between watchfiles' looks at what the system has told: each wakes the thread, also while nothing happens."""
_DEBOUNCE_MS: Final = 300
_SWEEP_MS: Final = 10_000
"""The files are looked at this often even where the system tells nothing (a folder on another machine)."""
_POLL_MS: Final = 400
_ENDING: Final = ".json"

tells_at_once = sys.platform == "linux"
"""Whether ``inotify.py`` is to be had."""
_PAUSE_SECONDS: Final = 1.0
_SETTLED_SECONDS: Final = 0.5

logger = logging.getLogger(__name__)


class Watcher:
    """Calls ``notice(seconds)`` in a thread of its own when a document may have changed: look, that much later.

    Our own writes are noticed too: whoever looks knows them.

    Watched are the home folder, ``toolsets/``, and the folders that symlinked documents are really in: on Linux by
    ``inotify.py``, elsewhere by watchfiles. Where the system cannot watch (no handle left), the files are polled.
    """

    def __init__(self, home: Home, notice: Callable[[float], None]) -> None:
        self._home = home
        self._notice = notice
        self._stop = threading.Event()
        self._told: FolderWatch | None = None
        self._ending = threading.Lock()
        self._polling = False
        self._thread = threading.Thread(target=self._run, name="toolnote-watch", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self, timeout: float = 5.0) -> None:
        """Stop watching."""
        with self._ending:
            self._stop.set()
            if self._told is not None:
                self._told.end()
        self._thread.join(timeout)

    def _run(self) -> None:
        while not self._stop.is_set():
            folders = self._folders()
            held = _held_open(folders)
            try:
                with contextlib.closing(self._changes(folders)) as changes:
                    for _ in changes:
                        self._notice(0.0)
                        if self._folders() != folders:
                            break  # a link or a folder came or went
            except (OSError, RuntimeError) as error:  # watchfiles raises both for what the system refuses
                if self._stop.wait(_PAUSE_SECONDS):
                    return
                if folders and not self._polling and all(Path(folder).is_dir() for folder in folders):
                    logger.warning("files cannot be watched and are polled: %s", error)
                    self._polling = True
            finally:
                for descriptor in held:
                    os.close(descriptor)

    def _changes(self, folders: dict[str, int]) -> Generator[object, None, None]:
        if not folders:
            raise FileNotFoundError(str(self._home.root))
        # Both are imported here, in our own thread: they take their time.
        if tells_at_once and not self._polling:
            from toolnote_desktop.store.inotify import FolderWatch

            with FolderWatch(folders, _ENDING) as told, self._endable(told):
                yield from told.changes(_SWEEP_MS)
            return
        from watchfiles import watch

        self._notice(_SETTLED_SECONDS)  # for what happens before the system is watching
        yield from watch(
            *folders,
            watch_filter=self._concerns_a_document,
            debounce=_DEBOUNCE_MS,
            step=_STEP_MS,
            stop_event=self._stop,
            rust_timeout=_SWEEP_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            force_polling=self._polling or None,
            poll_delay_ms=_POLL_MS,
            recursive=False,
            ignore_permission_denied=True,
        )

    @contextlib.contextmanager
    def _endable(self, told: FolderWatch) -> Iterator[None]:
        with self._ending:
            self._told = told
            if self._stop.is_set():
                told.end()
        try:
            yield
        finally:
            with self._ending:
                self._told = None

    def _concerns_a_document(self, _change: object, path: str) -> bool:
        return path.endswith(_ENDING) or path in (str(self._home.toolsets), str(self._home.root))

    def _folders(self) -> dict[str, int]:
        """The folders to watch, each with its inode: one that was made anew has to be watched anew."""
        folders = [self._home.root, self._home.toolsets]
        for document in documents_in(self._home):
            path = document_path(self._home, document)
            if path.is_symlink():
                folders.append(Path(os.path.realpath(path)).parent)
        found: dict[str, int] = {}
        for folder in folders:
            try:
                found[str(folder)] = os.stat(folder).st_ino
            except OSError:
                continue  # not there now
        return found


def _held_open(folders: Iterable[str]) -> list[int]:
    """Descriptors of folders: as long as one is open, no other folder gets its inode's number."""
    found: list[int] = []
    if sys.platform != "win32":  # where an open folder could not be renamed, and numbers are not used again so soon
        for folder in folders:
            with contextlib.suppress(OSError):
                found.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
    return found
