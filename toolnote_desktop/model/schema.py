"""JSON Schema as it comes from servers: any dictionary may be one, references may go nowhere or round in circles."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from toolnote_desktop.model.json_text import JsonObject

_LONGEST_CHAIN = 32


def resolve_reference(reference: str, root: Any) -> Any:
    """What a local ``$ref`` (``#``, ``#/$defs/X``) points at; None for one that leads elsewhere or nowhere."""
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


def inlined(schema: JsonObject, root: Any) -> JsonObject:
    """A schema with its own ``$ref`` replaced by what it points at, what stands beside it kept; others stay inside it.

    One that cannot be resolved stays as it is.
    """
    for _ in range(_LONGEST_CHAIN):
        reference = schema.get("$ref")
        target = resolve_reference(reference, root) if isinstance(reference, str) else None
        if not isinstance(target, dict):
            return schema
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**target, **beside}
    return schema
