"""Names: what may be called how, and what a client sees (docs/contract.md 1)."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

from toolnote_desktop.model import json_text

DEFAULT_NAME_LIMIT = 48
"""Characters of an exposed name: leaves room for a client's own prefix under 64."""

NOTE_TEXT_LIMIT = 4000
"""Characters of one note."""

_TOOLSET_NAME = re.compile(r"[a-z0-9-]{2,50}")
_NOTE_NAME = re.compile(r"[a-z0-9-]{1,50}")
_NOT_EXPOSED = re.compile(r"[^A-Za-z0-9_-]")
_WINDOWS_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))]
)
_SUFFIX_DIGITS = 6

GUIDE_PROMPT = "tool-guide"
"""The name of our own prompt (docs/contract.md 4, guide): no server's prompt is given it."""

ToolKey = tuple[str, str]
"""(server id, the tool's own name): what a tool is looked up by everywhere."""


def is_toolset_name(name: object) -> bool:
    """``^[a-z0-9-]{2,50}$`` and no Windows device name."""
    return isinstance(name, str) and bool(_TOOLSET_NAME.fullmatch(name)) and name not in _WINDOWS_DEVICES


def is_note_name(name: object) -> bool:
    """``^[a-z0-9-]{1,50}$``."""
    return isinstance(name, str) and bool(_NOTE_NAME.fullmatch(name))


def is_note_text(text: object) -> bool:
    """1 to 4,000 characters, all of them whole."""
    return isinstance(text, str) and 1 <= len(text) <= NOTE_TEXT_LIMIT and is_unicode(text)


WHOLE = r"\A[^\ud800-\udfff]*\Z"
"""A pattern that holds for what ``is_unicode``."""


def is_unicode(text: str) -> bool:
    """Whether ``text`` can be written in UTF-8: no half of a surrogate pair, which many JSON readers refuse."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def slug(text: str, *, fallback: str, limit: int = 50) -> str:
    """``text`` brought to ``[a-z0-9-]``: what a title or a note's first words suggest as a name."""
    plain = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    cleaned = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    return cleaned[:limit].rstrip("-") or fallback


def suggest_toolset_name(title: str, taken: Iterable[str]) -> str:
    """A free toolset name for a title that people wrote."""
    base = slug(title, fallback="toolset", limit=46)
    if not is_toolset_name(base):
        base = f"toolset-{base}"[:46]
    return _first_free(base, set(taken))


def suggest_note_name(text: str, taken: Iterable[str]) -> str:
    """A free note name out of a note's first words."""
    words = slug(text, fallback="note", limit=200).split("-")
    base = ""
    for word in words[:4]:
        if len(base) + len(word) + 1 > 32 and base:
            break
        base = f"{base}-{word}" if base else word[:32]
    return _first_free(base or "note", set(taken))


def _first_free(base: str, taken: set[str]) -> str:
    if base not in taken:
        return base
    number = 2
    while f"{base}-{number}" in taken:
        number += 1
    return f"{base}-{number}"


def namespaced_name(server: str, tool: str) -> str:
    """Server id + ``.`` + the tool's own name. Never taken apart again: look tools up instead."""
    return f"{server}.{tool}"


def exposed_text(text: str) -> str:
    """``text`` in the characters of exposed names, ``_`` for every other."""
    return _NOT_EXPOSED.sub("_", text)


def exposed_names(
    keys: Iterable[ToolKey],
    prefixes: Mapping[str, str | None],
    *,
    limit: int = DEFAULT_NAME_LIMIT,
    reserved: Iterable[str] = (),
) -> dict[ToolKey, str]:
    """What clients see for every known tool (docs/contract.md 1, exposed name).

    Args:
        keys: every known tool. The outcome depends on this set only, not on its order.
        prefixes: server id -> the server's own ``"toolnote": {"prefix": …}``; ``""`` gives bare names,
            None or absent the server's id.
        limit: the most characters a name may have.
        reserved: names that are taken by something else (the built-in tools).
    """
    known = set(keys)
    names: dict[ToolKey, str] = {}
    suffixed: set[ToolKey] = set()
    for key in known:
        server, tool = key
        prefix = prefixes.get(server)
        whole = tool if prefix == "" else f"{server if prefix is None else prefix}.{tool}"
        name = exposed_text(whole)
        if not name or len(name) > limit:
            name = _with_suffix(name, key, limit)
            suffixed.add(key)
        names[key] = name
    taken = set(reserved)
    while True:
        counts = Counter(names.values())
        clashing = [k for k, name in names.items() if k not in suffixed and (counts[name] > 1 or name in taken)]
        if not clashing:
            return names
        for key in clashing:
            names[key] = _with_suffix(names[key], key, limit)
            suffixed.add(key)


def aliased_names(
    exposed: Mapping[ToolKey, str],
    aliases: Mapping[ToolKey, str],
    *,
    limit: int = DEFAULT_NAME_LIMIT,
    reserved: Iterable[str] = (),
) -> dict[ToolKey, str]:
    """What clients of a toolset see for the tools that it gives a name of its own (docs/contract.md 1, exposed name).

    An alias is brought into shape like any exposed name. One that is empty, too long, reserved, another alias of the
    toolset or the name of another known tool ends in the tool's suffix: a name that is in use keeps its meaning.
    """
    names = {key: exposed_text(alias.strip()) for key, alias in aliases.items()}
    wanted = Counter(names.values())
    taken = {*reserved, *(name for key, name in exposed.items() if key not in aliases)}
    others = Counter(exposed[key] for key in aliases if key in exposed)
    chosen = {}
    for key, name in names.items():
        own = exposed.get(key)
        is_others = others[name] - (1 if own == name else 0) > 0
        free = name and len(name) <= limit and name not in taken and wanted[name] == 1 and not is_others
        chosen[key] = name if free else _with_suffix(name, key, limit)
    return chosen


def _with_suffix(name: str, key: ToolKey, limit: int) -> str:
    digest = hashlib.sha256(json_text.dumps(list(key))).hexdigest()[:_SUFFIX_DIGITS]
    return f"{name[: limit - _SUFFIX_DIGITS - 1]}_{digest}"
