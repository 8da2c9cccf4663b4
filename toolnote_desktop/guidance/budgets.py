"""Budgets: maximum tokens of a note, a tool with its notes and a toolset, with warnings before they are exceeded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from toolnote_desktop.guidance.served_tools import ServedTool
from toolnote_desktop.guidance.tokens import LIKELIEST_FAMILY, estimate_definition_tokens, estimate_tokens
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.settings import Settings

NEAR: Final = 0.9
"""Share of a budget at which the warning begins."""


class Budgets(Struct, frozen=True):
    """Maximum tokens; None: unlimited."""

    note: int | None = None
    tool: int | None = None
    toolset: int | None = None

    @classmethod
    def of(cls, settings: Settings) -> Budgets:
        """Return the user's budgets."""
        return cls(settings.note_tokens, settings.tool_tokens, settings.toolset_tokens)


def budget_problems(
    served: Iterable[ServedTool], budgets: Budgets, title: str, family: str = LIKELIEST_FAMILY
) -> tuple[Problem, ...]:
    """Return a problem for each note, tool, and the toolset called ``title`` that nears or exceeds its budget."""
    return tuple(_problems(served, budgets, title, family))


def _problems(served: Iterable[ServedTool], budgets: Budgets, title: str, family: str) -> Iterator[Problem]:
    total = 0
    reported: set[str] = set()  # a note on everything is on every tool, and is reported once
    for tool in served:
        cost = estimate_definition_tokens(tool.definition, family)
        total += cost
        yield from budget_problem(tool.name, cost, budgets.tool)
        for applied in tool.notes:
            note = applied.note
            key = f"{note.name}\n{note.note}"
            if note.enabled and key not in reported:
                reported.add(key)
                yield from budget_problem(note.name, estimate_tokens(note.note, family), budgets.note)
    yield from budget_problem(title, total, budgets.toolset)


def budget_problem(what: str, tokens: int, limit: int | None) -> tuple[Problem, ...]:
    """Return the problem of one text, if any: also for a note that is being edited."""
    if limit is None or tokens < limit * NEAR:
        return ()
    code = Code.BUDGET_PASSED if tokens > limit else Code.BUDGET_NEAR
    return (Problem(code, {"what": what, "tokens": str(tokens), "limit": str(limit)}),)
