"""Relevance of tools to a task or to the user's words (docs/requirements.md 3.4).

The words of an input are searched for in names, titles, descriptions, parameters, notes and categories, clause by
clause. What was used before for such tasks, the task type, and the user's priority and preferences add to it.
"""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from toolnote_desktop.guidance.reader import WITHOUT_MCP, Reader
from toolnote_desktop.guidance.served_tools import ServedTool
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.toolsets.task_types import TaskType, contains_any

if TYPE_CHECKING:  # the search is imported with the first guide to a task: 1 MB that most runs do without
    from toolnote_desktop.guidance.languages import Clause
    from toolnote_desktop.guidance.search import SearchIndex

_WORDS: Final = 1.46
"""Log odds of the tool that fits the words of a clause best."""
_RELATED: Final = 0.62
"""The same for the tool that fits best what is usually done with such things."""
_SOURCE: Final = 3.29
"""The same for each tool of the source that has it: what one source does, it does together."""
_NAME: Final = 2.65
"""The same for a tool of whose whole name, but for its source's, the input speaks or makes one think."""
_NOTHING: Final = -7.78
"""Log odds of a tool that nothing speaks for. These five were fitted by logistic regression on the tuning halves."""
_RELEVANT: Final = 0.014
"""Probability from which on a tool is relevant."""
_RELEVANT_OF_FEW: Final = 0.05
"""The same in a toolset of a dozen tools, where nothing is gained by a wide choice."""
_DOZEN: Final = 12
_SOURCES_SHARE: Final = 0.4
"""Share of its source's best score that each tool of a forbidden source has."""
_REFUSED: Final = 0.8
"""Share of a refused clause's best score from which on a tool is not to be used."""
_TYPE: Final = 0.35
"""Score, beside a best one of 1, of a tool that the task type suggests."""
_USED: Final = 0.5
"""Score of the tool that was used most for such tasks before."""
_MOST_SHARE: Final = 0.4
"""Share of the tools that an input makes relevant at most, where they are more than a few."""
_MOST: Final = 24
"""Tools that an input makes relevant at most."""
_FEW: Final = 5


class TaskContext(Struct, frozen=True):
    """Focus of a guide: a task type, the user's words, both, or neither."""

    task_type: str | None = None
    input_text: str | None = None

    @property
    def is_focused(self) -> bool:
        """Return True if the guide leaves out tools."""
        return self.task_type is not None or bool((self.input_text or "").strip())

    def check(self, types: Mapping[str, TaskType]) -> None:
        """Check that the task type exists.

        Raises:
            ToolnoteError: ``task-type-unknown``.
        """
        if self.task_type is not None and self.task_type not in types:
            known = ", ".join(types)
            raise ToolnoteError(Code.TASK_TYPE_UNKNOWN, name=self.task_type, known=known)


def relevant_tools(
    tools: Sequence[ServedTool],
    context: TaskContext,
    types: Mapping[str, TaskType],
    reader: Reader = WITHOUT_MCP,
    index: SearchIndex | None = None,
) -> dict[int, float]:
    """Return the tools that a task calls for: place -> score above 0, the best first; none if nothing fits.

    Args:
        index: of these tools, or of others that share most of them.
    """
    from toolnote_desktop.guidance.languages import clauses
    from toolnote_desktop.guidance.search import SearchIndex, priority_weight

    scores: defaultdict[int, float] = defaultdict(float)
    text = (context.input_text or "").strip()
    parts = clauses(text)
    meant = types_of(context, types, text)
    for place, tool in enumerate(tools):
        if any(suits(tool, one) for one in meant):
            scores[place] += _TYPE
    refused: set[int] = set()
    if parts:
        if index is None or len(index.tools) != len(tools) or not all(map(operator.is_, index.tools, tools)):
            index = SearchIndex(tools, index)
        wanted, refused = _of_clauses(index, parts)
        for place, score in wanted.items():
            scores[place] += score
        for place in set(scores) - set(wanted):
            if context.task_type is None:
                del scores[place]  # words say more than the kind of work that they hint at
        if not scores and context.task_type is None:
            scores.update((place, _TYPE) for place, tool in enumerate(tools) if any(suits(tool, one) for one in meant))
    similar = types_of(context, types, wanted_text(parts))
    for place, share in _used(tools, similar, reader).items():
        scores[place] += _USED * share
    for place in refused:
        scores.pop(place, None)
    weighted = {place: score * priority_weight(tools[place].entry) for place, score in scores.items()}
    ranked = sorted(weighted.items(), key=lambda one: (-one[1], one[0]))
    most = min(_MOST, max(_FEW, round(_MOST_SHARE * len(tools)))) if text else len(ranked)
    return dict(ranked[:most])


SUGGESTION_DAYS: Final = 30
"""Days of calls from which a tool's place in guides is suggested."""
_REGULAR: Final = 5
"""Calls from which on a tool is used regularly, if it also has a tenth of the most used tool's."""
_MANY: Final = 30
"""Calls of a toolset from which on a tool without one may be called optional."""


def suggested_places(calls: Mapping[ToolKey, int], tools: Sequence[ToolKey]) -> dict[ToolKey, str | None]:
    """Return the place in guides that the use of a toolset's tools suggests: required, optional, or None: by the task.

    Args:
        calls: calls of each tool in the last days.
    """
    most = max((calls.get(key, 0) for key in tools), default=0)
    total = sum(calls.get(key, 0) for key in tools)
    found: dict[ToolKey, str | None] = {}
    for key in tools:
        count = calls.get(key, 0)
        is_regular = count >= _REGULAR and count * 10 >= most
        found[key] = "required" if is_regular else "optional" if count == 0 and total >= _MANY else None
    return found


def wanted_text(parts: Sequence[Clause]) -> str:
    """Return the words of what an input asks for, in its language and in English."""
    return " ".join(part.text for part in parts if not part.is_refused)


def types_of(context: TaskContext, types: Mapping[str, TaskType], text: str) -> list[TaskType]:
    """Return the task types that a context names or that the user's words hint at."""
    named = [types[context.task_type]] if context.task_type is not None else []
    return named + [one for one in types.values() if text and one not in named and contains_any(text, one.words)]


def suits(tool: ServedTool, task_type: TaskType) -> bool:
    """Return True if a task type makes a tool relevant: by its name, its category, or one of its words."""
    known = tool.known.tool
    if not {known.namespaced_name, tool.name}.isdisjoint(task_type.tools):
        return True
    category = (tool.entry.category or "").strip()
    if category and category.casefold() in {one.casefold() for one in task_type.categories}:
        return True
    return contains_any(_label(tool), task_type.tool_words)


def _of_clauses(index: SearchIndex, parts: Sequence[Clause]) -> tuple[dict[int, float], set[int]]:
    """Return the relevance of tools, 0 to 1, by what the clauses ask for, and the tools that they forbid."""
    from toolnote_desktop.guidance.search import NAMED, with_same_meaning
    from toolnote_desktop.guidance.words import stems_of

    refused: set[int] = set()
    own: defaultdict[int, float] = defaultdict(float)
    related: defaultdict[int, float] = defaultdict(float)
    words: set[str] = set()
    hints: set[str] = set()
    for part in parts:
        found = index.scores(part.text)
        if part.is_refused:
            found = _with_sources(index, found)
            best = max(found.values(), default=0.0)
            refused.update(place for place, score in found.items() if score >= _REFUSED * best)
            continue
        words.update(stems_of(part.text))
        hints.update(stems_of(part.related))
        is_named = max(found.values(), default=0.0) >= NAMED  # nothing is to be thought of beside it
        for scores, into in ((found, own), ({} if is_named else index.scores(part.related), related)):
            best = max(scores.values(), default=0.0)
            for place, score in scores.items():
                into[place] = max(into[place], score / best)
    if not own and not related:
        return {}, refused
    sources: defaultdict[str, float] = defaultdict(float)
    for place, share in related.items():
        server = index.tools[place].known.tool.server
        sources[server] = max(sources[server], share)
    spoken = with_same_meaning(words) | hints
    odds = {
        place: _NOTHING
        + _WORDS * own.get(place, 0.0)
        + _RELATED * related.get(place, 0.0)
        + _SOURCE * sources.get(index.tools[place].known.tool.server, 0.0)
        + _NAME * index.name_share(place, spoken)
        for place in own.keys() | related.keys()
    }
    likely = {place: 1 / (1 + math.exp(-one)) for place, one in odds.items() if place not in refused}
    best = max(likely.values(), default=1.0)
    ranked = sorted(likely.items(), key=lambda one: (-one[1], one[0]))
    least = min(best, _RELEVANT if len(index.tools) > _DOZEN else _RELEVANT_OF_FEW)
    chosen = {place: one / best for place, one in ranked if one >= least}
    return chosen, refused


def _with_sources(index: SearchIndex, scores: Mapping[int, float]) -> dict[int, float]:
    """Return the scores with a share of the best of each source for all of its tools that share a word."""
    best: defaultdict[str, float] = defaultdict(float)
    for place, score in scores.items():
        server = index.tools[place].known.tool.server
        best[server] = max(best[server], score)
    return {
        place: score + _SOURCES_SHARE * best[index.tools[place].known.tool.server] for place, score in scores.items()
    }


def _used(tools: Sequence[ServedTool], meant: Sequence[TaskType], reader: Reader) -> dict[int, float]:
    """Return place -> share of the most used tool's calls, for tools used before for such tasks."""
    counts: defaultdict[int, int] = defaultdict(int)
    for place, tool in enumerate(tools):
        for one in meant:
            counts[place] += reader.used.get(one.name, {}).get(tool.known.tool.key, 0)
    most = max(counts.values(), default=0)
    return {place: count / most for place, count in counts.items() if count}


def _label(tool: ServedTool) -> str:
    known, entry = tool.known.tool, tool.entry
    return " ".join((known.name, known.title, entry.alias or "", entry.category or "", entry.when_to_use))
