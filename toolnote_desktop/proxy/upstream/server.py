"""Supervised connection to one server (docs/architecture.md, decision 2): started, watched and restarted.

One task runs the connection. Requests go through ``request``, which never waits for a server that is not ready; waiting
is the caller's choice (``wait_ready``).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from toolnote_desktop.error_messages import english
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import UNEXPECTED, Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.proxy.aio.tasks import cancel_all
from toolnote_desktop.proxy.aio.time_slices import rest_after_copy
from toolnote_desktop.proxy.protocol import CAPABILITIES, Era
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply, Transport, TransportClosed
from toolnote_desktop.proxy.transports.server_log import ServerLog
from toolnote_desktop.proxy.transports.stdio import StdioTransport
from toolnote_desktop.proxy.upstream.connection import Connection
from toolnote_desktop.proxy.upstream.era_choice import EraChoice, other_era, wanted_era
from toolnote_desktop.proxy.upstream.handshake import HandshakeRefused, is_more
from toolnote_desktop.proxy.upstream.list_reader import Listed
from toolnote_desktop.proxy.upstream.retry_policy import (
    LegacySseFallback,
    Timeouts,
    UpstreamListener,
    UpstreamNotReady,
    connection_key,
    downloads_first,
    failure_state,
    ready_status,
    redacted,
    retry_delay,
    silent_problem,
    start_limit,
)
from toolnote_desktop.proxy.upstream.session_state import SessionState

__all__ = ["Listed", "Timeouts", "Upstream", "UpstreamListener", "UpstreamNotReady"]

log = logging.getLogger(__name__)


OpenTransport = Callable[[Server, Connection], Awaitable[Transport]]
"""Open the transport to the server of an entry that is not expanded yet.

Raises:
    ToolnoteError: it cannot be started or reached.
"""


class Upstream:
    """Supervised connection to one server.

    Attributes:
        server: id.
        status: state and its reason.
        eras: eras that the server speaks, and those of its users.
        log: newest lines of its stderr, redacted.
        listed: latest lists in this run; None before the server was ready for the first time.
    """

    def __init__(
        self,
        server: str,
        entry: Server,
        *,
        listener: UpstreamListener,
        open_transport: OpenTransport,
        log: ServerLog,
        timeouts: Timeouts,
        eras: EraChoice,
        offered: Callable[[], Mapping[str, object]] = lambda: CAPABILITIES,
    ) -> None:
        """
        Args:
            offered: returns the client capabilities sent to the server with the next connection.
        """
        self.server = server
        self.eras = eras
        self.log = log
        self._entry = entry
        self._timeouts = timeouts
        self._ready: Connection | None = None
        self._session_state = SessionState()
        self._in_use = False
        self._last_use = asyncio.get_running_loop().time()
        self._used_until = 0.0
        self._was_used = False  # since the connection was opened
        self.listed: Listed | None = None
        self._listener = listener
        self._open_transport = open_transport
        self._offered = offered
        self._connection: Connection | None = None
        self._was_ready = False
        self._sse_fallback = LegacySseFallback()
        self._failures = 0
        self._restart = asyncio.Event()
        self._retry_now = asyncio.Event()
        self._attempting = not entry.disabled
        self._paused = False
        self._began_at = self._failed_at = 0.0
        self._changed: asyncio.Future[None] | None = None
        self._failing_since: float | None = None
        self.status = ServerStatus(ServerState.DISABLED if entry.disabled else self._starting_state())

    # -- requests -----------------------------------------------------------------------------------------------------

    def speaks(self, era: Era) -> bool:
        """Return True if the server accepts requests of this era now."""
        return self._ready is not None and self._ready.speaks(era)

    def can_change_era(self, era: Era) -> bool:
        """Return True if the process may be restarted for clients of this era.

        It must be idle, and clients of the other era must neither have used it nor be subscribed to its resources.
        """
        other = other_era(era)
        used = other in self.eras.used_by or self._session_state.subscribed(other)
        return self._ready is not None and not used and not self._ready.busy()

    def idle_seconds(self) -> float:
        """Return the seconds since the last request; 0 while it starts, works, or has subscriptions."""
        works = self._ready is not None and self._ready.busy()
        starts = self.status.state in (ServerState.STARTING, ServerState.DOWNLOADING)
        if works or starts or any(self._session_state.subscribed(era) for era in Era):
            return 0.0
        return asyncio.get_running_loop().time() - self._last_use

    @property
    def ready(self) -> bool:
        """True if requests reach the server now."""
        return self._ready is not None

    async def wait_ready(self, timeout: float) -> bool:
        """Wait until the server is ready.

        A server between two attempts is tried at once. Returns False after ``timeout`` seconds, or sooner if waiting is
        useless: the server is disabled, it needs the user, or an attempt has just failed.
        """
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout):
                while not self.ready:
                    if self._paused and loop.time() - self._failed_at >= self._timeouts.retry_on_demand_after:
                        self._attempting = True
                        self._retry_now.set()
                    if not self._attempting and self.status.state is not ServerState.RECONNECTING:
                        return False
                    if self._changed is None:
                        self._changed = loop.create_future()
                    await asyncio.shield(self._changed)
        except TimeoutError:
            return False
        return True

    async def request(
        self,
        method: str,
        params: JsonObject | bytes | None,
        *,
        timeout: float | None = None,
        progress_token: str | None = None,
        client_capabilities: Mapping[str, object] | None = None,
        era: Era | None = None,
    ) -> Reply:
        """Send a request and return the response.

        Args:
            params: raw JSON text, which is sent unchanged, or an object.
            timeout: seconds; None for the entry's own ``timeout`` (default: no limit). Progress with
                ``progress_token`` starts them anew.
            progress_token: value of ``params._meta.progressToken``, unique among all calls.
            client_capabilities: capabilities of the client, sent to a server of the modern era. Members of ``_meta``
                that the client sent itself stay unchanged.
            era: era of the request, if the server speaks it; else that of the handshake.

        Raises:
            UpstreamNotReady: nothing was sent.
            TransportClosed: the connection was closed during the request.
            ReplyUnreadable: the response cannot be forwarded.
            TimeoutError: no response in time.
        """
        connection = self._ready
        if connection is None or connection.transport.closed.is_set():
            raise UpstreamNotReady(self.server, self.status)
        self._use(connection)
        raw = jsonrpc.dumps_params(params) if isinstance(params, dict) else params
        await rest_after_copy(len(raw or b""))
        reply = await connection.request(
            method,
            raw,
            timeout=self._entry.timeout if timeout is None else timeout,
            progress_token=progress_token,
            client_capabilities=client_capabilities,
            era=era,
        )
        if reply.error is None:
            self._session_state.record(method, raw, era)
        return reply

    def start_request(
        self, method: str, params: bytes, done: Callable[[Reply | Exception], None]
    ) -> Callable[[bytes | None], None] | None:
        """Send a request without a task, if the server is ready, speaks the handshake era and runs on pipes.

        See ``StdioTransport.start_request``; None if nothing was sent and ``request`` has to be used.
        """
        connection = self._ready
        if (
            connection is None
            or not connection.speaks(Era.HANDSHAKE)
            or not isinstance(connection.transport, StdioTransport)
        ):
            return None
        self._use(connection)
        return connection.transport.start_request(method, params, self._entry.timeout, done)

    async def notify(
        self,
        method: str,
        params: JsonObject | None,
        client_capabilities: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        """Send a client's notification.

        Raises:
            UpstreamNotReady: nothing was sent.
            TransportClosed: the connection is closed.
        """
        connection = self._ready
        if connection is None or connection.transport.closed.is_set():
            raise UpstreamNotReady(self.server, self.status)
        raw = json_text.dumps(params) if params is not None else None
        await connection.notify(method, raw, client_capabilities)

    def _use(self, connection: Connection) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._used_until and not self._in_use:
            connection.liveness.wake()
        self._last_use = now
        self._was_used = True
        self._used_until = now + self._timeouts.connection.active_for

    # -- control ------------------------------------------------------------------------------------------------------

    def update(self, entry: Server) -> None:
        """Apply a changed entry. The connection is opened anew only if the change concerns it."""
        before, self._entry = self._entry, entry
        if connection_key(before) != connection_key(entry):
            self.eras.reset(wanted_era(entry))
            self._was_ready = False
            self._sse_fallback = LegacySseFallback()
            self.restart()

    def set_in_use(self, in_use: bool) -> None:
        """Probe the server more often while a client that has its tools is active or its state is shown."""
        if in_use and not self.is_needed() and self._connection is not None:
            self._connection.liveness.wake()
        self._in_use = in_use

    def renew_capabilities(self) -> None:
        """Offer the server what its clients declare by now, if that is more than before.

        In the modern era the lists are read anew with it. The handshake era has no message for it: the connection is
        opened anew if no client has used it yet; else the next one has it.
        """
        connection = self._ready
        if connection is None or not is_more(offered := self._offered(), connection.offered):
            return
        if connection.handshake_result.era is Era.MODERN:
            connection.renew_capabilities(offered)
        elif not self._was_used and not connection.busy() and not any(map(self._session_state.subscribed, Era)):
            self.log.note("reconnected, for a client that declares more extensions")
            self.restart()

    def recheck(self) -> None:
        """Probe the connection, or try again at once, after the computer has slept."""
        if self._ready is not None:
            self._ready.liveness.wake(at_once=True)
            self._ready.refresh_notifications()
        elif self.status.state is not ServerState.NEEDS_SIGN_IN:
            self._failures = 0
            self._retry_now.set()  # also if the wait for the next attempt has not begun yet

    def add_problem(self, problem: Problem) -> None:
        """Add a problem to a ready server's status until it is connected anew."""
        status = self.status
        if status.state is ServerState.READY and problem not in status.problems:
            self._set(replace(status, problems=(*status.problems, problem)))

    def restart(self) -> None:
        """Close the connection and open it anew without delay."""
        self._failures = 0
        self._ready = None  # requests from now on wait for the next connection
        self._attempting = True
        self._restart.set()

    def change_era(self, era: Era) -> None:
        """Restart the process for clients of the other era; see ``can_change_era``."""
        self.log.note(f"started again in the {era} era, for the clients that speak it")
        self.eras.switch_to(era)
        self.restart()

    async def merge_lists(self, listed: Listed) -> None:
        """Take over lists that changed in another process of this server."""
        if self.listed is not None:
            lists = {name: getattr(listed, name) for name in ("tools", "prompts", "resources", "resource_templates")}
            await self._publish_lists(replace(self.listed, **lists))

    async def merge_eras(self, listed: Listed) -> None:
        """Take over the capabilities that this server has in the era of another process."""
        if self.listed is not None:
            await self._publish_lists(replace(self.listed, by_era={**self.listed.by_era, **listed.by_era}))

    async def run(self) -> None:
        """Run the connection until cancelled; when this returns, the server has been closed completely."""
        while True:
            self._restart.clear()
            if self._entry.disabled:
                self._attempting = False
                self._set(ServerStatus(ServerState.DISABLED))
                await self._restart.wait()
                continue
            self._set(ServerStatus(self._starting_state()))
            attempts = asyncio.get_running_loop().create_task(self._run_attempts(), name=f"connect {self.server}")
            restart = asyncio.ensure_future(self._restart.wait())
            try:
                await asyncio.wait((attempts, restart), return_when=asyncio.FIRST_COMPLETED)
            finally:
                await cancel_all((attempts, restart))
            if not restart.cancelled():
                continue
            await self._restart.wait()  # only a changed entry or the user can help now

    # -- attempts -----------------------------------------------------------------------------------------------------

    async def _run_attempts(self) -> None:
        """Connect again and again until cancelled or until a failure is permanent."""
        loop = asyncio.get_running_loop()
        while True:
            self._attempting = True
            self._retry_now.clear()
            self._wake_waiters()
            self._began_at = loop.time()
            self._was_used = False
            try:
                delay = await self._run_connection()
            except ToolnoteError as error:
                delay = self._record_failure(error.problem)
            except Exception:  # the supervising boundary: a failure concerns one server only
                log.exception("the connection to server %r failed", self.server)
                delay = self._record_failure(
                    Problem(Code.SERVER_PROTOCOL, {"server": self.server, "reason": UNEXPECTED})
                )
            if delay is None:
                self._stop_waiting_callers()
                return
            if delay > 0:
                self._stop_waiting_callers()
                if self._entry.url:
                    self.log.note(f"trying again in {delay:.0f} s")
                await self._pause(delay)

    def _record_failure(self, problem: Problem, *, at_once: bool = False) -> float | None:
        """Record a failure; return the seconds until the next attempt, None for never."""
        self.connection_closed(problem)
        self._failures = self._count_with_this()
        self._failed_at = asyncio.get_running_loop().time()
        log.warning("server %r is not connected (%s): %s", self.server, self.status.state, problem.code)
        if self._entry.url:  # a process writes its own log
            self.log.note(english(problem))
        if at_once and self._failures == 1:
            return 0.0
        return retry_delay(problem, self._failures, self._timeouts)

    def _count_with_this(self) -> int:
        """Return the number of failures in a row, including the present one.

        A connection that served a request counts as a success: a repeated request waits for the next one, however
        often a call is the cause of the failure.
        """
        life = asyncio.get_running_loop().time() - self._began_at
        return 1 if self._was_used or life > self._timeouts.stable_after else self._failures + 1

    async def _pause(self, delay: float) -> None:
        self._paused = True
        self._wake_waiters()
        try:
            async with asyncio.timeout(delay):
                await self._retry_now.wait()
        except TimeoutError:
            return
        finally:
            self._paused = False

    def _stop_waiting_callers(self) -> None:
        self._attempting = False
        self._wake_waiters()

    async def _run_connection(self) -> float | None:
        """Open a connection and run it to its end; return the seconds until the next attempt.

        The failure is reported before the connection is taken down, which may take a while.

        Raises:
            ToolnoteError: it could not be opened.
        """
        connection = Connection(self.server, self, self.log, self._timeouts.connection, self._offered())
        self._connection = connection
        transport = await self._open_transport(self._sse_fallback.entry(self._entry), connection)
        ready = False
        try:
            listed = await self._start(connection, transport)
            await self._publish_lists(listed)
            if transport.closed.is_set():
                raise TransportClosed(transport.problem)
            self._became_ready(connection, transport, listed)
            ready = True
            await self._session_state.restore(connection, self._timeouts.start, self.log)
            await connection.watch()
            silent_problem = self._silent_problem(connection.liveness.silent_seconds)
            at_once = getattr(transport, "session_lost", False) or connection.failed_during_probe
            return self._record_failure(transport.problem or silent_problem, at_once=at_once)
        except TransportClosed as error:
            if not ready:
                self.eras.mark_start_failed()
            problem = self._sse_fallback.failed(error.problem or transport.problem or self._silent_problem())
            return self._record_failure(problem, at_once=connection.failed_during_probe)
        except ToolnoteError as error:
            self.eras.mark_start_failed()
            if getattr(transport, "refused_by_http", False):
                self._sse_fallback.refused(error.problem)
                return 0.0
            return self._record_failure(self._sse_fallback.failed(error.problem))
        finally:
            if connection.failed_during_probe:
                self.eras.disable_probe()
            self._ready = None
            self._connection = None
            try:
                await connection.close()
            finally:
                await transport.close()

    async def _start(self, connection: Connection, transport: Transport) -> Listed:
        """Perform the handshake and read the lists.

        A server that is late is shown as failed and still waited for: restarted over and over, a slow download would
        never finish (case C69).
        """
        starting = asyncio.ensure_future(connection.start(transport, self.eras.preferred, probe=self.eras.probe))
        limit, patience = start_limit(self._entry, self._timeouts, downloads=self._downloads())
        try:
            done, _ = await asyncio.wait((starting,), timeout=limit)
            if not done and patience > 1.0:
                self._attempting = False  # callers need not wait any longer
                self._set(ServerStatus(ServerState.FAILED, self._late_problem(connection, limit)))
                done, _ = await asyncio.wait((starting,), timeout=limit * (patience - 1.0))
            if not done:
                problem = self._late_problem(connection, limit * patience)
                raise ToolnoteError(problem.code, **problem.parameters)
            return starting.result()
        finally:
            await cancel_all((starting,))

    def _became_ready(self, connection: Connection, transport: Transport, listed: Listed) -> None:
        if not self._was_ready:
            self._last_use = asyncio.get_running_loop().time()  # the client that it was started for uses it now
        self._was_ready = True
        self.eras.mark_connected(connection.handshake_result.era)
        self._ready = connection
        self._sse_fallback.worked()
        self._set(ready_status(transport, self.listed or listed))
        self.renew_capabilities()  # of clients that came meanwhile

    # -- ConnectionOwner ----------------------------------------------------------------------------------------------

    async def lists_changed(self, listed: Listed) -> None:
        """See ``ConnectionOwner``."""
        await self._publish_lists(listed)
        if self._connection is not None and self._ready is not None:
            self._set(ready_status(self._connection.transport, self.listed or listed))

    def modern_refused(self, refused: HandshakeRefused) -> None:
        """See ``ConnectionOwner``."""
        if refused.silent:
            self.eras.disable_probe()
        elif refused.elsewhere and self._entry.type == "stdio":
            self.eras.mark_both()

    def notification(self, method: str, params: bytes | None) -> None:
        """See ``ConnectionOwner``."""
        self._listener.notification(self.server, method, params)

    async def server_request(self, method: str, params: bytes | None) -> Reply:
        """See ``ConnectionOwner``."""
        return await self._listener.server_request(self.server, method, params)

    def connection_closed(self, problem: Problem) -> None:
        """See ``ConnectionOwner``. The state is set at once, because taking the connection down may take a while."""
        self._ready = None
        problem_shown = redacted(problem, self.log)
        self._set(ServerStatus(failure_state(problem_shown, self._count_with_this(), self._timeouts), problem_shown))

    def is_needed(self) -> bool:
        """See ``LivenessOwner``."""
        return self._in_use or asyncio.get_running_loop().time() < self._used_until

    def silence_changed(self, silent: bool, *, busy: bool) -> None:
        """See ``LivenessOwner``. A busy server is shown as silent but still receives requests: it may only be working,
        and clients wait in its queue as they would without Toolnote."""
        connection = self._connection
        if connection is None or self.listed is None:
            return
        if silent:
            self._ready = connection if busy else None
            if self.status.state is ServerState.READY:  # reported once
                self._set(
                    ServerStatus(ServerState.RECONNECTING, self._silent_problem(connection.liveness.silent_seconds))
                )
            else:
                self._wake_waiters()
        else:
            self._ready = connection
            self._set(ready_status(connection.transport, self.listed))
            connection.refresh_notifications()

    # -- status -------------------------------------------------------------------------------------------------------

    async def _publish_lists(self, listed: Listed) -> None:
        self.listed = replace(listed, problems=tuple(redacted(problem, self.log) for problem in listed.problems))
        await self._listener.listed(self.server, self.listed)

    def _set(self, status: ServerStatus) -> None:
        if status.problem is not None:
            self._failing_since = self._failing_since or time.time()
            status = replace(status, since=self._failing_since)
        elif status.state in (ServerState.READY, ServerState.DISABLED):
            self._failing_since = None
        if status != self.status:
            self.status = status
            self._listener.status_changed(self.server, status)
        self._wake_waiters()

    def _wake_waiters(self) -> None:
        changed, self._changed = self._changed, None
        if changed is not None:
            changed.set_result(None)

    def _downloads(self) -> bool:
        return downloads_first(self._entry, was_ready=self._was_ready)

    def _starting_state(self) -> ServerState:
        return ServerState.DOWNLOADING if self._downloads() else ServerState.STARTING

    def _late_problem(self, connection: Connection, seconds: float) -> Problem:
        """Return the problem of a server that did not become ready: with what it wrote instead of messages (U05), or
        with the variables that it was started without.
        """
        problem = silent_problem(self.server, seconds, connection.unreadable)
        withheld = getattr(connection.transport, "withheld", ())
        if withheld and problem.code is Code.SERVER_SILENT and not connection.transport.messages_received:
            problem = Problem(problem.code, {**problem.parameters, "withheld": ", ".join(withheld)})
        return redacted(problem, self.log)

    def _silent_problem(self, seconds: float | None = None) -> Problem:
        return silent_problem(self.server, self._timeouts.start if seconds is None else seconds)
