"""Configuration files of other programs: decoded without loss, written atomically."""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.system.atomic_file import remove_leftovers, sync_folder, write_file

MAX_SIZE = 64 * 1024 * 1024
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class UnreadableConfigError(Exception):
    """File that cannot be read as text; ``str()`` is a short reason without any of the content."""


class ConfigText(Struct, frozen=True):
    """Text with the encoding and byte order mark that reproduce its bytes."""

    text: str
    encoding: str = "utf-8"
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """Encode another text in this encoding, with this byte order mark."""
        return self.mark + text.encode(self.encoding)


def decode(data: bytes) -> ConfigText:
    """Decode UTF-8, UTF-16 or UTF-32 by the byte order mark; UTF-16 without one is recognised by its zeros.

    Raises:
        UnreadableConfigError: the bytes are none of these.
    """
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    if not mark and len(data) > 1 and 0 in data[:2]:
        encoding = "utf-16-be" if data[0] == 0 else "utf-16-le"
    try:
        content = ConfigText(data[len(mark) :].decode(encoding), encoding, mark)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableConfigError(f"line {line}: not {encoding.upper()} text") from None
    if content.encode(content.text) != data:
        raise UnreadableConfigError(f"odd {encoding.upper()} that cannot be preserved")
    return content


def read_bytes(file: Path, limit: int = MAX_SIZE) -> bytes | None:
    """Read the whole file, of at most ``limit`` bytes; None if it is missing or a dangling link.

    Raises:
        UnreadableConfigError: the system's reason, or the file is not an ordinary one.
    """
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableConfigError("not an ordinary file")
        if status.st_size > limit:
            raise UnreadableConfigError(f"larger than {limit / 1024 / 1024:g} MiB")
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UnreadableConfigError(reason_of(error)) from error


def read_own_settings(file: Path) -> JsonObject:
    """Return a program's JSON settings, in which it says where its files are; {} if they cannot be read."""
    try:
        settings = json_text.loads(read_bytes(file) or b"")
    except (UnreadableConfigError, ValueError):
        return {}
    return settings if isinstance(settings, dict) else {}


def reason_of(error: OSError) -> str:
    """Return the system's message for an error, without the path."""
    return (error.strerror or type(error).__name__).lower()


def write_bytes(file: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Replace the file's content with ``data``, all or nothing, on disk before this returns.

    The target of a symbolic link is written. Mode and owner of an existing file stay; ``mode`` is for a new one. A file
    that its owner has write-protected is left alone.

    Raises:
        OSError: it cannot be written; the file is unchanged.
    """
    target = Path(os.path.realpath(file))
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(target.parent, target.name)
    write_file(target, data, mode=mode, keep_attributes=True)


def remove(file: Path) -> None:
    """Delete the file, or the target of a symbolic link.

    Raises:
        OSError: it cannot be deleted.
    """
    target = Path(os.path.realpath(file))
    target.unlink()
    sync_folder(target.parent)
