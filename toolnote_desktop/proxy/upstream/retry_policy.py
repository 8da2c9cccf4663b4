"""How a server's connection is supervised: what is told of it, how long anything may take, what a failure means."""

from __future__ import annotations

import random
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.proxy.transports.base import Reply, Transport
from toolnote_desktop.proxy.transports.child_process import is_downloader
from toolnote_desktop.proxy.transports.server_log import ServerLog
from toolnote_desktop.proxy.upstream.list_reader import Listed
from toolnote_desktop.proxy.upstream.liveness import ConnectionTimeouts


class UpstreamListener(Protocol):
    """Who hears of the servers. Called on the loop; must be quick."""

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """The connection's state, or the reason for it, is another now."""

    async def listed(self, server: str, listed: Listed) -> None:
        """Publish a server's lists: just before it counts as ready, and after each change that it announces.

        Long lists are processed in time slices. Cancelled when the connection ends.
        """

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        """What a server says by itself but for ``list_changed``: progress, message, resources/updated and others."""

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        """Sampling, elicitation, roots: the answer to give. ``ping`` is answered by the upstream itself.

        Cancelled when the server cancels its request or goes.
        """


class UpstreamNotReady(Exception):  # noqa: N818  # says what is, as PeerClosed does
    """A request was made while the server is not ready; ``status`` says how it is. Waiting is the caller's choice."""

    def __init__(self, server: str, status: ServerStatus) -> None:
        super().__init__(f"{server}: {status.state}")
        self.server = server
        self.status = status


class Timeouts(Struct, frozen=True):
    """Seconds, and times.

    Attributes:
        start: what a server may take to be ready before it counts as failed; it is left to go on, and may still come.
        download: the same for the first start of npx, uvx and docker.
        patience: how many times that long it may take before it is ended and started anew.
        first_delay, most_delay: between two tries, doubled each time, with jitter.
        good_life: after so long a life, the next end counts as the first.
        failures: so many failures in a row are not a passing trouble any more: the state is then ``failed``.
    """

    start: float = 30.0
    download: float = 300.0
    patience: float = 5.0
    first_delay: float = 0.5
    most_delay: float = 60.0
    stable_after: float = 60.0
    failures: int = 3
    sign_in_delay: float = 60.0
    max_sign_in_tries: int = 5
    retry_on_demand_after: float = 2.0
    connection: ConnectionTimeouts = field(default_factory=ConnectionTimeouts)


_IN_VAIN = frozenset({Code.VALUE_MISSING, Code.SERVER_IS_TOOLNOTE, Code.SERVER_ENTRY_INVALID})
"""What only a changed entry can mend."""

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
"""What a problem means at once; every other is a passing trouble at first."""


def is_permanent(problem: Problem | None) -> bool:
    """Whether trying again is of no use until the entry is another."""
    return problem is not None and problem.code in _IN_VAIN


def failure_state(problem: Problem, failures: int, timeouts: Timeouts) -> ServerState:
    """The state of a server whose connection has ended or did not come about, for the n-th time in a row."""
    state = _STATES.get(problem.code)
    if state is None:
        return ServerState.FAILED if failures >= timeouts.failures else ServerState.RECONNECTING
    return state


def retry_delay(problem: Problem, failures: int, timeouts: Timeouts) -> float | None:
    """Seconds until the next try; None for never."""
    if is_permanent(problem):
        return None
    if problem.code in (Code.SERVER_SIGN_IN, Code.AUTHORIZATION_REFUSED):
        # Asking over and over with what was refused looks like guessing (case C32).
        return None if failures > timeouts.max_sign_in_tries else timeouts.sign_in_delay * 2.0 ** (failures - 1)
    if problem.code in (Code.PROGRAM_MISSING, Code.FOLDER_MISSING, *_KEYCHAIN):
        return timeouts.most_delay  # a look at the disk, or at the keychain: somebody may install or unlock it
    delay = min(timeouts.most_delay, timeouts.first_delay * 2.0 ** min(failures - 1, 16))
    return delay * random.uniform(0.75, 1.25)  # so that servers do not come in step


def downloads_first(entry: Server, *, was_ready: bool) -> bool:
    """Whether this start may have to fetch the server from the net before it can answer."""
    return entry.type == "stdio" and not was_ready and is_downloader(entry)


def start_limit(entry: Server, timeouts: Timeouts, *, downloads: bool) -> tuple[float, float]:
    """Seconds until a server that is starting counts as failed, and how many times that long it may go on.

    A limit of the entry's own (``toolnote.startTimeout``) is meant as such: at its end the server is started anew.
    """
    own = entry.toolnote.start_timeout
    if own is not None:
        return own, 1.0
    return (timeouts.download if downloads else timeouts.start), timeouts.patience


def ready_status(transport: Transport, listed: Listed) -> ServerStatus:
    """The status of a server that answers."""
    return ServerStatus(
        ServerState.READY,
        problems=listed.problems,
        protocol_version=listed.protocol_version,
        server_info=listed.server_info,
        pid=getattr(transport, "pid", None),
    )


def silent_problem(server: str, seconds: float) -> Problem:
    """A server has not answered for so long."""
    return Problem(Code.SERVER_SILENT, {"server": server, "seconds": f"{round(seconds, 1):g}"})


_SAID = ("reason", "stderr")
_LONGEST_SAID = 400
"""Characters of what is told of it."""


def redacted(problem: Problem, log: ServerLog) -> Problem:
    """What a server says of its end may repeat a secret of its entry. It is shortened after that, never before: half a
    secret is not known as one."""
    said = {key: _shortened(log.redacted(problem.parameters[key])) for key in _SAID if key in problem.parameters}
    return Problem(problem.code, {**problem.parameters, **said}) if said else problem


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SAID else f"{text[: _LONGEST_SAID // 2]} … {text[-_LONGEST_SAID // 2 :]}"


class LegacySseFallback:
    """The way to a server of type ``http`` that may turn out to speak the older HTTP with SSE (2024-11-05).

    By the specification's rules for backwards compatibility: where a POST of ``initialize`` is refused by HTTP itself,
    the same address is tried with a GET. Many entries have only a ``url``, and it is the older kind.
    """

    def __init__(self) -> None:
        self._taken = False
        self._works = False
        self._refusal: Problem | None = None

    def entry(self, entry: Server) -> Server:
        """The entry to connect by now."""
        return replace(entry, type="sse") if self._taken else entry

    def refused(self, problem: Problem) -> None:
        """HTTP itself refused the newer way: take the older one next."""
        self._taken, self._works, self._refusal = True, False, problem

    def worked(self) -> None:
        """The server is ready: it is spoken to in this way from now on."""
        self._works = True

    def failed(self, problem: Problem) -> Problem:
        """What to tell: a server that speaks neither way is told of by how it refused the newer one."""
        if not self._taken or self._works:
            return problem
        self._taken = False
        return self._refusal or problem


def connection_key(entry: Server) -> tuple[object, ...]:
    """What a connection is made of: a change in anything else leaves it alone."""
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
