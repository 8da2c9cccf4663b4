"""Questions to clients of the handshake era: asked on a stream, answered by a message of its own."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint.response import notification
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.in_flight import refusal
from toolnote_desktop.proxy.protocol import INTERNAL_ERROR
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply, cancelled_params


class ClientRequests:
    """The questions that wait for an answer, by the session that they were asked in."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[Session, str], asyncio.Future[Reply]] = {}
        self._numbers = itertools.count(1)

    async def ask(
        self,
        session: Session,
        method: str,
        params: bytes | None,
        say: Callable[[bytes], None],
        gone: asyncio.Future[None] | None = None,
    ) -> Reply:
        """The client's answer, or an error when it has gone. Cancelled: the question is withdrawn.

        Args:
            say: puts a message on a stream that this session reads.
            gone: done when that stream has ended, so that the question never arrives or was lost with it.
        """
        question = f"toolnote-{next(self._numbers)}"
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        if session.ended:
            return refusal(INTERNAL_ERROR, f"{method}: the client has gone")
        self._waiting[session, question] = answer
        try:
            request: dict[str, bytes] = {
                "jsonrpc": b'"2.0"',
                "id": json_text.dumps(question),
                "method": json_text.dumps(method),
            }
            say(jsonrpc.object_text(request if params is None else {**request, "params": params}))
            await asyncio.wait((answer,) if gone is None else (answer, gone), return_when=asyncio.FIRST_COMPLETED)
            return answer.result() if answer.done() else refusal(INTERNAL_ERROR, f"{method}: the client has gone")
        except asyncio.CancelledError as error:
            say(notification("notifications/cancelled", cancelled_params(json_text.dumps(question), error)))
            raise
        finally:
            del self._waiting[session, question]

    def answered(self, session: Session, message: JsonObject) -> bool:
        """Whether a message with no method answers one of them; then whoever asked has it."""
        answer = self._waiting.get((session, str(message.get("id"))))
        if answer is None:
            return False
        if not answer.done():
            error = message.get("error")
            answer.set_result(
                Reply(json_text.dumps(message.get("result"))) if error is None else Reply(None, json_text.dumps(error))
            )
        return True

    def end(self, session: Session) -> None:
        """The session has ended: nobody will answer."""
        for (one, _), answer in list(self._waiting.items()):
            if one is session and not answer.done():
                answer.set_result(refusal(INTERNAL_ERROR, "the client has gone"))
