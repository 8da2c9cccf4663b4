"""Thread of the proxy with its own loop; only immutable values cross its border (docs/architecture.md, decision 4)."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import socket
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from msgspec.structs import replace

from toolnote_desktop.error_messages import english
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import UNEXPECTED, Code, Problem, ToolnoteError
from toolnote_desktop.paths import DEFAULT_PORT, Home
from toolnote_desktop.proxy.aio.aligned_timer import delay_to_next_tick
from toolnote_desktop.proxy.events import (
    ConnectedClient,
    Decision,
    Endpoint,
    EndpointFailed,
    EndpointReady,
    PageAction,
    ProxyEvent,
    ToolAnswer,
)
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.home_lock import HomeOwner
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore

if TYPE_CHECKING:
    from toolnote_desktop.proxy.endpoint.web_server import WebServer
    from toolnote_desktop.proxy.proxy import Proxy

logger = logging.getLogger(__name__)

RESTORE_SECONDS = 6.0
"""Interval of checks that ``run/endpoint.json`` is still there (``HomeOwner.restore``)."""


def _ignore(event: ProxyEvent) -> None:
    del event


class ProxyThread:
    """Runs the proxy in a thread of its own until ``stop``.

    Args:
        owner: writes ``run/endpoint.json`` as soon as the proxy accepts requests.
        port: None for the one in the settings, else 8377; 0 for a free one. A port that is taken is replaced by a free
            one, with ``Endpoint.problem``.
        toolset: value of ``serve --toolset``.
        token: the run's own token; None for a new one.
        secrets: secrets of this process; None to open them.
        listener: called in the proxy's thread; must return quickly.
        has_window: the listener shows the user ``ApprovalQuestion``; without a window the clients do.

    Attributes:
        ready: done when the proxy accepts requests, or could not start.
    """

    def __init__(
        self,
        library: Library,
        home: Home,
        *,
        owner: HomeOwner | None = None,
        port: int | None = None,
        toolset: str | None = None,
        token: str | None = None,
        secrets: SecretStore | None = None,
        listener: Callable[[ProxyEvent], None] = _ignore,
        has_window: bool = False,
    ) -> None:
        self._library = library
        self._home = home
        self._owner = owner
        self._port = port
        self._toolset = toolset
        self._token = token
        self._secrets = secrets if secrets is not None else SecretStore.of(library)
        self._listener = listener
        self._has_window = has_window
        self.ready: concurrent.futures.Future[Endpoint] = concurrent.futures.Future()
        self._thread = threading.Thread(target=self._run, name="toolnote-proxy", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._stop_requested = threading.Event()
        self._proxy: Proxy | None = None

    def start(self) -> None:
        """Start the thread, without waiting."""
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> bool:
        """Stop the proxy and its servers; return True if they ended within ``timeout`` seconds."""
        self._stop_requested.set()
        self._post(self._set_stopping)
        if self._thread.ident is not None:
            self._thread.join(timeout)
        ended = not self._thread.is_alive()
        if not ended and self._proxy is not None:
            logger.warning("the proxy did not stop within %.1f seconds: its servers are killed", timeout)
            self._proxy.upstreams.kill()
        return ended

    def restart_server(self, server: str) -> None:
        """Restart a server's connection."""
        self._post_to_proxy(lambda proxy: proxy.upstreams.restart(server))

    def read_dialects(self) -> None:
        """Read the dialects anew, and serve by them."""
        self._post_to_proxy(lambda proxy: proxy.spawn_read_dialects())

    def sign_in(self, server: str) -> None:
        """Begin a sign-in to a server; the listener gets ``SignInProgress``."""
        self._post_to_proxy(lambda proxy: proxy.sign_in(server))

    def cancel_sign_in(self, server: str) -> None:
        """Cancel the sign-in to a server."""
        self._post_to_proxy(lambda proxy: proxy.cancel_sign_in(server))

    def sign_out(self, server: str) -> None:
        """Delete the tokens for a server; the listener gets ``SignInProgress``."""
        self._post_to_proxy(lambda proxy: proxy.sign_out(server))

    def answer_page(self, number: int, action: PageAction) -> None:
        """Take the user's answer to a page that a server wants opened."""
        self._post_to_proxy(lambda proxy: proxy.answer_page(number, action))

    def answer_approval(self, question: int, decision: Decision) -> None:
        """Answer the question about a call (``ApprovalQuestion``)."""
        self._post_to_proxy(lambda proxy: proxy.approvals.answer(question, decision))

    def take_back_allowed(self, client: str, key: ToolKey) -> None:
        """Ask again about the calls of a tool that were allowed for a client's sessions (``SessionsAllowed``)."""
        self._post_to_proxy(lambda proxy: proxy.approvals.take_back(client, key))

    def call_tool(self, key: ToolKey, arguments: JsonObject) -> concurrent.futures.Future[ToolAnswer]:
        """Call a tool for the window; cancelling the future cancels the call.

        Raises:
            RuntimeError: the proxy is not running.
        """
        if self._proxy is None or self._loop is None:
            raise RuntimeError("the proxy is not running")
        call = self._proxy.trials.call_tool(key, arguments)
        try:
            return asyncio.run_coroutine_threadsafe(call, self._loop)
        except RuntimeError:  # the loop has closed meanwhile
            call.close()
            raise

    def shown(self, window: bool, page: str | None) -> None:
        """Record what the window shows (see ``HealthMonitor.shown``)."""
        self._post_to_proxy(lambda proxy: proxy.health.set_visible(window, page))

    def server_log(self, server: str) -> tuple[tuple[float, str], ...]:
        """Return the newest lines of a server's log with their times, with secrets masked."""
        upstream = self._proxy.upstreams.get(server) if self._proxy is not None else None
        return upstream.log.timed_tail() if upstream is not None else ()

    def lost_calls(self) -> int:
        """Return the number of calls that could not be recorded since the last that was."""
        return self._proxy.recorder.lost_calls if self._proxy is not None else 0

    def worked_example(self, key: ToolKey) -> JsonObject | None:
        """Return arguments with which a tool worked right after it had failed in the same session; None if unknown."""
        return self._proxy.recorder.worked_example(key) if self._proxy is not None else None

    def clients(self) -> tuple[ConnectedClient, ...]:
        """Return the connected clients, as last reported to the listener."""
        return self._proxy.connected if self._proxy is not None else ()

    def _post_to_proxy(self, action: Callable[[Proxy], None]) -> None:
        proxy = self._proxy
        if proxy is not None:
            self._post(lambda: action(proxy))

    def _post(self, action: Callable[[], None]) -> None:
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has closed meanwhile
                loop.call_soon_threadsafe(action)

    def _set_stopping(self) -> None:
        assert self._stopping is not None
        self._stopping.set()

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=_new_loop) as runner:
                runner.run(self._main())
        except Exception as error:
            # The boundary of the thread: the listener and the future get the problem, the log the reason.
            logger.exception("the proxy has stopped")
            self._listener(EndpointFailed(Problem(Code.PROXY_FAILED, {"reason": UNEXPECTED})))
            if not self.ready.done():
                self.ready.set_exception(error)

    async def _main(self) -> None:
        from toolnote_desktop.proxy.proxy import Proxy

        self._stopping = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        if self._stop_requested.is_set():
            self._stopping.set()
        wanted = self._port if self._port is not None else self._library.snapshot.settings.port
        listening, problem = _listen(DEFAULT_PORT if wanted is None else wanted)
        port: int = listening.getsockname()[1]
        activity = ActivityLog(self._home, lambda: self._library.snapshot.settings.activity_days, self._library.audit)
        with listening, contextlib.closing(activity):
            proxy = self._proxy = Proxy(
                self._library,
                self._home,
                activity,
                token=self._token,
                toolset=self._toolset,
                port=port,
                keychain=self._secrets,
                listener=self._listener,
                has_window=self._has_window,
            )
            endpoint = Endpoint(proxy.url, port, proxy.access.token, proxy.access.bridge_secret, problem)
            servers = asyncio.create_task(proxy.upstreams.run(), name="servers")
            try:
                with proxy.following_library():
                    # Imported in a thread while the servers' programs start.
                    module = await asyncio.to_thread(import_module, "toolnote_desktop.proxy.endpoint.web_server")
                    server: WebServer = module.WebServer(proxy.app)
                    async with proxy.running():
                        web = asyncio.create_task(server.serve_on(listening), name="endpoint")
                        listening_announced = asyncio.create_task(self._announce(server, endpoint))
                        restoring = asyncio.create_task(self._restore_endpoint_file())
                        stopping = asyncio.create_task(self._stopping.wait())
                        await asyncio.wait((web, servers, stopping), return_when=asyncio.FIRST_COMPLETED)
                        listening_announced.cancel()
                        stopping.cancel()
                        restoring.cancel()
                        await proxy.stored_sessions.close()
                        await proxy.sdk.end_streams()
                        server.stop()
                        await web
            finally:
                servers.cancel()
                await asyncio.gather(servers, return_exceptions=True)
                await proxy.close()
        if servers.done() and not servers.cancelled() and (error := servers.exception()) is not None:
            raise error

    async def _announce(self, server: WebServer, endpoint: Endpoint) -> None:
        await server.listening.wait()
        if self._owner is not None:
            try:
                self._owner.write_endpoint(endpoint.url, endpoint.bridge_secret)
            except ToolnoteError as error:  # a full disk, say: clients with the address are served all the same
                logger.warning("bridges will find this process later: %s", english(error.problem))
                endpoint = replace(endpoint, problem=endpoint.problem or error.problem)
        self.ready.set_result(endpoint)
        self._listener(EndpointReady(endpoint))

    async def _restore_endpoint_file(self) -> None:
        while self._owner is not None:
            await asyncio.sleep(delay_to_next_tick(RESTORE_SECONDS))
            await asyncio.to_thread(self._owner.restore)


def _new_loop() -> asyncio.AbstractEventLoop:
    # Chosen here, so that no event loop policy of another library applies.
    if sys.platform == "win32":
        return asyncio.ProactorEventLoop()
    try:
        import uvloop
    except ImportError:  # no wheel for this system
        return asyncio.SelectorEventLoop()
    return uvloop.new_event_loop()


def _listen(port: int) -> tuple[socket.socket, Problem | None]:
    """Return a listening loopback socket on ``port``; if that is taken, one on a free port and the problem."""
    try:
        return _bind(port), None
    except OSError:
        free = _bind(0)
        other = str(free.getsockname()[1])
        return free, Problem(Code.PORT_TAKEN, {"port": str(port), "other": other})


def _bind(port: int) -> socket.socket:
    # asyncio disables Nagle's algorithm (44 ms a call) only if the protocol is given (docs/dependencies.md).
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen(128)
    except BaseException:
        listening.close()
        raise
    return listening
