"""One supervised connection to one server (docs/architecture.md): started, watched, started again.

One task owns the connection for its whole life. Whoever else wants something of the server asks through ``request``; a
server that is not ready never keeps anybody waiting who did not choose to wait.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from msgspec.structs import replace

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.proxy.aio.tasks import cancel_all
from toolnote_desktop.proxy.protocol import CAPABILITIES, Era
from toolnote_desktop.proxy.transports.base import Reply, Transport, TransportClosed
from toolnote_desktop.proxy.transports.server_log import ServerLog
from toolnote_desktop.proxy.transports.stdio import StdioTransport
from toolnote_desktop.proxy.upstream.connection import Connection
from toolnote_desktop.proxy.upstream.era_choice import EraChoice, other_era, wanted_era
from toolnote_desktop.proxy.upstream.handshake import HandshakeRefused
from toolnote_desktop.proxy.upstream.list_reader import Listed
from toolnote_desktop.proxy.upstream.restored_state import RestoredState
from toolnote_desktop.proxy.upstream.retry_policy import (
    LegacySseFallback,
    Timeouts,
    UpstreamListener,
    UpstreamNotReady,
    connection_key,
    delay_of,
    downloads_first,
    ready_status,
    redacted,
    silence,
    start_limit,
    state_of,
)

__all__ = ["Listed", "Timeouts", "Upstream", "UpstreamListener", "UpstreamNotReady"]

log = logging.getLogger(__name__)


OpenPeer = Callable[[Server, Connection], Awaitable[Transport]]
"""Starts or reaches the server of an entry (not yet expanded).

Raises:
    ToolnoteError: it cannot be started, and why.
"""


class Upstream:
    """One server's connection.

    Attributes:
        server: its id.
        status: how it is, and why.
        eras: what is known of its eras, and who uses it.
        log: the newest lines of its stderr, redacted.
        listed: what it listed last in this run; None before it was ready for the first time.
    """

    def __init__(
        self,
        server: str,
        entry: Server,
        *,
        listener: UpstreamListener,
        open_peer: OpenPeer,
        log: ServerLog,
        pace: Timeouts,
        eras: EraChoice,
        offered: Mapping[str, object] = CAPABILITIES,
    ) -> None:
        """``offered`` are the client's capabilities that the server is told of."""
        self.server = server
        self.eras = eras
        self.log = log
        self._entry = entry
        self._pace = pace
        self._ready: Connection | None = None
        self._remembered = RestoredState()
        self._attended = False
        self._used_at = asyncio.get_running_loop().time()
        self._used_until = 0.0
        self._was_asked = False  # in this life of the connection
        self.listed: Listed | None = None
        self._listener = listener
        self._open_peer = open_peer
        self._offered = offered
        self._connection: Connection | None = None
        self._was_ready = False
        self._older_way = LegacySseFallback()
        self._failures = 0
        self._anew = asyncio.Event()
        self._hurry = asyncio.Event()
        self._trying = not entry.disabled
        self._paused = False
        self._began_at = self._failed_at = 0.0
        self._changed: asyncio.Future[None] | None = None
        self.status = ServerStatus(ServerState.DISABLED if entry.disabled else self._starting_state())

    # -- what others ask of it ----------------------------------------------------------------------------------------

    def speaks(self, era: Era) -> bool:
        """Whether the server answers requests of this era now."""
        return self._ready is not None and self._ready.speaks(era)

    def is_free_for(self, era: Era) -> bool:
        """Whether the process may be started again for clients of this era: it works on nothing, and nobody of the
        other one has asked it for anything, or wants to hear of something."""
        other = other_era(era)
        used = other in self.eras.users or self._remembered.subscribed(other)
        return self._ready is not None and not used and not self._ready.busy()

    def idle_for(self) -> float:
        """Seconds since somebody asked for something; 0 while it starts, works, or is to tell of something."""
        works = self._ready is not None and self._ready.busy()
        starts = self.status.state in (ServerState.STARTING, ServerState.DOWNLOADING)
        if works or starts or any(self._remembered.subscribed(era) for era in Era):
            return 0.0
        return asyncio.get_running_loop().time() - self._used_at

    @property
    def ready(self) -> bool:
        """Whether requests reach the server now."""
        return self._ready is not None

    async def wait_ready(self, timeout: float) -> bool:
        """Wait until the server is ready.

        A server between two tries is tried at once. False after ``timeout`` seconds, or sooner where waiting is in
        vain: it is disabled, it needs something of the user, a try has just failed.
        """
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout):
                while not self.ready:
                    if self._paused and loop.time() - self._failed_at >= self._pace.hurry_after:
                        self._trying = True
                        self._hurry.set()
                    if not self._trying and self.status.state is not ServerState.RECONNECTING:
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
        """Ask the server.

        Args:
            params: raw JSON text (travels as it is) or an object.
            timeout: seconds; None takes the entry's own ``timeout`` (default: no limit). Progress with
                ``progress_token`` starts them anew.
            progress_token: the value that stands in ``params._meta.progressToken``; choose one that no other call has.
            client_capabilities: what the asking client can do, told to a server of the modern era. Members of ``_meta``
                that the client sent itself stay as they are.
            era: in which to ask, if the server speaks it; else the one that it was introduced in.

        Raises:
            UpstreamNotReady: nothing was sent.
            PeerClosed: the connection ended during the request.
            ReplyUnreadable: the answer cannot be handed on.
            TimeoutError: no answer in time.
        """
        connection = self._ready
        if connection is None or connection.peer.closed.is_set():
            raise UpstreamNotReady(self.server, self.status)
        self._use(connection)
        raw = json_text.dumps(params) if isinstance(params, dict) else params
        reply = await connection.request(
            method,
            raw,
            timeout=self._entry.timeout if timeout is None else timeout,
            progress_token=progress_token,
            client_capabilities=client_capabilities,
            era=era,
        )
        if reply.error is None:
            self._remembered.granted(method, raw, era)
        return reply

    def start(
        self, method: str, params: bytes, done: Callable[[Reply | Exception], None]
    ) -> Callable[[bytes | None], None] | None:
        """Ask without waiting, where that can be done at once: a ready server of the handshake era over pipes.

        See ``StdioTransport.start_request``; None: nothing was sent, use ``request``.
        """
        connection = self._ready
        if (
            connection is None
            or not connection.speaks(Era.HANDSHAKE)
            or not isinstance(connection.peer, StdioTransport)
        ):
            return None
        self._use(connection)
        return connection.peer.start_request(method, params, self._entry.timeout, done)

    async def notify(self, method: str, params: JsonObject | bytes | None) -> None:
        """Tell the server something.

        Raises:
            UpstreamNotReady: nothing was sent.
            PeerClosed: the connection ended.
        """
        connection = self._ready
        if connection is None or connection.peer.closed.is_set():
            raise UpstreamNotReady(self.server, self.status)
        await connection.peer.notify(method, json_text.dumps(params) if isinstance(params, dict) else params)

    def _use(self, connection: Connection) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._used_until and not self._attended:
            connection.liveness.look()
        self._used_at = now
        self._was_asked = True
        self._used_until = now + self._pace.connection.in_use

    # -- what the owner of all servers asks of it ---------------------------------------------------------------------

    def update(self, entry: Server) -> None:
        """What the entry says now. The connection is made anew only if the change concerns it."""
        before, self._entry = self._entry, entry
        if connection_key(before) != connection_key(entry):
            self.eras.forget(wanted_era(entry))
            self._was_ready = False
            self._older_way = LegacySseFallback()
            self.restart()

    def attend(self, attended: bool) -> None:
        """Whether a client that has its tools is at work, or somebody looks at it: then its state is soon true."""
        if attended and not self.is_needed() and self._connection is not None:
            self._connection.liveness.look()
        self._attended = attended

    def look_again(self) -> None:
        """The computer has slept: what was true of connections and of failures before need not be so now."""
        if self._ready is not None:
            self._ready.liveness.look(at_once=True)
            self._ready.read_again()
        elif self.status.state is not ServerState.NEEDS_SIGN_IN:
            self._failures = 0
            self._hurry.set()  # also where the next try is not waited for yet

    def add_problem(self, problem: Problem) -> None:
        """Something of a server that is ready is not as it should be, until it is connected anew."""
        status = self.status
        if status.state is ServerState.READY and problem not in status.problems:
            self._set(replace(status, problems=(*status.problems, problem)))

    def restart(self) -> None:
        """End the connection and make it anew, with no delay."""
        self._failures = 0
        self._ready = None  # what is asked from now on waits for the next one, and is not lost with this one
        self._trying = True
        self._anew.set()

    def change_era(self, era: Era) -> None:
        """End the process and start it again for clients of the other era: see ``is_free_for``."""
        self.log.note(f"started again in the {era} era, for the clients that speak it")
        self.eras.change(era)
        self.restart()

    async def lists_changed_elsewhere(self, listed: Listed) -> None:
        """Another process of this server has changed what it lists."""
        if self.listed is not None:
            lists = {name: getattr(listed, name) for name in ("tools", "prompts", "resources", "resource_templates")}
            await self._publish_lists(replace(self.listed, **lists))

    async def run(self) -> None:
        """Own the connection until cancelled; when this returns, nothing of the server is left."""
        while True:
            self._anew.clear()
            if self._entry.disabled:
                self._trying = False
                self._set(ServerStatus(ServerState.DISABLED))
                await self._anew.wait()
                continue
            self._set(ServerStatus(self._starting_state()))
            tries = asyncio.ensure_future(self._keep_trying())
            anew = asyncio.ensure_future(self._anew.wait())
            try:
                await asyncio.wait((tries, anew), return_when=asyncio.FIRST_COMPLETED)
            finally:
                await cancel_all((tries, anew))
            if not anew.cancelled():
                continue
            await self._anew.wait()  # only another entry, or the user's wish, can help now

    # -- one try after the other --------------------------------------------------------------------------------------

    async def _keep_trying(self) -> None:
        """Until cancelled, or until trying is in vain."""
        loop = asyncio.get_running_loop()
        while True:
            self._trying = True
            self._hurry.clear()
            self._pulse()
            self._began_at = loop.time()
            self._was_asked = False
            try:
                delay = await self._live_once()
            except ToolnoteError as error:
                delay = self._failed(error.problem)
            except Exception as error:  # the supervising boundary: one server's bad luck is nobody else's
                log.exception("the connection to server %r failed", self.server)
                reason = type(error).__name__
                delay = self._failed(Problem(Code.SERVER_PROTOCOL, {"server": self.server, "reason": reason}))
            if delay is None:
                self._stop_trying()
                return
            if delay > 0:
                self._stop_trying()
                await self._pause(delay)

    def _failed(self, problem: Problem, *, at_once: bool = False) -> float | None:
        """Say how it is now; the seconds until the next try, None for never."""
        self.ended(problem)
        self._failures = self._count_with_this()
        self._failed_at = asyncio.get_running_loop().time()
        log.warning("server %r is not connected (%s): %s", self.server, self.status.state, problem.code)
        if at_once and self._failures == 1:
            return 0.0
        return delay_of(problem, self._failures, self._pace)

    def _count_with_this(self) -> int:
        """Failures in a row, the one that is happening now among them.

        A life in which somebody asked for something was one: who asks again waits for the next, however often a call is
        the end of it.
        """
        life = asyncio.get_running_loop().time() - self._began_at
        return 1 if self._was_asked or life > self._pace.good_life else self._failures + 1

    async def _pause(self, delay: float) -> None:
        self._paused = True
        self._pulse()
        try:
            async with asyncio.timeout(delay):
                await self._hurry.wait()
        except TimeoutError:
            return
        finally:
            self._paused = False

    def _stop_trying(self) -> None:
        self._trying = False
        self._pulse()

    async def _live_once(self) -> float | None:
        """One connection from its beginning to its end; the seconds until the next try.

        What went wrong is told before the connection is taken down, which may take a while.

        Raises:
            ToolnoteError: there was nothing to take down.
        """
        connection = Connection(self.server, self, self.log, self._pace.connection, self._offered)
        self._connection = connection
        peer = await self._open_peer(self._older_way.entry(self._entry), connection)
        ready = False
        try:
            listed = await self._start(connection, peer)
            await self._publish_lists(listed)
            if peer.closed.is_set():
                raise TransportClosed(peer.problem)
            self._became_ready(connection, peer, listed)
            ready = True
            await self._remembered.restore(connection, self._pace.start, self.log)
            await connection.live()
            dead = self._silent(connection.liveness.silent_for)
            at_once = getattr(peer, "session_lost", False) or connection.broke_on_look
            return self._failed(peer.problem or dead, at_once=at_once)
        except TransportClosed as error:
            if not ready:
                self.eras.not_started()
            problem = self._older_way.failed(error.problem or peer.problem or self._silent())
            return self._failed(problem, at_once=connection.broke_on_look)
        except ToolnoteError as error:
            self.eras.not_started()
            if getattr(peer, "refused_by_http", False):
                self._older_way.refused(error.problem)
                return 0.0
            return self._failed(self._older_way.failed(error.problem))
        finally:
            if connection.broke_on_look:
                self.eras.never_look_again()
            self._ready = None
            self._connection = None
            try:
                await connection.end()
            finally:
                await peer.close()

    async def _start(self, connection: Connection, peer: Transport) -> Listed:
        """Introduction and lists. A server that is late is shown as such, and still waited for: ended and started over
        and over, a slow download would never finish (case C69)."""
        starting = asyncio.ensure_future(connection.start(peer, self.eras.first, look=self.eras.look))
        limit, patience = start_limit(self._entry, self._pace, downloads=self._downloads())
        try:
            done, _ = await asyncio.wait((starting,), timeout=limit)
            if not done and patience > 1.0:
                self._trying = False  # waiting for it is in vain, by the measure that people have
                self._set(ServerStatus(ServerState.FAILED, self._silent(limit)))
                done, _ = await asyncio.wait((starting,), timeout=limit * (patience - 1.0))
            if not done:
                raise ToolnoteError(Code.SERVER_SILENT, **self._silent(limit * patience).parameters)
            return starting.result()
        finally:
            await cancel_all((starting,))

    def _became_ready(self, connection: Connection, peer: Transport, listed: Listed) -> None:
        if not self._was_ready:
            self._used_at = asyncio.get_running_loop().time()  # whoever it was started for asks now
        self._was_ready = True
        self.eras.introduced(connection.introduction.era)
        self._ready = connection
        self._older_way.worked()
        self._set(ready_status(peer, self.listed or listed))

    # -- what happens on the connection (connection.ConnectionOwner) --------------------------------------------------

    async def relisted(self, listed: Listed) -> None:
        """See ``connection.ConnectionOwner``."""
        await self._publish_lists(listed)
        if self._connection is not None and self._ready is not None:
            self._set(ready_status(self._connection.peer, self.listed or listed))

    def modern_refused(self, refused: HandshakeRefused) -> None:
        """See ``connection.ConnectionOwner``."""
        if refused.silent:
            self.eras.never_look_again()
        elif refused.elsewhere and self._entry.type == "stdio":
            self.eras.found_elsewhere()

    def said(self, method: str, params: bytes | None) -> None:
        """See ``connection.ConnectionOwner``."""
        self._listener.notification(self.server, method, params)

    async def asked(self, method: str, params: bytes | None) -> Reply:
        """See ``connection.ConnectionOwner``."""
        return await self._listener.server_request(self.server, method, params)

    def ended(self, problem: Problem) -> None:
        """See ``connection.ConnectionOwner``. The state is true from this moment on, however long the rest takes."""
        self._ready = None
        told = redacted(problem, self.log)
        self._set(ServerStatus(state_of(told, self._count_with_this(), self._pace), told))

    def is_needed(self) -> bool:
        """See ``liveness.LifeOwner``."""
        return self._attended or asyncio.get_running_loop().time() < self._used_until

    def silent(self, silent: bool, *, busy: bool) -> None:
        """See ``liveness.LifeOwner``. A busy server is told as silent, but is still asked: it may only be working, and
        whoever asks then waits in its queue as without us."""
        connection = self._connection
        if connection is None or self.listed is None:
            return
        if silent:
            self._ready = connection if busy else None
            if self.status.state is ServerState.READY:  # told once, and not with every second that it lasts
                self._set(ServerStatus(ServerState.RECONNECTING, self._silent(connection.liveness.silent_for)))
            else:
                self._pulse()
        else:
            self._ready = connection
            self._set(ready_status(connection.peer, self.listed))
            connection.read_again()

    # -- status -------------------------------------------------------------------------------------------------------

    async def _publish_lists(self, listed: Listed) -> None:
        self.listed = replace(listed, problems=tuple(redacted(problem, self.log) for problem in listed.problems))
        await self._listener.listed(self.server, self.listed)

    def _set(self, status: ServerStatus) -> None:
        if status != self.status:
            self.status = status
            self._listener.status_changed(self.server, status)
        self._pulse()

    def _pulse(self) -> None:
        changed, self._changed = self._changed, None
        if changed is not None:
            changed.set_result(None)

    def _downloads(self) -> bool:
        return downloads_first(self._entry, was_ready=self._was_ready)

    def _starting_state(self) -> ServerState:
        return ServerState.DOWNLOADING if self._downloads() else ServerState.STARTING

    def _silent(self, seconds: float | None = None) -> Problem:
        return silence(self.server, self._pace.start if seconds is None else seconds)
