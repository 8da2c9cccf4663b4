"""Previous states of each document, in ``backups/`` (docs/contract.md 2).

Each valid state that was read or written is stored as a file in ``backups/<document>/``, named by its time; a corrupt
file never replaces or displaces a valid one. The newest 20 are kept (fewer, but at least 2, if they exceed 20 MiB
together, as only a catalogue of thousands of tools does).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from toolnote_desktop.model.edits import DocumentId
from toolnote_desktop.paths import Home, make_folder, read_regular
from toolnote_desktop.store.documents import (
    FILE_TIME,
    Content,
    UnreadableDocumentError,
    digest,
    parse_content,
    read_bytes,
)
from toolnote_desktop.system.atomic_file import write_file

KEPT_STATES: Final = 20
_MIN_KEPT: Final = 2
_BYTES_LIMIT: Final = 20 * 1024 * 1024
_NAME: Final = f"{FILE_TIME}.json"


class Backups:
    """Backups of one home. Used by one thread, which holds the document's lock when it writes."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._newest: dict[DocumentId, tuple[str, bytes]] = {}  # name of the newest file, and the digest of its content

    def folder(self, document: DocumentId) -> Path:
        """Return the folder of a document's backups."""
        return self._home.backups / str(document)

    def keep(self, document: DocumentId, data: bytes, now: datetime) -> None:
        """Store a valid state, unless it equals the newest backup.

        Raises:
            OSError: it could not be written.
        """
        state = digest(data)
        names = self._names(document)
        if names and self._state(document, names[-1]) == state:
            return
        folder = self.folder(document)
        make_folder(folder)
        name = _next_name(names[-1] if names else "", now)
        # Without fsync: the document itself is synced, and a backup truncated by a power cut is recognised as corrupt.
        write_file(folder / name, data, durable=False, follow_links=False)
        self._newest[document] = (name, state)
        self._prune(folder, [*names, name])

    def valid(self, document: DocumentId) -> Iterator[tuple[Path, bytes, Content]]:
        """Yield the valid backups of a document, newest first."""
        for name in reversed(self._names(document)):
            path = self.folder(document) / name
            try:
                data = read_bytes(path)
                if data is not None:
                    yield path, data, parse_content(document, data)
            except (OSError, UnreadableDocumentError):
                continue  # corrupt; an older one may be valid

    def _state(self, document: DocumentId, name: str) -> bytes | None:
        if self._newest.get(document, ("", b""))[0] != name:
            try:
                self._newest[document] = (name, digest(read_regular(self.folder(document) / name)))
            except OSError:
                return None
        return self._newest[document][1]

    def _names(self, document: DocumentId) -> list[str]:
        try:
            return sorted(name for name in os.listdir(self.folder(document)) if name.endswith(".json"))
        except (FileNotFoundError, NotADirectoryError):
            return []

    @staticmethod
    def _prune(folder: Path, names: list[str]) -> None:
        size = 0
        for number, name in enumerate(reversed(names)):
            with contextlib.suppress(FileNotFoundError):
                size += (folder / name).stat().st_size
                if number >= KEPT_STATES or (number >= _MIN_KEPT and size > _BYTES_LIMIT):
                    os.unlink(folder / name)


def _next_name(newest: str, now: datetime) -> str:
    name = _name(now)
    if name > newest:
        return name
    try:  # two within a microsecond, or the clock was set back: keep them sorted by age
        return _name(datetime.strptime(newest, _NAME).replace(tzinfo=UTC) + timedelta(microseconds=1))
    except ValueError:
        return name


def _name(moment: datetime) -> str:
    return moment.strftime(_NAME)
