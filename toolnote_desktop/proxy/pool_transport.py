"""HTTP transport over a connection pool of ``httpcore2`` that the caller made."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import cast

import httpcore2
import httpx2


class PoolTransport(httpx2.AsyncBaseTransport):
    """Transport that sends requests over a pool."""

    def __init__(self, pool: httpcore2.AsyncConnectionPool) -> None:
        self._pool = pool

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """See ``httpx2.AsyncBaseTransport``."""
        url = request.url
        inner = httpcore2.Request(
            request.method,
            httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _httpx_exceptions():
            answer = await self._pool.handle_async_request(inner)
        body = _Body(cast(httpx2.AsyncByteStream, answer.stream))
        return httpx2.Response(answer.status, headers=answer.headers, stream=body, extensions=answer.extensions)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Body(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _httpx_exceptions():
            async for part in self._inner:
                yield part

    async def aclose(self) -> None:
        with _httpx_exceptions():
            await self._inner.aclose()


@contextlib.contextmanager
def _httpx_exceptions() -> Iterator[None]:
    """Convert exceptions of ``httpcore2`` to those of ``httpx2``, which have the same names."""
    try:
        yield
    except _FAILURES as error:
        raise getattr(httpx2, type(error).__name__)(str(error)) from error


_FAILURES = (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.UnsupportedProtocol)
