"""Log of Toolnote's changes in other programs' files, with backups: ``backups/clients`` of the home folder.

``<client>/installed.json`` is an append-only list: per change the hash of the file before and after, the backup's
name, and the hash of the entry written (it may hold a token). The file itself is the truth: a record is used only if
the file still has its hash or its entry, so a process killed between the two writes does no harm. The list also
records, per change, which of the client's own servers are switched off.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.assistants.config_file import UnreadableConfigError, read_bytes, write_bytes
from toolnote_desktop.assistants.installing.switch_servers import NO_SAVED_SERVERS, SavedServers
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject

ABSENT: Final = "absent"
"""Hash of a missing file."""

_RECORDS = "installed.json"
_SWITCHED_OFF = "switchedOff"


def hash_of(data: bytes | None) -> str:
    """Return the hash that identifies a file's state."""
    return ABSENT if data is None else hashlib.sha256(data).hexdigest()


def entry_hash(name: str, entry: Any) -> str:
    """Return the hash that identifies an entry, whatever the order of its keys."""
    text = json.dumps([name, entry], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class InstallRecord(Struct, frozen=True):
    """Change that put Toolnote into a file.

    Attributes:
        file: real path.
        name: key of the entry.
        entry: ``entry_hash`` of the entry as written.
        before: hash of the file before, or ``ABSENT``.
        after: hash of the file as written.
        backup: name of the backup beside ``installed.json``; None for ``ABSENT``.
        made: number of enclosing objects that were created with the entry.
    """

    file: str
    name: str
    entry: str
    before: str
    after: str
    backup: str | None
    made: int = 0


class InstallLog:
    """Log of one client. Creating this object does not touch the disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, file: Path) -> tuple[InstallRecord, ...]:
        """Return the records of one file, oldest first; an unreadable list counts as empty."""
        real = real_path(file)
        return tuple(record for record in map(_parse, self._raw() or ()) if record is not None and record.file == real)

    def add(self, record: InstallRecord) -> None:
        """Append a record; an unreadable list is set aside first.

        Raises:
            OSError: it cannot be written.
        """
        self._append(
            {key: getattr(record, key) for key in ("file", "name", "entry", "before", "after", "backup", "made")}
        )

    def switched_off(self, file: Path) -> SavedServers:
        """Return the client's own servers that are switched off in a file, with their former state."""
        real = real_path(file)
        for raw in reversed(self._raw() or ()):
            if isinstance(raw, dict) and raw.get("file") == real and isinstance(raw.get(_SWITCHED_OFF), dict):
                saved = raw[_SWITCHED_OFF]
                return {name: was for name, was in saved.items() if isinstance(was, dict)}
        return NO_SAVED_SERVERS

    def save_switched_off(self, file: Path, saved: SavedServers) -> None:
        """Append the client's own servers that are switched off now.

        Raises:
            OSError: it cannot be written.
        """
        self._append({"file": real_path(file), _SWITCHED_OFF: dict(saved)})

    def _append(self, raw: JsonObject) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        listed = self._raw()
        if listed is None:
            os.replace(self.folder / _RECORDS, self.folder / f"{_RECORDS}.bad-{_stamp()}")
        write_bytes(self.folder / _RECORDS, json_text.dumps_pretty({"installs": [*(listed or ()), raw]}))

    def save_backup(self, file: Path, data: bytes) -> str:
        """Store a file's content, readable by the owner only, and return the backup's name.

        Raises:
            OSError: it cannot be written.
        """
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        name = f"{_stamp()}-{file.name}"
        write_bytes(self.folder / name, data)
        return name

    def backup(self, record: InstallRecord) -> bytes | None:
        """Return the bytes from before a change; None if the backup is missing or altered."""
        if record.backup is None or Path(record.backup).name != record.backup:
            return None
        try:
            data = read_bytes(self.folder / record.backup)
        except UnreadableConfigError:
            return None
        return data if hash_of(data) == record.before else None

    def _raw(self) -> list[Any] | None:
        """Return the list in the file; None if the file is unreadable."""
        try:
            data = read_bytes(self.folder / _RECORDS)
            raw = json_text.loads(data) if data is not None else {"installs": []}
        except (UnreadableConfigError, ValueError):
            return None
        installs = raw.get("installs") if isinstance(raw, dict) else None
        return installs if isinstance(installs, list) else None


def original(records: Sequence[InstallRecord], current: str) -> InstallRecord | None:
    """Return the first of the installations that led to the file's state, if nothing else changed it in between.

    ``current`` is the file's hash. The result's ``before`` is the state without Toolnote.
    """
    found: InstallRecord | None = None
    seen: set[str] = set()
    while current not in seen:
        seen.add(current)
        step = next((record for record in reversed(records) if record.after == current), None)
        if step is None:
            break
        found, current = step, step.before
    return found


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")


def real_path(file: Path) -> str:
    """Return the path that identifies a file, symbolic links resolved."""
    return os.path.realpath(file)


def _parse(raw: Any) -> InstallRecord | None:
    if not isinstance(raw, Mapping):
        return None
    texts = [raw.get(key) for key in ("file", "name", "entry", "before", "after")]
    backup, made = raw.get("backup"), raw.get("made")
    if not all(isinstance(text, str) for text in texts):
        return None
    file, name, entry, before, after = map(str, texts)
    return InstallRecord(
        file=file,
        name=name,
        entry=entry,
        before=before,
        after=after,
        backup=backup if isinstance(backup, str) else None,
        made=made if isinstance(made, int) else 0,
    )
