"""Forwarding of a client's request to a server and of its raw response (docs/architecture.md, decision 1)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from toolnote_desktop.model.calls.outcome import Outcome
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.proxy import elicitation_addresses
from toolnote_desktop.proxy.in_flight import (
    Caller,
    CallInFlight,
    CallsInFlight,
    ConnectionKey,
    current_call,
    error_reply,
)
from toolnote_desktop.proxy.page_offers import opens_pages, with_pages
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import INTERNAL_ERROR, Era
from toolnote_desktop.proxy.routing import era_bridge
from toolnote_desktop.proxy.routing.call_records import Arguments, CallRecorder
from toolnote_desktop.proxy.routing.era_bridge import Identity, SuspendedCalls
from toolnote_desktop.proxy.routing.errors import (
    FAILURES,
    failed_call,
    failed_request,
    not_ready,
    outcome_of,
    tool_error,
)
from toolnote_desktop.proxy.routing.log_levels import LEVEL_KEY, LogLevels, is_level
from toolnote_desktop.proxy.routing.served_lists import ClientView, is_waitable
from toolnote_desktop.proxy.transports import modern_headers
from toolnote_desktop.proxy.transports.base import Reply, TransportClosed
from toolnote_desktop.proxy.upstream.server import Upstream, UpstreamNotReady
from toolnote_desktop.proxy.waiting_calls import Admission, WaitingCalls

log = logging.getLogger(__name__)

SERVER_TIMEOUT = 30.0
"""Seconds that a call waits for a server that is starting or coming back (docs/contract.md 5)."""

_OF_THE_MODERN_ERA = (
    modern_headers.VERSION_KEY,
    modern_headers.CLIENT_INFO_KEY,
    modern_headers.CLIENT_CAPABILITIES_KEY,
    LEVEL_KEY,
)
"""Members of ``_meta`` that belong to the modern era only."""


class Connect(Protocol):
    """Type of ``ClientConnections.connect``."""

    def __call__(self, server: str, caller: Caller, *, will_send: bool = True) -> tuple[ConnectionKey, Upstream | None]:
        """Return the connection over which a caller's requests reach a server; None for an unknown server."""


class Forwarder:
    """Forwarder of requests to servers.

    Args:
        recorder: records the end of each tool call.
        timeout_of: a server's own time limit for a call, in seconds.
        replied: called with a server's reply to a tool call.
        started: set once connections to servers exist; a call waits for it.
    """

    def __init__(
        self,
        connect: Connect,
        recorder: CallRecorder,
        timeout_of: Callable[[str], float | None],
        replied: Callable[[Principal, str, Reply], None],
        levels: LogLevels,
        calls: CallsInFlight,
        waiting: WaitingCalls,
        started: asyncio.Event,
        *,
        wait: float = SERVER_TIMEOUT,
    ) -> None:
        self._connect = connect
        self._recorder = recorder
        self._timeout_of = timeout_of
        self._replied = replied
        self._log_levels = levels
        self._wait = wait
        self._suspended_calls = SuspendedCalls()
        self._waiting = waiting
        self._started = started
        self.calls = calls

    async def close(self) -> None:
        """Cancel suspended calls, whose clients may never return."""
        await self._suspended_calls.close()

    async def call_tool(self, server: str, tool: str, params: JsonObject, caller: Caller) -> Reply:
        """Forward ``tools/call``. A failure becomes a tool result with ``isError`` that names the server."""
        started = time.monotonic()
        reply: Reply | None = None
        failure: Exception | None = None
        try:
            try:
                reply = await self._admit_and_send(server, "tools/call", {**params, "name": tool}, caller)
            except FAILURES as error:
                failure = error
                reply = self.failed_call(server, tool, error)
            return era_bridge.for_modern("tools/call", reply) if caller.modern else reply
        finally:
            self.record_call(caller, server, tool, started, reply, params, failure)

    def failed_call(self, server: str, tool: str, error: Exception) -> Reply:
        """Return the reply to a call that its server could not answer."""
        return failed_call(server, tool, error, self._timeout_of(server))

    def record_call(
        self,
        caller: Caller,
        server: str,
        tool: str,
        started: float,
        reply: Reply | None,
        params: Arguments,
        failure: Exception | None = None,
    ) -> None:
        """Record the end of a call; ``started`` is from ``time.monotonic``. A cancelled call has no reply.

        Args:
            params: as sent to the server.
            failure: reason for which the server did not answer.
        """
        if reply is not None and era_bridge.input_required(reply) is not None:
            return  # the call goes on
        if reply is None:
            outcome = Outcome.CANCELLED
        else:
            self._replied(caller.principal, server, reply)
            if reply.error is not None:
                self.calls.record_elicitations(server, caller.conversation, reply.error)
                if self.calls.pages is not None:
                    self.calls.pages.show_demanded(server, caller, reply.error)
            self.calls.record_task(server, caller.conversation, reply.result)
            failed = reply.error is not None or _is_error(reply.result)
            outcome = Outcome.FAILED if failed else Outcome.WORKED
        reason = None
        if failure is not None:
            outcome, reason = outcome_of(failure)
        seconds = time.monotonic() - started
        self._recorder.call_ended(caller, (server, tool), seconds, outcome, params=params, reply=reply, reason=reason)

    def record_found(self, caller: Caller, view: ClientView, tools: Iterable[ToolKey]) -> None:
        """Record that a client has read the definitions of these tools in the answer to a search."""
        self._recorder.tools_found(caller, view, tools)

    def record_refused(self, caller: Caller, server: str, tool: str, reason: str, reply: Reply | None = None) -> None:
        """Record a call that the user's rules did not let through; ``reason`` is a code."""
        self._recorder.call_ended(caller, (server, tool), 0.0, Outcome.REFUSED, reason=reason, reply=reply)

    def start_call(
        self, server: str, params: bytes, caller: Caller, done: Callable[[Reply | Exception], None]
    ) -> Callable[[bytes | None], None] | None:
        """Forward ``tools/call`` without a task, if that is possible at once (see ``Upstream.start_request``).

        The call is in the table of calls in flight like any other. Returns a function that cancels it.

        Raises:
            LimitReached: too much is waiting; nothing was sent.
        """
        connection, upstream = self._connect(server, caller)
        if upstream is None:
            return None
        admission = self._waiting.admit(caller.principal, server, caller.size)
        call = CallInFlight(connection, self.calls.new_token(), None, caller, caller.request)

        def finished(outcome: Reply | Exception) -> None:
            self.calls.remove(call)
            admission.release()
            if isinstance(outcome, Reply) and outcome.error is not None:
                outcome = elicitation_addresses.checked(outcome)
            done(outcome)

        cancel = upstream.start_request("tools/call", params, finished)
        if cancel is None:
            admission.release()
            return None
        self.calls.add(call)

        def cancelled(cause: bytes | None) -> None:
            self.calls.remove(call)
            admission.release()
            cancel(cause)

        return cancelled

    async def request(self, server: str, method: str, params: JsonObject, caller: Caller) -> Reply:
        """Forward any other request. A failure becomes a JSON-RPC error that names the server."""
        try:
            return await self._admit_and_send(server, method, params, caller)
        except FAILURES as error:
            return failed_request(server, error, self._timeout_of(server))

    async def notify(self, server: str, method: str, params: JsonObject, caller: Caller) -> None:
        """Forward a client's notification of an extension, once the server is ready; else it is dropped."""
        try:
            _, upstream = await self._ready(server, caller, will_send=False)
            if caller.modern and not upstream.speaks(Era.MODERN):
                params = _without_the_modern_era(params)
            await upstream.notify(method, params or None, caller.capabilities)
        except (UpstreamNotReady, TransportClosed):
            log.info("%s was dropped: server %r is not connected", method, server)

    async def _admit_and_send(self, server: str, method: str, params: JsonObject, caller: Caller) -> Reply:
        """Send a request, unless too much is waiting.

        Raises:
            LimitReached: nothing was sent.
        """
        admission = self._waiting.admit(caller.principal, server, caller.size)
        try:
            return await self._send(server, method, params, caller, admission)
        finally:
            admission.release()

    async def _send(self, server: str, method: str, params: JsonObject, caller: Caller, admission: Admission) -> Reply:
        """Send a request; repeat it once if the server certainly did not process it (``TransportClosed.retry``)."""
        identity = Identity(caller.principal, server, method, params.get("name") or params.get("uri"))
        if caller.modern and era_bridge.is_our_state(params):
            return era_bridge.for_modern(method, await self._suspended_calls.resume(params, caller, identity))
        try:
            return await self._dispatch(server, method, params, caller, identity, admission)
        except TransportClosed as error:
            if not error.retry:
                raise
            return await self._dispatch(server, method, params, caller, identity, admission)

    async def _dispatch(
        self, server: str, method: str, params: JsonObject, caller: Caller, identity: Identity, admission: Admission
    ) -> Reply:
        connection, upstream = await self._ready(server, caller)
        own, other = (Era.MODERN, Era.HANDSHAKE) if caller.modern else (Era.HANDSHAKE, Era.MODERN)
        if upstream.speaks(own):
            return await self._exchange(connection, upstream, own, method, params, caller)
        if not caller.modern:
            params = self._log_levels.with_log_level(params, connection, caller.log_level)
            exchange = partial(self._exchange, connection, upstream, other, method, caller=caller)
            return await era_bridge.answer_inputs(exchange, params, caller)
        if is_level(caller.log_level) and caller.log_level is not None:
            await self._log_levels.prepare(connection, upstream, caller.log_level)
        call = self._new_call(connection, params, caller)
        work = self._send_call(call, upstream, other, method, _without_the_modern_era(params))
        return era_bridge.for_modern(method, await self._suspended_calls.begin(call, identity, work, admission))

    async def _exchange(
        self, connection: ConnectionKey, upstream: Upstream, era: Era, method: str, params: JsonObject, caller: Caller
    ) -> Reply:
        return await self._send_call(self._new_call(connection, params, caller), upstream, era, method, params)

    def _new_call(self, connection: ConnectionKey, params: JsonObject, caller: Caller) -> CallInFlight:
        meta = params.get("_meta")
        client_token = meta.get("progressToken") if isinstance(meta, dict) else None
        request_client = None if caller.modern else caller.request
        return CallInFlight(connection, self.calls.new_token(), client_token, caller, request_client)

    async def _send_call(
        self, call: CallInFlight, upstream: Upstream, era: Era, method: str, params: JsonObject
    ) -> Reply:
        assert call.caller is not None
        token = None
        if call.client_token is not None:
            token = call.token
            params = {**params, "_meta": {**params["_meta"], "progressToken": token}}
        self.calls.add(call)
        before = current_call.set(call)
        try:
            server = call.connection.server
            reply = await self._send_with_pages(call.caller, server, upstream, era, method, params, token)
            if era is Era.MODERN:  # an interim result may demand elicitations
                self.calls.record_elicitations(call.connection.server, call.conversation, reply.result)
            return reply
        finally:
            current_call.reset(before)
            self.calls.remove(call)

    async def _send_with_pages(
        self,
        caller: Caller,
        server: str,
        upstream: Upstream,
        era: Era,
        method: str,
        params: JsonObject,
        token: str | None,
    ) -> Reply:
        """Send a request; pages that interim results ask for, and that the client cannot show, go to the window."""
        capabilities, pages = caller.capabilities, self.calls.pages
        if era is not Era.MODERN or opens_pages(capabilities):
            pages = None
        if pages is not None:
            capabilities = with_pages(capabilities)
        answered: set[str] = set()
        for _ in range(era_bridge.MAX_ROUNDS):
            reply = await upstream.request(
                method, params, progress_token=token, client_capabilities=capabilities, era=era
            )
            if era is Era.MODERN or reply.error is not None:
                reply = elicitation_addresses.checked(reply)
            needed = era_bridge.input_required(reply) if pages is not None else None
            if needed is None or pages is None:
                return reply
            requests = era_bridge.members_of(needed.get("inputRequests", b"{}"))
            self.calls.record_elicitations(server, pages, reply.result)
            new = {key: raw for key, raw in requests.items() if key not in answered}
            answers = await pages.answers(server, caller, new)
            if not answers:  # what is left is for the client
                return reply
            answered.update(answers)
            params = era_bridge.with_answers(params, answers, needed)
        return error_reply(INTERNAL_ERROR, f"The server asked {era_bridge.MAX_ROUNDS} times and gave no result")

    async def wait_until_ready(self, server: str, caller: Caller) -> Reply | None:
        """Wait for a server; return None once it is ready, else the reply to a tool call (docs/contract.md 5)."""
        try:
            await self._ready(server, caller, will_send=False)
        except UpstreamNotReady as error:
            reply = tool_error(not_ready(server, error.status))
            return era_bridge.for_modern("tools/call", reply) if caller.modern else reply
        return None

    async def _ready(self, server: str, caller: Caller, *, will_send: bool = True) -> tuple[ConnectionKey, Upstream]:
        """Return the connection to a ready server, after waiting for it if that helps.

        Raises:
            UpstreamNotReady: it did not become ready.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._wait
        waited = False
        while True:
            connection, upstream = self._connect(server, caller, will_send=will_send)
            if upstream is None and not self._started.is_set():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout_at(deadline):
                        await self._started.wait()
                connection, upstream = self._connect(server, caller, will_send=will_send)
            if upstream is None:
                raise UpstreamNotReady(server, ServerStatus(ServerState.DISABLED))
            if upstream.ready:
                break
            state = upstream.status.state
            may_come = is_waitable(state) or state is ServerState.READY  # READY: it has just stopped being ready
            if may_come and await upstream.wait_ready(deadline - loop.time()):
                waited = True
            elif self._connect(server, caller, will_send=will_send)[1] is upstream:
                raise UpstreamNotReady(server, upstream.status)  # and no other connection has taken its place
        if waited and not caller.modern:
            await self._log_levels.apply_to_new_connection(connection, upstream)
        return connection, upstream


def _without_the_modern_era(params: JsonObject) -> JsonObject:
    """Return params without the members of the modern era."""
    kept = {key: value for key, value in params.items() if key not in ("inputResponses", "requestState")}
    meta = kept.get("_meta")
    if isinstance(meta, dict):
        kept["_meta"] = {key: value for key, value in meta.items() if key not in _OF_THE_MODERN_ERA}
        if not kept["_meta"]:
            del kept["_meta"]
    return kept


def _is_error(result: bytes | None) -> bool:
    # Without decoding megabytes: servers write this member near one of the ends. ``find`` here, as in all work on each
    # call: ``in`` takes bytes for a number first, and the error that this raises takes longer than the search.
    if result is None:
        return False
    ends = result if len(result) <= 512 else result[:256] + b" " + result[-256:]
    return ends.find(b'"isError":true') >= 0 or ends.find(b'"isError": true') >= 0
