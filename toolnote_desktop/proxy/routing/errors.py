"""Replies for failed requests to a server: its name, its state, and advice.

The reply to a tool call is a result with ``isError``, which an assistant can read; to other requests a JSON-RPC error.
"""

from __future__ import annotations

from toolnote_desktop.error_messages import advice_for, english
from toolnote_desktop.model import json_text
from toolnote_desktop.model.calls.outcome import Outcome
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerStatus
from toolnote_desktop.proxy.in_flight import error_reply
from toolnote_desktop.proxy.protocol import INTERNAL_ERROR
from toolnote_desktop.proxy.transports.base import Reply, ReplyUnreadable, TransportClosed
from toolnote_desktop.proxy.upstream.server import UpstreamNotReady
from toolnote_desktop.proxy.waiting_calls import LimitReached

FAILURES = (UpstreamNotReady, TransportClosed, ReplyUnreadable, TimeoutError, LimitReached)
"""Exceptions of a request to a server."""


def not_ready(server: str, status: ServerStatus) -> str:
    """Return the message for a server that is not ready: its name, its state, the reason, and advice."""
    text = english(Problem(Code.SERVER_NOT_READY, {"server": server, "state": str(status.state)}))
    reason = f": {english(status.problem)}" if status.problem is not None else ""
    return f"{text}{reason}. {advice_for(status.state)}"


def tool_error(text: str) -> Reply:
    """Return a tool result with ``isError``."""
    return Reply(json_text.dumps_for_clients({"content": [{"type": "text", "text": text}], "isError": True}))


def failed_call(server: str, tool: str, error: Exception, timeout: float | None) -> Reply:
    """Return the result of a failed tool call; ``timeout`` is the server's own limit in seconds.

    Raises:
        Exception: ``error``, if it is not one of ``FAILURES``.
    """
    match error:
        case UpstreamNotReady():
            return tool_error(not_ready(server, error.status))
        case LimitReached():
            return tool_error(f"{english(error.problem)}. Wait for answers or cancel calls, then call again.")
        case TransportClosed(problem=Problem(code=Code.SERVER_LINE_TOO_LONG) as problem):
            return tool_error(english(problem))
        case TransportClosed():
            return tool_error(_text(Code.CALL_INTERRUPTED, server=server, tool=tool))
        case ReplyUnreadable():
            return tool_error(_unreadable(server, error))
        case TimeoutError():
            return tool_error(_text(Code.CALL_TIMED_OUT, server=server, tool=tool, seconds=str(timeout or "?")))
        case _:
            raise error


def outcome_of(error: Exception) -> tuple[Outcome, str]:
    """Return the recorded outcome of a call that failed with one of ``FAILURES``, and its code."""
    match error:
        case UpstreamNotReady():
            return Outcome.FAILED, Code.SERVER_NOT_READY.value
        case LimitReached():
            return Outcome.REFUSED, error.problem.code.value
        case TransportClosed(problem=Problem(code=Code.SERVER_LINE_TOO_LONG)):
            return Outcome.FAILED, Code.SERVER_LINE_TOO_LONG.value
        case TimeoutError():
            return Outcome.TIMED_OUT, Code.CALL_TIMED_OUT.value
        case ReplyUnreadable():
            return Outcome.FAILED, Code.SERVER_PROTOCOL.value
        case _:
            return Outcome.FAILED, Code.CALL_INTERRUPTED.value


def failed_request(server: str, error: Exception, timeout: float | None) -> Reply:
    """Return the reply to any other failed request.

    Raises:
        Exception: ``error``, if it is not one of ``FAILURES``.
    """
    match error:
        case UpstreamNotReady():
            text = not_ready(server, error.status)
        case LimitReached():
            text = english(error.problem)
        case TransportClosed():
            problem = error.problem or Problem(Code.SERVER_NOT_READY, {"server": server, "state": "reconnecting"})
            text = english(problem)
        case ReplyUnreadable():
            text = _unreadable(server, error)
        case TimeoutError():
            text = _text(Code.SERVER_SILENT, server=server, seconds=str(timeout or "?"))
        case _:
            raise error
    return error_reply(INTERNAL_ERROR, text)


def _unreadable(server: str, error: ReplyUnreadable) -> str:
    if error.refused:
        return f'server "{server}" refused the request: {error}'
    return _text(Code.SERVER_PROTOCOL, server=server, reason=str(error))


def _text(code: Code, **parameters: str) -> str:
    return english(Problem(code, parameters))
