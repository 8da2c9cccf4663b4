"""Editable view of a tool's arguments: their settings and the values they accept. No Qt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.guidance.parameters import Parameter, read_parameters, spaced_json
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.argument_overrides import EACH, Path, argument_name
from toolnote_desktop.model.tools.parameter_settings import is_absolute
from toolnote_desktop.model.toolsets.toolset import ToolEntry

MOST_ROWS: Final = 120
"""Maximum number of arguments in the form; more can be set in the file."""


MOST_VALUES: Final = 300
"""Number of values up to which they are offered in a list; of more, one is typed."""


class Shape(StrEnum):
    """User's setting of an argument."""

    FREE = "free"  # the assistant sees it and decides
    DEFAULT = "default"  # it has a value where the assistant gives none
    FIXED = "fixed"  # the assistant does not see it; it always has this value
    HIDDEN = "hidden"  # the assistant does not see it; nothing is sent for it


WITH_VALUE: Final = frozenset({Shape.DEFAULT, Shape.FIXED})


class ArgumentRow(Struct, frozen=True):
    """Row of one argument.

    Attributes:
        name: as ``argumentDefaults`` and ``hiddenArguments`` have it.
        label: the displayed name; ``depth`` is its nesting.
        value: the set value as text of its field; empty if none.
        allowed: rule for the assistant's values (``ParameterSetting.allowed``); empty if all are allowed.
    """

    name: str
    label: str
    depth: int
    type: str
    required: bool
    description: str
    values: tuple[Any, ...]
    shape: Shape
    value: str
    begin: str
    allowed: JsonObject

    @property
    def is_text(self) -> bool:
        """True if the value is entered as plain text instead of JSON."""
        return self.type == "string"

    @property
    def takes_texts(self) -> bool:
        """True if a value, or each one of a list, is a text."""
        return self.type in ("string", "array of string")


def argument_rows(definition: JsonObject, entry: ToolEntry) -> tuple[ArgumentRow, ...]:
    """List the schema's arguments, nested ones after their parents, then configured ones that it no longer has."""
    rows = list(_rows(read_parameters(definition.get("inputSchema")), (), 0, entry))[:MOST_ROWS]
    there = {row.name for row in rows}
    limited = [name for name, one in entry.parameters.items() if one.allowed]
    gone = [
        name
        for name in dict.fromkeys((*entry.argument_defaults, *entry.hidden_arguments, *limited))
        if name not in there
    ]
    rows += [_row(Parameter(name, "any", False), name, 0, entry) for name in gone]
    return tuple(rows)


def _rows(parameters: tuple[Parameter, ...], above: Path, depth: int, entry: ToolEntry) -> Iterator[ArgumentRow]:
    for parameter in parameters:
        path = (*above, parameter.name)
        yield _row(parameter, argument_name(path), depth, entry)
        inside = (*path, EACH) if parameter.type.startswith("array") else path
        yield from _rows(parameter.children, inside, depth + 1, entry)


def _row(parameter: Parameter, name: str, depth: int, entry: ToolEntry) -> ArgumentRow:
    has_value, hidden = name in entry.argument_defaults, name in entry.hidden_arguments
    shape = (Shape.FIXED if has_value else Shape.HIDDEN) if hidden else (Shape.DEFAULT if has_value else Shape.FREE)
    is_text = parameter.type == "string"
    value = written(entry.argument_defaults[name], is_text=is_text) if has_value else ""
    values = parameter.values or ((True, False) if parameter.type == "boolean" else ())
    return ArgumentRow(
        name=name,
        label=parameter.name,
        depth=depth,
        type=parameter.type,
        required=parameter.required,
        description=parameter.description,
        values=values if len(values) <= MOST_VALUES else (),
        shape=shape,
        value=value,
        begin=_begin(parameter, is_text=is_text),
        allowed=entry.parameters[name].allowed if name in entry.parameters else {},
    )


def _begin(parameter: Parameter, *, is_text: bool) -> str:
    """Return the initial value of an argument's field: the server's default."""
    if parameter.default is None:
        return ""
    return written(json.loads(parameter.default), is_text=is_text)


def written(value: Any, *, is_text: bool) -> str:
    """Return a value as text for a field."""
    return value if is_text and isinstance(value, str) else spaced_json(value)


def read_value(text: str, row: ArgumentRow) -> Any:
    """Parse the text entered for an argument.

    Raises:
        ValueError: the text is not JSON and the argument is not a text.
    """
    if row.is_text:
        return text
    if row.type == "any":
        try:
            return json.loads(text)
        except ValueError:
            return text
    return json.loads(text)


class Limit(StrEnum):
    """Kinds of rules for the values that an assistant may send; the keys of ``allowed``."""

    VALUES = "values"
    UNDER = "under"
    LIKE = "like"


def limit_text(row: ArgumentRow, limit: Limit) -> str:
    """Return a rule as text of its field; empty if there is none of its kind."""
    rule = row.allowed.get(limit)
    if isinstance(rule, list):
        is_plain = row.takes_texts and all(isinstance(one, str) and "," not in one for one in rule)
        return ", ".join(rule) if is_plain else spaced_json(rule)
    return rule if isinstance(rule, str) else ""


def read_limit(text: str, row: ArgumentRow, limit: Limit) -> JsonObject | None:
    """Parse the text entered for a rule; None for an empty one.

    Raises:
        ValueError: the values are neither texts nor JSON, or a folder is not an absolute path.
    """
    text = text.strip()
    if not text:
        return None
    if limit is Limit.LIKE:
        return {limit: text}
    if limit is Limit.UNDER:
        if not is_absolute(text):
            raise ValueError(text)
        return {limit: text}
    if text.startswith("["):
        values = json.loads(text)
    elif row.takes_texts:
        values = [one.strip() for one in text.split(",") if one.strip()]
    else:
        values = json.loads(f"[{text}]")
    if not isinstance(values, list) or not values:
        raise ValueError(text)
    return {limit: values}
