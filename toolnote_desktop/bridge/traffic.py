"""A client's messages through the bridge: sent on as they came, answered as the app answers, or for the app.

The main thread hands in what the client says and writes requests to kept connections (``bridge_http``); each
connection's own thread prints what comes back. While no app is there, messages wait and one thread looks for it
(``bridge_session``). Of a request the envelope is looked at, of an answer nothing that need not be.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque

from toolnote_desktop.bridge.http_client import (
    IDLE_SECONDS,
    LONG_REQUEST,
    EndpointConnection,
    Events,
    Head,
    is_response,
)
from toolnote_desktop.bridge.messages import (
    CANCELLED,
    CHANGES,
    INITIALIZED,
    LISTEN,
    LOST,
    NO_ANSWER,
    SUBSCRIPTION_KEY,
    Credentials,
    HttpExchange,
    Output,
    ServerLink,
    debug,
    encode,
    parameter_headers,
    parse,
    refusal_of,
    result_of,
)
from toolnote_desktop.bridge.session import Session
from toolnote_desktop.paths import Home

DRAIN_SECONDS = 1.0  # for answers on their way when stdin ends
# Requests of the handshake era that hold for the rest of a session, and what they are about.
LASTING = {"logging/setLevel": "level", "resources/subscribe": "resource", "resources/unsubscribe": "resource"}
_MOST_TRIES = 3


class Bridge:
    """One client on stdio and its way to the app."""

    def __init__(self, home: Home, sign_in: Credentials) -> None:
        self.output = Output(self.client_gone)
        self.session = Session(home, sign_in, self.output, self)
        self.lock = self.session.lock
        self.pending: deque[HttpExchange] = deque()
        self.flushing = False
        self.ordering: HttpExchange | None = None  # what comes after it waits until it is answered
        self.in_flight: dict[str, HttpExchange] = {}
        self.parameter_headers: dict[str, dict[tuple[str, ...], str]] = {}

    # -- from the client ----------------------------------------------------------------------------------------------

    def receive(self, line: bytes) -> None:
        """Take one line of the client's."""
        exchange = parse(line)
        if isinstance(exchange, bytes):
            self.output.emit(exchange)
        elif exchange.method == CANCELLED and self.cancel(exchange):
            return
        else:
            if exchange.method == INITIALIZED:
                self.session.initialized = True
            self.submit(exchange)

    def cancel(self, notice: HttpExchange) -> bool:
        """Cancel what the notice names; True: the app need not hear of it."""
        exchange = self.in_flight.get(repr(notice.params.get("requestId")))
        if exchange is None or exchange.method == "initialize":
            return False
        exchange.cancelled = True
        with self.lock:
            waiting = exchange in self.pending
            if waiting:
                self.pending.remove(exchange)
        if waiting or exchange.version is not None:
            self.settle(exchange)
            if exchange.connection is not None:
                exchange.connection.end_exchange(exchange)  # closing is how the modern era cancels
            return True
        return False

    def submit(self, exchange: HttpExchange) -> None:
        """Send a message as soon as there is somebody to send it to, or answer that there is nobody."""
        if exchange.requests:
            self.in_flight[exchange.key] = exchange
        with self.lock:
            refused = self.session.hopeless()
            if not refused:
                self.pending.append(exchange)
        if refused:
            self.refuse(exchange)
        else:
            self.flush()

    def refuse(self, exchange: HttpExchange) -> None:
        """Answer for the app that is not there."""
        if exchange.method == "ping" and exchange.requests:
            self.output.emit(exchange.pong())
        elif answer := exchange.failed(self.session.failure, call_result=self.session.ever_linked):
            self.output.emit(answer)
        self.settle(exchange)

    def flush(self) -> None:
        """Send what waits, in order, as far as it may be sent now."""
        with self.lock:
            if self.flushing:
                return
            self.flushing = True
        while True:
            with self.lock:
                link = self.session.link
                if link is None or self.ordering is not None or not self.pending:
                    self.flushing = False
                    return
                exchange = self.pending.popleft()
                if exchange.orders:
                    self.ordering = exchange
            self.send(exchange, link)

    def send(self, exchange: HttpExchange, link: ServerLink) -> None:
        """Send a message over a kept connection, or a new one."""
        exchange.link = link
        request = link.post(exchange, self.parameter_headers)
        if len(request) > LONG_REQUEST:
            threading.Thread(target=self.transmit, args=(exchange, link, request), daemon=True).start()
        else:
            self.transmit(exchange, link, request)

    def transmit(self, exchange: HttpExchange, link: ServerLink, request: bytes) -> None:
        """Write the request; where it surely does not get through, it waits for the app to come back."""
        for _ in range(len(link.idle) + _MOST_TRIES):
            try:
                connection = exchange.connection = self.take(link)
            except OSError:
                break
            if connection.start(exchange, request):
                if exchange.cancelled and exchange.version is not None:
                    connection.end_exchange(exchange)
                return
        self.again(exchange, link, "it cannot be reached")

    def take(self, link: ServerLink) -> EndpointConnection:
        """A connection that is free.

        Raises:
            OSError: nobody listens.
        """
        while link.idle:
            try:
                connection = link.idle.pop()
            except IndexError:
                break
            if time.monotonic() - connection.free_since < IDLE_SECONDS:
                return connection
            connection.end()
        return EndpointConnection(self, link.endpoint.host, link.endpoint.port, link.idle)

    # -- from the app -------------------------------------------------------------------------------------------------

    def answered(self, connection: EndpointConnection, exchange: HttpExchange, head: Head) -> None:
        """Pass on what the app answers (see ``bridge_http.Owner``)."""
        if head.status == 200 and head.is_stream:
            self.answered_by_stream(connection, exchange, head)
            return
        body = connection.wire.body(head)
        connection.release(head)
        link = exchange.link
        known = exchange.version is not None or exchange.method == "initialize" or link is None or not link.session
        if link is not None and (head.status == 401 or (head.status == 404 and not known)):
            self.again(exchange, link, f"status {head.status}")
            return
        if exchange.requests and not exchange.cancelled:
            if head.status == 200 and body:
                self.look_at(exchange, head, body)
                self.output.emit(body)
            else:
                self.output.emit(refusal_of(exchange, head.status, body))
        elif head.status >= 400:
            debug(f"{exchange.method or 'message'} was refused with status {head.status}")
        self.settle(exchange)

    def answered_by_stream(self, connection: EndpointConnection, exchange: HttpExchange, head: Head) -> None:
        """Pass on an event stream, message by message."""
        events = Events()
        for piece in connection.wire.pieces(head):
            for message in events.feed(piece):
                if not exchange.cancelled:
                    self.event(exchange, head, message)
        connection.release(head)
        if exchange.method is None:
            self.settle(exchange)
        elif not exchange.answered:
            self.unanswered(exchange, begun=True)

    def event(self, exchange: HttpExchange, head: Head, message: bytes) -> None:
        """One message of a stream."""
        if not is_response(message):
            if exchange.method == LISTEN:
                exchange.tries = 0
                if exchange.revived and b'"notifications/subscriptions/acknowledged"' in message:
                    exchange.revived = False  # the client has had one; what it does not know is what it missed
                    self.tell_changes_to(exchange)
                    return
            self.output.emit(message)
        elif exchange.method is None:
            self.output.emit(message)
        elif not exchange.answered:
            exchange.answered = True
            self.look_at(exchange, head, message)
            self.output.emit(message)
            self.settle(exchange)

    def look_at(self, exchange: HttpExchange, head: Head, message: bytes | bytearray) -> None:
        """Remember what later requests need to know."""
        if exchange.method == "initialize" and exchange.link is not None:
            result = result_of(message)
            if result is not None:
                exchange.link.opened(head.get(b"mcp-session-id"), result.get("protocolVersion"))
                capabilities = result.get("capabilities")
                self.session.capabilities = capabilities if isinstance(capabilities, dict) else {}
                self.session.introduction = exchange
        elif exchange.method in LASTING and exchange.version is None and result_of(message) is not None:
            subject = f"{LASTING[exchange.method]} {exchange.params.get('uri', '')}"
            self.session.standing.pop(subject, None)
            if exchange.method != "resources/unsubscribe":
                self.session.standing[subject] = exchange.raw
        elif exchange.method == "tools/list" and exchange.version is not None and b'"x-mcp-header"' in message:
            tools = (result_of(message) or {}).get("tools")
            for tool in tools if isinstance(tools, list) else ():
                if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                    self.parameter_headers[tool["name"]] = parameter_headers(tool.get("inputSchema"))

    def dropped(self, connection: EndpointConnection, exchange: HttpExchange, begun: bool) -> None:
        """The connection ended under an exchange (see ``bridge_http.Owner``)."""
        if not exchange.requests or exchange.answered or exchange.cancelled:
            self.settle(exchange)
        elif connection.used and not begun and not exchange.calls and exchange.tries == 0 and exchange.link is not None:
            # closed for being idle while we wrote; asking again does no harm
            exchange.tries += 1
            self.send(exchange, exchange.link)
        else:
            self.unanswered(exchange, begun)

    def unanswered(self, exchange: HttpExchange, begun: bool) -> None:
        """The app went away with a request, or ended its answer too early."""
        if exchange.cancelled:
            self.settle(exchange)
        elif exchange.method == LISTEN and exchange.link is not None:
            exchange.revived = exchange.revived or begun
            self.again(exchange, exchange.link, "its stream ended")
        else:
            if answer := exchange.failed(LOST, call_result=True):
                self.output.emit(answer)
            self.settle(exchange)

    def settle(self, exchange: HttpExchange) -> None:
        """Nothing more will come of an exchange; what waited for it may go."""
        if exchange.requests and self.in_flight.get(exchange.key) is exchange:
            del self.in_flight[exchange.key]
        if self.ordering is exchange:
            link = exchange.link
            if exchange.method == INITIALIZED and link is not None and link is self.session.link:
                self.session.follow(link)
            with self.lock:
                self.ordering = None
            self.flush()

    # -- the app comes and goes ---------------------------------------------------------------------------------------

    def again(self, exchange: HttpExchange, link: ServerLink, reason: str) -> None:
        """Send a message again that was surely not carried out, once the app is there for us."""
        exchange.tries += 1
        if exchange.cancelled:
            self.settle(exchange)
            return
        if exchange.tries > _MOST_TRIES:
            if answer := exchange.failed(NO_ANSWER.format(reason=reason), call_result=True):
                self.output.emit(answer)
            self.settle(exchange)
            return
        self.session.lose(link)
        with self.lock:
            if self.ordering is exchange:
                self.ordering = None
        # A new session knows nothing of an old one's questions and calls, and begins with our own `initialized`.
        if exchange.method in ("", CANCELLED) or (
            exchange.method == INITIALIZED and self.session.introduction is not None
        ):
            self.flush()
        else:
            self.submit(exchange)

    def linked(self) -> None:
        """Send what waits (see ``bridge_session.Traffic``)."""
        self.flush()

    def unlinked(self) -> None:
        """Answer what waits (see ``bridge_session.Traffic``)."""
        with self.lock:
            waiting = list(self.pending)
            self.pending.clear()
        for exchange in waiting:
            self.refuse(exchange)

    def tell_changes_to(self, listen: HttpExchange) -> None:
        """The lists may differ from what the client knows: say so to one subscription of the modern era."""
        wanted = listen.params.get("notifications")
        meta = {"_meta": {SUBSCRIPTION_KEY: listen.requests[0][0]}}
        for method, _, key in CHANGES:
            if isinstance(wanted, dict) and wanted.get(key):
                self.output.emit(encode({"jsonrpc": "2.0", "method": method, "params": meta}))

    # -- the end ------------------------------------------------------------------------------------------------------

    def client_gone(self) -> None:
        """Nobody reads stdout any more: end at once, whatever the other threads do."""
        self.finish()
        os._exit(0)

    def finish(self) -> None:
        """Take leave of the app."""
        running = [exchange for exchange in list(self.in_flight.values()) if exchange.version is None]
        self.session.finish([request_id for exchange in running for request_id, _ in exchange.requests])

    def drain(self) -> None:
        """Stdin has ended: let the answers that are on their way come out, but do not wait for long calls."""
        end = time.monotonic() + DRAIN_SECONDS
        while self.session.link is not None and time.monotonic() < end:
            if all(exchange.method == LISTEN for exchange in list(self.in_flight.values())) and not self.pending:
                return
            time.sleep(0.005)
