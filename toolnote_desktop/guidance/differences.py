"""Differences between a tool as served to a client and as sent by its server, for display in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments

_DESCRIBED: Final = frozenset({"name", "description", "inputSchema", "annotations", "_meta"})


class Differences(Struct, frozen=True):
    """Names of what differs, in order.

    Attributes:
        added, removed, changed: arguments at the top of the schema.
        optional: arguments that are no longer required.
        hints: keys of ``annotations`` that are new or have another value.
        others: other keys of the definition, such as ``title``.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def differences(own: JsonObject, served: JsonObject) -> Differences:
    """Return the differences of ``served`` to ``own`` except in name and description."""
    schema, shown = own.get("inputSchema"), served.get("inputSchema")
    before, now = _arguments(schema), _arguments(shown)
    needed, wanted = _required(schema), _required(shown)
    common = [name for name in before if name in now]
    return Differences(
        added=tuple(name for name in now if name not in before),
        removed=tuple(name for name in before if name not in now),
        changed=tuple(name for name in common if before[name] != now[name]),
        optional=tuple(name for name in common if name in needed and name not in wanted and before[name] == now[name]),
        hints=_other_values(_mapping(own.get("annotations")), _mapping(served.get("annotations"))),
        others=tuple(key for key in _other_values(own, served) if key not in _DESCRIBED),
    )


def _arguments(schema: Any) -> JsonObject:
    return top_level_arguments(schema) if isinstance(schema, dict) else {}


def _required(schema: Any) -> frozenset[str]:
    required = schema.get("required") if isinstance(schema, dict) else None
    return frozenset(name for name in required if isinstance(name, str)) if isinstance(required, list) else frozenset()


def _other_values(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(key for key in {**before, **now} if before.get(key) != now.get(key) or (key in before) != (key in now))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
