"""HTTP client of one server: its headers, redirects within the origin, and failures as problems.

``httpx2`` is imported in a thread with the first HTTP server: users without one do not pay for it.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING

from toolnote_desktop import __version__
from toolnote_desktop.http_body import discard_body, failure_text
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.secrets.url_checks import first_header_problem, url_problem
from toolnote_desktop.model.url_parts import split_url
from toolnote_desktop.proxy.oauth.token_source import Challenge
from toolnote_desktop.proxy.oauth.tokens import SignInError
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.urls import gives_authorization, is_loopback
from toolnote_desktop.system.network_proxy import environment_proxy, proxy_problem

if TYPE_CHECKING:
    from http.cookiejar import CookieJar
    from urllib.request import Request

    import httpx2
    from httpx2 import AsyncBaseTransport

    from toolnote_desktop.proxy.oauth.token_source import TokenSource

log = logging.getLogger(__name__)

BODY_LIMIT = 64 * 1024 * 1024
"""Bytes of the longest response or event that is accepted."""

_MAX_REASON = 100
"""Characters of a server's status line or media type that are repeated in a message."""

_MAX_BODY = 300
"""Characters of the body of a refusal that are repeated in a message."""

_MAX_REDIRECTS = 5
_MAX_IDLE_CONNECTIONS, _IDLE_SECONDS = 20, 30.0
_MAX_CACHED_HEADERS = 256
_CONNECT_TIMEOUT = 30.0
"""Timeout of connecting and writing. Reading has none: each request has its own."""


class ServerHttpClient:
    """HTTP client for one URL with the headers of a server's entry."""

    def __init__(
        self,
        server: str,
        url: str,
        client: httpx2.AsyncClient,
        transport: AsyncBaseTransport | None = None,
        sign_in: TokenSource | None = None,
        *,
        gives_authorization: bool = False,
    ) -> None:
        """
        Args:
            transport: the client's transport, if requests may bypass the client (without a sign-in).
        """
        self.server = server
        self.url = url
        self._client = client
        self._transport = transport
        self._sign_in = sign_in
        self._template = client.build_request("POST", url)
        self._header_cache: dict[tuple[tuple[str, str], ...], list[tuple[bytes, bytes]]] = {}
        self._gives_authorization = gives_authorization

    @classmethod
    async def open(
        cls, server: str, url: str, headers: Mapping[str, str], sign_in: TokenSource | None = None
    ) -> ServerHttpClient:
        """Return a client, which is not connected yet.

        Args:
            sign_in: source of the token for each request, if there is one.

        Raises:
            ToolnoteError: ``server-entry-invalid``: not an http URL, or a header that cannot be sent.
        """
        loop = asyncio.get_running_loop()
        httpx2 = await loop.run_in_executor(None, importlib.import_module, "httpx2")
        # Their log lines name every URL, and a URL may hold a token.
        logging.getLogger("httpx2").setLevel(logging.WARNING)
        logging.getLogger("httpcore2").setLevel(logging.WARNING)
        _check_entry(server, url, headers)
        # A proxy of the user's network cannot reach this machine.
        trust_env = not is_loopback(split_url(url).hostname)
        if trust_env and (reason := proxy_problem(url)) is not None:
            raise ToolnoteError(Code.SERVER_UNREACHABLE, server=server, reason=reason)
        # Loading the system's certificates takes longer than most handshakes, and plain http never needs them. The
        # user's own certificates (SSL_CERT_FILE) are for this machine's servers too.
        try:
            verify = split_url(url).scheme == "https" and httpx2.create_ssl_context()
        except OSError as error:
            reason = "the certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read"
            raise ToolnoteError(Code.SERVER_UNREACHABLE, server=server, reason=reason) from error
        limits = httpx2.Limits(
            max_connections=None, max_keepalive_connections=_MAX_IDLE_CONNECTIONS, keepalive_expiry=_IDLE_SECONDS
        )
        transport: AsyncBaseTransport | None = None
        proxy = environment_proxy(url) if trust_env else None
        if not trust_env and not verify:
            from toolnote_desktop.proxy.transports.loopback_transport import LoopbackTransport

            transport = LoopbackTransport(idle=_MAX_IDLE_CONNECTIONS, idle_seconds=_IDLE_SECONDS)
        elif proxy is None:
            transport = httpx2.AsyncHTTPTransport(
                verify=verify, trust_env=False, limits=limits, socket_options=_keepalive_options()
            )
        client = httpx2.AsyncClient(
            auth=None if sign_in is None else httpx2.Auth(),  # sends nothing of the URL; the token is added here
            headers={"user-agent": f"toolnote/{__version__}", **headers},
            timeout=httpx2.Timeout(_CONNECT_TIMEOUT, read=None),
            limits=limits,
            follow_redirects=False,
            verify=verify,
            trust_env=False,
            proxy=None if proxy is None else proxy.url,
            transport=transport,
            cookies=_cookie_jar(),
        )
        # The client handles a user name and password in the URL.
        direct = None if httpx2.URL(url).userinfo else transport
        return cls(server, url, client, direct, sign_in, gives_authorization=gives_authorization(url, headers))

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    @asynccontextmanager
    async def send(
        self, method: str, headers: Mapping[str, str], content: bytes | None = None, url: str | None = None
    ) -> AsyncIterator[httpx2.Response]:
        """Send a request and yield the response with its body unread. Redirects within the origin are followed.

        Raises:
            httpx2.TransportError: no response; ``transport_problem`` converts it.
        """
        import httpx2

        response = None
        if url is None and self._transport is not None and (self._sign_in is None or self._sign_in.record is None):
            response = await self._send_directly(self._transport, method, headers, content)
        if response is None:
            request = self._client.build_request(method, url or self.url, content=content, headers=headers)
            response = await self._send_following_redirects(request)
        coding = response.headers.get("content-encoding", "").lower()
        if "x-gzip" in coding:  # the same as gzip (RFC 9110, 8.4.1.3)
            response.headers["content-encoding"] = coding.replace("x-gzip", "gzip")
        try:
            yield response
        except httpx2.DecodingError as error:  # the body is not in the declared encoding
            text = f"the response is not encoded as {coding[:_MAX_REASON]}, as its head says"
            raise httpx2.RemoteProtocolError(text, request=response.request) from error
        finally:
            await response.aclose()

    async def _send_following_redirects(self, request: httpx2.Request) -> httpx2.Response:
        import httpx2

        for _ in range(1 + _MAX_REDIRECTS):
            response = await self._send_with_token(request)
            following = response.next_request
            if following is None or following.method != request.method or not same_origin(request.url, following.url):
                return response
            await _discard(response)
            request = following
        raise httpx2.RemoteProtocolError(f"it redirects more than {_MAX_REDIRECTS} times", request=request)

    async def _send_with_token(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request with the user's token, if there is one; after a 401 once more with a refreshed one.

        ``httpx2.Auth`` would read the body of the 401, which may be endless.
        """
        import httpx2

        sign_in = self._sign_in
        if sign_in is None:
            return await self._client.send(request, stream=True)
        try:
            token = await sign_in.token()
            response = await self._send_as(request, token)
            if response.status_code == 401:
                token = await sign_in.refresh_after_401(token)
                if token is not None:
                    await _discard(response)
                    response = await self._send_as(request, token)
                    if response.status_code == 401:
                        sign_in.mark_rejected(token)
        except SignInError as error:
            raise httpx2.ConnectError(f"its token could not be refreshed: {error}", request=request) from None
        challenge = Challenge.of(response)
        if challenge is not None:
            sign_in.record_challenge(challenge)
        return response

    async def _send_as(self, request: httpx2.Request, token: str | None) -> httpx2.Response:
        if token is not None:
            request.headers["authorization"] = f"Bearer {token}"
        return await self._client.send(request, stream=True)

    async def _send_directly(
        self, transport: AsyncBaseTransport, method: str, headers: Mapping[str, str], content: bytes | None
    ) -> httpx2.Response | None:
        """Send a request without the client's overhead; None if the client has to send it.

        It has to if the user may need to sign in. A server that redirects or sets cookies is reached through the client
        from then on.
        """
        import httpx2

        template = self._template
        request = httpx2.Request(
            method, template.url, headers=self._merged(headers), content=content, extensions=template.extensions
        )
        response = await transport.handle_async_request(request)
        response.request = request
        if "set-cookie" in response.headers:
            self._transport = None
            self._client.cookies.extract_cookies(response)
        if response.has_redirect_location:
            self._transport = None
        elif self._sign_in is None or Challenge.of(response) is None:
            return response
        await response.aclose()
        return None

    def _merged(self, headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
        """Merge the client's headers with these; cached, because most requests have the same."""
        key = tuple(headers.items())
        known = self._header_cache.get(key)
        if known is None:
            merged = self._template.headers.copy()
            merged.update(headers)
            known = [(name, value) for name, value in merged.raw if name.lower() != b"content-length"]
            if len(self._header_cache) >= _MAX_CACHED_HEADERS:
                self._header_cache.clear()
            self._header_cache[key] = known
        return known

    def auth_problem(self, response: httpx2.Response) -> Problem | None:
        """Return the problem if a response demands authorization (401, or 403 ``insufficient_scope``), else None."""
        if Challenge.of(response) is None:
            return None
        code = Code.AUTHORIZATION_REFUSED if self._gives_authorization else Code.SERVER_SIGN_IN
        return Problem(code, {"server": self.server})

    def transport_problem(self, error: Exception) -> Problem:
        """Return the problem for an HTTP failure."""
        return Problem(Code.SERVER_UNREACHABLE, {"server": self.server, "reason": _reason(error)})

    def unreachable_problem(self, reason: str) -> Problem:
        """Return ``server-unreachable`` with a reason."""
        return Problem(Code.SERVER_UNREACHABLE, {"server": self.server, "reason": reason})


async def _discard(response: httpx2.Response) -> None:
    try:
        await discard_body(response)
    finally:
        await response.aclose()


def _check_entry(server: str, url: str, headers: Mapping[str, str]) -> None:
    """Raise ToolnoteError (``server-entry-invalid``) for a URL or a header that cannot be used."""
    import httpx2

    try:
        unusable = url_problem(url)
        httpx2.URL(url)
    except (ValueError, httpx2.InvalidURL):  # whose texts may repeat a part of the url
        unusable = "it is not a url"
    if unusable is not None:
        raise ToolnoteError(Code.SERVER_ENTRY_INVALID, server=server, field="url", reason=unusable)
    if (bad := first_header_problem(headers)) is not None:
        raise ToolnoteError(Code.SERVER_ENTRY_INVALID, server=server, field=bad[0], reason=bad[1])


def _cookie_jar() -> CookieJar:
    """Return a jar that takes no cookie which no request could carry."""
    from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy

    class Policy(DefaultCookiePolicy):
        def set_ok(self, cookie: Cookie, request: Request) -> bool:
            text = cookie.name + (cookie.value or "")
            return text.isascii() and text.isprintable() and super().set_ok(cookie, request)

    return CookieJar(Policy())


def _keepalive_options() -> list[tuple[int, int, int]]:
    """Return socket options for TCP keepalive.

    A stream of notifications may be silent for hours, and routers drop such connections without a sign.
    """
    found = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPALIVE", 30), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        option = getattr(socket, name, None)
        if option is not None:
            found.append((socket.IPPROTO_TCP, option, value))
    return found


def same_origin(one: httpx2.URL, other: httpx2.URL) -> bool:
    """Return True if scheme, host and port are the same and ``other`` adds no credentials."""
    same = (one.scheme, one.host, one.port) == (other.scheme, other.host, other.port)
    return same and (not other.userinfo or other.userinfo == one.userinfo)


def was_never_sent(error: Exception) -> bool:
    """Return True if a failed request certainly never reached the server."""
    return type(error).__name__ in ("ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError")


def content_kind(response: httpx2.Response) -> str:
    """Return ``json``, ``events``, or the media type."""
    kind = response.headers.get("content-type", "")[:_MAX_REASON].partition(";")[0].strip().lower()
    return {"application/json": "json", "text/event-stream": "events"}.get(kind, kind)


def status_text(response: httpx2.Response) -> str:
    """Return ``HTTP 404 Not Found``; for a redirect that was not followed also its target without possible secrets."""
    text = f"HTTP {response.status_code} {response.reason_phrase[:_MAX_REASON]}".strip()
    target = response.next_request
    if target is None:
        return text
    address = str(target.url.copy_with(userinfo=b"", query=None, fragment=None))
    return f"{text}, to {address[:_MAX_REASON]}, which was not followed"


def refusal_text(response: httpx2.Response, body: bytes) -> str:
    """Return the status of a refusal, the time after which to try again, and the beginning of its text."""
    text = status_text(response)
    after = response.headers.get("retry-after", "")[:_MAX_REASON].strip()
    if after:
        text += f"; try again after {after} seconds" if after.isdigit() else f"; try again after {after}"
    if content_kind(response) in ("json", "text/plain"):
        body_text = " ".join(body[: 4 * _MAX_BODY].decode("utf-8", "replace").split())
        text += f": {body_text[:_MAX_BODY]}" if body_text else ""
    return text


def unknown_coding(response: httpx2.Response) -> str | None:
    """Return the first content coding of a response that cannot be decoded, or None."""
    names = response.headers.get("content-encoding", "")[:_MAX_REASON].lower().split(",")
    return next((name.strip() for name in names if name.strip() not in _codings()), None)


@cache
def _codings() -> frozenset[str]:
    import httpx2

    accepted = httpx2.AsyncClient(trust_env=False, verify=False).headers["accept-encoding"]
    return frozenset({"", "identity", *(name.strip() for name in accepted.split(","))})


def error_in(body: bytes) -> tuple[bytes | None, bytes | None]:
    """Return the JSON-RPC error in the body of a refusal and the raw id that it names, or None for each."""
    try:
        message = jsonrpc.read_messages(body)[0]
    except jsonrpc.NotAMessage:
        return None, None
    if message.error is None or not message.error.lstrip().startswith(b"{"):  # OAuth puts a string there
        return None, None
    return message.error, message.id


def _reason(error: BaseException) -> str:
    """Return words for the deepest informative cause, such as ``Connection refused``, without those of Python."""
    text = str(error) or failure_text(error)
    cause: BaseException | None = error
    while cause is not None:
        if (reason := getattr(cause, "verify_message", None)) is not None:
            return f"its certificate is not trusted: {reason}"
        if isinstance(reason := getattr(cause, "reason", None), str) and isinstance(cause, OSError):
            return f"no secure connection: {reason.lower().replace('_', ' ')}"  # ssl.SSLError
        if isinstance(cause, ConnectionError) and cause.errno:
            text = os.strerror(cause.errno)  # asyncio puts the address into its own text
        elif isinstance(cause, OSError) and cause.strerror:
            text = cause.strerror
        cause = cause.__cause__ or cause.__context__
    if text.startswith("[Errno "):
        return text.partition("] ")[2]
    fault, is_quoted, _ = text.partition(": bytearray(")
    if is_quoted:
        return f"its response is not HTTP: {fault}"
    return failure_text(error) if "_SWITCH_" in text else text.partition(" (_ssl.c")[0]
