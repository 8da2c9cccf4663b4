"""A client's own token for the endpoint: for clients that connect to an address with headers (docs/contract.md 5)."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from toolnote_desktop.assistants.toolnote_entry import URL_KEYS
from toolnote_desktop.model.secrets.secret_repr import SecretStruct

_BYTES = 32


class DirectAccess(SecretStruct, frozen=True):
    """Where a client reaches the endpoint by itself, and its own token."""

    secret_fields: ClassVar = frozenset({"token"})

    url: str
    token: str


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(_BYTES)


def read_direct_access(entry: Any) -> DirectAccess | None:
    """The address and the token in a client's own entry, in any of the known shapes; None for the bridge's."""
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
