"""Entries of served lists, brought into the form of the official MCP schemas (docs/contract.md 5).

Most clients validate a list as a whole, so that one bad entry costs all others. An optional field that breaks the
schema is left out; a value that can be brought into form without loss is; an entry that cannot be mended is left out.
What is valid stays the same object.

The schemas of the handshake era differ in what they know, not in what they refuse, so that the newest of them is
taken for all. The modern era (2026-07-28) puts no bounds on a schema but its type, and none on an ``outputSchema``.
Source: schema/*/schema.json of modelcontextprotocol/modelcontextprotocol at b0f60ba, which the tests hold a copy of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.schema import is_json_schema
from toolnote_desktop.model.tools.imitation import imitates_bullets, imitation_free
from toolnote_desktop.model.url_parts import split_url


class ValidEntry(Struct, frozen=True):
    """Entry of a list as it may be served.

    Attributes:
        entry: for the handshake era; None if it cannot be mended, for a reason in ``changes``.
        modern: for the modern era; the same object as ``entry`` unless the eras differ.
        changes: changes for the handshake era, and each field's fault, in a few words each.
    """

    entry: JsonObject | None
    modern: JsonObject | None
    changes: tuple[str, ...] = ()


class _Unusable:
    """Marker of a value to leave out."""


_LEFT_OUT: Final = _Unusable()

_Mend = Callable[[Any], Any]
"""Function that returns the value, a mended one, or ``_LEFT_OUT``."""


def _text(value: Any) -> Any:
    return value if isinstance(value, str) else _LEFT_OUT


def _flag(value: Any) -> Any:
    return value if isinstance(value, bool) else _LEFT_OUT


def _whole(value: Any) -> Any:
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return value if whole and not isinstance(value, bool) else _LEFT_OUT


def _object(value: Any) -> Any:
    return value if isinstance(value, dict) else _LEFT_OUT


def _priority(value: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if number and 0 <= value <= 1 else _LEFT_OUT


def _one_of(*allowed: str) -> _Mend:
    return lambda value: value if isinstance(value, str) and value in allowed else _LEFT_OUT


def _texts(value: Any) -> Any:
    if isinstance(value, str):  # an icon's sizes in drafts of 2025-11-25
        return [value]
    return value if _is_texts(value) else _LEFT_OUT


def _roles(value: Any) -> Any:
    return value if isinstance(value, list) and all(one in ("assistant", "user") for one in value) else _LEFT_OUT


def _fields(mends: Mapping[str, _Mend], required: tuple[str, ...] = ()) -> _Mend:
    """Return a function that mends an object field by field; without a required one it is left out."""

    def mend(value: Any) -> Any:
        if not isinstance(value, dict):
            return _LEFT_OUT
        mended = _mended_fields(value, mends, [])
        return mended if all(key in mended for key in required) else _LEFT_OUT

    return mend


def _items(mend: _Mend) -> _Mend:
    """Return a function that mends a list item by item; an empty rest of a list that was not empty is left out."""

    def mend_all(value: Any) -> Any:
        if not isinstance(value, list):
            return _LEFT_OUT
        mended = [new for one in value if (new := mend(one)) is not _LEFT_OUT]
        if len(mended) == len(value) and all(new is one for new, one in zip(mended, value, strict=True)):
            return value
        return mended or _LEFT_OUT

    return mend_all


def _mended_fields(value: JsonObject, mends: Mapping[str, _Mend], changes: list[str], place: str = "") -> JsonObject:
    """Return an object with its fields mended; the same object if all were in form."""
    replaced: JsonObject = {}
    for key in value:
        mend = mends.get(key)
        if mend is None:
            continue
        mended = mend(value[key])
        if mended is not value[key]:
            replaced[key] = mended
            what = "left out" if mended is _LEFT_OUT else "brought into form"
            changes.append(f"{place}{key} is {_kind(value[key], mended)}: {what}")
    if not replaced:
        return value
    changed = {key: replaced.get(key, one) for key, one in value.items()}
    return {key: one for key, one in changed.items() if one is not _LEFT_OUT}


def _kind(value: Any, mended: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, dict | list) and isinstance(mended, type(value)):
        return "malformed in part"
    return "malformed"


_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x1f\x7f]+")


def is_uri(value: object) -> bool:
    """Return True if a value is an absolute URI, with the characters that clients accept beyond RFC 3986."""
    if not isinstance(value, str) or not _URI.fullmatch(value):
        return False
    try:
        parts = split_url(value)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme.lower() not in ("http", "https", "ws", "wss") or bool(parts.hostname)


_ICON: Final = _fields(
    {"src": _text, "mimeType": _text, "sizes": _texts, "theme": _one_of("dark", "light")}, required=("src",)
)
_ANY_ENTRY: Final[Mapping[str, _Mend]] = {
    "title": _text,
    "description": _text,
    "icons": _items(_ICON),
    "_meta": _object,
}
_TOOL: Final[Mapping[str, _Mend]] = {
    **_ANY_ENTRY,
    "annotations": _fields(
        {
            "title": _text,
            **dict.fromkeys(("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"), _flag),
        }
    ),
    # Unknown to the modern era, whose clients validate it all the same (Python SDK 2.3.0).
    "execution": _fields({"taskSupport": _one_of("forbidden", "optional", "required")}),
}
_ARGUMENT: Final = _fields({"name": _text, "title": _text, "description": _text, "required": _flag}, required=("name",))
_PROMPT: Final[Mapping[str, _Mend]] = {**_ANY_ENTRY, "arguments": _items(_ARGUMENT)}
_RESOURCE: Final[Mapping[str, _Mend]] = {
    **_ANY_ENTRY,
    "mimeType": _text,
    "size": _whole,
    "annotations": _fields({"audience": _roles, "priority": _priority, "lastModified": _text}),
}


HEADING_FOUND: Final = "the heading of the user's notes"
BULLETS_FOUND: Final = "lines in the form of the user's notes"
"""Part of the change of an entry that imitates the section of notes."""


def valid_tool(definition: JsonObject, *, keeps_heading: bool = False) -> ValidEntry:
    """Return a tool as it may be served. Its ``name`` is text and its ``inputSchema`` an object (``tool.py``).

    Args:
        keeps_heading: the user lets the heading of notes stay in the texts of this server.
    """
    changes: list[str] = []
    mended = _mended_fields(definition, _TOOL, changes)
    honest = _without_imitation(mended, changes)
    modern = mended if keeps_heading else honest
    before = modern["inputSchema"]
    typed = _typed(before)
    if typed is None:
        return ValidEntry(None, None, (_OTHER_TYPE,))
    if typed is not before:
        changes.append('inputSchema has no type "object": added')
        modern = {**modern, "inputSchema": typed}
    if "outputSchema" in modern and not isinstance(modern["outputSchema"], dict):
        changes.append(f"outputSchema is {_kind(modern['outputSchema'], None)}: left out")
        modern = {key: value for key, value in modern.items() if key != "outputSchema"}
    for key in ("inputSchema", "outputSchema"):
        schema = modern.get(key)
        if schema is not None and "$schema" in schema and not isinstance(schema["$schema"], str):
            changes.append(f"{key}.$schema is malformed: left out")
            modern = {**modern, key: {name: value for name, value in schema.items() if name != "$schema"}}
    handshake = _for_handshake_era(modern, changes)
    return ValidEntry(handshake, modern if handshake is not None else None, tuple(changes))


_OTHER_TYPE: Final = 'its inputSchema is not of type "object"'
_NO_PROPERTIES: Final = "the properties of its inputSchema are not an object"


def schema_fault(schema: Mapping[str, Any]) -> str | None:
    """Return the fault of an ``inputSchema`` that keeps its tool from being served, or None."""
    typed = _typed(dict(schema))
    if typed is None:
        return _OTHER_TYPE
    return _NO_PROPERTIES if _bounded(typed, "inputSchema", []) is None else None


def _without_imitation(entry: JsonObject, changes: list[str]) -> JsonObject:
    """Return an entry whose texts do not pass themselves off as the user's notes (docs/contract.md 6)."""
    strict = imitation_free(entry)
    honest = strict if strict is entry else imitation_free(entry, keeps_choices=True)
    for key, value in entry.items():
        if honest.get(key) is not value:
            label = key if key in honest else "a key"
            changes.append(f"{label} has {HEADING_FOUND}: replaced unless the user lets it stay")
        elif strict.get(key) is not value:
            changes.append(f"{key} has {HEADING_FOUND} as a value that calls send: left there")
    if isinstance(entry.get("description"), str) and imitates_bullets(entry["description"]):
        changes.append(f"description has {BULLETS_FOUND}")
    return honest


def _for_handshake_era(modern: JsonObject, changes: list[str]) -> JsonObject | None:
    """Return the tool with its schemas in the form of the handshake era; None if its arguments cannot be told."""
    entry = modern
    schema = _bounded(modern["inputSchema"], "inputSchema", changes)
    if schema is None:
        changes[:] = [_NO_PROPERTIES]
        return None
    if schema is not modern["inputSchema"]:
        entry = {**entry, "inputSchema": schema}
    output = modern.get("outputSchema")
    if output is None:
        return entry
    typed = _typed(output)
    bounded = _bounded(typed, "outputSchema", changes) if typed is not None else None
    if bounded is None:
        changes.append('outputSchema is not of type "object": left out')
        return {key: value for key, value in entry.items() if key != "outputSchema"}
    if not is_json_schema(bounded):
        changes.append("outputSchema is no JSON Schema: left out")
        return {key: value for key, value in entry.items() if key != "outputSchema"}
    if typed is not output:
        changes.append('outputSchema has no type "object": added')
    return entry if bounded is output else {**entry, "outputSchema": bounded}


def _typed(schema: JsonObject) -> JsonObject | None:
    """Return a schema with ``type: object``, which is all that arguments can be; None if it has another type."""
    kind = schema.get("type")
    if kind == "object":
        return schema
    if kind is None and "type" not in schema:
        return {"type": "object", **schema}
    if kind is None or (isinstance(kind, list) and "object" in kind):
        return {**schema, "type": "object"}
    return None


def _bounded(schema: JsonObject, place: str, changes: list[str]) -> JsonObject | None:
    """Return a schema with properties that are objects, and required names that are text; None if it has others."""
    properties, required = schema.get("properties"), schema.get("required")
    bounded = dict(schema)
    if "properties" in schema and not isinstance(properties, dict):
        if properties is not None and properties != []:  # PHP writes an empty object as an empty list
            return None
        bounded["properties"] = {}
        changes.append(f"{place}.properties is {_kind(properties, None)}: an empty object is served")
    elif isinstance(properties, dict) and not all(isinstance(one, dict) for one in properties.values()):
        bounded["properties"] = {
            name: one if isinstance(one, dict) else {"not": {}} if one is False else {}
            for name, one in properties.items()
        }
        changes.append(f"{place}.properties has values that are not objects: brought into form")
    if "required" in schema and not _is_texts(required):
        names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        bounded["required"] = names
        if not names:
            del bounded["required"]
        changes.append(f"{place}.required is {_kind(required, names)}: {'brought into form' if names else 'left out'}")
    return _same_or(bounded, schema)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _same_or(bounded: JsonObject, schema: JsonObject) -> JsonObject:
    same = bounded.keys() == schema.keys() and all(bounded[key] is value for key, value in schema.items())
    return schema if same else bounded


def valid_prompt(definition: JsonObject) -> ValidEntry:
    """Return a prompt as it may be served. Its ``name`` is text."""
    changes: list[str] = []
    entry = _without_imitation(_mended_fields(definition, _PROMPT, changes), changes)
    return ValidEntry(entry, entry, tuple(changes))


def valid_resource(definition: JsonObject) -> ValidEntry:
    """Return a resource as it may be served. Its ``uri`` is text."""
    if not is_uri(definition["uri"]):
        return ValidEntry(None, None, ("its uri is not a URI",))
    return _valid_named(definition, definition["uri"])


def valid_template(definition: JsonObject) -> ValidEntry:
    """Return a resource template as it may be served. Its ``uriTemplate`` is text."""
    return _valid_named(definition, definition["uriTemplate"])


def _valid_named(definition: JsonObject, address: str) -> ValidEntry:
    changes: list[str] = []
    entry = _without_imitation(_mended_fields(definition, _RESOURCE, changes), changes)
    if not isinstance(entry.get("name"), str):
        title = entry.get("title")
        changes.append("its name is missing or not text: its title or address is served")
        entry = {**entry, "name": title if title else address}
    return ValidEntry(entry, entry, tuple(changes))
