"""JSON Schemas from servers: any object is possible, and references may be dangling or circular."""

from __future__ import annotations

from typing import Any
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
        elif isinstance(found, list) and key.isascii() and key.isdigit() and int(key) < len(found):
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
