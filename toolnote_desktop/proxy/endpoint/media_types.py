"""What a client says that it takes, and what it sends (RFC 9110, 12.5.1; MCP, transports): the SDK's own rules."""

from __future__ import annotations

from functools import lru_cache

from toolnote_desktop.proxy.endpoint.auth import Headers

_JSON, _EVENTS = b"application/json", b"text/event-stream"


def takes_events(headers: Headers) -> bool:
    """Whether an event stream may be the answer."""
    return _kinds(headers.get(b"accept", b""))[1]


def takes_both(headers: Headers) -> bool:
    """Whether JSON came, and JSON and events may be the answer. Anything else is the SDK's to refuse."""
    return all(_kinds(headers.get(b"accept", b""))) and _is_json(headers.get(b"content-type", b""))


@lru_cache(maxsize=64)
def _kinds(accept: bytes) -> tuple[bool, bool]:
    named = {kind.partition(b";")[0].strip().lower() for kind in accept.split(b",")}
    return bool(named & {b"*/*", b"application/*", _JSON}), bool(named & {b"*/*", b"text/*", _EVENTS})


@lru_cache(maxsize=64)
def _is_json(content_type: bytes) -> bool:
    return content_type.partition(b";")[0].strip().lower() == _JSON
