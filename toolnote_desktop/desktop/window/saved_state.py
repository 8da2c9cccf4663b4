"""Saved state of the window: geometry, columns, the place shown and the open sources.

Kept in an ini file in the home folder, not in the Windows registry, so that a home is complete (docs/contract.md 2).
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QByteArray, QFile, QFileDevice, QSettings

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.paths import Home

FILE_NAME = "window.ini"


class WindowState:
    """State as read at the start; written by :meth:`save`."""

    def __init__(self, home: Home, *, fresh: bool = False) -> None:
        """``fresh``: ignore the saved state (safe mode)."""
        self._path = str(home.root / FILE_NAME)
        self._settings = QSettings(self._path, QSettings.Format.IniFormat)
        if fresh:
            self._settings.clear()

    def bytes_of(self, name: str) -> QByteArray | None:
        """Return a geometry or a splitter's state."""
        value = self._settings.value(name)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def chosen(self) -> RowKey | None:
        """Return the selected row."""
        return key_from(str(self._settings.value("chosen") or ""))

    def opened(self) -> set[RowKey] | None:
        """Return the open rows; None where none were ever saved."""
        if not self._settings.contains("open"):
            return None
        value = self._settings.value("open")
        texts = value if isinstance(value, list) else [value]
        return {key for text in texts if (key := key_from(str(text or ""))) is not None}

    def is_on(self, name: str, default: bool) -> bool:
        """Return a saved boolean."""
        return str(self._settings.value(name, default)).lower() == "true"

    def save(
        self, *, states: dict[str, QByteArray], chosen: RowKey | None, opened: Iterable[RowKey], **choices: bool
    ) -> None:
        """Write the state, readable by the user only."""
        for name, state in states.items():
            self._settings.setValue(name, state)
        self._settings.setValue("chosen", text_of(chosen) if chosen is not None else "")
        self._settings.setValue("open", sorted(text_of(key) for key in opened))
        for name, value in choices.items():
            self._settings.setValue(name, "true" if value else "false")
        self._settings.sync()
        QFile.setPermissions(self._path, QFileDevice.Permission.ReadOwner | QFileDevice.Permission.WriteOwner)


def text_of(key: RowKey) -> str:
    """Return a key as one line."""
    return "\t".join((key.kind.value, key.owner, key.name.replace("\n", "\x1f")))


def key_from(text: str) -> RowKey | None:
    """Return the key that :func:`text_of` wrote, or None."""
    parts = text.split("\t")
    if len(parts) != 3 or parts[0] not in Kind._value2member_map_:
        return None
    return RowKey(Kind(parts[0]), parts[1], parts[2].replace("\x1f", "\n"))
