"""Sessions and streams of all clients, and the way to the SDK's server for what nobody here answers (docs/architecture.md).

The SDK is imported when it is needed for the first time, in a thread beside the loop: what clients usually say is
answered without it, and its import takes half a second and thirty megabytes (``sdk_fallback.py``).
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint.asgi import Receive, Scope, Send
from toolnote_desktop.proxy.endpoint.auth import Headers
from toolnote_desktop.proxy.endpoint.event_streams import Streams
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.principal import Principal

if TYPE_CHECKING:
    from toolnote_desktop.proxy.endpoint.sdk_fallback import SdkFallback

MOST_SESSIONS = 2500
"""Of one token. A client that never ends its sessions begins some dozens a day."""

Watching = Callable[[Principal, JsonObject, list[str]], AbstractAsyncContextManager[list[str]]]
"""``watching(principal, meta, uris)``: while inside, updates of those resources are published; gives those that are."""

logger = logging.getLogger(__name__)


class ClientSessions:
    """See the module. All methods are for the proxy's loop.

    Args:
        watching: makes ``subscriptions/listen`` hear of resources.
        sessions_changed: a session or a stream has come or gone.
        session_ended: this session has gone.
        instructions: what a caller is told of the server as a whole.
    """

    def __init__(
        self,
        watching: Watching,
        sessions_changed: Callable[[], None],
        session_ended: Callable[[Session], None],
        instructions: Callable[[Principal], str | None],
    ) -> None:
        self.instructions = instructions
        self.watching = watching
        self.changed = sessions_changed
        self.streams = Streams(sessions_changed)
        self.sessions: dict[bytes, Session] = {}
        self._session_ended = session_ended
        self._wanted = asyncio.Event()
        self._loaded: asyncio.Future[SdkFallback] = asyncio.get_running_loop().create_future()
        self._app: SdkFallback | None = None

    # -- the SDK itself -----------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Own the SDK's server until cancelled, from when it is wanted for the first time."""
        await self._wanted.wait()
        try:
            module: Any = await asyncio.to_thread(
                importlib.import_module, "toolnote_desktop.proxy.endpoint.sdk_fallback"
            )
            app: SdkFallback = module.SdkFallback(self)
            async with app.manager.run():
                self._app = app
                self._loaded.set_result(app)
                await asyncio.get_running_loop().create_future()
        except Exception as error:
            # The boundary: the server cannot be had, so whoever waits for it is told, and the rest goes on.
            logger.exception("the SDK's server could not be started")
            if not self._loaded.done():
                self._loaded.set_exception(error)
                self._loaded.exception()  # seen: perhaps nobody waits

    async def load(self) -> SdkFallback:
        """The SDK's server, imported now if nobody needed it before."""
        self._wanted.set()
        return await asyncio.shield(self._loaded)

    async def handle(self, scope: Scope, receive: Receive, send: Send, headers: Headers, principal: Principal) -> None:
        """Let the SDK's server answer a request that was checked."""
        app = await self.load()
        session = self.find_session(headers.get(b"mcp-session-id"), principal)
        await app.handle(scope, receive, send, principal, session)

    # -- sessions -----------------------------------------------------------------------------------------------------

    def open_session(
        self,
        principal: Principal,
        client_info: JsonObject,
        capabilities: JsonObject,
        *,
        opening: bytes = b"",
        session_id: str | None = None,
    ) -> Session:
        """A client has introduced itself; ``session_id`` is given where the SDK's server has answered it."""
        session = Session(principal, client_info, capabilities, session_id or uuid4().hex, opening)
        self.sessions[session.session_id.encode("ascii")] = session
        self.changed()
        return session

    async def make_room(self, principal: Principal, is_busy: Callable[[Session], bool]) -> None:
        """One token cannot fill the memory with sessions: where it has too many, the one not used for longest ends.

        Its client, if it still is there, is told 404 and begins another. One that is in use ends as the last.
        """
        own = self.sessions_of(principal) if len(self.sessions) >= MOST_SESSIONS else []
        if len(own) >= MOST_SESSIONS:
            await self.end_session(min(own, key=lambda one: (is_busy(one), self.streams.is_open(one), one.last_use)))

    def find_session(self, session_id: bytes | None, principal: Principal) -> Session | None:
        """An initialized session by the id in a header, if it belongs to ``principal``."""
        if session_id is None:
            return None
        session = self.sessions.get(session_id)
        return session if session is not None and session.principal == principal else None

    def is_opening(self, session_id: bytes) -> bool:
        """Whether the SDK's server has a session of this id that is not introduced yet."""
        return self._app is not None and session_id not in self.sessions and self._app.knows(session_id)

    def has_counterpart(self, session: Session) -> bool:
        """Whether something of this session may be under way in the SDK's server."""
        return self._app is not None and self._app.has(session)

    def forget(self, session: Session) -> None:
        """A session is over."""
        if self.sessions.pop(session.session_id.encode("ascii"), None) is not None:
            session.ended = True
            self._session_ended(session)
            self.changed()

    async def end_session(self, session: Session) -> None:
        """End a session, here and in the SDK's server."""
        self.forget(session)
        if self._app is not None:
            await self._app.discard(session)

    async def end_idle_sessions(self, idle: float, is_busy: Callable[[Session], bool]) -> None:
        """End every session that nobody has used for ``idle`` seconds and that has no stream open."""
        horizon = time.monotonic() - idle
        for session in list(self.sessions.values()):
            if session.last_use <= horizon and not is_busy(session) and not self.streams.is_open(session):
                await self.end_session(session)

    def sessions_of(self, principal: Principal) -> list[Session]:
        """The sessions of a caller."""
        return [session for session in self.sessions.values() if session.principal == principal]

    # -- streams ------------------------------------------------------------------------------------------------------

    def listening(self) -> list[Principal]:
        """Who has an open ``subscriptions/listen`` stream."""
        return self._app.listening() if self._app is not None else []

    async def announce(self, principal: Principal, kind: str) -> None:
        """Tell every connection of a caller that one of its lists changed; none waits for another."""
        for session in self.sessions_of(principal):
            self.streams.tell(session, f"notifications/{kind}/list_changed", None)
        if self._app is not None:
            await self._app.list_changed(principal, kind)

    async def resource_updated(self, principal: Principal, uri: str) -> None:
        """Tell the streams of a caller that named this URI that the resource has changed."""
        if self._app is not None:
            await self._app.resource_updated(principal, uri)

    async def end_streams(self) -> None:
        """End every open stream, so that the web server has nothing to wait for (docs/dependencies.md)."""
        self.streams.end_all()
        if self._app is not None:
            await self._app.end_streams()
