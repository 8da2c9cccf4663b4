"""State that the connections of the fast path share, and its calls in flight."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from toolnote_desktop.proxy.endpoint import response as http_response
from toolnote_desktop.proxy.endpoint.auth import AccessControl, is_local_request
from toolnote_desktop.proxy.endpoint.client_requests import ClientRequests
from toolnote_desktop.proxy.endpoint.fast_path.response import FastPathResponse, ResponseConnection
from toolnote_desktop.proxy.endpoint.handler import CANCELLED, RequestHandler
from toolnote_desktop.proxy.endpoint.headers import is_json_accepting_both
from toolnote_desktop.proxy.endpoint.response import PING, notification
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import HANDSHAKE_VERSIONS
from toolnote_desktop.proxy.routing.forward import Forwarder
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.waiting_calls import LimitReached
from toolnote_desktop.store.library import Library

UNKNOWN: Final = ""
"""Name of the clients without a known token."""


class FastPath:
    """Dependencies and calls of the fast path."""

    def __init__(
        self,
        library: Library,
        access: AccessControl,
        sessions: ClientSessions,
        client_requests: ClientRequests,
        handler: RequestHandler,
        forwarder: Forwarder,
        view: Callable[[Principal], ClientView],
        fetched: Callable[[Principal, ClientView, object], None],
    ) -> None:
        self.library = library
        self.client_requests = client_requests
        self.handler = handler
        self.forwarder = forwarder
        self.view = view
        self.fetched = fetched
        self._access = access
        self._sessions = sessions
        self._calls: set[FastPathCall] = set()
        self._timer: asyncio.TimerHandle | None = None

    def add(self, call: FastPathCall) -> None:
        """Add a call in flight, which sends comments to its client while it takes long."""
        self._calls.add(call)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(http_response.KEEP_ALIVE / 3, self._keep_alive)

    def remove(self, call: FastPathCall) -> None:
        """Remove a call that is finished."""
        self._calls.discard(call)

    def _keep_alive(self) -> None:
        # One timer for all calls: one for each would cost more than the response's head.
        self._timer = None
        if self._calls:
            self._timer = asyncio.get_running_loop().call_later(http_response.KEEP_ALIVE / 3, self._keep_alive)
            for call in list(self._calls):
                call.keep_alive_if_silent()

    def client_of(self, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """Return the client whose token a request has; ``UNKNOWN`` for another token or none."""
        trimmed = {name.lower(): value.strip() for name, value in headers}
        principal = self._access.principal(trimmed, self.library.snapshot.clients)
        return UNKNOWN if principal is None else principal.client

    def admit(self, headers: list[tuple[bytes, bytes]]) -> Session | None:
        """Return the session that these headers may use; None if the request is not for the fast path."""
        trimmed = {name.lower(): value.strip() for name, value in headers}
        version = trimmed.get(b"mcp-protocol-version", b"").decode("latin-1")
        if len(trimmed) != len(headers) or not is_local_request(trimmed) or not is_json_accepting_both(trimmed):
            return None
        if b"expect" in trimmed or b"upgrade" in trimmed or (version and version not in HANDSHAKE_VERSIONS):
            return None
        principal = self._access.principal(trimmed, self.library.snapshot.clients)
        if principal is None:
            return None
        return self._sessions.find(trimmed.get(b"mcp-session-id"), principal)


class CallConnection(ResponseConnection, Protocol):
    """Connection of a client, as far as a call uses it.

    Attributes:
        cycle: request in flight on the connection (uvicorn's name).
    """

    cycle: Any


class FastPathCall(FastPathResponse):
    """Call in flight: the caller that its server may send messages to, and its entries in the shared tables."""

    modern = False
    size = 0
    _params = b""
    _cancel: Callable[[bytes | None], None] | None = None
    _gone: asyncio.Future[None] | None = None

    def __init__(
        self,
        fast_path: FastPath,
        connection: CallConnection,
        session: Session,
        request_id: int | str,
        server: str,
        tool: str,
    ) -> None:
        super().__init__(connection, session, request_id)
        self.principal = session.principal
        self.client = session.principal.client
        self.conversation: object = session
        self.capabilities = session.capabilities
        self.log_level = session.log_level
        self._fast_path = fast_path
        self._call_connection = connection
        self._server = server
        self._tool = tool
        self._started = time.monotonic()
        self._last_keep_alive = self._started

    def start(self, params: bytes) -> bool:
        """Send the call to its server; return False if it cannot be sent at once.

        Raises:
            LimitReached: too much is waiting.
        """
        self.size = len(params)
        self._params = params
        self._cancel = self._fast_path.forwarder.start_call(self._server, params, self, self._finished)
        if self._cancel is None:
            return False
        self._call_connection.cycle = self
        self._fast_path.handler.add(self._session, self._request_id, self)
        self._fast_path.add(self)
        return True

    def refuse(self, error: LimitReached) -> None:
        """Answer the call without sending it."""
        reply = self._fast_path.forwarder.failed_call(self._server, self._tool, error)
        self._fast_path.forwarder.record_call(self, self._server, self._tool, self._started, reply, self._params, error)
        FastPathResponse(self._call_connection, self._session, self._request_id).finish(reply)

    def keep_alive_if_silent(self) -> None:
        """Send a comment if none was sent for ``KEEP_ALIVE`` seconds."""
        now = time.monotonic()
        if now - self._last_keep_alive >= http_response.KEEP_ALIVE:
            self._last_keep_alive = now
            self._write(PING)

    def _finished(self, outcome: Reply | Exception) -> None:
        failure = None
        if isinstance(outcome, Exception):
            failure = outcome
            outcome = self._fast_path.forwarder.failed_call(self._server, self._tool, outcome)
        self._end(outcome, outcome, failure)

    def _end(self, answer: Reply, reply: Reply | None, failure: Exception | None = None) -> None:
        self._cancel = None  # its closure holds this call: the reference cycle would wait for the garbage collector
        self._fast_path.remove(self)
        self._fast_path.handler.remove(self._session, self._request_id, self)
        self._fast_path.forwarder.record_call(
            self, self._server, self._tool, self._started, reply, self._params, failure
        )
        self.finish(answer)

    def cancel(self, params: bytes | None = None) -> None:
        """Cancel the call (see ``handler.Cancellable``)."""
        if self._cancel is not None:
            self._cancel(params)
            self._fail_requests()
            self._end(CANCELLED, None)

    def set(self) -> None:
        """Cancel the call, since the connection is lost: its result cannot be delivered any more."""
        self._fail_requests()
        if self.disconnected:
            self.cancel()

    def _fail_requests(self) -> None:
        if self._gone is not None and not self._gone.done():
            self._gone.set_result(None)

    def notify(self, method: str, params: bytes | None) -> None:
        """Send a notification (see ``Caller.notify``)."""
        self.send(notification(method, params))

    async def request(self, method: str, params: bytes | None) -> Reply:
        """Send a request (see ``Caller.request``)."""
        if self._gone is None:
            self._gone = asyncio.get_running_loop().create_future()
        if self.disconnected or self.response_complete:
            self._fail_requests()
        return await self._fast_path.client_requests.send(self._session, method, params, self.send, self._gone)
