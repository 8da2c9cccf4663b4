"""Connection over an open transport: handshake, lists and their changes, requests of the server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Any, Protocol

from toolnote_desktop.model.problem import Problem
from toolnote_desktop.proxy.aio.debounce import Debouncer
from toolnote_desktop.proxy.aio.tasks import cancel_all, watched
from toolnote_desktop.proxy.aio.time_slices import in_slices
from toolnote_desktop.proxy.protocol import CAPABILITIES, Era
from toolnote_desktop.proxy.transports import jsonrpc, modern_headers
from toolnote_desktop.proxy.transports.base import Reply, Transport, TransportClosed
from toolnote_desktop.proxy.transports.jsonrpc import NotAMessage
from toolnote_desktop.proxy.transports.server_log import ServerLog
from toolnote_desktop.proxy.upstream.change_stream import (
    ACKNOWLEDGED,
    SUBSCRIBING,
    ChangeStream,
    without_subscription_id,
)
from toolnote_desktop.proxy.upstream.handshake import (
    HandshakeRefused,
    HandshakeResult,
    loads_lenient,
    perform_handshake,
    probe_modern,
)
from toolnote_desktop.proxy.upstream.list_reader import ALL_LISTS, STALE_LISTS, Listed, ListReader
from toolnote_desktop.proxy.upstream.liveness import ConnectionTimeouts, Liveness

log = logging.getLogger(__name__)

_MAX_SERVER_REQUESTS = 256
_NOISE_SHOWN = 300
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 16.0
"""Seconds between two readings of lists, the first of which changed nothing."""

_PAUSE_PER_ENTRY = 0.001
"""Seconds between two readings of lists for each entry, if the first changed something: several times what it costs."""

_HEADER_MISMATCH = b"-32020"
"""Code of the error for a request whose headers do not fit its body (2026-07-28)."""

_INTERNAL_ERROR = b'{"code":-32603,"message":"Toolnote could not answer this"}'
_BUSY = b'{"code":-32603,"message":"too many requests are waiting for an answer"}'


class ConnectionOwner(Protocol):
    """Owner of a connection, which handles its events."""

    async def lists_changed(self, listed: Listed) -> None:
        """Publish lists that have changed and were read again."""

    def notification(self, method: str, params: bytes | None) -> None:
        """Handle a notification for the clients."""

    async def server_request(self, method: str, params: bytes | None) -> Reply:
        """Respond to a request for a client."""

    def connection_closed(self, problem: Problem) -> None:
        """Handle the unexpected end of the connection."""

    def modern_refused(self, refused: HandshakeRefused) -> None:
        """Handle that a server of the handshake era does not speak the modern one on this connection."""

    def is_needed(self) -> bool:
        """See ``LivenessOwner``."""

    def silence_changed(self, silent: bool, *, busy: bool) -> None:
        """See ``LivenessOwner``."""


class Connection:
    """Connection to a server; the listener of its transport.

    Attributes:
        handshake_result: result of the handshake, set when ``start`` has returned.
        offered: client capabilities sent to the server with our own requests.
        failed_during_probe: it was closed during the probe for the modern era.
        liveness: liveness of the server.
        unreadable: start of the first line that was no message; empty if there was none.
    """

    def __init__(
        self,
        server: str,
        owner: ConnectionOwner,
        server_log: ServerLog,
        timeouts: ConnectionTimeouts,
        offered: Mapping[str, Any] = CAPABILITIES,
    ) -> None:
        self.transport: Transport
        self.handshake_result: HandshakeResult
        self.failed_during_probe = False
        self.unreadable = b""
        self._server = server
        self._owner = owner
        self._log = server_log
        self._timeouts = timeouts
        self.offered = offered
        self._lists: ListReader | None = None
        self._started = False
        self._repaired = False
        self._stale: set[str] = set()
        self._reading_stale = Debouncer(timeouts.quiet, timeouts.max_quiet, self._read_stale_lists)
        self._reading_pause = 0.0  # seconds between two readings of lists
        self._read_at = 0.0
        self._server_requests: dict[bytes, asyncio.Task[None]] = {}
        self._eras: set[Era] = set()
        self._own_requests = 0  # pending requests that do not belong to a client
        self.liveness = Liveness(timeouts, owner, self.busy)
        self._change_stream = ChangeStream(timeouts.reopen_delay, self._listen, self._change_stream_opened)
        self._lists_requested = False
        self._notifications_open = asyncio.Event()
        self._probe_task: asyncio.Future[None] | None = None
        self._change_stream_task: asyncio.Future[None] | None = None
        self._relisting: asyncio.Future[None] | None = None
        self._declared = modern_headers.NOTHING_DECLARED

    # -- lifecycle ----------------------------------------------------------------------------------------------------

    async def start(self, transport: Transport, era: Era | None, *, probe: bool = True) -> Listed:
        """Perform the handshake and return all lists.

        Args:
            era: era to try first; None for the order that suits all servers.
            probe: ask a server of the handshake era whether it also speaks the modern one.

        Raises:
            ToolnoteError: ``server-protocol``.
            TransportClosed: the connection was closed.
        """
        self.transport = transport
        self.handshake_result = await perform_handshake(transport, self._server, era, self.offered)
        self._change_stream_task = watched(self._change_stream.run())
        if self.handshake_result.era is Era.MODERN:
            self._speaks_modern(self.handshake_result)
        elif probe and transport.modern_probe_wait is not None:
            self._probe_task = watched(self._probe_modern())
            await asyncio.sleep(0)  # sent before the lists are requested, it is mostly answered when they are read
        self._lists = lists = ListReader(self._server, self.handshake_result, self._own_request)
        await self._wait_for_notifications(transport, self._change_stream_task)
        self._lists_requested = True
        listed = await self._read(ALL_LISTS, None)  # the whole start has a time limit
        if self._probe_task is not None and transport.modern_probe_wait:
            await asyncio.wait((self._probe_task,), timeout=transport.modern_probe_wait)
            listed = lists.listed()
        self._started = True
        return listed

    async def _wait_for_notifications(self, transport: Transport, change_stream: asyncio.Future[None]) -> None:
        """Wait a moment for the stream of notifications, so that the lists need not be read again once it is open."""
        if not self.handshake_result.announced_lists():
            return
        if self.handshake_result.era is Era.MODERN:
            opened, others = self._notifications_open, [change_stream]
        elif transport.stream_settled is not None:
            opened, others = transport.stream_settled, []
        else:
            return
        waiting: asyncio.Future[Any] = asyncio.ensure_future(opened.wait())
        timeout = self._timeouts.stream_open
        try:
            await asyncio.wait([waiting, *others], timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await cancel_all((waiting,))

    def notifications_opened(self) -> None:
        """See ``TransportListener``. Read all lists again: a change since they were read was announced to no stream."""
        self._notifications_open.set()
        if self._lists_requested and self.handshake_result.announced_lists():
            self._read_all_lists()

    def _change_stream_opened(self) -> None:
        if self.handshake_result.era is Era.MODERN:  # in the handshake era, changes are announced outside of it as well
            self.notifications_opened()

    async def _probe_modern(self) -> None:
        self._own_requests += 1
        self.failed_during_probe = True  # until it responds
        try:
            found = await probe_modern(self.transport, self.offered)
        except TransportClosed:
            return
        except HandshakeRefused as refused:
            self._owner.modern_refused(refused)
        except asyncio.CancelledError:
            self.failed_during_probe = self.transport.closed.is_set()
            raise
        else:
            self._speaks_modern(found)
            await self._publish_other_era(found)
        finally:
            self._own_requests -= 1
        self.failed_during_probe = False

    async def _publish_other_era(self, found: HandshakeResult) -> None:
        if self._lists is not None:
            self._lists.add_era(found)
            if self._started:
                await self._owner.lists_changed(self._lists.listed())

    def _speaks_modern(self, handshake_result: HandshakeResult) -> None:
        self._eras.add(Era.MODERN)
        self._change_stream.start(handshake_result)

    async def watch(self) -> None:
        """Run until the transport is closed, or has to be because the server does not respond any more."""
        life = self.liveness.run(self.transport, self.handshake_result, self._probe_liveness)
        tasks = [watched(work) for work in (self._reading_stale.run(), life)]
        closed = asyncio.ensure_future(self.transport.closed.wait())
        try:
            await asyncio.wait((closed, tasks[1]), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await cancel_all([closed, *tasks])

    async def close(self) -> None:
        """Cancel all tasks of this connection."""
        own = [task for task in (self._probe_task, self._change_stream_task, self._relisting) if task is not None]
        await cancel_all([*own, *self._server_requests.values()])

    # -- requests -----------------------------------------------------------------------------------------------------

    def speaks(self, era: Era) -> bool:
        """Return True if the server accepts requests of this era on this connection."""
        return era is self.handshake_result.era or era in self._eras

    async def request(
        self,
        method: str,
        params: bytes | None,
        *,
        timeout: float | None = None,
        progress_token: str | None = None,
        client_capabilities: Mapping[str, Any] | None = None,
        era: Era | None = None,
    ) -> Reply:
        """Send a request with the metadata of its era. See ``Upstream.request``."""
        if era is None or not self.speaks(era):
            era = self.handshake_result.era
        if era is Era.HANDSHAKE:
            return await self.transport.request(method, params, timeout=timeout, progress_token=progress_token)
        if method in SUBSCRIBING:
            return await self._change_stream.subscribe(method, params)
        whole = jsonrpc.with_meta(params, modern_headers.meta(dict(client_capabilities or {})))

        async def send() -> Reply:
            sent = await _repeated(params or b"{}", self._declared)
            headers = modern_headers.headers(method, sent, self._declared)
            return await self.transport.request(
                method, whole, timeout=timeout, progress_token=progress_token, headers=headers
            )

        reply = await send()
        if method == "tools/call" and _is_header_mismatch(reply):
            # The tool demands other headers than its definition did when it was listed (2026-07-28, Custom Headers).
            await self._relist_for_headers()
            return await send()
        return reply

    async def notify(self, method: str, params: bytes | None, client_capabilities: Mapping[str, Any]) -> None:
        """Send a client's notification with the metadata of the connection's era. See ``Upstream.notify``."""
        if self.handshake_result.era is Era.MODERN:
            params = jsonrpc.with_meta(params, modern_headers.meta(dict(client_capabilities)))
        await self.transport.notify(method, params)

    async def _relist_for_headers(self) -> None:
        """Read the tools anew; calls that wait for this at the same time share one reading."""
        if self._relisting is None:
            self._relisting = watched(self._relist())
            self._relisting.add_done_callback(lambda _: setattr(self, "_relisting", None))
        await asyncio.shield(self._relisting)

    async def _relist(self) -> None:
        await self._owner.lists_changed(await self._read(frozenset({"tools"}), self._timeouts.relist))

    async def _own_request(self, method: str, params: bytes | None, *, timeout: float | None = None) -> Reply:
        self._own_requests += 1
        try:
            return await self.request(method, params, timeout=timeout, client_capabilities=self.offered)
        finally:
            self._own_requests -= 1

    async def _probe_liveness(self, method: str, seconds: float) -> Reply:
        return await self._own_request(method, None, timeout=seconds)

    async def _listen(self, params: bytes) -> Reply:
        self._own_requests += 1
        try:
            return await self.request("subscriptions/listen", params, era=Era.MODERN, client_capabilities=self.offered)
        finally:
            self._own_requests -= 1

    # -- TransportListener --------------------------------------------------------------------------------------------

    def on_notification(self, method: str, params: bytes | None) -> None:
        """See ``TransportListener``."""
        if method in STALE_LISTS:
            self._stale |= STALE_LISTS[method]
            self._reading_stale.trigger()
        elif method == "notifications/cancelled" and (question := self._find_request(params)):
            question.cancel(params)
        elif method == ACKNOWLEDGED:
            self._change_stream.acknowledge(params)
        else:
            self._owner.notification(method, without_subscription_id(params))

    def on_request(self, request_id: bytes, method: str, params: bytes | None) -> None:
        """See ``TransportListener``."""
        if len(self._server_requests) >= _MAX_SERVER_REQUESTS or request_id in self._server_requests:
            self._log.note(f"{method} was not answered: too many of its requests are waiting")
            return
        task = watched(self._answer(request_id, method, params))
        self._server_requests[request_id] = task
        task.add_done_callback(lambda _: self._server_requests.pop(request_id, None))

    def on_closed(self, problem: Problem) -> None:
        """See ``TransportListener``."""
        self._owner.connection_closed(problem)

    def on_invalid_message(self, line: bytes) -> None:
        """See ``TransportListener``."""
        self.unreadable = self.unreadable or line[:_NOISE_SHOWN]
        self._log.quote("not a message", line, _NOISE_SHOWN)

    def on_repaired_message(self, line: bytes) -> None:
        """See ``TransportListener``. The log says it once for each connection."""
        if not self._repaired:
            self._repaired = True
            self._log.quote("not strict JSON or UTF-8, passed on with U+FFFD and escapes", line, _NOISE_SHOWN)

    async def _answer(self, request_id: bytes, method: str, params: bytes | None) -> None:
        try:
            reply = Reply(b"{}") if method == "ping" else await self._owner.server_request(method, params)
        except asyncio.CancelledError:
            raise
        except Exception:  # the boundary to other folders: the server gets a response in any case
            log.exception("a request of server %r could not be answered", self._server)
            reply = Reply(None, _INTERNAL_ERROR)
        try:
            await self.transport.respond(request_id, reply)
        except TransportClosed:
            return

    def _find_request(self, params: bytes | None) -> asyncio.Task[None] | None:
        try:
            return self._server_requests.get(jsonrpc.members(params or b"{}").get("requestId", b""))
        except NotAMessage:
            return None

    # -- lists --------------------------------------------------------------------------------------------------------

    async def _read(self, fields: frozenset[str], seconds: float | None) -> Listed:
        assert self._lists is not None
        listed = await self._lists.read(fields, seconds)
        self._declared = modern_headers.DeclaredHeaders(listed.tools)
        return listed

    async def _read_stale_lists(self) -> None:
        await self._pause_before_reading()
        fields, self._stale = frozenset(self._stale), set()
        assert self._lists is not None
        before = self._lists.listed()
        try:
            listed = await self._read(fields, self._timeouts.relist)
        except TransportClosed:
            return
        finally:
            self._read_at = asyncio.get_running_loop().time()
        if listed == before:
            pause = max(2 * self._reading_pause, _FIRST_PAUSE)
        else:
            pause = sum(len(getattr(listed, name)) for name in fields) * _PAUSE_PER_ENTRY
        self._reading_pause = min(pause, _LONGEST_PAUSE)
        await self._owner.lists_changed(listed)

    async def _pause_before_reading(self) -> None:
        """Wait the longer, the more readings in a row changed nothing: some servers announce a change with each list.

        After a change of long lists the wait is as long as they are, so that a server whose lists always change cannot
        keep the proxy busy. A server that has been quiet for a while is read at once.
        """
        since = asyncio.get_running_loop().time() - self._read_at
        if since > 2 * self._reading_pause:
            self._reading_pause = 0.0
        elif since < self._reading_pause:
            await asyncio.sleep(self._reading_pause - since)

    # -- life ---------------------------------------------------------------------------------------------------------

    def refresh_notifications(self) -> None:
        """Open streams of notifications anew and read all lists: notifications may have been lost meanwhile."""
        reopen_notifications = getattr(self.transport, "reopen_notifications", None)
        if reopen_notifications is not None:
            reopen_notifications()
            self._change_stream.reopen()
            self._read_all_lists()

    def renew_capabilities(self, offered: Mapping[str, Any]) -> None:
        """Read all lists anew as a client with these capabilities."""
        self.offered = offered
        self._read_all_lists()

    def _read_all_lists(self) -> None:
        self._stale |= ALL_LISTS
        self._reading_stale.trigger()

    def busy(self) -> bool:
        """Return True if the server has a request of a client or waits for a client's response."""
        return self.transport.requests_in_flight > self._own_requests or bool(self._server_requests)


async def _repeated(params: bytes, declared: modern_headers.DeclaredHeaders) -> Mapping[str, Any]:
    """Return params, of long ones no more than what headers repeat."""
    if len(params) <= jsonrpc.EXACT_LIMIT and isinstance(read := loads_lenient(params), dict):
        return read
    found = jsonrpc.pick(params, *modern_headers.REPEATED) or {}
    sent = {key: loads_lenient(value) for key, value in found.items() if key != "arguments"}
    named = {path[0] for path in declared.of(str(sent.get("name")))}
    if named and "arguments" in found:
        with contextlib.suppress(ValueError):  # too many values, or too long
            sent["arguments"] = await in_slices(jsonrpc.read_steps(found["arguments"], named.__contains__))
    return sent


def _is_header_mismatch(reply: Reply) -> bool:
    if reply.error is None or _HEADER_MISMATCH not in reply.error:
        return False
    error = loads_lenient(reply.error)
    return isinstance(error, dict) and error.get("code") == int(_HEADER_MISMATCH)
