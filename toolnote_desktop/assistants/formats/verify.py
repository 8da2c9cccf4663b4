"""Proof, before a text is written, that a change has exactly the intended meaning."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

UNEXACT = "it is written in a way that cannot be changed without changing something else"


def with_value(whole: Any, path: Sequence[str], value: Any) -> Any:
    """Return ``whole`` with ``value`` at a path of keys; missing and null values on the way become objects."""
    if not path:
        return value
    held = whole if isinstance(whole, Mapping) else {}
    return {**held, path[0]: with_value(held.get(path[0]), path[1:], value)}


def without_value(whole: Any, path: Sequence[str]) -> Any:
    """Return ``whole`` without the value at a path of keys."""
    if not isinstance(whole, Mapping) or path[0] not in whole:
        return whole
    left = {key: value for key, value in whole.items() if key != path[0]}
    return left if len(path) == 1 else {**whole, path[0]: without_value(whole[path[0]], path[1:])}


def is_same(one: Any, other: Any, *, path: Sequence[str]) -> bool:
    """Return True if two values are equal; along ``path`` an empty object equals none (it may be implied)."""
    return _frozen(_pruned(one, path)) == _frozen(_pruned(other, path))


def _pruned(whole: Any, path: Sequence[str]) -> Any:
    if not path or not isinstance(whole, Mapping) or path[0] not in whole:
        return whole
    inner = _pruned(whole[path[0]], path[1:])
    return without_value(whole, path[:1]) if inner in ({}, None) else {**whole, path[0]: inner}


def _frozen(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
