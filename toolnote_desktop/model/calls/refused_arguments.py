"""Arguments of a failed call that the tool's schema refuses.

Schemas come from servers and arguments from assistants, so the check is bounded and follows no address. ``pattern`` is
not checked: an expression of a server's may take for ever. A library would check more and could be made to hang.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any, Final

from toolnote_desktop.model.calls.error_class import Refused
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.schema import inline_reference

MOST: Final = 5
"""Refused arguments that are reported."""

_STEPS: Final = 5_000
_DEEPEST: Final = 24
_LONGEST_KEY: Final = 80

_TYPES: Final[dict[str, type]] = {
    "string": str,
    "array": list,
    "object": dict,
    "null": type(None),
}


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == len("2026-01-01")


def _is_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


_FORMATS: Final[dict[str, Callable[[str], object]]] = {
    "date": _is_date,
    "date-time": _is_time,
    "email": re.compile(r"[^@\s]{1,200}@[^@\s]{1,200}").fullmatch,
    "uri": re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,63}:\S+").fullmatch,
    "uuid": re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}").fullmatch,
}


class _TooMuchError(Exception):
    """Schema or arguments that take too long to check."""


def refused_arguments(schema: Any, arguments: Any) -> tuple[Refused, ...]:
    """Return the arguments that a schema refuses, at most ``MOST``; () if that is too much to check."""
    check = _Check(schema)
    try:
        return tuple(found for _, found in zip(range(MOST), check.errors(schema, arguments, "", 0), strict=False))
    except _TooMuchError:
        return ()


class _Check:
    def __init__(self, root: Any) -> None:
        self._root = root
        self._left = _STEPS

    def errors(self, schema: Any, value: Any, path: str, depth: int) -> Iterator[Refused]:
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            raise _TooMuchError
        if not isinstance(schema, dict):
            return
        schema = inline_reference(schema, self._root)
        wanted = schema.get("type")
        types = wanted if isinstance(wanted, list) else [wanted] if isinstance(wanted, str) else []
        if types and not any(_is_type(value, one) for one in types):
            yield Refused(path, "type")
            return
        if isinstance(schema.get("enum"), list) and not any(_equal(value, one) for one in schema["enum"]):
            yield Refused(path, "enum")
        if "const" in schema and not _equal(value, schema["const"]):
            yield Refused(path, "const")
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield from _of_number(schema, value, path)
        elif isinstance(value, str):
            yield from _of_text(schema, value, path)
        elif isinstance(value, list):
            yield from self._of_list(schema, value, path, depth)
        elif isinstance(value, dict):
            yield from self._of_object(schema, value, path, depth)
        yield from self._of_branches(schema, value, path, depth)

    def _of_object(self, schema: JsonObject, value: JsonObject, path: str, depth: int) -> Iterator[Refused]:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        required = schema.get("required")
        for name in required if isinstance(required, list) else ():
            if isinstance(name, str) and name not in value:
                yield Refused(_below(path, name), "required")
        more = schema.get("additionalProperties")
        patterns = schema.get("patternProperties")
        for name, one in value.items():
            if name in properties:
                yield from self.errors(properties[name], one, _below(path, name), depth + 1)
            elif more is False and not patterns:
                yield Refused(_below(path, name), "additionalProperties")
            elif isinstance(more, dict):
                yield from self.errors(more, one, _below(path, name), depth + 1)

    def _of_list(self, schema: JsonObject, value: list[Any], path: str, depth: int) -> Iterator[Refused]:
        if _below_limit(schema.get("minItems"), len(value)):
            yield Refused(path, "minItems")
        if _above_limit(schema.get("maxItems"), len(value)):
            yield Refused(path, "maxItems")
        for one in value:
            for found in self.errors(schema.get("items"), one, f"{path}/*", depth + 1):
                yield found
                return  # the others are likely to be of the same kind

    def _of_branches(self, schema: JsonObject, value: Any, path: str, depth: int) -> Iterator[Refused]:
        every = schema.get("allOf")
        for branch in every if isinstance(every, list) else ():
            yield from self.errors(branch, value, path, depth + 1)
        for key in ("anyOf", "oneOf"):
            branches = schema.get(key)
            if not isinstance(branches, list) or not branches:
                continue
            found = [list(self.errors(branch, value, path, depth + 1)) for branch in branches]
            if all(found):
                # The branch that came closest says more than the fact that none fits.
                fitting = [errors for errors in found if errors[0].keyword != "type" or errors[0].path != path]
                yield from min(fitting or [[Refused(path, "type")]], key=len)


def _of_number(schema: JsonObject, value: float, path: str) -> Iterator[Refused]:
    if _below_limit(schema.get("minimum"), value):
        yield Refused(path, "minimum")
    if _above_limit(schema.get("maximum"), value):
        yield Refused(path, "maximum")
    low, high = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is not None and _is_type(low, "number") and value <= low:
        yield Refused(path, "exclusiveMinimum")
    if high is not None and _is_type(high, "number") and value >= high:
        yield Refused(path, "exclusiveMaximum")


def _of_text(schema: JsonObject, value: str, path: str) -> Iterator[Refused]:
    if _below_limit(schema.get("minLength"), len(value)):
        yield Refused(path, "minLength")
    if _above_limit(schema.get("maxLength"), len(value)):
        yield Refused(path, "maxLength")
    is_valid = _FORMATS.get(schema["format"]) if isinstance(schema.get("format"), str) else None
    if is_valid is not None and not is_valid(value[:1000]):
        yield Refused(path, "format")


def _below_limit(limit: Any, value: float) -> bool:
    return _is_type(limit, "number") and value < limit


def _above_limit(limit: Any, value: float) -> bool:
    return _is_type(limit, "number") and value > limit


def _is_type(value: Any, name: Any) -> bool:
    if name == "boolean":
        return isinstance(value, bool)
    if name == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if name == "integer":
        return _is_type(value, "number") and value == int(value) if _is_finite(value) else False
    kind = _TYPES.get(name) if isinstance(name, str) else None
    return kind is None or isinstance(value, kind)


def _is_finite(value: Any) -> bool:
    return isinstance(value, int) or (isinstance(value, float) and value - value == 0)


def _equal(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _below(path: str, name: str) -> str:
    return f"{path}/{name[:_LONGEST_KEY].replace('~', '~0').replace('/', '~1')}"
