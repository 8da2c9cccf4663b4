"""Sessions of the handshake era that outlive a restart of the app (docs/contract.md 5), in ``run/sessions.json``.

Some clients never open another session when theirs is unknown. A session is bound to its token: one that was renewed
or revoked meanwhile has none. It is restored by the first request that names it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import read_json
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.system.atomic_file import write_file

_PAUSE: Final = 0.5
"""Seconds between a change of the sessions and its writing."""
_MOST: Final = 500
_MOST_SUBSCRIPTIONS: Final = 1000
_MOST_TASKS: Final = 200
_LONGEST_OPENING: Final = 64 * 1024

logger = logging.getLogger(__name__)


class StoredSession(Struct, frozen=True, rename="camel"):
    """Session in the file.

    Attributes:
        token: hash of its token; "" for a bridge's.
        opening: body of its ``initialize``.
        last_use: seconds since the epoch.
        subscriptions: URIs of resources, as the client knows them.
        tasks: server and id of each task that it was given.
        lists: kind of list -> digest of the one that the client was notified of last.
        fetched: digest of the list of tools that it fetched last; "" if it has fetched none.
    """

    session_id: str
    client: str | None
    toolset: str | None
    token: str
    opening: str
    last_use: float
    log_level: str | None = None
    batches: bool = False
    subscriptions: tuple[str, ...] = ()
    tasks: tuple[tuple[str, str], ...] = ()
    lists: Mapping[str, str] = field(default_factory=dict)
    fetched: str = ""


class KeptState(Struct, frozen=True):
    """State of a session beside its opening; see ``StoredSession``."""

    subscriptions: tuple[str, ...] = ()
    tasks: tuple[tuple[str, str], ...] = ()
    lists: Mapping[str, str] = field(default_factory=dict)
    fetched: str = ""


class SessionStore:
    """Reads and writes the file. Used on the proxy's loop; the file is written in a thread.

    Args:
        own_token: hash of the run's own token.
        states: returns the open sessions and what is to be stored of each.
        restored: called with a session that was opened again, and what was stored of it.
    """

    def __init__(
        self,
        path: Path,
        sessions: ClientSessions,
        snapshot: Callable[[], Snapshot],
        own_token: str,
        states: Callable[[], list[tuple[Session, KeptState]]],
        restored: Callable[[Session, KeptState], None],
    ) -> None:
        self._path = path
        self._sessions = sessions
        self._snapshot = snapshot
        self._own_token = own_token
        self._states = states
        self._restored = restored
        self._changed = asyncio.Event()
        self._written: Sequence[object] = ()
        self._stored: dict[str, StoredSession] = {}  # not restored yet
        self._declaring: dict[str, JsonObject] = {}
        sessions.on_change(self.changed)
        sessions.restorer = self._restore

    async def load(self) -> None:
        """Read the file, before the first request."""
        found = await asyncio.to_thread(_read, self._path)
        self._stored = {one.session_id: one for one, _ in found}
        self._declaring = {one.session_id: declared for one, declared in found if declared.get("extensions")}

    def capabilities(self) -> Iterator[tuple[Principal, JsonObject]]:
        """Return the capabilities of clients with extensions in sessions that may still be restored."""
        for session_id, capabilities in self._declaring.items():
            if (one := self._stored.get(session_id)) is not None:
                yield Principal(one.client, one.toolset), capabilities

    def changed(self) -> None:
        """Write the sessions soon, if something of them has changed."""
        self._changed.set()

    async def run(self) -> None:
        """Write the file after each change, until cancelled."""
        while True:
            await self._changed.wait()
            await asyncio.sleep(_PAUSE)
            self._changed.clear()
            await self.write()

    async def write(self) -> None:
        """Write the present sessions, if others than before are open."""
        known = [(one.session_id, one.log_level, state) for one, state in self._states()]
        if known == list(self._written):
            return
        await self._write()
        self._written = known

    async def close(self) -> None:
        """Write the sessions for the last time, before they end with the app."""
        if len(self._sessions) or self._stored:
            await self._write()

    async def _write(self) -> None:
        horizon = time.time() - self._snapshot().settings.session_idle
        opened = ((one, state) for one, state in self._states() if 0 < len(one.opening) <= _LONGEST_OPENING)
        open_now = [self._record(one, state) for one, state in opened]
        every = [one for one in (*self._stored.values(), *open_now) if one.last_use > horizon]
        text = json_text.dumps({"sessions": msgspec.to_builtins(sorted(every, key=lambda one: one.last_use)[-_MOST:])})
        try:
            await asyncio.to_thread(write_file, self._path, text, durable=False, follow_links=False)
        except OSError as error:
            logger.warning("the sessions could not be stored: %s", error)

    def _record(self, session: Session, state: KeptState) -> StoredSession:
        principal = session.principal
        return StoredSession(
            session.session_id,
            principal.client,
            principal.bridge_toolset,
            self._token_of(principal),
            session.opening.decode("utf-8", "replace"),
            time.time() - (time.monotonic() - session.last_use),
            session.log_level,
            session.batches,
            state.subscriptions[-_MOST_SUBSCRIPTIONS:],
            state.tasks[-_MOST_TASKS:],
            state.lists,
            state.fetched,
        )

    def _token_of(self, principal: Principal) -> str:
        if principal.client is None:
            return self._own_token
        client = self._snapshot().clients.get(principal.client)
        return (client.token_hash or "").lower() if client is not None else ""

    def _restore(self, session_id: bytes, principal: Principal) -> Session | None:
        """Return a session of an earlier run, opened again; None if it has expired or is another caller's."""
        stored = self._stored.get(session_id.decode("latin-1"))
        if (
            stored is None
            or principal != Principal(stored.client, stored.toolset)
            or stored.token != self._token_of(principal)
        ):
            return None
        del self._stored[stored.session_id]
        if stored.last_use <= time.time() - self._snapshot().settings.session_idle:
            return None
        params: Any = json_text.loads(stored.opening)["params"]
        session = self._sessions.open(
            principal,
            params["clientInfo"],
            params["capabilities"],
            opening=stored.opening.encode("utf-8"),
            session_id=stored.session_id,
        )
        session.log_level, session.batches = stored.log_level, stored.batches
        self._restored(session, KeptState(stored.subscriptions, stored.tasks, stored.lists, stored.fetched))
        return session


def _read(path: Path) -> list[tuple[StoredSession, JsonObject]]:
    """Return the sessions of a file, each with the capabilities that its client declared."""
    try:
        found = read_json(path)["sessions"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    sessions = []
    for raw in found if isinstance(found, list) else ():
        try:
            one = msgspec.convert(raw, StoredSession)
            params = json_text.loads(one.opening)["params"]
            if isinstance(params["clientInfo"], dict) and isinstance(params["capabilities"], dict):
                sessions.append((one, params["capabilities"]))
        except (msgspec.ValidationError, ValueError, KeyError, TypeError):
            continue  # edited by hand or damaged: its client opens another one
    return sessions
