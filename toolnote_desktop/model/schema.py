"""JSON Schemas from servers: any object is possible, and references may be dangling or circular."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import unquote

from toolnote_desktop.model.json_text import JsonObject

_LONGEST_CHAIN = 32


def resolve_reference(reference: str, root: Any) -> Any:
    """Return the target of a local ``$ref`` (``#``, ``#/$defs/X``); None if it is not local or dangling."""
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return None
    found = root
    for step in unquote(reference[2:]).split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and key in found:
            found = found[key]
        elif isinstance(found, list) and key.isascii() and key.isdigit() and len(key) < 9 and int(key) < len(found):
            found = found[int(key)]
        else:
            return None
    return found


def inline_reference(schema: JsonObject, root: Any) -> JsonObject:
    """Return a schema with its own ``$ref`` replaced by the target, keeping its sibling keys; nested references stay.

    An unresolvable reference stays as well.
    """
    for _ in range(_LONGEST_CHAIN):
        reference = schema.get("$ref")
        target = resolve_reference(reference, root) if isinstance(reference, str) else None
        if not isinstance(target, dict):
            return schema
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**target, **beside}
    return schema


_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_MAPS: Final = ("properties", "patternProperties", "dependentSchemas")
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_PARTS: Final = (
    "additionalItems",
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
_NUMBERS: Final = (
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
)


def is_json_schema(schema: JsonObject) -> bool:
    """Return False if no validator can be made of a schema: a keyword has a value of another kind, or leads nowhere.

    Clients of the TypeScript SDK make one of each ``outputSchema``, and refuse the whole list where that fails.
    """
    waiting: list[Any] = [schema]
    references: list[str] = []
    has_own_ids = False
    while waiting:
        part = waiting.pop()
        if isinstance(part, bool):
            continue
        if not isinstance(part, dict) or not _has_usable_values(part):
            return False
        has_own_ids = has_own_ids or (part is not schema and "$id" in part)
        if isinstance(reference := part.get("$ref"), str) and reference.startswith("#/"):
            references.append(reference)
        for key in _MAPS:
            waiting += part.get(key, {}).values()
        for key in _LISTS:
            waiting += part.get(key, [])
        for key in _PARTS:
            if key in part:
                waiting += part[key] if isinstance(part[key], list) else [part[key]]
    return has_own_ids or all(resolve_reference(one, schema) is not None for one in set(references))


def _has_usable_values(part: JsonObject) -> bool:
    kind, choices = part.get("type"), part.get("enum", [None])
    kinds = kind if isinstance(kind, list) else [kind]
    return (
        ("type" not in part or (bool(kinds) and all(isinstance(one, str) and one in _TYPES for one in kinds)))
        and ("nullable" not in part or "type" in part)
        and isinstance(choices, list)
        and bool(choices)
        and isinstance(part.get("required", []), list)
        and all(isinstance(part.get(key, {}), dict) for key in _MAPS)
        and all(isinstance(part.get(key, []), list) for key in _LISTS)
        and all(isinstance(part.get(key, 0), int | float) and not isinstance(part.get(key), bool) for key in _NUMBERS)
    )
