"""Connection to the app: found, lost when the app quits, searched for, and restored on the client's behalf."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Protocol

from toolnote_desktop.bridge.app_discovery import AppEndpoint, endpoint_stamp, missing_toolset, read_endpoint, start_app
from toolnote_desktop.bridge.http_client import (
    DroppedError,
    EndpointConnection,
    EventStream,
    HttpSocket,
    ResponseListener,
    is_response,
)
from toolnote_desktop.bridge.messages import (
    CANCELLED,
    CHANGES,
    CLOSED,
    INITIALIZED,
    NOT_STARTED,
    Credentials,
    HttpExchange,
    Output,
    ServerLink,
    debug,
    encode,
    log,
    read_result,
)
from toolnote_desktop.paths import Home

if TYPE_CHECKING:
    import subprocess

START_SECONDS = 30.0  # for the app to come up after the bridge started it
EXIT_SECONDS = 2.0  # after the started app failed: another one may have the lock and come up
RETURN_SECONDS = 3.0  # for the app to come back before requests are answered with "closed"
WATCH_SECONDS = 1.0  # between checks for an app that was closed
CLOSE_SECONDS = 1.0  # for the app to end the session
_SEARCH_SECONDS = 0.05
_MAX_DELAY = 5.0


class LinkListener(ResponseListener, Protocol):
    """Holder of the client's messages."""

    def link_opened(self) -> None:
        """Send the waiting messages: the app is there."""

    def link_failed(self) -> None:
        """Answer the waiting messages: the app did not come."""


class AppConnector:
    """Address of the app, and the state that begins the client's session with it anew.

    Three states: connected (``link`` is set), searching (messages wait), neither (messages are answered with
    ``failure``). ``lock`` guards the transitions, and decisions that depend on them.
    """

    def __init__(self, home: Home, credentials: Credentials, output: Output, traffic: LinkListener) -> None:
        self.home = home
        self.credentials = credentials
        self.output = output
        self.traffic = traffic
        self.lock = threading.Lock()
        self.link: ServerLink | None = None
        self.searching = False
        self.failure = ""
        self.ever_linked = False
        # The client's `initialize`, repeated after a restart of the app (handshake era).
        self.initialize_exchange: HttpExchange | None = None
        self.initialized = False
        self.capabilities: dict[str, object] = {}
        # Requests whose effect lasts as long as a session, by what they set: repeated in the next one.
        self.session_requests: dict[str, bytes] = {}
        self._deadline = 0.0
        self._wake = threading.Event()
        self._failed_stamp: tuple[int, int] | None = None

    # -- found and lost -----------------------------------------------------------------------------------------------

    def connect(self) -> None:
        """Connect to the app; start it if none runs."""
        endpoint = read_endpoint(self.home)
        if endpoint is None or not self._open_link(endpoint):
            self._search_for(START_SECONDS)
            threading.Thread(target=self._search, name="toolnote-search", daemon=True).start()

    def drop_link(self, link: ServerLink) -> None:
        """Drop a link that is of no use any more, and search for the app unless a search runs."""
        with self.lock:
            if self.link is not link:
                return
            self.link = None
            self._search_for(RETURN_SECONDS)
        debug("the app has quit, or no longer knows this session")
        if link.stream is not None:
            link.stream.shutdown()
        threading.Thread(target=self._search, name="toolnote-search", daemon=True).start()

    def is_unreachable(self) -> bool:
        """Return True if there is no app to send to, after a check for one that just came back. Hold ``lock``."""
        if self.link is None and not self.searching and endpoint_stamp(self.home) not in (None, self._failed_stamp):
            self._search_for(RETURN_SECONDS)
            self._wake.set()
        return self.link is None and not self.searching

    def _search_for(self, seconds: float) -> None:
        self.searching = True
        self._deadline = time.monotonic() + seconds

    def _search(self) -> None:
        """Search for the app until connected. Only a bridge that never was connected starts it (docs/contract.md 4)."""
        process: subprocess.Popen[bytes] | None = None
        reason, may_start = "", not self.ever_linked
        while True:
            endpoint = read_endpoint(self.home)
            if endpoint is not None and self._open_link(endpoint):
                return
            if endpoint is None and may_start:
                may_start = False
                log("Toolnote is not running: starting it")
                try:
                    process = start_app(self.home)
                except OSError as error:
                    reason = f" ({error})"
                    self._deadline = 0.0
            if process is not None and process.poll():
                reason = f" (it ended with status {process.returncode})"
                self._deadline = min(self._deadline, time.monotonic() + EXIT_SECONDS)
                process = None
            if self.searching and time.monotonic() > self._deadline:
                self._give_up(CLOSED if self.ever_linked else NOT_STARTED.format(reason=reason))
            self._wake.wait(_SEARCH_SECONDS if self.searching else WATCH_SECONDS)
            self._wake.clear()

    def _give_up(self, failure: str) -> None:
        with self.lock:
            self.searching = False
            self.failure = failure
            self._failed_stamp = endpoint_stamp(self.home)
        log(failure)
        self.traffic.link_failed()

    def _open_link(self, endpoint: AppEndpoint) -> bool:
        """Connect to a running app and, if the client had a session, begin it anew."""
        link = ServerLink(endpoint, self.credentials)
        initialize_exchange = self.initialize_exchange
        try:
            if initialize_exchange is not None:
                self._reinitialize(link, initialize_exchange)
            else:
                connection = EndpointConnection(self.traffic, endpoint.host, endpoint.port, link.idle)
                self.confirm(endpoint, connection)
                link.idle.append(connection)
        except (OSError, ValueError) as error:
            debug(f"not connected: {error}")
            return False
        with self.lock:
            reconnected, self.ever_linked = self.ever_linked, True
            self.link, self.searching = link, False
        debug(f"connected to {endpoint.authority}")
        wanted = self.credentials.toolset
        if not reconnected and wanted is not None and (problem := missing_toolset(self.home, wanted)) is not None:
            log(problem)  # appears in the client's log, where its configuration is debugged
        if initialize_exchange is not None and self.initialized:
            if reconnected:
                self.notify_changes()
            self.start_stream(link)
        self.traffic.link_opened()
        return True

    def confirm(self, endpoint: AppEndpoint, made: HttpSocket | EndpointConnection) -> None:
        """Close a connection that was just made, and raise OSError, unless it is one to the app."""
        if not endpoint.is_current(self.home):
            made.close()
            raise ConnectionRefusedError("the app has ended, or has another address now")

    def _wire(self, endpoint: AppEndpoint) -> HttpSocket:
        """Return a connection to the app.

        Raises:
            OSError: the connection is refused, or is not one to the app.
        """
        wire = HttpSocket(endpoint.host, endpoint.port)
        self.confirm(endpoint, wire)
        return wire

    def _reinitialize(self, link: ServerLink, initialize_exchange: HttpExchange) -> None:
        """Repeat the client's `initialize` and `initialized`; the client does not see the response.

        Raises:
            OSError: the connection failed.
            ValueError: the app's response is invalid.
        """
        message = json.loads(initialize_exchange.raw) | {"id": "toolnote-bridge"}
        wire = self._wire(link.endpoint)
        try:
            wire.socket.settimeout(RETURN_SECONDS)
            wire.send(link.post_raw(encode(message), b""))
            head = wire.read_head()
            events, answers = EventStream(), []
            for piece in wire.iter_body(head):
                answers += [m for m in events.feed(piece) if is_response(m)] if head.is_stream else [piece]
            result = read_result(b"".join(answers))
            if head.status != 200 or result is None:
                raise DroppedError(f"no session: status {head.status}")
            link.set_session(head.get(b"mcp-session-id"), result.get("protocolVersion"))
            initialized = [encode({"jsonrpc": "2.0", "method": INITIALIZED})] if self.initialized else []
            for raw in [*initialized, *self.session_requests.values()]:
                wire.send(link.post_raw(raw))
                wire.read_body(wire.read_head())
        finally:
            wire.close()

    # -- the app's own messages ---------------------------------------------------------------------------------------

    def start_stream(self, link: ServerLink) -> None:
        """Keep the stream of the app's own messages open (handshake era) for as long as the link lasts."""
        threading.Thread(target=self._read_stream, args=(link,), name="toolnote-stream", daemon=True).start()

    def _read_stream(self, link: ServerLink) -> None:
        delay, opened = 0.2, False
        while self.link is link:
            began = time.monotonic()
            try:
                wire = link.stream = self._wire(link.endpoint)
            except OSError:
                self.drop_link(link)
                return
            try:
                wire.send(link.get_request())
                head = wire.read_head()
                if head.status == 200 and head.is_stream:
                    if opened:
                        self.notify_changes()  # messages sent in between are lost
                    opened, events = True, EventStream()
                    for piece in wire.iter_body(head):
                        for message in events.feed(piece):
                            self.output.emit(message)
                elif head.status in (401, 404):
                    self.drop_link(link)
                    return
                elif head.status != 409:
                    return  # the app offers no such stream
            except OSError as error:
                debug(f"the stream ended: {error}")
            finally:
                wire.close()
            delay = 0.2 if time.monotonic() - began > _MAX_DELAY else min(delay * 2, _MAX_DELAY)
            time.sleep(delay)

    def notify_changes(self) -> None:
        """Notify the client that the lists may have changed (handshake era)."""
        for method, capability, _ in CHANGES:
            offered = self.capabilities.get(capability)
            if isinstance(offered, dict) and offered.get("listChanged"):
                self.output.emit(encode({"jsonrpc": "2.0", "method": method}))

    def close(self, running: list[object]) -> None:
        """Cancel the running requests with these ids and end the session (handshake era).

        In the modern era a request ends with its connection.
        """
        link, self.link = self.link, None
        if link is None or not link.session:
            return
        try:
            wire = self._wire(link.endpoint)
            wire.socket.settimeout(CLOSE_SECONDS)
            for request_id in running:
                params = {"requestId": request_id, "reason": "the client has quit"}
                wire.send(link.post_raw(encode({"jsonrpc": "2.0", "method": CANCELLED, "params": params})))
                wire.read_body(wire.read_head())
            wire.send(link.delete_request())
            wire.read_head()
            wire.close()
        except OSError as error:
            debug(f"the session was not ended: {error}")
