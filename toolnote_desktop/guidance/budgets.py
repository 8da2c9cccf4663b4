"""Budgets: how many tokens a note, a tool with its notes and a toolset may take, told before they are passed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from toolnote_desktop.guidance.served_tools import ServedTool
from toolnote_desktop.guidance.tokens import LIKELIEST_FAMILY, estimate_definition_tokens, estimate_tokens
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.settings import Settings

NEAR: Final = 0.9
"""The share of a budget from which on it is told."""


class Budgets(Struct, frozen=True):
    """Tokens at most; None: as many as there are."""

    note: int | None = None
    tool: int | None = None
    toolset: int | None = None

    @classmethod
    def of(cls, settings: Settings) -> Budgets:
        """What the user set."""
        return cls(settings.note_tokens, settings.tool_tokens, settings.toolset_tokens)


def budget_problems(
    served: Iterable[ServedTool], budgets: Budgets, title: str, family: str = LIKELIEST_FAMILY
) -> tuple[Problem, ...]:
    """What comes near its budget or passes it: each note, each tool, and the toolset called ``title``."""
    return tuple(_problems(served, budgets, title, family))


def _problems(served: Iterable[ServedTool], budgets: Budgets, title: str, family: str) -> Iterator[Problem]:
    total = 0
    told: set[str] = set()  # a note for everything is on every tool, and is told once
    for tool in served:
        cost = estimate_definition_tokens(tool.definition, family)
        total += cost
        yield from budget_problem(tool.name, cost, budgets.tool)
        for applied in tool.notes:
            note = applied.note
            key = f"{note.name}\n{note.note}"
            if note.enabled and key not in told:
                told.add(key)
                yield from budget_problem(note.name, estimate_tokens(note.note, family), budgets.note)
    yield from budget_problem(title, total, budgets.toolset)


def budget_problem(what: str, tokens: int, limit: int | None) -> tuple[Problem, ...]:
    """The problem of one thing, if it has one: also for a note that is being written."""
    if limit is None or tokens < limit * NEAR:
        return ()
    code = Code.BUDGET_PASSED if tokens > limit else Code.BUDGET_NEAR
    return (Problem(code, {"what": what, "tokens": str(tokens), "limit": str(limit)}),)
