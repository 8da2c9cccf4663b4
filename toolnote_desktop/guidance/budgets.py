"""Budgets: maximum tokens of a note, a tool with its notes and a toolset, with warnings before they are exceeded; and
what a toolset's list costs each assistant, beside what it takes.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from toolnote_desktop.guidance.discovery import CONTEXT_SHARE, is_always_listed, is_searched, own_tokens
from toolnote_desktop.guidance.served_tools import ServedTool, served_tools
from toolnote_desktop.guidance.tokens import LIKELIEST_FAMILY, estimate_definition_tokens, estimate_tokens
from toolnote_desktop.model.clients import Client
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import own_tools
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.toolsets.toolset import ToolEntry, Toolset

NEAR: Final = 0.9
"""Share of a budget at which the warning begins."""

UNUSED_DAYS: Final = 30
"""Days without a call after which a tool is proposed to be turned off."""


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


class ListBudget(Struct, frozen=True):
    """Cost of a toolset's list for one assistant, and what the assistant takes. A limit that is None is not known.

    Attributes:
        tools: tools of the toolset that it is served, in the list or by searching.
        listed: those in its list.
        tokens: of the listed definitions, by its tokenizer family.
        whole: of all definitions.
        own: Toolnote's own tools in the list, and ``own_tokens`` what they cost.
        is_on_demand: it gives its model the names only, until the model searches.
        is_searched: it finds its tools by searching, as Toolnote serves it.
    """

    tools: int
    listed: int
    tokens: int
    whole: int
    own: int
    own_tokens: int
    tool_limit: int | None
    context_tokens: int | None
    token_limit: int | None
    is_on_demand: bool
    is_searched: bool

    @property
    def list_tokens(self) -> int:
        """Tokens of the whole list, Toolnote's own tools among them."""
        return self.tokens + self.own_tokens

    @property
    def has_too_many_tools(self) -> bool:
        """True if the list has more tools than the assistant takes."""
        return not self.is_on_demand and self.tool_limit is not None and self.listed + self.own > self.tool_limit

    @property
    def is_over(self) -> bool:
        """True if the list is more than the assistant takes well (``discovery.is_list_too_large``)."""
        if self.is_on_demand:
            return False
        limits = (self.context_share, self.token_limit)
        return self.has_too_many_tools or any(limit is not None and self.list_tokens > limit for limit in limits)

    @property
    def context_share(self) -> int | None:
        """Tokens above which *Automatic* searches; None: its context is not known."""
        return None if self.context_tokens is None else int(self.context_tokens * CONTEXT_SHARE)

    def is_long(self, budget: int | None) -> bool:
        """Return True if the list passes the user's budget for toolsets, and the assistant's context is not known.

        *Automatic* leaves such an assistant its whole list, unless its tool limit is passed.
        """
        is_unknown = self.context_tokens is None and self.token_limit is None and not self.is_on_demand
        return is_unknown and not self.is_over and budget is not None and self.tokens > budget


class ToolCost(Struct, frozen=True):
    """Tokens of a tool's definition; ``is_always_listed``: also for clients that search."""

    tokens: int
    is_always_listed: bool


def tool_costs(served: Iterable[ServedTool], dialect: Dialect) -> tuple[ToolCost, ...]:
    """Compute what each tool costs in a list. For a thread: estimates each."""
    return tuple(
        ToolCost(estimate_definition_tokens(tool.definition, dialect.family), is_always_listed(tool)) for tool in served
    )


def list_budget(
    snapshot: Snapshot,
    client: Client | None,
    toolset: Toolset | None,
    dialect: Dialect,
    costs: Sequence[ToolCost] | None = None,
) -> ListBudget:
    """Compute what a toolset's list costs a client. For a thread: estimates each tool.

    Args:
        costs: of its tools, where they are known.
    """
    costs = tool_costs(served_tools(snapshot, toolset, dialect), dialect) if costs is None else costs
    searched = is_searched(snapshot, client, toolset, dialect)
    listed = [one.tokens for one in costs if not searched or one.is_always_listed]
    own = own_tools(snapshot.settings, client, is_searched=searched)
    return ListBudget(
        len(costs),
        len(listed),
        sum(listed),
        sum(one.tokens for one in costs),
        len(own),
        own_tokens(own),
        dialect.tool_limit,
        dialect.context_tokens,
        dialect.token_limit,
        dialect.loads_on_demand,
        searched,
    )


class UnusedTools(Struct, frozen=True):
    """Tools of a toolset that no assistant called, as entries to be turned off, and the tokens that this saves."""

    entries: tuple[ToolEntry, ...] = ()
    tokens: int = 0


def unused_tools(
    snapshot: Snapshot,
    toolset: Toolset,
    served: Iterable[ServedTool],
    called: Container[ToolKey],
    since: float,
    family: str,
) -> UnusedTools:
    """Return the tools of a toolset that were not called by any client, but for those that the user wants there.

    Wanted are tools that are always on, in every guide (*required*), always in the list, or that ask first.

    Args:
        called: tools that were called since ``since``. A tool that was first seen later is not unused yet.
    """
    entries: dict[ToolKey, ToolEntry] = {}
    for entry in toolset.tools:
        found = snapshot.catalogue.resolve(entry)
        if len(found) == 1 and entry.enabled:
            entries.setdefault(found[0].tool.key, entry)
    pinned = {known.tool.key for known in snapshot.tool_settings.pinned(snapshot.catalogue)}
    unused = [
        tool
        for tool in served
        if (key := tool.known.tool.key) in entries
        and key not in called
        and key not in pinned
        and tool.known.first_seen <= since
        and not is_always_listed(tool)
        and tool.entry.optionality != "required"
    ]
    tokens = sum(estimate_definition_tokens(tool.definition, family) for tool in unused)
    return UnusedTools(tuple(entries[tool.known.tool.key] for tool in unused), tokens)
