"""Access to the endpoint: Host, Origin and bearer token (docs/contract.md 5)."""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from urllib.parse import unquote

from msgspec import Struct

from toolnote_desktop.model.clients import Client, hash_token
from toolnote_desktop.model.names import is_toolset_name
from toolnote_desktop.paths import CLIENT_HEADER, TOOLSET_HEADER
from toolnote_desktop.proxy.endpoint.headers import Headers
from toolnote_desktop.proxy.principal import Principal

_HOST = re.compile(rb"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?", re.IGNORECASE)
_ORIGIN = re.compile(rb"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?", re.IGNORECASE)
_CLIENT_ID_LIMIT = 200

_CLIENT_HEADER = CLIENT_HEADER.lower().encode("ascii")
_TOOLSET_HEADER = TOOLSET_HEADER.lower().encode("ascii")


def is_local_request(headers: Headers) -> bool:
    """Return True if Host and Origin name this machine, which prevents DNS rebinding (case C57)."""
    origin = headers.get(b"origin")
    return bool(_HOST.fullmatch(headers.get(b"host", b""))) and (origin is None or bool(_ORIGIN.fullmatch(origin)))


class AccessControl(Struct, frozen=True):
    """Secrets of this run.

    Attributes:
        token: bearer token for the shared toolset.
        bridge_secret: bearer token of bridges, which name their client in a header.
    """

    token: str
    bridge_secret: str

    def is_bridge(self, headers: Headers) -> bool:
        """Return True if a request carries the bridge's secret, which only programs of this user can read."""
        scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
        is_same = hmac.compare_digest(given.strip(), self.bridge_secret.encode("utf-8"))
        return scheme.lower() == b"bearer" and is_same

    def principal(self, headers: Headers, clients: Mapping[str, Client]) -> Principal | None:
        """Return the sender of a request; None if its token is missing or unknown. Compares in constant time."""
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
