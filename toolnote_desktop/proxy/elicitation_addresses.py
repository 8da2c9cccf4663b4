"""Addresses that servers ask clients to open (elicitation, mode ``url``): only http and https pass, for all clients.

A server's message with another address (``javascript:``, ``file:``, a program's own scheme) is answered with an error
instead of being passed on (2025-11-25, elicitation, security considerations).
"""

from __future__ import annotations

from typing import Any, Final

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import is_web_address
from toolnote_desktop.proxy.protocol import INVALID_PARAMS
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply

CREATE: Final = "elicitation/create"
_LONGEST: Final = 8 * 1024 * 1024
"""Bytes of questions that are read; longer ones are refused like a wrong address."""

_SEARCHED: Final = 64 * 1024
"""Bytes up to which a text is searched for a key before it is read: of 40 MB of backslashes that took a second."""

_ESCAPED: Final = (b"\\u005", b"\\u006", b"\\u007")
"""How letters of a key may be written."""

_MESSAGE: Final = "The server asks to open an address that is not http or https: refused"
_REFUSAL: Final = json_text.dumps({"code": INVALID_PARAMS, "message": _MESSAGE})


def refusal(method: str, params: bytes | None) -> Reply | None:
    """Return the error for a server's request to open an address that is refused; None for any other request."""
    refused = method == CREATE and params is not None and _is_refused(params)
    return Reply(None, _REFUSAL) if refused else None


def checked(reply: Reply) -> Reply:
    """Return a server's reply, or an error if it asks the client to open an address that is refused."""
    try:
        refused = _is_wrong_result(reply.result) or _is_wrong_error(reply.error)
    except ValueError:
        refused = True
    return Reply(None, _REFUSAL) if refused else reply


def _is_wrong_result(result: bytes | None) -> bool:
    if result is None or not _may_have(result, "inputRequests"):
        return False
    requests = _members(result, "inputRequests").get("inputRequests")
    return isinstance(requests, dict) and any(
        isinstance(request, dict) and request.get("method") == CREATE and _opens_wrong(request.get("params"))
        for request in requests.values()
    )


def _is_wrong_error(error: bytes | None) -> bool:
    if error is None or not _may_have(error, "data", "elicitations"):
        return False
    data = _members(error, "data").get("data")
    elicitations = data.get("elicitations") if isinstance(data, dict) else None
    return any(map(_opens_wrong, elicitations if isinstance(elicitations, list) else ()))


def _is_refused(params: bytes) -> bool:
    try:
        return _opens_wrong(_members(params, "mode", "url"))
    except ValueError:
        return True


def _opens_wrong(params: Any) -> bool:
    by_url = isinstance(params, dict) and (params.get("mode") == "url" or "url" in params)
    return by_url and not _is_allowed(params.get("url"))


def _is_allowed(address: Any) -> bool:
    if not isinstance(address, str) or any(character <= " " or character == "\x7f" for character in address):
        return False  # characters that browsers skip
    return is_web_address(address)


def _may_have(raw: bytes, key: str, *below: str) -> bool:
    """Return True if an object may have a member at a path, its keys plain or with escapes."""
    if len(raw) > _SEARCHED and (found := jsonrpc.pick(raw, key)) is not None:
        return key in found and (not below or _may_have(found[key], *below))
    last = (below or (key,))[-1].encode("ascii")
    return raw.find(last) >= 0 or any(raw.find(mark) >= 0 for mark in _ESCAPED)


def _members(raw: bytes, *names: str) -> JsonObject:
    """Return those members of an object that have these names, of an object of any length; {} of another value.

    Raises:
        ValueError: they are longer than ``_LONGEST``, or cannot be read.
    """
    found = jsonrpc.pick(raw, *names)
    if found is None:  # no object, nested deeply, or only almost JSON
        whole = _loads(raw)
        return whole if isinstance(whole, dict) else {}
    return {name: _loads(value) for name, value in found.items()}


def _loads(raw: bytes) -> Any:
    if len(raw) > _LONGEST:
        raise ValueError("too long")
    return json_text.loads(raw)
