"""Repair of JSON that strict readers refuse: what is sent to clients is valid UTF-8 and JSON, whatever a server wrote.

A stray byte or a lone surrogate becomes U+FFFD, a raw control character in a string its escape; the rest stays as it
is. ``NaN`` and ``Infinity`` have no valid form: ``not_a_number`` names the member.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

REPAIR_LIMIT: Final = 2 * 1024 * 1024
"""Bytes. A longer text is not repaired, because that would delay other servers."""

_REPLACEMENT: Final = "\ufffd"
_STRING: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)  # or unclosed: read once
_CONTROL: Final = re.compile(r"[\x00-\x1f]")
_ESCAPES: Final = {code: f"\\u{code:04x}" for code in range(0x20)}
_SURROGATE_ESCAPE: Final = re.compile(
    r"(?<!\\)((?:\\\\)*+)\\u[dD](?:[89abAB][0-9a-fA-F]{2}(\\u[dD][c-fC-F][0-9a-fA-F]{2})?|[c-fC-F][0-9a-fA-F]{2})"
)
_LONGEST_PATH: Final = 100


def is_utf8(data: bytes) -> bool:
    """Return True if ``data`` is valid UTF-8; fast for ASCII."""
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def repaired(raw: bytes) -> bytes:
    """Return a JSON text with its strings made valid; a text over ``REPAIR_LIMIT`` as it is."""
    if len(raw) > REPAIR_LIMIT:
        return raw
    text = raw.decode("utf-8", "replace")
    if "\\u" in text:
        text = _SURROGATE_ESCAPE.sub(_paired_or_replaced, text)
    if _CONTROL.search(text) is not None:
        text = _STRING.sub(_with_escapes, text)
    return text.encode("utf-8")


def _paired_or_replaced(match: re.Match[str]) -> str:
    return match[0] if match[2] else match[1] + _REPLACEMENT


def _with_escapes(match: re.Match[str]) -> str:
    text = match[0]
    return text if text.isprintable() else text.translate(_ESCAPES)


class _Constant(str):
    """``NaN``, ``Infinity`` or ``-Infinity`` in a parsed text."""

    __slots__ = ()


class RequiredMemberError(ValueError):
    """A member without which an entry cannot be served contains ``NaN`` or ``Infinity``; ``name`` is the entry's."""

    def __init__(self, member: str, name: object) -> None:
        super().__init__(f"its {member} contains NaN or Infinity")
        self.name = name if isinstance(name, str) else None


def loads_repaired(raw: bytes) -> Any:
    """Parse a JSON text after its repair, without the members whose value contains ``NaN`` or ``Infinity``.

    Raises:
        ValueError: it is not JSON either way; or it has a member ``name`` or ``inputSchema`` that is no JSON, without
            which a tool cannot be served.
    """
    try:
        value = _loads(repaired(raw))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    kept = _without_constants(value)
    if isinstance(value, dict) and (lost := {"name", "inputSchema", "uri"} & (value.keys() - kept.keys())):
        raise RequiredMemberError(min(lost), kept.get("name"))
    return kept


def not_a_number(raw: bytes) -> str | None:
    """Return ``structuredContent.rows[3].price is NaN`` for the first member that is no JSON, or None."""
    try:
        inside = [("", _loads(raw))]
    except (ValueError, RecursionError):
        return None
    while inside:
        path, value = inside.pop()
        if isinstance(value, _Constant):
            return f"{path[:_LONGEST_PATH].removeprefix('.') or 'it'} is {value}, which JSON does not have"
        if isinstance(value, dict):
            inside += [(f"{path[:_LONGEST_PATH]}.{key}", one) for key, one in reversed(value.items())]
        elif isinstance(value, list):
            inside += [(f"{path[:_LONGEST_PATH]}[{place}]", value[place]) for place in range(len(value) - 1, -1, -1)]
    return None


def _loads(raw: bytes) -> Any:
    return json.loads(raw.decode("utf-8", "replace"), parse_constant=_Constant, strict=False)


_LOST: Final = object()


def _without_constants(value: Any) -> Any:
    kept = _cleaned(value)
    if kept is _LOST:
        raise ValueError("it is NaN or Infinity")
    return kept


def _cleaned(value: Any) -> Any:
    """Return a value without members that contain a constant; ``_LOST`` if it is, or lists, one itself."""
    if isinstance(value, _Constant):
        return _LOST
    if isinstance(value, dict):
        return {key: kept for key, one in value.items() if (kept := _cleaned(one)) is not _LOST}
    if isinstance(value, list):
        kept = [_cleaned(one) for one in value]
        return _LOST if any(one is _LOST for one in kept) else kept
    return value
