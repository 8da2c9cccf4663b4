"""JSON documents on disk: paths, locks, validity, reading and removing (docs/contract.md 2).

This module has no threads, and functions for one document at a time.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout
from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import (
    CATALOG,
    CLIENTS,
    NOTES,
    RULES_LOST,
    SERVERS,
    SETTINGS,
    TOOLS,
    DocumentId,
    DocumentKind,
    toolset_document,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import is_toolset_name
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.paths import Home, make_folder, open_regular
from toolnote_desktop.system.atomic_file import FILE_MODE, sync_folder, write_file

SINGLE_DOCUMENTS: Final = (SERVERS, SETTINGS, CLIENTS, NOTES, TOOLS, CATALOG)
"""Documents that exist once per home."""

FOLDER_MODE: Final = 0o700

# Types of parts of a document, if present: a file with another type counts as corrupt.
_SHAPES: Final[dict[DocumentKind, dict[str, type]]] = {
    DocumentKind.SERVERS: {"mcpServers": dict},
    DocumentKind.CLIENTS: {"clients": dict},
    DocumentKind.NOTES: {"global": list, "servers": dict, "tools": dict},
    DocumentKind.TOOLS: {"tools": dict, "prompts": dict, "sources": dict},
    DocumentKind.CATALOG: {"servers": dict},
    DocumentKind.TOOLSET: {"tools": list, "toolNotes": list},
    DocumentKind.SETTINGS: {},
}

FILE_TIME: Final = "%Y-%m-%dT%H-%M-%S.%fZ"
"""Format of a UTC time in file names: sorts by time and is valid on all systems."""


_LOCK_SECONDS: Final = 5.0


class UnreadableDocumentError(Exception):
    """Reason in a few words why a file is not a document."""


class Content(Struct, frozen=True):
    """Content of a document: its JSON, and the keys that occur more than once."""

    raw: JsonObject
    duplicates: tuple[str, ...] = ()


@contextlib.contextmanager
def lock_file(home: Home, name: str) -> Iterator[None]:
    """Hold the lock file ``run/locks/NAME.lock``, which separates our own processes: other programs take no lock.

    Raises:
        OSError: another process holds it for too long, or the folder cannot be written.
    """
    folder = home.run / "locks"
    make_folder(folder)
    lock = FileLock(folder / f"{name}.lock", _LOCK_SECONDS, FILE_MODE, thread_local=False, poll_interval=0.01)
    try:
        lock.acquire()
    except Timeout as error:
        raise OSError("another process is writing it and does not finish") from error
    try:
        yield
    finally:
        lock.release()


def new_toolset(
    name: str, title: str, tools: Iterable[JsonObject] = (), *, now: datetime, description: str = ""
) -> JsonObject:
    """Return the content of a new toolset file (docs/contract.md 3). ``tools``: entries with ``namespacedName``,
    ``refId`` …
    """
    moment = iso_utc(now)
    return {
        "name": name,
        "title": title,
        "description": description,
        "version": "1.0.0",
        "createdAt": moment,
        "lastModified": moment,
        "tools": list(tools),
        "toolNotes": [],
    }


def document_path(home: Home, document: DocumentId) -> Path:
    """Return the path of a document."""
    if document.kind is DocumentKind.TOOLSET:
        return home.toolset(str(document.name))
    return home.root / str(document)


def document_at(home: Home, path: Path) -> DocumentId | None:
    """Return the document stored at a path in the home folder, or None."""
    if path.suffix != ".json":
        return None
    if path.parent == home.toolsets:
        return toolset_document(path.stem) if is_toolset_name(path.stem) else None
    if path.parent == home.root:
        return next((document for document in SINGLE_DOCUMENTS if str(document) == path.name), None)
    return None


def documents_in(home: Home) -> tuple[DocumentId, ...]:
    """Return all possible documents: the single ones, and each toolset that has a file, by name."""
    found = (document_at(home, home.toolsets / name) for name in _toolset_files(home))
    return (*SINGLE_DOCUMENTS, *(document for document in found if document is not None))


def misnamed_toolset_files(home: Home) -> tuple[str, ...]:
    """Return the files in ``toolsets/`` whose names are invalid (docs/contract.md 1), without ``.json``."""
    stems = (name.removesuffix(".json") for name in _toolset_files(home))
    return tuple(stem for stem in stems if not is_toolset_name(stem) and not stem.startswith("."))


def substitute(document: DocumentId) -> JsonObject | None:
    """Return the content in place of an unreadable document without a backup: it closes what that may have
    closed. None for one that opens nothing by its absence.
    """
    return {RULES_LOST: True} if document in (TOOLS, CLIENTS, SERVERS, SETTINGS, CATALOG) else None


def digest(data: bytes) -> bytes:
    """Return a digest that distinguishes states of a file."""
    return hashlib.blake2b(data, digest_size=16).digest()


def read_bytes(path: Path) -> bytes | None:
    """Return the content of a file; None if it does not exist.

    Raises:
        OSError: it exists and cannot be read, which does not make it corrupt; or it is a link into a missing folder.
    """
    try:
        with open_regular(path) as file:
            return file.read()
    except FileNotFoundError as error:
        if path.is_symlink() and not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise OSError(errno.ENOENT, "a link into a folder that is not there") from error  # such as on another disk
        return None


def restrict_access(path: Path, mode: int) -> None:
    """Make a file or folder of the home inaccessible to other users (docs/contract.md 2).

    Raises:
        OSError: it belongs to another user, or the file system is read-only.
    """
    if sys.platform != "win32" and path.stat().st_mode & 0o077:
        path.chmod(mode)


def parse_content(document: DocumentId, data: bytes) -> Content:
    """Parse a document. A byte order mark is accepted.

    Raises:
        UnreadableDocumentError: not UTF-8, not JSON, not an object, or a part of it of the wrong type.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocumentError(f"not UTF-8 at byte {error.start}") from error
    text = _without_leading_space(text)
    if not any(part.strip("\0 \t\r\n") for part in _parts(text)):
        raise UnreadableDocumentError("empty")
    try:
        if document.kind is DocumentKind.CATALOG:  # the largest by far, and never edited by hand
            raw, duplicates = json_text.loads(text), json_text.DuplicateKeys()
        else:
            raw, duplicates = json_text.loads_with_duplicates(text)
    except ValueError as error:
        raise UnreadableDocumentError(str(error)) from error
    if not isinstance(raw, dict):
        raise UnreadableDocumentError("not a JSON object")
    if fault := _shape_fault(document, raw):
        raise UnreadableDocumentError(fault)
    return Content(raw, tuple(dict.fromkeys(duplicates)))


def _shape_fault(document: DocumentId, raw: JsonObject) -> str | None:
    for key, kind in _SHAPES[document.kind].items():
        if raw.get(key) is not None and not isinstance(raw[key], kind):
            return f"{key} is not {'a list' if kind is list else 'an object'}"
    return None


def fault_in(document: DocumentId, raw: JsonObject) -> str | None:
    """Return the reason why a document could not be read again once it is written, or None."""
    if document != CATALOG and json_text.exceeds_max_nesting(raw):
        return "nested too deeply"
    return _shape_fault(document, raw)


_PART: Final = 64 * 1024


def _parts(text: str) -> Iterator[str]:
    """Yield a text in parts: one search through 40 MB holds all other threads for a tenth of a second."""
    return (text[start : start + _PART] for start in range(0, len(text), _PART))


def _without_leading_space(text: str) -> str:
    """Return a text without most of the space before it."""
    spaces = sum(1 for _ in takewhile(lambda part: not part.strip(" \t\r\n"), _parts(text)))
    return text[spaces * _PART :] if spaces else text


def encode(raw: JsonObject) -> bytes:
    """Return the text of a document: UTF-8, two-space indent."""
    return json_text.dumps_pretty(raw)


def quarantine_file(path: Path, data: bytes | None, now: datetime, *, check: Callable[[], None]) -> Path:
    """Move a corrupt file to ``NAME.bad-<time>`` beside it and replace it by ``data`` (None: nothing).

    The file is never missing in between, and no earlier corrupt file is overwritten. ``check`` is called last; an
    exception from it leaves everything unchanged.

    Returns:
        New path of the corrupt file.

    Raises:
        OSError: it could not be moved and is still in place.
    """
    target = Path(os.path.realpath(path))
    for kept in _bad_names(target, now):
        try:
            _link_or_copy(target, kept)
            break
        except FileExistsError:
            continue
    try:
        if data is None:
            check()
            target.unlink()
            sync_folder(target.parent)
        else:
            write_file(target, data, before_replacing=check)
    except BaseException:
        kept.unlink()
        raise
    return kept


def remove_file(path: Path) -> None:
    """Delete a document's file; of a symlink only the link."""
    path.unlink(missing_ok=True)
    sync_folder(path.parent)


def reason_of(error: OSError) -> str:
    """Return the system's message of an error, without a path."""
    return error.strerror or str(error)


def _toolset_files(home: Home) -> list[str]:
    try:
        return sorted(name for name in os.listdir(home.toolsets) if name.endswith(".json"))
    except OSError:
        return []


def _bad_names(target: Path, now: datetime) -> Iterator[Path]:
    base = f"{target.name}.bad-{now.strftime(FILE_TIME)}"
    yield target.with_name(base)
    for number in range(2, 10_000):
        yield target.with_name(f"{base}-{number}")


def _link_or_copy(source: Path, kept: Path) -> None:
    """Create a hard link, or a copy on file systems without links; nothing is overwritten."""
    try:
        os.link(source, kept)
    except FileExistsError:
        raise
    except OSError:
        _copy(source, kept)


def _copy(source: Path, kept: Path) -> None:
    descriptor = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), FILE_MODE)
    with open(descriptor, "wb") as file:
        file.write(source.read_bytes())
        file.flush()
        os.fsync(descriptor)
