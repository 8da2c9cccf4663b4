"""Proxy of the user's network, as the environment or the system configures it."""

from __future__ import annotations

import importlib.util
import os
from typing import NamedTuple
from urllib.parse import urlsplit


class NetworkProxy(NamedTuple):
    """Proxy of the user's network, and the environment variable or setting that names it."""

    url: str
    source: str


def environment_proxy(url: str) -> NetworkProxy | None:
    """Return the proxy that the environment or the system configures for ``url``, or None."""
    from urllib.request import getproxies, proxy_bypass  # 1.5 MB, which only HTTP servers need

    parts = urlsplit(url)
    if proxy_bypass(parts.hostname or ""):
        return None
    configured = getproxies()
    for scheme in (parts.scheme, "all"):
        if address := configured.get(scheme):
            names = (f"{scheme.upper()}_PROXY", f"{scheme}_proxy")
            source = next((name for name in names if os.environ.get(name) == address), f"the system's {scheme} proxy")
            return NetworkProxy(address if "://" in address else f"http://{address}", source)
    return None


def proxy_problem(url: str) -> str | None:
    """Return the reason why the proxy configured for ``url`` cannot be used, or None. It never contains the address,
    which may hold a password.
    """
    proxy = environment_proxy(url)
    if proxy is None:
        return None
    try:
        parts = urlsplit(proxy.url)
        scheme, host = parts.scheme.lower(), parts.hostname
        valid = bool(host) and (parts.port is None or parts.port > 0)
    except ValueError:
        scheme, valid = "", False
    if scheme in ("socks5", "socks5h"):
        if valid and importlib.util.find_spec("socksio") is not None:
            return None
        return (
            f"{proxy.source} names a SOCKS proxy, for which the Python package socksio would be needed; "
            "set HTTPS_PROXY or HTTP_PROXY to an HTTP proxy, or NO_PROXY to this server"
        )
    if scheme not in ("http", "https"):
        return f"{proxy.source} names a proxy of a kind that is not supported; http and https are"
    return None if valid else f"{proxy.source} is not the address of a proxy"
