"""The library's own thread: the only place where documents are read and written once the library is open (DESIGN)."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from concurrent.futures import Future
from typing import Final, Protocol

from toolnote_desktop.model.edits import DocumentId
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.store.disk import ChangedMeanwhileError, Disk, DiskState, unreadable
from toolnote_desktop.store.documents import documents_in, reason_of
from toolnote_desktop.store.state import Lost, Part, no_longer_fits

GATHER: Final = 0.02
"""Seconds that a burst of edits is given to become one write."""

_RETRY_FIRST: Final = 1.0
_RETRY_LAST: Final = 30.0
_ATTEMPTS: Final = 10

logger = logging.getLogger(__name__)


class Memory(Protocol):
    """What the writer needs of the library. Each method takes the mutex itself, for a moment."""

    def held_documents(self) -> tuple[DocumentId, ...]:
        """Every document in memory."""

    def unwritten_documents(self) -> tuple[DocumentId, ...]:
        """The documents with edits to write."""

    def to_write(self, document: DocumentId) -> tuple[DiskState | None, tuple[Part, ...], JsonObject | None]:
        """The state last seen on disk, the edits to write, and what they make of that state."""

    def written(
        self, document: DocumentId, base: DiskState, written: tuple[Part, ...], *, changed: bool, lost: list[Lost]
    ) -> None:
        """The document is on disk as ``base`` says."""

    def troubled(self, document: DocumentId, problem: Problem, parts: tuple[Part, ...]) -> None:
        """The document could not be read or written; it will be tried again."""


class Writer:
    """Writes what was submitted, in its own thread, and looks at the files when told that they may have changed."""

    def __init__(self, disk: Disk, memory: Memory) -> None:
        self._disk = disk
        self._memory = memory
        self._wake = threading.Condition()
        self._dirty = False
        self._look = False
        self._closing = False
        self._flushes: deque[Future[None]] = deque()
        self._retry: dict[DocumentId, tuple[float, float]] = {}  # when, and how long after that the next time
        self._thread = threading.Thread(target=self._run, name="toolnote-store", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def edits_waiting(self) -> None:
        """There are edits to write."""
        with self._wake:
            self._dirty = True
            self._wake.notify()

    def look(self) -> None:
        """Somebody may have changed files."""
        with self._wake:
            self._look = True
            self._wake.notify()

    def flush(self) -> Future[None]:
        """Done when everything submitted so far was tried; with the first error if something could not be written."""
        future: Future[None] = Future()
        with self._wake:
            if self._closing:
                raise RuntimeError("the library is closed")
            self._flushes.append(future)
            self._wake.notify()
        return future

    def close(self, timeout: float) -> bool:
        """Write what is left and end; whether the thread ended in time."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(self._has_work, self._until_retry())
                closing, flushes, look = self._closing, list(self._flushes), self._look
                self._flushes.clear()
                self._look = self._dirty = False
                if not closing and not flushes:
                    self._wake.wait_for(lambda: self._closing or bool(self._flushes), GATHER)
                    self._dirty = False
            error = self._pass(look=look, everything=closing or bool(flushes))
            for future in flushes:
                if error is None:
                    future.set_result(None)
                else:
                    future.set_exception(error)
            if closing:
                return

    def _has_work(self) -> bool:
        return self._dirty or self._look or self._closing or bool(self._flushes)

    def _until_retry(self) -> float | None:
        if not self._retry:
            return None
        return max(0.0, min(when for when, _ in self._retry.values()) - time.monotonic())

    def _pass(self, *, look: bool, everything: bool) -> ToolnoteError | None:
        documents = list(self._memory.unwritten_documents())
        now = time.monotonic()
        due = {document for document, (when, _) in self._retry.items() if when <= now}
        documents += [document for document in due if document not in documents]
        if look:
            found = (*self._memory.held_documents(), *documents_in(self._disk.home))
            documents += [document for document in dict.fromkeys(found) if document not in documents]
        first: ToolnoteError | None = None
        for document in documents:
            waits = document in self._retry and document not in due
            if waits and not everything and not look:
                continue
            error = self._sync(document)
            first = first or error
        return first

    def _sync(self, document: DocumentId) -> ToolnoteError | None:
        """Bring one document in memory and on disk together."""
        known, parts, target = self._memory.to_write(document)
        try:
            if parts:
                self._write(document, known, parts, target)
            else:
                self._read(document, known)
        except OSError as error:
            return self._failed(document, error, parts)
        self._retry.pop(document, None)
        return None

    def _read(self, document: DocumentId, known: DiskState | None) -> None:
        found = self._disk.read(document, known)
        if found is known and document not in self._retry:
            return
        changed = known is None or found.raw is not known.raw or found.digest != known.digest
        self._memory.written(document, found, (), changed=changed, lost=[])

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
                self._memory.written(document, written, parts, changed=changed, lost=lost)
                return
        raise OSError("another program keeps changing it")

    def _failed(self, document: DocumentId, error: OSError, parts: tuple[Part, ...]) -> ToolnoteError | None:
        _, delay = self._retry.get(document, (0.0, _RETRY_FIRST))
        self._retry[document] = (time.monotonic() + delay, min(2 * delay, _RETRY_LAST))
        if not parts:
            logger.warning("%s could not be read: %s", document, reason_of(error))
            self._memory.troubled(document, unreadable(document, error), ())
            return None
        logger.warning("%s could not be written: %s", document, reason_of(error))
        problem = Problem(Code.FILE_NOT_WRITTEN, {"file": str(document), "reason": reason_of(error)})
        self._memory.troubled(document, problem, parts)
        return ToolnoteError(Code.FILE_NOT_WRITTEN, **problem.parameters)


def _rebased(
    document: DocumentId, raw: JsonObject | None, parts: tuple[Part, ...]
) -> tuple[JsonObject | None, list[Lost]]:
    """The edits applied to what is there now; those that do not fit it are left out."""
    lost = []
    for part in parts:
        try:
            raw, _ = part.apply(raw)
        except ToolnoteError as error:
            lost.append(Lost(part, no_longer_fits(document, error)))
    return raw, lost
