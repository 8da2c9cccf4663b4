"""Parameters of a tool in words, from its JSON Schema (docs/requirements.md 3.7).

Schemas come from servers: nested, combined, recursive, with dangling references, or not schemas at all. A description
is returned in any case; unreadable parts are ``any``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.schema import inline_reference

DEEPEST: Final = 6
"""Maximum levels of nested properties."""

_MOST_BRANCHES: Final = 200
"""Maximum schemas visited for one parameter list: larger combinations are truncated."""

_CONSTRAINTS: Final = {
    "minimum": "Minimum",
    "maximum": "Maximum",
    "exclusiveMinimum": "Greater than",
    "exclusiveMaximum": "Less than",
    "multipleOf": "Multiple of",
    "minLength": "Shortest",
    "maxLength": "Longest",
    "pattern": "Pattern",
    "format": "Format",
    "minItems": "Fewest",
    "maxItems": "Most",
}


class Parameter(Struct, frozen=True):
    """Parameter.

    Attributes:
        values: the only valid ones, if the schema lists them.
        default: as JSON; None if there is none.
        constraints: in words, for the full detail.
        children: properties of an object, or of the objects in an array.
        recursive: it contains itself: its children were described above.
    """

    name: str
    type: str
    required: bool
    description: str = ""
    values: tuple[Any, ...] | None = None
    default: str | None = None
    constraints: tuple[str, ...] = ()
    children: tuple[Parameter, ...] = ()
    recursive: bool = False


def read_parameters(schema: Any, deepest: int = DEEPEST) -> tuple[Parameter, ...]:
    """Return the parameters in a tool's ``inputSchema``, in order.

    Args:
        deepest: levels of nested properties to visit; 1 is the top only.
    """
    return _Reader(schema).properties(schema, deepest, frozenset())


def parameter_lines(parameters: Iterable[Parameter], *, full: bool = False, indent: str = "") -> list[str]:
    """Return the lines of the parameter list: ``- `name` (type, required): Description.`` and ``Valid values`` under
    it.

    Args:
        full: include all values of a long enumeration, and the other constraints.
    """
    lines = []
    for parameter in parameters:
        need = "required" if parameter.required else "optional"
        details = _details(parameter, full)
        lines.append(f"{indent}- `{parameter.name}` ({parameter.type}, {need})" + (f": {details}" if details else ""))
        if parameter.values is not None:
            lines.append(f"{indent}  Valid values: {_values(parameter.values, full)}")
        lines += parameter_lines(parameter.children, full=full, indent=f"{indent}  ")
    return lines


def spaced_json(value: Any) -> str:
    """Return JSON on one line: a space behind each comma and colon."""
    text = json.dumps(value, ensure_ascii=False)
    return json_text.dumps(value).decode("utf-8") if "Infinity" in text else text


_SHOWN_VALUES: Final = 30


def _values(values: tuple[Any, ...], full: bool) -> str:
    if full or len(values) <= _SHOWN_VALUES:
        return spaced_json(list(values))
    return f"{spaced_json(list(values[:_SHOWN_VALUES]))[:-1]}, …] ({len(values)} in all)"


def _details(parameter: Parameter, full: bool) -> str:
    parts = [_sentence(parameter.description)] if parameter.description else []
    if (
        parameter.default is not None
        and f"default: {parameter.default}".casefold() not in parameter.description.casefold()
    ):
        parts.append(f"Default: {parameter.default}.")
    if full:
        parts += parameter.constraints
    if parameter.recursive:
        parts.append("Same shape as above.")
    if len(parts) == 1 and parameter.description:
        return parameter.description  # last, because it may end without punctuation
    return " ".join(parts)


def _sentence(text: str) -> str:
    return text if text[-1] in ".!?:;)" else f"{text}."


class _Reader:
    """Reader of one schema with its references."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._left = _MOST_BRANCHES

    def properties(self, schema: Any, deepest: int, seen: frozenset[str]) -> tuple[Parameter, ...]:
        """Return the properties of an object schema, followed by those of its branches."""
        found: dict[str, tuple[Any, frozenset[str]]] = {}
        required: set[str] = set()
        self._collect(schema, found, required, seen, all_hold=True)
        return tuple(
            self._parameter(name, value, name in required, deepest, below) for name, (value, below) in found.items()
        )

    def _collect(
        self,
        schema: Any,
        found: dict[str, tuple[Any, frozenset[str]]],
        required: set[str],
        seen: frozenset[str],
        *,
        all_hold: bool,
    ) -> None:
        whole, seen = self._whole(schema, seen)
        if whole is None:
            return
        properties = whole.get("properties")
        if isinstance(properties, dict):
            for name, value in properties.items():
                found.setdefault(str(name), (value, seen))
        if all_hold:
            required.update(str(name) for name in _list(whole.get("required")))
        for key in ("allOf", "anyOf", "oneOf"):
            for branch in _list(whole.get(key)):
                self._collect(branch, found, required, seen, all_hold=all_hold and key == "allOf")
        for key in ("then", "else"):
            self._collect(whole.get(key), found, required, seen, all_hold=False)

    def _whole(self, schema: Any, seen: frozenset[str]) -> tuple[JsonObject | None, frozenset[str]]:
        """Return a schema with its reference resolved; None if it is not an object, or is already being visited."""
        if not isinstance(schema, dict) or self._left <= 0:
            return None, seen
        self._left -= 1
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema, seen
        if reference in seen:
            return None, seen
        return inline_reference(schema, self._root), seen | {reference}

    def _parameter(self, name: str, schema: Any, required: bool, deepest: int, seen: frozenset[str]) -> Parameter:
        recursive = isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and schema["$ref"] in seen
        # A schema that contains itself is described once more, without its contents.
        whole = inline_reference(schema, self._root) if recursive else self._whole(schema, seen)[0]
        if whole is None:
            return Parameter(name, "any", required)
        children: tuple[Parameter, ...] = ()
        if not recursive and deepest > 1:
            children = self.properties(schema, deepest - 1, seen) or self._items(whole, deepest - 1, seen)
        description = schema.get("description") or whole.get("description")
        return Parameter(
            name=name,
            type=self._type(whole, seen),
            required=required,
            description=" ".join(description.split()) if isinstance(description, str) else "",
            values=_only_values(whole),
            default=spaced_json(whole["default"]) if "default" in whole else None,
            constraints=tuple(_constraints(whole)),
            children=children,
            recursive=recursive and isinstance(whole.get("properties"), dict),
        )

    def _items(self, schema: JsonObject, deepest: int, seen: frozenset[str]) -> tuple[Parameter, ...]:
        if isinstance(schema.get("items"), dict):
            return self.properties(schema["items"], deepest, seen)
        for key in ("anyOf", "oneOf"):
            for branch in _list(schema.get(key)):
                whole, below = self._whole(branch, seen)
                if whole is not None and isinstance(whole.get("items"), dict):
                    return self.properties(whole["items"], deepest, below)
        return ()

    def _type(self, schema: Any, seen: frozenset[str], depth: int = 0) -> str:
        """Return a type in words: ``string``, ``array of integer``, ``string or null``."""
        whole, seen = self._whole(schema, seen)
        if whole is None or depth > DEEPEST:
            return "any"
        given = whole.get("type")
        if isinstance(given, str):
            return self._array(whole, seen, depth) if given == "array" else given
        if isinstance(given, list) and given:
            return _alternatives(self._array(whole, seen, depth) if one == "array" else str(one) for one in given)
        if "const" in whole:
            return _type_of(whole["const"])
        if _list(whole.get("enum")):
            return _alternatives(_type_of(value) for value in whole["enum"])
        for key in ("anyOf", "oneOf"):
            if _list(whole.get(key)):
                return _alternatives(self._type(branch, seen, depth + 1) for branch in whole[key])
        for branch in _list(whole.get("allOf")):
            if (found := self._type(branch, seen, depth + 1)) != "any":
                return found
        if isinstance(whole.get("properties"), dict):
            return "object"
        return self._array(whole, seen, depth) if "items" in whole else "any"

    def _array(self, schema: JsonObject, seen: frozenset[str], depth: int) -> str:
        inside = self._type(schema.get("items"), seen, depth + 1)
        if inside == "any":
            return "array"
        return f"array of ({inside})" if " or " in inside else f"array of {inside}"


def _only_values(schema: JsonObject, depth: int = 0) -> tuple[Any, ...] | None:
    """Return the values of an ``enum`` or ``const``, also if the other branch is only null."""
    if isinstance(schema.get("enum"), list):
        return tuple(schema["enum"])
    if "const" in schema:
        return (schema["const"],)
    items = schema.get("items")
    if isinstance(items, dict) and isinstance(items.get("enum"), list):
        return tuple(items["enum"])
    for key in ("anyOf", "oneOf") if depth < DEEPEST else ():
        branches = [branch for branch in _list(schema.get(key)) if isinstance(branch, dict)]
        named = [_only_values(branch, depth + 1) for branch in branches if branch.get("type") != "null"]
        if named and all(values is not None for values in named):
            return tuple(value for values in named for value in values or ())
    return None


def _constraints(schema: JsonObject) -> list[str]:
    lines = []
    for keyword, words in _CONSTRAINTS.items():
        value = schema.get(keyword)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            lines.append(f"{words}: {value}.")
    return lines


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    for kind, word in ((bool, "boolean"), (str, "string"), (int, "integer"), (float, "number"), (list, "array")):
        if isinstance(value, kind):
            return word
    return "object"


def _alternatives(words: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(words)) or "any"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
