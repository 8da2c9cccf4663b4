"""HTTP to one server: the client, its headers, redirects within the origin, and failures as problems.

``httpx2`` is imported with the first HTTP server, in a thread: whoever has none does not wait for it.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies

from toolnote_desktop import __version__
from toolnote_desktop.http_body import discard_body
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.secrets.url_checks import first_header_problem, url_problem
from toolnote_desktop.proxy.oauth.token_source import Challenge
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.urls import gives_authorization, is_loopback

if TYPE_CHECKING:
    import httpx2
    from httpx2 import AsyncBaseTransport

    from toolnote_desktop.proxy.oauth.token_source import TokenSource

log = logging.getLogger(__name__)

BODY_LIMIT = 64 * 1024 * 1024
"""Bytes of the longest answer or event that is taken."""

_MOST_REDIRECTS = 5
_MOST_IDLE, _IDLE = 20, 30.0
_MOST_KNOWN_HEADERS = 256
_SECONDS = 30.0
"""To connect, and to write: there is no limit to reading, which is each request's own."""


class ServerHttpClient:
    """A client that talks to one address with the entry's headers."""

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
        """``transport``: that of the client, where requests may go to it as they are (but for a ``sign_in``)."""
        self.server = server
        self.url = url
        self._client = client
        self._transport = transport
        self._sign_in = sign_in
        self._template = client.build_request("POST", url)
        self._known_headers: dict[tuple[tuple[str, str], ...], list[tuple[bytes, bytes]]] = {}
        self._gives_authorization = gives_authorization

    @classmethod
    async def open(
        cls, server: str, url: str, headers: Mapping[str, str], sign_in: TokenSource | None = None
    ) -> ServerHttpClient:
        """A client; nothing is connected yet. ``sign_in`` has the token that goes with each request, if there is one.

        Raises:
            ToolnoteError: ``server-entry-invalid``: no http url, or a header that cannot be sent.
        """
        loop = asyncio.get_running_loop()
        httpx2 = await loop.run_in_executor(None, importlib.import_module, "httpx2")
        # Its own lines name every url, and a url may hold a token.
        logging.getLogger("httpx2").setLevel(logging.WARNING)
        logging.getLogger("httpcore2").setLevel(logging.WARNING)
        try:
            unusable = url_problem(url)
            httpx2.URL(url)
        except (ValueError, httpx2.InvalidURL):  # whose texts may repeat a part of the url
            unusable = "it is not a url"
        if unusable is not None:
            raise ToolnoteError(Code.SERVER_ENTRY_INVALID, server=server, field="url", reason=unusable)
        if (bad := first_header_problem(headers)) is not None:
            raise ToolnoteError(Code.SERVER_ENTRY_INVALID, server=server, field=bad[0], reason=bad[1])
        # Loading the system's certificates takes longer than most handshakes; plain http never needs them.
        verify = urlsplit(url).scheme == "https"
        # A proxy of the user's network cannot reach this machine.
        trust_env = not is_loopback(urlsplit(url).hostname)
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=_MOST_IDLE, keepalive_expiry=_IDLE)
        transport: AsyncBaseTransport | None = None
        if not trust_env and not verify:
            from toolnote_desktop.proxy.transports.loopback_transport import LoopbackTransport

            transport = LoopbackTransport(idle=_MOST_IDLE, idle_seconds=_IDLE)
        elif not (trust_env and getproxies()):  # a transport of our own would hide the environment's proxies
            transport = httpx2.AsyncHTTPTransport(
                verify=verify, trust_env=trust_env, limits=limits, socket_options=_keepalive_options()
            )
        auth = None
        if sign_in is not None:
            from toolnote_desktop.proxy.oauth.http_auth import TokenAuth

            auth = TokenAuth(sign_in)
        client = httpx2.AsyncClient(
            auth=auth,
            headers={"user-agent": f"toolnote/{__version__}", **headers},
            timeout=httpx2.Timeout(_SECONDS, read=None),
            limits=limits,
            follow_redirects=False,
            verify=verify,
            trust_env=trust_env,
            transport=transport,
        )
        # A name and a password in the url are seen to by the client.
        direct = None if httpx2.URL(url).userinfo else transport
        return cls(server, url, client, direct, sign_in, gives_authorization=gives_authorization(url, headers))

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    @asynccontextmanager
    async def send(
        self, method: str, headers: Mapping[str, str], content: bytes | None = None, url: str | None = None
    ) -> AsyncIterator[httpx2.Response]:
        """One request; the answer's body is not read yet. Redirects are followed while they stay within the origin.

        Raises:
            httpx2.TransportError: there is no answer; ``transport_problem`` says why.
        """
        import httpx2  # which is there: the client is made of it

        response = None
        if url is None and self._transport is not None and (self._sign_in is None or self._sign_in.record is None):
            response = await self._send_directly(self._transport, method, headers, content)
        if response is None:
            request = self._client.build_request(method, url or self.url, content=content, headers=headers)
            response = await self._send_following_redirects(request)
        try:
            yield response
        except httpx2.DecodingError as error:  # its body is not in the encoding that it says
            raise httpx2.RemoteProtocolError(str(error), request=response.request) from error
        finally:
            await response.aclose()

    async def _send_following_redirects(self, request: httpx2.Request) -> httpx2.Response:
        for _ in range(_MOST_REDIRECTS):
            response = await self._client.send(request, stream=True)
            following = response.next_request
            if following is None or following.method != request.method or not same_origin(request.url, following.url):
                break
            try:
                await discard_body(response)
            finally:
                await response.aclose()
            request = following
        return response

    async def _send_directly(
        self, transport: AsyncBaseTransport, method: str, headers: Mapping[str, str], content: bytes | None
    ) -> httpx2.Response | None:
        """The answer, without what the client does for each request; None where that is wanted after all.

        It is where somebody may have to sign in. A server that redirects, or wants its cookies back, is spoken to
        through the client from then on.
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
        """With the client's own ones: worked out once for all requests that have the same."""
        key = tuple(headers.items())
        known = self._known_headers.get(key)
        if known is None:
            merged = self._template.headers.copy()
            merged.update(headers)
            known = [(name, value) for name, value in merged.raw if name.lower() != b"content-length"]
            if len(self._known_headers) >= _MOST_KNOWN_HEADERS:
                self._known_headers.clear()
            self._known_headers[key] = known
        return known

    def auth_problem(self, response: httpx2.Response) -> Problem | None:
        """What an answer says of who we are: sign in, or the entry's own header is wrong; None where it says nothing.

        A 403 that wants more than was granted is such a refusal too.
        """
        if Challenge.of(response) is None:
            return None
        code = Code.AUTHORIZATION_REFUSED if self._gives_authorization else Code.SERVER_SIGN_IN
        return Problem(code, {"server": self.server})

    def transport_problem(self, error: Exception) -> Problem:
        """Why there is no answer."""
        return Problem(Code.SERVER_UNREACHABLE, {"server": self.server, "reason": _reason(error)})

    def unreachable_problem(self, reason: str) -> Problem:
        """The server cannot be reached because of ``reason``."""
        return Problem(Code.SERVER_UNREACHABLE, {"server": self.server, "reason": reason})


def _keepalive_options() -> list[tuple[int, int, int]]:
    """Socket options with which the system itself finds out that the other end has gone without a word.

    A stream of notices says nothing for hours: routers forget such connections, and nobody would ever know.
    """
    found = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPALIVE", 30), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        option = getattr(socket, name, None)
        if option is not None:
            found.append((socket.IPPROTO_TCP, option, value))
    return found


def same_origin(one: httpx2.URL, other: httpx2.URL) -> bool:
    """The same scheme, host and port, and no credentials that were not there."""
    same = (one.scheme, one.host, one.port) == (other.scheme, other.host, other.port)
    return same and (not other.userinfo or other.userinfo == one.userinfo)


def was_never_sent(error: Exception) -> bool:
    """Whether a failed request certainly never reached the server."""
    return type(error).__name__ in ("ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError")


def content_kind(response: httpx2.Response) -> str:
    """``json``, ``events`` or what the header says."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return {"application/json": "json", "text/event-stream": "events"}.get(kind, kind)


def status_text(response: httpx2.Response) -> str:
    """``HTTP 404 Not Found``, and for a redirect that was not followed, where to (without what may be secret)."""
    text = f"HTTP {response.status_code} {response.reason_phrase}".strip()
    target = response.next_request
    if target is None:
        return text
    return f"{text}, to {target.url.copy_with(userinfo=b'', query=None, fragment=None)}, which was not followed"


def error_in(body: bytes) -> tuple[bytes | None, bytes | None]:
    """The JSON-RPC error in the body of a refusal, and the id that it names (raw): neither need be there."""
    try:
        message = jsonrpc.read_messages(body)[0]
    except jsonrpc.NotAMessage:
        return None, None
    if message.error is None or not message.error.lstrip().startswith(b"{"):  # OAuth has its words there
        return None, None
    return message.error, message.id


def _reason(error: BaseException) -> str:
    """The deepest cause that says something, such as ``Connection refused``."""
    text = str(error) or type(error).__name__
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ConnectionError) and cause.errno:
            text = os.strerror(cause.errno)  # asyncio puts the address into its own text
        elif isinstance(cause, OSError) and cause.strerror:
            text = cause.strerror
        cause = cause.__cause__ or cause.__context__
    return text
