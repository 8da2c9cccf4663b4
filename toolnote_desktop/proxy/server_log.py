"""What a server wrote on stderr: the newest lines, bounded, without the secrets of its own entry."""

from __future__ import annotations

LINES = 500
BYTES = 64 * 1024


class ServerLog:
    """The newest lines of one server."""

    def tail(self) -> tuple[str, ...]:
        """The newest lines, oldest first, redacted."""
        raise NotImplementedError
