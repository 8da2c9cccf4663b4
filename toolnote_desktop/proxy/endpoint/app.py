"""The served side: one ASGI app that checks who asks before anything runs (docs/contract.md 5, docs/architecture.md).

Behind the checks stands the direct path (``handler.py``) and behind that the SDK's server (``sdk_server.py``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from toolnote_desktop import __version__
from toolnote_desktop.model import json_text
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import ENDPOINT_PATH
from toolnote_desktop.proxy.endpoint.asgi import Receive, Scope, Send, respond
from toolnote_desktop.proxy.endpoint.auth import AccessControl, is_local_request, single
from toolnote_desktop.proxy.endpoint.fast_path.protocol import FastPath
from toolnote_desktop.proxy.endpoint.handler import RequestHandler
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.principal import Principal


class EndpointApp:
    """The ASGI app.

    Args:
        express: where the connections find the express path (``fast_path/protocol.py``).
        snapshot: gives the newest snapshot (whose tokens are known).
        seen: told of each caller's request.

    Attributes:
        ending: no request that is taken back from now on is missed by anybody.
    """

    def __init__(
        self,
        sdk: ClientSessions,
        direct: RequestHandler,
        express: FastPath,
        access: AccessControl,
        snapshot: Callable[[], Snapshot],
        seen: Callable[[Principal], None],
    ) -> None:
        self.express = express
        self.ending = False
        self._sdk = sdk
        self._direct = direct
        self._access = access
        self._snapshot = snapshot
        self._seen = seen

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"{scope['type']} is not served")
        try:
            await self._answer(scope, receive, send)
        except asyncio.CancelledError:
            if not self.ending:
                raise

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        # httptools keeps white space at the end of header values (docs/dependencies.md).
        scope["headers"] = [(name, value.strip()) for name, value in scope["headers"]]
        headers = single(scope["headers"])
        if headers is None:
            await _refuse(send, 400, "A header that says who asks, for what, stands twice")
        elif not is_local_request(headers):
            await _refuse(send, 403, "This endpoint is for programs on this computer only")
        elif scope["path"] == "/health" and scope["method"] in ("GET", "HEAD"):
            await respond(send, 200, json_text.dumps({"status": "ok", "version": __version__}))
        elif scope["path"] not in (ENDPOINT_PATH, f"{ENDPOINT_PATH}/"):
            await _refuse(send, 404, "Not found")
        else:
            principal = self._access.principal(headers, self._snapshot().clients)
            if principal is None:
                challenge = (b"www-authenticate", b'Bearer realm="toolnote"')
                await _refuse(send, 401, "A valid bearer token is required", challenge)
                return
            self._seen(principal)
            left = await self._direct.take(scope, receive, send, headers, principal)
            if left is not None:
                await self._sdk.handle(scope, left, send, headers, principal)


async def _refuse(send: Send, status: int, message: str, *headers: tuple[bytes, bytes]) -> None:
    body = json_text.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": message}})
    await respond(send, status, body, *headers)
