"""The express path: a plain ``tools/list`` or ``tools/call`` is answered within the reading of its bytes (docs/architecture.md).

It sits where uvicorn's protocol has a whole request: no ASGI cycle, no task, one write. It takes only what is plain in
every respect (a known session of the handshake era, an upstream tool whose server is ready over pipes, no progress
token); everything else goes the usual way, with the same bytes. Host, Origin, token and session are checked by the very
functions of the other paths; a connection whose headers are the same as before, while the tokens are the same, has the
same outcome. Calls stand in the same tables: cancellation, a server's own questions, the idle clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import orjson

from toolnote_desktop.paths import ENDPOINT_PATH
from toolnote_desktop.proxy.endpoint import limits
from toolnote_desktop.proxy.endpoint import response as http_answer
from toolnote_desktop.proxy.endpoint.auth import AccessControl, is_local_request
from toolnote_desktop.proxy.endpoint.fast_path.parser import PlainCall, renamed, usual_call
from toolnote_desktop.proxy.endpoint.fast_path.response import FastPathCall, FastPathResponse
from toolnote_desktop.proxy.endpoint.handler import RequestHandler
from toolnote_desktop.proxy.endpoint.limits import BoundedProtocol
from toolnote_desktop.proxy.endpoint.media_types import takes_both
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import HANDSHAKE_VERSIONS
from toolnote_desktop.proxy.routing.forward import Forwarder
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.store.library import Library

LONGEST_BODY = 1024 * 1024
"""Bytes; a longer request goes the usual way."""

_PATHS = (ENDPOINT_PATH.encode("ascii"), ENDPOINT_PATH.encode("ascii") + b"/")
_LENGTH = b"content-length"


class FastPath:
    """What the connections share."""

    def __init__(
        self,
        library: Library,
        access: AccessControl,
        sdk: ClientSessions,
        direct: RequestHandler,
        forwarder: Forwarder,
        view: Callable[[Principal], ClientView],
        fetched: Callable[[Principal, ClientView], None],
    ) -> None:
        self.library = library
        self.sdk = sdk
        self.direct = direct
        self.forwarder = forwarder
        self.view = view
        self.fetched = fetched
        self._access = access
        self._calls: set[FastPathCall] = set()
        self._beat: asyncio.TimerHandle | None = None

    def enter(self, call: FastPathCall) -> None:
        """A call is on its way: while it takes long, its client hears that somebody is there."""
        self._calls.add(call)
        if self._beat is None:
            self._beat = asyncio.get_running_loop().call_later(http_answer.KEEP_ALIVE / 3, self._keep_alive)

    def leave(self, call: FastPathCall) -> None:
        """It is over."""
        self._calls.discard(call)

    def _keep_alive(self) -> None:
        # One timer for all calls, and none where there is no call: a timer for each costs more than its answer's head.
        self._beat = None
        if self._calls:
            self._beat = asyncio.get_running_loop().call_later(http_answer.KEEP_ALIVE / 3, self._keep_alive)
            for call in list(self._calls):
                call.say_alive()

    def admit(self, headers: list[tuple[bytes, bytes]]) -> Session | None:
        """The session that these headers may use; None: the usual way decides what is to be said."""
        trimmed = {name.lower(): value.strip() for name, value in headers}
        version = trimmed.get(b"mcp-protocol-version", b"").decode("latin-1")
        if len(trimmed) != len(headers) or not is_local_request(trimmed) or not takes_both(trimmed):
            return None
        if b"expect" in trimmed or b"upgrade" in trimmed or (version and version not in HANDSHAKE_VERSIONS):
            return None
        principal = self._access.principal(trimmed, self.library.snapshot.clients)
        if principal is None:
            return None
        return self.sdk.find_session(trimmed.get(b"mcp-session-id"), principal)


class _Admitted:
    """The outcome for the headers that a connection sent last."""

    __slots__ = ("clients", "headers", "session")

    def __init__(self, headers: list[tuple[bytes, bytes]], clients: object, session: Session | None) -> None:
        self.headers = headers
        self.clients = clients
        self.session = session


class FastPathProtocol(BoundedProtocol):
    """One connection of a client."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.express: FastPath = self.config.app.express  # type: ignore[union-attr]
        self._admitted: _Admitted | None = None
        self._held: list[bytes] | None = None
        self._session: Session | None = None
        self._idle_since: float | None = None
        self._head_read = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        self._idle_since = self.loop.time()
        self.timeout_keep_alive_task = self.loop.call_later(limits.FIRST_LOOK, self._look_whether_idle)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over. Where it was reset, uvicorn lets its timer be, and ours would look at it for ever."""
        super().connection_lost(exc)
        if self.timeout_keep_alive_task is not None:
            self.timeout_keep_alive_task.cancel()
            self.timeout_keep_alive_task = None
        if self.cycle is not None and self.cycle.response_complete:
            self.cycle = None  # type: ignore[assignment]  # as before the first request: an answer holds its connection

    def _look_whether_idle(self) -> None:
        # uvicorn makes and cancels a timer for each answer; one that looks again when it was wrong does as well.
        idle = 0.0 if self._idle_since is None else self.loop.time() - self._idle_since
        left, to_read = self.timeout_keep_alive - idle, self.time_to_read()
        if to_read is not None and to_read <= 0:
            self.give_up_reading()
        elif left <= 0:
            self.timeout_keep_alive_handler()
        else:
            wait = left if to_read is None else min(left, to_read)
            self.timeout_keep_alive_task = self.loop.call_later(wait, self._look_whether_idle)

    def _unset_keepalive_if_required(self) -> None:
        """What uvicorn does with each request and answer, and when the connection is lost."""
        if self.transport.is_closing():
            super()._unset_keepalive_if_required()

    def on_message_begin(self) -> None:
        """A request begins; most of what uvicorn prepares is for those that go the usual way."""
        self._idle_since = None
        self._head_read = False
        self.request_begins()
        self.url = b""
        self.headers = []

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, as it was written. Behind the body there are none: what was checked would not be what is used."""
        if not self._head_read:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """A request that may be plain is held until its body is there."""
        self._head_read = True
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self.url in _PATHS and self.parser.get_method() == b"POST" and self.parser.should_keep_alive():
            self._session = self._admit()
            if self._session is not None:
                self._held = []
                return
        self._go_the_usual_way()

    def _go_the_usual_way(self) -> None:
        url, headers = self.url, self.headers
        super().on_message_begin()
        self.url = url
        for name, value in headers:
            super().on_header(name, value)
        super().on_headers_complete()

    def _admit(self) -> Session | None:
        length = 0
        headers = []
        for header in self.headers:
            name = header[0]
            if len(name) == len(_LENGTH) and name.lower() == _LENGTH:
                length = int(header[1])
            else:
                headers.append(header)
        if not 0 < length <= LONGEST_BODY:
            return None
        clients = self.express.library.snapshot.clients
        known = self._admitted
        if known is None or known.headers != headers or known.clients is not clients or not _lives(known.session):
            known = self._admitted = _Admitted(headers, clients, self.express.admit(headers))
        return known.session

    def on_body(self, body: bytes) -> None:
        """Part of a body."""
        self.has_body(body)
        if self._held is None:
            super().on_body(body)
        else:
            self._held.append(body)

    def on_message_complete(self) -> None:
        """The request is whole."""
        self.request_is_whole()
        if self._held is None:
            super().on_message_complete()
            return
        parts, self._held = self._held, None
        body = parts[0] if len(parts) == 1 else b"".join(parts)
        assert self._session is not None
        if not self._take(body, self._session):
            self._go_the_usual_way()
            super().on_body(body)
            super().on_message_complete()

    def _take(self, body: bytes, session: Session) -> bool:
        call = usual_call(body)
        if call is not None:
            return "_meta" not in call.params and self._call(body, call, session)
        try:
            message = orjson.loads(body)
        except orjson.JSONDecodeError:
            return False
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return False
        method, request_id, params = message.get("method"), message.get("id"), message.get("params")
        if not isinstance(request_id, int | str) or isinstance(request_id, bool):
            return False
        if not (params is None or isinstance(params, dict)):
            return False
        if method == "tools/list" and not params:
            return self._list(session, request_id)
        if method == "tools/call" and params is not None and "_meta" not in params:
            return self._call(body, PlainCall(request_id, params), session)
        return False

    def _list(self, session: Session, request_id: int | str) -> bool:
        view = self.express.view(session.principal)
        if not view.listed.is_made:
            return False  # it takes a while, which this path has not
        session.touch()
        self.express.fetched(session.principal, view)
        answer = FastPathResponse(self, session, request_id)
        answer.finish(Reply(b'{"tools":%s}' % view.listed.at_once()))
        return True

    def _call(self, body: bytes, call: PlainCall, session: Session) -> bool:
        name = call.params.get("name")
        tool = self.express.view(session.principal).tools.get(name) if isinstance(name, str) else None
        if tool is None or not tool.plain or not isinstance(name, str):
            return False  # built-in, or with something of the user's to be looked into: the service does that
        server, own_name = tool.known.tool.key
        raw = renamed(call, body, name, own_name)
        return raw is not None and FastPathCall(self, session, call.request_id, server, own_name).start(raw)

    def on_response_complete(self) -> None:
        """An answer is whole: the next request's turn."""
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)
        else:
            self._idle_since = self.loop.time()


def _lives(session: Session | None) -> bool:
    return session is not None and not session.ended
