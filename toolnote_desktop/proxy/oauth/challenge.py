"""How an HTTP server says that it wants to know who asks, or that whoever asks was not allowed enough."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    import httpx2

_INSUFFICIENT: Final = re.compile(r'error="?insufficient_scope\b')
_SCOPE: Final = re.compile(r'\bscope=(?:"([^"]*)"|([^\s,]+))')


class Challenge(Struct, frozen=True):
    """A refusal: 401, or 403 with ``insufficient_scope``; ``header`` is its ``WWW-Authenticate``."""

    status: int
    header: str | None = None

    @classmethod
    def of(cls, response: httpx2.Response) -> Challenge | None:
        """The challenge in an answer; None where it is none."""
        header = response.headers.get("www-authenticate")
        wants_more = response.status_code == 403 and bool(_INSUFFICIENT.search(header or ""))
        return cls(response.status_code, header) if response.status_code == 401 or wants_more else None

    @property
    def scope(self) -> str:
        """The scopes that it asks for, as far as it says."""
        found = _SCOPE.search(self.header or "")
        return (found.group(1) or found.group(2) or "") if found else ""
