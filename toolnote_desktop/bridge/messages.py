"""Messages between client and app: parsing, the HTTP requests made of them, and the bridge's own replies."""

from __future__ import annotations

import binascii
import json
import os
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

from toolnote_desktop.bridge.app_discovery import AppEndpoint
from toolnote_desktop.bridge.http_client import EndpointConnection, HttpSocket
from toolnote_desktop.paths import CLIENT_HEADER, TOOLSET_HEADER

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
LISTEN = "subscriptions/listen"
INITIALIZED = "notifications/initialized"
CANCELLED = "notifications/cancelled"
_SHORT = 65536  # bytes; a shorter message is copied rather than written in two steps
PARSE_ERROR, INVALID_REQUEST, UNREACHABLE = -32700, -32600, -32000

CLOSED = "Toolnote is closed; open it to use these tools"
LOST = (
    "Toolnote was closed during this call, so it is unknown whether the call was carried out. "
    "Check before you try it again."
)
NOT_STARTED = "Toolnote is not running and could not be started{reason}. Open Toolnote, then try again"
NO_ANSWER = "Toolnote could not answer this request ({reason}). Try again, or restart Toolnote"

_PLAIN = re.compile(r"[\x20-\x7E]*")
_WRAPPED = re.compile(r"=\?base64\?.*\?=")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
# Member of the params that the `Mcp-Name` header repeats (revision 2026-07-28, Streamable HTTP).
_NAMED = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    **dict.fromkeys(("tasks/get", "tasks/update", "tasks/cancel"), "taskId"),
}
# List changes: notification, capability (handshake era), key of a listen filter (modern era).
CHANGES = (
    ("notifications/tools/list_changed", "tools", "toolsListChanged"),
    ("notifications/prompts/list_changed", "prompts", "promptsListChanged"),
    ("notifications/resources/list_changed", "resources", "resourcesListChanged"),
)


def encode(message: object) -> bytes:
    """Encode a message as one line, without the line end."""
    return json.dumps(message, separators=(",", ":")).encode("ascii")


class HttpExchange:
    """Message or batch from the client, and its state."""

    __slots__ = (
        "answered",
        "cancelled",
        "connection",
        "holds",
        "is_sent",
        "link",
        "method",
        "params",
        "raw",
        "requests",
        "resubscribed",
        "tries",
        "version",
    )

    def __init__(self, raw: bytes, method: str | None, params: object, requests: list[tuple[Any, str]]) -> None:
        self.raw = raw
        self.method = method
        self.params: dict[str, Any] = params if isinstance(params, dict) else {}
        # id and method of each request that expects a response: none, one, or a batch's
        self.requests = requests
        meta = self.params.get("_meta")
        version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        self.version = version if isinstance(version, str) else None  # modern era; None: handshake era
        self.link: ServerLink | None = None
        self.connection: EndpointConnection | None = None
        self.tries = 0
        self.holds = 0  # times that the app did not take it, having too many connections
        self.is_sent = False  # counts against the limits of what is at the app
        self.answered = False
        self.cancelled = False
        self.resubscribed = False  # a listen request that was sent again after the app came back

    @property
    def calls_tool(self) -> bool:
        """True for a tool call, which must not be sent twice once it may have been carried out."""
        return any(method == "tools/call" for _, method in self.requests)

    @property
    def blocks_later(self) -> bool:
        """True if later messages must wait for its response."""
        return self.method in ("initialize", INITIALIZED)

    @property
    def key(self) -> str:
        """Key that a cancellation names. Ids of different types differ; a batch as a whole cannot be cancelled."""
        return repr(self.requests[0][0]) if self.method else f"batch {id(self)}"

    def error_reply(self, text: str, call_result: bool) -> bytes | None:
        """Return the bridge's own error reply; None if no response is expected.

        Args:
            text: message for the user or the assistant to act on.
            call_result: True to answer a ``tools/call`` with a result with ``isError`` (docs/contract.md 4) instead of
                an error.
        """
        answers = [self._error_reply(request_id, method, text, call_result) for request_id, method in self.requests]
        if not answers:
            return None
        return encode(answers if self.method is None else answers[0])

    def _error_reply(self, request_id: object, method: str, text: str, call_result: bool) -> dict[str, object]:
        if call_result and method == "tools/call":
            result: dict[str, object] = {"content": [{"type": "text", "text": text}], "isError": True}
            return {"jsonrpc": "2.0", "id": request_id, "result": result | self._complete()}
        return {"jsonrpc": "2.0", "id": request_id, "error": {"code": UNREACHABLE, "message": text}}

    def ping_reply(self) -> bytes:
        """Return the bridge's own reply to a ping: it works whatever the app does."""
        return encode({"jsonrpc": "2.0", "id": self.requests[0][0], "result": self._complete()})

    def _complete(self) -> dict[str, object]:
        return {"resultType": "complete"} if self.version else {}


def parse(line: bytes) -> HttpExchange | bytes:
    """Parse a line from the client; return an error reply if it is not a JSON-RPC message."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        return _error(PARSE_ERROR, f"Parse error: {error}")
    if isinstance(message, dict):
        method = message.get("method")
        if not isinstance(method, str):
            return HttpExchange(line, "", None, [])  # a response to a request of the server's
        requests = [(message["id"], method)] if "id" in message else []
        return HttpExchange(line, method, message.get("params"), requests)
    if isinstance(message, list) and message and all(isinstance(item, dict) for item in message):
        requests = [(m["id"], m["method"]) for m in message if "id" in m and isinstance(m.get("method"), str)]
        return HttpExchange(line, None, None, requests)
    return _error(INVALID_REQUEST, "Invalid request: a message is an object, a batch a list of them")


def too_long() -> bytes:
    """Return the error reply to a message that is not read."""
    return _error(INVALID_REQUEST, "Invalid request: a message has at most 64 MiB")


def _error(code: int, text: str) -> bytes:
    return encode({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": text}})


def percent_encoded(text: str) -> bytes:
    """Encode a value of Toolnote's own headers as percent-encoded UTF-8 (see ``paths.CLIENT_HEADER``)."""
    return b"".join(
        b"%c" % byte if byte < 128 and (chr(byte).isalnum() or byte in b"-._~") else b"%%%02X" % byte
        for byte in text.encode("utf-8", "surrogatepass")
    )


def field_value(text: str) -> bytes:
    """Encode a value of ``Mcp-Name`` or ``Mcp-Param-*`` (revision 2026-07-28): verbatim, or in base64."""
    if _PLAIN.fullmatch(text) and text == text.strip() and not _WRAPPED.fullmatch(text):
        return text.encode("ascii")
    return b"=?base64?" + binascii.b2a_base64(text.encode("utf-8", "surrogatepass"), newline=False) + b"?="


def parameter_headers(schema: object) -> dict[tuple[str, ...], str]:
    """Map property paths to header names for the ``x-mcp-header`` of an input schema (revision 2026-07-28)."""
    found: dict[tuple[str, ...], str] = {}
    waiting: list[tuple[tuple[str, ...], object]] = [((), schema)]
    while waiting:
        path, node = waiting.pop()
        properties = node.get("properties") if isinstance(node, dict) else None
        for name, inner in properties.items() if isinstance(properties, dict) else ():
            header = inner.get("x-mcp-header") if isinstance(inner, dict) else None
            if isinstance(header, str) and _TOKEN.fullmatch(header):
                found[(*path, name)] = header
            waiting.append(((*path, name), inner))
    return found


def parameter_fields(headers: Mapping[tuple[str, ...], str], arguments: object) -> bytes:
    """Return the ``Mcp-Param-*`` header lines for a call; missing and null arguments have none."""
    lines = []
    for path, header in headers.items():
        value = arguments
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, bool):
            value = "true" if value else "false"
        if isinstance(value, (str, int, float)):
            lines.append(b"Mcp-Param-%s: %s\r\n" % (header.encode("ascii"), field_value(str(value))))
    return b"".join(lines)


class Credentials:
    """Headers that name the client and its toolset in each request (docs/contract.md 4, ``paths``)."""

    def __init__(self, client: str | None, toolset: str | None) -> None:
        self.toolset = toolset
        self.headers = b""
        for name, value in ((CLIENT_HEADER, client), (TOOLSET_HEADER, toolset)):
            if value is not None:
                self.headers += b"%s: %s\r\n" % (name.encode("ascii"), percent_encoded(value))


class ServerLink:
    """Connection to one run of the app, with the client's session in the handshake era."""

    def __init__(self, endpoint: AppEndpoint, credentials: Credentials) -> None:
        self.endpoint = endpoint
        self.session: bytes | None = None
        self.version: bytes | None = None
        self.idle: list[EndpointConnection] = []
        self.stream: HttpSocket | None = None  # the app's own requests and notifications
        self._target = endpoint.path.encode("utf-8", "surrogateescape")
        self._common = b"Host: %s\r\nAuthorization: Bearer %s\r\n%s" % (
            endpoint.authority.encode("ascii", "replace"),
            endpoint.secret.encode("ascii"),
            credentials.headers,
        )
        self._post = b"POST %s HTTP/1.1\r\n%sAccept: application/json, text/event-stream\r\n" % (
            self._target,
            self._common,
        )
        self._post += b"Content-Type: application/json\r\n"
        self._session_headers = b""

    def set_session(self, session: bytes | None, version: object) -> None:
        """Set the session and the protocol revision from the response to `initialize`, for later requests."""
        self.session = session
        self.version = (
            version.encode("utf-8", "replace") if isinstance(version, str) and version.isprintable() else None
        )
        self._session_headers = b"".join(
            b"%s: %s\r\n" % (name, value)
            for name, value in ((b"Mcp-Session-Id", session), (b"MCP-Protocol-Version", self.version))
            if value
        )

    def post_request(self, exchange: HttpExchange, parameter_headers: dict[str, dict[tuple[str, ...], str]]) -> bytes:
        """Return the HTTP request for a message; ``parameter_headers`` are those of `tools/list`, by tool."""
        if exchange.version is not None:
            headers = _modern_headers(exchange, parameter_headers)
        else:
            headers = b"" if exchange.method == "initialize" else self._session_headers
        return self.post_raw(exchange.raw, headers)

    def post_raw(self, body: bytes, headers: bytes | None = None) -> bytes:
        """Return the HTTP request for a body with these headers (default: the session's)."""
        extra = self._session_headers if headers is None else headers
        return b"%s%sContent-Length: %d\r\n\r\n%b" % (self._post, extra, len(body), body)

    def get_request(self) -> bytes:
        """Return the request for the stream of the server's own messages (handshake era)."""
        return b"GET %s HTTP/1.1\r\n%s%sAccept: text/event-stream\r\n\r\n" % (
            self._target,
            self._common,
            self._session_headers,
        )

    def delete_request(self) -> bytes:
        """Return the request that ends the session."""
        return b"DELETE %s HTTP/1.1\r\n%s%sConnection: close\r\n\r\n" % (
            self._target,
            self._common,
            self._session_headers,
        )


def _modern_headers(exchange: HttpExchange, parameter_headers: dict[str, dict[tuple[str, ...], str]]) -> bytes:
    """Return the headers that revision 2026-07-28 requires."""
    version, method, params = exchange.version or "", exchange.method or "", exchange.params
    headers = b"MCP-Protocol-Version: %s\r\nMcp-Method: %s\r\n" % (field_value(version), field_value(method))
    name = params.get(_NAMED.get(method, ""))
    if isinstance(name, str):
        headers += b"Mcp-Name: %s\r\n" % field_value(name)
        if method == "tools/call" and name in parameter_headers:
            headers += parameter_fields(parameter_headers[name], params.get("arguments"))
    return headers


def read_result(message: bytes | bytearray) -> dict[str, object] | None:
    """Return the result in a response; None if there is none."""
    try:
        decoded = json.loads(message)
    except (ValueError, RecursionError):
        return None
    result = decoded.get("result") if isinstance(decoded, dict) else None
    return result if isinstance(result, dict) else None


def error_from_status(exchange: HttpExchange, status: int, body: bytes | bytearray) -> bytes:
    """Return a JSON-RPC reply for an HTTP response without one (4xx, 5xx, 202, no body)."""
    try:
        decoded = json.loads(body)
    except (ValueError, RecursionError):
        decoded = None
    error = decoded.get("error") if isinstance(decoded, dict) else None
    if isinstance(error, dict) and len(exchange.requests) == 1:
        return encode({"jsonrpc": "2.0", "id": exchange.requests[0][0], "error": error})
    return exchange.error_reply(NO_ANSWER.format(reason=f"status {status}"), call_result=True) or b""


def log(text: str) -> None:
    """Write one line of diagnostics to stderr; never a secret."""
    try:
        os.write(2, f"toolnote bridge: {text}\n".encode("utf-8", "replace"))
    except OSError:
        return  # stderr is closed


def debug(text: str) -> None:
    """Log a line if ``TOOLNOTE_LOG`` asks for it (docs/contract.md 4)."""
    if os.environ.get("TOOLNOTE_LOG") in ("debug", "trace"):
        log(text)


class Output:
    """Stdout, one message per line."""

    def __init__(self, on_closed: Callable[[], None]) -> None:
        self._on_closed = on_closed
        self._lock = threading.Lock()

    def emit(self, message: bytes | bytearray) -> None:
        """Write one message; call ``on_closed`` if stdout is closed."""
        if message.find(b"\n") >= 0 or message.find(b"\r") >= 0:  # ``in`` takes longer
            message = message.replace(b"\r", b" ").replace(b"\n", b" ")  # between tokens: JSON strings contain none
        try:
            with self._lock:
                if len(message) < _SHORT:
                    _write(message + b"\n")
                else:
                    _write(message)
                    _write(b"\n")
        except OSError:
            self._on_closed()


def _write(data: bytes | bytearray) -> None:
    count = os.write(1, data)
    if count < len(data):
        view = memoryview(data)
        while count < len(data):
            count += os.write(1, view[count:])
