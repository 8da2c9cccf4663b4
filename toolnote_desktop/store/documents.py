"""One JSON document on disk: where it is, what is good, and how it is read and written (docs/contract.md 2).

Nothing here knows of threads or of other documents. Every write goes to a new file in the same folder, is fsynced and
renamed over the old one, so that a reader sees the old state or the new one and never a piece of it.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import (
    CATALOG,
    CLIENTS,
    NOTES,
    SERVERS,
    SETTINGS,
    DocumentId,
    DocumentKind,
    toolset_document,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import is_toolset_name
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.paths import Home
from toolnote_desktop.system.atomic_file import FILE_MODE, sync_folder, write_file

SINGLE_DOCUMENTS: Final = (SERVERS, SETTINGS, CLIENTS, NOTES, CATALOG)
"""The documents that there is one of."""

FOLDER_MODE: Final = 0o700

# What must be an object or a list wherever it is there: with anything else in its place the file counts as unreadable.
_SHAPES: Final[dict[DocumentKind, dict[str, type]]] = {
    DocumentKind.SERVERS: {"mcpServers": dict},
    DocumentKind.CLIENTS: {"clients": dict},
    DocumentKind.NOTES: {"global": list, "servers": dict, "tools": dict},
    DocumentKind.CATALOG: {"servers": dict},
    DocumentKind.TOOLSET: {"tools": list, "toolNotes": list},
    DocumentKind.SETTINGS: {},
}

FILE_TIME: Final = "%Y-%m-%dT%H-%M-%S.%fZ"
"""A moment (UTC) in a file's name: sorts by time and is allowed on every system."""


class UnreadableDocumentError(Exception):
    """A file whose content is no such document; the text says why in a few words."""


class Content(Struct, frozen=True):
    """A document that was read: its JSON, and the keys that stood in it more than once."""

    raw: JsonObject
    duplicates: tuple[str, ...] = ()


def new_toolset(
    name: str, title: str, tools: Iterable[JsonObject] = (), *, now: datetime, description: str = ""
) -> JsonObject:
    """The content of a new toolset file (docs/contract.md 3). ``tools`` are entries with ``namespacedName``, ``refId`` …"""
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
    """The file of a document."""
    if document.kind is DocumentKind.TOOLSET:
        return home.toolset(str(document.name))
    return home.root / str(document)


def document_at(home: Home, path: Path) -> DocumentId | None:
    """The document that a path in the home folder is the file of, or None."""
    if path.suffix != ".json":
        return None
    if path.parent == home.toolsets:
        return toolset_document(path.stem) if is_toolset_name(path.stem) else None
    if path.parent == home.root:
        return next((document for document in SINGLE_DOCUMENTS if str(document) == path.name), None)
    return None


def documents_in(home: Home) -> tuple[DocumentId, ...]:
    """Every document that may be there: the single ones, and each toolset that has a file, by name."""
    found = (document_at(home, home.toolsets / name) for name in _toolset_files(home))
    return (*SINGLE_DOCUMENTS, *(document for document in found if document is not None))


def strays_in(home: Home) -> tuple[str, ...]:
    """Files in ``toolsets/`` that somebody put there under a name that is none (docs/contract.md 1), without ``.json``."""
    stems = (name.removesuffix(".json") for name in _toolset_files(home))
    return tuple(stem for stem in stems if not is_toolset_name(stem) and not stem.startswith("."))


def digest(data: bytes) -> bytes:
    """What tells one state of a file from another."""
    return hashlib.blake2b(data, digest_size=16).digest()


def read_bytes(path: Path) -> bytes | None:
    """The content of a file; None when there is none.

    Raises:
        OSError: it is there and cannot be read; that does not make it a bad file.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path.name} is not a regular file")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(descriptor)


def keep_private(path: Path, mode: int) -> None:
    """Take a file or folder of the home that somebody else made out of other people's sight (docs/contract.md 2).

    Raises:
        OSError: it belongs to another user, or the file system cannot be written.
    """
    if sys.platform != "win32" and path.stat().st_mode & 0o077:
        path.chmod(mode)


def parse_content(document: DocumentId, data: bytes) -> Content:
    """Read a document's text. A byte order mark is tolerated.

    Raises:
        UnreadableError: not UTF-8, not JSON, not an object, or a part of it of the wrong kind.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocumentError(f"not UTF-8 at byte {error.start}") from error
    if not text.strip("\0 \t\r\n"):
        raise UnreadableDocumentError("empty")
    try:
        if document.kind is DocumentKind.CATALOG:  # the largest by far, and nobody writes it by hand
            raw, duplicates = json_text.loads(text), json_text.DuplicateKeys()
        else:
            raw, duplicates = json_text.loads_with_duplicates(text)
    except ValueError as error:
        raise UnreadableDocumentError(str(error)) from error
    if not isinstance(raw, dict):
        raise UnreadableDocumentError("not a JSON object")
    for key, kind in _SHAPES[document.kind].items():
        if raw.get(key) is not None and not isinstance(raw[key], kind):
            raise UnreadableDocumentError(f"{key} is not {'a list' if kind is list else 'an object'}")
    return Content(raw, tuple(dict.fromkeys(duplicates)))


def encode(raw: JsonObject) -> bytes:
    """The text of a document: UTF-8, two-space indent."""
    return json_text.dumps_pretty(raw)


def set_aside(path: Path, data: bytes | None, now: datetime, *, check: Callable[[], None]) -> Path:
    """Keep a bad file as ``NAME.bad-<time>`` beside it and put ``data`` in its place (None: nothing).

    The file's place is never empty in between, and no earlier bad file is overwritten. ``check`` is called last, and
    what it raises leaves everything as it was.

    Returns:
        Where the bad file is now.

    Raises:
        OSError: it could not be kept; the bad file is where it was.
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
    """Take a document's file away; of a symlink only the link."""
    path.unlink(missing_ok=True)
    sync_folder(path.parent)


def reason_of(error: OSError) -> str:
    """Why the system refused, in its own words, without a path."""
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
    """The same file under one more name, or a copy of it where the file system has no links; nothing is overwritten."""
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
