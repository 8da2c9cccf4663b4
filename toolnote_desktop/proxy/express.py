"""The express path: a plain ``tools/list`` or ``tools/call`` is answered within the reading of its bytes (DESIGN 1).

It sits where uvicorn's protocol has a whole request: no ASGI cycle, no task, one write. It takes only what is plain in
every respect (a known session of the handshake era, an upstream tool whose server is ready over pipes, no progress
token); everything else goes the usual way, with the same bytes. Host, Origin, token and session are checked by the very
functions of the other paths; a connection whose headers are the same as before, while the tokens are the same, has the
same outcome. Calls stand in the same tables: cancellation, a server's own questions, the idle clock.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import orjson
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from toolnote_desktop.model import jsontext
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.paths import ENDPOINT_PATH
from toolnote_desktop.proxy import http_answer
from toolnote_desktop.proxy.access import Access, is_local_request
from toolnote_desktop.proxy.direct import CANCELLED, DirectPath, takes_both
from toolnote_desktop.proxy.exposure import View
from toolnote_desktop.proxy.forward import Forwarder
from toolnote_desktop.proxy.http_answer import PING, event, notification
from toolnote_desktop.proxy.introductions import HANDSHAKE_VERSIONS
from toolnote_desktop.proxy.peer import Reply
from toolnote_desktop.proxy.sdk_server import SdkServer
from toolnote_desktop.proxy.sessions import Session
from toolnote_desktop.proxy.tools.context import Principal
from toolnote_desktop.store.library import Library

LONGEST_BODY = 1024 * 1024
"""Bytes; a longer request goes the usual way."""

_PATHS = (ENDPOINT_PATH.encode("ascii"), ENDPOINT_PATH.encode("ascii") + b"/")
_PARAMS = b'"params":'
_BEHIND_PARAMS = (b',"jsonrpc"', b',"id"', b',"method"')


class Express:
    """What the connections share."""

    def __init__(
        self,
        library: Library,
        access: Access,
        sdk: SdkServer,
        direct: DirectPath,
        forwarder: Forwarder,
        view: Callable[[Principal], View],
        fetched: Callable[[Principal, View], None],
    ) -> None:
        self.library = library
        self.sdk = sdk
        self.direct = direct
        self.forwarder = forwarder
        self.view = view
        self.fetched = fetched
        self._access = access

    def admit(self, headers: list[tuple[bytes, bytes]]) -> Session | None:
        """The session that these headers may use; None: the usual way decides what is to be said."""
        trimmed = {name: value.strip() for name, value in headers}
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


class ExpressProtocol(HttpToolsProtocol):
    """One connection of a client."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._express: Express = self.config.app.express  # type: ignore[union-attr]
        self._admitted: _Admitted | None = None
        self._held: list[bytes] | None = None
        self._session: Session | None = None

    def on_headers_complete(self) -> None:
        """A request that may be plain is held until its body is there."""
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self.url in _PATHS and self.parser.get_method() == b"POST" and self.parser.should_keep_alive():
            self._session = self._admit()
            if self._session is not None:
                self._held = []
                return
        super().on_headers_complete()

    def _admit(self) -> Session | None:
        length = 0
        headers = []
        for header in self.headers:
            if header[0] == b"content-length":
                length = int(header[1])
            else:
                headers.append(header)
        if not 0 < length <= LONGEST_BODY:
            return None
        clients = self._express.library.snapshot.clients
        known = self._admitted
        if known is None or known.headers != headers or known.clients is not clients or not _lives(known.session):
            known = self._admitted = _Admitted(headers, clients, self._express.admit(headers))
        return known.session

    def on_body(self, body: bytes) -> None:
        """Part of a body."""
        if self._held is None:
            super().on_body(body)
        else:
            self._held.append(body)

    def on_message_complete(self) -> None:
        """The request is whole."""
        if self._held is None:
            super().on_message_complete()
            return
        parts, self._held = self._held, None
        body = parts[0] if len(parts) == 1 else b"".join(parts)
        assert self._session is not None
        if not self._take(body, self._session):
            super().on_headers_complete()
            super().on_body(body)
            super().on_message_complete()

    def _take(self, body: bytes, session: Session) -> bool:
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
            return self._call(body, params, request_id, session)
        return False

    def _list(self, session: Session, request_id: int | str) -> bool:
        view = self._express.view(session.principal)
        session.touch()
        self._express.fetched(session.principal, view)
        answer = Answer(self, session, request_id)
        answer.finish(Reply(b'{"tools":%s}' % view.tools_list))
        return True

    def _call(self, body: bytes, params: JsonObject, request_id: int | str, session: Session) -> bool:
        name = params.get("name")
        tool = self._express.view(session.principal).tools.get(name) if isinstance(name, str) else None
        if tool is None or not tool.plain or not isinstance(name, str):
            return False  # built-in, or with something of the user's to be looked into: the service does that
        server, own_name = tool.known.tool.key
        raw = renamed(body, params, name, own_name)
        return raw is not None and ExpressCall(self, session, request_id, server, own_name).start(raw)

    def answered(self) -> None:
        """The answer is written."""
        self.on_response_complete()


def _lives(session: Session | None) -> bool:
    return session is not None and not session.ended


def renamed(body: bytes, params: JsonObject, name: str, own_name: str) -> bytes | None:
    """The raw ``params`` of a request with the tool's own name in it, everything else as it came.

    None where the text is not in one of the usual shapes. That the outcome says what the request said, but for the
    name, is checked by reading it: a key that stands twice, or a shape that was misread, shows there.
    """
    start = body.find(_PARAMS)
    if start < 0:
        return None
    raw = body[start + len(_PARAMS) :].strip()
    ends = [place for mark in _BEHIND_PARAMS if (place := raw.rfind(mark)) > 0]
    for end in (len(raw) - 1, *sorted(ends)):
        candidate = _with_name(raw[:end].strip(), name, own_name)
        if candidate is None:
            continue
        try:
            said = orjson.loads(candidate)
        except orjson.JSONDecodeError:
            continue
        return candidate if said == {**params, "name": own_name} else None
    return None


def _with_name(raw: bytes, name: str, own_name: str) -> bytes | None:
    for colon in (b":", b": "):
        prefix = b'{"name"%s"%s"' % (colon, name.encode("ascii"))
        if raw.startswith(prefix):
            return b'{"name":%s%s' % (jsontext.dumps(own_name), raw[len(prefix) :])
    return None


class Answer:
    """The HTTP answer to one request: JSON, or an event stream if something has to be said before it.

    It stands in the place of uvicorn's own cycle while it is not complete, so that a request that comes behind it on
    the same connection waits, and a shutdown ends the connection after it.
    """

    def __init__(self, protocol: ExpressProtocol, session: Session, request_id: int | str) -> None:
        self.message_event = self  # what uvicorn sets when the connection is lost
        self._protocol = protocol
        self._session = session
        self._request_id = request_id
        self._streaming = False
        self.response_complete = False
        self.disconnected = False
        self.keep_alive = True
        self.body = b""
        self.more_body = False

    def set(self) -> None:
        """The connection is lost."""

    def event(self, message: bytes) -> None:
        """Say something before the result."""
        if not self.response_complete:
            self._write(event(message))

    def _write(self, text: bytes) -> None:
        transport = self._protocol.transport
        head = b""
        if not self._streaming:
            self._streaming = True
            head = self._head(
                b"content-type: text/event-stream\r\ncache-control: no-cache, no-transform\r\n"
                b"transfer-encoding: chunked\r\n"
            )
        if not transport.is_closing():
            transport.write(b"%s%x\r\n%s\r\n" % (head, len(text), text))

    def finish(self, reply: Reply) -> None:
        """Send the result or the error."""
        identity = b"%d" % self._request_id if isinstance(self._request_id, int) else jsontext.dumps(self._request_id)
        if reply.error is None:
            message = b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (identity, reply.result or b"{}")
        else:
            message = b'{"jsonrpc":"2.0","id":%s,"error":%s}' % (identity, reply.error)
        transport = self._protocol.transport
        if self._streaming:
            self._write(event(message))
            if not transport.is_closing():
                transport.write(b"0\r\n\r\n")
        elif not transport.is_closing():
            head = self._head(b"content-type: application/json\r\ncontent-length: %d\r\n" % len(message))
            transport.write(head + message)
        self.response_complete = True
        if not self.keep_alive:
            transport.close()
        self._protocol.answered()

    def _head(self, headers: bytes) -> bytes:
        closing = b"" if self.keep_alive else b"connection: close\r\n"
        session_id = self._session.session_id.encode("ascii")
        return b"HTTP/1.1 200 OK\r\n%s%smcp-session-id: %s\r\n\r\n" % (headers, closing, session_id)


class ExpressCall(Answer):
    """One call on its way: the caller that its server may talk to, and its place in the tables."""

    modern = False

    def __init__(
        self, protocol: ExpressProtocol, session: Session, request_id: int | str, server: str, tool: str
    ) -> None:
        super().__init__(protocol, session, request_id)
        self.principal = session.principal
        self.client = session.principal.client
        self.conversation: object = session
        self.capabilities = session.capabilities
        self.log_level = session.log_level
        self._server = server
        self._tool = tool
        self._started = time.monotonic()
        self._cancel: Callable[[], None] | None = None
        self._gone: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def start(self, params: bytes) -> bool:
        """Send it up; False where it cannot be sent at once."""
        express = self._protocol._express
        self._cancel = express.forwarder.start_call(self._server, params, self, self._done)
        if self._cancel is None:
            return False
        self._protocol.cycle = self  # type: ignore[assignment]
        express.direct.enter(self._session, self._request_id, self)
        self._timer = asyncio.get_running_loop().call_later(http_answer.KEEP_ALIVE, self._keep_alive)
        return True

    def _keep_alive(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(http_answer.KEEP_ALIVE, self._keep_alive)
        self._write(PING)

    def _done(self, outcome: Reply | Exception) -> None:
        forwarder = self._protocol._express.forwarder
        if isinstance(outcome, Exception):
            outcome = forwarder.failed_call(self._server, self._tool, outcome)
        self._end(outcome, outcome)

    def _end(self, answer: Reply, reply: Reply | None) -> None:
        express = self._protocol._express
        if self._timer is not None:
            self._timer.cancel()
        express.direct.leave(self._session, self._request_id, self)
        express.forwarder.call_ended(self, self._server, self._tool, self._started, reply)
        self.finish(answer)

    def cancel(self) -> None:
        """The client has taken the request back."""
        if self._cancel is not None:
            self._cancel()
            self.set()
            self._end(CANCELLED, None)

    def set(self) -> None:
        """The connection is lost, or the call taken back: nobody will answer a question."""
        if self._gone is not None and not self._gone.done():
            self._gone.set_result(None)

    def tell(self, method: str, params: bytes | None) -> None:
        """Tell the client something before the result."""
        self.event(notification(method, params))

    async def ask(self, method: str, params: bytes | None) -> Reply:
        """Ask the client something on this call's stream."""
        if self._gone is None:
            self._gone = asyncio.get_running_loop().create_future()
        if self.disconnected or self.response_complete:
            self.set()
        questions = self._protocol._express.direct.questions
        return await questions.ask(self._session, method, params, self.event, self._gone)
