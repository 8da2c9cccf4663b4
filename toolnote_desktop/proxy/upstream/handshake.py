"""Getting to know a server: which era it speaks, what it can do, what it calls itself.

``initialize`` comes first: every server of the handshake era answers it, and one of the modern era alone refuses it at
once; while an old server may ignore an unknown ``server/discover`` for ever, or break on a request before
``initialize`` (docs/dependencies.md). One that answers is then asked, in the background, whether it speaks the modern era too:
here, or on another connection (``era_choice.py``).
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

DISCOVERY = 10.0
"""Seconds for ``server/discover`` where it is only a question: some servers never answer what they do not know."""

_INVALID_REQUEST, _UNSUPPORTED_VERSION = -32600, -32022
"""What a connection that has settled for the handshake era says to requests of the other."""


class HandshakeResult(Struct, frozen=True):
    """What a server said of itself."""

    era: Era
    protocol_version: str
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    server_info: Mapping[str, Any] = field(default_factory=dict)
    instructions: str | None = None

    def can(self, name: str) -> bool:
        """Whether the server has a capability, whatever is in it."""
        return self.capabilities.get(name) not in (None, False)

    def announced_lists(self) -> tuple[str, ...]:
        """Return the capabilities whose lists the server announces changes of (``listChanged``)."""
        found = ((name, self.capabilities.get(name)) for name in ("tools", "prompts", "resources"))
        return tuple(name for name, value in found if isinstance(value, dict) and value.get("listChanged") is True)


async def perform_handshake(
    transport: Transport, server: str, era: Era | None, offered: Mapping[str, Any] = CAPABILITIES
) -> HandshakeResult:
    """Shake hands, or ask a modern server what it is.

    ``offered`` are the capabilities that the server is told of.

    ``era`` is the one to ask for first; a server that refuses one way is asked the other.

    Raises:
        ToolnoteError: ``server-protocol``: it answers neither way.
        TransportClosed: the connection ended.
    """
    # Where discovery was answered too late to count, a server on pipes has settled for the modern era all the same.
    order = (
        (handshake, discover_modern) if era is not Era.MODERN else (discover_within_timeout, handshake, discover_modern)
    )
    refused: HandshakeRefused | None = None
    for way in order:
        try:
            return await way(transport, offered)
        except HandshakeRefused as error:
            refused = refused or error
    assert refused is not None
    raise ToolnoteError(Code.SERVER_PROTOCOL, server=server, reason=str(refused)) from refused


class HandshakeRefused(Exception):  # noqa: N818
    """The server answers this way of getting to know it with an error, or with nonsense.

    Attributes:
        elsewhere: its error says that it speaks the modern era, only not on this connection.
        silent: it did not answer.
    """

    def __init__(self, text: str, *, elsewhere: bool = False, silent: bool = False) -> None:
        super().__init__(text)
        self.elsewhere = elsewhere
        self.silent = silent


async def handshake(transport: Transport, offered: Mapping[str, Any]) -> HandshakeResult:
    """``initialize`` and ``notifications/initialized``."""
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
    """``server/discover``, for a connection that is to be of the modern era."""
    handshake_result = await _discover(transport, offered)
    transport.set_protocol_version(modern_headers.VERSION, modern=True)
    return handshake_result


async def discover_within_timeout(transport: Transport, offered: Mapping[str, Any]) -> HandshakeResult:
    handshake_result = await _discover(transport, offered, timeout=DISCOVERY)
    transport.set_protocol_version(modern_headers.VERSION, modern=True)
    return handshake_result


async def probe_modern(transport: Transport, offered: Mapping[str, Any]) -> HandshakeResult:
    """Ask a server that was introduced in the handshake era whether it speaks the modern one as well.

    Raises:
        Refused: not here, or not at all.
        TransportClosed: the connection ended.
    """
    return await _discover(transport, offered, timeout=DISCOVERY)


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
    """Whether an error says that the modern era is spoken, but not here; not that it repeats what was asked."""
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


def error_text(reply: Reply) -> str:
    """An error of a server's in one line. Whole: it is cut where the secrets in it have been covered."""
    error = loads_lenient(reply.error or b"null")
    if not isinstance(error, dict):
        return "an error with no message"
    message = " ".join(str(error.get("message", "")).split())
    return f"{message} ({error.get('code')})"


def loads_lenient(raw: bytes) -> Any:
    """The JSON value of bytes that may hold invalid UTF-8; None for what is no JSON."""
    try:
        return json_text.loads(raw.decode("utf-8", "surrogateescape"))
    except ValueError:
        return None


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
