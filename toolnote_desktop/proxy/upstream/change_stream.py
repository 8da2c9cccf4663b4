"""Stream of change notifications in the modern era: the open response to one request (2026-07-28).

This era has no requests to subscribe: the resources are named when the stream is opened, so that each further one opens
it anew. A change that happens while no stream is open is announced to no one; therefore lists are read again once a
stream is open (``opened``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from toolnote_desktop.model import json_text
from toolnote_desktop.proxy.aio.tasks import cancel_all
from toolnote_desktop.proxy.protocol import METHOD_NOT_FOUND
from toolnote_desktop.proxy.transports import jsonrpc, modern_headers
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.jsonrpc import NotAMessage
from toolnote_desktop.proxy.upstream.handshake import HandshakeResult, loads_lenient

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
SUBSCRIBING = ("resources/subscribe", "resources/unsubscribe")

_ACKNOWLEDGED_WITHIN = 2.0
"""Seconds after which a stream that is not acknowledged counts as open."""

_STABLE_AFTER = 60.0
"""Seconds after which the end of a stream is no failure."""

_MAX_DELAY = 30.0

Listen = Callable[[bytes], Awaitable[Reply]]
"""``listen(params)`` sends ``subscriptions/listen``; the response arrives when the stream ends."""


class ChangeStream:
    """Stream of change notifications of one connection.

    Args:
        retry_delay: seconds before a stream that has ended is opened again, doubled up to half a minute.
        opened: called each time a stream is open.
    """

    def __init__(self, retry_delay: float, listen: Listen, opened: Callable[[], None]) -> None:
        self._retry_delay = retry_delay
        self._listen = listen
        self._opened = opened
        self._handshake: asyncio.Future[HandshakeResult] = asyncio.get_running_loop().create_future()
        self._subscribed: set[str] = set()
        self._reopen = asyncio.Event()
        self._was_open = False
        self._open_timer: asyncio.TimerHandle | None = None
        self._pending: dict[str, asyncio.Future[None]] = {}

    def start(self, handshake: HandshakeResult) -> None:
        """Open the stream: the server speaks the modern era."""
        if not self._handshake.done():
            self._handshake.set_result(handshake)

    def reopen(self) -> None:
        """Open the stream anew: its connection may have been lost without a sign."""
        self._reopen.set()

    async def run(self) -> None:
        """Keep a stream open until cancelled, or until it turns out that the server knows none.

        A stream that ends in any other way is opened again after a pause.
        """
        handshake = await asyncio.shield(self._handshake)
        delay = self._retry_delay
        loop = asyncio.get_running_loop()
        while True:
            self._reopen.clear()
            wanted = self._wanted(handshake)
            if not wanted:
                await self._reopen.wait()
                continue
            started = loop.time()
            stream = asyncio.ensure_future(self._listen(json_text.dumps({"notifications": wanted})))
            self._open_timer = loop.call_later(_ACKNOWLEDGED_WITHIN, self._set_open)
            if await self._until_reopened(stream):
                continue
            if not self._was_open and _is_unknown_method(stream):
                return
            delay = self._retry_delay if loop.time() - started > _STABLE_AFTER else delay
            await asyncio.sleep(delay)
            delay = min(delay * 2, _MAX_DELAY)

    def _wanted(self, handshake: HandshakeResult) -> dict[str, Any]:
        wanted: dict[str, Any] = {f"{name}ListChanged": True for name in handshake.announced_lists()}
        if self._subscribed:
            wanted["resourceSubscriptions"] = sorted(self._subscribed)
        return wanted

    async def _until_reopened(self, stream: asyncio.Future[Reply]) -> bool:
        """Wait for the stream's end; True if it is closed here in order to be opened anew."""
        reopen = asyncio.ensure_future(self._reopen.wait())
        try:
            await asyncio.wait((stream, reopen), return_when=asyncio.FIRST_COMPLETED)
            return reopen.done() and not stream.done()
        finally:
            self._cancel_timer()
            await cancel_all((reopen, stream))

    def _set_open(self) -> None:
        self._cancel_timer()
        self._was_open = True
        self._opened()

    def _cancel_timer(self) -> None:
        if self._open_timer is not None:
            self._open_timer.cancel()
            self._open_timer = None

    async def subscribe(self, method: str, params: bytes | None) -> Reply:
        """Carry out the handshake era's ``resources/subscribe`` or ``resources/unsubscribe``."""
        read = loads_lenient(params or b"null")
        uri = read.get("uri") if isinstance(read, dict) else None
        if not isinstance(uri, str):
            return Reply(None, b'{"code":-32602,"message":"Invalid params: uri is missing"}')
        if method == "resources/unsubscribe":
            self._subscribed.discard(uri)
            self._reopen.set()
        elif uri not in self._subscribed:
            self._subscribed.add(uri)
            self._reopen.set()
            await self._until_acknowledged(uri)
        return Reply(b"{}")

    async def _until_acknowledged(self, uri: str) -> None:
        """Wait for the acknowledgement, so that a change after the response is announced; not for long."""
        acknowledged = self._pending.setdefault(uri, asyncio.get_running_loop().create_future())
        await asyncio.wait((acknowledged,), timeout=_ACKNOWLEDGED_WITHIN)
        self._pending.pop(uri, None)

    def acknowledge(self, params: bytes | None) -> None:
        """Process ``notifications/subscriptions/acknowledged``: the stream is open."""
        read = loads_lenient(params or b"null")
        notifications = read.get("notifications") if isinstance(read, dict) else None
        uris = notifications.get("resourceSubscriptions") if isinstance(notifications, dict) else None
        for uri in uris if isinstance(uris, list) else ():
            pending = self._pending.get(uri) if isinstance(uri, str) else None
            if pending is not None and not pending.done():
                pending.set_result(None)
        if self._open_timer is not None:
            self._set_open()


def without_subscription_id(params: bytes | None) -> bytes | None:
    """Return a notification's params without the id of our own stream, which means nothing to clients."""
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


def _is_unknown_method(stream: asyncio.Future[Reply]) -> bool:
    """Return True if the server does not know the method of streams."""
    if stream.cancelled() or stream.exception() is not None:
        return False
    error = loads_lenient(stream.result().error or b"null")
    return isinstance(error, dict) and error.get("code") == METHOD_NOT_FOUND
