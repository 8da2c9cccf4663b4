"""Choice to move the secrets of new entries into the keychain."""

from __future__ import annotations

import errno
from collections.abc import Collection, Mapping

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from toolnote_desktop.assistants.importing.move_secrets import extract_secrets, store_secrets
from toolnote_desktop.desktop.add_servers.secret_places import SecretNotStoredError, SecretPlaces, keychain_text
from toolnote_desktop.desktop.async_tasks import disabled, in_thread
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretLocation, SecretStore


class StoreSecrets(CheckBox):
    """Choice, on unless changed; never shown itself: ``places`` offers other locations where the keychain fails.

    Args:
        store: where they go; None: nowhere.

    Signals:
        location_chosen: the user chose another location than the keychain; the action is to be tried again.
    """

    location_chosen = Signal()

    def __init__(self, library: Library, store: SecretStore | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._location: SecretLocation | None = None
        self._writer: _InLocation | None = None
        self.places = SecretPlaces(library)
        self.places.chosen.connect(self._choose)
        self.toggled.connect(lambda _on: self.places.hide())
        self.setChecked(True)
        self.hide()

    def without_secrets(self, entry: JsonObject, known: Collection[str] = ()) -> JsonObject:
        """Return the entry as it is to be added."""
        return extract_secrets(entry, known).entry if self._moves else entry

    async def store(self, owner: QWidget, entries: Mapping[str, JsonObject], known: Collection[str] = ()) -> None:
        """Move the secrets of entries, by server id, to the keychain; return at once where there are none to move.

        Takes as long as the user needs to unlock the keychain; ``owner`` is disabled meanwhile.

        Raises:
            InterruptedError: it was canceled; none is stored then.
            SecretNotStoredError: a secret could not be stored; other locations are offered.
            ToolnoteError: a secret could not be stored.
        """
        store, location = self._store, self._location
        self._location = None
        self.places.hide()
        secrets = {server: extract_secrets(entry, known).secrets for server, entry in entries.items()}
        if store is None or not self._moves or not any(secrets.values()):
            return
        self._writer = writer = _InLocation(store, location)
        with disabled(owner):
            try:
                await in_thread(store_secrets, secrets, writer)
            except ToolnoteError as error:
                if self.places.offer(error):
                    raise SecretNotStoredError(keychain_text(error.problem)) from error
                raise

    def cancel(self) -> None:
        """Store no more secrets; those of this time are removed again."""
        if self._writer is not None:
            self._writer.is_canceled = True

    def _choose(self, location: SecretLocation) -> None:
        self._location = location
        self.location_chosen.emit()

    @property
    def _moves(self) -> bool:
        return self._store is not None and self.isChecked()


class _InLocation(Struct):
    """Store with the location that the user chose; None: the keychain, or an earlier choice.

    Attributes:
        is_canceled: no more is stored.
    """

    store: SecretStore
    location: SecretLocation | None
    is_canceled: bool = False

    def write(self, server: str, name: str, value: str) -> object:
        written = None if self.is_canceled else self.store.write(server, name, value, place=self.location)
        if self.is_canceled:
            if written is not None:  # meanwhile
                self.store.remove(server, name)
            raise InterruptedError(errno.EINTR, "canceled")
        return written

    def remove(self, server: str, name: str) -> object:
        return self.store.remove(server, name)
