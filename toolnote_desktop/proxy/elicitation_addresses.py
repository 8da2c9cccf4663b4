"""Addresses that servers ask clients to open (elicitation, mode ``url``): only http and https pass, for all clients.

A server's message with another address (``javascript:``, ``file:``, a program's own scheme) is answered with an error
instead of being passed on (2025-11-25, elicitation, security considerations).
"""

from __future__ import annotations

from typing import Any, Final

from toolnote_desktop.model import json_text
from toolnote_desktop.model.names import is_web_address
from toolnote_desktop.proxy.protocol import INVALID_PARAMS
from toolnote_desktop.proxy.transports.base import Reply

CREATE: Final = "elicitation/create"
_LONGEST: Final = 8 * 1024 * 1024
_LONGEST_ESCAPED: Final = 256 * 1024
_MESSAGE: Final = "The server asks to open an address that is not http or https: refused"
_REFUSAL: Final = json_text.dumps({"code": INVALID_PARAMS, "message": _MESSAGE})


def refusal(method: str, params: bytes | None) -> Reply | None:
    """Return the error for a server's request to open an address that is refused; None for any other request."""
    refused = method == CREATE and params is not None and _is_refused(_loads(params))
    return Reply(None, _REFUSAL) if refused else None


def checked(reply: Reply) -> Reply:
    """Return a server's reply, or an error if it asks the client to open an address that is refused."""
    if reply.result is not None and _may_have(b"inputRequests", reply.result):
        read = _loads(reply.result)
        requests = read.get("inputRequests") if isinstance(read, dict) else None
        for request in requests.values() if isinstance(requests, dict) else ():
            if isinstance(request, dict) and request.get("method") == CREATE and _is_refused(request.get("params")):
                return Reply(None, _REFUSAL)
    if reply.error is not None and _may_have(b"elicitations", reply.error):
        read = _loads(reply.error)
        data = read.get("data") if isinstance(read, dict) else None
        elicitations = data.get("elicitations") if isinstance(data, dict) else None
        if any(map(_is_refused, elicitations if isinstance(elicitations, list) else ())):
            return Reply(None, _REFUSAL)
    return reply


def _is_refused(params: Any) -> bool:
    by_url = isinstance(params, dict) and (params.get("mode") == "url" or "url" in params)
    return by_url and not _is_allowed(params.get("url"))


def _is_allowed(address: Any) -> bool:
    if not isinstance(address, str) or any(character <= " " or character == "\x7f" for character in address):
        return False  # characters that browsers skip
    return is_web_address(address)


def _may_have(key: bytes, raw: bytes) -> bool:
    """Return True if an object may have a key, plain or with escapes; long texts are not searched for the latter."""
    return key in raw or (len(raw) <= _LONGEST_ESCAPED and b"\\u00" in raw)


def _loads(raw: bytes) -> Any:
    try:
        return json_text.loads(raw) if len(raw) <= _LONGEST else None
    except ValueError:
        return None
