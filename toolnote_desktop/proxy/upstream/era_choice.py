"""Which era a server on pipes is spoken to in, where it speaks both (2025-11-25 and 2026-07-28).

Over HTTP it may be both at once: each request says its own. A process on pipes may settle for one with the first
request that it gets, and refuse the other from then on; every server of the Python SDK 2 does. ``initialize`` comes
first, because a server that knows nothing of the modern era may break on anything else. Once it is introduced it is
asked for the other era too, and its refusal tells what it is. From then on each client is served as it would be
without us, by a process of its own era: the one process is started again in the other era as long as nobody of the
first has used it, and a second one is there only while clients of both do (``client_connections.py``).

``"toolnote": {"era": ...}`` in an entry decides for one era and one process; ``era_bridge.py`` bridges.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.proxy.protocol import Era


def wanted_era(entry: Server) -> Era | None:
    """The era that a server's entry decides for."""
    return Era(entry.toolnote.era) if entry.toolnote.era else None


def other_era(era: Era) -> Era:
    """The one that it is not."""
    return Era.HANDSHAKE if era is Era.MODERN else Era.MODERN


def shown_status(status: ServerStatus, second: ServerStatus | None) -> ServerStatus:
    """What is told of a server: of its first process, and of the trouble that the second has. A second one that
    cannot be had is no more than a flaw: the first answers in its place."""
    if second is None or second.problem is None or status.state is not ServerState.READY:
        return status
    if second.state is ServerState.RECONNECTING:
        return replace(status, state=second.state, problem=second.problem)
    return replace(status, problems=(*status.problems, second.problem))


class EraChoice:
    """What is known of one connection's eras, and who has used its process.

    Attributes:
        either: the server speaks both eras, each in a process of its own.
        users: the eras of the clients that have asked this process for something.
    """

    def __init__(
        self,
        wanted: Era | None,
        remembered: Era | None = None,
        remember: Callable[[Era | None], None] = lambda era: None,
    ) -> None:
        """
        Args:
            wanted: the only era that comes into question.
            remembered: the one used last, of a server known to speak either.
            remember: told of what is to be remembered; None: nothing is.
        """
        self.used_by: set[Era] = set()
        self._remember = remember
        self._wanted = wanted
        self._preferred = remembered
        self.speaks_both = wanted is None and remembered is not None
        self._probe = True
        self._claimed: Era | None = None

    @property
    def preferred(self) -> Era | None:
        """The era in which the server is introduced first; None where nothing is known."""
        return self._wanted or self._preferred

    @property
    def probe(self) -> bool:
        """Whether it is to be asked, once introduced in the handshake era, if it speaks the modern one."""
        return self._probe and self._wanted is None and not self.speaks_both

    def reset(self, wanted: Era | None) -> None:
        """The entry is another one: nothing is known but what it wants itself."""
        if self.speaks_both:
            self._remember(None)
        self._wanted, self._preferred, self._claimed = wanted, None, None
        self.speaks_both, self._probe = False, True

    def mark_both(self) -> None:
        """A process introduced in the handshake era says that it speaks the modern one too, only not any more."""
        self._preferred, self.speaks_both = Era.HANDSHAKE, True
        self._remember(Era.HANDSHAKE)

    def disable_probe(self) -> None:
        """It did not answer when it was asked for the other era, or broke on that."""
        self._probe = False

    def switch_to(self, era: Era) -> None:
        """Its next process is for clients of this era: one of them waits for it."""
        self._preferred = self._claimed = era

    def mark_connected(self, era: Era) -> None:
        """A process was introduced in this era, and nobody has used it but who wanted it."""
        self.used_by = set() if self._claimed is None else {self._claimed}
        if self.speaks_both and self._preferred not in (None, era):
            self.mark_single()
        self._claimed = None
        if self.speaks_both:
            self._preferred = era
            self._remember(era)

    def mark_used(self, era: Era) -> None:
        """Another process serves clients of this era now: the next start goes straight to it."""
        self._remember(era)

    def mark_start_failed(self) -> None:
        """It could not be introduced. What was thought of it may be wrong: the next try is the one that suits all."""
        if self._claimed is not None:
            self.mark_single()
        self._preferred = None

    def mark_single(self) -> None:
        """The other era cannot be had of it, whatever it said."""
        self.speaks_both = self._probe = False
        self._preferred = self._claimed = None
        self._remember(None)
