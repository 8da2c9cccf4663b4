"""Watcher for changes that other programs make to the documents of a home (docs/contract.md 2: within a second)."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolnote_desktop.paths import Home
from toolnote_desktop.store.documents import document_path, documents_in

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent

_QUIET_SECONDS: Final = 0.01
_BURST_SECONDS: Final = 0.1
"""Upper bound of the wait for ``_QUIET_SECONDS`` without a change: a burst of changes is reported once."""
_SWEEP_SECONDS: Final = 10.0
"""Interval of checks without a reported change, for folders such as network drives whose system reports none."""
_POLL_SECONDS: Final = 0.4
_PAUSE_SECONDS: Final = 1.0

logger = logging.getLogger(__name__)


class Watcher:
    """Calls ``on_change`` from a thread of its own when a document may have changed.

    Our own writes are reported too; the receiver recognises them. Watched are the home folder, ``toolsets/``, and the
    target folders of symlinked documents. The threads sleep until the system reports a change. If it cannot watch (no
    handle left), the files are polled.
    """

    def __init__(self, home: Home, on_change: Callable[[], None]) -> None:
        self._home = home
        self._on_change = on_change
        self._stop = threading.Event()
        self._wake = threading.Event()  # set by a change, and by stop
        self._polling = False
        self._thread = threading.Thread(target=self._run, name="toolnote-watch", daemon=True)

    def start(self) -> None:
        """Start watching."""
        self._thread.start()

    def stop(self) -> None:
        """Stop watching soon, without waiting."""
        self._stop.set()
        self._wake.set()

    def close(self, timeout: float = 5.0) -> None:
        """Stop watching and wait up to ``timeout`` seconds for the threads."""
        self.stop()
        self._thread.join(timeout)

    def _run(self) -> None:
        while not self._stop.is_set():
            folders = self._folders()
            held = _held_open(folders)
            try:
                with self._watched(folders):
                    self._on_change()  # for changes made before the system watches
                    while self._folders() == folders:  # else a link or a folder was added or removed
                        self._wait_for_change()
                        if self._stop.is_set():
                            return
                        self._on_change()
            except (OSError, RuntimeError) as error:  # the system refuses to watch, or to start a thread
                if self._stop.wait(_PAUSE_SECONDS):
                    return
                if folders and not self._polling and all(Path(folder).is_dir() for folder in folders):
                    logger.warning("files cannot be watched and are polled: %s", error)
                    self._polling = True
            finally:
                for descriptor in held:
                    os.close(descriptor)

    def _wait_for_change(self) -> None:
        if self._wake.wait(_SWEEP_SECONDS):
            latest = time.monotonic() + _BURST_SECONDS
            self._wake.clear()
            while self._wake.wait(_QUIET_SECONDS) and time.monotonic() < latest and not self._stop.is_set():
                self._wake.clear()

    @contextlib.contextmanager
    def _watched(self, folders: Iterable[str]) -> Iterator[None]:
        """Let the system report changes in ``folders``.

        Raises:
            OSError, RuntimeError: it refuses, or a folder is missing.
        """
        if not folders:
            raise FileNotFoundError(str(self._home.root))
        # In this thread: the import takes 20 ms.
        from watchdog import events
        from watchdog.observers import Observer
        from watchdog.observers.polling import PollingObserver

        logging.getLogger("watchdog.observers.inotify").addFilter(_is_of_use)
        wake, root = self._wake, os.path.realpath(self._home.root)
        own = {*folders, os.path.join(root, self._home.toolsets.name)}

        class Handler(events.FileSystemEventHandler):
            def dispatch(self, event: FileSystemEvent) -> None:
                for path in map(os.fsdecode, (event.src_path, event.dest_path)):
                    if path in own if event.is_directory else _is_document(path):
                        wake.set()

        of_folders: list[type[FileSystemEvent]] = [events.DirCreatedEvent, events.DirMovedEvent, events.DirDeletedEvent]
        changes = [events.FileCreatedEvent, events.FileModifiedEvent, events.FileMovedEvent, events.FileDeletedEvent]
        wanted = [*of_folders, *changes, events.FileClosedEvent]  # not opened, and closed unchanged: our own reads
        observer = (PollingObserver if self._polling else Observer)(timeout=_POLL_SECONDS)
        try:
            for folder in folders:
                observer.schedule(Handler(), folder, event_filter=wanted)
            parent = os.path.dirname(root)
            if sys.platform == "linux" and not self._polling and os.access(parent, os.R_OK):
                # There a folder does not report its own move.
                observer.schedule(Handler(), parent, event_filter=of_folders)
            observer.start()
            yield
        finally:
            observer.stop()
            if observer.is_alive():
                observer.join()

    def _folders(self) -> dict[str, int]:
        """Return the folders to watch, each with its inode: a folder that was replaced must be watched anew."""
        folders = [self._home.root, self._home.toolsets]
        for document in documents_in(self._home):
            path = document_path(self._home, document)
            if path.is_symlink():
                folders.append(Path(os.path.realpath(path)).parent)
        found: dict[str, int] = {}
        for folder in folders:
            real = os.path.realpath(folder)
            with contextlib.suppress(OSError):  # missing at the moment
                if os.access(real, os.R_OK):  # else one folder that cannot be watched would keep all from it
                    found[real] = os.stat(real).st_ino
        return found


def _is_of_use(record: logging.LogRecord) -> bool:
    """Return False for what watchdog logs as an error where it is stopped while it reads an event."""
    return "called when the thread is inactive" not in str(record.msg)


def _is_document(path: str | bytes) -> bool:
    # A file that was set aside may be finished by the program that has it open.
    name = os.fsdecode(path)
    return name.endswith(".json") or ".json.bad-" in name


def _held_open(folders: Iterable[str]) -> list[int]:
    """Return open descriptors of the folders: an inode number is not reused while its folder is open."""
    found: list[int] = []
    if sys.platform != "win32":  # which cannot rename an open folder, and does not reuse numbers soon
        for folder in folders:
            with contextlib.suppress(OSError):
                found.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
    return found
