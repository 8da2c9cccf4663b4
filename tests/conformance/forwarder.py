"""A loopback forwarder that adds one header to every request: the suite cannot send a bearer token itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

HEAD_END = b"\r\n\r\n"


class Forwarder:
    """Connections from the suite, each with one of its own to the endpoint."""

    def __init__(self, host: str, port: int, header: bytes) -> None:
        self._host = host
        self._port = port
        self._header = header
        self.port = 0
        self._ready = threading.Event()
        self._loop = asyncio.SelectorEventLoop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="forwarder")

    def start(self) -> None:
        """Listen."""
        self._thread.start()
        assert self._ready.wait(10)

    def stop(self) -> None:
        """End every connection."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        async with await asyncio.start_server(self._connected, "127.0.0.1", 0) as server:
            self.port = server.sockets[0].getsockname()[1]
            self._ready.set()
            await self._stop.wait()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection(self._host, self._port)
        ways = {
            asyncio.ensure_future(self._requests(reader, up_writer)),
            asyncio.ensure_future(_copy(up_reader, writer)),
        }
        try:
            # When either side has closed, so does the other: that is how requests are cancelled.
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            up_writer.close()
            writer.close()

    async def _requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = await reader.readuntil(HEAD_END)
            first, _, rest = head.partition(b"\r\n")
            writer.write(first + b"\r\n" + self._header + b"\r\n" + rest)
            lengths = [line for line in rest.split(b"\r\n") if line.lower().startswith(b"content-length:")]
            if lengths:
                writer.write(await reader.readexactly(int(lengths[0].partition(b":")[2])))
            assert b"transfer-encoding:" not in rest.lower(), "the suite sends bodies of known length"
            await writer.drain()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()


@contextmanager
def with_header(url: str, header: str) -> Iterator[str]:
    """The url at which the server of ``url`` is reached with ``header`` (a whole line) in every request."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    forwarder = Forwarder(parts.hostname, parts.port, header.encode("ascii"))
    forwarder.start()
    try:
        yield urlunsplit(parts._replace(netloc=f"127.0.0.1:{forwarder.port}"))
    finally:
        forwarder.stop()
