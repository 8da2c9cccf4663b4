"""Tools whose server gave them another name: matched by the name, the parameters and the description.

A tool under a new name would otherwise be a new one without review, and its notes would be left behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.tool import Tool

MAX_PAIRS: Final = 10_000
"""Pairs of a tool that is gone and one that is new which are compared; of more, none are."""

_LIKE_NAME: Final = 0.7
_LIKE_TEXT: Final = 0.5
_COMPARED: Final = 1_000
"""Characters of a description that are compared."""


def renamed_tools(gone: Sequence[KnownTool], added: Sequence[Tool]) -> dict[str, KnownTool]:
    """Return new name -> the tool that has it now, of those that a server no longer lists; the likeliest first."""
    if not gone or not added or len(gone) * len(added) > MAX_PAIRS:
        return {}
    pairs = sorted(_likely(gone, added), key=lambda pair: -pair[0])
    found: dict[str, KnownTool] = {}
    taken: set[str] = set()
    for _, tool, known in pairs:
        if tool.name not in found and known.tool.name not in taken:
            found[tool.name] = known
            taken.add(known.tool.name)
    return found


def _likely(gone: Sequence[KnownTool], added: Sequence[Tool]) -> Iterator[tuple[float, Tool, KnownTool]]:
    for known in gone:
        before = known.newest
        old = frozenset(top_level_arguments(before.definition["inputSchema"]))
        for tool in added:
            new = frozenset(top_level_arguments(tool.definition["inputSchema"]))
            arguments = len(old & new) / len(old | new) if old | new else 0.5
            name = _ratio(_plain(before.name), _plain(tool.name))
            text = _ratio(before.description[:_COMPARED], tool.description[:_COMPARED])
            is_likely = (
                (name >= _LIKE_NAME and (arguments >= _LIKE_TEXT or text >= _LIKE_TEXT))
                or (len(old & new) >= 2 and arguments >= 0.75 and text >= _LIKE_TEXT)
                or (text == 1.0 and arguments >= _LIKE_TEXT and len(tool.description) >= 20)
            )
            if is_likely:
                yield name + arguments + text, tool, known


def _ratio(first: str, second: str) -> float:
    if first == second:
        return 1.0
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _LIKE_TEXT else 0.0


def _plain(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())
