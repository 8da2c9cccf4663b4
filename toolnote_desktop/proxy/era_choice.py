"""Which era a server is spoken to in, where it speaks both.

Over HTTP it may be both at once: each request says its own. A process on pipes settles for one with the first request
that it gets, and refuses the other from then on. ``initialize`` comes first, because a server that knows nothing of the
modern era may break on anything else, and because what tools ask by requests of their own reaches clients of the
handshake era in that era alone. What only the modern era has is not lost either: when the first client of that era
asks such a server for something, a second process of it is started, for clients of that era (``per_client.py``).

``"toolnote": {"era": ...}`` decides for one of the two, and for one process.
"""

from __future__ import annotations

from toolnote_desktop.model.servers import Server
from toolnote_desktop.proxy import modern
from toolnote_desktop.proxy.handshake import Era


def era_of(version: str | None) -> Era | None:
    """The era of a protocol revision; None for no revision."""
    if version is None:
        return None
    return Era.MODERN if version >= modern.VERSION else Era.HANDSHAKE


def wanted_era(entry: Server) -> Era | None:
    """The era that a server's entry decides for."""
    return Era(entry.toolnote.era) if entry.toolnote.era else None


class EraChoice:
    """What is known of one server.

    Attributes:
        first: the era in which it is to be introduced first; None where nothing is known.
        look: whether it is to be asked, once introduced in the handshake era, if it speaks the modern one.
    """

    def __init__(self, remembered: Era | None, wanted: Era | None) -> None:
        """``wanted`` is taken where the server leaves the choice; None: whichever comes first."""
        self.first = None if wanted is Era.HANDSHAKE else remembered
        self.look = True
        self._wanted = wanted
        self._tried = False

    def start_again(self, *, modern_refused_here: bool) -> bool:
        """Whether a server that was just introduced is to be started again, in the modern era.

        ``modern_refused_here``: it speaks that era, but not on this connection any more.
        """
        if not modern_refused_here or self._wanted is not Era.MODERN or self._tried:
            return False
        self.first, self._tried = Era.MODERN, True
        return True

    def forget(self, wanted: Era | None) -> None:
        """The entry is another one: nothing is known but what it wants itself."""
        self.first, self.look, self._tried, self._wanted = None, True, False, wanted or self._wanted

    def introduced(self, era: Era) -> None:
        """It was introduced in this era: that comes first the next time."""
        self.first = era

    def failed(self, *, look_unanswered: bool) -> None:
        """Its connection ended: what was thought of it may be wrong, and what it did not answer have broken it."""
        if self.first is Era.MODERN:
            self.first = None
        if look_unanswered:
            self.look = False
