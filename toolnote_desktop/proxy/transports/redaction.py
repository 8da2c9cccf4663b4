"""Redaction of a server's own secrets in its output."""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolnote_desktop.model.secrets.secret_masks import spellings
from toolnote_desktop.model.servers import Server, secret_values

MASK = "•••"
SHORTEST = 4
"""Characters. A shorter value is no secret, and masking it would make the text unreadable."""


class Redaction:
    """Replacement of secrets, the longest first.

    Attributes:
        overlap: characters that must be held back where a text is cut, so that no secret is split.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        forms = {form for value in values for form in spellings(value)}
        wanted = sorted((form for form in forms if len(form) >= SHORTEST), key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, wanted))) if wanted else None
        self.overlap = max(map(len, wanted), default=0)

    def __call__(self, text: str) -> str:
        """Return ``text`` without the secrets."""
        return text if self._pattern is None else self._pattern.sub(MASK, text)


def secrets_of(server: Server) -> set[str]:
    """Return the values of an entry that may be secret (docs/contract.md 4)."""
    return {value for value in secret_values(server) if value}
