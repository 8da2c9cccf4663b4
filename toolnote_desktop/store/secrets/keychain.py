"""Keychain of the operating system, called in a thread of its own with a deadline.

A locked one is unlocked only when the user asks for it: a prompt that comes unasked grabs mouse and keys. A keychain
may hang, or wait for the user to unlock it. Then the caller gets an error at its deadline, later callers at once, and
``on_late_answer`` is called when it finally responds. ``keyring`` is imported with the first call.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from msgspec import Struct, field

from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.store.secrets.keychain_entries import NotStoredError, delete_entry, read_entry, write_entry
from toolnote_desktop.store.secrets.keychain_lock import LockState, lock_state

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

_CHOSEN: Final = "PYTHON_KEYRING_BACKEND"
"""``keyring``'s own variable: it forces the keychain that it names."""

_GOOD_ENOUGH: Final = 1.0
"""``keyring``'s own threshold: backends of lower priority are unsuitable for secrets."""


class KeychainLockedError(Exception):
    """The keychain is locked, and the user was not asked to unlock it."""


class _Request(Struct, Generic[Answer], eq=False):
    work: Callable[[KeyringBackend], Answer]
    answered: threading.Event = field(default_factory=threading.Event)
    answer: list[Answer] = field(default_factory=list)
    error: Exception | None = None


class Keychain:
    """Keychain whose methods wait up to ``seconds``: for threads that may block.

    Each raises ToolnoteError with the parameters ``server``, ``name``, ``field`` and those of the code:
    ``keychain-absent``, ``keychain-locked`` (the user did not unlock it), ``keychain-silent``, ``keychain-failed``.

    Args:
        service: returns the service name for a server's entries.
        on_late_answer: called, in the keychain's thread, when it responds after a caller's deadline.
    """

    def __init__(self, service: Callable[[str], str], on_late_answer: Callable[[], None] = lambda: None) -> None:
        self._service = service
        self._on_late_answer = on_late_answer
        self._lock = threading.Lock()
        self._waiting: deque[_Request[Any]] = deque()
        self._overdue = False
        self._thread: threading.Thread | None = None

    def exists(self, seconds: float) -> bool:
        """Return False if this system has no keychain; one that does not answer counts as there. Never prompts."""
        try:
            return self._run("", "", seconds, lambda _backend: True)
        except ToolnoteError as error:
            return error.problem.code is not Code.KEYCHAIN_ABSENT

    def read(self, server: str, name: str, seconds: float, *, may_prompt: bool = False) -> str | None:
        """Return a value; None if it does not exist.

        Args:
            may_prompt: let the system ask the user to unlock the keychain; else a locked one is ``keychain-locked``.
        """
        service = self._service(server)

        def work(backend: KeyringBackend) -> str | None:
            exists = may_prompt or _is_open(backend)
            return read_entry(backend, service, name) if exists else None

        return self._run(server, name, seconds, work)

    def write(
        self,
        server: str,
        name: str,
        value: str,
        seconds: float,
        on_stored: Callable[[], None],
        *,
        may_prompt: bool = True,
    ) -> None:
        """Store a value; ``on_stored`` is called when it is stored, even after the deadline."""
        service = self._service(server)

        def work(backend: KeyringBackend) -> None:
            if not may_prompt and not _is_open(backend):
                raise KeychainLockedError
            write_entry(backend, service, name, value)
            on_stored()

        self._run(server, name, seconds, work)

    def delete(self, server: str, name: str, seconds: float, *, may_prompt: bool = True) -> None:
        """Delete a value, if it exists."""
        service = self._service(server)

        def work(backend: KeyringBackend) -> None:
            if may_prompt or _is_open(backend):
                delete_entry(backend, service, name)

        self._run(server, name, seconds, work)

    def _run(self, server: str, name: str, seconds: float, work: Callable[[KeyringBackend], Answer]) -> Answer:
        request = _Request(work)
        with self._lock:
            if self._overdue:
                raise _silent_error(server, name, seconds)
            self._waiting.append(request)
            if self._thread is None:
                self._thread = threading.Thread(target=self._answer, name="toolnote-keychain", daemon=True)
                self._thread.start()
        if not request.answered.wait(seconds):
            with self._lock:
                if not request.answered.is_set():
                    self._overdue = True
                    if request in self._waiting:
                        self._waiting.remove(request)
                    raise _silent_error(server, name, seconds)
        if request.error is not None:
            raise _toolnote_error(request.error, server, name)  # not ``from`` it: its frames hold values
        return request.answer[0]

    def _answer(self) -> None:
        """Answer requests in the keychain's thread until none is left."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                request = self._waiting.popleft()
            try:
                request.answer.append(request.work(_backend()))
            except Exception as error:  # noqa: BLE001 - boundary to the libraries of many systems: the caller gets a problem
                request.error = error
            with self._lock:
                request.answered.set()
                overdue, self._overdue = self._overdue, False
            if overdue:
                self._on_late_answer()


def _backend() -> KeyringBackend:
    """Return the current keychain of this system: at login it may start after us.

    Raises:
        keyring.errors.NoKeyringError: there is none.
    """
    import keyring
    from keyring.errors import NoKeyringError

    found: Any = keyring.get_keyring()
    if not _is_good(type(found)):
        if os.environ.get(_CHOSEN):
            raise NoKeyringError
        viable = [one for one in keyring.backend.KeyringBackend.get_viable_backends() if _is_good(one)]
        if not viable:
            raise NoKeyringError
        found = max(viable, key=_priority)()
        keyring.set_keyring(found)
    backend: KeyringBackend = found
    return backend


def _is_open(backend: KeyringBackend) -> bool:
    """Return False for a keychain without values.

    Raises:
        KeychainLockedError: it is locked.
    """
    state = lock_state(backend)
    if state is LockState.LOCKED:
        raise KeychainLockedError
    return state is LockState.OPEN


def _is_good(backend: Any) -> bool:
    from keyring.backends import chainer, fail, null

    if issubclass(backend, (fail.Keyring, null.Keyring)):
        return False
    if issubclass(backend, chainer.ChainerBackend):
        return len(backend.backends) > 1  # with fewer it stores nothing
    return _priority(backend) >= _GOOD_ENOUGH


def _priority(backend: Any) -> float:
    try:
        return float(backend.priority)
    except RuntimeError:  # raised if it does not work on this system
        return 0.0


def _was_dismissed(error: Exception) -> bool:
    """Return True if the user did not unlock it, or could not be asked: Secret Service reports that in the cause."""
    causes = (error, error.__cause__, error.__context__)
    return any(type(cause).__name__ in ("PromptDismissedException", "LockedException") for cause in causes)


def _silent_error(server: str, name: str, seconds: float) -> ToolnoteError:
    return ToolnoteError(Code.KEYCHAIN_SILENT, server=server, name=name, field="secret", seconds=f"{seconds:g}")


def _toolnote_error(error: Exception, server: str, name: str) -> ToolnoteError:
    from keyring.errors import KeyringLocked, NoKeyringError

    if isinstance(error, ToolnoteError):
        return error
    if isinstance(error, NoKeyringError):
        return ToolnoteError(Code.KEYCHAIN_ABSENT, server=server, name=name, field="secret")
    if isinstance(error, (KeyringLocked, KeychainLockedError)) or _was_dismissed(error):
        return ToolnoteError(Code.KEYCHAIN_LOCKED, server=server, name=name, field="secret")
    # Only the type is logged: the text comes from outside and may contain a value.
    log.warning("the keychain failed: %s", type(error).__name__)
    reason = "it gives back something else" if isinstance(error, NotStoredError) else "it reports an error"
    if isinstance(error, OSError) and error.strerror:
        reason = error.strerror
    return ToolnoteError(Code.KEYCHAIN_FAILED, server=server, name=name, field="secret", reason=reason)
