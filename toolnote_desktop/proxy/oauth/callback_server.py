"""Loopback HTTP server for the redirect at the end of a sign-in (RFC 8252, 7.3)."""

from __future__ import annotations

import asyncio
import secrets
from typing import Final
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct

from toolnote_desktop.error_messages import SIGN_IN_PAGES

PATH: Final = "/callback"
_MAX_REQUEST_HEAD: Final = 16 * 1024
_REQUEST_TIMEOUT: Final = 10.0

_HTML: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Toolnote</title>'
    '<meta name="viewport" content="width=device-width"><style>:root{{color-scheme:light dark}}'
    "body{{font:17px/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 24px}}</style>"
    "<p>{text}</p></html>"
)


class CallbackResult(Struct, frozen=True):
    """Parameters of the redirect: a code, or an error."""

    code: str | None
    error: str | None
    description: str | None
    issuer: str | None


class CallbackServer:
    """Server on a free loopback port that receives the redirect of one sign-in.

    A request without the right ``state`` is refused and changes nothing: any page in the browser could send it.
    """

    def __init__(self, server: asyncio.Server, port: int) -> None:
        self._server = server
        self.port = port
        self._state: str | None = None
        self._returned: asyncio.Future[CallbackResult] = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(cls, port: int = 0, *, only: bool = False) -> CallbackServer:
        """Listen on ``port``, or on another one if it is in use.

        Args:
            only: fail instead of using another port.

        Raises:
            OSError: no port can be used.
        """
        page: CallbackServer | None = None

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            assert page is not None
            await page._serve(reader, writer)

        try:
            server = await asyncio.start_server(serve, "127.0.0.1", port, limit=_MAX_REQUEST_HEAD)
        except OSError:
            if only or not port:
                raise
            server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=_MAX_REQUEST_HEAD)
        page = cls(server, server.sockets[0].getsockname()[1])
        return page

    @property
    def url(self) -> str:
        """Redirect URI."""
        return f"http://127.0.0.1:{self.port}{PATH}"

    @property
    def state(self) -> str | None:
        """Expected ``state`` parameter."""
        return self._state

    def expect(self, state: str) -> None:
        """Accept only a redirect with this ``state``."""
        self._state = state

    async def wait_for_result(self) -> CallbackResult:
        """Wait for the browser's redirect."""
        return await asyncio.shield(self._returned)

    async def close(self) -> None:
        """Stop listening."""
        self._returned.cancel()
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_REQUEST_TIMEOUT):
                head = await reader.readuntil(b"\r\n\r\n")
                status, page = self._answer(head.decode("latin-1"))
                body = _HTML.format(text=SIGN_IN_PAGES[page]).encode()
                writer.write(_head(status, len(body)) + body)
                await writer.drain()
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # a browser that preconnects and sends nothing, or a foreign client
        finally:
            writer.close()

    def _answer(self, head: str) -> tuple[str, str]:
        """Return the HTTP status and the key of the page to show."""
        method, _, rest = head.partition(" ")
        target = urlsplit(rest.partition(" ")[0])
        if method != "GET" or target.path != PATH:
            return "404 Not Found", "unknown"
        query = {name: values[0] for name, values in parse_qs(target.query).items()}
        state = self._state
        if state is None or not secrets.compare_digest(query.get("state", "").encode(), state.encode()):
            return "400 Bad Request", "unknown"
        result = CallbackResult(query.get("code"), query.get("error"), query.get("error_description"), query.get("iss"))
        if not self._returned.done():
            self._returned.set_result(result)
        return "200 OK", "done" if result.code and not result.error else "refused"


def _head(status: str, length: int) -> bytes:
    return (
        f"HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {length}\r\n"
        "content-security-policy: default-src 'none'; style-src 'unsafe-inline'\r\nx-content-type-options: nosniff\r\n"
        "cache-control: no-store\r\nreferrer-policy: no-referrer\r\nconnection: close\r\n\r\n"
    ).encode()
