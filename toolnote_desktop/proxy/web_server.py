"""The web server under the endpoint: uvicorn, which is told when to end instead of looking ten times a second."""

from __future__ import annotations

import asyncio
import socket

import uvicorn

from toolnote_desktop.proxy.endpoint import EndpointApp
from toolnote_desktop.proxy.express import ExpressProtocol

KEEP_ALIVE = 75
"""Seconds that an idle connection of a client stays open."""


class WebServer(uvicorn.Server):
    """Serves one app on one socket.

    Attributes:
        listening: set when it answers.
    """

    def __init__(self, app: EndpointApp) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=ExpressProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                timeout_keep_alive=KEEP_ALIVE,
                timeout_graceful_shutdown=1,
                server_header=False,
                date_header=False,
            )
        )
        self.listening = asyncio.Event()
        self._ending = asyncio.Event()

    async def serve_on(self, listening: socket.socket) -> None:
        """Serve until ``end``."""
        await self.serve(sockets=[listening])

    def end(self) -> None:
        """Stop: open connections have a second to finish."""
        self.should_exit = True
        self._ending.set()

    async def main_loop(self) -> None:
        """What uvicorn runs while it serves; its own wakes up ten times a second, for headers that we do not send."""
        self.listening.set()
        await self._ending.wait()
