"""Real authorization server in a process of its own, and a user with a browser."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from tests.proxy.upstream.harness import PATIENCE, Running
from toolnote_desktop.proxy.events import SignInProgress, SignInStage

PROGRAM = Path(__file__).parents[2] / "servers" / "oauth_server.py"


@dataclass
class OAuthServer:
    """A running ``oauth_server.py``."""

    url: str

    @property
    def entry(self) -> dict[str, Any]:
        """As an entry of ``servers.json``."""
        return {"type": "http", "url": self.url}

    def set(self, **settings: Any) -> None:
        """Another behaviour from now on."""
        with httpx2.Client(trust_env=False) as client:
            assert client.post(self.url.removesuffix("/mcp") + "/control", json=settings).status_code == 200

    @property
    def seen(self) -> dict[str, Any]:
        """What has happened there."""
        with httpx2.Client(trust_env=False) as client:
            seen: dict[str, Any] = client.get(self.url.removesuffix("/mcp") + "/control").json()
            return seen


@contextmanager
def oauth_server(**settings: Any) -> Iterator[OAuthServer]:
    """Run one for as long as the block lasts."""
    command = [sys.executable, str(PROGRAM), json.dumps(settings)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield OAuthServer(json.loads(process.stdout.readline())["url"])
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


async def browse(url: str) -> httpx2.Response:
    """What a browser does: go where it is sent."""
    async with httpx2.AsyncClient(follow_redirects=True, trust_env=False) as client:
        return await client.get(url)


class Person:
    """Signs in when asked to, by whatever way the test says."""

    def __init__(self, servers: Running, way: Callable[[str], Any] = browse) -> None:
        self._servers = servers
        self._way = way
        self.told: list[SignInProgress] = []
        self.pages: list[httpx2.Response] = []
        self._ended = asyncio.Event()
        self._browsing: asyncio.Task[Any] | None = None

    def begin(self, server: str) -> None:
        """Press the button."""
        self._ended.clear()
        self._servers.upstreams.sign_in(server, self._hear)

    async def end(self) -> SignInProgress:
        """Wait until it is over, one way or another."""
        async with asyncio.timeout(PATIENCE):
            await self._ended.wait()
            if self._browsing is not None and self._way is browse:
                self.pages.append(await self._browsing)
        return self.told[-1]

    async def signs_in(self, server: str) -> SignInProgress:
        """The whole of it."""
        self.begin(server)
        return await self.end()

    async def until(self, stage: SignInStage) -> SignInProgress:
        """Wait for a stage."""
        async with asyncio.timeout(PATIENCE):
            while not (found := [told for told in self.told if told.stage is stage]):
                await asyncio.sleep(0.01)
        return found[-1]

    def _hear(self, told: SignInProgress) -> None:
        self.told.append(told)
        if told.stage is SignInStage.IN_BROWSER:
            self._browsing = asyncio.ensure_future(self._way(told.url))
        elif told.stage is not SignInStage.BEGUN:
            self._ended.set()
