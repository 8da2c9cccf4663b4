"""Requests to addresses that a server named: checked on the resolved address that is then connected to (SSRF).

A server on the internet must not make us call a program on this computer or in its network. Loopback and private
addresses are reached only for servers that are there themselves (MCP security best practices; docs/contract.md 5).
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING

import httpcore2

from toolnote_desktop.model.url_parts import split_url
from toolnote_desktop.proxy.pool_transport import PoolTransport
from toolnote_desktop.proxy.urls import is_loopback
from toolnote_desktop.system.network_proxy import environment_proxy

if TYPE_CHECKING:
    import httpx2

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_EMBEDDING = (_NAT64, ipaddress.ip_network("::/96"), ipaddress.ip_network("::ffff:0:0:0/96"))
"""Networks whose addresses end in an IPv4 address (RFC 6052, RFC 4291 2.5.5.1, RFC 2765)."""
_UNICAST = ipaddress.ip_network("2000::/3")
"""Addresses of the internet: others were for sites or are for nothing (RFC 3879, RFC 4291 2.4)."""


class Reach(Enum):
    """Reach of an address: who can connect to it."""

    LOOPBACK = "loopback"
    LINK_LOCAL = "link-local"
    PRIVATE = "private"
    PUBLIC = "public"


_REACHABLE = {
    Reach.LOOPBACK: frozenset({Reach.LOOPBACK, Reach.PRIVATE, Reach.PUBLIC}),
    Reach.PRIVATE: frozenset({Reach.PRIVATE, Reach.PUBLIC}),
    Reach.LINK_LOCAL: frozenset({Reach.LINK_LOCAL, Reach.PRIVATE, Reach.PUBLIC}),
    Reach.PUBLIC: frozenset({Reach.PUBLIC}),
}
"""Reach of a server -> addresses that it may name."""


def reach_of(address: str) -> Reach:
    """Return the reach of an IP address; an IPv4 address inside an IPv6 one counts."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if not ip.is_loopback and any(ip in network for network in _EMBEDDING):
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            ip = inner
        elif ip.is_global and not ip.is_multicast and ip not in _UNICAST:
            return Reach.PRIVATE
    if ip.is_loopback or ip.is_unspecified:
        return Reach.LOOPBACK
    if ip.is_link_local or ip.is_multicast:
        return Reach.LINK_LOCAL
    return Reach.PUBLIC if ip.is_global else Reach.PRIVATE


class AddressRefused(Exception):  # noqa: N818
    """No address of a host may be connected to."""


async def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host.

    Raises:
        OSError: it has none.
    """
    if is_loopback(host) and not _is_address(host):
        return ["127.0.0.1", "::1"]
    infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(info[4][0]) for info in infos))


async def reachable_from(server_url: str, peers: Iterable[str] = ()) -> frozenset[Reach]:
    """Return which addresses the server at ``server_url`` may name; if it cannot be resolved, public ones.

    Args:
        peers: addresses at which it answered before. They count as well, because the owner of its name can let that
            resolve to this computer for a moment.
    """
    parts = split_url(server_url)
    try:
        resolved = await resolve(parts.hostname or "", parts.port or 443)
        found = {reach_of(address) for address in (*resolved, *peers)}
    except (OSError, ValueError):
        found = {Reach.PUBLIC}
    return frozenset.intersection(*(_REACHABLE[reach] for reach in found))


async def checked_transport(
    url: str, allowed: Iterable[Reach], peers: list[str] | None = None
) -> httpx2.AsyncBaseTransport:
    """Return a transport for one request to ``url`` that connects to addresses of the allowed reach only, and appends
    the address that it connected to to ``peers``.

    The user's HTTP proxy resolves names itself. Behind it a name is checked as it resolves here, where all its
    addresses must be allowed; one that resolves there alone is left to the proxy.

    Raises:
        AddressRefused: the request would go through a proxy to a host that is not allowed.
    """
    import httpx2

    parts = split_url(url)
    host = parts.hostname or ""
    proxy = None if is_loopback(host) else environment_proxy(url)
    if proxy is not None:
        try:
            found = await resolve(host, parts.port or 443)
        except OSError:
            found = []
        if not {reach_of(address) for address in found} <= frozenset(allowed):
            raise AddressRefused
        return httpx2.AsyncHTTPTransport(proxy=proxy.url, trust_env=False)
    context = httpx2.create_ssl_context() if parts.scheme == "https" else None
    network = _CheckedNetwork(frozenset(allowed), [] if peers is None else peers)
    return PoolTransport(httpcore2.AsyncConnectionPool(ssl_context=context, network_backend=network))


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class _CheckedNetwork(httpcore2.AsyncNetworkBackend):
    """Network backend that connects to the very address that it checked, so that no second look-up can change it."""

    def __init__(self, allowed: frozenset[Reach], peers: list[str]) -> None:
        self._allowed = allowed
        self._peers = peers
        self._network = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            addresses = await resolve(host, port)
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        usable = [address for address in addresses if reach_of(address) in self._allowed]
        if not usable:
            raise AddressRefused
        failure: Exception | None = None
        for address in usable:
            try:
                stream = await self._network.connect_tcp(address, port, timeout, local_address, socket_options)
                self._peers.append(address)
                return stream
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        assert failure is not None
        raise failure

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
