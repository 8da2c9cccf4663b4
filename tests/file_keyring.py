"""A keychain for tests, in a file that all processes of a test share (``PYTHON_KEYRING_BACKEND`` names it).

``TOOLNOTE_TEST_KEYCHAIN`` names the file, with entries by service and name, and under ``"mood"`` how it behaves:
``""``, ``"locked"``, ``"asks"`` (locked; each attempt opens a prompt, counted under ``"prompts"``, which the user
dismisses), ``"silent"`` (until the mood is another), ``"forgets"`` (it takes values and gives none back). No
value may have more than 1,280 characters of UTF-16, as on Windows.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from filelock import FileLock
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError, PasswordSetError

VARIABLE = "TOOLNOTE_TEST_KEYCHAIN"
BACKEND = "tests.file_keyring.FileKeyring"
MOST_UNITS = 1_280


class FileKeyring(KeyringBackend):
    """See the module."""

    priority = 9.0

    @property
    def _file(self) -> TestKeychain:
        return TestKeychain(Path(os.environ[VARIABLE]))

    def get_password(self, service: str, username: str) -> str | None:
        self._behave()
        found = self._file.entries().get(service, {}).get(username)
        return None if found is None or self._file.mood == "forgets" else str(found)

    def set_password(self, service: str, username: str, password: str) -> None:
        self._behave()
        if len(password.encode("utf-16-le")) // 2 > MOST_UNITS:
            raise PasswordSetError("too long")
        with self._file.changing() as content:
            content["entries"].setdefault(service, {})[username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._behave()
        with self._file.changing() as content:
            if content["entries"].get(service, {}).pop(username, None) is None:
                raise PasswordDeleteError("there is none")

    def is_locked(self) -> bool:
        """Without a prompt."""
        return self._file.mood == "asks"

    def _behave(self) -> None:
        if self._file.mood == "asks":
            with self._file.changing() as content:
                content["prompts"] = content.get("prompts", 0) + 1
            raise KeyringLocked("dismissed")
        if self._file.mood == "locked":
            raise KeyringLocked("dismissed")
        while self._file.mood == "silent":
            time.sleep(0.01)  # what a keychain that waits for a person does


class TestKeychain:
    """The keychain's file, for tests to read it and to set its mood."""

    __test__ = False

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def mood(self) -> str:
        """Way it behaves; empty: it works."""
        return str(self._read()["mood"])

    @mood.setter
    def mood(self, mood: str) -> None:
        with self.changing() as content:
            content["mood"] = mood

    @property
    def prompts(self) -> int:
        """How often the user was asked to unlock it."""
        return int(self._read().get("prompts", 0))

    def entries(self) -> dict[str, dict[str, str]]:
        """Contents: service -> name -> value."""
        entries: dict[str, dict[str, str]] = self._read()["entries"]
        return entries

    def changing(self) -> _Changing:
        """Read, let the block change it, write."""
        return _Changing(self)

    def _read(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self.path.read_text("utf-8")) if self.path.exists() else {}
        return {"mood": "", "entries": {}, **read}


class _Changing:
    def __init__(self, keychain: TestKeychain) -> None:
        self._keychain = keychain
        self._lock = FileLock(f"{keychain.path}.lock")

    def __enter__(self) -> dict[str, Any]:
        self._lock.acquire()
        self._content = self._keychain._read()
        return self._content

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            new = self._keychain.path.with_suffix(".new")
            new.write_text(json.dumps(self._content), "utf-8")
            os.replace(new, self._keychain.path)
        self._lock.release()
