"""Handshake with a server: its era, capabilities and name.

``initialize`` is sent first: every server of the handshake era responds to it, and a server of the modern era alone
refuses it at once, whereas an old server may ignore an unknown ``server/discover`` for ever, or break on a request
before ``initialize`` (docs/dependencies.md). Afterwards the server is probed in the background for the modern era, on
this connection or another one (``era_choice.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.proxy.protocol import CAPABILITIES, IMPLEMENTATION, NEWEST_HANDSHAKE, Era
from toolnote_desktop.proxy.transports import jsonrpc, modern_headers
from toolnote_desktop.proxy.transports.base import Reply, ReplyUnreadable, Transport

DISCOVERY_TIMEOUT = 10.0
"""Seconds for ``server/discover`` as a probe: some servers never respond to unknown requests."""

_INVALID_REQUEST, _UNSUPPORTED_VERSION = -32600, -32022
"""What a connection that has settled for the handshake era says to requests of the other."""


class HandshakeResult(Struct, frozen=True):
    """Result of a handshake."""

    era: Era
    protocol_version: str
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    server_info: Mapping[str, Any] = field(default_factory=dict)
    instructions: str | None = None

    def can(self, name: str) -> bool:
        """Return True if the server has a capability, with any content."""
        return self.capabilities.get(name) not in (None, False)

    def announced_lists(self) -> tuple[str, ...]:
        """Return the capabilities whose lists the server announces changes of (``listChanged``)."""
        found = ((name, self.capabilities.get(name)) for name in ("tools", "prompts", "resources"))
        return tuple(name for name, value in found if isinstance(value, dict) and value.get("listChanged") is True)


async def perform_handshake(
    transport: Transport, server: str, era: Era | None, offered: Mapping[str, Any] = CAPABILITIES
) -> HandshakeResult:
    """Perform the handshake in one era, or in the other one if the server refuses.

    Args:
        era: era to try first; None for the order that suits all servers.
        offered: client capabilities sent to the server.

    Raises:
        ToolnoteError: ``server-protocol``: the server refuses both.
        TransportClosed: the connection was closed.
    """
    # After a response to discovery that came too late, a server on pipes has settled for the modern era all the same.
    order = (
        (handshake, discover_modern) if era is not Era.MODERN else (discover_within_timeout, handshake, discover_modern)
    )
    refused: HandshakeRefused | None = None
    for connect in order:
        try:
            return await connect(transport, offered)
        except HandshakeRefused as error:
            refused = refused or error
    assert refused is not None
    raise ToolnoteError(Code.SERVER_PROTOCOL, server=server, reason=str(refused)) from refused


class HandshakeRefused(Exception):  # noqa: N818
    """The server responds to a handshake with an error or an invalid result.

    Attributes:
        elsewhere: the error says that it speaks the modern era on another connection.
        silent: it did not respond.
    """

    def __init__(self, text: str, *, elsewhere: bool = False, silent: bool = False) -> None:
        super().__init__(text)
        self.elsewhere = elsewhere
        self.silent = silent


async def handshake(transport: Transport, offered: Mapping[str, Any]) -> HandshakeResult:
    """Send ``initialize`` and ``notifications/initialized``."""
    params = {"protocolVersion": NEWEST_HANDSHAKE, "capabilities": offered, "clientInfo": IMPLEMENTATION}
    result = await _send_request(transport, "initialize", json_text.dumps(params), {}, None)
    version = result.get("protocolVersion")
    if not isinstance(version, str) or version == modern_headers.VERSION:
        raise HandshakeRefused(f"initialize: the protocol version is {version!r}")
    transport.set_protocol_version(version, modern=False)
    await transport.notify("notifications/initialized", None)
    return HandshakeResult(
        Era.HANDSHAKE,
        version,
        capabilities=_object(result.get("capabilities")),
        server_info=_object(result.get("serverInfo")),
        instructions=_text(result.get("instructions")),
    )


async def discover_modern(transport: Transport, offered: Mapping[str, Any]) -> HandshakeResult:
    """Send ``server/discover`` for a connection of the modern era."""
    handshake_result = await _discover(transport, offered)
    transport.set_protocol_version(modern_headers.VERSION, modern=True)
    return handshake_result


async def discover_within_timeout(transport: Transport, offered: Mapping[str, Any]) -> HandshakeResult:
    handshake_result = await _discover(transport, offered, timeout=DISCOVERY_TIMEOUT)
    transport.set_protocol_version(modern_headers.VERSION, modern=True)
    return handshake_result


async def probe_modern(transport: Transport, offered: Mapping[str, Any]) -> HandshakeResult:
    """Probe a server of the handshake era for the modern one.

    Raises:
        HandshakeRefused: it does not speak it on this connection, or not at all.
        TransportClosed: the connection was closed.
    """
    return await _discover(transport, offered, timeout=DISCOVERY_TIMEOUT)


async def _discover(transport: Transport, offered: Mapping[str, Any], timeout: float | None = None) -> HandshakeResult:
    params = jsonrpc.with_meta(None, modern_headers.meta(dict(offered)))
    result = await _send_request(
        transport, "server/discover", params, modern_headers.headers("server/discover", {}), timeout
    )
    versions = result.get("supportedVersions")
    if not isinstance(versions, list) or modern_headers.VERSION not in versions:
        raise HandshakeRefused(f"server/discover: the supported versions are {versions!r}")
    info = _object(_object(result.get("_meta")).get(modern_headers.SERVER_INFO_KEY))
    return HandshakeResult(
        Era.MODERN,
        modern_headers.VERSION,
        capabilities=_object(result.get("capabilities")),
        server_info=info or _object(result.get("serverInfo")),
        instructions=_text(result.get("instructions")),
    )


async def _send_request(
    transport: Transport, method: str, params: bytes, headers: Mapping[str, str], timeout: float | None = None
) -> Mapping[str, Any]:
    try:
        reply = await transport.request(method, params, headers=headers, timeout=timeout)
    except ReplyUnreadable as error:
        raise HandshakeRefused(f"{method}: {error}") from error
    except TimeoutError as error:
        raise HandshakeRefused(f"{method}: no answer within {timeout:g} seconds", silent=True) from error
    if reply.result is None:
        raise HandshakeRefused(
            f"{method}: {error_text(reply)}", elsewhere=_names_other_connection(reply.error or b"null")
        )
    result = loads_lenient(reply.result)
    if not isinstance(result, dict):
        raise HandshakeRefused(f"{method}: the result is no object")
    return result


def _names_other_connection(raw: bytes) -> bool:
    """Return True if an error says that the modern era is spoken on other connections."""
    error = _object(loads_lenient(raw))
    match error.get("code"):
        case int(code) if code == _UNSUPPORTED_VERSION:
            supported = _object(error.get("data")).get("supported")
            return isinstance(supported, list) and modern_headers.VERSION in supported
        case int(code) if code == _INVALID_REQUEST:
            message = str(error.get("message"))
            return "handshake" in message and modern_headers.VERSION in message
        case _:
            return False


def is_more(offered: object, before: object) -> bool:
    """Return True if client capabilities have a member that others lack."""
    if not isinstance(offered, Mapping):
        return False
    if not isinstance(before, Mapping):
        return True
    return any(key not in before or is_more(value, before[key]) for key, value in offered.items())


def error_text(reply: Reply) -> str:
    """Return a server's error as one line. It is cut only after secrets have been redacted."""
    error = loads_lenient(reply.error or b"null")
    if not isinstance(error, dict):
        return "an error with no message"
    message = " ".join(str(error.get("message", "")).split())
    return f"{message} ({error.get('code')})"


def loads_lenient(raw: bytes) -> Any:
    """Parse JSON that may contain invalid UTF-8; None if it is not JSON, or has too many values."""
    if jsonrpc.is_bulky(raw):
        return None
    try:
        return json_text.loads(raw.decode("utf-8", "replace"))
    except ValueError:
        return None


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
