"""Context of a built-in tool's call: caller and library."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, ParamSpec, Protocol, TypeVar
from weakref import WeakKeyDictionary

from msgspec import Struct

from toolnote_desktop.guidance.reader import Reader
from toolnote_desktop.model.clients import Client
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import BUILT_IN
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.proxy.client_guidance import ClientGuidance
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.store.library import Library, Origin, Submitted
from toolnote_desktop.system.threads import short_turns

P = ParamSpec("P")
T = TypeVar("T")

_TURNS: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]] = WeakKeyDictionary()


async def in_guidance_thread(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of work on the guidance of many tools, done in a thread, one after the other.

    Several at once would keep the interpreter from the proxy's thread, and each would take the memory. The work for a
    call that is given up goes on, and the next waits for it.
    """

    def work() -> T:
        with short_turns():
            return function(*args, **kwargs)

    loop = asyncio.get_running_loop()
    turn = _TURNS.setdefault(loop, asyncio.Lock())
    await turn.acquire()
    working = loop.run_in_executor(None, work)

    def finished(done: asyncio.Future[T]) -> None:
        turn.release()
        if not done.cancelled():
            done.exception()  # of a call that was given up, which is of no use to others

    working.add_done_callback(finished)
    return await asyncio.shield(working)


class ToolsetChoices(Protocol):
    """Choice of toolsets by callers.

    Attributes:
        run_toolset: value of ``serve --toolset``, in use for all clients without a toolset of their own.
        bridge_toolsets: client -> value of its ``bridge --toolset``, of the clients of this run.
    """

    run_toolset: str | None
    bridge_toolsets: dict[str, str]

    def toolset_name(self, principal: Principal, snapshot: Snapshot) -> str | None:
        """Return the name of the toolset in use, which may not exist; None for no toolset."""

    def choose(self, principal: Principal, name: str | None) -> Submitted:
        """Choose another toolset, or none."""


class ToolContext(Struct, frozen=True):
    """Context of one call.

    Attributes:
        is_searched: it finds its tools by searching.
        own_tools: Toolnote's own tools that the caller is served: name without prefix -> name as it sees it; None for
            all of them under their own names.
    """

    library: Library
    principal: Principal
    choices: ToolsetChoices
    guidance: ClientGuidance
    is_searched: bool = False
    own_tools: Mapping[str, str] | None = None

    def own_tool(self, name: str) -> str | None:
        """Return one of Toolnote's own tools as the caller sees it; None if it is not served it."""
        return name if self.own_tools is None else self.own_tools.get(name)

    def advice(self, name: str, text: str, otherwise: str | None = None) -> str | None:
        """Return an instruction that names one of Toolnote's own tools as ``{tool}``; ``otherwise`` without that."""
        own = self.own_tool(name)
        return otherwise if own is None else text.format(tool=own)

    def reader(self, *, with_record: bool = False) -> Reader:
        """Return the caller as a reader of guides.

        Args:
            with_record: with the tools that it masters and gets wrong. In a thread: reads the activity log.
        """
        settings, client = self.snapshot.settings, self.client
        preferences = settings.preferences if client is None else client.preferences.over(settings.preferences)
        own = {one.id: one.id for one in BUILT_IN} if self.own_tools is None else self.own_tools
        experience = self.guidance.experience
        familiar, faulty = experience.of_client(self.principal.client) if with_record else (frozenset(), frozenset())
        return Reader(
            is_connected=True,
            own_tools=own,
            is_lazy=self.is_searched,
            preferences=preferences,
            familiar=familiar,
            faulty=faulty,
            used=experience.used(),
        )

    @property
    def dialect(self) -> Dialect:
        """Dialect of the caller."""
        return self.guidance.dialect(self.snapshot, self.principal)

    @property
    def snapshot(self) -> Snapshot:
        """Newest state of the library."""
        return self.library.snapshot

    @property
    def toolset(self) -> Toolset | None:
        """Toolset in use for the caller."""
        name = self.choices.toolset_name(self.principal, self.snapshot)
        return self.snapshot.toolsets.get(name) if name else None

    @property
    def client(self) -> Client | None:
        """Entry of the caller in ``clients.json``."""
        return self.snapshot.clients.get(self.principal.client) if self.principal.client else None

    @property
    def withheld(self) -> frozenset[str]:
        """Servers whose own instructions the caller is not sent."""
        return frozenset(self.client.without_instructions if self.client is not None else ())

    @property
    def origin(self) -> Origin:
        """Origin of its edits."""
        return Origin(self.principal.author)


def now() -> str:
    """Return the time in the format of documents: ISO 8601 in UTC, whole seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
