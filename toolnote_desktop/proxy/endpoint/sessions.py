"""Sessions of all clients of the handshake era, and the event streams that belong to them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from uuid import uuid4

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint.event_streams import EventStreams
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.principal import Principal


class ClientSessions:
    """Open sessions by the id in their ``Mcp-Session-Id`` header. Used on the proxy's loop only.

    Attributes:
        streams: event streams (GET) of the sessions.
        restorer: returns a session of an earlier run, opened again.
    """

    def __init__(self) -> None:
        self.streams = EventStreams(self.notify_changed)
        self.restorer: Callable[[bytes, Principal], Session | None] | None = None
        self._sessions: dict[bytes, Session] = {}
        self._of: dict[Principal, dict[bytes, Session]] = {}
        self._on_open: list[Callable[[Session], object]] = []
        self._on_change: list[Callable[[], None]] = []
        self._notifying: asyncio.Handle | None = None
        self._on_end: list[Callable[[Session], None]] = [self.streams.end]

    def on_open(self, callback: Callable[[Session], object]) -> None:
        """Call ``callback`` with each session that is opened, at once."""
        self._on_open.append(callback)

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` when a session or a stream has been opened or has ended: once in a turn of the loop.

        What it does takes as long as there are sessions, and thousands of them may end at once.
        """
        self._on_change.append(callback)

    def on_end(self, callback: Callable[[Session], None]) -> None:
        """Call ``callback`` with each session that has ended."""
        self._on_end.append(callback)

    def notify_changed(self) -> None:
        """Call the callbacks of ``on_change`` soon."""
        if self._notifying is None:
            self._notifying = asyncio.get_running_loop().call_soon(self._notify_changed)

    def _notify_changed(self) -> None:
        self._notifying = None
        for callback in self._on_change:
            callback()

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    def __len__(self) -> int:
        return len(self._sessions)

    def __contains__(self, session_id: bytes) -> bool:
        return session_id in self._sessions

    def of(self, principal: Principal) -> list[Session]:
        """Return the sessions of a caller, oldest first."""
        return list(self._of.get(principal, {}).values())

    def has(self, principal: Principal) -> bool:
        """Return True if a caller has a session."""
        return principal in self._of

    def find(self, session_id: bytes | None, principal: Principal) -> Session | None:
        """Return the session with the id of a header; None if there is none that belongs to ``principal``."""
        if session_id is None:
            return None
        session = self._sessions.get(session_id)
        if session is None and self.restorer is not None:
            session = self.restorer(session_id, principal)
        return session if session is not None and session.principal == principal else None

    def open(
        self,
        principal: Principal,
        client_info: JsonObject,
        capabilities: JsonObject,
        *,
        opening: bytes = b"",
        session_id: str | None = None,
    ) -> Session:
        """Add a session; ``session_id`` is given if the SDK's server has opened it."""
        session = Session(principal, client_info, capabilities, session_id or uuid4().hex, opening)
        key = session.session_id.encode("ascii")
        self._sessions[key] = self._of.setdefault(principal, {})[key] = session
        for callback in self._on_open:
            callback(session)
        self.notify_changed()
        return session

    def remove(self, session: Session) -> None:
        """Remove a session that has ended, if it is still here."""
        key = session.session_id.encode("ascii")
        if self._sessions.pop(key, None) is not None:
            left = self._of[session.principal]
            del left[key]
            if not left:
                del self._of[session.principal]
            session.ended = True
            for callback in self._on_end:
                callback(session)
            self.notify_changed()
