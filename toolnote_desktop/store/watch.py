"""Watcher for changes that other programs make to the documents of a home (docs/contract.md 2: within a second)."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Final

from toolnote_desktop.paths import Home
from toolnote_desktop.store.documents import document_path, documents_in

_STEP_MS: Final = 200
"""Pause between polls of the system's queue of changes: each wakes the thread, even if nothing changed."""
_DEBOUNCE_MS: Final = 300
_SWEEP_MS: Final = 10_000
"""Interval of checks without a reported change, for folders such as network drives whose system reports none."""
_POLL_MS: Final = 400
_PAUSE_SECONDS: Final = 1.0
_SETTLED_SECONDS: Final = 0.5

logger = logging.getLogger(__name__)


class Watcher:
    """Calls ``on_change(delay_seconds)`` from a thread of its own when a document may have changed.

    The receiver checks the files after the delay. Our own writes are reported too; the receiver recognises them.

    Watched are the home folder, ``toolsets/``, and the target folders of symlinked documents. If the system cannot
    watch (no handle left), the files are polled.
    """

    def __init__(self, home: Home, on_change: Callable[[float], None]) -> None:
        self._home = home
        self._on_change = on_change
        self._stop = threading.Event()
        self._polling = False
        self._thread = threading.Thread(target=self._run, name="toolnote-watch", daemon=True)

    def start(self) -> None:
        """Start watching."""
        self._thread.start()

    def stop(self) -> None:
        """Stop watching soon, without waiting."""
        self._stop.set()

    def close(self, timeout: float = 5.0) -> None:
        """Stop watching and wait up to ``timeout`` seconds for the thread."""
        self._stop.set()
        self._thread.join(timeout)

    def _run(self) -> None:
        while not self._stop.is_set():
            folders = self._folders()
            held = _held_open(folders)
            try:
                with contextlib.closing(self._changes(folders)) as changes:
                    for _ in changes:
                        self._on_change(0.0)
                        if self._folders() != folders:
                            break  # a link or a folder was added or removed
            except (OSError, RuntimeError) as error:  # watchfiles raises both when the system refuses
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
        from watchfiles import watch  # in this thread: the import takes 20 ms

        self._on_change(_SETTLED_SECONDS)  # for changes made before the system watches
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

    def _concerns_a_document(self, _change: object, path: str) -> bool:
        # A file that was set aside may be finished by the program that has it open.
        return (
            path.endswith(".json") or ".json.bad-" in path or path in (str(self._home.toolsets), str(self._home.root))
        )

    def _folders(self) -> dict[str, int]:
        """Return the folders to watch, each with its inode: a folder that was replaced must be watched anew."""
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
                continue  # missing at the moment
        return found


def _held_open(folders: Iterable[str]) -> list[int]:
    """Return open descriptors of the folders: an inode number is not reused while its folder is open."""
    found: list[int] = []
    if sys.platform != "win32":  # which cannot rename an open folder, and does not reuse numbers soon
        for folder in folders:
            with contextlib.suppress(OSError):
                found.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
    return found
