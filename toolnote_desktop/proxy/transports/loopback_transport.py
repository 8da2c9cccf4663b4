"""HTTP transport for servers on this machine: ``httpcore2`` directly on asyncio's transports.

The default network backend goes through anyio, which supports TLS, other loops and timeouts and costs as much as
everything else of a call. Imported with the first such server.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import Any, cast

import httpcore2

from toolnote_desktop.proxy.pool_transport import PoolTransport

_MAX_UNREAD = 256 * 1024
"""Bytes that may be received and unread before reading is paused."""


class LoopbackTransport(PoolTransport):
    """Transport for ``http`` URLs of this machine."""

    def __init__(self, *, idle: int, idle_seconds: float) -> None:
        """Keep up to ``idle`` idle connections for ``idle_seconds`` each."""
        super().__init__(
            httpcore2.AsyncConnectionPool(
                max_connections=None,
                max_keepalive_connections=idle,
                keepalive_expiry=idle_seconds,
                network_backend=_Network(),
            )
        )


class _Network(httpcore2.AsyncNetworkBackend):
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: object = None,
    ) -> _Stream:
        del local_address, socket_options  # never passed
        try:
            async with asyncio.timeout(timeout):
                return await _connected(host, port)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def _connected(host: str, port: int) -> _Stream:
    """Connect to the first address of a host that accepts; ``localhost`` often has two.

    Raises:
        OSError: the failure of the last address.
    """
    loop = asyncio.get_running_loop()
    *others, last = [str(info[4][0]) for info in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for address in others:
        with contextlib.suppress(OSError):
            return (await loop.create_connection(_Stream, address, port))[1]
    return (await loop.create_connection(_Stream, last, port))[1]


class _Stream(asyncio.Protocol, httpcore2.AsyncNetworkStream):
    """Connection to a server."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport
        self._unread = bytearray()
        self._held = False
        self._ended = False
        self._error: Exception | None = None
        self._reading: asyncio.Future[None] | None = None
        self._full: asyncio.Future[None] | None = None

    # -- asyncio.Protocol ---------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._unread += data
        if len(self._unread) > _MAX_UNREAD and not self._held:
            self._held = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._ended = True
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        self._ended = True
        self._error = error
        self._wake()
        self.resume_writing()

    def pause_writing(self) -> None:
        self._full = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        full, self._full = self._full, None
        if full is not None and not full.done():
            full.set_result(None)

    def _wake(self) -> None:
        reading, self._reading = self._reading, None
        if reading is not None and not reading.done():
            reading.set_result(None)

    # -- httpcore2.AsyncNetworkStream ---------------------------------------------------------------------------------

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            async with contextlib.nullcontext() if timeout is None else asyncio.timeout(timeout):
                while not self._unread and not self._ended:
                    self._reading = asyncio.get_running_loop().create_future()
                    await self._reading
        except TimeoutError as error:
            raise httpcore2.ReadTimeout(str(error)) from error
        if not self._unread and self._error is not None:
            raise httpcore2.ReadError(str(self._error)) from self._error
        data = bytes(self._unread[:max_bytes])
        del self._unread[:max_bytes]
        if self._held and len(self._unread) <= _MAX_UNREAD and not self._ended:
            self._held = False
            self._transport.resume_reading()
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if self._ended or self._transport.is_closing():
            raise httpcore2.WriteError("the connection has ended") from self._error
        if buffer:
            self._transport.write(buffer)
        try:
            async with contextlib.nullcontext() if self._full is None else asyncio.timeout(timeout):
                while self._full is not None:
                    await asyncio.shield(self._full)
        except TimeoutError as error:
            raise httpcore2.WriteTimeout(str(error)) from error

    async def aclose(self) -> None:
        self._transport.abort()  # unsent data is not needed any more

    def get_extra_info(self, info: str) -> Any:
        # httpcore2 checks each idle connection with every request.
        return self._ended or bool(self._unread) if info == "is_readable" else None
