"""Presence of clients: those with a session, an open stream or a recent request."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.principal import Principal

RECENT_SECONDS = 60.0
"""Time that a client without a session counts as connected after its last request."""


class ClientPresence:
    """Callers that are connected, and their ``clientInfo``.

    Args:
        listening: returns the callers with an open ``subscriptions/listen`` stream.
    """

    def __init__(self, sessions: ClientSessions, listening: Callable[[], Iterable[Principal]]) -> None:
        self._sessions = sessions
        self._listening = listening
        self._last_request: dict[Principal, float] = {}
        self._client_info: dict[Principal, JsonObject] = {}
        self._capabilities: dict[Principal, JsonObject] = {}
        sessions.on_end(self._session_ended)

    def record_request(self, principal: Principal) -> bool:
        """Record a request; return True if the caller had none recently."""
        is_new = principal not in self._last_request
        self._last_request[principal] = time.monotonic()
        return is_new

    def record_info(self, principal: Principal, client_info: JsonObject, capabilities: JsonObject) -> bool:
        """Record the ``clientInfo`` and capabilities of a client without a session; return True if these are new."""
        self._client_info[principal] = client_info
        if self._capabilities.get(principal) == capabilities:
            return False
        self._capabilities[principal] = capabilities
        return True

    def capabilities(self) -> Iterable[tuple[Principal, JsonObject]]:
        """Return the capabilities of the clients without a session."""
        return list(self._capabilities.items())

    def info(self, principal: Principal) -> JsonObject:
        """Return the newest ``clientInfo`` of a caller; {} if there is none."""
        sessions = self._sessions.of(principal)
        return sessions[-1].client_info if sessions else self._client_info.get(principal, {})

    def present(self) -> list[Principal]:
        """Return the callers with a session, an open stream or a request in the last ``RECENT_SECONDS``."""
        horizon = time.monotonic() - RECENT_SECONDS
        for principal, last in list(self._last_request.items()):
            if last < horizon:
                del self._last_request[principal]
                self._client_info.pop(principal, None)
                self._capabilities.pop(principal, None)
        with_session = [session.principal for session in self._sessions]
        return list(dict.fromkeys([*with_session, *self._listening(), *self._last_request]))

    def active(self, seconds: float) -> set[Principal]:
        """Return the callers with a request in the last ``seconds``."""
        horizon = time.monotonic() - seconds
        callers = {session.principal for session in self._sessions if session.last_use > horizon}
        callers.update(principal for principal, last in self._last_request.items() if last > horizon)
        return callers

    def _session_ended(self, session: Session) -> None:
        if not self._sessions.has(session.principal):
            self._last_request.pop(session.principal, None)
