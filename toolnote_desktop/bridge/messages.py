"""The messages that pass the bridge, the requests it makes of them, and what it says itself when there is no answer."""

from __future__ import annotations

import binascii
import json
import os
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

from toolnote_desktop.bridge.app_discovery import AppEndpoint
from toolnote_desktop.bridge.http_client import EndpointConnection, Wire
from toolnote_desktop.paths import CLIENT_HEADER, TOOLSET_HEADER

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
LISTEN = "subscriptions/listen"
INITIALIZED = "notifications/initialized"
CANCELLED = "notifications/cancelled"
_SHORT = 65536  # up to here a message is copied rather than written in two steps
PARSE_ERROR, INVALID_REQUEST, UNREACHABLE = -32700, -32600, -32000

CLOSED = "Toolnote is closed; open it to use these tools"
LOST = (
    "Toolnote was closed during this call, so it is not known whether it was carried out. "
    "Check before you try it again."
)
NOT_STARTED = "Toolnote is not running and could not be started{reason}. Open Toolnote, then try again"
NO_ANSWER = "Toolnote did not answer this request as it should ({reason}). Try again, or restart Toolnote"

_PLAIN = re.compile(r"[\x20-\x7E]*")
_WRAPPED = re.compile(r"=\?base64\?.*\?=")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
# Which member of the params the `Mcp-Name` header repeats (revision 2026-07-28, Streamable HTTP).
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
# The kinds of change notice: method, capability (handshake era), key of a listen filter (modern era).
CHANGES = (
    ("notifications/tools/list_changed", "tools", "toolsListChanged"),
    ("notifications/prompts/list_changed", "prompts", "promptsListChanged"),
    ("notifications/resources/list_changed", "resources", "resourcesListChanged"),
)


def encode(message: object) -> bytes:
    """One message as one line, without the line's end."""
    return json.dumps(message, separators=(",", ":")).encode("ascii")


class HttpExchange:
    """A message of the client's (or a batch) and what has become of it."""

    __slots__ = (
        "answered",
        "cancelled",
        "connection",
        "link",
        "method",
        "params",
        "raw",
        "requests",
        "revived",
        "tries",
        "version",
    )

    def __init__(self, raw: bytes, method: str | None, params: object, requests: list[tuple[Any, str]]) -> None:
        self.raw = raw
        self.method = method
        self.params: dict[str, Any] = params if isinstance(params, dict) else {}
        # id and method of every request in it that wants an answer: none, one, or a batch's
        self.requests = requests
        meta = self.params.get("_meta")
        version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        self.version = version if isinstance(version, str) else None  # of the modern era; None: handshake
        self.link: ServerLink | None = None
        self.connection: EndpointConnection | None = None
        self.tries = 0
        self.answered = False
        self.cancelled = False
        self.revived = False  # a listen request that was sent again after the app came back

    @property
    def calls(self) -> bool:
        """Whether it calls a tool: what may have been carried out must not be sent twice."""
        return any(method == "tools/call" for _, method in self.requests)

    @property
    def orders(self) -> bool:
        """Whether what comes after it must wait until it is answered."""
        return self.method in ("initialize", INITIALIZED)

    @property
    def key(self) -> str:
        """What a cancellation names. Ids of different types differ; a batch as a whole cannot be cancelled."""
        return repr(self.requests[0][0]) if self.method else f"batch {id(self)}"

    def failed(self, text: str, call_result: bool) -> bytes | None:
        """An answer saying that there is none; None if nobody waits.

        Args:
            text: for a person or an assistant to act on.
            call_result: whether a ``tools/call`` gets a result with ``isError`` (docs/contract.md 4) or an error as all others.
        """
        answers = [self._failed(request_id, method, text, call_result) for request_id, method in self.requests]
        if not answers:
            return None
        return encode(answers if self.method is None else answers[0])

    def _failed(self, request_id: object, method: str, text: str, call_result: bool) -> dict[str, object]:
        if call_result and method == "tools/call":
            result: dict[str, object] = {"content": [{"type": "text", "text": text}], "isError": True}
            return {"jsonrpc": "2.0", "id": request_id, "result": result | self._complete()}
        return {"jsonrpc": "2.0", "id": request_id, "error": {"code": UNREACHABLE, "message": text}}

    def pong(self) -> bytes:
        """The bridge's own answer to a ping: it lives, whatever the app does."""
        return encode({"jsonrpc": "2.0", "id": self.requests[0][0], "result": self._complete()})

    def _complete(self) -> dict[str, object]:
        return {"resultType": "complete"} if self.version else {}


def parse(line: bytes) -> HttpExchange | bytes:
    """What a line of the client's says; the error to answer with where it is no JSON-RPC message."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        return _refusal(PARSE_ERROR, f"Parse error: {error}")
    if isinstance(message, dict):
        method = message.get("method")
        if not isinstance(method, str):
            return HttpExchange(line, "", None, [])  # an answer to a question of the server's
        asks = [(message["id"], method)] if "id" in message else []
        return HttpExchange(line, method, message.get("params"), asks)
    if isinstance(message, list) and message and all(isinstance(item, dict) for item in message):
        asks = [(m["id"], m["method"]) for m in message if "id" in m and isinstance(m.get("method"), str)]
        return HttpExchange(line, None, None, asks)
    return _refusal(INVALID_REQUEST, "Invalid request: a message is an object, a batch a list of them")


def _refusal(code: int, text: str) -> bytes:
    return encode({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": text}})


def percent_encoded(text: str) -> bytes:
    """A header value of ours: percent-encoded UTF-8 (see ``paths.CLIENT_HEADER``)."""
    return b"".join(
        b"%c" % byte if byte < 128 and (chr(byte).isalnum() or byte in b"-._~") else b"%%%02X" % byte
        for byte in text.encode("utf-8", "surrogatepass")
    )


def field_value(text: str) -> bytes:
    """A value as ``Mcp-Name`` and ``Mcp-Param-*`` of revision 2026-07-28 want it: as it is, or in base64."""
    if _PLAIN.fullmatch(text) and text == text.strip() and not _WRAPPED.fullmatch(text):
        return text.encode("ascii")
    return b"=?base64?" + binascii.b2a_base64(text.encode("utf-8", "surrogatepass"), newline=False) + b"?="


def parameter_headers(schema: object) -> dict[tuple[str, ...], str]:
    """Path of a property -> header name, for every ``x-mcp-header`` in an input schema (revision 2026-07-28)."""
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
    """The ``Mcp-Param-*`` header lines for a call with these arguments; absent values and nulls have none."""
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
    """The headers that every request carries beside the secret: who asks (docs/contract.md 4, ``paths``)."""

    def __init__(self, client: str | None, toolset: str | None) -> None:
        self.toolset = toolset
        self.headers = b""
        for name, value in ((CLIENT_HEADER, client), (TOOLSET_HEADER, toolset)):
            if value is not None:
                self.headers += b"%s: %s\r\n" % (name.encode("ascii"), percent_encoded(value))


class ServerLink:
    """One run of the app and, in the handshake era, our session with it."""

    def __init__(self, endpoint: AppEndpoint, sign_in: Credentials) -> None:
        self.endpoint = endpoint
        self.session: bytes | None = None
        self.version: bytes | None = None
        self.idle: list[EndpointConnection] = []
        self.stream: Wire | None = None  # what the app says by itself comes in here
        self._target = endpoint.path.encode("utf-8", "surrogateescape")
        self._common = b"Host: %s\r\nAuthorization: Bearer %s\r\n%s" % (
            endpoint.authority.encode("ascii", "replace"),
            endpoint.secret.encode("ascii"),
            sign_in.headers,
        )
        self._post = b"POST %s HTTP/1.1\r\n%sAccept: application/json, text/event-stream\r\n" % (
            self._target,
            self._common,
        )
        self._post += b"Content-Type: application/json\r\n"
        self._session_headers = b""

    def opened(self, session: bytes | None, version: object) -> None:
        """The session that `initialize` gave, and the revision agreed on; both go into every later request."""
        self.session = session
        self.version = (
            version.encode("utf-8", "replace") if isinstance(version, str) and version.isprintable() else None
        )
        self._session_headers = b"".join(
            b"%s: %s\r\n" % (name, value)
            for name, value in ((b"Mcp-Session-Id", session), (b"MCP-Protocol-Version", self.version))
            if value
        )

    def post(self, exchange: HttpExchange, parameter_headers: dict[str, dict[tuple[str, ...], str]]) -> bytes:
        """The HTTP request for a message; ``parameter_headers`` is what `tools/list` said of headers, by tool."""
        if exchange.version is not None:
            headers = _modern_headers(exchange, parameter_headers)
        else:
            headers = b"" if exchange.method == "initialize" else self._session_headers
        return self.post_raw(exchange.raw, headers)

    def post_raw(self, body: bytes, headers: bytes | None = None) -> bytes:
        """The HTTP request for a body with these headers (default: the session's)."""
        extra = self._session_headers if headers is None else headers
        return b"%s%sContent-Length: %d\r\n\r\n%b" % (self._post, extra, len(body), body)

    def get(self) -> bytes:
        """The request for the stream of what the server says by itself (handshake era)."""
        return b"GET %s HTTP/1.1\r\n%s%sAccept: text/event-stream\r\n\r\n" % (
            self._target,
            self._common,
            self._session_headers,
        )

    def delete(self) -> bytes:
        """The request that ends the session."""
        return b"DELETE %s HTTP/1.1\r\n%s%sConnection: close\r\n\r\n" % (
            self._target,
            self._common,
            self._session_headers,
        )


def _modern_headers(exchange: HttpExchange, parameter_headers: dict[str, dict[tuple[str, ...], str]]) -> bytes:
    """What revision 2026-07-28 wants repeated in headers."""
    version, method, params = exchange.version or "", exchange.method or "", exchange.params
    headers = b"MCP-Protocol-Version: %s\r\nMcp-Method: %s\r\n" % (field_value(version), field_value(method))
    name = params.get(_NAMED.get(method, ""))
    if isinstance(name, str):
        headers += b"Mcp-Name: %s\r\n" % field_value(name)
        if method == "tools/call" and name in parameter_headers:
            headers += parameter_fields(parameter_headers[name], params.get("arguments"))
    return headers


def result_of(message: bytes | bytearray) -> dict[str, object] | None:
    """The result in an answer, None where there is none."""
    try:
        decoded = json.loads(message)
    except (ValueError, RecursionError):
        return None
    result = decoded.get("result") if isinstance(decoded, dict) else None
    return result if isinstance(result, dict) else None


def refusal_of(exchange: HttpExchange, status: int, body: bytes | bytearray) -> bytes:
    """A JSON-RPC answer for an HTTP answer that is none for this request (4xx, 5xx, 202, no body)."""
    try:
        decoded = json.loads(body)
    except (ValueError, RecursionError):
        decoded = None
    error = decoded.get("error") if isinstance(decoded, dict) else None
    if isinstance(error, dict) and len(exchange.requests) == 1:
        return encode({"jsonrpc": "2.0", "id": exchange.requests[0][0], "error": error})
    return exchange.failed(NO_ANSWER.format(reason=f"status {status}"), call_result=True) or b""


def say(text: str) -> None:
    """One line of diagnostics on stderr; never a secret."""
    try:
        os.write(2, f"toolnote bridge: {text}\n".encode("utf-8", "replace"))
    except OSError:
        return  # nobody listens


def debug(text: str) -> None:
    """The same, if asked for (docs/contract.md 4)."""
    if os.environ.get("TOOLNOTE_LOG") in ("debug", "trace"):
        say(text)


class Output:
    """Stdout, one message a line."""

    def __init__(self, gone: Callable[[], None]) -> None:
        self._gone = gone
        self._lock = threading.Lock()

    def emit(self, message: bytes | bytearray) -> None:
        """Write one message. When nobody reads any more, ``gone`` is called."""
        if b"\n" in message or b"\r" in message:
            message = message.replace(b"\r", b" ").replace(b"\n", b" ")  # between tokens: JSON strings have none
        try:
            with self._lock:
                if len(message) < _SHORT:
                    _write(message + b"\n")
                else:
                    _write(message)
                    _write(b"\n")
        except OSError:
            self._gone()


def _write(data: bytes | bytearray) -> None:
    count = os.write(1, data)
    if count < len(data):
        view = memoryview(data)
        while count < len(data):
            count += os.write(1, view[count:])
