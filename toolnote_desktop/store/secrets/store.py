"""Secrets: values of ``${secret:NAME}``, each belonging to one server (docs/contract.md 2).

They are stored in the operating system's keychain. If there is none, or it stays locked, the user chooses: memory of
this run, or a file whose name says that it is not encrypted. No document, export, log, error or ``repr`` contains a
secret.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from toolnote_desktop.log import hide
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home, platform_config_folder
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.files import SecretFile, Table
from toolnote_desktop.store.secrets.keychain import Keychain

log = logging.getLogger(__name__)

LAUNCH_TIMEOUT: Final = 5.0
"""Seconds that the launch of a server waits for the keychain."""

USER_TIMEOUT: Final = 60.0
"""Seconds, if a user is there to unlock it."""

KEYCHAIN_PROBLEMS: Final = frozenset(
    {Code.KEYCHAIN_ABSENT, Code.KEYCHAIN_LOCKED, Code.KEYCHAIN_SILENT, Code.KEYCHAIN_FAILED}
)
"""Problems that the user can solve by another location."""

NAMES_FILE: Final = "secret-names.json"
OPEN_FILE: Final = "secrets-NOT-ENCRYPTED.json"

_PLACE, _SET, _REMOVED = "place", "set", "removed"


class SecretLocation(StrEnum):
    """Location of a secret."""

    KEYCHAIN = "keychain"
    FILE = "file"
    RUN = "run"


class SecretStore:
    """Secrets of one home; one object for the whole process.

    ``read``, ``write``, ``remove`` and ``names`` block: coroutines call them with ``system.threads.in_thread``. Each
    waits up to ``seconds`` for the keychain and raises ToolnoteError: one of :data:`KEYCHAIN_PROBLEMS` with the
    parameters ``server`` and ``name``, or ``file-not-written``.

    Args:
        choice: returns the location for new secrets on systems without a keychain; None: not chosen yet.
    """

    def __init__(self, home: Home, choice: Callable[[], SecretLocation | None] = lambda: None) -> None:
        self._choice = choice
        self._names = SecretFile(home, NAMES_FILE)
        self._open = SecretFile(home, OPEN_FILE)
        self._keychain = Keychain(_service(home), self._changed)
        self._lock = threading.Lock()
        self._run: dict[tuple[str, str], str] = {}
        self._run_set: dict[tuple[str, str], str] = {}
        self._listeners: list[Callable[[], None]] = []

    @classmethod
    def of(cls, library: Library) -> SecretStore:
        """Return the secrets of a library's home; its settings have the location for systems without a keychain."""

        def choice() -> SecretLocation | None:
            chosen = library.snapshot.settings.secrets_without_keychain
            return SecretLocation(chosen) if chosen is not None else None

        return cls(library.home, choice)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._names.path.parent}>"

    def read(self, server: str, name: str, seconds: float = LAUNCH_TIMEOUT) -> str | None:
        """Return a secret's value; None if it does not exist."""
        with self._lock:
            value = self._run.get((server, name))
        if value is None and self._open.path.exists():
            stored = self._open.read().get(server, {}).get(name)
            value = stored if isinstance(stored, str) else None
        if value is None:
            value = self._keychain.read(server, name, seconds)
        if value is not None:
            hide((value, *value.splitlines()))
        return value

    def write(
        self,
        server: str,
        name: str,
        value: str,
        *,
        place: SecretLocation | None = None,
        seconds: float = USER_TIMEOUT,
        may_prompt: bool = True,
    ) -> SecretLocation:
        """Store a secret, replacing an earlier one; return its location.

        Args:
            may_prompt: let the system ask the user to unlock the keychain; False where no user has asked for it.
            place: None: the keychain, or the result of ``choice`` if there is none.
        """
        hide((value, *value.splitlines()))
        if place is None:
            try:
                return self.write(
                    server, name, value, place=SecretLocation.KEYCHAIN, seconds=seconds, may_prompt=may_prompt
                )
            except ToolnoteError as error:
                place = self._choice() if error.problem.code is Code.KEYCHAIN_ABSENT else None
                if place is None:
                    raise
        if place is SecretLocation.KEYCHAIN:
            self._keychain.write(
                server,
                name,
                value,
                seconds,
                lambda: self._record_location(server, name, SecretLocation.KEYCHAIN),
                may_prompt=may_prompt,
            )
        elif place is SecretLocation.FILE:
            self._open.change(lambda table: table.setdefault(server, {}).update({name: value}))
            self._record_location(server, name, place)
        else:
            with self._lock:
                self._run[server, name] = value
                self._run_set[server, name] = _now()
            self._changed()
        return place

    def next_location(self, seconds: float = LAUNCH_TIMEOUT) -> SecretLocation | None:
        """Return where :meth:`write` stores a secret; None if the user has to choose, because there is no keychain."""
        return SecretLocation.KEYCHAIN if self._keychain.exists(seconds) else self._choice()

    def remove(self, server: str, name: str, seconds: float = USER_TIMEOUT, *, may_prompt: bool = True) -> bool:
        """Delete a secret from all locations; return True if it existed."""
        known = self._names.read().get(server, {}).get(name)
        with self._lock:
            found = self._run.pop((server, name), None) is not None
            self._run_set.pop((server, name), None)
        found = self._remove_from_file(server, name) or found
        try:
            found = self._keychain.read(server, name, seconds, may_prompt=may_prompt) is not None or found
            self._keychain.delete(server, name, seconds, may_prompt=may_prompt)
        except ToolnoteError as error:
            in_keychain = isinstance(known, dict) and known.get(_PLACE) == SecretLocation.KEYCHAIN
            if in_keychain or error.problem.code is not Code.KEYCHAIN_ABSENT:
                raise
        if known is not None:
            self._names.change(lambda table: table.get(server, {}).pop(name, None))
        self._changed()
        return found

    def names(self, server: str) -> dict[str, SecretLocation]:
        """Return the secrets of a server known to this home. The keychain is not called."""
        known = self._names.read().get(server, {})
        places = {name: _place(about) for name, about in known.items()}
        with self._lock:
            places |= {name: SecretLocation.RUN for owner, name in self._run if owner == server}
        return places

    def unlock(self, server: str, name: str, seconds: float = USER_TIMEOUT) -> None:
        """Let the system ask the user to unlock the keychain. Only for the user's own request.

        Raises:
            ToolnoteError: the user did not, or there is none.
        """
        self._keychain.read(server, name, seconds, may_prompt=True)
        self._changed()

    def refresh(self, server: str, seconds: float = LAUNCH_TIMEOUT) -> dict[str, SecretLocation]:
        """Return the secrets as :meth:`names` after checking the keychain: secrets deleted there are removed here.

        Secrets in a locked or unresponsive keychain are assumed to exist.
        """
        known = self._names.read().get(server, {})
        gone = {}
        for name, about in known.items():
            if _place(about) is SecretLocation.KEYCHAIN:
                try:
                    if self._keychain.read(server, name, seconds) is None:
                        gone[name] = about
                except ToolnoteError as error:
                    log.info("the keychain was not checked: %s", error.problem.code)
                    break
        if gone:
            self._names.change(lambda table: _forget(table.get(server, {}), gone))
            self._changed()
        return self.names(server)

    def versions(self) -> dict[tuple[str, str], str]:
        """Return a version of each secret, by server and name, which differs after each change by any process."""
        marks = {
            (server, name): str(about.get(_SET))
            for server, names in self._names.read().items()
            for name, about in names.items()
            if isinstance(about, dict)
        }
        with self._lock:
            return marks | self._run_set

    # -- removed servers ----------------------------------------------------------------------------------------------

    def mark_removed(self, servers: frozenset[str], gone: frozenset[str]) -> None:
        """Mark the secrets of the servers ``gone``, which the user removed, as opposed to ``servers``, which exist.

        They are kept until :meth:`forget_removed`: undo may restore their servers.
        """
        known = self._names.read()
        if any(
            about.get(_REMOVED, False) != (server in gone) for server, about in self._entries(known, servers | gone)
        ):

            def mark(table: Table) -> None:
                for server, about in self._entries(table, servers | gone):
                    if server in gone:
                        about[_REMOVED] = True
                    else:
                        about.pop(_REMOVED, None)

            self._names.change(mark)

    def forget_removed(self, servers: frozenset[str], seconds: float = LAUNCH_TIMEOUT) -> None:
        """Delete the secrets of servers that were removed and are not among ``servers``."""
        known = self._names.read()
        for server, about in list(self._entries(known, frozenset(known) - servers)):
            if about.get(_REMOVED):
                for name in known[server]:
                    self.remove(server, name, seconds, may_prompt=False)

    @staticmethod
    def _entries(table: Table, servers: frozenset[str]) -> list[tuple[str, dict[str, Any]]]:
        return [
            (server, about)
            for server, names in table.items()
            if server in servers
            for about in names.values()
            if isinstance(about, dict)
        ]

    # -- listeners ----------------------------------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener``, in any thread, when a secret may have changed in this process; return a function that ends
        this.

        It is also called when a keychain responds after a caller's deadline.
        """
        with self._lock:
            self._listeners = [*self._listeners, listener]

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = [one for one in self._listeners if one is not listener]

        return unsubscribe

    def stamp(self) -> tuple[int, int, int]:
        """Return a value that changes when another process sets or removes a secret. Costs one ``stat``."""
        return self._names.stamp()

    def _changed(self) -> None:
        with self._lock:
            listeners = self._listeners
        for listener in listeners:
            listener()

    def _record_location(self, server: str, name: str, place: SecretLocation) -> None:
        """Record the location of a secret that was stored, and remove it from locations with priority."""
        with self._lock:
            self._run.pop((server, name), None)
            self._run_set.pop((server, name), None)
        if place is SecretLocation.KEYCHAIN:
            self._remove_from_file(server, name)
        about = {_PLACE: str(place), _SET: _now()}
        self._names.change(lambda table: table.setdefault(server, {}).update({name: about}))
        self._changed()

    def _remove_from_file(self, server: str, name: str) -> bool:
        if not self._open.path.exists():
            return False
        found: list[object] = []
        self._open.change(lambda table: found.append(table.get(server, {}).pop(name, None)))
        return found[0] is not None


def _place(about: object) -> SecretLocation:
    return (
        SecretLocation.FILE
        if isinstance(about, dict) and about.get(_PLACE) == SecretLocation.FILE
        else SecretLocation.KEYCHAIN
    )


def _forget(names: dict[str, Any], gone: dict[str, Any]) -> None:
    """Remove these from a server's names, except those set anew meanwhile."""
    for name, about in gone.items():
        if names.get(name) == about:
            del names[name]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _service(home: Home) -> Callable[[str], str]:
    """Return the function that names entries in the keychain: by server, and by home unless it is the default one."""
    usual = str(home.root) == platform_config_folder()
    program = "Toolnote" if usual else f"Toolnote ({home.root})"
    return lambda server: f"{program}: {server}"
