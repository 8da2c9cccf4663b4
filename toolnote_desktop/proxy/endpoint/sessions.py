"""Sessions of all clients of the handshake era, and the event streams that belong to them."""

from __future__ import annotations

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
        self._on_change: list[Callable[[], None]] = []
        self._on_end: list[Callable[[Session], None]] = [self.streams.end]

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` when a session or a stream is opened or has ended."""
        self._on_change.append(callback)

    def on_end(self, callback: Callable[[Session], None]) -> None:
        """Call ``callback`` with each session that has ended."""
        self._on_end.append(callback)

    def notify_changed(self) -> None:
        """Call the callbacks of ``on_change``."""
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
        return [session for session in self._sessions.values() if session.principal == principal]

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
        self._sessions[session.session_id.encode("ascii")] = session
        self.notify_changed()
        return session

    def remove(self, session: Session) -> None:
        """Remove a session that has ended, if it is still here."""
        if self._sessions.pop(session.session_id.encode("ascii"), None) is not None:
            session.ended = True
            for callback in self._on_end:
                callback(session)
            self.notify_changed()
