"""Checks on server URLs: which name this machine or carry credentials."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

from toolnote_desktop.model.url_parts import split_url


def is_loopback(host: str | None) -> bool:
    """Return True if ``host``, a name or an address, is a loopback host."""
    if host is None or host.lower().rstrip(".") == "localhost":
        return host is not None
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_loopback_url(url: str) -> bool:
    """Return True if ``url``, which may hold unexpanded variables, names this machine."""
    try:
        return is_loopback(split_url(url).hostname)
    except ValueError:
        return False


def gives_authorization(url: str, headers: Mapping[str, str]) -> bool:
    """Return True if a server's entry carries credentials, in a header or in its URL, so that no sign-in is needed."""
    try:
        user = split_url(url).username
    except ValueError:
        user = None
    return bool(user) or any(name.lower() == "authorization" for name in headers)
