"""Names: validation, suggestions, and the names that clients see (docs/contract.md 1)."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from toolnote_desktop.model import json_text
from toolnote_desktop.model.hidden_characters import is_blank, normalized
from toolnote_desktop.model.url_parts import split_url

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
"""Name of our own prompt (docs/contract.md 4, guide): no prompt of a server is exposed under it."""

ToolKey = tuple[str, str]
"""(server id, tool's own name): the key of all tool tables."""


def is_toolset_name(name: object) -> bool:
    """Return True for ``^[a-z0-9-]{2,50}$`` that is not a Windows device name."""
    return isinstance(name, str) and bool(_TOOLSET_NAME.fullmatch(name)) and name not in _WINDOWS_DEVICES


def is_note_name(name: object) -> bool:
    """Return True for ``^[a-z0-9-]{1,50}$``."""
    return isinstance(name, str) and bool(_NOTE_NAME.fullmatch(name))


def is_note_text(text: object) -> bool:
    """Return True for 1 to 4,000 characters that are not all blank, without lone surrogates."""
    return isinstance(text, str) and len(text) <= NOTE_TEXT_LIMIT and not is_blank(text) and is_valid_unicode(text)


NOTE_NAME = r"\A[a-z0-9-]{1,50}\Z"
"""Regular expression of a note's name."""

VALID_UNICODE = r"\A[^\ud800-\udfff]*\Z"
"""Regular expression that matches if ``is_valid_unicode`` is True."""


def is_valid_unicode(text: str) -> bool:
    """Return True if ``text`` can be encoded in UTF-8: no lone surrogate, which many JSON parsers refuse."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})

_STOP_WORDS = frozenset(
    """
    about after again also always another because been before being both cannot could does doing done during each else
    even every first from have here into just last make more most must need needs never next none once only other ours
    over please same shall should some such sure than that their them then there these they this those through under
    until using very want well were what when where which while will with without would your yours
    aber alle allem allen aller alles auch auf bitte beim dabei damit dann dass dein deine dem den denn der deren des
    dessen die dies diese diesem diesen dieser dieses doch durch eine einem einen einer eines erst etwas euch fuer gegen
    haben hier ihnen ihre ihrem ihren ihrer immer jede jedem jeden jeder jedes jetzt kann kein keine keinem keinen
    keiner kommt machen mehr mein meine muss muessen nach nicht nichts noch oder ohne schon sehr sein seine sich sind
    soll sollen sollte sonst ueber unter viel vom von vor wann warum weil welche welchem welchen welcher welches wenn
    werden wird wurde zuerst zum zur zwischen
    """.split()  # noqa: SIM905 - a list of 200 quoted words reads worse
)
"""Words that say nothing about a note, in English and German, as :func:`slug` spells them."""

_NAME_WORDS = 2
_SHORTEST_WORD = 4


def slug(text: str, *, fallback: str, limit: int = 50) -> str:
    """Reduce ``text``, such as a title or the first words of a note, to ``[a-z0-9-]`` for use as a name.

    German letters are spelled out: ä becomes ae. Other accents are dropped.
    """
    german = normalized("NFC", text.casefold()).translate(_GERMAN)
    plain = normalized("NFKD", german).encode("ascii", "ignore").decode()
    cleaned = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    return cleaned[:limit].rstrip("-") or fallback


def suggest_toolset_name(title: str, taken: Iterable[str]) -> str:
    """Suggest an unused toolset name for a title."""
    base = slug(title, fallback="toolset", limit=46)
    if not is_toolset_name(base):
        base = f"toolset-{base}"[:46]
    return _first_free(base, set(taken))


def suggest_note_name(text: str, taken: Iterable[str]) -> str:
    """Suggest an unused note name: the first two words of a note that say something, else ``note-1``, ``note-2`` …"""
    words = [word for word in slug(text, fallback="", limit=400).split("-") if _says_something(word)]
    base = "-".join(word[:24] for word in words[:_NAME_WORDS])
    used = set(taken)
    if base:
        return _first_free(base, used)
    number = 1
    while f"note-{number}" in used:
        number += 1
    return f"note-{number}"


def free_note_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number if it is taken."""
    return _first_free(name[:44].rstrip("-"), set(taken)) if name in set(taken) else name


def _says_something(word: str) -> bool:
    return len(word) >= _SHORTEST_WORD and not word.isdigit() and word not in _STOP_WORDS


def _first_free(base: str, taken: set[str]) -> str:
    if base not in taken:
        return base
    number = 2
    while f"{base}-{number}" in taken:
        number += 1
    return f"{base}-{number}"


def namespaced_name(server: str, tool: str) -> str:
    """Return server id + ``.`` + the tool's own name. The result is not parsed again: use lookups instead."""
    return f"{server}.{tool}"


def exposed_text(text: str) -> str:
    """Replace the characters of ``text`` that exposed names must not contain by ``_``."""
    return _NOT_EXPOSED.sub("_", text)


def exposed_names(
    keys: Iterable[ToolKey],
    prefixes: Mapping[str, str | None],
    *,
    limit: int = DEFAULT_NAME_LIMIT,
    reserved: Iterable[str] = (),
) -> dict[ToolKey, str]:
    """Return the names that clients see for all known tools (docs/contract.md 1, exposed name).

    Args:
        keys: all known tools. The result depends on this set only, not on its order.
        prefixes: server id -> the server's ``"toolnote": {"prefix": …}``; ``""`` yields bare names, None or absent the
            server's id.
        limit: maximum number of characters of a name.
        reserved: names in use for something else (the built-in tools).
    """
    known = set(keys)
    names: dict[ToolKey, str] = {}
    suffixed: set[ToolKey] = set()
    for key in known:
        server, tool = key
        prefix = prefixes.get(server)
        whole = tool if prefix == "" else f"{server if prefix is None else prefix}.{tool}"
        name = exposed_text(whole[:limit])
        if not name or len(whole) > limit:
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
    """Return the names that clients of a toolset see for the tools to which it gives an alias (docs/contract.md 1,
    exposed name).

    Aliases are normalized like all exposed names. One that is empty, too long, reserved, another alias of the toolset
    or the name of another known tool is extended by the tool's suffix: a name in use keeps its meaning.
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


def is_web_address(text: str) -> bool:
    """Return True for an http or https URL with a host."""
    try:
        parts = split_url(text)
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
