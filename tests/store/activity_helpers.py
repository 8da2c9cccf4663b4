"""Stand-ins for what the proxy records."""

from __future__ import annotations

from toolnote_desktop.model.calls.outcome import ReadNote
from toolnote_desktop.store.activity_database import Call


class Listed:
    """List of a client, with a digest of our own."""

    def __init__(self, client: str, digest: str = "1", toolset: str = "work") -> None:
        self.client = client
        self.toolset = toolset
        self.revision: int | None = None
        self._digest = digest

    def digest(self) -> str:
        return self._digest


def call(number: int, error: str | None = None, *, notes: tuple[ReadNote, ...] | None = None) -> Call:
    """Return a call of a tool that has its number."""
    return Call(1000.0 + number, "claude", "git", f"tool-{number}", 0.25, error, notes=notes)
