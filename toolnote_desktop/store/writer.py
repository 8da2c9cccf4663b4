"""Thread of the library, the only one that reads and writes documents once it is open (docs/architecture.md)."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Final, Protocol

from toolnote_desktop.model.edits import DocumentId, DocumentKind
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import UNEXPECTED, Code, Problem, ToolnoteError
from toolnote_desktop.store.disk import ChangedMeanwhileError, Disk, DiskState, unreadable
from toolnote_desktop.store.documents import documents_in, misnamed_toolset_files, reason_of
from toolnote_desktop.store.memory import LostEdits, Part, no_longer_fits

GATHER: Final = 0.02
"""Seconds to collect a burst of edits into one write."""

GATHER_CATALOG: Final = 1.0
"""Likewise for ``catalog.json``, which can be large: during start-up each server's listing is added to it."""

_RETRY_FIRST: Final = 1.0
_RETRY_LAST: Final = 30.0
_ATTEMPTS: Final = 10

logger = logging.getLogger(__name__)


class Memory(Protocol):
    """Interface of the library for the writer. Each method takes the mutex itself, for a moment."""

    def documents_in_memory(self) -> tuple[DocumentId, ...]:
        """Return all documents in memory."""

    def documents_to_write(self) -> tuple[DocumentId, ...]:
        """Return the documents with edits to write."""

    def pending_writes(self, document: DocumentId) -> tuple[DiskState | None, tuple[Part, ...], JsonObject | None]:
        """Return the state last seen on disk, the edits to write, and the document with these edits."""

    def record_write(
        self, document: DocumentId, base: DiskState, written: tuple[Part, ...], *, changed: bool, lost: list[LostEdits]
    ) -> None:
        """Record that the document on disk is ``base``."""

    def record_misnamed(self, names: tuple[str, ...]) -> None:
        """Record the files among the toolsets with invalid names."""

    def record_problem(self, document: DocumentId, problem: Problem, parts: tuple[Part, ...]) -> None:
        """Record that the document could not be read or written; it will be tried again."""


class Writer:
    """Writes submitted edits in its own thread, and reads files after reports that they may have changed."""

    def __init__(self, disk: Disk, memory: Memory) -> None:
        self._disk = disk
        self._memory = memory
        self._wake = threading.Condition()
        self._due: dict[DocumentId, float] = {}  # time of the next write or retry
        self._check = False
        self._flushes: list[Future[None]] = []
        self._closing = False
        self._delays: dict[DocumentId, float] = {}  # of failed documents: seconds until the next attempt
        self._thread = threading.Thread(target=self._run, name="toolnote-store", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def schedule_writes(self, documents: Iterable[DocumentId]) -> None:
        """Schedule the writing of these documents' edits."""
        now = time.monotonic()
        with self._wake:
            for document in documents:
                due = now + (GATHER_CATALOG if document.kind is DocumentKind.CATALOG else GATHER)
                self._due[document] = min(due, self._due.get(document, due))
            self._wake.notify()

    def check_files(self) -> None:
        """Check all files for changes soon."""
        with self._wake:
            self._check = True
            self._wake.notify()

    def flush(self) -> Future[None]:
        """Return a future that is done when all edits submitted so far were tried; with the first error, if any."""
        future: Future[None] = Future()
        with self._wake:
            if self._closing:
                raise RuntimeError("the library is closed")
            self._flushes.append(future)
            self._wake.notify()
        return future

    def close(self, timeout: float) -> bool:
        """Write the remaining edits and stop; return True if the thread ended in time."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        closing = False
        while not closing:
            with self._wake:
                while (wait := self._seconds_to_wait()) is None or wait > 0:
                    self._wake.wait(wait)
                closing, flushes, self._flushes = self._closing, self._flushes, []
                now = time.monotonic()
                due = {document for document, when in self._due.items() if when <= now}
                for document in due:
                    del self._due[document]
                check, self._check = self._check, False
            if closing or flushes:
                due.update(self._memory.documents_to_write())
            if check:
                self._memory.record_misnamed(misnamed_toolset_files(self._disk.home))
                due.update(self._memory.documents_in_memory(), documents_in(self._disk.home))
            error = self._sync_all(due)
            for future in flushes:
                if error is None:
                    future.set_result(None)
                else:
                    future.set_exception(error)

    def _seconds_to_wait(self) -> float | None:
        """Return the seconds until the next action; None: no action is scheduled."""
        if self._closing or self._flushes or self._check:
            return 0.0
        return max(0.0, min(self._due.values()) - time.monotonic()) if self._due else None

    def _sync_all(self, documents: Iterable[DocumentId]) -> ToolnoteError | None:
        errors = [self._sync(document) for document in sorted(documents, key=str)]
        return next((error for error in errors if error is not None), None)

    def _sync(self, document: DocumentId) -> ToolnoteError | None:
        """Synchronize one document between memory and disk."""
        known, parts, target = self._memory.pending_writes(document)
        try:
            if parts:
                self._write(document, known, parts, target)
            else:
                self._read(document, known)
        except OSError as error:
            return self._failed(document, reason_of(error), parts)
        except Exception:  # such as a value that is not JSON: the other documents must still be written
            logger.exception("%s could not be written to disk", document)
            return self._failed(document, UNEXPECTED, parts)
        self._delays.pop(document, None)
        return None

    def _read(self, document: DocumentId, known: DiskState | None) -> None:
        found = self._disk.read(document, known)
        if found is known and document not in self._delays:
            return
        changed = known is None or found.raw is not known.raw or found.digest != known.digest
        self._memory.record_write(document, found, (), changed=changed, lost=[])

    def _write(
        self, document: DocumentId, known: DiskState | None, parts: tuple[Part, ...], target: JsonObject | None
    ) -> None:
        known = known or DiskState()
        with self._disk.locked(document):
            for _ in range(_ATTEMPTS):
                found = self._disk.read_locked(document, known)
                changed = found.digest != known.digest or found.raw is not known.raw
                raw, lost = _rebased(document, found.raw, parts) if changed else (target, [])
                try:
                    written = found if raw is found.raw else self._disk.write(document, raw, found)
                except ChangedMeanwhileError:
                    continue
                self._memory.record_write(document, written, parts, changed=changed, lost=lost)
                return
        raise OSError("another program keeps changing it")

    def _failed(self, document: DocumentId, reason: str, parts: tuple[Part, ...]) -> ToolnoteError | None:
        delay = self._delays.get(document, _RETRY_FIRST)
        if document not in self._delays:
            logger.warning("%s could not be %s: %s", document, "written" if parts else "read", reason)
        self._delays[document] = min(2 * delay, _RETRY_LAST)
        with self._wake:
            self._due[document] = time.monotonic() + delay
        if not parts:
            self._memory.record_problem(document, unreadable(document, reason), ())
            return None
        problem = Problem(Code.FILE_NOT_WRITTEN, {"file": str(document), "reason": reason})
        self._memory.record_problem(document, problem, parts)
        return ToolnoteError(problem.code, **problem.parameters)


def _rebased(
    document: DocumentId, raw: JsonObject | None, parts: tuple[Part, ...]
) -> tuple[JsonObject | None, list[LostEdits]]:
    """Return ``raw`` with the edits applied, and those that do not fit it."""
    lost = []
    for part in parts:
        try:
            raw, _ = part.apply(raw)
        except ToolnoteError as error:
            lost.append(LostEdits(part, no_longer_fits(document, error)))
    return raw, lost
