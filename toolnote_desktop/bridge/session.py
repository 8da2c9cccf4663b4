"""The bridge's way to the app: found, lost when the app goes, sought, and joined again on the client's behalf."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Protocol

from toolnote_desktop.bridge.app_discovery import AppEndpoint, endpoint_stamp, missing_toolset, read_endpoint, start_app
from toolnote_desktop.bridge.http_client import DroppedError, EndpointConnection, Events, Owner, Wire, is_response
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
    result_of,
    say,
)
from toolnote_desktop.paths import Home

if TYPE_CHECKING:
    import subprocess

START_SECONDS = 30.0  # for the app to come up after we started it
EXIT_SECONDS = 2.0  # the app that we started ended badly: perhaps another one has the lock and comes up
RETURN_SECONDS = 3.0  # for the app to come back before requests are answered with "closed"
WATCH_SECONDS = 1.0  # between looks for an app that was closed
GOODBYE_SECONDS = 1.0  # for the app to take note that the client is gone
_LOOK_SECONDS = 0.05
_MOST_DELAY = 5.0


class Traffic(Owner, Protocol):
    """Who has the client's messages."""

    def linked(self) -> None:
        """The app is there: send what waits."""

    def unlinked(self) -> None:
        """The app did not come: answer what waits."""


class Session:
    """Where the app is, and what the client's session with it began with.

    Three states: linked (``link`` is there), seeking (messages wait), neither (they are answered with ``failure``).
    ``lock`` guards the changes between them, and whoever decides by them.
    """

    def __init__(self, home: Home, sign_in: Credentials, output: Output, traffic: Traffic) -> None:
        self.home = home
        self.sign_in = sign_in
        self.output = output
        self.traffic = traffic
        self.lock = threading.Lock()
        self.link: ServerLink | None = None
        self.seeking = False
        self.failure = ""
        self.ever_linked = False
        # The client's `initialize`, to begin again with after a restart of the app (handshake era).
        self.introduction: HttpExchange | None = None
        self.initialized = False
        self.capabilities: dict[str, object] = {}
        # Requests whose effect lasts as long as a session, by what they set: said again in the next one.
        self.standing: dict[str, bytes] = {}
        self._deadline = 0.0
        self._nudge = threading.Event()
        self._bad_stamp: tuple[int, int] | None = None

    # -- found and lost -----------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Link to the app; where none runs, start it."""
        endpoint = read_endpoint(self.home)
        if endpoint is None or not self._join(endpoint):
            self._seek_for(START_SECONDS)
            threading.Thread(target=self._seek, name="toolnote-seek", daemon=True).start()

    def lose(self, link: ServerLink) -> None:
        """A link is of no use any more: look for the app, unless somebody does so already."""
        with self.lock:
            if self.link is not link:
                return
            self.link = None
            self._seek_for(RETURN_SECONDS)
        debug("the app is gone, or does not know us any more")
        if link.stream is not None:
            link.stream.end()
        threading.Thread(target=self._seek, name="toolnote-seek", daemon=True).start()

    def hopeless(self) -> bool:
        """Whether there is nobody to send to, after a look whether the app has just come back. Hold ``lock``."""
        if self.link is None and not self.seeking and endpoint_stamp(self.home) not in (None, self._bad_stamp):
            self._seek_for(RETURN_SECONDS)
            self._nudge.set()
        return self.link is None and not self.seeking

    def _seek_for(self, seconds: float) -> None:
        self.seeking = True
        self._deadline = time.monotonic() + seconds

    def _seek(self) -> None:
        """Look for the app until we are linked to it. Only a bridge that never was linked starts it (docs/contract.md 4)."""
        process: subprocess.Popen[bytes] | None = None
        reason, may_start = "", not self.ever_linked
        while True:
            endpoint = read_endpoint(self.home)
            if endpoint is not None and self._join(endpoint):
                return
            if endpoint is None and may_start:
                may_start = False
                say("Toolnote is not running: starting it")
                try:
                    process = start_app(self.home)
                except OSError as error:
                    reason = f" ({error})"
                    self._deadline = 0.0
            if process is not None and process.poll():
                reason = f" (it ended with status {process.returncode})"
                self._deadline = min(self._deadline, time.monotonic() + EXIT_SECONDS)
                process = None
            if self.seeking and time.monotonic() > self._deadline:
                self._give_up(CLOSED if self.ever_linked else NOT_STARTED.format(reason=reason))
            self._nudge.wait(_LOOK_SECONDS if self.seeking else WATCH_SECONDS)
            self._nudge.clear()

    def _give_up(self, failure: str) -> None:
        with self.lock:
            self.seeking = False
            self.failure = failure
            self._bad_stamp = endpoint_stamp(self.home)
        say(failure)
        self.traffic.unlinked()

    def _join(self, endpoint: AppEndpoint) -> bool:
        """Link to a running app and, if the client had a session, begin one anew on its behalf."""
        link = ServerLink(endpoint, self.sign_in)
        introduction = self.introduction
        try:
            if introduction is not None:
                self._introduce(link, introduction)
            else:
                link.idle.append(EndpointConnection(self.traffic, endpoint.host, endpoint.port, link.idle))
        except (OSError, ValueError) as error:
            debug(f"not linked: {error}")
            return False
        with self.lock:
            again, self.ever_linked = self.ever_linked, True
            self.link, self.seeking = link, False
        debug(f"linked to {endpoint.authority}")
        wanted = self.sign_in.toolset
        if not again and wanted is not None and (told := missing_toolset(self.home, wanted)) is not None:
            say(told)  # into the client's log: whoever wrote its configuration looks there
        if introduction is not None and self.initialized:
            if again:
                self.tell_changes()
            self.follow(link)
        self.traffic.linked()
        return True

    def _introduce(self, link: ServerLink, introduction: HttpExchange) -> None:
        """Say `initialize` and `initialized` as the client did; it knows the answer and is not shown another.

        Raises:
            OSError: it did not work out.
            ValueError: the app's answer is no answer.
        """
        message = json.loads(introduction.raw) | {"id": "toolnote-bridge"}
        wire = Wire(link.endpoint.host, link.endpoint.port)
        try:
            wire.socket.settimeout(RETURN_SECONDS)
            wire.send(link.post_raw(encode(message), b""))
            head = wire.head()
            events, answers = Events(), []
            for piece in wire.pieces(head):
                answers += [m for m in events.feed(piece) if is_response(m)] if head.is_stream else [piece]
            result = result_of(b"".join(answers))
            if head.status != 200 or result is None:
                raise DroppedError(f"no session: status {head.status}")
            link.opened(head.get(b"mcp-session-id"), result.get("protocolVersion"))
            initialized = [encode({"jsonrpc": "2.0", "method": INITIALIZED})] if self.initialized else []
            for raw in [*initialized, *self.standing.values()]:
                wire.send(link.post_raw(raw))
                wire.body(wire.head())
        finally:
            wire.close()

    # -- what the app says by itself ----------------------------------------------------------------------------------

    def follow(self, link: ServerLink) -> None:
        """Keep the stream open on which the app speaks by itself (handshake era), for as long as the link lasts."""
        threading.Thread(target=self._follow, args=(link,), name="toolnote-stream", daemon=True).start()

    def _follow(self, link: ServerLink) -> None:
        delay, opened = 0.2, False
        while self.link is link:
            began = time.monotonic()
            try:
                wire = link.stream = Wire(link.endpoint.host, link.endpoint.port)
            except OSError:
                self.lose(link)
                return
            try:
                wire.send(link.get())
                head = wire.head()
                if head.status == 200 and head.is_stream:
                    if opened:
                        self.tell_changes()  # what was said in between is gone
                    opened, events = True, Events()
                    for piece in wire.pieces(head):
                        for message in events.feed(piece):
                            self.output.emit(message)
                elif head.status in (401, 404):
                    self.lose(link)
                    return
                elif head.status != 409:
                    return  # no such stream here
            except OSError as error:
                debug(f"the stream ended: {error}")
            finally:
                wire.close()
            delay = 0.2 if time.monotonic() - began > _MOST_DELAY else min(delay * 2, _MOST_DELAY)
            time.sleep(delay)

    def tell_changes(self) -> None:
        """The lists may differ from what the client knows (handshake era)."""
        for method, capability, _ in CHANGES:
            offered = self.capabilities.get(capability)
            if isinstance(offered, dict) and offered.get("listChanged"):
                self.output.emit(encode({"jsonrpc": "2.0", "method": method}))

    def finish(self, running: list[object]) -> None:
        """End the session with the app, and the requests with these ids that still run in it (handshake era).

        In the modern era a request ends with its connection.
        """
        link, self.link = self.link, None
        if link is None or not link.session:
            return
        try:
            wire = Wire(link.endpoint.host, link.endpoint.port)
            wire.socket.settimeout(GOODBYE_SECONDS)
            for request_id in running:
                params = {"requestId": request_id, "reason": "the client has ended"}
                wire.send(link.post_raw(encode({"jsonrpc": "2.0", "method": CANCELLED, "params": params})))
                wire.body(wire.head())
            wire.send(link.delete())
            wire.head()
            wire.close()
        except OSError as error:
            debug(f"the session was not ended: {error}")
