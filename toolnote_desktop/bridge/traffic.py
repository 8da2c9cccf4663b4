"""Forwarding of a client's messages: sent unchanged, answered with the app's response, or with an error without an app.

The main thread passes in the client's messages and writes requests to kept connections (``bridge.http_client``);
each connection's own thread prints the response. While no app is there, messages wait and one thread searches for it
(``bridge.app_connector``). Only the envelope of a request is parsed, and of a response only what is needed.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque

from toolnote_desktop.bridge.app_connector import AppConnector
from toolnote_desktop.bridge.http_client import (
    IDLE_SECONDS,
    LONG_REQUEST,
    EndpointConnection,
    EventStream,
    ResponseHead,
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
    error_from_status,
    parameter_headers,
    parse,
    read_result,
)
from toolnote_desktop.paths import Home

DRAIN_SECONDS = 1.0  # for responses in flight when stdin ends
# Requests of the handshake era whose effect lasts for the rest of a session, and what they set.
SESSION_REQUESTS = {"logging/setLevel": "level", "resources/subscribe": "resource", "resources/unsubscribe": "resource"}
_MAX_TRIES = 3

MAX_REQUESTS = 320
"""Requests at the app at once; further ones wait for a response. More than ``proxy.waiting_calls.MAX_WAITING`` by what
the app answers at once: where so many calls wait there, others still pass.
"""

MAX_OTHERS = 64
"""Notifications and responses of the client that are at the app at once, beside its requests."""

MAX_PENDING = 4096
"""Messages that wait here; no more is read from the client until some are sent."""

_HOLD_SECONDS = 0.1
_MAX_HOLDS = 50  # five seconds


def _most_requests() -> int:
    """Return how many requests are sent at once: as many as an app takes from one client that may open as many files
    (``proxy.endpoint.limits``), less some for streams, and no more than ``MAX_REQUESTS``.
    """
    if sys.platform == "win32":
        return MAX_REQUESTS
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_REQUESTS if files == resource.RLIM_INFINITY else min(MAX_REQUESTS, max(8, files // 4 - 8))


class Bridge:
    """Forwarder between one client on stdio and the app."""

    def __init__(self, home: Home, credentials: Credentials) -> None:
        self.output = Output(self.exit_on_closed_output)
        self.app = AppConnector(home, credentials, self.output, self)
        self.lock = self.app.lock
        self.pending: deque[HttpExchange] = deque()
        self.has_room = threading.Condition(self.lock)
        self.requests_sent = 0
        self.others_sent = 0
        self.limit = self.most = _most_requests()
        self.paused = False  # nothing is sent until the next step
        self.holding = False  # less is sent at once than usual
        self.flushing = False
        self.blocking: HttpExchange | None = None  # later messages wait for its response
        self.in_flight: dict[str, HttpExchange] = {}
        self.parameter_headers: dict[str, dict[tuple[str, ...], str]] = {}

    # -- from the client ----------------------------------------------------------------------------------------------

    def receive(self, line: bytes) -> None:
        """Handle one line from the client."""
        exchange = parse(line)
        if isinstance(exchange, bytes):
            self.output.emit(exchange)
        elif exchange.method == CANCELLED and self.cancel(exchange):
            return
        else:
            if exchange.method == INITIALIZED:
                self.app.initialized = True
            self.submit(exchange)
            if len(self.pending) >= MAX_PENDING:
                self.wait_for_room()

    def cancel(self, notice: HttpExchange) -> bool:
        """Cancel the request that the notification names; True if the app need not receive the notification."""
        exchange = self.in_flight.get(repr(notice.params.get("requestId")))
        if exchange is None or exchange.method == "initialize":
            return False
        exchange.cancelled = True
        with self.lock:
            waiting = exchange in self.pending
            if waiting:
                self.pending.remove(exchange)
        if waiting or exchange.version is not None:
            self.finish_exchange(exchange)
            if exchange.connection is not None:
                exchange.connection.close_for(exchange)  # closing is how the modern era cancels
            return True
        return False

    def submit(self, exchange: HttpExchange) -> None:
        """Send a message as soon as the app is connected, or answer that it is not there."""
        if exchange.requests:
            self.in_flight[exchange.key] = exchange
        with self.lock:
            refused = self.app.is_unreachable()
            if not refused:
                self.append(exchange)
        if refused:
            self.fail(exchange)
        else:
            self.flush()

    def append(self, exchange: HttpExchange) -> None:
        """Let a message wait for its turn. Hold ``lock``.

        What is no request passes those that wait for a response: it may be what the client answers to a call.
        """
        place = len(self.pending)
        if not exchange.requests and self.app.link is not None and self.blocking is None:
            place = next((at for at, one in enumerate(self.pending) if one.requests), place)
        self.pending.insert(place, exchange)

    def wait_for_room(self) -> None:
        """Wait until fewer than ``MAX_PENDING`` messages wait."""
        with self.has_room:
            while len(self.pending) >= MAX_PENDING:
                self.has_room.wait()

    def next_exchange(self) -> HttpExchange | None:
        """Take the next message to send; None if it has to wait. Hold ``lock``."""
        if self.paused or not self.pending:
            return None
        exchange = self.pending[0]
        if exchange.method != LISTEN:  # which has no end
            if exchange.requests:
                if self.requests_sent >= self.most:
                    return None
                self.requests_sent += 1
            elif self.others_sent >= MAX_OTHERS:
                return None
            else:
                self.others_sent += 1
            exchange.is_sent = True
        if len(self.pending) == MAX_PENDING:
            self.has_room.notify()
        return self.pending.popleft()

    def returned(self, exchange: HttpExchange) -> None:
        """Count a message that is no longer at the app."""
        with self.lock:
            if exchange.is_sent:
                exchange.is_sent = False
                if exchange.requests:
                    self.requests_sent -= 1
                else:
                    self.others_sent -= 1

    def fail(self, exchange: HttpExchange) -> None:
        """Answer a message without an app."""
        if exchange.method == "ping" and exchange.requests:
            self.output.emit(exchange.ping_reply())
        elif answer := exchange.error_reply(self.app.failure, call_result=self.app.ever_linked):
            self.output.emit(answer)
        self.finish_exchange(exchange)

    def flush(self) -> None:
        """Send the waiting messages, in order, up to the next that must be answered first."""
        with self.lock:
            if self.flushing:
                return
            self.flushing = True
        while True:
            with self.lock:
                link = self.app.link
                exchange = None if link is None or self.blocking is not None else self.next_exchange()
                if link is None or exchange is None:
                    self.flushing = False
                    return
                if exchange.blocks_later:
                    self.blocking = exchange
            self.send(exchange, link)

    def send(self, exchange: HttpExchange, link: ServerLink) -> None:
        """Send a message over a kept connection, or a new one."""
        exchange.link = link
        request = link.post_request(exchange, self.parameter_headers)
        if len(request) > LONG_REQUEST:
            threading.Thread(target=self.transmit, args=(exchange, link, request), daemon=True).start()
        else:
            self.transmit(exchange, link, request)

    def transmit(self, exchange: HttpExchange, link: ServerLink, request: bytes) -> None:
        """Write the request; one that certainly was not delivered waits for the app to come back."""
        for _ in range(len(link.idle) + _MAX_TRIES):
            try:
                connection = exchange.connection = self.acquire(link)
            except OSError:
                break
            if connection.send(exchange, request):
                if exchange.cancelled and exchange.version is not None:
                    connection.close_for(exchange)
                return
            if connection.turned_away and self.hold(exchange):
                return
        self.resend(exchange, link, "it cannot be reached")

    def acquire(self, link: ServerLink) -> EndpointConnection:
        """Return a free connection.

        Raises:
            OSError: the app refuses the connection.
        """
        while link.idle:
            try:
                connection = link.idle.pop()
            except IndexError:
                break
            if time.monotonic() - connection.idle_since < IDLE_SECONDS:
                return connection
            connection.close()
        connection = EndpointConnection(self, link.endpoint.host, link.endpoint.port, link.idle)
        self.app.confirm(link.endpoint, connection)
        return connection

    # -- from the app -------------------------------------------------------------------------------------------------

    def response_received(self, connection: EndpointConnection, exchange: HttpExchange, head: ResponseHead) -> None:
        """Forward the app's response (see ``http_client.ResponseListener``)."""
        if head.status == 200 and head.is_stream:
            self.stream_received(connection, exchange, head)
            return
        body = connection.wire.read_body(head)
        connection.release(head)
        link = exchange.link
        known = exchange.version is not None or exchange.method == "initialize" or link is None or not link.session
        if link is not None and (head.status == 401 or (head.status == 404 and not known)):
            self.resend(exchange, link, f"status {head.status}")
            return
        if head.status == 503 and self.hold(exchange):
            return
        if exchange.requests and not exchange.cancelled:
            if head.status == 200 and body:
                self.record(exchange, head, body)
                self.output.emit(body)
            else:
                self.output.emit(error_from_status(exchange, head.status, body))
        elif head.status >= 400:
            debug(f"{exchange.method or 'message'} was refused with status {head.status}")
        self.finish_exchange(exchange)

    def stream_received(self, connection: EndpointConnection, exchange: HttpExchange, head: ResponseHead) -> None:
        """Forward an event stream, message by message."""
        events = EventStream()
        for piece in connection.wire.iter_body(head):
            for message in events.feed(piece):
                if not exchange.cancelled:
                    self.stream_message(exchange, head, message)
        connection.release(head)
        if exchange.method is None:
            self.finish_exchange(exchange)
        elif not exchange.answered:
            self.response_lost(exchange, begun=True)

    def stream_message(self, exchange: HttpExchange, head: ResponseHead, message: bytes) -> None:
        """Forward one message of a stream."""
        if not is_response(message):
            if exchange.method == LISTEN:
                exchange.tries = 0
                if exchange.resubscribed and b'"notifications/subscriptions/acknowledged"' in message:
                    exchange.resubscribed = False  # the client has the first one; it lacks the changes since
                    self.notify_subscription(exchange)
                    return
            self.output.emit(message)
        elif exchange.method is None:
            self.output.emit(message)
        elif not exchange.answered:
            exchange.answered = True
            self.record(exchange, head, message)
            self.output.emit(message)
            self.finish_exchange(exchange)

    def record(self, exchange: HttpExchange, head: ResponseHead, message: bytes | bytearray) -> None:
        """Record what later requests depend on."""
        if exchange.method == "initialize" and exchange.link is not None:
            result = read_result(message)
            if result is not None:
                exchange.link.set_session(head.get(b"mcp-session-id"), result.get("protocolVersion"))
                capabilities = result.get("capabilities")
                self.app.capabilities = capabilities if isinstance(capabilities, dict) else {}
                self.app.initialize_exchange = exchange
        elif exchange.method in SESSION_REQUESTS and exchange.version is None and read_result(message) is not None:
            subject = f"{SESSION_REQUESTS[exchange.method]} {exchange.params.get('uri', '')}"
            self.app.session_requests.pop(subject, None)
            if exchange.method != "resources/unsubscribe":
                self.app.session_requests[subject] = exchange.raw
        elif exchange.method == "tools/list" and exchange.version is not None and b'"x-mcp-header"' in message:
            tools = (read_result(message) or {}).get("tools")
            for tool in tools if isinstance(tools, list) else ():
                if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                    self.parameter_headers[tool["name"]] = parameter_headers(tool.get("inputSchema"))

    def exchange_dropped(self, connection: EndpointConnection, exchange: HttpExchange, begun: bool) -> None:
        """Handle a dropped connection (see ``http_client.ResponseListener``)."""
        if not exchange.requests or exchange.answered or exchange.cancelled:
            self.finish_exchange(exchange)
        elif (
            connection.used
            and not begun
            and not exchange.calls_tool
            and exchange.tries == 0
            and exchange.link is not None
        ):
            # closed for being idle during the write; repeating it is harmless
            exchange.tries += 1
            self.send(exchange, exchange.link)
        elif (
            not begun
            and not exchange.calls_tool
            and (self.holding or exchange.holds < _MAX_TRIES)
            and self.hold(exchange)
        ):
            debug(f"{exchange.method} is sent again")  # refused, perhaps: the end may overtake the response
        else:
            self.response_lost(exchange, begun)

    def response_lost(self, exchange: HttpExchange, begun: bool) -> None:
        """Handle a request whose response will not come: the app quit, or ended its response early."""
        if exchange.cancelled:
            self.finish_exchange(exchange)
        elif exchange.method == LISTEN and exchange.link is not None:
            exchange.resubscribed = exchange.resubscribed or begun
            self.resend(exchange, exchange.link, "its stream ended")
        else:
            if answer := exchange.error_reply(LOST, call_result=True):
                self.output.emit(answer)
            self.finish_exchange(exchange)

    def finish_exchange(self, exchange: HttpExchange) -> None:
        """Forget an exchange, and send what waited for it."""
        if exchange.requests and self.in_flight.get(exchange.key) is exchange:
            del self.in_flight[exchange.key]
        self.returned(exchange)
        if self.blocking is not exchange:
            if self.pending:
                self.flush()
        else:
            link = exchange.link
            if exchange.method == INITIALIZED and link is not None and link is self.app.link:
                self.app.start_stream(link)
            with self.lock:
                self.blocking = None
            self.flush()

    def hold(self, exchange: HttpExchange) -> bool:
        """Send a message again a little later: the app did not take it, having too many connections (503).

        False if it was held for long, or was cancelled.
        """
        exchange.holds += 1
        if exchange.cancelled or exchange.holds > _MAX_HOLDS:
            return False
        self.returned(exchange)
        with self.lock:
            self.pending.appendleft(exchange)
            if self.blocking is exchange:
                self.blocking = None
            self.most = min(self.most, self.requests_sent)
            begins = not self.holding
            self.paused = self.holding = True
        if begins:
            self.send_more_later()
        return True

    def send_more_later(self) -> None:
        """Send a quarter more at once after a while, and so on until it is as much as usual."""
        timer = threading.Timer(_HOLD_SECONDS, self.send_more)
        timer.daemon = True
        timer.start()

    def send_more(self) -> None:
        """Send what was held, and a quarter more at once than before."""
        with self.lock:
            self.most = min(self.limit, self.most + max(1, self.most // 4))
            self.paused = False
            self.holding = goes_on = self.most < self.limit
        if goes_on:
            self.send_more_later()
        self.flush()

    # -- the app comes and goes ---------------------------------------------------------------------------------------

    def resend(self, exchange: HttpExchange, link: ServerLink, reason: str) -> None:
        """Send a message again that was certainly not carried out, once the app is back."""
        exchange.tries += 1
        self.returned(exchange)
        if exchange.cancelled:
            self.finish_exchange(exchange)
            return
        if exchange.tries > _MAX_TRIES:
            if answer := exchange.error_reply(NO_ANSWER.format(reason=reason), call_result=True):
                self.output.emit(answer)
            self.finish_exchange(exchange)
            return
        self.app.drop_link(link)
        with self.lock:
            if self.blocking is exchange:
                self.blocking = None
        # A new session knows no requests and calls of the old one, and begins with the bridge's own `initialized`.
        if exchange.method in ("", CANCELLED) or (
            exchange.method == INITIALIZED and self.app.initialize_exchange is not None
        ):
            self.flush()
        else:
            self.submit(exchange)

    def link_opened(self) -> None:
        """Send the waiting messages (see ``app_connector.LinkListener``)."""
        self.flush()

    def link_failed(self) -> None:
        """Answer the waiting messages (see ``app_connector.LinkListener``)."""
        with self.lock:
            waiting = list(self.pending)
            self.pending.clear()
            self.has_room.notify()
        for exchange in waiting:
            self.fail(exchange)

    def notify_subscription(self, listen: HttpExchange) -> None:
        """Notify one subscription of the modern era that the lists may have changed."""
        wanted = listen.params.get("notifications")
        meta = {"_meta": {SUBSCRIPTION_KEY: listen.requests[0][0]}}
        for method, _, key in CHANGES:
            if isinstance(wanted, dict) and wanted.get(key):
                self.output.emit(encode({"jsonrpc": "2.0", "method": method, "params": meta}))

    # -- the end ------------------------------------------------------------------------------------------------------

    def exit_on_closed_output(self) -> None:
        """End the process at once, whatever the other threads do: stdout is closed."""
        self.close()
        os._exit(0)

    def close(self) -> None:
        """Cancel the running requests and end the session with the app."""
        running = [exchange for exchange in list(self.in_flight.values()) if exchange.version is None]
        self.app.close([request_id for exchange in running for request_id, _ in exchange.requests])

    def drain(self) -> None:
        """Wait for responses in flight after stdin has ended, but not for long calls."""
        end, waiting = time.monotonic() + DRAIN_SECONDS, len(self.pending)
        while self.app.link is not None and time.monotonic() < end:
            if all(exchange.method == LISTEN for exchange in list(self.in_flight.values())) and not self.pending:
                return
            time.sleep(0.005)
            if len(self.pending) < waiting:  # some were answered, so that others could be sent
                end, waiting = time.monotonic() + DRAIN_SECONDS, len(self.pending)
