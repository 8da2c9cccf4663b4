"""Taking a server's own secrets out of what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, unquote, urlsplit

from toolnote_desktop.model.servers import Server

MASK = "•••"
SHORTEST = 4
"""Characters: what is shorter is no secret, and masking it would make the text unreadable."""


class Redaction:
    """Replaces some texts, the longest first.

    Attributes:
        overlap: a text can only be cut in two without danger when this many characters are kept for the next look.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        forms: set[str] = set()
        for value in values:
            for line in (value, *value.splitlines()):
                forms |= {line, line.strip(), json.dumps(line)[1:-1], json.dumps(line, ensure_ascii=False)[1:-1]}
        wanted = sorted((form for form in forms if len(form) >= SHORTEST), key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, wanted))) if wanted else None
        self.overlap = max(map(len, wanted), default=0)

    def __call__(self, text: str) -> str:
        """``text`` without the secrets."""
        return text if self._pattern is None else self._pattern.sub(MASK, text)


def secrets_of(server: Server) -> set[str]:
    """What may be secret in an entry: values of env and headers, and what a url has beside its address (CONTRACT 4)."""
    values = {*server.env.values(), *server.headers.values()}
    for value in server.headers.values():
        scheme, _, credentials = value.partition(" ")
        if scheme.lower() in ("bearer", "basic", "token"):
            values.add(credentials)
    if server.url:
        parts = urlsplit(server.url)
        values |= {parts.query, unquote(parts.query), parts.fragment}
        values |= {value for _, value in parse_qsl(parts.query)}
        values |= {unquote(parts.password or ""), parts.password or "", unquote(parts.username or "")}
    return {value for value in values if value}
