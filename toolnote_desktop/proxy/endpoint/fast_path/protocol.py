"""Connections of clients, which answer plain requests while reading them (docs/fast-path.md).

All overrides of uvicorn's private methods are in this module, ``limits.py`` and ``web_server.py``;
``tests/proxy/endpoint/test_private_names.py`` fails if one of them changes.
"""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.paths import ENDPOINT_PATH
from toolnote_desktop.proxy.endpoint import limits
from toolnote_desktop.proxy.endpoint.asgi import VERIFY
from toolnote_desktop.proxy.endpoint.fast_path.calls import UNKNOWN, FastPath, FastPathCall
from toolnote_desktop.proxy.endpoint.fast_path.parser import (
    LONG_CALL,
    READ,
    PlainCall,
    parse_long_call,
    parse_usual_call,
    replace_name,
)
from toolnote_desktop.proxy.endpoint.fast_path.response import FastPathResponse
from toolnote_desktop.proxy.endpoint.limits import BoundedProtocol, ClosingTransport
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.turns import CONNECTION_BYTES, LARGE_BODY, REQUEST_BYTES
from toolnote_desktop.proxy.waiting_calls import LimitReached

MAX_BODY = 1024 * 1024
"""Maximum bytes of a body; longer requests do not use the fast path."""

_PATHS = (ENDPOINT_PATH.encode("ascii"), ENDPOINT_PATH.encode("ascii") + b"/")
_LENGTH = b"content-length"
_MOST_DIGITS = 5


class _Admission:
    """Session that ``FastPath.admit`` returned for the headers of a connection's last request.

    Args:
        place: index of the content length in ``headers``, the only one whose value may differ in the next request.
        text: what was read at once, if it begins with the request; its head is known by its bytes then.
    """

    __slots__ = ("_after", "_before", "_clients", "_place", "_text_after", "_text_before", "session")

    def __init__(
        self,
        headers: list[tuple[bytes, bytes]],
        place: int,
        clients: object,
        session: Session,
        text: bytes | None,
    ) -> None:
        self._before, self._place, self._after = headers[:place], place, headers[place + 1 :]
        self._clients = clients
        self.session = session
        self._text_before, self._text_after = (text and _around_length(text, headers, place)) or (b"", b"")

    def body(self, data: bytes, clients: object) -> bytes | None:
        """Return the body of the request that ``data`` is, whole and alone; None unless the session may be used.

        All bytes before the body are those of the request before but the digits of the content length.
        """
        before = self._text_before
        if not before or not data.startswith(before) or self._clients is not clients or self.session.ended:
            return None
        start = len(before)
        end = data.find(b"\r", start, start + _MOST_DIGITS + 1)
        digits = data[start:end]
        if end < 0 or not digits.isdigit() or not data.startswith(self._text_after, end):
            return None
        body = data[end + len(self._text_after) :]
        return body if body and len(body) == int(digits) else None

    def length(self, headers: list[tuple[bytes, bytes]], clients: object) -> bytes | None:
        """Return the content length if the session may be used with these headers, clients and their tokens."""
        place = self._place
        if self._clients is not clients or self.session.ended or len(headers) <= place:
            return None
        name, value = headers[place]
        if headers[:place] != self._before or headers[place + 1 :] != self._after:
            return None
        return value if name == _LENGTH or name.lower() == _LENGTH else None


def _around_length(text: bytes, headers: list[tuple[bytes, bytes]], place: int) -> tuple[bytes, bytes] | None:
    """Return a head's text before and after the value of the content length; None unless its lines are plain."""
    lines = text[: text.find(b"\r\n\r\n")].split(b"\r\n")
    if lines[1:] != [b"%s: %s" % header for header in headers]:
        return None
    before = b"\r\n".join(lines[: place + 1]) + b"\r\n%s: " % headers[place][0]
    return before, b"\r\n".join([b"", *lines[place + 2 :], b"", b""])


class FastPathProtocol(BoundedProtocol):
    """Connection of a client."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._fast_path: FastPath = self.config.app.fast_path  # type: ignore[union-attr]
        self._admission: _Admission | None = None
        self._held: list[bytes] | None = None
        self._held_size = self._counted = 0
        self._session: Session | None = None
        self._idle_since: float | None = None
        self._any_head_read = self._is_dropped = False
        self._running: FastPathCall | RequestResponseCycle | None = None
        self._text: bytes | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the check for idleness."""
        super().connection_made(transport)
        self._fast_path.handler.turns.spend(CONNECTION_BYTES)
        self._idle_since = self.loop.time()
        self.timeout_keep_alive_task = self.loop.call_later(limits.HEAD_SECONDS, self._check_first_head)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the request in flight and stop the check for idleness.

        Uvicorn notifies only the newest request, which may wait behind the one in flight, and leaves its timer alone
        if the connection was reset.
        """
        self._forget_held()
        running, self._running = self._running, None
        if running is not None and running is not self.cycle and not running.response_complete:
            running.disconnected = True
            running.message_event.set()
        super().connection_lost(exc)
        if self.timeout_keep_alive_task is not None:
            self.timeout_keep_alive_task.cancel()
            self.timeout_keep_alive_task = None
        if self.cycle is not None and self.cycle.response_complete:
            self.cycle = None  # type: ignore[assignment]  # a response refers to its connection

    def _check_first_head(self) -> None:
        if self._any_head_read:
            self._check_idle()
        elif self.time_to_read() is not None:
            self.abort_request()
        else:
            self.transport.close()

    def _check_idle(self) -> None:
        # One timer that is set again if the connection was used; uvicorn starts and cancels one for each response.
        idle = 0.0 if self._idle_since is None else self.loop.time() - self._idle_since
        left, to_read = self.timeout_keep_alive - idle, self.time_to_read()
        if to_read is not None and to_read <= 0:
            self.abort_request()
        elif left <= 0:
            self.timeout_keep_alive_handler()
        else:
            wait = left if to_read is None else min(left, to_read)
            self.timeout_keep_alive_task = self.loop.call_later(wait, self._check_idle)

    def _unset_keepalive_if_required(self) -> None:
        """Keep the timer. Uvicorn calls this for each request and response, and when the connection is lost."""
        if self.transport.is_closing():
            super()._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        """Answer a plain request with the head of the one before; parse everything else."""
        if self._admission is None or not self._answer_at_once(data, self._admission):
            self._text = data if not self._reading and len(data) <= limits.HEAD_SLICE else None
            super().data_received(data)

    def _answer_at_once(self, data: bytes, admission: _Admission) -> bool:
        """Answer a request that was read whole; return False if it has to be parsed, which changes nothing here."""
        if self._reading or len(data) > LARGE_BODY or not (self.cycle is None or self.cycle.response_complete):
            return False
        if self.pipeline or self._lingering is not None or self.transport.is_closing():
            return False
        body = admission.body(data, self._fast_path.library.snapshot.clients)
        if body is None:
            return False
        self._idle_since = None
        return self._answer(body, admission.session)

    def on_message_begin(self) -> None:
        """Begin a request, without uvicorn's preparations for an ASGI cycle."""
        self._idle_since = None
        self._is_dropped = False
        self.begin_request()
        self.url = b""
        self.headers = []

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header. Trailers are dropped: they were not there when the headers were checked."""
        if not self._head_read:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Hold a request that may be plain until its body is read."""
        self._head_read = self._any_head_read = True
        text, self._text = self._text, None  # a further request in it has another head
        if len(self.pipeline) >= limits.MAX_PIPELINED_UNVERIFIED and self._is_pipeline_full():
            self.close_for_room()
        if self.transport.is_closing():
            self._is_dropped = True  # the rest of the data that was read with it
            return
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self.url in _PATHS and self.parser.get_method() == b"POST" and self.parser.should_keep_alive():
            self._session = self._admit(text)
            if self._session is not None:
                self._held = []
                return
        self._start_asgi_cycle()

    def _is_pipeline_full(self) -> bool:
        return len(self.pipeline) >= limits.MAX_PIPELINED or self._fast_path.client_of(self.headers) == UNKNOWN

    def _start_asgi_cycle(self) -> None:
        url, headers = self.url, self.headers
        super().on_message_begin()
        self.scope[VERIFY] = self.verify  # type: ignore[literal-required]
        self.url = url
        for name, value in headers:
            super().on_header(name, value)
        super().on_headers_complete()
        if not self.cycle.keep_alive:
            self.cycle.transport = ClosingTransport(self)  # type: ignore[assignment]

    def _admit(self, text: bytes | None) -> Session | None:
        headers, clients = self.headers, self._fast_path.library.snapshot.clients
        if self._admission is not None:
            length = self._admission.length(headers, clients)
            if length is not None:
                return self._admission.session if 0 < int(length) <= MAX_BODY else None
        places = [place for place, (name, _) in enumerate(headers) if name.lower() == _LENGTH]
        if len(places) != 1 or not 0 < int(headers[places[0]][1]) <= MAX_BODY:
            return None
        session = self._fast_path.admit([header for header in headers if header is not headers[places[0]]])
        self._admission = None
        if session is None or not self.verify(session.principal.client):
            return None  # the app answers or refuses it
        self._admission = _Admission(headers, places[0], clients, session, text)
        return session

    def on_body(self, body: bytes) -> None:
        """Hold a part of a body, or pass it to the ASGI cycle."""
        self.add_body(body)
        if self._is_dropped:
            return
        if self._held is not None:
            self._held.append(body)
            self._held_size += len(body)
            if self._held_size > LARGE_BODY:
                if self._count_held():
                    self._pause_until_turn()
                else:
                    self._pass_on_held()  # it is refused as soon as the handler reads it
        else:
            if self.cycle.response_complete:
                self.drop_body(body)
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Answer the request, or pass it to an ASGI cycle."""
        self.end_request()
        if self._is_dropped:
            return
        if self._held is None:
            super().on_message_complete()
            return
        self._forget_held()
        self.flow.resume_reading()  # the end of the connection is seen while it is read
        parts, self._held = self._held, None
        body = parts[0] if len(parts) == 1 else b"".join(parts)
        assert self._session is not None
        long = parse_long_call(body) if len(body) > LONG_CALL else None
        is_answered = self._answer(body, self._session) if long is None else self._call_long(body, long, self._session)
        if not is_answered:
            self._start_asgi_cycle()
            if long is not None:
                self.scope[READ] = long  # type: ignore[typeddict-unknown-key]
            super().on_body(body)
            super().on_message_complete()

    def _count_held(self) -> bool:
        """Count the held part of a body; return False if the client's bodies are too many."""
        assert self._session is not None
        size = self._held_size - self._counted
        if not self._fast_path.handler.incoming.add(self._session.principal, size):
            return False
        self._counted += size
        return True

    def _pause_until_turn(self) -> None:
        assert self._session is not None
        if not self.flow.read_paused:
            self.flow.pause_reading()
            self._fast_path.handler.turns.read(self._session.principal.client, self.continue_reading)

    def continue_reading(self) -> None:
        """Read the next part of a large body."""
        if self._held is not None and not self.transport.is_closing():
            self.flow.resume_reading()

    def _forget_held(self) -> None:
        if self._counted and self._session is not None:
            self._fast_path.handler.incoming.remove(self._session.principal, self._counted)
        self._held_size = self._counted = 0

    def _pass_on_held(self) -> None:
        parts, self._held = self._held or [], None
        self._forget_held()
        self._start_asgi_cycle()
        super().on_body(b"".join(parts))

    def _answer(self, body: bytes, session: Session) -> bool:
        """Answer a request, but a long call; return False if it is not plain."""
        call = parse_usual_call(body)
        if call is not None:
            return "_meta" not in call.params and self._call_tool(body, call, session)
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
            return self._list_tools(session, request_id)
        if method == "tools/call" and params is not None and "_meta" not in params:
            return self._call_tool(body, PlainCall(request_id, params), session)
        return False

    def _list_tools(self, session: Session, request_id: int | str) -> bool:
        view = self._fast_path.view(session.principal)
        if not view.listed.is_made:
            return False  # it is made in time slices, which need a task
        session.touch()
        self._fast_path.fetched(session.principal, view, session)
        response = FastPathResponse(self, session, request_id)
        response.finish_large(b'{"tools":', view.listed.at_once(), b"}")
        return True

    def _call_long(self, body: bytes, long: JsonObject, session: Session) -> bool:
        request_id, params = long["id"], long["params"]
        if not isinstance(request_id, int | str) or isinstance(request_id, bool) or "_meta" in params:
            return False
        return self._call_tool(body, PlainCall(request_id, params), session)

    def _call_tool(self, body: bytes, call: PlainCall, session: Session) -> bool:
        name = call.params.get("name")
        tool = self._fast_path.view(session.principal).tools.get(name) if isinstance(name, str) else None
        if tool is None or tool.plain_key is None or not isinstance(name, str):
            return False  # built in, or with settings of the user that RequestService applies
        server, own_name = tool.plain_key
        raw = replace_name(call, body, name, own_name)
        if raw is None:
            return False
        running = FastPathCall(self._fast_path, self, session, call.request_id, server, own_name)
        try:
            if not running.start(raw):
                return False
        except LimitReached as error:
            running.refuse(error)
            return True
        self._running = running
        return True

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Start the task that answers a request, when it is its client's turn."""
        self._running = cycle
        start = super()._start_asgi_task
        client = self._fast_path.client_of(cycle.scope["headers"])
        self._fast_path.handler.turns.begin(client, REQUEST_BYTES, lambda: start(cycle, app))

    def on_response_complete(self) -> None:
        """Continue with the next pipelined request."""
        self._running = None
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)
        else:
            self._idle_since = self.loop.time()
