"""Reduction of a schema to the subset that a dialect accepts (docs/contract.md 5): only on the user's request, with all
changes reported.

The result describes at least what the whole schema allows: a refused keyword is left out or expressed in words, never
replaced by a narrower one.
"""

from __future__ import annotations

from typing import Any, Final

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.schema import inline_reference
from toolnote_desktop.model.tools.dialect import Dialect

_ONE_SCHEMA: Final = frozenset(
    {"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "additionalItems"}
)
_SCHEMA_LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
_SCHEMA_MAPS: Final = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_CONDITIONS: Final = {"not": ("not",), "if": ("if",), "then": ("if",), "else": ("if",)}
_COMBINING: Final = ("allOf", "anyOf", "oneOf")


def refused_in(schema: Any, dialect: Dialect) -> tuple[str, ...]:
    """Return the keywords of a schema that the dialect refuses, without duplicates, in order."""
    found: dict[str, None] = {}
    if isinstance(schema, dict):
        found.update((f"{keyword} at the top", None) for keyword in dialect.refused_at_top if keyword in schema)
    _collect_refused(schema, dialect, found)
    return tuple(found)


def _collect_refused(schema: Any, dialect: Dialect, found: dict[str, None]) -> None:
    if not isinstance(schema, dict):
        return
    found.update((keyword, None) for keyword in schema if keyword in dialect.refused_keywords)
    if _is_refused_format(schema, dialect):
        found[f"format {schema['format']}"] = None
    if _has_refused_enum(schema, dialect):
        found["an enum of other things than texts"] = None
    for keyword, value in schema.items():
        for part in _parts(keyword, value):
            _collect_refused(part, dialect, found)


def schema_subset(schema: JsonObject, dialect: Dialect) -> tuple[JsonObject, tuple[str, ...]]:
    """Return the schema as the dialect accepts it, and the changes in a few words each. Without changes it is the same
    object.
    """
    changes: dict[str, None] = {}
    reduced = _without_top(schema, dialect, changes)
    reduced = _reduced(reduced, dialect, changes)
    return (reduced, tuple(changes)) if changes else (schema, ())


def _without_top(schema: JsonObject, dialect: Dialect, changes: dict[str, None]) -> JsonObject:
    """Merge the branches of a refused ``allOf``, ``anyOf`` or ``oneOf`` at the top into one object."""
    combining = [key for key in _COMBINING if key in dialect.refused_at_top and key in schema]
    if not combining:
        return schema
    flat = {key: value for key, value in schema.items() if key not in combining}
    properties = _mapping(schema.get("properties"))
    required = _list(schema.get("required"))
    for key in combining:
        branches = [inline_reference(b, schema) for b in _list(schema[key]) if isinstance(b, dict)]
        if key == "allOf":
            for branch in branches:
                properties = {**_mapping(branch.get("properties")), **properties}
        else:
            properties = {**_either(branches), **properties}
        wanted = [_list(branch.get("required")) for branch in branches]
        if key == "allOf":
            shared = [name for names in wanted for name in names]
        else:
            shared = [name for name in wanted[0] if all(name in names for names in wanted)] if wanted else []
        required = list(dict.fromkeys([*required, *shared]))
        changes[f"{key} at the top: its parts are one object now"] = None
    flat["type"] = schema.get("type", "object")
    flat["properties"] = properties
    if required:
        flat["required"] = required
    return flat


def _either(branches: list[JsonObject]) -> JsonObject:
    """Return the union of the properties of alternatives: one that differs may be as in any of them."""
    found: dict[str, list[Any]] = {}
    for branch in branches:
        for name, value in _mapping(branch.get("properties")).items():
            kinds = found.setdefault(name, [])
            if value not in kinds:
                kinds.append(value)
    return {name: kinds[0] if len(kinds) == 1 else {"anyOf": kinds} for name, kinds in found.items()}


def _reduced(schema: Any, dialect: Dialect, changes: dict[str, None]) -> Any:
    if not isinstance(schema, dict):
        return schema
    reduced: JsonObject = {}
    added: list[str] = []
    for keyword, value in schema.items():
        if keyword in dialect.refused_keywords:
            changes[f"{keyword}: left out"] = None
            added += _in_words(keyword, value)
        elif keyword == "format" and _is_refused_format(schema, dialect):
            changes[f"format {value}: left out"] = None
            added.append(f"Format: {value}.")
        elif keyword == "enum" and _has_refused_enum(schema, dialect):
            changes["enum of other things than texts: left out"] = None
            added.append(f"Valid values: {json_text.dumps(value).decode('utf-8')}.")
        elif keyword in _CONDITIONS and any(_is_touched(schema.get(part), dialect) for part in _CONDITIONS[keyword]):
            changes[f"{keyword}: left out"] = None  # reduced, it would refuse more
        elif keyword == "oneOf" and "anyOf" not in schema and any(_is_touched(part, dialect) for part in _list(value)):
            reduced["anyOf"] = _rebuilt("anyOf", value, dialect, changes)
        else:
            reduced[keyword] = _rebuilt(keyword, value, dialect, changes)
    if added:
        description = reduced.get("description")
        own = [_sentence(description)] if isinstance(description, str) and description else []
        reduced["description"] = " ".join([*own, *added])
    return reduced


def _sentence(text: str) -> str:
    return text if text.rstrip()[-1:] in (".", "!", "?", ":", ";", ")", "") else f"{text}."


def _rebuilt(keyword: str, value: Any, dialect: Dialect, changes: dict[str, None]) -> Any:
    if keyword in _SCHEMA_MAPS and isinstance(value, dict):
        return {name: _reduced(part, dialect, changes) for name, part in value.items()}
    if keyword in _SCHEMA_LISTS and isinstance(value, list):
        return [_reduced(part, dialect, changes) for part in value]
    if keyword in _ONE_SCHEMA:
        return _reduced(value, dialect, changes)
    return value


def _is_touched(schema: Any, dialect: Dialect) -> bool:
    found: dict[str, None] = {}
    _collect_refused(schema, dialect, found)
    return bool(found)


def _in_words(keyword: str, value: Any) -> list[str]:
    shown = json_text.dumps(value).decode("utf-8")
    match keyword:
        case "const":
            return [f"The only valid value: {shown}."]
        case "exclusiveMinimum":
            return [f"Greater than {shown}."]
        case "exclusiveMaximum":
            return [f"Less than {shown}."]
        case _:
            return []


def _is_refused_format(schema: JsonObject, dialect: Dialect) -> bool:
    given = schema.get("format")
    return dialect.allowed_formats is not None and isinstance(given, str) and given not in dialect.allowed_formats


def _has_refused_enum(schema: JsonObject, dialect: Dialect) -> bool:
    values = schema.get("enum")
    return dialect.string_enums and isinstance(values, list) and any(not isinstance(value, str) for value in values)


def with_prefix_items(definition: JsonObject) -> JsonObject:
    """Return a tool's definition with ``prefixItems`` where a schema has a list in ``items`` (JSON Schema 2020-12).

    Without one it is the same object.
    """
    changed = {
        key: changed_schema
        for key in ("inputSchema", "outputSchema")
        if (schema := definition.get(key)) is not None and (changed_schema := _with_prefix_items(schema)) is not schema
    }
    return {**definition, **changed} if changed else definition


def _with_prefix_items(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    rebuilt: JsonObject = {}
    for keyword, value in schema.items():
        new = value
        if keyword in _SCHEMA_MAPS and isinstance(value, dict):
            new = _same_or({name: _with_prefix_items(part) for name, part in value.items()}, value)
        elif keyword in _SCHEMA_LISTS and isinstance(value, list):
            parts = [_with_prefix_items(part) for part in value]
            new = value if all(part is old for part, old in zip(parts, value, strict=True)) else parts
        elif keyword in _ONE_SCHEMA:
            new = _with_prefix_items(value)
        rebuilt[keyword] = new
    if isinstance(schema.get("items"), list):
        places = rebuilt.pop("items")
        rebuilt.setdefault("prefixItems", places)
        if "additionalItems" in rebuilt:
            rebuilt["items"] = rebuilt.pop("additionalItems")
        return rebuilt
    return _same_or(rebuilt, schema)


def _same_or(rebuilt: JsonObject, before: JsonObject) -> JsonObject:
    return before if all(rebuilt[key] is value for key, value in before.items()) else rebuilt


def _parts(keyword: str, value: Any) -> list[Any]:
    """Yield the schemas directly within a schema that are the value of one keyword."""
    if keyword in _SCHEMA_MAPS and isinstance(value, dict):
        return list(value.values())
    if keyword in _SCHEMA_LISTS and isinstance(value, list):
        return value
    return [value] if keyword in _ONE_SCHEMA else []


def _mapping(value: Any) -> JsonObject:
    return dict(value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else []
