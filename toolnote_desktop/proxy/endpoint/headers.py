"""HTTP headers of a request: merged by name, and the media types in them (RFC 9110, 12.5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from toolnote_desktop.paths import CLIENT_HEADER, TOOLSET_HEADER

_SINGLE = frozenset(
    {
        b"authorization",
        b"content-type",
        b"host",
        b"mcp-method",
        b"mcp-name",
        b"mcp-protocol-version",
        b"mcp-session-id",
        b"origin",
        CLIENT_HEADER.lower().encode("ascii"),
        TOOLSET_HEADER.lower().encode("ascii"),
    }
)
"""Headers that decide on access, session and meaning of a request."""

_JSON, _EVENTS = b"application/json", b"text/event-stream"

Headers = Mapping[bytes, bytes]
"""Values by lower-case name, without white space at their ends."""


def merge_headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes] | None:
    """Return the values by name, those of one name joined (RFC 9110, 5.3); None if one of ``_SINGLE`` is repeated.

    Of two contradicting values, one would be checked and the other one perhaps used.
    """
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in found:
            if name in _SINGLE:
                return None
            found[name] += b", " + value
        else:
            found[name] = value
    return found


def accepts_events(headers: Headers) -> bool:
    """Return True if the client accepts an event stream."""
    return _accepted(headers.get(b"accept", b""))[1]


def is_json_accepting_both(headers: Headers) -> bool:
    """Return True if the body is JSON and the client accepts JSON and event streams; else the SDK refuses it."""
    return all(_accepted(headers.get(b"accept", b""))) and _is_json(headers.get(b"content-type", b""))


@lru_cache(maxsize=64)
def _accepted(accept: bytes) -> tuple[bool, bool]:
    kinds = {kind.partition(b";")[0].strip().lower() for kind in accept.split(b",")}
    return bool(kinds & {b"*/*", b"application/*", _JSON}), bool(kinds & {b"*/*", b"text/*", _EVENTS})


@lru_cache(maxsize=64)
def _is_json(content_type: bytes) -> bool:
    return content_type.partition(b";")[0].strip().lower() == _JSON
