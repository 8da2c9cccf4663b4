"""Interface of a transport: one open connection to a server, and the listener of its messages.

Results and params stay the bytes they arrived as (docs/architecture.md, decision 1).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from toolnote_desktop.model.problem import Problem
from toolnote_desktop.proxy.transports import jsonrpc


class Reply(Struct, frozen=True):
    """Response: the raw JSON text of its ``result`` or of its ``error`` object; the other one is None."""

    result: bytes | None
    error: bytes | None = None


def cancelled_line(request_id: int, cause: object = None) -> bytes:
    """Return ``notifications/cancelled`` for a request of ours; ``cause`` as for ``cancelled_params``."""
    return jsonrpc.notification_line("notifications/cancelled", cancelled_params(b"%d" % request_id, cause))


def cancelled_params(request_id: bytes, cause: object) -> bytes:
    """Return the params of ``notifications/cancelled``.

    Args:
        request_id: raw JSON.
        cause: further params of the client's cancellation (``reason``) as a raw JSON object, or the ``CancelledError``
            that carries them.
    """
    if isinstance(cause, asyncio.CancelledError):
        cause = cause.args[0] if cause.args else None
    return jsonrpc.with_member(cause if isinstance(cause, bytes) else b"{}", "requestId", request_id)


class TransportClosed(Exception):  # noqa: N818  # names what happened, as ConnectionReset does
    """The connection is closed, or was closed before the response arrived.

    Attributes:
        problem: reason, if known.
        retry: the server certainly did not process the request, so that repeating it on the next connection is safe
            (an unknown session, a connection that could not be opened).
    """

    def __init__(self, problem: Problem | None = None, *, retry: bool = False) -> None:
        super().__init__(str(problem.code) if problem else "closed")
        self.problem = problem
        self.retry = retry


class ReplyUnreadable(Exception):  # noqa: N818
    """A response cannot be forwarded: invalid JSON (``NaN``, for example), or an HTTP error without a message.

    The connection stays open. The exception's text is the reason, without secrets.

    Attributes:
        server_absent: a gateway reports that the server itself is down (HTTP 502, 503, 504).
        refused: the text is that of an HTTP error.
        not_found: that error is 404.
        result: text that is no JSON; of a list, the other entries can be used.
    """

    server_absent = False
    refused = False
    not_found = False
    result: bytes | None = None


class Transport(Protocol):
    """Open connection. All methods are for the event loop it was made on."""

    closed: asyncio.Event
    """Set when the connection is closed, for any reason."""

    modern_probe_wait: float | None
    """Seconds that a start waits for the answer whether a server of the handshake era also speaks the modern one; None
    if this transport belongs to the handshake era only."""

    stream_settled: asyncio.Event | None
    """Set once the separate stream of notifications is open or refused; None if notifications need no such stream."""

    problem: Problem | None
    """Reason of the end, as far as the transport knows it."""

    @property
    def messages_received(self) -> int:
        """Number of messages received: a server that sends messages is alive."""

    @property
    def requests_in_flight(self) -> int:
        """Number of our requests without a response."""

    async def request(
        self,
        method: str,
        params: bytes | None,
        *,
        timeout: float | None = None,
        progress_token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send a request and return its response. Cancelling the task cancels the request at the server.

        Args:
            params: raw JSON text of ``params``; None leaves the member out.
            timeout: seconds; each progress notification with ``progress_token`` starts them anew.
            progress_token: value of ``params._meta.progressToken``, if there is one.
            headers: further HTTP headers; transports without headers ignore them.

        Raises:
            TransportClosed: the connection was closed before the response.
            ReplyUnreadable: the response is not valid.
            TimeoutError: no response in time; the request is cancelled at the server.
        """

    async def notify(self, method: str, params: bytes | None) -> None:
        """Send a notification.

        Raises:
            TransportClosed: the connection is closed.
        """

    async def respond(self, request_id: bytes, reply: Reply) -> None:
        """Respond to a request of the server; ``request_id`` is the raw text passed to the listener.

        Raises:
            TransportClosed: the connection is closed.
        """

    def set_protocol_version(self, protocol_version: str, *, modern: bool) -> None:
        """Use this revision from now on, after the handshake (HTTP sends it in a header)."""

    async def close(self) -> None:
        """Close the connection and release everything that belongs to it; returns afterwards."""


class TransportListener(Protocol):
    """Listener of a server's messages. Called on the event loop in wire order; must be quick and not raise."""

    def on_notification(self, method: str, params: bytes | None) -> None:
        """Handle a notification; ``params`` is its raw text."""

    def on_request(self, request_id: bytes, method: str, params: bytes | None) -> None:
        """Handle a request; the response follows through ``Transport.respond``."""

    def on_closed(self, problem: Problem) -> None:
        """Handle the unexpected end of the connection, before any pending request fails."""

    def notifications_opened(self) -> None:
        """Handle the opening of the separate stream of notifications; earlier notifications may be lost."""

    def on_invalid_message(self, line: bytes) -> None:
        """Handle a line that is not a JSON-RPC message; it belongs in the server's log."""

    def on_repaired_message(self, line: bytes) -> None:
        """Handle a line that is passed on in another form, because it is not strict JSON or UTF-8."""
