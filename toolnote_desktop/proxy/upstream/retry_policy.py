"""Rules of supervision: the listener of upstreams, time limits, and the meaning of failures."""

from __future__ import annotations

import random
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.model.hidden_characters import escape_controls
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.proxy.transports.base import Reply, Transport
from toolnote_desktop.proxy.transports.child_process import is_downloader
from toolnote_desktop.proxy.transports.server_log import ServerLog
from toolnote_desktop.proxy.upstream.list_reader import Listed
from toolnote_desktop.proxy.upstream.liveness import ConnectionTimeouts


class UpstreamListener(Protocol):
    """Listener of all servers. Called on the event loop; must be quick."""

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """Handle a changed state, or a changed reason of it."""

    async def listed(self, server: str, listed: Listed) -> None:
        """Publish a server's lists: just before it counts as ready, and after each change that it announces.

        Long lists are processed in time slices. Cancelled when the connection ends.
        """

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        """Handle a notification other than ``list_changed``: progress, message, resources/updated and others."""

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        """Return the response to a request of the server (sampling, elicitation, roots); ``ping`` is handled already.

        Cancelled when the server cancels its request or the connection is closed.
        """


class UpstreamNotReady(Exception):  # noqa: N818  # names the state, as TransportClosed does
    """The server is not ready for a request; ``status`` is its state. Waiting is the caller's choice."""

    def __init__(self, server: str, status: ServerStatus) -> None:
        super().__init__(f"{server}: {status.state}")
        self.server = server
        self.status = status


class Timeouts(Struct, frozen=True):
    """Time limits in seconds, and counts.

    Attributes:
        start: time to become ready before the server counts as failed; it continues to start, and may still succeed.
        download: the same for the first start of npx, uvx and docker.
        patience: factor of that time after which the server is restarted.
        first_delay, max_delay: delay between two attempts, doubled each time, with jitter.
        stable_after: age of a connection from which its end counts as the first failure.
        failures: number of failures in a row from which the state is ``failed``.
        sign_in_delay, max_sign_in_tries: the same for a server that refuses our authorization.
        retry_on_demand_after: age of a failure from which a request starts the next attempt at once.
    """

    start: float = 30.0
    download: float = 300.0
    patience: float = 5.0
    first_delay: float = 0.5
    max_delay: float = 60.0
    stable_after: float = 60.0
    failures: int = 3
    sign_in_delay: float = 60.0
    max_sign_in_tries: int = 5
    retry_on_demand_after: float = 2.0
    connection: ConnectionTimeouts = field(default_factory=ConnectionTimeouts)


_PERMANENT = frozenset({Code.VALUE_MISSING, Code.SERVER_IS_TOOLNOTE, Code.SERVER_ENTRY_INVALID})
"""Problems that only a changed entry solves."""

_KEYCHAIN = (Code.KEYCHAIN_ABSENT, Code.KEYCHAIN_LOCKED, Code.KEYCHAIN_SILENT, Code.KEYCHAIN_FAILED)

_STATES = {
    Code.VALUE_MISSING: ServerState.NEEDS_VALUE,
    Code.KEYCHAIN_ABSENT: ServerState.NEEDS_VALUE,
    Code.KEYCHAIN_LOCKED: ServerState.NEEDS_VALUE,
    Code.KEYCHAIN_SILENT: ServerState.NEEDS_VALUE,
    Code.KEYCHAIN_FAILED: ServerState.NEEDS_VALUE,
    Code.AUTHORIZATION_REFUSED: ServerState.FAILED,
    Code.PROGRAM_MISSING: ServerState.NEEDS_PROGRAM,
    Code.SERVER_SIGN_IN: ServerState.NEEDS_SIGN_IN,
    Code.FOLDER_MISSING: ServerState.FAILED,
    Code.PROGRAM_NOT_STARTED: ServerState.FAILED,
    Code.SERVER_IS_TOOLNOTE: ServerState.FAILED,
    Code.SERVER_ENTRY_INVALID: ServerState.FAILED,
    Code.SERVER_PROTOCOL: ServerState.FAILED,
    Code.SERVER_LINE_TOO_LONG: ServerState.FAILED,
}
"""State for a problem at once; any other problem counts as temporary at first."""


def is_permanent(problem: Problem | None) -> bool:
    """Return True if an attempt is useless until the entry is changed."""
    return problem is not None and problem.code in _PERMANENT


def failure_state(problem: Problem, failures: int, timeouts: Timeouts) -> ServerState:
    """Return the state of a server after the n-th failure in a row."""
    state = _STATES.get(problem.code)
    if state is None:
        return ServerState.FAILED if failures >= timeouts.failures else ServerState.RECONNECTING
    return state


def retry_delay(problem: Problem, failures: int, timeouts: Timeouts) -> float | None:
    """Return the seconds until the next attempt; None for never."""
    if is_permanent(problem):
        return None
    if problem.code in (Code.SERVER_SIGN_IN, Code.AUTHORIZATION_REFUSED):
        # Repeated requests with refused credentials look like guessing (case C32).
        return None if failures > timeouts.max_sign_in_tries else timeouts.sign_in_delay * 2.0 ** (failures - 1)
    if problem.code in (Code.PROGRAM_MISSING, Code.FOLDER_MISSING, *_KEYCHAIN):
        return timeouts.max_delay  # the user may install the program or unlock the keychain
    delay = min(timeouts.max_delay, timeouts.first_delay * 2.0 ** min(failures - 1, 16))
    return delay * random.uniform(0.75, 1.25)  # so that servers do not restart in step


def downloads_first(entry: Server, *, was_ready: bool) -> bool:
    """Return True if this start may have to download the server."""
    return entry.type == "stdio" and not was_ready and is_downloader(entry)


def start_limit(entry: Server, timeouts: Timeouts, *, downloads: bool) -> tuple[float, float]:
    """Return the seconds until a starting server counts as failed, and the factor after which it is restarted.

    With a limit of the entry (``toolnote.startTimeout``) the server is restarted at once.
    """
    own = entry.toolnote.start_timeout
    if own is not None:
        return own, 1.0
    return (timeouts.download if downloads else timeouts.start), timeouts.patience


def ready_status(transport: Transport, listed: Listed) -> ServerStatus:
    """Return the status of a ready server."""
    return ServerStatus(
        ServerState.READY,
        problems=listed.problems,
        protocol_version=listed.protocol_version,
        server_info=listed.server_info,
        pid=getattr(transport, "pid", None),
    )


def silent_problem(server: str, seconds: float, unreadable: bytes = b"") -> Problem:
    """Return the problem of a server that has not responded for so many seconds.

    Args:
        unreadable: text that it wrote and that is no message.
    """
    waited = f"{round(seconds, 1):g}"
    if not unreadable:
        return Problem(Code.SERVER_SILENT, {"server": server, "seconds": waited})
    quoted = escape_controls(unreadable.decode("utf-8", "replace"))
    reason = f"it did not answer within {waited} seconds, and wrote what is no message: {quoted}"
    return Problem(Code.SERVER_PROTOCOL, {"server": server, "reason": reason})


_SERVER_TEXTS = ("reason", "stderr")
_MAX_TEXT = 400
"""Characters of a server's message."""


def redacted(problem: Problem, log: ServerLog) -> Problem:
    """Return a problem without the secrets of the server's entry, which its message may repeat.

    The message is cut after redaction: half a secret would not be recognized.
    """
    redacted_texts = {
        key: _shortened(log.redacted(problem.parameters[key])) for key in _SERVER_TEXTS if key in problem.parameters
    }
    return Problem(problem.code, {**problem.parameters, **redacted_texts}) if redacted_texts else problem


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT // 2]} … {text[-_MAX_TEXT // 2 :]}"


class LegacySseFallback:
    """Fallback to legacy HTTP with SSE (2024-11-05) for servers of type ``http``.

    By the specification's rules for backwards compatibility, the same URL is requested with GET if a POST of
    ``initialize`` is refused by HTTP itself. Many entries have only a ``url``, of the older kind.
    """

    def __init__(self) -> None:
        self._in_use = False
        self._is_proven = False
        self._refusal: Problem | None = None

    def entry(self, entry: Server) -> Server:
        """Return the entry for the next connection."""
        return replace(entry, type="sse") if self._in_use else entry

    def refused(self, problem: Problem) -> None:
        """Use the older transport next, because HTTP itself refused the newer one."""
        self._in_use, self._is_proven, self._refusal = True, False, problem

    def worked(self) -> None:
        """Use the present transport from now on, because the server is ready."""
        self._is_proven = True

    def failed(self, problem: Problem) -> Problem:
        """Return the problem to report: if both transports failed, that of the newer one, which the entry names."""
        if not self._in_use or self._is_proven:
            return problem
        self._in_use = False
        return self._refusal or problem


def connection_key(entry: Server) -> tuple[object, ...]:
    """Return the parts of an entry that determine its connection, which survives all other changes."""
    return (
        entry.disabled,
        entry.type,
        entry.command,
        entry.args,
        tuple(sorted(entry.env.items())),
        entry.cwd,
        entry.toolnote.era,
        entry.url,
        tuple(sorted(entry.headers.items())),
    )
