"""Parameters in parameters, in lists and behind references: what two schemas of one tool have in the same place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.schema import resolve_reference
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.change_words import LOWER, UPPER

MOST_SCHEMAS: Final = 4_000
"""Schemas in the changed parameters of a tool that are compared with those of before."""

_MOST_KINDS: Final = 32
"""Branches of a schema whose types are read."""

_LONGEST_CHAIN: Final = 32
"""References that lead to one another."""

_BRANCHES: Final = ("allOf", "anyOf", "oneOf")
_CONDITIONAL: Final = ("then", "else")
_ITEMS: Final = ("items", "prefixItems", "additionalItems", "contains")
LIMITS: Final = (*UPPER, *LOWER, "pattern", "enum", "const", "additionalProperties")
"""Keys of a schema that limit its own value."""

_PLAIN: Final = ("type", "enum", "const")
_READ: Final = (*LIMITS, "type", "anyOf", "oneOf", "allOf", "default", "description")


class NestedPair(Struct, frozen=True):
    """What is in one place of two schemas.

    Attributes:
        parameter: the top-level parameter in which it is; "" outside of all.
        name: of the parameter that it describes.
        before: None where there was none; ``after``: None where more would have to be compared.
        is_optional_now: it had to be given before.
        is_open_now: names that were not allowed before are.
        is_top_level: it is the parameter itself.
    """

    parameter: str
    name: str
    before: Any
    after: Any
    is_optional_now: bool = False
    is_open_now: bool = False
    is_top_level: bool = False


def nested_pairs(before: JsonObject, after: JsonObject) -> Iterator[NestedPair]:
    """Yield what is in the same place of two input schemas, parameters first that both have, as far as it may have
    changed.
    """
    has_same_targets = _targets(before) == _targets(after)
    top_level = top_level_arguments(after)
    waiting = [NestedPair("", "", before, after)]
    seen: set[tuple[object, ...]] = set()
    budget = iter(range(MOST_SCHEMAS))
    for pair in waiting:
        old, new = pair.before, pair.after
        place = (pair.name, id(old), id(new), pair.is_optional_now)
        if place in seen or (pair.is_top_level and old == new and has_same_targets):
            continue
        seen.add(place)
        if pair.parameter and not (pair.is_top_level and old is None):
            yield pair
        if not isinstance(new, dict):
            continue
        was, now = _views(old, before, budget), _views(new, after, budget)
        if any(one.get("additionalProperties") is False for one in was) and _patterns(now) - _patterns(was):
            yield replace(pair, is_open_now=True)
        waiting += _below(pair, was, now, top_level)
        if next(budget, None) is None or len(waiting) > MOST_SCHEMAS:
            yield replace(pair, after=None)
            return


def _below(
    pair: NestedPair, was: list[JsonObject], now: list[JsonObject], top_level: JsonObject
) -> Iterator[NestedPair]:
    known, needed = _properties(was), _required(was) - _required(now)
    for name, schema in _properties(now).items():
        is_top_level = not pair.parameter and name in top_level
        is_optional = name in needed and not is_top_level
        yield NestedPair(pair.parameter or name, name, known.get(name), schema, is_optional, is_top_level=is_top_level)
    earlier = _parts(was)
    for place, part in enumerate(_parts(now)):
        yield NestedPair(pair.parameter, pair.name, earlier[place] if place < len(earlier) else _NOTHING, part)


_NOTHING: Final[JsonObject] = {}


def without_parts(schema: Any) -> Any:
    """Return a schema without those in it."""
    if not isinstance(schema, dict):
        return schema
    return {key: value for key, value in schema.items() if key in _PLAIN or not isinstance(value, dict | list)}


def followed(schema: JsonObject, root: JsonObject) -> JsonObject:
    """Return the keys of a schema that are compared, those of what its references lead to among them."""
    found: JsonObject = {}
    for _ in range(_LONGEST_CHAIN):
        for key in _READ:
            if key in schema:
                found.setdefault(key, schema[key])
        reference = schema.get("$ref")
        target = resolve_reference(reference, root) if isinstance(reference, str) else None
        if not isinstance(target, dict):
            return found
        schema = target
    return found


def free_kinds(schema: Any, root: JsonObject) -> frozenset[str]:
    """Return the types of which a schema takes any value: none for a choice, all where it says nothing, and ``more``
    where it has too many branches.
    """
    found: set[str] = set()
    waiting = [schema]
    for step, one in enumerate(waiting):
        if step >= _MOST_KINDS:
            return frozenset({*found, "more"})
        if not isinstance(one, dict):
            found |= _ALL if one is True else set()
            continue
        whole = followed(one, root)
        if "enum" in whole or "const" in whole:
            continue
        kind = whole.get("type")
        kinds = {text for text in (kind if isinstance(kind, list) else [kind]) if isinstance(text, str)}
        branches = [branch for key in ("anyOf", "oneOf") for branch in _listed(whole.get(key))]
        found |= kinds if kinds or branches or "allOf" in whole else _ALL
        waiting += [] if kinds else branches
    return frozenset(found)


_ALL: Final = {"string", "object", "array", "integer", "number", "boolean"}


def _targets(schema: JsonObject) -> list[Any]:
    return [schema.get(key) for key in ("$defs", "definitions")]


def _views(schema: Any, root: JsonObject, budget: Iterator[int]) -> list[JsonObject]:
    """Return a schema and its branches, references followed."""
    found: list[JsonObject] = []
    waiting: list[Any] = [schema]
    seen: set[str] = set()
    for one in waiting:
        if not isinstance(one, dict):
            continue
        if next(budget, None) is None:
            return found
        found.append(one)
        reference = one.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            seen.add(reference)
            waiting.append(resolve_reference(reference, root))
        waiting += _mapped(one.get("dependentSchemas")).values()
        waiting += [branch for key in _BRANCHES for branch in _listed(one.get(key))]
        waiting += [one[key] for key in _CONDITIONAL if key in one]
    return found


def _properties(views: Iterable[JsonObject]) -> JsonObject:
    found: JsonObject = {}
    for view in views:
        for name, schema in _mapped(view.get("properties")).items():
            found.setdefault(name, schema)
    return found


def _parts(views: Iterable[JsonObject]) -> list[Any]:
    """Return the schemas of what is in a list, and of values under names that are not fixed."""
    found: list[Any] = []
    for view in views:
        found += [part for key in _ITEMS if key in view for part in (_listed(view[key]) or [view[key]])]
        found += _mapped(view.get("patternProperties")).values()
        found += [view[key] for key in ("additionalProperties",) if isinstance(view.get(key), dict)]
    return found


def _patterns(views: Iterable[JsonObject]) -> set[str]:
    return {pattern for view in views for pattern in _mapped(view.get("patternProperties"))}


def _required(views: Iterable[JsonObject]) -> set[str]:
    return {name for view in views for name in _listed(view.get("required")) if isinstance(name, str)}


def _mapped(value: object) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
