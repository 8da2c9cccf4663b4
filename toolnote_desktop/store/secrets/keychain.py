"""The keychain of the operating system, asked in a thread of its own and never waited for beyond a deadline.

A keychain may hang, or wait for a person to unlock it. Then whoever asked is told so, everybody else is told so at
once instead of queueing up behind, and as soon as it answers after all ``late`` is called. ``keyring`` is imported with
the first question.
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
from toolnote_desktop.store.secrets.keychain_entries import NotKept, delete_entry, read_entry, write_entry

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

_CHOSEN: Final = "PYTHON_KEYRING_BACKEND"
"""``keyring``'s own variable: who sets it wants that keychain and no other."""

_GOOD_ENOUGH: Final = 1.0
"""``keyring``'s own measure: what has a lower priority is no place for secrets."""


class _Question(Struct, Generic[Answer], eq=False):
    work: Callable[[KeyringBackend], Answer]
    answered: threading.Event = field(default_factory=threading.Event)
    answer: list[Answer] = field(default_factory=list)
    error: Exception | None = None


class Keychain:
    """All methods wait, ``seconds`` at most: they are for threads that may.

    Each raises ToolnoteError with the parameters ``server``, ``name``, ``field`` and what the code has:
    ``keychain-absent``, ``keychain-locked`` (its owner did not unlock it), ``keychain-silent``, ``keychain-failed``.

    Args:
        service: what an entry of a server is filed under.
        late: called, in the keychain's thread, when it answers after somebody has given up waiting.
    """

    def __init__(self, service: Callable[[str], str], late: Callable[[], None] = lambda: None) -> None:
        self._service = service
        self._late = late
        self._lock = threading.Lock()
        self._waiting: deque[_Question[Any]] = deque()
        self._overdue = False
        self._thread: threading.Thread | None = None

    def read(self, server: str, name: str, seconds: float) -> str | None:
        """A value; None where there is none."""
        service = self._service(server)
        return self._ask(server, name, seconds, lambda backend: read_entry(backend, service, name))

    def write(self, server: str, name: str, value: str, seconds: float, kept: Callable[[], None]) -> None:
        """Put a value in; ``kept`` is called when it is, also where nobody waits any more."""
        service = self._service(server)

        def work(backend: KeyringBackend) -> None:
            write_entry(backend, service, name, value)
            kept()

        self._ask(server, name, seconds, work)

    def delete(self, server: str, name: str, seconds: float) -> None:
        """Take a value out, if it is there."""
        service = self._service(server)
        self._ask(server, name, seconds, lambda backend: delete_entry(backend, service, name))

    def _ask(self, server: str, name: str, seconds: float, work: Callable[[KeyringBackend], Answer]) -> Answer:
        question = _Question(work)
        with self._lock:
            if self._overdue:
                raise _silent(server, name, seconds)
            self._waiting.append(question)
            if self._thread is None:
                self._thread = threading.Thread(target=self._answer, name="toolnote-keychain", daemon=True)
                self._thread.start()
        if not question.answered.wait(seconds):
            with self._lock:
                if not question.answered.is_set():
                    self._overdue = True
                    if question in self._waiting:
                        self._waiting.remove(question)
                    raise _silent(server, name, seconds)
        if question.error is not None:
            raise _told(question.error, server, name)  # not from it: its frames hold values
        return question.answer[0]

    def _answer(self) -> None:
        """The keychain's thread: until there is no question left."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                question = self._waiting.popleft()
            try:
                question.answer.append(question.work(_backend()))
            except Exception as error:  # noqa: BLE001 - the boundary to many systems' libraries: whoever asked is told
                question.error = error
            with self._lock:
                question.answered.set()
                overdue, self._overdue = self._overdue, False
            if overdue:
                self._late()


def _backend() -> KeyringBackend:
    """The keychain of this system as it is now: at login it may come up after us.

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


def _is_good(backend: Any) -> bool:
    from keyring.backends import chainer, fail, null

    if issubclass(backend, (fail.Keyring, null.Keyring)):
        return False
    if issubclass(backend, chainer.ChainerBackend):
        return len(backend.backends) > 1  # with fewer it keeps nothing
    return _priority(backend) >= _GOOD_ENOUGH


def _priority(backend: Any) -> float:
    try:
        return float(backend.priority)
    except RuntimeError:  # its way to say that it does not work here
        return 0.0


def _was_dismissed(error: Exception) -> bool:
    """Whether the person who was asked to unlock it did not, or could not be asked: Secret Service says so beneath."""
    causes = (error, error.__cause__, error.__context__)
    return any(type(cause).__name__ in ("PromptDismissedException", "LockedException") for cause in causes)


def _silent(server: str, name: str, seconds: float) -> ToolnoteError:
    return ToolnoteError(Code.KEYCHAIN_SILENT, server=server, name=name, field="secret", seconds=f"{seconds:g}")


def _told(error: Exception, server: str, name: str) -> ToolnoteError:
    from keyring.errors import KeyringLocked, NoKeyringError

    if isinstance(error, ToolnoteError):
        return error
    if isinstance(error, NoKeyringError):
        return ToolnoteError(Code.KEYCHAIN_ABSENT, server=server, name=name, field="secret")
    if isinstance(error, KeyringLocked) or _was_dismissed(error):
        return ToolnoteError(Code.KEYCHAIN_LOCKED, server=server, name=name, field="secret")
    # Its text is not ours: it is told by its kind, since nobody knows what stands in it.
    reason = "it gives back something else" if isinstance(error, NotKept) else type(error).__name__
    log.warning("the keychain failed: %s", reason)
    return ToolnoteError(Code.KEYCHAIN_FAILED, server=server, name=name, field="secret", reason=reason)
