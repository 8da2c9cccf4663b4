"""Files of the home with the names of secrets, and with the secrets that the user chose to store unencrypted.

``secret-names.json`` contains no secret: names, locations and times, so that a running app notices changes by commands.
``secrets-NOT-ENCRYPTED.json`` exists only on systems without a keychain, if the user chose so. Neither has a backup: a
deleted secret is gone.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home, make_folder
from toolnote_desktop.store.documents import FILE_TIME, lock_file, read_bytes, reason_of
from toolnote_desktop.system.atomic_file import write_file

log = logging.getLogger(__name__)

SERVERS: Final = "servers"

Table = dict[str, dict[str, Any]]
"""Server -> name of a secret -> its entry."""


class SecretFile:
    """Table in a file of mode 0600, changed by one process at a time. All methods wait for the disk."""

    def __init__(self, home: Home, name: str) -> None:
        self.path: Path = home.root / name
        self._home = home

    def read(self) -> Table:
        """Return the table; empty if the file cannot be read."""
        try:
            data = read_bytes(self.path)
            return {} if data is None else _table(json_text.loads(data))
        except (OSError, ValueError) as error:
            log.warning("%s cannot be read: %s", self.path.name, type(error).__name__)
            return {}

    def change(self, change: Callable[[Table], None]) -> None:
        """Read the table, apply ``change`` and write it; an empty table removes the file.

        An unreadable file is kept under another name.

        Raises:
            ToolnoteError: ``file-not-written``.
        """
        try:
            with lock_file(self._home, "secrets"):
                table = self._read_or_set_aside()
                change(table)
                table = {server: names for server, names in table.items() if names}
                if table:
                    make_folder(self.path.parent)
                    write_file(self.path, json_text.dumps_pretty({SERVERS: table}))
                else:
                    self.path.unlink(missing_ok=True)
        except OSError as error:
            raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=self.path.name, reason=reason_of(error)) from error

    def stamp(self) -> tuple[int, int, int]:
        """Return a value that differs for each version of the file."""
        try:
            status = os.stat(self.path)
        except OSError:
            return (0, 0, 0)
        return (status.st_ino, status.st_size, status.st_mtime_ns)

    def _read_or_set_aside(self) -> Table:
        data = read_bytes(self.path)
        try:
            return {} if data is None else _table(json_text.loads(data))
        except ValueError:
            kept = self.path.with_name(f"{self.path.name}.bad-{datetime.now(UTC).strftime(FILE_TIME)}")
            os.replace(self.path, kept)
            log.warning("%s could not be read and was set aside as %s", self.path.name, kept.name)
            return {}


def _table(raw: Any) -> Table:
    """Validate a table.

    Raises:
        ValueError: it is not a table of secrets.
    """
    servers = raw.get(SERVERS) if isinstance(raw, dict) else None
    if not isinstance(servers, dict) or not all(isinstance(names, dict) for names in servers.values()):
        raise ValueError("no table of secrets")
    return {server: dict(names) for server, names in servers.items()}
