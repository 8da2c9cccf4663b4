"""Loader of the SDK's server, which answers what nothing else here does (``sdk_fallback.py``).

The SDK is imported on first use, in a thread beside the loop: usual clients never need it, and its import takes half a
second and thirty megabytes.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from toolnote_desktop import gc_policy
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint.asgi import Receive, Scope, Send
from toolnote_desktop.proxy.endpoint.headers import Headers
from toolnote_desktop.proxy.endpoint.listen_streams import ListenStreams
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import Era

if TYPE_CHECKING:
    from toolnote_desktop.proxy.endpoint.sdk_fallback import SdkFallback

MAX_SESSIONS = 2500
"""Maximum number of sessions of one token. A client that never ends its sessions begins some dozens a day."""

logger = logging.getLogger(__name__)


class SdkLoader:
    """The SDK's server, loaded on first use, with sessions that begin and end together with ours.

    Used on the proxy's loop only.

    Args:
        introduction: returns the instructions for a caller of an era and the capabilities that its servers add;
            given the client's own capabilities.
    """

    def __init__(
        self,
        sessions: ClientSessions,
        listen_streams: ListenStreams,
        introduction: Callable[[Principal, Era, JsonObject], JsonObject],
    ) -> None:
        self._sessions = sessions
        self._listen_streams = listen_streams
        self._introduction = introduction
        self._requested = asyncio.Event()
        self._loaded: asyncio.Future[SdkFallback] = asyncio.get_running_loop().create_future()
        self._server: SdkFallback | None = None

    async def run(self) -> None:
        """Wait for the first use, then run the SDK's server until cancelled."""
        await self._requested.wait()
        try:
            # Named as text and imported in a thread: an import statement would run on the loop.
            module: Any = await asyncio.to_thread(import_module, "toolnote_desktop.proxy.endpoint.sdk_fallback")
            gc_policy.keep_import()
            server: SdkFallback = module.SdkFallback(self._sessions, self._introduction)
            async with server.manager.run():
                self._server = server
                self._loaded.set_result(server)
                await asyncio.get_running_loop().create_future()
        except Exception as error:
            # The boundary to the SDK: requests that wait for it get the error, all others are served as before.
            logger.exception("the SDK's server could not be started")
            if not self._loaded.done():
                self._loaded.set_exception(error)
                self._loaded.exception()  # retrieved, so that asyncio does not log it again

    async def load(self) -> SdkFallback:
        """Return the SDK's server, imported now if it was not needed before."""
        self._requested.set()
        return await asyncio.shield(self._loaded)

    async def handle(self, scope: Scope, receive: Receive, send: Send, headers: Headers, principal: Principal) -> None:
        """Have the SDK's server answer a request whose access was checked."""
        server = await self.load()
        session = self._sessions.find(headers.get(b"mcp-session-id"), principal)
        await server.handle(scope, receive, send, principal, session)

    # -- sessions -----------------------------------------------------------------------------------------------------

    def is_opening(self, session_id: bytes) -> bool:
        """Return True if the SDK's server has a session with this id whose ``initialize`` is not done yet."""
        return self._server is not None and session_id not in self._sessions and self._server.knows(session_id)

    def has_counterpart(self, session: Session) -> bool:
        """Return True if the SDK's server may have requests of this session in flight."""
        return self._server is not None and self._server.has(session)

    async def end_session(self, session: Session) -> None:
        """End a session, here and in the SDK's server."""
        self._sessions.remove(session)
        if self._server is not None:
            await self._server.discard(session)

    async def make_room(self, principal: Principal, is_busy: Callable[[Session], bool]) -> None:
        """End the least recently used session of a token that has ``MAX_SESSIONS``, so that it cannot fill the memory.

        Its client gets a 404 and begins another one. Busy sessions and those with an open stream end last.
        """
        own = self._sessions.of(principal) if len(self._sessions) >= MAX_SESSIONS else []
        if len(own) >= MAX_SESSIONS:
            streams = self._sessions.streams
            await self.end_session(min(own, key=lambda one: (is_busy(one), streams.is_open(one), one.last_use)))

    async def end_idle_sessions(self, idle: float, is_busy: Callable[[Session], bool]) -> None:
        """End sessions without a request in the last ``idle`` seconds, unless they are busy or have an open stream."""
        horizon = time.monotonic() - idle
        for session in self._sessions:
            if session.last_use <= horizon and not is_busy(session) and not self._sessions.streams.is_open(session):
                await self.end_session(session)

    # -- streams ------------------------------------------------------------------------------------------------------

    def listening(self) -> list[Principal]:
        """Return the callers with an open ``subscriptions/listen`` stream."""
        return self._listen_streams.listening()

    async def notify_list_changed(self, principal: Principal, kind: str) -> None:
        """Notify all connections of a caller that its list of this kind (``protocol.TOOLS`` …) has changed."""
        for session in self._sessions.of(principal):
            self._sessions.streams.notify(session, f"notifications/{kind}/list_changed", None)
        self._listen_streams.notify_list_changed(principal, kind)

    async def end_streams(self) -> None:
        """End all open streams: the web server waits for them when it shuts down (docs/dependencies.md)."""
        self._sessions.streams.end_all()
        self._listen_streams.end_all()
        if self._server is not None:
            await self._server.end_streams()
