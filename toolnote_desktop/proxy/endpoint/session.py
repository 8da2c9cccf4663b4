"""A session: one client connection of the handshake era, from ``initialize`` on."""

from __future__ import annotations

import time

from msgspec import Struct, field

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.principal import Principal


class Session(Struct, eq=False, dict=True, weakref=True):
    """See the module.

    Attributes:
        opening: the ``initialize`` request as it came, with which the SDK's server can be given the same session;
            empty where that has it already under the same id.
        log_level: what its client asked for; None if it never did.
        batches: whether its revision has several messages in one POST (``batches.py``).
        headers: what every answer in it carries.
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
        """It was used just now."""
        self.last_use = time.monotonic()
