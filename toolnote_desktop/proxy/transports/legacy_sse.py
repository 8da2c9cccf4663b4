"""Legacy HTTP with SSE transport (2024-11-05): one event stream from the server, POSTs to the endpoint it names."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from toolnote_desktop.http_body import discard_body
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.proxy.aio.tasks import cancel_all
from toolnote_desktop.proxy.protocol import VERSION_HEADER
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply, TransportClosed, TransportListener, cancelled_line
from toolnote_desktop.proxy.transports.http_client import (
    BODY_LIMIT,
    ServerHttpClient,
    content_kind,
    same_origin,
    status_text,
    was_never_sent,
)
from toolnote_desktop.proxy.transports.pending_requests import OpenTransport
from toolnote_desktop.proxy.transports.sse_decoder import Event, EventReader, EventTooLong

if TYPE_CHECKING:
    import httpx2

log = logging.getLogger(__name__)

_NEVER_CANCELLED = frozenset({"initialize"})

_POST_TIMEOUT = 1.0
"""Seconds for the response to a POST after the connection was closed."""


class LegacySseTransport(OpenTransport):
    """Transport over one event stream and POSTs. See ``Transport``."""

    session_lost = False
    modern_probe_wait: float | None = None
    stream_settled: asyncio.Event | None = None

    def __init__(self, http_client: ServerHttpClient, listener: TransportListener) -> None:
        super().__init__(listener)
        self._http = http_client
        self._version: str | None = None
        self._address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._cancelling: set[asyncio.Task[None]] = set()
        self._reading = asyncio.ensure_future(self._read())

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
        waiting = self.pending.open(timeout, progress_token)
        sending = asyncio.ensure_future(self._post(jsonrpc.request_line(waiting.id, method, params)))
        try:
            await asyncio.wait((sending, waiting.future), return_when=asyncio.FIRST_COMPLETED)
            if sending.done() and not waiting.future.done():
                sending.result()
            return await waiting.future
        except TransportClosed as closed:
            closed.retry = closed.retry or await _was_rejected(sending)
            raise
        except (asyncio.CancelledError, TimeoutError) as error:
            if method not in _NEVER_CANCELLED and not self.closed.is_set():
                self._send_cancelled(waiting.id, error)
            raise
        finally:
            sending.cancel()
            if not sending.cancelled() and sending.done():
                sending.exception()
            self.pending.close(waiting)

    async def notify(self, method: str, params: bytes | None) -> None:
        """See ``Transport``."""
        await self._post(jsonrpc.notification_line(method, params))

    async def respond(self, request_id: bytes, reply: Reply) -> None:
        """See ``Transport``."""
        await self._post(jsonrpc.response_line(request_id, reply.result, reply.error))

    def set_protocol_version(self, protocol_version: str, *, modern: bool) -> None:
        """See ``Transport``."""
        self._version = protocol_version

    async def _close(self) -> None:
        """Close the stream, which ends the session."""
        self._finish(None)
        await cancel_all((self._reading, *self._cancelling))
        await self._http.close()

    def _send_cancelled(self, request_id: int, cause: object) -> None:
        task = asyncio.ensure_future(self._post_cancelled(cancelled_line(request_id, cause)))
        self._cancelling.add(task)
        task.add_done_callback(self._cancelling.discard)

    async def _post_cancelled(self, line: bytes) -> None:
        try:
            await self._post(line)
        except TransportClosed:
            return

    async def _post(self, body: bytes) -> None:
        """Send a message; its response arrives on the stream.

        Raises:
            TransportClosed: it could not be sent.
        """
        import httpx2

        address = await asyncio.shield(self._address)
        if self.closed.is_set():
            raise TransportClosed(self.problem, retry=True)
        headers = {"content-type": "application/json"}
        if self._version is not None:
            headers[VERSION_HEADER] = self._version
        try:
            async with self._http.send("POST", headers, body, address) as response:
                if response.status_code >= 300:
                    problem = self._refusal(response)
                    self._finish(problem)
                    # A server that failed may have started to process it.
                    raise TransportClosed(problem, retry=response.status_code < 500)
                await discard_body(response)
        except httpx2.TransportError as error:
            self._finish(self._http.transport_problem(error))
            raise TransportClosed(self.problem, retry=was_never_sent(error)) from error

    async def _read(self) -> None:
        import httpx2

        reader = EventReader(BODY_LIMIT)
        problem = self._http.unreachable_problem("its event stream has ended")
        try:
            async with self._http.send("GET", {"accept": "text/event-stream", "cache-control": "no-store"}) as response:
                if response.status_code >= 300 or content_kind(response) != "events":
                    problem = self._refusal(response)
                else:
                    async for chunk in response.aiter_bytes():
                        for event in reader.feed(chunk):
                            self._event(event, response)
                            await reader.take_turn()
                        await reader.slow_down()
        except httpx2.TransportError as error:
            problem = self._http.transport_problem(error)
        except EventTooLong:
            limit = str(BODY_LIMIT // (1024 * 1024))
            problem = Problem(Code.SERVER_LINE_TOO_LONG, {"server": self._http.server, "limit": limit})
        self._finish(problem)

    def _event(self, event: Event, response: httpx2.Response) -> None:
        if event.kind == "endpoint" and not self._address.done():
            address = response.url.join(event.data.decode("utf-8", "replace").strip())
            if same_origin(response.url, address):
                self._address.set_result(str(address))
            else:  # our headers must not be sent to another host
                self._finish(self._http.unreachable_problem("it wants messages to be sent to another host"))
        elif event.kind == "message" and event.data.strip():
            self.pending.receive(event.data.strip())

    def _refusal(self, response: httpx2.Response) -> Problem:
        kind = f", {content_kind(response) or 'no content'}" if response.is_success else ""
        return self._http.auth_problem(response) or self._http.unreachable_problem(f"{status_text(response)}{kind}")

    def _finish(self, problem: Problem | None) -> None:
        if self.closed.is_set():
            return
        self.problem = problem
        self.closed.set()
        if not self._address.done():
            self._address.set_result("")
        self.pending.end(TransportClosed(problem))


async def _was_rejected(sending: asyncio.Future[None]) -> bool:
    """Return True if a message was certainly not accepted, so that it may be repeated on the next connection."""
    await asyncio.wait((sending,), timeout=_POST_TIMEOUT)
    error = sending.exception() if sending.done() and not sending.cancelled() else None
    return isinstance(error, TransportClosed) and error.retry
