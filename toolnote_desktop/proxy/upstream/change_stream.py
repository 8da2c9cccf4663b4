"""Hearing of changes in the modern era: one request whose answer is the stream of notices (2026-07-28).

There are no requests to subscribe there: which resources one wants to hear of is named when listening, so that the
stream is opened anew for each further one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from toolnote_desktop.model import json_text
from toolnote_desktop.proxy.aio.tasks import cancel_all
from toolnote_desktop.proxy.transports import jsonrpc, modern_headers
from toolnote_desktop.proxy.transports.base import Reply, TransportClosed
from toolnote_desktop.proxy.transports.jsonrpc import NotAMessage
from toolnote_desktop.proxy.upstream.handshake import HandshakeResult, lenient

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
SUBSCRIBING = ("resources/subscribe", "resources/unsubscribe")

_ACKNOWLEDGED_WITHIN = 2.0
"""Seconds that whoever subscribes waits for the server to have heard of it."""

_LONG = 60.0
"""Seconds: a stream that lasted longer ended in good order."""

_SLOWEST = 30.0

Listen = Callable[[bytes], Awaitable[Reply]]
"""``listen(params)`` asks ``subscriptions/listen``; the answer comes when the stream ends."""


class ChangeStream:
    """See the module.

    Args:
        again: seconds before a stream that has ended is opened again, doubled up to half a minute.
        missed: told when something may have been said while nobody listened.
    """

    def __init__(self, again: float, listen: Listen, missed: Callable[[], None]) -> None:
        self._again = again
        self._listen = listen
        self._missed = missed
        self._introduction: asyncio.Future[HandshakeResult] = asyncio.get_running_loop().create_future()
        self._subscribed: set[str] = set()
        self._anew = asyncio.Event()
        self._heard: dict[str, asyncio.Future[None]] = {}

    def begin(self, introduction: HandshakeResult) -> None:
        """The server speaks the modern era: listen, from now on or as soon as ``run`` does."""
        if not self._introduction.done():
            self._introduction.set_result(introduction)

    async def run(self) -> None:
        """Until there is no use in it any more."""
        introduction = await asyncio.shield(self._introduction)
        delay, opened = self._again, False
        loop = asyncio.get_running_loop()
        while True:
            self._anew.clear()
            wanted = self._wanted(introduction)
            if not wanted:
                await self._anew.wait()
                continue
            if opened:
                self._missed()
            opened, began = True, loop.time()
            stream = asyncio.ensure_future(self._listen(json_text.dumps({"notifications": wanted})))
            if await self._until_anew(stream):
                continue
            if not _may_listen_again(stream):
                return
            delay = self._again if loop.time() - began > _LONG else delay
            await asyncio.sleep(delay)
            delay = min(delay * 2, _SLOWEST)

    def _wanted(self, introduction: HandshakeResult) -> dict[str, Any]:
        names = ("tools", "prompts", "resources")
        wanted: dict[str, Any] = {f"{name}ListChanged": True for name in names if introduction.announces(name)}
        if self._subscribed:
            wanted["resourceSubscriptions"] = sorted(self._subscribed)
        return wanted

    async def _until_anew(self, stream: asyncio.Future[Reply]) -> bool:
        """Wait for the stream's end; True if it was ended here because other notices are wanted now."""
        anew = asyncio.ensure_future(self._anew.wait())
        try:
            await asyncio.wait((stream, anew), return_when=asyncio.FIRST_COMPLETED)
            return anew.done() and not stream.done()
        finally:
            await cancel_all((anew, stream))

    async def subscribe(self, method: str, params: bytes | None) -> Reply:
        """``resources/subscribe`` or ``resources/unsubscribe``, as the handshake era has them."""
        read = lenient(params or b"null")
        uri = read.get("uri") if isinstance(read, dict) else None
        if not isinstance(uri, str):
            return Reply(None, b'{"code":-32602,"message":"Invalid params: uri is missing"}')
        if method == "resources/unsubscribe":
            self._subscribed.discard(uri)
            self._anew.set()
        elif uri not in self._subscribed:
            self._subscribed.add(uri)
            self._anew.set()
            await self._until_acknowledged(uri)
        return Reply(b"{}")

    async def _until_acknowledged(self, uri: str) -> None:
        """What happens after the answer is heard of. A server that acknowledges nothing is not waited for for long."""
        heard = self._heard.setdefault(uri, asyncio.get_running_loop().create_future())
        await asyncio.wait((heard,), timeout=_ACKNOWLEDGED_WITHIN)
        self._heard.pop(uri, None)

    def acknowledged(self, params: bytes | None) -> None:
        """The server says what it will tell of."""
        read = lenient(params or b"null")
        notifications = read.get("notifications") if isinstance(read, dict) else None
        uris = notifications.get("resourceSubscriptions") if isinstance(notifications, dict) else None
        for uri in uris if isinstance(uris, list) else ():
            heard = self._heard.get(uri) if isinstance(uri, str) else None
            if heard is not None and not heard.done():
                heard.set_result(None)


def without_stream(params: bytes | None) -> bytes | None:
    """A notice as it is for everybody: the name of our own stream, which it came on, means nothing to anybody else."""
    if params is None or modern_headers.SUBSCRIPTION_ID_KEY.encode("ascii") not in params:
        return params
    try:
        members = dict(jsonrpc.members(params))
        meta = dict(jsonrpc.members(members.get("_meta", b"{}")))
    except NotAMessage:
        return params
    meta.pop(modern_headers.SUBSCRIPTION_ID_KEY, None)
    if meta:
        members["_meta"] = jsonrpc.object_text(meta)
    else:
        members.pop("_meta", None)
    return jsonrpc.object_text(members)


def _may_listen_again(stream: asyncio.Future[Reply]) -> bool:
    """Not where the server refused to be listened to, nor where there is no connection any more."""
    if stream.cancelled() or isinstance(stream.exception(), TransportClosed):
        return False
    return stream.exception() is not None or stream.result().error is None
