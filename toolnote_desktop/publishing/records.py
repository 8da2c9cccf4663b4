"""Records of what was published, one file each in ``backups/published``, with the earlier states of its files.

The files themselves are the truth: a record says which of them Toolnote made and what it wrote last, so that a change
by the user is recognised. Removing works without a record as well, for what lies between marks.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from toolnote_desktop.assistants.config_file import write_bytes
from toolnote_desktop.model import json_text
from toolnote_desktop.paths import Home, read_regular

BACKUPS_KEPT: Final = 20


class Carrier(StrEnum):
    """Forms of guidance in other programs' files."""

    SKILL = "skill"
    RULES = "rules"
    PLUGIN = "plugin"


class Publication(Struct, frozen=True):
    """Place where a toolset's guidance was published.

    Attributes:
        path: absolute: the file of rules, or the folder of a skill or plugin.
        client: id of the assistant for whose names the text is; None for any.
    """

    carrier: Carrier
    path: str
    toolset: str
    client: str | None = None

    def detail(self) -> dict[str, str]:
        """Return the details of an audit entry."""
        return {"carrier": str(self.carrier), "path": self.path}


class WrittenFile(Struct, frozen=True):
    """File of a publication as Toolnote wrote it.

    Attributes:
        content: hash of the block, or of a file that is Toolnote's as a whole.
        header: text that a file made by Toolnote begins with.
        made: Toolnote made the file.
    """

    content: str
    header: str = ""
    made: bool = False


class Record(Struct, frozen=True):
    """Publication with its files, by path, and the folders that were made for them."""

    publication: Publication
    files: dict[str, WrittenFile] = {}
    folders: tuple[str, ...] = ()


def hash_text(text: str | bytes) -> str:
    """Return the hash that recognises a text."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return hashlib.sha256(data).hexdigest()


class Records:
    """Records of one home. Creating this object does not touch the disk."""

    def __init__(self, home: Home) -> None:
        self._folder = home.published

    def all(self) -> list[Record]:
        """Return the readable records, in a stable order."""
        found = []
        for file in sorted(self._folder.glob("*/record.json")):
            with contextlib.suppress(OSError, msgspec.MsgspecError):
                found.append(msgspec.json.decode(read_regular(file), type=Record))
        return found

    def find(self, publication: Publication) -> Record | None:
        """Return the record of a publication, for whichever assistant; None without one."""
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode(read_regular(self._file(publication)), type=Record)
        return None

    def save(self, record: Record) -> None:
        """Save a record.

        Raises:
            OSError: it cannot be written.
        """
        file = self._file(record.publication)
        self._make_folder(file.parent)
        write_bytes(file, json_text.dumps_pretty(msgspec.to_builtins(record)))

    def remove(self, publication: Publication) -> None:
        """Remove a record; the backups stay.

        Raises:
            OSError: it cannot be removed.
        """
        with contextlib.suppress(FileNotFoundError):
            self._file(publication).unlink()

    def save_backup(self, publication: Publication, file: Path, data: bytes) -> None:
        """Store a file's content; the newest ``BACKUPS_KEPT`` of a publication are kept.

        Raises:
            OSError: it cannot be written.
        """
        folder = self._file(publication).parent
        self._make_folder(folder)
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        write_bytes(folder / f"{stamp}-{file.name}", data)
        kept = sorted(name for name in os.listdir(folder) if name != "record.json")
        for name in kept[:-BACKUPS_KEPT]:
            with contextlib.suppress(FileNotFoundError):
                (folder / name).unlink()

    def _file(self, publication: Publication) -> Path:
        key = "\0".join((publication.carrier, os.path.realpath(publication.path), publication.toolset))
        return self._folder / hash_text(key)[:16] / "record.json"

    def _make_folder(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
