"""Choice of the era for a server on pipes that speaks both (2025-11-25 and 2026-07-28).

Over HTTP both can be used at once, because each request names its own. A process on pipes may settle for the era of its
first request and refuse the other from then on, as all servers of the Python SDK 2 do. ``initialize`` is sent first,
because a server without the modern era may break on anything else. After the handshake the server is probed for the
other era, and its refusal shows what it is. From then on each client is served by a process of its own era, as it would
be without Toolnote: the process is restarted in the other era as long as no client of the first has used it, and a
second one runs only while clients of both do (``client_connections.py``).

``"toolnote": {"era": ...}`` in an entry demands one era and one process; ``era_bridge.py`` bridges.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.proxy.protocol import Era


def wanted_era(entry: Server) -> Era | None:
    """Return the era that a server's entry demands, or None."""
    return Era(entry.toolnote.era) if entry.toolnote.era else None


def other_era(era: Era) -> Era:
    """Return the other era."""
    return Era.HANDSHAKE if era is Era.MODERN else Era.MODERN


def shown_status(status: ServerStatus, second: ServerStatus | None) -> ServerStatus:
    """Return the status of a server from those of its first and second process.

    A second process that cannot be started is only a flaw: the first serves its clients.
    """
    if second is None or second.problem is None or status.state is not ServerState.READY:
        return status
    if second.state is ServerState.RECONNECTING:
        return replace(status, state=second.state, problem=second.problem)
    return replace(status, problems=(*status.problems, second.problem))


class EraChoice:
    """Eras of one connection: those it speaks, and those of the clients that have used its process.

    Attributes:
        speaks_both: the server speaks both eras, each in a process of its own.
        used_by: eras of the clients that have sent requests to this process.
    """

    def __init__(
        self,
        wanted: Era | None,
        remembered: Era | None = None,
        remember: Callable[[Era | None], None] = lambda era: None,
    ) -> None:
        """
        Args:
            wanted: era that the entry demands.
            remembered: era used last, of a server known to speak both.
            remember: called with the era to remember, or None to forget it.
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
        """Era of the first handshake; None if nothing is known."""
        return self._wanted or self._preferred

    @property
    def probe(self) -> bool:
        """True if a server of the handshake era should be probed for the modern one."""
        return self._probe and self._wanted is None and not self.speaks_both

    def reset(self, wanted: Era | None) -> None:
        """Forget everything, because the entry has changed."""
        if self.speaks_both:
            self._remember(None)
        self._wanted, self._preferred, self._claimed = wanted, None, None
        self.speaks_both, self._probe = False, True

    def mark_both(self) -> None:
        """Record that a process of the handshake era would also have spoken the modern one."""
        self._preferred, self.speaks_both = Era.HANDSHAKE, True
        self._remember(Era.HANDSHAKE)

    def disable_probe(self) -> None:
        """Stop probing for the other era: the server did not respond to that, or broke."""
        self._probe = False

    def switch_to(self, era: Era) -> None:
        """Use this era in the next process, for which a client waits."""
        self._preferred = self._claimed = era

    def mark_connected(self, era: Era) -> None:
        """Record the era of a new process, which only the client that waited for it has used."""
        self.used_by = set() if self._claimed is None else {self._claimed}
        if self.speaks_both and self._preferred not in (None, era):
            self.mark_single()
        self._claimed = None
        if self.speaks_both:
            self._preferred = era
            self._remember(era)

    def mark_used(self, era: Era) -> None:
        """Remember the era of a second process, so that the next start uses it at once."""
        self._remember(era)

    def mark_start_failed(self) -> None:
        """Record a failed handshake: the next attempt uses the order that suits all servers."""
        if self._claimed is not None:
            self.mark_single()
        self._preferred = None

    def mark_single(self) -> None:
        """Record that the server does not speak the other era, whatever it announced."""
        self.speaks_both = self._probe = False
        self._preferred = self._claimed = None
        self._remember(None)
