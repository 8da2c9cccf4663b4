"""Deletion of the secrets of removed servers, once the removal cannot be undone any more."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait

from toolnote_desktop.model.edits import SERVERS, RemoveEntry
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.store.library import Change, Library
from toolnote_desktop.store.secrets.store import SecretStore
from toolnote_desktop.system.threads import run_in_thread

log = logging.getLogger(__name__)


class RemovedServers:
    """Follows a library while the app runs: until the app ends, undo restores a removed server with its secrets.

    Only explicit removals count: an unreadable ``servers.json`` removes no secret. Secrets left by a killed app are
    deleted by the next one.
    """

    def __init__(self, library: Library, store: SecretStore) -> None:
        self._library = library
        self._store = store
        self._gone: frozenset[str] = frozenset()
        self._lock = threading.Lock()
        self._marking = threading.Lock()
        self._unsubscribe = library.subscribe(self._note)
        self._run_in_thread(lambda: store.forget_removed(self._servers()))

    def close(self, seconds: float) -> None:
        """Delete the secrets of removed servers, waiting up to ``seconds`` for the keychain."""
        self._unsubscribe()
        with self._lock:
            gone = self._gone - self._servers()
        if gone:
            wait([self._run_in_thread(lambda: self._forget(seconds))], seconds)

    def _servers(self) -> frozenset[str]:
        return frozenset(self._library.snapshot.servers)

    def _note(self, change: Change) -> None:
        removed = {edit.key for edit in change.edits if isinstance(edit, RemoveEntry) and edit.document == SERVERS}
        with self._lock:
            if not removed and not self._gone & change.snapshot.servers.keys():
                return
            self._gone |= removed
        self._run_in_thread(self._mark)

    def _mark(self) -> None:
        """Record on disk which servers are removed, one thread after the other: the last one records the final
        state.
        """
        with self._marking:
            servers = self._servers()
            with self._lock:
                gone = self._gone - servers
            self._store.mark_removed(servers, gone)

    def _forget(self, seconds: float) -> None:
        self._mark()
        self._store.forget_removed(self._servers(), seconds)

    def _run_in_thread(self, function: Callable[[], None]) -> Future[None]:
        def run() -> None:
            try:
                function()
            except ToolnoteError as error:
                log.warning("the secrets of a removed server could not be deleted: %s", error.problem.code)

        return run_in_thread(run, name="toolnote-removed-secrets")
