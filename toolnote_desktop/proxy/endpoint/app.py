"""ASGI app of the endpoint: checks access, then passes requests to the handler (docs/contract.md 5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from toolnote_desktop import __version__
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import ENDPOINT_PATH, SERVED_PATH
from toolnote_desktop.proxy.endpoint.asgi import VERIFY, Receive, Scope, Send, respond
from toolnote_desktop.proxy.endpoint.auth import AccessControl, is_local_request
from toolnote_desktop.proxy.endpoint.fast_path.calls import FastPath
from toolnote_desktop.proxy.endpoint.handler import RequestHandler
from toolnote_desktop.proxy.endpoint.headers import merge_headers
from toolnote_desktop.proxy.endpoint.limits import BoundedProtocol
from toolnote_desktop.proxy.endpoint.sdk_loader import SdkLoader
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import INVALID_REQUEST


class EndpointApp:
    """ASGI app.

    Args:
        snapshot: returns the newest snapshot, with the clients' tokens.
        seen: called with the sender of each request.
        served: returns what our own commands need to show what is served now (``SERVED_PATH``).

    Attributes:
        fast_path: read by the connections (``fast_path/protocol.py``).
        stopping: True if cancelled requests no longer need a response.
        unverified: connections without a verified token, oldest first, and the time of their beginning.
        of_client: the others by client, oldest first.
    """

    def __init__(
        self,
        handler: RequestHandler,
        sdk: SdkLoader,
        fast_path: FastPath,
        access: AccessControl,
        snapshot: Callable[[], Snapshot],
        seen: Callable[[Principal], None],
        served: Callable[[], Awaitable[JsonObject]],
    ) -> None:
        self.fast_path = fast_path
        self.stopping = False
        self.unverified: dict[BoundedProtocol, float] = {}
        self.of_client: dict[str | None, dict[BoundedProtocol, None]] = {}
        self._handler = handler
        self._sdk = sdk
        self._access = access
        self._snapshot = snapshot
        self._seen = seen
        self._served = served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"{scope['type']} is not served")
        try:
            await self._answer(scope, receive, send)
        except asyncio.CancelledError:
            if not self.stopping:
                raise

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        # httptools keeps white space at the end of header values (docs/dependencies.md).
        scope["headers"] = [(name, value.strip()) for name, value in scope["headers"]]
        headers = merge_headers(scope["headers"])
        if headers is None:
            message = "Duplicate header: Authorization, Host, Mcp-Session-Id and similar headers must occur once"
            await _refuse(send, 400, message)
        elif not is_local_request(headers):
            await _refuse(send, 403, "This endpoint is for programs on this computer only")
        elif scope["path"] == "/health" and scope["method"] in ("GET", "HEAD"):
            await respond(send, 200, json_text.dumps({"status": "ok", "version": __version__}))
        elif scope["path"] == SERVED_PATH and scope["method"] == "POST" and self._access.is_bridge(headers):
            await respond(send, 200, json_text.dumps(await self._served()))
        elif scope["path"] not in (ENDPOINT_PATH, f"{ENDPOINT_PATH}/"):
            await _refuse(send, 404, "Not found")
        else:
            principal = self._access.principal(headers, self._snapshot().clients)
            if principal is None:
                challenge = (b"www-authenticate", b'Bearer realm="toolnote"')
                await _refuse(send, 401, "A valid bearer token is required", challenge)
                return
            if (verify := scope.pop(VERIFY, None)) is not None and not verify(principal.client):
                await _refuse(send, 503, "Too many connections of this client", (b"connection", b"close"))
                return
            self._seen(principal)
            replaying = await self._handler.handle(scope, receive, send, headers, principal)
            if replaying is not None:
                await self._sdk.handle(scope, replaying, send, headers, principal)


async def _refuse(send: Send, status: int, message: str, *headers: tuple[bytes, bytes]) -> None:
    body = json_text.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": INVALID_REQUEST, "message": message}})
    await respond(send, status, body, *headers)
