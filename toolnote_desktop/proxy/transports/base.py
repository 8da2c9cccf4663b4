"""A peer: one live connection to a server, and what it says to whoever listens.

Everything that goes through stays the bytes it came as (docs/architecture.md): ``forward.py`` reads only what it must.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from toolnote_desktop.model.problem import Problem
from toolnote_desktop.proxy.transports import jsonrpc


class Reply(Struct, frozen=True):
    """An answer: the raw JSON text of its ``result`` or of its ``error`` (the object), exactly as it came.

    One of the two is None.
    """

    result: bytes | None
    error: bytes | None = None


def cancelled_line(request_id: int, why: object = None) -> bytes:
    """``notifications/cancelled`` for one of our requests; ``why`` as for ``cancelled_params``."""
    return jsonrpc.notification_line("notifications/cancelled", cancelled_params(b"%d" % request_id, why))


def cancelled_params(request_id: bytes, why: object) -> bytes:
    """What ``notifications/cancelled`` says.

    Args:
        request_id: raw JSON.
        why: an object as raw JSON, with what else was said by whoever took the request back (``reason``); or the
            exception that this came as (``asyncio.Task.cancel``).
    """
    if isinstance(why, asyncio.CancelledError):
        why = why.args[0] if why.args else None
    return jsonrpc.with_member(why if isinstance(why, bytes) else b"{}", "requestId", request_id)


class TransportClosed(Exception):  # noqa: N818  # says what happened, as ConnectionReset does
    """The connection has ended, or ended before the answer came.

    Attributes:
        problem: why, where that is known.
        retry: the server certainly did not work on the request, so that asking once more, on the next connection, is
            safe (an unknown session, a connection that could not be made).
    """

    def __init__(self, problem: Problem | None = None, *, retry: bool = False) -> None:
        super().__init__(str(problem.code) if problem else "closed")
        self.problem = problem
        self.retry = retry


class ReplyUnreadable(Exception):  # noqa: N818
    """An answer came, but it cannot be handed on: no JSON (``NaN`` in it, say), or an HTTP error with no message in it.

    The connection lives. The exception's text says why, without secrets.

    Attributes:
        absent: whoever answered says that the server itself is not there (HTTP 502, 503, 504).
    """

    server_absent = False


class Transport(Protocol):
    """One live connection. All methods are for the loop it was made on."""

    closed: asyncio.Event
    """Set when the connection has ended, for whatever reason."""

    modern_probe_wait: float | None
    """Seconds that a start waits for a server of the handshake era to say whether it speaks the modern one too; None:
    this kind of connection knows no other era."""

    stream_settled: asyncio.Event | None
    """Set once the separate stream of notifications is open or refused; None if notifications need no such stream."""

    problem: Problem | None
    """Why it ended, as far as the connection itself knows."""

    @property
    def messages_received(self) -> int:
        """Grows with every message that comes in: a server that says something is alive."""

    @property
    def requests_in_flight(self) -> int:
        """Requests of ours that wait for an answer."""

    async def request(
        self,
        method: str,
        params: bytes | None,
        *,
        timeout: float | None = None,
        progress_token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Ask and wait for the answer. A caller that is cancelled cancels the request at the server too.

        Args:
            params: the raw JSON text of ``params``; None leaves the member out.
            timeout: seconds; each progress notification that carries ``progress_token`` starts them anew.
            progress_token: the value that ``params._meta.progressToken`` holds, if there is one.
            headers: further HTTP headers; connections that have none ignore them.

        Raises:
            PeerClosed: the connection ended before the answer.
            ReplyUnreadable: the answer is no JSON.
            TimeoutError: no answer in time; the server was told that the request is cancelled.
        """

    async def notify(self, method: str, params: bytes | None) -> None:
        """Say something that has no answer.

        Raises:
            PeerClosed: the connection has ended.
        """

    async def respond(self, request_id: bytes, reply: Reply) -> None:
        """Answer a request of the server's; ``request_id`` is the raw text that ``TransportListener.question`` gave.

        Raises:
            PeerClosed: the connection has ended.
        """

    def set_protocol_version(self, protocol_version: str, *, modern: bool) -> None:
        """The handshake is over: this revision is spoken from now on (HTTP names it in a header)."""

    async def close(self) -> None:
        """End the connection and everything that belongs to it; returns when it is gone."""


class TransportListener(Protocol):
    """Who hears what a server says by itself. Called on the loop, in wire order; must be quick and not raise."""

    def notification(self, method: str, params: bytes | None) -> None:
        """A notification; ``params`` is its raw text."""

    def question(self, request_id: bytes, method: str, params: bytes | None) -> None:
        """A request; it is answered later through ``Transport.respond``."""

    def ended(self, problem: Problem) -> None:
        """The connection has ended by itself. Told before anybody who waits for an answer hears of it."""

    def notifications_opened(self) -> None:
        """The separate stream of notifications is open; notifications before may be lost."""

    def on_invalid_message(self, line: bytes) -> None:
        """Something that is no message, for the server's log."""
