"""Streamable HTTP transport in bytes: a POST for each message, answered in JSON or as an event stream (2025-03-26)."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from toolnote_desktop.http_body import BodyTooLong, discard_body, read_body
from toolnote_desktop.model.problem import UNEXPECTED, Problem
from toolnote_desktop.proxy.aio.tasks import cancel_all
from toolnote_desktop.proxy.protocol import VERSION_HEADER
from toolnote_desktop.proxy.transports import jsonrpc, modern_headers
from toolnote_desktop.proxy.transports.base import (
    Reply,
    ReplyUnreadable,
    TransportClosed,
    TransportListener,
    cancelled_line,
)
from toolnote_desktop.proxy.transports.http_client import (
    BODY_LIMIT,
    ServerHttpClient,
    content_kind,
    error_in,
    refusal_text,
    status_text,
    unknown_coding,
    was_never_sent,
)
from toolnote_desktop.proxy.transports.pending_requests import OpenTransport, PendingRequest
from toolnote_desktop.proxy.transports.sse_decoder import EventReader, EventTooLong

if TYPE_CHECKING:
    import httpx2

log = logging.getLogger(__name__)

_SESSION = "mcp-session-id"
_LAST_EVENT = "last-event-id"
_POST = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
_STREAM = {"accept": "text/event-stream", "cache-control": "no-store"}

_RESUMPTIONS = 5
_RETRY_DELAY, _MAX_RETRY_DELAY = 1.0, 30.0
_MIN_RETRY_DELAY = 0.1
"""Seconds, also for a server that asks for less."""

_STABLE_AFTER = 30.0
"""Seconds after which the end of a stream of notifications is no failure."""

_AFTER_RESPONSE = 1.0
"""Seconds that a stream may stay open after its response: if it ends in order, its connection can be reused."""

_LAST_RESPONSES = 0.5
"""Seconds in which pending requests may still be answered or refused after the end of the connection."""

_DELETE_TIMEOUT, _PROBE_TIMEOUT = 1.0, 10.0
_NEVER_CANCELLED = frozenset({"initialize", "server/discover"})
_SESSION_ERROR = re.compile(rb'"code"\s*:\s*-3200[01]\b')
"""Error codes that SDKs use for session errors."""

_SHOWN = 4096
"""Bytes of a refusal in which the word "session" is searched."""

_METHOD_NOT_FOUND = re.compile(rb'"code"\s*:\s*-32601\b')
_RETRIED = frozenset({409, 502, 503, 504})
"""HTTP statuses after which the stream of notifications is requested again: the server still holds the one before (409;
it allows one in a session), or a gateway finds no server."""

_SERVER_ABSENT = frozenset({502, 503, 504})
"""HTTP statuses of a gateway that finds no server."""


class _Refusal(Struct, frozen=True):
    """Meaning of a response that is not a success.

    Attributes:
        closing: problem that closes the connection; the other members concern the request alone.
        retry: the request may be repeated on the next connection.
        session_lost: the server does not know our session any more.
        named_session: it says so, not only by its status.
        error: JSON-RPC error that is the request's response.
        reason: text for a request without such an error.
        by_http: an HTTP error that suggests the older transport; None if it says nothing about that.
    """

    closing: Problem | None = None
    retry: bool = False
    session_lost: bool = False
    named_session: bool = False
    error: bytes | None = None
    reason: str = ""
    by_http: bool | None = None


class StreamableHttpTransport(OpenTransport):
    """Transport whose connection is the session; each message has an HTTP exchange of its own. See ``Transport``.

    Attributes:
        session_lost: the server does not know our session any more (docs/dependencies.md).
        refused_by_http: the handshake got an HTTP error without a message: the server may speak the older transport.
    """

    modern_probe_wait: float | None = 0.25

    def __init__(self, http_client: ServerHttpClient, listener: TransportListener) -> None:
        super().__init__(listener)
        self.session_lost = False
        self.refused_by_http = False
        self._http = http_client
        self._session: str | None = None
        self._version: str | None = None
        self._modern = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._posts: set[asyncio.Task[None]] = set()
        self._ending: asyncio.Task[None] | None = None
        self._probing = False
        self._notification_task: asyncio.Task[None] | None = None
        self.stream_settled: asyncio.Event | None = asyncio.Event()
        self._last_event_id: bytes | None = None

    # -- Transport ----------------------------------------------------------------------------------------------------

    async def request(
        self,
        method: str,
        params: bytes | None,
        *,
        timeout: float | None = None,
        progress_token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """See ``Transport``."""
        if self.closed.is_set():
            raise TransportClosed(self.problem, retry=True)
        waiting = self.pending.open(timeout, progress_token)
        body = jsonrpc.request_line(waiting.id, method, params)
        headers = headers or {}
        stateless = headers.get(VERSION_HEADER) == modern_headers.VERSION
        post = self._spawn(self._post_request(waiting, method, body, headers, stateless))
        self._posts.add(post)
        post.add_done_callback(self._posts.discard)
        try:
            return await waiting.future
        except (asyncio.CancelledError, TimeoutError) as error:
            post.cancel()  # which cancels a request of the modern era
            if not stateless and method not in _NEVER_CANCELLED and not self.closed.is_set():
                self._spawn(self._post_quietly(cancelled_line(waiting.id, error)))
            raise
        finally:
            self.pending.close(waiting)

    async def notify(self, method: str, params: bytes | None) -> None:
        """See ``Transport``."""
        headers = modern_headers.headers(method, {}) if self._modern else {}
        await self._post_message(jsonrpc.notification_line(method, params), headers)
        if method == "notifications/initialized":
            self._notification_task = self._spawn(self._read_notifications())

    def reopen_notifications(self) -> None:
        """Open the stream of notifications anew: its connection may have been lost without a sign."""
        if self._notification_task is not None and not self._notification_task.done() and not self.closed.is_set():
            self._notification_task.cancel()
            self._notification_task = self._spawn(self._read_notifications())

    async def respond(self, request_id: bytes, reply: Reply) -> None:
        """See ``Transport``."""
        await self._post_message(jsonrpc.response_line(request_id, reply.result, reply.error))

    def set_protocol_version(self, protocol_version: str, *, modern: bool) -> None:
        """See ``Transport``."""
        self._version = protocol_version
        self._modern = modern

    async def _close(self) -> None:
        """Close the connection and delete the session, if the server can be reached."""
        reachable = not self.closed.is_set()
        self._finish(None)
        if self._ending is not None:
            await self._ending
        self.pending.fail_all(TransportClosed(self.problem))
        await cancel_all(list(self._tasks))
        if self._session is not None and reachable:
            await self._delete_session()
        await self._http.close()

    async def _delete_session(self) -> None:
        import httpx2

        try:
            async with asyncio.timeout(_DELETE_TIMEOUT), self._http.send("DELETE", self._headers()):
                return
        except (TimeoutError, httpx2.TransportError):
            return  # the session expires by itself

    # -- POST ---------------------------------------------------------------------------------------------------------

    async def _post_request(
        self, waiting: PendingRequest, method: str, body: bytes, headers: Mapping[str, str], stateless: bool
    ) -> None:
        """Send a request. ``stateless``: it belongs to the modern era, which has no sessions and does not resume."""
        import httpx2

        reader = EventReader(BODY_LIMIT)
        own = {} if stateless else self._headers()
        try:
            async with self._http.send("POST", {**own, **_POST, **headers}, body) as response:
                if await self._accept(response, waiting, method=method, stateless=stateless):
                    if method == "initialize":
                        self._session = response.headers.get(_SESSION)
                    await self._read_response(response, waiting, reader)
        except httpx2.TransportError as error:
            if reader.last_id is None or stateless:
                self._fail_request(waiting, error)
        except (BodyTooLong, EventTooLong):
            waiting.fail(ReplyUnreadable(f"the response has more than {BODY_LIMIT // (1024 * 1024)} MiB"))
        if not waiting.future.done() and reader.last_id is not None and not stateless:
            await self._resume(waiting, reader)
        if not waiting.future.done():
            waiting.fail(TransportClosed(self._http.unreachable_problem("the response ended before it was complete")))

    async def _read_response(self, response: httpx2.Response, waiting: PendingRequest, reader: EventReader) -> None:
        kind = content_kind(response)
        coding = unknown_coding(response)
        if coding is not None and kind in ("json", "events"):
            waiting.fail(ReplyUnreadable(f"the response is encoded as {coding}, which was not requested"))
        elif kind == "json":
            body = (await read_body(response, BODY_LIMIT)).strip()
            if body:
                self.pending.receive(body)
            if not waiting.future.done():
                waiting.fail(ReplyUnreadable("the response does not belong to the request"))
        elif kind == "events":
            await self._read_events(response, waiting, reader)
        else:
            waiting.fail(ReplyUnreadable(f"{status_text(response)}, {kind or 'no content'}"))

    async def _read_events(
        self, response: httpx2.Response, waiting: PendingRequest | None, reader: EventReader
    ) -> None:
        """Read events until the stream ends, or until shortly after the response to ``waiting``."""
        try:
            async with asyncio.timeout(None) as limit:
                async for chunk in response.aiter_bytes():
                    for event in reader.feed(chunk):
                        if event.kind == "message" and event.data.strip():
                            self.pending.receive(event.data.strip())
                        await reader.take_turn()
                    await reader.slow_down()
                    if waiting is not None and waiting.future.done() and limit.when() is None:
                        limit.reschedule(asyncio.get_running_loop().time() + _AFTER_RESPONSE)
        except TimeoutError:
            return

    async def _resume(self, waiting: PendingRequest, reader: EventReader) -> None:
        """Resume a stream of numbered events that broke off before the response.

        A failure here concerns the connection: the request is being processed and must not be repeated.
        """
        import httpx2

        delay = _RETRY_DELAY
        for _ in range(_RESUMPTIONS):
            await asyncio.sleep(reader.retry if reader.retry is not None else delay)
            delay = min(delay * 2, _MAX_RETRY_DELAY)
            headers = {**self._headers(), **_STREAM, _LAST_EVENT: (reader.last_id or b"").decode("latin-1")}
            try:
                async with self._http.send("GET", headers) as response:
                    if not await self._accept(response) or content_kind(response) != "events":
                        return
                    await self._read_events(response, waiting, reader)
            except httpx2.TransportError as error:
                if was_never_sent(error):
                    self._fail_request(None, error)
            except EventTooLong:
                return
            if waiting.future.done():
                return

    async def _post_message(self, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Send a message that has no response.

        Raises:
            TransportClosed: the connection is closed.
        """
        import httpx2

        if self.closed.is_set():
            raise TransportClosed(self.problem)
        extra = {VERSION_HEADER: modern_headers.VERSION, **(headers or {})} if self._modern else {}
        try:
            async with self._http.send("POST", {**self._headers(), **_POST, **extra}, body) as response:
                if await self._accept(response):
                    await discard_body(response)
        except httpx2.TransportError as error:
            self._fail_request(None, error)
        if self.closed.is_set():
            raise TransportClosed(self.problem)

    async def _post_quietly(self, body: bytes) -> None:
        try:
            await self._post_message(body)
        except TransportClosed:
            return

    # -- GET ----------------------------------------------------------------------------------------------------------

    async def _read_notifications(self) -> None:
        """Read the stream of messages that belong to no request (handshake era), which servers need not offer."""
        try:
            await self._read_notification_streams()
        finally:
            if self.stream_settled is not None:
                self.stream_settled.set()

    async def _read_notification_streams(self) -> None:
        """Read one stream after another; lists are read again with each, whatever ended the one before.

        A server need not offer the stream: a refusal of the first one is final, unless it may be temporary.
        """
        import httpx2

        last_id, delay, was_open = self._last_event_id, _RETRY_DELAY, False
        loop = asyncio.get_running_loop()
        while not self.closed.is_set():
            reader = EventReader(BODY_LIMIT)
            reader.last_id = last_id
            headers = {**self._headers(), **_STREAM}
            if last_id is not None:
                headers[_LAST_EVENT] = last_id.decode("latin-1")
            opened_at: float | None = None
            try:
                async with self._http.send("GET", headers) as response:
                    if await self._accept(response) and content_kind(response) == "events":
                        opened_at, was_open = loop.time(), True
                        self.pending.notifications_opened()
                        if self.stream_settled is not None:
                            self.stream_settled.set()
                        await self._read_events(response, None, reader)
                    elif response.status_code not in _RETRIED and (not was_open or response.status_code == 405):
                        return
            except httpx2.TransportError as error:
                if was_never_sent(error):
                    self._fail_request(None, error)
            except EventTooLong:
                log.warning("server %r sent an event of more than %d bytes", self._http.server, BODY_LIMIT)
            finally:
                last_id = self._last_event_id = reader.last_id
            lasted = loop.time() - opened_at if opened_at is not None else 0.0
            if lasted > _STABLE_AFTER or (reader.events and lasted > _RETRY_DELAY):
                delay = _RETRY_DELAY
            if reader.retry is not None and (reader.events or lasted > _RETRY_DELAY):
                await asyncio.sleep(max(reader.retry, _MIN_RETRY_DELAY))
                continue
            await asyncio.sleep(max(delay, reader.retry or 0.0))
            delay = min(delay * 2, _MAX_RETRY_DELAY)

    # -- failures -----------------------------------------------------------------------------------------------------

    async def _accept(
        self,
        response: httpx2.Response,
        waiting: PendingRequest | None = None,
        *,
        method: str = "",
        stateless: bool = False,
    ) -> bool:
        """Return True if the response is a success; else apply its refusal to the request and the connection.

        A connection whose requests are answered goes on: before it is closed because of a side exchange (a stream, a
        notification) or of a 404 that may concern the method alone, a ping shows whether the server still knows us.
        """
        refusal = await self._refusal(response, waiting, stateless=stateless)
        if refusal is None:
            return True
        doubtful = waiting is None or (refusal.session_lost and not refusal.named_session)
        if refusal.closing is not None and doubtful and self._version is not None and method != "ping":
            if waiting is None:
                self._probe_soon()
                return False
            if await self._is_alive():
                refusal = _Refusal(reason=status_text(response))
        self.session_lost = self.session_lost or refusal.session_lost
        if refusal.by_http is not None:
            self.refused_by_http = refusal.by_http
        if refusal.closing is not None:
            self._close_with(refusal.closing, waiting, retry=refusal.retry)
        elif waiting is None:
            log.info("server %r answered a message with %s", self._http.server, status_text(response))
        elif refusal.error is not None:
            waiting.settle(Reply(None, refusal.error))
        else:
            unreadable = ReplyUnreadable(refusal.reason)
            unreadable.refused = response.status_code >= 300
            unreadable.not_found = response.status_code == 404
            unreadable.server_absent = response.status_code in _SERVER_ABSENT
            waiting.fail(unreadable)
        return False

    async def _is_alive(self) -> bool:
        """Return True if the server answers a ping in this session."""
        try:
            await self.request("ping", None, timeout=_PROBE_TIMEOUT)
        except (TimeoutError, TransportClosed, ReplyUnreadable):
            return False
        return True

    async def _refusal(
        self, response: httpx2.Response, waiting: PendingRequest | None, *, stateless: bool
    ) -> _Refusal | None:
        """Return the meaning of a response that is not a success; None if it is one."""
        status = response.status_code
        auth_problem = self._http.auth_problem(response)
        if auth_problem is not None:
            if status == 401 or self._version is None:
                return _Refusal(closing=auth_problem)
            # One tool needs more scopes than were granted: the others go on.
            return _Refusal(reason="HTTP 403: it requires more rights than were granted; sign in again")
        if status == 202 and waiting is not None:
            return _Refusal(reason="HTTP 202: the server accepted the request and sent no response")
        if status < 300:
            return None
        try:
            body = await read_body(response, BODY_LIMIT)
        except BodyTooLong:
            body = b""
        error, named = error_in(body)
        is_response = waiting is not None and named is not None and jsonrpc.integer_id(named) == waiting.id
        if not stateless and self._is_unknown_session(status, error, is_response=is_response):
            lost = self._http.unreachable_problem("it does not know our session any more")
            says_so = b"session" in body[:_SHOWN].lower()
            return _Refusal(closing=lost, retry=True, session_lost=True, named_session=says_so)
        if waiting is None or error is not None:
            return _Refusal(error=error)
        if (status >= 500 or status == 429) and self._version is None:
            return _Refusal(closing=self._http.unreachable_problem(refusal_text(response, body)), retry=True)
        by_http = self._version is None and status in (400, 404, 405)
        return _Refusal(reason=refusal_text(response, body), by_http=by_http)

    def _is_unknown_session(self, status: int, error: bytes | None, *, is_response: bool) -> bool:
        """Return True if the server does not know our session.

        By the specification it answers 404; many servers answer 400 with a message. A 404 may also mean an unknown
        method, and an error with the request's id (``is_response``) concerns the request, even if it mentions sessions.
        """
        if self._session is None or self._version is None or (error and _METHOD_NOT_FOUND.search(error)):
            return False
        if status == 400:
            says_so = error is not None and b"session" in error.lower()
            return says_so and not (is_response and _SESSION_ERROR.search(error or b"") is None)
        return status == 404

    def _fail_request(self, waiting: PendingRequest | None, error: Exception) -> None:
        """Fail a request after an HTTP failure.

        If it could not be sent at all, the connection is closed. If it broke off, the server is probed.
        """
        problem = self._http.transport_problem(error)
        if was_never_sent(error) and (waiting is not None or self._version is None):
            self._close_with(problem, waiting, retry=True)
            return
        if waiting is not None:
            waiting.fail(TransportClosed(problem))
        if self._version is None:
            self._finish(problem)
        else:
            self._probe_soon()

    def _probe_soon(self) -> None:
        if not self._probing and not self.closed.is_set():
            self._probing = True
            self._spawn(self._probe())

    async def _probe(self) -> None:
        method, params, headers = "ping", None, {}
        if self._modern:
            method, params = "server/discover", jsonrpc.with_meta(None, modern_headers.meta(None))
            headers = modern_headers.headers(method, {})
        try:
            await self.request(method, params, timeout=_PROBE_TIMEOUT, headers=headers)
        except (TimeoutError, TransportClosed) as error:
            self._finish(getattr(error, "problem", None) or self._http.unreachable_problem("it does not respond"))
        except ReplyUnreadable:
            return
        finally:
            self._probing = False

    def _close_with(self, problem: Problem, waiting: PendingRequest | None, *, retry: bool = False) -> None:
        if waiting is not None:
            waiting.fail(TransportClosed(problem, retry=retry))
        self._finish(problem)

    def _finish(self, problem: Problem | None) -> None:
        if not self.closed.is_set():
            self.problem = problem
            self.closed.set()
            self.pending.notify_closed(problem)
            if problem is not None:
                self._ending = asyncio.ensure_future(self._drain_posts())

    async def _drain_posts(self) -> None:
        """Give pending requests a moment for their own responses: a request that is refused too can be repeated."""
        if self._posts:
            await asyncio.wait(self._posts, timeout=_LAST_RESPONSES)
        self.pending.fail_all(TransportClosed(self.problem))

    # -- helpers ------------------------------------------------------------------------------------------------------

    def _headers(self) -> dict[str, str]:
        headers: dict[str, str] = {}
        if self._session is not None:
            headers[_SESSION] = self._session
        if self._version is not None:
            headers[VERSION_HEADER] = self._version
        return headers

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a connection to server %r failed", self._http.server, exc_info=error)
            self._finish(self._http.unreachable_problem(UNEXPECTED))
