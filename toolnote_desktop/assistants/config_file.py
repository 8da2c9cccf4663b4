"""Another program's file: read as text that goes back to the same bytes, written so that nothing of it is ever lost."""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

from msgspec import Struct

from toolnote_desktop.system.atomic_file import remove_leftovers, sync_folder, write_file

LARGE = 256 * 1024
LARGEST = 64 * 1024 * 1024
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class UnreadableConfigError(Exception):
    """A file that cannot be read as text; ``str()`` is the reason in a few words, without any of the content."""


class ConfigText(Struct, frozen=True):
    """Text with what is needed to make the same bytes of it again."""

    text: str
    encoding: str = "utf-8"
    mark: bytes = b""

    def encoded(self, text: str) -> bytes:
        """Another text in this one's encoding, with its byte order mark."""
        return self.mark + text.encode(self.encoding)


def decode(data: bytes) -> ConfigText:
    """UTF-8, UTF-16 or UTF-32 by its byte order mark; UTF-16 without one is known by its zeros.

    Raises:
        UnreadableError: for bytes that are none of these.
    """
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    if not mark and len(data) > 1 and 0 in data[:2]:
        encoding = "utf-16-be" if data[0] == 0 else "utf-16-le"
    try:
        content = ConfigText(data[len(mark) :].decode(encoding), encoding, mark)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableConfigError(f"line {line}: not {encoding.upper()} text") from None
    if content.encoded(content.text) != data:
        raise UnreadableConfigError(f"odd {encoding.upper()} that would not be kept")
    return content


def read_bytes(file: Path) -> bytes | None:
    """The whole file; None where there is none, or a link to nothing.

    Raises:
        UnreadableError: with the system's reason, or for what is no ordinary file.
    """
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableConfigError("not an ordinary file")
        if status.st_size > LARGEST:
            raise UnreadableConfigError(f"larger than {LARGEST // 1024 // 1024} MiB")
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UnreadableConfigError(reason_of(error)) from error


def is_large(file: Path) -> bool:
    """Whether reading it, and showing what would change in it, takes longer than a person should wait for."""
    try:
        return file.stat().st_size > LARGE
    except OSError:
        return False


def reason_of(error: OSError) -> str:
    """The system's own words for an error, without the path."""
    return (error.strerror or type(error).__name__).lower()


def write_bytes(file: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Puts ``data`` in the place of the file's content, all or nothing, on disk before this returns.

    A symbolic link stays one: what it points to is written. Mode and owner of an existing file stay; ``mode`` is for
    a new one. A file that its owner has write-protected is left alone.

    Raises:
        OSError: when it cannot be written; then the file is as it was.
    """
    target = Path(os.path.realpath(file))
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(target.parent, target.name)
    write_file(target, data, mode=mode, keep_attributes=True)


def remove(file: Path) -> None:
    """Takes away what the file's name stands for; of a symbolic link the file that it points to.

    Raises:
        OSError: when it cannot be taken away.
    """
    target = Path(os.path.realpath(file))
    target.unlink()
    sync_folder(target.parent)
