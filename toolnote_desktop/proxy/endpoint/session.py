"""Client session of the handshake era, from ``initialize`` to its end."""

from __future__ import annotations

import time

from msgspec import Struct, field

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.principal import Principal


class Session(Struct, eq=False, dict=True, weakref=True):
    """Session of one client connection.

    Attributes:
        opening: body of the ``initialize`` request, from which the SDK's server can open the same session; empty if
            the SDK's server opened it and knows it by the same id.
        last_use: time of the last request, of ``time.monotonic``.
        log_level: level from ``logging/setLevel``; None if the client never set one.
        batches: True if its revision allows several messages in one POST (``batches.py``).
        headers: headers of all responses in this session.
    """

    principal: Principal
    client_info: JsonObject
    capabilities: JsonObject
    session_id: str
    opening: bytes = b""
    last_use: float = field(default_factory=time.monotonic)
    log_level: str | None = None
    batches: bool = False
    ended: bool = False

    def __post_init__(self) -> None:
        self.headers = ((b"mcp-session-id", self.session_id.encode("ascii")),)

    def touch(self) -> None:
        """Record that the session is used now."""
        self.last_use = time.monotonic()
