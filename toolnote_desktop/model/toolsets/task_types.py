"""Task types: kinds of work and the tools relevant to them (docs/requirements.md 3.4).

The bundled ones are in ``resources/task-types``; a toolset changes or extends them in ``taskTypes``: name -> the keys
that differ, or ``null`` to remove one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.document import Report

_KEYS: Final = ("tools", "categories", "words", "toolWords")


class TaskType(Struct, frozen=True):
    """Kind of work.

    Attributes:
        tools: namespacedNames (or exposed names) of relevant tools.
        categories: categories whose tools are all relevant.
        words: words or phrases of the user that indicate this kind of work.
        tool_words: words in a tool's name, title, category or "when to use" that make it relevant, for tools that are
            not categorized.
    """

    name: str
    title: str
    tools: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    tool_words: tuple[str, ...] = ()


def read_task_types(raw: Any, starters: Mapping[str, TaskType], report: Report) -> dict[str, TaskType]:
    """Return the task types of a toolset: the bundled ones, changed and extended by ``raw`` (its ``taskTypes``).

    Unusable entries are reported and left out.
    """
    types = dict(starters)
    if raw is None:
        return types
    if not isinstance(raw, dict):
        report("taskTypes", "not an object")
        return types
    for name, given in raw.items():
        if given is None:
            types.pop(name, None)
        elif isinstance(given, dict):
            types[name] = read_task_type(name, given, types.get(name), report)
        else:
            report(f"taskTypes {name}", "not an object")
    return types


def read_task_type(name: str, raw: Mapping[str, Any], starter: TaskType | None, report: Report) -> TaskType:
    """Read one task type; keys missing in ``raw`` are the bundled ones."""
    base = starter or TaskType(name, name[:1].upper() + name[1:])
    lists: dict[str, tuple[str, ...]] = {}
    for key, before in zip(_KEYS, (base.tools, base.categories, base.words, base.tool_words), strict=True):
        value = raw.get(key)
        if value is not None and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            report(f"taskTypes {name}", f"{key}: not a list of texts")
            value = None
        lists[key] = before if value is None else tuple(item.strip() for item in value if item.strip())
    title = raw.get("title")
    return TaskType(
        name=name,
        title=title if isinstance(title, str) and title.strip() else base.title,
        tools=lists["tools"],
        categories=lists["categories"],
        words=lists["words"],
        tool_words=lists["toolWords"],
    )


_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def word_stems(text: str) -> frozenset[str]:
    """Return the words of a text or name, in lower case and without a plural's ``s``."""
    return frozenset(_stem(word) for word in _WORD.findall(_HUMP.sub(" ", text).casefold()))


def contains_any(text: str, words: Iterable[str]) -> bool:
    """Return True if a text contains one of the words or phrases."""
    found, spaced = word_stems(text), f" {' '.join(map(_stem, _WORD.findall(text.casefold())))} "
    for word in words:
        parts = [_stem(part) for part in _WORD.findall(word.casefold())]
        if len(parts) == 1 and parts[0] in found:
            return True
        if len(parts) > 1 and f" {' '.join(parts)} " in spaced:
            return True
    return False


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
