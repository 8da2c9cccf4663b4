"""Requests to clients of the handshake era: sent on an event stream, answered in a POST of their own."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint.response import notification
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.in_flight import error_reply
from toolnote_desktop.proxy.protocol import INTERNAL_ERROR
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply, cancelled_params


class ClientRequests:
    """Requests that wait for their client's reply, by session and id."""

    def __init__(self, sessions: ClientSessions) -> None:
        self._waiting: dict[tuple[Session, str], asyncio.Future[Reply]] = {}
        self._numbers = itertools.count(1)
        sessions.on_end(self._fail)

    async def send(
        self,
        session: Session,
        method: str,
        params: bytes | None,
        write: Callable[[bytes], None],
        disconnected: asyncio.Future[None] | None = None,
    ) -> Reply:
        """Send a request and return the client's reply, or an error if it is gone. Cancellation withdraws the request.

        Args:
            write: writes a message to a stream that the client reads.
            gone: done when that stream has ended, so that the request never arrives or was lost with it.
        """
        request_id = f"toolnote-{next(self._numbers)}"
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        if session.ended:
            return _disconnected_reply(method)
        self._waiting[session, request_id] = reply
        try:
            request: dict[str, bytes] = {
                "jsonrpc": b'"2.0"',
                "id": json_text.dumps(request_id),
                "method": json_text.dumps(method),
            }
            write(jsonrpc.object_text(request if params is None else {**request, "params": params}))
            ends = (reply,) if disconnected is None else (reply, disconnected)
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            return reply.result() if reply.done() else _disconnected_reply(method)
        except asyncio.CancelledError as error:
            write(notification("notifications/cancelled", cancelled_params(json_text.dumps(request_id), error)))
            raise
        finally:
            del self._waiting[session, request_id]

    def receive(self, session: Session, message: JsonObject) -> bool:
        """Pass a message without a method on as the reply to one of the requests; return False if it is none."""
        reply = self._waiting.get((session, str(message.get("id"))))
        if reply is None:
            return False
        if not reply.done():
            error = message.get("error")
            reply.set_result(
                Reply(json_text.dumps(message.get("result"))) if error is None else Reply(None, json_text.dumps(error))
            )
        return True

    def _fail(self, session: Session) -> None:
        for (one, _), reply in list(self._waiting.items()):
            if one is session and not reply.done():
                reply.set_result(error_reply(INTERNAL_ERROR, "the client has disconnected"))


def _disconnected_reply(method: str) -> Reply:
    return error_reply(INTERNAL_ERROR, f"{method}: the client has disconnected")
