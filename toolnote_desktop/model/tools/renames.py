"""Tools and prompts whose server gave them another name: matched by the name, the parameters and the description, or by
a name that differs in letters' case, form or separators alone.

A tool under a new name would otherwise be a new one without review, and its notes would be left behind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from toolnote_desktop.model.hidden_characters import normalized
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.tool import Tool

MAX_PAIRS: Final = 10_000
"""Pairs of a tool that is gone, or that the user restricts, and one that is new which are compared, of many that are
gone those that share the most words.
"""

_FEW_PAIRS: Final = 1_000
_EACH: Final = 8
"""Pairs up to which all are compared; else each tool that is gone is compared with so many new ones."""

_WORD: Final = re.compile(r"[^\W_]+")
_COMMON: Final = 100
"""New tools that have a word, above which it says nothing of which tool is meant."""

_SHORTEST_PART: Final = 3
"""Letters of a name that another one contains, for both to count as alike."""

_LIKE_NAME: Final = 0.7
_LIKE_TEXT: Final = 0.5
_NEARLY_SAME: Final = 0.8
_COMPARED: Final = 1_000
"""Characters of a description that are compared."""


def renamed_tools(gone: Sequence[KnownTool], added: Sequence[Tool]) -> Generator[None, None, dict[str, KnownTool]]:
    """Return new name -> the tool that has it now, of those that a server no longer lists; the likeliest first. Step by
    step, since comparing takes a second for thousands.
    """
    if not gone or not added:
        return {}
    pairs: list[tuple[float, Tool, KnownTool]] = []
    near = None if len(gone) * len(added) <= _FEW_PAIRS else _Words(added)
    for known in gone:
        yield
        most = min(max(MAX_PAIRS // len(gone), 1), _EACH)
        pairs += _likely(known, added if near is None else near.like(known.newest, most))
    pairs.sort(key=lambda pair: -pair[0])
    found: dict[str, KnownTool] = {}
    taken: set[str] = set()
    for _, tool, known in pairs:
        if tool.name not in found and known.tool.name not in taken:
            found[tool.name] = known
            taken.add(known.tool.name)
    return found


def nearly_same_tools(known: Iterable[KnownTool], added: Sequence[Tool]) -> Generator[None, None, dict[str, KnownTool]]:
    """Return new name -> a tool beside it that has the same parameters and nearly the same description, the likeliest.

    A server that drops the other one later has renamed it.
    """
    by_arguments: dict[frozenset[str], list[KnownTool]] = {}
    for one in known:
        by_arguments.setdefault(_arguments(one.newest), []).append(one)
    found: dict[str, KnownTool] = {}
    left = MAX_PAIRS
    for tool in added if by_arguments else ():
        best = _NEARLY_SAME
        for one in by_arguments.get(_arguments(tool), ())[:left]:
            yield
            left -= 1
            text = _ratio(one.newest.description[:_COMPARED], tool.description[:_COMPARED])
            if text >= best:
                best, found[tool.name] = text, one
    return found


def returned_names(before: Mapping[str, KnownTool], now: Iterable[KnownTool]) -> list[KnownTool]:
    """Return the tools that have an earlier name of theirs again, as renamed from each later one; the last comes last.

    Args:
        before: name -> tool, of the list before.
    """
    now = list(now)
    later: dict[str, list[KnownTool]] = {}
    for one in now:
        if one.renamed_from and not one.listed:
            later.setdefault(one.renamed_from, []).append(one)
    found: list[KnownTool] = []
    for one in now if later else ():
        if not one.listed or one.tool.name not in before or before[one.tool.name].listed:
            continue
        names = [one.tool.name]
        for name in names:
            names += [old.tool.name for old in later.get(name, ()) if old.tool.name not in names]
        found += [replace(one, renamed_from=name) for name in names[1:]]
    return found


def _likely(known: KnownTool, added: Sequence[Tool]) -> Iterator[tuple[float, Tool, KnownTool]]:
    """Yield the new tools that may be one that is gone, as its server gave it last or as the user accepted it."""
    before = [known.newest] if known.accepted is known.newest else [known.newest, known.accepted]
    for tool in added:
        likeness = max(_likeness(one, tool) for one in before)
        if likeness > 0:
            yield likeness, tool, known


def _likeness(before: Tool, tool: Tool) -> float:
    """Return how much a new tool is like one that is gone; 0 where it is another one."""
    old, new = _arguments(before), _arguments(tool)
    arguments = len(old & new) / len(old | new) if old | new else 0.5
    name = _ratio(_plain(before.name), _plain(tool.name))
    is_same_name = name == 1.0 and _plain(tool.name) != ""
    text = _ratio(before.description[:_COMPARED], tool.description[:_COMPARED])
    is_likely = (
        is_same_name
        or (name >= _LIKE_NAME and (arguments >= _LIKE_TEXT or text >= _LIKE_TEXT))
        or (_is_longer_name(before.name, tool.name) and bool(old & new) and arguments >= _LIKE_TEXT)
        or (len(old & new) >= 2 and arguments >= 0.75 and text >= _LIKE_TEXT)
        or (text == 1.0 and arguments >= _LIKE_TEXT and len(tool.description) >= 20)
    )
    return name + arguments + text + is_same_name if is_likely else 0.0


def _is_longer_name(one: str, other: str) -> bool:
    """Return True if one name is the other with more before or behind it, or has the same words in another order."""
    shorter, longer = sorted((_plain(one), _plain(other)), key=len)
    in_words = [sorted(_WORD.findall(name.casefold())) for name in (one, other)]
    return (len(shorter) >= _SHORTEST_PART and shorter in longer) or in_words[0] == in_words[1] != []


class _Words:
    """Index of new tools by the words of their names, parameters and descriptions."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = tools
        self._places: dict[str, list[int]] = {}
        self._named: dict[str, int] = {}
        for place, tool in enumerate(tools):
            self._named.setdefault(_plain(tool.name), place)
            for word in _words(tool):
                self._places.setdefault(word, []).append(place)

    def like(self, tool: Tool, most: int) -> list[Tool]:
        """Return the tools that share the most words with one, those that few tools have; first one of its name."""
        shared: Counter[int] = Counter()
        if (named := self._named.get(_plain(tool.name))) is not None:
            shared[named] = len(self._tools)
        for word in _words(tool):
            places = self._places.get(word, ())
            if len(places) <= _COMMON:
                shared.update(places)
        return [self._tools[place] for place, _ in shared.most_common(most)]


def _words(tool: Tool) -> set[str]:
    """Return the words of a tool; the beginnings and the end of its name count as words, too."""
    plain = _plain(tool.name)
    parts = {plain[:size] for size in (4, 8, 16)} | {plain[1:], plain[-8:]}
    texts = (tool.name, " ".join(_arguments(tool)), tool.description[:_COMPARED])
    return {word for text in texts for word in _WORD.findall(text.casefold())} | parts


def _arguments(tool: Tool) -> frozenset[str]:
    """Return the names of the arguments of a tool or prompt."""
    schema = tool.definition.get("inputSchema")
    if isinstance(schema, dict):
        return frozenset(top_level_arguments(schema))
    listed = tool.definition.get("arguments")
    names = (one.get("name") for one in listed if isinstance(one, dict)) if isinstance(listed, list) else ()
    return frozenset(name for name in names if isinstance(name, str))


def _ratio(first: str, second: str) -> float:
    if first == second:
        return 1.0
    from difflib import SequenceMatcher  # only where a tool is gone

    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _LIKE_TEXT else 0.0


def _plain(name: str) -> str:
    """Return a name without what people do not see in it: case, separators, invisible characters, width and form."""
    return "".join(sign for sign in normalized("NFKC", name).casefold() if sign.isalnum())
