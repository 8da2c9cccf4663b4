"""What Toolnote wrote into other programs' files, and what was there before: ``backups/clients`` of the home folder.

``<client>/installed.json`` is a list that only grows: for each change the hash of the file before and after, the name
of the backup, and the hash of the entry written (it may hold a token). What is true now is always looked up in the file
itself: a record is used only if the file still has its hash or its entry. So a process killed between the two leaves
nothing wrong. Beside them stands, as of each change, which servers of the client's own are switched off for us.
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
"""Stands for the hash of a file that is not there."""

_RECORDS = "installed.json"
_SWITCHED_OFF = "switchedOff"


def hash_of(data: bytes | None) -> str:
    """What a file's state is known by."""
    return ABSENT if data is None else hashlib.sha256(data).hexdigest()


def entry_hash(name: str, entry: Any) -> str:
    """What an entry is known by, in whichever order its keys stand."""
    text = json.dumps([name, entry], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class InstallRecord(Struct, frozen=True):
    """One change that put Toolnote into a file.

    Attributes:
        file: the real path.
        name: the entry's key.
        entry: ``entry_hash`` of what was written under it.
        before: hash of the file before, or ``ABSENT``.
        after: hash of the file as it was written.
        backup: name of the file beside ``installed.json`` that holds what was there before; None for ``ABSENT``.
        made: how many of the objects around the entry were made with it.
    """

    file: str
    name: str
    entry: str
    before: str
    after: str
    backup: str | None
    made: int = 0


class InstallLog:
    """The records of one client. Making this object touches no disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, file: Path) -> tuple[InstallRecord, ...]:
        """The records of one file, oldest first. A list that cannot be read counts as empty: it only ever helps."""
        real = real_path(file)
        return tuple(record for record in map(_parse, self._raw() or ()) if record is not None and record.file == real)

    def add(self, record: InstallRecord) -> None:
        """Writes one more record; a list that cannot be read is set aside first.

        Raises:
            OSError: when it cannot be written.
        """
        self._append(
            {key: getattr(record, key) for key in ("file", "name", "entry", "before", "after", "backup", "made")}
        )

    def switched_off(self, file: Path) -> SavedServers:
        """The client's own servers that are off for us in one file, and what they were."""
        real = real_path(file)
        for raw in reversed(self._raw() or ()):
            if isinstance(raw, dict) and raw.get("file") == real and isinstance(raw.get(_SWITCHED_OFF), dict):
                kept = raw[_SWITCHED_OFF]
                return {name: was for name, was in kept.items() if isinstance(was, dict)}
        return NO_SAVED_SERVERS

    def save_switched_off(self, file: Path, kept: SavedServers) -> None:
        """Writes which of the client's own servers are off now.

        Raises:
            OSError: when it cannot be written.
        """
        self._append({"file": real_path(file), _SWITCHED_OFF: dict(kept)})

    def _append(self, raw: JsonObject) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        listed = self._raw()
        if listed is None:
            os.replace(self.folder / _RECORDS, self.folder / f"{_RECORDS}.bad-{_stamp()}")
        write_bytes(self.folder / _RECORDS, json_text.dumps_pretty({"installs": [*(listed or ()), raw]}))

    def save_backup(self, file: Path, data: bytes) -> str:
        """Stores what a file holds now, for its owner only, and gives the backup's name.

        Raises:
            OSError: when it cannot be written.
        """
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        name = f"{_stamp()}-{file.name}"
        write_bytes(self.folder / name, data)
        return name

    def backup(self, record: InstallRecord) -> bytes | None:
        """The bytes from before a change, if they are still there and still the same."""
        if record.backup is None or Path(record.backup).name != record.backup:
            return None
        try:
            data = read_bytes(self.folder / record.backup)
        except UnreadableConfigError:
            return None
        return data if hash_of(data) == record.before else None

    def _raw(self) -> list[Any] | None:
        """The list as it stands in the file; None where the file cannot be read."""
        try:
            data = read_bytes(self.folder / _RECORDS)
            raw = json_text.loads(data) if data is not None else {"installs": []}
        except (UnreadableConfigError, ValueError):
            return None
        installs = raw.get("installs") if isinstance(raw, dict) else None
        return installs if isinstance(installs, list) else None


def original(records: Sequence[InstallRecord], current: str) -> InstallRecord | None:
    """The install that began what a file holds now, if nothing but installs of ours came between.

    ``current`` is the file's hash. The ``before`` of the outcome is the state without us.
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
    """The path that a file is known by, symbolic links followed."""
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
