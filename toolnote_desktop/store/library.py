"""Library: all documents, and the only interface to change them (docs/architecture.md).

An edit applies in memory at once and creates a new snapshot; the library's own thread writes it. Changes that other
programs make to the files are merged in. All methods may be called from any thread, and only :meth:`Library.open`,
:meth:`Library.flush` and :meth:`Library.close` wait for a lock, a file or another thread.
"""

from __future__ import annotations

import errno
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Final

from msgspec import Struct

from toolnote_desktop.model.audit import FILE, PRODUCT, REGISTRY
from toolnote_desktop.model.edits import DocumentId, Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.toolsets.notes import USER
from toolnote_desktop.paths import Home, make_folder
from toolnote_desktop.store.audit import AuditLog
from toolnote_desktop.store.disk import Disk, DiskState
from toolnote_desktop.store.documents import (
    FOLDER_MODE,
    documents_in,
    misnamed_toolset_files,
    reason_of,
    restrict_access,
)
from toolnote_desktop.store.memory import LostEdits, MemoryDocument, MemoryState, Part, Submission
from toolnote_desktop.store.watch import Watcher
from toolnote_desktop.store.writer import Writer

logger = logging.getLogger(__name__)

_READABLE_ALL_THE_SAME: Final = (errno.EROFS, errno.ENOSPC, errno.EDQUOT)
"""Errors of a folder on a disk that is full or read-only."""


class Origin(Struct, frozen=True):
    """Author of a change: ``user``, ``file`` (another program, on disk), ``registry``, or a client's id."""

    author: str


USER_ORIGIN: Final = Origin(USER)
FILE_ORIGIN: Final = Origin(FILE)
REGISTRY_ORIGIN: Final = Origin(REGISTRY)


class Change(Struct, frozen=True):
    """Change, as passed to listeners.

    Attributes:
        edits: submitted edits; empty for changes of files and of the catalogue.
        inverse: edits that undo them, in the order to submit.
    """

    snapshot: Snapshot
    previous: Snapshot
    origin: Origin
    edits: tuple[Edit, ...] = ()
    inverse: tuple[Edit, ...] = ()


class Submitted(Struct, frozen=True):
    """Outcome of submitted edits.

    Attributes:
        snapshot: snapshot that includes the edits.
        inverse: edits that undo them, in the order to submit.
        saved: done when they are on disk; otherwise a ToolnoteError: ``file-not-written`` (they stay in memory and are
            tried again) or ``edit-no-longer-fits`` (another program changed the file; they are lost).
    """

    snapshot: Snapshot
    inverse: tuple[Edit, ...]
    saved: Future[None]


class Library:
    """Documents of one home. Created by :meth:`open`; a context manager that closes it.

    Attributes:
        home: folder of the documents.
        audit: record of all changes, and of decisions that others add.
    """

    def __init__(self, disk: Disk, state: MemoryState) -> None:
        self._mutex = threading.Lock()
        self._state = state
        self._listeners: list[Callable[[Change], None]] = []
        self._closed = False
        self.home = disk.home
        self.audit = AuditLog(disk.home, lambda: self.snapshot.settings.audit_days)
        disk.report = self._record_quarantined
        self._writer = Writer(disk, self)
        self._watcher: Watcher | None = None
        self._writer.start()

    @classmethod
    def open(cls, home: Home, *, watch: bool = True) -> Library:
        """Read all documents and start the writer; a missing home folder is created.

        An unreadable file is not an error: it is set aside, the newest valid backup is used, and ``snapshot.problems``
        reports it.

        Args:
            watch: follow changes of the files (:meth:`watch`).

        Raises:
            ToolnoteError: ``file-not-written``: the home folder cannot be created, or belongs to another user.
        """
        try:
            make_folder(home.root)
            restrict_access(home.root, FOLDER_MODE)
            make_folder(home.toolsets)
        except OSError as error:
            where = str(error.filename or home.root)
            if error.errno not in _READABLE_ALL_THE_SAME or not home.root.is_dir():
                raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=where, reason=reason_of(error)) from error
            logger.warning("%s can only be read: %s", where, reason_of(error))
        set_aside: list[tuple[DocumentId, Problem]] = []
        disk = Disk(home, lambda document, problem: set_aside.append((document, problem)))
        disk.clean_up()
        held = {document: _read(disk, document) for document in documents_in(home)}
        for document, problem in set_aside:
            held[document].set_aside = (*held[document].set_aside, problem)
        state = MemoryState(held)
        state.set_misnamed(misnamed_toolset_files(home))
        library = cls(disk, state)
        if watch:
            library.watch()
        return library

    def watch(self) -> None:
        """Follow changes of the files by other programs, including those since :meth:`open`. Call it once."""
        self._watcher = Watcher(self.home, self._writer.check_files)
        self._watcher.start()

    def stop_watching(self) -> None:
        """Stop following the files, without waiting: a program that ends calls this first, :meth:`close` last."""
        if self._watcher is not None:
            self._watcher.stop()

    @property
    def snapshot(self) -> Snapshot:
        """Newest snapshot."""
        return self._state.snapshot

    def raw(self, document: DocumentId) -> JsonObject | None:
        """Return a document as it is in memory, or None if it does not exist. It is shared: do not modify it."""
        with self._mutex:
            return self._state.raw(document)

    def submit(self, *edits: Edit, origin: Origin = USER_ORIGIN) -> Submitted:
        """Apply edits, all or none, in memory at once; they are written soon after.

        Raises:
            ToolnoteError: an edit does not fit; nothing was changed.
            RuntimeError: the library is closed.
        """
        moment = iso_utc(datetime.now(UTC))
        documents = dict.fromkeys(edit.document for edit in edits)
        submission = Submission(len(documents))
        parts = {
            document: Part(submission, tuple(edit for edit in edits if edit.document == document), moment)
            for document in documents
        }
        with self._mutex:
            if self._closed:
                raise RuntimeError("the library is closed")
            previous = self._state.snapshot
            if not edits:
                submission.saved.set_result(None)
                return Submitted(previous, (), submission.saved)
            inverse = self._state.submit(parts, edits, moment)
            snapshot = self._state.snapshot
        self._writer.schedule_writes(documents)
        self._notify(Change(snapshot, previous, origin, edits, inverse))
        return Submitted(snapshot, inverse, submission.saved)

    def publish_catalogue(self, catalogue: Catalogue) -> Snapshot:
        """Include the registry's newest catalogue in the snapshot; nothing is written."""
        with self._mutex:
            previous = self._state.snapshot
            self._state.publish_catalogue(catalogue)
            snapshot = self._state.snapshot
        self._notify(Change(snapshot, previous, REGISTRY_ORIGIN))
        return snapshot

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call ``listener`` with each change, in the thread that made it; it must return quickly.

        Changes of two threads may arrive in either order: ``snapshot`` is the newest state.

        Returns:
            Function that ends the subscription.
        """
        with self._mutex:
            self._listeners = [*self._listeners, listener]

        def unsubscribe() -> None:
            with self._mutex:
                self._listeners = [one for one in self._listeners if one is not listener]

        return unsubscribe

    def flush(self, timeout: float = 10.0) -> None:
        """Wait until everything submitted so far is on disk; failed writes are tried again.

        Raises:
            ToolnoteError: ``file-not-written``: the first document that could not be written; its edits stay pending.
                ``Submitted.saved`` has the outcome of single edits.
            TimeoutError: it takes longer than ``timeout`` seconds.
        """
        self._writer.flush().result(timeout)

    def close(self, timeout: float = 5.0) -> None:
        """Write the remaining edits and stop. Can be called repeatedly.

        Raises:
            ToolnoteError: ``file-not-written``: edits could not be written within ``timeout`` seconds and are lost.
        """
        with self._mutex:
            if self._closed:
                return
            self._closed = True
        self.stop_watching()
        self._writer.close(timeout)
        if self._watcher is not None:
            self._watcher.close()
        self.audit.close(timeout)
        with self._mutex:
            left = self._state.documents_to_write()
            troubles = [self._state.trouble(document) for document in left]
        if left:
            reason = next(
                (trouble.parameters["reason"] for trouble in troubles if trouble), f"not within {timeout:g} s"
            )
            raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=", ".join(map(str, left)), reason=reason)

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Implementation of ``writer.Memory``.

    def documents_in_memory(self) -> tuple[DocumentId, ...]:
        """Return all documents in memory."""
        with self._mutex:
            return self._state.documents()

    def documents_to_write(self) -> tuple[DocumentId, ...]:
        """Return the documents with edits to write."""
        with self._mutex:
            return self._state.documents_to_write()

    def pending_writes(self, document: DocumentId) -> tuple[DiskState | None, tuple[Part, ...], JsonObject | None]:
        """Return the state last seen on disk, the edits to write, and the document with these edits."""
        with self._mutex:
            return (self._state.known(document), *self._state.pending(document))

    def record_write(
        self, document: DocumentId, base: DiskState, written: tuple[Part, ...], *, changed: bool, lost: list[LostEdits]
    ) -> None:
        """Record that the document on disk is ``base``."""
        with self._updating():
            lost = self._state.settle(document, base, len(written), changed=changed, lost=lost)
        errors = {id(one.part): one.error for one in lost}
        for part in dict.fromkeys((*written, *(one.part for one in lost))):
            part.submission.finish_part(errors.get(id(part)))

    def record_problem(self, document: DocumentId, problem: Problem, parts: tuple[Part, ...]) -> None:
        """Record that the document could not be read or written; it will be tried again."""
        with self._updating():
            self._state.record_problem(document, problem)
        for part in parts:
            part.submission.fail(ToolnoteError(problem.code, **problem.parameters))

    def record_misnamed(self, names: tuple[str, ...]) -> None:
        """Record the files among the toolsets with invalid names."""
        with self._updating():
            self._state.set_misnamed(names)

    def _record_quarantined(self, document: DocumentId, problem: Problem) -> None:
        with self._updating():
            self._state.record_quarantined(document, problem)

    @contextmanager
    def _updating(self) -> Iterator[None]:
        """Hold the mutex while memory is updated from disk; listeners are notified afterwards if anything changed."""
        with self._mutex:
            previous = self._state.snapshot
            yield
            snapshot = self._state.snapshot
        if snapshot is not previous:
            self._notify(Change(snapshot, previous, FILE_ORIGIN))

    def _notify(self, change: Change) -> None:
        actor = PRODUCT if change.origin == REGISTRY_ORIGIN else change.origin.author
        self.audit.record_change(change.previous, change.snapshot, actor)
        for listener in self._listeners:
            try:
                listener(change)
            except Exception:  # an error of one listener must not affect the others
                logger.exception("A listener of the library failed")


def _read(disk: Disk, document: DocumentId) -> MemoryDocument:
    try:
        base = disk.read(document)
    except OSError as error:
        base = disk.state_in_place(document, None, error)
    return MemoryDocument(base, base.raw)
