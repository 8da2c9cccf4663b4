"""Tokens of clients that connect to the endpoint's address with headers (docs/contract.md 5)."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from toolnote_desktop.assistants.toolnote_entry import URL_KEYS
from toolnote_desktop.model.secrets.secret_repr import SecretStruct

_BYTES = 32


class DirectAccess(SecretStruct, frozen=True):
    """Address of the endpoint and a client's own token for it."""

    secret_fields: ClassVar = frozenset({"token"})

    url: str
    token: str


def new_token() -> str:
    """Return a new random token."""
    return secrets.token_urlsafe(_BYTES)


def read_direct_access(entry: Any) -> DirectAccess | None:
    """Return address and token in a client's entry, in any known shape; None for a bridge's entry."""
    if not isinstance(entry, dict):
        return None
    url = next((entry[key] for key in URL_KEYS if isinstance(entry.get(key), str)), None)
    if url is None:
        return None
    options = entry.get("requestOptions")
    inner = options.get("headers") if isinstance(options, dict) else None
    for headers in (entry.get("headers"), entry.get("http_headers"), inner):
        for name, value in headers.items() if isinstance(headers, dict) else ():
            if name.lower() == "authorization" and isinstance(value, str):
                return DirectAccess(url, value.partition(" ")[2])
    return DirectAccess(url, "")
