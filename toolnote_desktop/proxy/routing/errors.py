"""What a client is told where its server could not answer: the server's name, its state, and what can be done.

To a tool call it is a result with ``isError``, which an assistant can read out; to anything else a JSON-RPC error.
"""

from __future__ import annotations

from toolnote_desktop.error_messages import advice_for, english
from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerStatus
from toolnote_desktop.proxy.in_flight import error_reply
from toolnote_desktop.proxy.protocol import INTERNAL_ERROR
from toolnote_desktop.proxy.transports.base import Reply, ReplyUnreadable, TransportClosed
from toolnote_desktop.proxy.upstream.server import UpstreamNotReady

FAILURES = (UpstreamNotReady, TransportClosed, ReplyUnreadable, TimeoutError)
"""What may go wrong on the way to a server."""


def not_ready(server: str, status: ServerStatus) -> str:
    """Why a server could not be asked: its name, its state, the reason for it, and what helps."""
    text = english(Problem(Code.SERVER_NOT_READY, {"server": server, "state": str(status.state)}))
    reason = f": {english(status.problem)}" if status.problem is not None else ""
    return f"{text}{reason}. {advice_for(status.state)}"


def tool_error(text: str) -> Reply:
    """A tool result with ``isError`` that an assistant can read out."""
    return Reply(json_text.dumps({"content": [{"type": "text", "text": text}], "isError": True}))


def failed_call(server: str, tool: str, error: Exception, timeout: float | None) -> Reply:
    """The result of a tool call that its server could not answer; ``timeout`` is the server's own limit, in seconds.

    Raises:
        Exception: ``error``, where it is none of ``FAILURES``.
    """
    match error:
        case UpstreamNotReady():
            return tool_error(not_ready(server, error.status))
        case TransportClosed():
            return tool_error(_text(Code.CALL_INTERRUPTED, server=server, tool=tool))
        case ReplyUnreadable():
            return tool_error(_text(Code.SERVER_PROTOCOL, server=server, reason=str(error)))
        case TimeoutError():
            return tool_error(_text(Code.CALL_TIMED_OUT, server=server, tool=tool, seconds=str(timeout or "?")))
        case _:
            raise error


def failed_request(server: str, error: Exception, timeout: float | None) -> Reply:
    """The same for any other request.

    Raises:
        Exception: ``error``, where it is none of ``FAILURES``.
    """
    match error:
        case UpstreamNotReady():
            text = not_ready(server, error.status)
        case TransportClosed():
            problem = error.problem or Problem(Code.SERVER_NOT_READY, {"server": server, "state": "reconnecting"})
            text = english(problem)
        case ReplyUnreadable():
            text = _text(Code.SERVER_PROTOCOL, server=server, reason=str(error))
        case TimeoutError():
            text = _text(Code.SERVER_SILENT, server=server, seconds=str(timeout or "?"))
        case _:
            raise error
    return error_reply(INTERNAL_ERROR, text)


def _text(code: Code, **parameters: str) -> str:
    return english(Problem(code, parameters))
