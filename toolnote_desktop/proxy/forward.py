"""One request from a client to a server and back, raw (DESIGN 1).

Every call in flight stands in one table: what its progress is told to, and whom a server's own question belongs to.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from toolnote_desktop.model import jsontext
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.proxy.exposure import is_waitable
from toolnote_desktop.proxy.peer import PeerClosed, Reply, ReplyUnreadable
from toolnote_desktop.proxy.upstream import Upstream, UpstreamNotReady
from toolnote_desktop.wording import english

WAIT_FOR_SERVER = 30.0
"""Seconds that a call waits for a server that is starting or coming back (CONTRACT 5)."""

METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603

_CAPABILITY_OF = {
    "sampling/createMessage": "sampling",
    "elicitation/create": "elicitation",
    "roots/list": "roots",
}

logger = logging.getLogger(__name__)


class Caller(Protocol):
    """The client that a request came from, as far as its server may talk to it during the call."""

    client: str | None
    capabilities: JsonObject
    can_be_asked: bool

    async def notify(self, method: str, params: JsonObject) -> None:
        """Tell the client something within this call."""

    async def ask(self, method: str, params: JsonObject) -> Reply:
        """Ask the client something within this call."""


@dataclass(eq=False, slots=True)
class CallInFlight:
    """One request on its way: ``token`` is our own progress token, ``client_token`` the client's."""

    server: str
    caller: Caller
    token: str
    client_token: Any
    progress: asyncio.Queue[JsonObject | None] | None


CallFinishedListener = Callable[[str | None, str, str, float, bool], None]
"""(client, server, tool, seconds, error)."""


class Forwarder:
    """Sends requests up and routes what servers say meanwhile."""

    def __init__(
        self,
        upstream: Callable[[str], Upstream | None],
        finished: CallFinishedListener,
        timeout_of: Callable[[str], float | None],
        *,
        wait: float = WAIT_FOR_SERVER,
    ) -> None:
        self._upstream = upstream
        self._finished = finished
        self._timeout_of = timeout_of
        self._wait = wait
        self._tokens = itertools.count(1)
        self._calls: dict[str, CallInFlight] = {}

    async def call_tool(self, server: str, tool: str, params: JsonObject, caller: Caller) -> Reply:
        """``tools/call``. What goes wrong on the way is a tool result with ``isError`` that names the server."""
        started = time.monotonic()
        reply: Reply | None = None
        try:
            try:
                reply = await self._send(server, "tools/call", {**params, "name": tool}, caller)
            except (UpstreamNotReady, PeerClosed, ReplyUnreadable, TimeoutError) as error:
                reply = self.failed_call(server, tool, error)
            return reply
        finally:
            self.call_ended(caller, server, tool, started, reply)

    def failed_call(self, server: str, tool: str, error: Exception) -> Reply:
        """What a client is told of a call that its server could not answer."""
        match error:
            case UpstreamNotReady():
                return tool_error(not_ready(server, error.status))
            case PeerClosed():
                return tool_error(_text(Code.CALL_INTERRUPTED, server=server, tool=tool))
            case ReplyUnreadable():
                return tool_error(_text(Code.SERVER_PROTOCOL, server=server, reason=str(error)))
            case TimeoutError():
                seconds = str(self._timeout_of(server) or "?")
                return tool_error(_text(Code.CALL_TIMED_OUT, server=server, tool=tool, seconds=seconds))
            case _:
                raise error

    def call_ended(self, caller: Caller, server: str, tool: str, started: float, reply: Reply | None) -> None:
        """A call is over; ``started`` is of ``time.monotonic``. One that its client gave up has no reply."""
        # Given up is neither a success nor the server's fault.
        failed = reply is not None and (reply.error is not None or _is_error(reply.result))
        self._finished(caller.client, server, tool, time.monotonic() - started, failed)

    def start_call(
        self, server: str, params: bytes, caller: Caller, done: Callable[[Reply | Exception], None]
    ) -> Callable[[], None] | None:
        """``tools/call`` without waiting, where that can be done at once (see ``Upstream.start``).

        The call stands in the table of calls in flight like every other. Gives what cancels it.
        """
        upstream = self._upstream(server)
        if upstream is None:
            return None
        token = f"toolnote-{next(self._tokens)}"

        def finished(outcome: Reply | Exception) -> None:
            del self._calls[token]
            done(outcome)

        cancel = upstream.start("tools/call", params, finished)
        if cancel is None:
            return None
        self._calls[token] = CallInFlight(server, caller, token, None, None)

        def cancelled() -> None:
            del self._calls[token]
            cancel()

        return cancelled

    async def request(self, server: str, method: str, params: JsonObject, caller: Caller) -> Reply:
        """Any other request. What goes wrong on the way is a JSON-RPC error that names the server."""
        try:
            return await self._send(server, method, params, caller)
        except UpstreamNotReady as error:
            return _error(INTERNAL_ERROR, not_ready(server, error.status))
        except PeerClosed as error:
            problem = error.problem or Problem(Code.SERVER_NOT_READY, {"server": server, "state": "reconnecting"})
            return _error(INTERNAL_ERROR, english(problem))
        except ReplyUnreadable as error:
            return _error(INTERNAL_ERROR, _text(Code.SERVER_PROTOCOL, server=server, reason=str(error)))
        except TimeoutError:
            seconds = str(self._timeout_of(server) or "?")
            return _error(INTERNAL_ERROR, _text(Code.SERVER_SILENT, server=server, seconds=seconds))

    async def _send(self, server: str, method: str, params: JsonObject, caller: Caller) -> Reply:
        upstream = await self._ready(server)
        token = f"toolnote-{next(self._tokens)}"
        params, client_token = _with_token(params, token)
        progress = asyncio.Queue[JsonObject | None]() if client_token is not None else None
        call = CallInFlight(server, caller, token, client_token, progress)
        self._calls[token] = call
        relay = asyncio.create_task(_relay_progress(call)) if progress is not None else None
        try:
            return await upstream.request(
                method,
                params,
                progress_token=token if client_token is not None else None,
                client_capabilities=caller.capabilities,
            )
        finally:
            del self._calls[token]
            if relay is not None and progress is not None:
                progress.put_nowait(None)  # what came before the result goes out before it
                await relay

    async def _ready(self, server: str) -> Upstream:
        upstream = self._upstream(server)
        if upstream is None:
            raise UpstreamNotReady(server, ServerStatus(ServerState.DISABLED))
        if upstream.status.state is not ServerState.READY and is_waitable(upstream.status.state):
            await upstream.wait_ready(self._wait)
        if upstream.status.state is not ServerState.READY:
            raise UpstreamNotReady(server, upstream.status)
        return upstream

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        """Something a server said by itself: progress goes to the one call it belongs to, log lines to their caller."""
        if method == "notifications/progress":
            message = jsontext.loads(params or b"{}")
            call = self._calls.get(str(message.get("progressToken"))) if isinstance(message, dict) else None
            if call is not None and call.progress is not None:
                call.progress.put_nowait({**message, "progressToken": call.client_token})

    def sole_call(self, server: str) -> CallInFlight | None:
        """The one call that a server's own question can belong to; None where it is not certain (CONTRACT 5)."""
        calls = [call for call in self._calls.values() if call.server == server]
        return calls[0] if len(calls) == 1 else None

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        """A server asks for sampling, input or roots: the very client whose call caused it answers, or nobody."""
        call = self.sole_call(server)
        capability = _CAPABILITY_OF.get(method)
        if call is None or capability is None or not call.caller.can_be_asked:
            return _error(METHOD_NOT_FOUND, f"{method}: no client's call can be asked")
        if capability not in call.caller.capabilities:
            return _error(METHOD_NOT_FOUND, f"{method}: this client cannot answer it")
        return await call.caller.ask(method, jsontext.loads(params or b"{}"))


async def _relay_progress(call: CallInFlight) -> None:
    assert call.progress is not None
    while (message := await call.progress.get()) is not None:
        await call.caller.notify("notifications/progress", message)


def _is_error(result: bytes | None) -> bool:
    # Looked at without decoding a result of megabytes: the member stands at either end of what servers write.
    ends = (result or b"")[:256] + b" " + (result or b"")[-256:]
    return b'"isError":true' in ends or b'"isError": true' in ends


def _with_token(params: JsonObject, token: str) -> tuple[JsonObject, Any]:
    """Clients' progress tokens collide (1, 2, 3): ours goes up in place of the client's."""
    meta = params.get("_meta")
    if not isinstance(meta, dict) or "progressToken" not in meta:
        return params, None
    return {**params, "_meta": {**meta, "progressToken": token}}, meta["progressToken"]


def not_ready(server: str, status: ServerStatus) -> str:
    """Why a server could not be asked: its name, its state, and the reason for it."""
    text = english(Problem(Code.SERVER_NOT_READY, {"server": server, "state": str(status.state)}))
    return f"{text}: {english(status.problem)}" if status.problem is not None else text


def tool_error(text: str) -> Reply:
    """A tool result with ``isError`` that an assistant can read out."""
    return Reply(jsontext.dumps({"content": [{"type": "text", "text": text}], "isError": True}))


def _error(code: int, message: str) -> Reply:
    return Reply(None, jsontext.dumps({"code": code, "message": message}))


def _text(code: Code, **parameters: str) -> str:
    return english(Problem(code, parameters))
