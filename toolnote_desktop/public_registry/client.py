"""Client of a registry's API: ``GET /v0.1/servers?search=&cursor=&version=latest`` (its OpenAPI of 2025-12-01).

Responses are cached for a while; size and time are limited.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from toolnote_desktop.http_body import BodyTooLong, read_body
from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.public_registry.records import RegistryResults, read_page

if TYPE_CHECKING:
    import httpx2

PUBLIC: Final = "https://registry.modelcontextprotocol.io"
PATH: Final = "/v0.1/servers"
PAGE_SIZE: Final = 30

MAX_BYTES: Final = 4 * 1024 * 1024
"""Maximum bytes of one response."""

SECONDS: Final = 10.0
"""Maximum seconds of one response in total."""

CONNECT_SECONDS: Final = 4.0

CACHE_SECONDS: Final = 600.0
MAX_CACHED: Final = 200


class _CachedPage(Struct, frozen=True):
    page: RegistryResults
    until: float


class RegistryClient:
    """Client of one registry, by its base URL. Its coroutines run in one thread; cancelling one closes its request."""

    def __init__(self, base_url: str = PUBLIC, *, seconds: float = SECONDS) -> None:
        self._url = base_url.rstrip("/") + PATH
        self._seconds = seconds
        self._cache: dict[tuple[str, str], _CachedPage] = {}

    async def page(self, search: str = "", cursor: str = "") -> RegistryResults:
        """Return a page of servers whose name contains ``search``; ``cursor`` is that of an earlier page.

        Raises:
            ToolnoteError: ``registry-unreachable`` without a network, ``registry-odd`` for an unusable response; with a
                reason in a few words.
        """
        key = search.strip(), cursor
        cached = self._cache.get(key)
        if cached is not None and cached.until > time.monotonic():
            return cached.page
        page = await self._request(*key)
        while len(self._cache) >= MAX_CACHED:
            del self._cache[next(iter(self._cache))]
        self._cache[key] = _CachedPage(page, time.monotonic() + CACHE_SECONDS)
        return page

    async def _request(self, search: str, cursor: str) -> RegistryResults:
        fields = {"search": search, "cursor": cursor, "version": "latest", "limit": str(PAGE_SIZE)}
        query = {key: value for key, value in fields.items() if value}
        # Importing httpx2 and reading the certificates takes a tenth of a second, in which a window would stand still.
        http_client = await asyncio.to_thread(self._new_http_client)
        import httpx2

        try:
            async with (
                asyncio.timeout(self._seconds),
                http_client,
                http_client.stream("GET", self._url, params=query) as response,
            ):
                if response.status_code != 200:
                    raise _odd(f"it answers with status {response.status_code}")
                data = await read_body(response, MAX_BYTES)
        except BodyTooLong as error:
            raise _odd("its answer is too large") from error
        except (httpx2.TimeoutException, TimeoutError) as error:
            raise _unreachable("it takes too long") from error
        except httpx2.TransportError as error:
            raise _unreachable("there is no connection to it") from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise _odd("its answer cannot be understood") from error
        return await asyncio.to_thread(_parse, data)

    def _new_http_client(self) -> httpx2.AsyncClient:
        import httpx2

        from toolnote_desktop.system.network_proxy import environment_proxy, proxy_problem

        if (reason := proxy_problem(self._url)) is not None:
            raise _unreachable(reason)
        proxy = environment_proxy(self._url)
        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(self._seconds, connect=min(CONNECT_SECONDS, self._seconds)),
            headers={"Accept": "application/json"},
            verify=httpx2.create_ssl_context(),
            proxy=proxy.url if proxy is not None else None,
            trust_env=False,  # it would fail for each other proxy that it does not know
        )


def _parse(data: bytes) -> RegistryResults:
    try:
        page = read_page(json_text.loads(data))
    except (ValueError, RecursionError):
        page = None
    if page is None:
        raise _odd("its answer cannot be understood")
    return page


def _odd(reason: str) -> ToolnoteError:
    return ToolnoteError(Code.REGISTRY_ODD, reason=reason)


def _unreachable(reason: str) -> ToolnoteError:
    return ToolnoteError(Code.REGISTRY_UNREACHABLE, reason=reason)
