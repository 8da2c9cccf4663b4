"""Documents of one home on disk: reading, recovery from backups, writing; used by the writer thread only.

The lock of a document is a file in ``run/locks/``, not beside the document: lock files must stay while toolsets come
and go, and a folder that users put under version control should contain documents only. It separates our own processes;
other programs take no lock, so the old file is checked once more right before it is replaced.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from toolnote_desktop.model.edits import CATALOG, DocumentId
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.paths import Home, make_folder
from toolnote_desktop.store.backups import Backups
from toolnote_desktop.store.documents import (
    UnreadableDocumentError,
    digest,
    document_path,
    documents_in,
    encode,
    lock_file,
    parse_content,
    quarantine_file,
    read_bytes,
    reason_of,
    remove_file,
    restrict_access,
    substitute,
)
from toolnote_desktop.system.atomic_file import FILE_MODE, remove_leftovers, write_file

RECHECK_SECONDS: Final = 0.3
"""Seconds for which an invalid or missing file must stay unchanged before it counts: editors write in steps."""

UNCHANGED_SECONDS: Final = 1.0
"""Seconds since the last write to an invalid file after which it counts as it is: its writer may only be slow."""

MAX_WAIT_SECONDS: Final = 3.0
"""Seconds that an invalid file is read again at most before it counts, or is reported as being written."""

_MISSING: Final = "missing"

_RACY: Final = 2_000_000_000  # nanoseconds: the coarsest clock of a file system (FAT)

logger = logging.getLogger(__name__)

Stamp = tuple[int, int, int, int]


class ChangedMeanwhileError(Exception):
    """Another program changed the file while we were about to replace it."""


class DiskState(Struct, frozen=True):
    """State of a document on disk.

    Attributes:
        raw: content; None if there is no file.
        digest: of its bytes; None if there is no file; empty if the file's content is not ``raw``.
        stamp: result of ``stat``, if sufficient to detect changes since.
        problems: oddities of the file.
    """

    raw: JsonObject | None = None
    digest: bytes | None = None
    stamp: Stamp | None = None
    problems: tuple[Problem, ...] = ()


class _Unreadable(Struct, frozen=True):
    digest: bytes
    reason: str


class _Quarantined(Struct, frozen=True):
    path: Path
    replaced_by: bytes | None


class Disk:
    """Reads and writes the documents of ``home``.

    Args:
        report: called with each corrupt file that was set aside.
    """

    def __init__(self, home: Home, report: Callable[[DocumentId, Problem], None]) -> None:
        self.home = home
        self.report = report
        self._backups = Backups(home)
        self._quarantined: dict[DocumentId, _Quarantined] = {}

    def clean_up(self) -> None:
        """Remove temporary files of killed processes."""
        backups = (self._backups.folder(document) for document in documents_in(self.home))
        for folder in (self.home.root, self.home.toolsets, *backups):
            remove_leftovers(folder)

    def locked(self, document: DocumentId) -> AbstractContextManager[None]:
        """Hold the document's lock: see ``lock_file``."""
        return lock_file(self.home, str(document).replace("/", "."))

    def read(self, document: DocumentId, known: DiskState | None = None) -> DiskState:
        """Return the current state of the document; ``known`` itself if unchanged. The caller does not hold the lock.

        A corrupt file is set aside once it has been unchanged for a moment, and the newest valid backup replaces it
        (docs/contract.md 2).

        Raises:
            OSError: the file exists and cannot be read.
        """
        if self._quarantined:
            self._restore_finished_edit(document)
        if known is not None and known.stamp is not None and known.stamp == self._stamp(document):
            return known
        found = self._read_settled(document, known)
        if isinstance(found, DiskState):
            return found
        try:
            with self.locked(document):
                return self.read_locked(document, known, found)
        except OSError as error:
            return self.state_in_place(document, known, error)

    def read_locked(
        self, document: DocumentId, known: DiskState | None, before: _Unreadable | None = None
    ) -> DiskState:
        """Read like :meth:`read`, with the lock held by the caller. ``before``: the state found a moment ago.

        Raises:
            OSError: the file cannot be read, or is corrupt and cannot be set aside.
        """
        while True:
            found = self._read_settled(document, known, before)
            if isinstance(found, DiskState):
                return found
            before = None
            try:
                return self._recover(document, found, known)
            except ChangedMeanwhileError:
                continue  # another process is repairing it

    def write(self, document: DocumentId, raw: JsonObject | None, expected: DiskState) -> DiskState:
        """Replace the state ``expected`` by ``raw`` (None: no file). The caller holds the lock.

        Raises:
            ChangedMeanwhileError: another program changed the file since ``expected`` was read.
            OSError: it could not be written; the file is unchanged.
        """
        path = document_path(self.home, document)

        if raw is None:
            self._check(document, expected.digest)
            remove_file(path)
            return DiskState()
        data = encode(raw)
        if digest(data) == expected.digest:
            return DiskState(raw, expected.digest, expected.stamp, expected.problems)
        make_folder(path.parent)
        write_file(path, data, before_replacing=lambda: self._check(document, expected.digest))
        self._back_up(document, data)
        return DiskState(raw, digest(data))

    def _read_settled(
        self, document: DocumentId, known: DiskState | None, before: _Unreadable | DiskState | None = None
    ) -> DiskState | _Unreadable:
        """Return the state of the file, read repeatedly while it is invalid or just missing, until it stays the
        same.
        """
        deadline = time.monotonic() + MAX_WAIT_SECONDS
        while True:
            stamp = self._stamp(document)  # first: a later change is noticed by the next check
            data = read_bytes(document_path(self.home, document))
            try:
                if data is None and document == CATALOG and next(self._backups.valid(document), None) is not None:
                    raise UnreadableDocumentError(_MISSING)  # what the user accepted is in it
                found: _Unreadable | DiskState = self._state_of(document, data, stamp, known)
            except UnreadableDocumentError as error:
                found = _Unreadable(digest(data or b""), str(error))
            expected = known is None or known.digest is None
            if isinstance(found, DiskState) and (data is not None or expected):
                return found
            if found == before and (isinstance(found, DiskState) or self._is_unchanged_lately(document)):
                return found
            if time.monotonic() > deadline:
                raise OSError("another program keeps writing it")
            before = found
            time.sleep(RECHECK_SECONDS)

    def _is_unchanged_lately(self, document: DocumentId) -> bool:
        """Return True if the file was not written in the last second; its time may be wrong by a clock's change."""
        try:
            age = time.time() - os.stat(document_path(self.home, document)).st_mtime
        except OSError:
            return True
        return not 0 <= age < UNCHANGED_SECONDS

    def _finished_edit(self, document: DocumentId) -> bytes | None:
        """Return what another program made of a file that was set aside while it wrote it; None if there is nothing.

        The program still has the file open, under its new name. The edit counts only if nothing else has changed the
        document since.
        """
        quarantined = self._quarantined.get(document)
        if quarantined is None:
            return None
        try:
            data = quarantined.path.read_bytes()
            parse_content(document, data)
        except (OSError, UnreadableDocumentError):
            return None
        del self._quarantined[document]
        now = read_bytes(document_path(self.home, document))
        return data if (digest(now) if now is not None else None) == quarantined.replaced_by else None

    def _restore_finished_edit(self, document: DocumentId) -> None:
        data = self._finished_edit(document)
        if data is not None:
            write_file(document_path(self.home, document), data)
            logger.warning("%s was finished by the program that wrote it, and is used again", document)

    def _state_of(
        self, document: DocumentId, data: bytes | None, stamp: Stamp | None, known: DiskState | None
    ) -> DiskState:
        if data is None:
            return DiskState()
        state = digest(data)
        if known is not None and known.digest == state:
            return DiskState(known.raw, state, stamp, known.problems)
        content = parse_content(document, data)
        self._back_up(document, data)
        self._restrict(document)
        problems = (Problem(Code.FILE_DUPLICATE_KEY, {"file": str(document), "key": key}) for key in content.duplicates)
        return DiskState(content.raw, state, stamp, tuple(problems))

    def _recover(self, document: DocumentId, bad: _Unreadable, known: DiskState | None) -> DiskState:
        """Set the corrupt file aside and restore the newest valid backup, else the state in memory."""
        backup, data, content = next(self._backups.valid(document), (None, None, None))
        raw = content.raw if content is not None else None
        if data is None:
            raw = known.raw if known is not None and known.raw is not None else substitute(document)
            data = encode(raw) if raw is not None else None
        path = document_path(self.home, document)
        if bad.reason == _MISSING and data is not None:
            write_file(path, data, before_replacing=lambda: self._check(document, None))
            logger.warning("%s was missing, and its newest backup is used", document)
            return DiskState(raw, digest(data))
        kept = quarantine_file(path, data, datetime.now(UTC), check=lambda: self._check(document, bad.digest))
        self._quarantined[document] = _Quarantined(kept, digest(data) if data is not None else None)
        logger.warning("%s could not be read and was set aside as %s", document, kept.name)
        self.report(document, unreadable(document, bad.reason, kept.name, backup.name if backup is not None else ""))
        return DiskState(raw, digest(data) if data is not None else None)

    def state_in_place(self, document: DocumentId, known: DiskState | None, error: OSError) -> DiskState:
        """Return the state for a file that cannot be read or set aside: it is not overwritten; memory or a backup is
        used.
        """
        _, _, content = next(self._backups.valid(document), (None, None, None))
        raw = content.raw if content is not None else substitute(document)
        if known is not None and known.raw is not None:
            raw = known.raw
        # Never the digest of a file: an existing file is read again before anything is written.
        return DiskState(raw, b"", problems=(unreadable(document, reason_of(error)),))

    def _check(self, document: DocumentId, expected: bytes | None) -> None:
        data = read_bytes(document_path(self.home, document))
        if (digest(data) if data is not None else None) != expected:
            raise ChangedMeanwhileError(str(document))

    def _back_up(self, document: DocumentId, data: bytes) -> None:
        try:
            self._backups.keep(document, data, datetime.now(UTC))
        except OSError as error:  # the document itself matters more
            logger.warning("no backup of %s could be made: %s", document, reason_of(error))

    def _restrict(self, document: DocumentId) -> None:
        try:
            restrict_access(document_path(self.home, document), FILE_MODE)
        except OSError as error:  # owned by another user, or on a disk without modes: used as it is
            logger.warning("%s can be read by others on this computer: %s", document, reason_of(error))

    def _stamp(self, document: DocumentId) -> Stamp | None:
        try:
            status = os.stat(document_path(self.home, document))
        except OSError:
            return None
        if abs(time.time_ns() - status.st_mtime_ns) < _RACY:
            return None  # within the resolution of its time it could change again unnoticed
        return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def unreadable(document: DocumentId, reason: str, kept: str | None = None, backup: str = "") -> Problem:
    """Return the problem of a file that cannot be read; ``kept`` None: it stays in place."""
    parameters = {"file": str(document), "reason": reason, "kept": kept or str(document), "backup": backup}
    return Problem(Code.FILE_UNREADABLE, parameters)
