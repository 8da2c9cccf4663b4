"""Web server of the endpoint: uvicorn, without its ten wake-ups a second."""

from __future__ import annotations

import asyncio
import socket

import uvicorn

from toolnote_desktop.proxy.endpoint.app import EndpointApp
from toolnote_desktop.proxy.endpoint.fast_path.protocol import FastPathProtocol

KEEP_ALIVE = 75
"""Seconds after which an idle connection of a client is closed."""

SHUTDOWN_SECONDS = 1
"""Seconds that requests have to finish when the server stops."""


ACCEPTS = 8
"""Connections that are accepted in a pass of the loop. uvloop accepts one: while each pass is full of other clients'
requests, one that connects behind 900 of them would wait for seconds."""


class WebServer(uvicorn.Server):
    """Server of one app on one socket.

    Attributes:
        listening: set when it accepts connections.
    """

    def __init__(self, app: EndpointApp) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=FastPathProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                timeout_keep_alive=KEEP_ALIVE,
                timeout_graceful_shutdown=2 * SHUTDOWN_SECONDS,  # never reached: `shutdown` is faster
                server_header=False,
                date_header=False,
            )
        )
        self.listening = asyncio.Event()
        self._app = app
        self._stopping = asyncio.Event()

    async def serve_on(self, listening: socket.socket) -> None:
        """Serve until ``stop``."""
        more = ACCEPTS - 1 if type(asyncio.get_running_loop()).__module__.startswith("uvloop") else 0
        await self.serve(sockets=[listening, *(listening.dup() for _ in range(more))])

    def stop(self) -> None:
        """Stop; requests have ``SHUTDOWN_SECONDS`` to finish."""
        self._app.stopping = True
        self.should_exit = True
        self._stopping.set()

    async def main_loop(self) -> None:
        """Wait for ``stop``. Uvicorn's own loop wakes up ten times a second for headers that are switched off."""
        self.listening.set()
        await self._stopping.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all connections. Uvicorn alone would log requests that do not finish in time as errors."""
        aborting = asyncio.get_running_loop().call_later(SHUTDOWN_SECONDS, self._abort_connections)
        try:
            await super().shutdown(sockets)
        finally:
            aborting.cancel()

    def _abort_connections(self) -> None:
        for connection in list(self.server_state.connections):
            cycle = getattr(connection, "cycle", None)
            if cycle is not None:
                cycle.disconnected = True
            connection.transport.abort()
        for task in list(self.server_state.tasks):
            task.cancel()
