"""The web server under the endpoint: uvicorn, which is told when to end instead of looking ten times a second."""

from __future__ import annotations

import asyncio
import socket

import uvicorn

from toolnote_desktop.proxy.endpoint.app import EndpointApp
from toolnote_desktop.proxy.endpoint.fast_path.protocol import FastPathProtocol

KEEP_ALIVE = 75
"""Seconds that an idle connection of a client stays open."""

TO_FINISH = 1
"""Seconds that requests have to be answered once the server ends."""


class WebServer(uvicorn.Server):
    """Serves one app on one socket.

    Attributes:
        listening: set when it answers.
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
                timeout_graceful_shutdown=2 * TO_FINISH,  # never needed: see `shutdown`
                server_header=False,
                date_header=False,
            )
        )
        self.listening = asyncio.Event()
        self._app = app
        self._ending = asyncio.Event()

    async def serve_on(self, listening: socket.socket) -> None:
        """Serve until ``end``."""
        await self.serve(sockets=[listening])

    def end(self) -> None:
        """Stop: open connections have ``TO_FINISH`` seconds to finish."""
        self._app.ending = True
        self.should_exit = True
        self._ending.set()

    async def main_loop(self) -> None:
        """What uvicorn runs while it serves; its own wakes up ten times a second, for headers that we do not send."""
        self.listening.set()
        await self._ending.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all connections. Uvicorn itself would tell of each that is not done by then as of an error of ours."""
        giving_up = asyncio.get_running_loop().call_later(TO_FINISH, self._give_up)
        try:
            await super().shutdown(sockets)
        finally:
            giving_up.cancel()

    def _give_up(self) -> None:
        for connection in list(self.server_state.connections):
            cycle = getattr(connection, "cycle", None)
            if cycle is not None:
                cycle.disconnected = True
            connection.transport.abort()
        for task in list(self.server_state.tasks):
            task.cancel()
