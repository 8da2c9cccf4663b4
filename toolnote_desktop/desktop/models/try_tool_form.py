"""Form model for trying a tool: a field for each argument, nested ones below their object. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.desktop.models.argument_rows import ArgumentRow
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.argument_overrides import Path, argument_path

_OBJECTS: Final = frozenset({"object", "object or null", "null or object"})


class FormField(Struct, frozen=True):
    """Field of the form.

    Attributes:
        path: the steps from the arguments to this one.
        is_heading: it is an object whose properties follow, and has no field itself.
    """

    row: ArgumentRow
    path: Path
    is_heading: bool

    @property
    def title(self) -> str:
        """Accessible name, with the titles of the fields above it."""
        return " › ".join(self.path)


def form_rows(rows: Sequence[ArgumentRow]) -> tuple[FormField, ...]:
    """Return the fields of a tool's arguments in order.

    Lists, what may be an object or something else, and objects that have a value of their own or whose properties are
    not known, are written as JSON in one field.
    """
    form: list[FormField] = []
    opened: set[Path] = {()}
    for place, row in enumerate(rows):
        path = argument_path(row.name)
        if path[:-1] not in opened:
            continue
        is_followed = place + 1 < len(rows) and rows[place + 1].depth > row.depth
        is_heading = is_followed and row.type in _OBJECTS and not row.value and not row.values
        if is_heading:
            opened.add(path)
        form.append(FormField(row, path, is_heading))
    return tuple(form)


def gathered(form: Iterable[FormField], values: Mapping[Path, Any]) -> tuple[JsonObject, tuple[FormField, ...]]:
    """Return the call's arguments, and the required fields that are empty.

    What an object needs is only needed where the object is: because it is needed itself, or something in it was given.
    """
    sent: set[Path] = {()}
    for path in values:
        sent.update(path[:length] for length in range(1, len(path)))
    arguments: JsonObject = {}
    missing: list[FormField] = []
    for one in form:
        if one.path in values:
            _place(arguments, one.path[:-1])[one.path[-1]] = values[one.path]
        elif one.is_heading and (one.path in sent or (one.row.required and one.path[:-1] in sent)):
            sent.add(one.path)
            _place(arguments, one.path)
        elif not one.is_heading and one.row.required and one.path[:-1] in sent:
            missing.append(one)
    return arguments, tuple(missing)


def _place(arguments: JsonObject, path: Path) -> JsonObject:
    """Return the object at a path, creating it if absent."""
    for step in path:
        arguments = arguments.setdefault(step, {})
    return arguments
