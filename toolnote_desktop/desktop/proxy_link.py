"""Link between the window and other threads, whose events become Qt signals in the window's thread.

The only module of the window that imports the proxy, in :meth:`ProxyLink.start`, after the first paint
(docs/architecture.md, decision 4). Values that cross threads are immutable.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from toolnote_desktop.desktop import messages
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.servers import Server, ServerStatus
from toolnote_desktop.model.toolsets.notes import USER
from toolnote_desktop.paths import DEFAULT_PORT, Home, endpoint_url
from toolnote_desktop.store.library import Change, Library
from toolnote_desktop.store.secrets.removed_servers import RemovedServers
from toolnote_desktop.store.secrets.store import SecretStore

if TYPE_CHECKING:
    from toolnote_desktop.proxy.events import AllowedForSession as AllowedForSession  # noqa: PLC0414 - as below
    from toolnote_desktop.proxy.events import ApprovalQuestion as ApprovalQuestion  # noqa: PLC0414 - as below
    from toolnote_desktop.proxy.events import ConnectedClient as ConnectedClient  # noqa: PLC0414 - as below
    from toolnote_desktop.proxy.events import Endpoint, PageAction, ProxyEvent
    from toolnote_desktop.proxy.events import PageOffered as PageOffered  # noqa: PLC0414 - re-exported for the window
    from toolnote_desktop.proxy.events import ToolAnswer as ToolAnswer  # noqa: PLC0414 - re-exported for the dialogs
    from toolnote_desktop.proxy.thread import ProxyThread
    from toolnote_desktop.store.home_lock import HomeOwner

log = logging.getLogger(__name__)

BURST_SECONDS = 0.05
"""Interval in which changes made outside the window are merged (case C68)."""

FORGET_SECONDS = 0.5
"""Time limit for deleting secrets of removed servers; the next start deletes the rest."""

STOP_SECONDS = 3.0
"""Time limit for the proxy to stop; the whole app has five seconds (case C67)."""

TRY_SECONDS = 60.0
"""Time limit for trying a tool source, whose first start may download it."""


class ProxyLink(QObject):
    """Signals for proxy events and library changes, and methods for actions of the proxy.

    Signals:
        changed: a ``Change`` of the library. Changes of one origin that come in a burst are one. Always delivered by
            the event loop, never inside ``Library.submit``.
        clients_changed: a tuple of ``ConnectedClient``.
        endpoint_changed: the ``Endpoint`` that answers now.
        proxy_failed: the ``Problem`` for which there is no endpoint.
        sign_in_progress: the tool source, the stage (``SignInStage``), the URL for the browser, and a ``Problem`` or
            None.
        approval_asked: an ``ApprovalQuestion``: a call waits for the user. ``approval_closed``: the number of one that
            waits no more.
        sessions_allowed: ``allowed_for_sessions`` has changed.
        page_offered: a ``PageOffered``: a tool source asks the user to open a page that its assistant cannot show.
        page_withdrawn: the number of a page whose call is over.
        secrets_changed: a secret was set or removed here.
        secret_failed: an exception: a secret could not be removed.
        turned_off: the proxy was stopped by :meth:`turn_off`.
    """

    changed = Signal(object)
    clients_changed = Signal(object)
    endpoint_changed = Signal(object)
    proxy_failed = Signal(object)
    sign_in_progress = Signal(str, str, str, object)
    approval_asked = Signal(object)
    approval_closed = Signal(int)
    sessions_allowed = Signal()
    page_offered = Signal(object)
    page_withdrawn = Signal(int)
    secrets_changed = Signal()
    secret_failed = Signal(object)
    turned_off = Signal()

    _change_queued = Signal()
    _event_received = Signal(object)

    def __init__(
        self, library: Library, home: Home, owner: HomeOwner | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._library = library
        self.secrets = SecretStore.of(library)
        """Secrets of this home."""
        self._removed: RemovedServers | None = None
        self._home = home
        self._owner = owner
        self._proxy: ProxyThread | None = None
        self._endpoint: Endpoint | None = None
        self.allowed_for_sessions: tuple[AllowedForSession, ...] = ()
        """What the user has allowed for sessions that have not ended, the newest last."""
        self._visible: tuple[bool, str | None] = (False, None)
        self._lock = threading.Lock()
        self._pending: list[Change] = []
        self._delivered = 0.0
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._deliver)
        self._change_queued.connect(self._deliver_soon, Qt.ConnectionType.QueuedConnection)
        self._event_received.connect(self._handle, Qt.ConnectionType.QueuedConnection)
        messages.name_sources(library.snapshot)
        self._unsubscribe = library.subscribe(self._note_change)
        self._unsubscribe_secrets = self.secrets.subscribe(self.secrets_changed.emit)

    @property
    def home(self) -> Home:
        """Home folder of this app."""
        return self._home

    @property
    def endpoint(self) -> Endpoint | None:
        """Endpoint for assistants; None until the proxy answers."""
        return self._endpoint

    @property
    def url(self) -> str:
        """Address for assistants, also before the proxy answers."""
        if self._endpoint is not None:
            return self._endpoint.url
        return endpoint_url(self._library.snapshot.settings.port or DEFAULT_PORT)

    def start(self) -> None:
        """Start the proxy in its thread. Call it after the first paint."""
        from toolnote_desktop.proxy.thread import ProxyThread

        if self._proxy is None:
            self._proxy = ProxyThread(
                self._library,
                self._home,
                owner=self._owner,
                secrets=self.secrets,
                listener=self.deliver,
                has_window=True,
            )
            self._proxy.start()
            if self._removed is None:
                self._removed = RemovedServers(self._library, self.secrets)

    async def turn_off(self) -> None:
        """Stop the proxy with its servers until :meth:`start` is called again."""
        from toolnote_desktop.desktop.async_tasks import in_thread

        proxy, self._proxy = self._proxy, None
        self._endpoint = None
        if proxy is None:
            return
        self.turned_off.emit()
        if not await in_thread(proxy.stop, STOP_SECONDS):
            log.warning("the proxy has not ended in %.1f seconds", STOP_SECONDS)
        self.clients_changed.emit(self.clients())
        self._show_allowed(())

    def stop(self) -> None:
        """Stop the proxy with its servers, and emit nothing more. Waits at most ``STOP_SECONDS``."""
        self._unsubscribe()
        self._unsubscribe_secrets()
        self._timer.stop()
        if self._removed is not None:
            self._removed.close(FORGET_SECONDS)
        proxy, self._proxy = self._proxy, None
        if proxy is not None and not proxy.stop(STOP_SECONDS):
            log.warning("the proxy has not ended in %.1f seconds", STOP_SECONDS)

    def restart_server(self, server: str) -> None:
        """Restart a server's process or connection."""
        if self._proxy is not None:
            self._proxy.restart_server(server)

    def read_dialects(self) -> None:
        """Have the proxy read the dialects anew."""
        if self._proxy is not None:
            self._proxy.read_dialects()

    def report_visible(self, window: bool, page: str | None) -> None:
        """Report whether the window is visible, and the server whose page is open.

        Visible servers are checked within five seconds, others within a minute.
        """
        self._visible = (window, page)
        if self._proxy is not None:
            self._proxy.shown(window, page)

    def sign_in(self, server: str) -> None:
        """Sign in to a tool source; :attr:`sign_in_progress` reports how it goes."""
        if self._proxy is not None:
            self._proxy.sign_in(server)

    def cancel_sign_in(self, server: str) -> None:
        """Cancel the sign-in to a tool source."""
        if self._proxy is not None:
            self._proxy.cancel_sign_in(server)

    def sign_out(self, server: str) -> None:
        """Sign out of a tool source."""
        if self._proxy is not None:
            self._proxy.sign_out(server)

    def answer_approval(self, question: int, decision: str) -> None:
        """Answer the question about a call: ``once``, ``session`` or ``deny``."""
        from toolnote_desktop.proxy.events import Decision

        if self._proxy is not None:
            self._proxy.answer_approval(question, Decision(decision))

    def _show_allowed(self, allowed: tuple[AllowedForSession, ...]) -> None:
        self.allowed_for_sessions = allowed
        self.sessions_allowed.emit()

    def take_back_allowed(self, client: str, key: ToolKey) -> None:
        """Ask again about a tool's calls that the user has allowed for an assistant's sessions."""
        if self._proxy is not None:
            self._proxy.take_back_allowed(client, key)

    def answer_page(self, number: int, action: PageAction) -> None:
        """Answer a page that a tool source wants opened."""
        if self._proxy is not None:
            self._proxy.answer_page(number, action)

    @property
    def is_serving(self) -> bool:
        """True while the proxy answers, so that tools can be called."""
        return self._proxy is not None and self._endpoint is not None

    async def call_tool(self, key: ToolKey, arguments: JsonObject) -> ToolAnswer:
        """Call a tool for the user. Cancelling cancels the call at its server.

        Raises:
            RuntimeError: the proxy is not running (see :attr:`is_serving`).
        """
        import asyncio

        if self._proxy is None:
            raise RuntimeError("the proxy is not running")
        return await asyncio.wrap_future(self._proxy.call_tool(key, arguments))

    async def try_server(self, server: str, entry: Server) -> tuple[ServerStatus, int]:
        """Connect to a tool source by an entry that need not be stored; return its status and number of tools.

        Cancelling does not stop the attempt, which takes ``TRY_SECONDS`` at most.
        """
        import asyncio

        from toolnote_desktop.desktop.async_tasks import in_thread
        from toolnote_desktop.proxy.one_shot.list_servers import try_server

        return await in_thread(lambda: asyncio.run(try_server(server, entry, self.secrets, timeout=TRY_SECONDS)))

    def server_log(self, server: str) -> tuple[tuple[float, str], ...]:
        """Return the newest lines of a server's log without secrets, each with its time in seconds since the epoch."""
        return self._proxy.server_log(server) if self._proxy is not None else ()

    def lost_calls(self) -> int:
        """Return the number of calls that could not be recorded since the last that was."""
        return self._proxy.lost_calls() if self._proxy is not None else 0

    def worked_example(self, key: ToolKey) -> JsonObject | None:
        """Return arguments with which a tool worked right after it had failed in the same session; None if unknown."""
        return self._proxy.worked_example(key) if self._proxy is not None else None

    def clients(self) -> tuple[ConnectedClient, ...]:
        """Return the connected clients."""
        return self._proxy.clients() if self._proxy is not None else ()

    def deliver(self, event: ProxyEvent) -> None:
        """Deliver an event of the proxy, from any thread, through the event loop."""
        self._event_received.emit(event)

    def _note_change(self, change: Change) -> None:
        """Queue a change, in the thread that made it."""
        if change.snapshot.servers is not change.previous.servers:
            messages.name_sources(change.snapshot)
        with self._lock:
            self._pending.append(change)
            alone = len(self._pending) == 1
        if alone or change.origin.author == USER:
            self._change_queued.emit()

    def _deliver_soon(self) -> None:
        with self._lock:
            by_user = any(change.origin.author == USER for change in self._pending)
        wait = 0.0 if by_user else self._delivered + BURST_SECONDS - time.monotonic()
        if wait <= 0:
            self._timer.stop()
            self._deliver()
        elif not self._timer.isActive():
            self._timer.start(int(wait * 1000) + 1)

    def _deliver(self) -> None:
        with self._lock:
            pending, self._pending = self._pending, []
        self._delivered = time.monotonic()
        for change in merged(pending):
            self.changed.emit(change)

    def _handle(self, event: ProxyEvent) -> None:
        from toolnote_desktop.proxy.events import (
            ApprovalClosed,
            ApprovalQuestion,
            ClientsChanged,
            EndpointFailed,
            EndpointReady,
            PageOffered,
            PageWithdrawn,
            SessionsAllowed,
            SignInProgress,
        )

        match event:
            case EndpointReady(endpoint):
                self._endpoint = endpoint
                self.endpoint_changed.emit(endpoint)
                self.report_visible(*self._visible)  # reported before the proxy ran
            case EndpointFailed(problem):
                self._endpoint = None
                self.proxy_failed.emit(problem)
            case ClientsChanged(clients):
                self.clients_changed.emit(clients)
            case ApprovalQuestion():
                self.approval_asked.emit(event)
            case ApprovalClosed(number):
                self.approval_closed.emit(number)
            case SessionsAllowed(allowed):
                self._show_allowed(allowed)
            case PageOffered():
                self.page_offered.emit(event)
            case PageWithdrawn(number):
                self.page_withdrawn.emit(number)
            case SignInProgress():
                self.sign_in_progress.emit(event.server, str(event.stage), event.url, event.problem)


def merged(changes: list[Change]) -> list[Change]:
    """Merge neighbouring changes of one origin, in the order of their revisions, as listeners run in any thread."""
    result: list[Change] = []
    for change in sorted(changes, key=lambda one: one.snapshot.revision):
        if result and result[-1].origin == change.origin:
            last = result[-1]
            result[-1] = Change(
                snapshot=change.snapshot,
                previous=last.previous,
                origin=last.origin,
                edits=(*last.edits, *change.edits),
                inverse=(*change.inverse, *last.inverse),
            )
        else:
            result.append(change)
    return result
