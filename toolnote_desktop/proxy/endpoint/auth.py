"""Who may speak to the endpoint: Host and Origin, token, and who a token is (docs/contract.md 5)."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Mapping
from urllib.parse import unquote

from msgspec import Struct

from toolnote_desktop.model.clients import Client, hash_token
from toolnote_desktop.model.names import is_toolset_name
from toolnote_desktop.paths import CLIENT_HEADER, TOOLSET_HEADER
from toolnote_desktop.proxy.principal import Principal

_HOST = re.compile(rb"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?", re.IGNORECASE)
_ORIGIN = re.compile(rb"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?", re.IGNORECASE)
_CLIENT_ID_LIMIT = 200

_CLIENT_HEADER = CLIENT_HEADER.lower().encode("ascii")
_TOOLSET_HEADER = TOOLSET_HEADER.lower().encode("ascii")
_SINGLE = frozenset(
    {
        b"authorization",
        b"content-type",
        b"host",
        b"mcp-method",
        b"mcp-name",
        b"mcp-protocol-version",
        b"mcp-session-id",
        b"origin",
        _CLIENT_HEADER,
        _TOOLSET_HEADER,
    }
)
"""Headers that say who asks, and for what."""

Headers = Mapping[bytes, bytes]
"""Lower-case names; values without white space at their ends."""


def single(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes] | None:
    """Headers by their names, several of one name joined (RFC 9110, 5.3); None where one of ``_SINGLE`` stands twice.

    Of two that contradict each other one would be checked, and the other perhaps used.
    """
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in found:
            if name in _SINGLE:
                return None
            found[name] += b", " + value
        else:
            found[name] = value
    return found


def is_local_request(headers: Headers) -> bool:
    """Whether Host and Origin say that the request was meant for this machine: what stops DNS rebinding (C57)."""
    origin = headers.get(b"origin")
    return bool(_HOST.fullmatch(headers.get(b"host", b""))) and (origin is None or bool(_ORIGIN.fullmatch(origin)))


class AccessControl(Struct, frozen=True):
    """The secrets of this run.

    Attributes:
        token: speaks for the shared toolset.
        bridge_secret: the bridge's, which names its client itself.
    """

    token: str
    bridge_secret: str

    def principal(self, headers: Headers, clients: Mapping[str, Client]) -> Principal | None:
        """Who the request comes from; None where its token is missing or unknown. Compares in constant time."""
        scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
        given = given.strip()
        if scheme.lower() != b"bearer" or not given:
            return None
        if hmac.compare_digest(given, self.bridge_secret.encode("utf-8")):
            return _bridge_principal(headers)
        if hmac.compare_digest(given, self.token.encode("utf-8")):
            return Principal(None)
        digest = hash_token(given)
        found = None
        for client, entry in clients.items():
            if entry.token_hash is not None and hmac.compare_digest(entry.token_hash.lower().encode(), digest.encode()):
                found = client
        return Principal(found) if found is not None else None


def _bridge_principal(headers: Headers) -> Principal:
    client = unquote(headers.get(_CLIENT_HEADER, b"").decode("ascii", "replace"))[:_CLIENT_ID_LIMIT]
    toolset = unquote(headers.get(_TOOLSET_HEADER, b"").decode("ascii", "replace"))
    return Principal(client or "bridge", toolset if is_toolset_name(toolset) else None)
