"""Run of the bench: each prompt on both sides, in pairs, repeated, in an order drawn from a seed (docs/bench.md).

No tool is called: the calls that the model wants are judged. In a run of several steps it goes on until it has made
the right call or none.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.bench.bench_file import Bench, NoteVersion, Prompt
from toolnote_desktop.bench.model_endpoint import NOT_RUN, Answer
from toolnote_desktop.bench.statistics import (
    Difference,
    Pair,
    RunVerdict,
    mean_difference,
    shares,
    sign_test,
    success_difference,
    verdict,
)
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.guidance.served_tools import chosen_tools, served_tools
from toolnote_desktop.guidance.tokens import estimate_definition_tokens, estimate_tokens
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.parameter_settings import is_equal_json
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.notes import Note, Scope, ToolReference
from toolnote_desktop.model.toolsets.toolset import NoteGroup, Toolset
from toolnote_desktop.system.threads import in_thread

_EXPECTED_OUTPUT: Final = 60
"""Tokens of an answer with one call, for the estimate."""


class Side(IntEnum):
    """Sides of the comparison: without the notes (or as it is), and with them (or with the other version)."""

    BEFORE = 0
    AFTER = 1


class OfferedTools(Struct, frozen=True):
    """Tools that a model is offered on one side.

    Attributes:
        definitions: as clients are served them.
        names: served name -> name in the bench (``bench_names``).
    """

    definitions: list[JsonObject]
    names: Mapping[str, str]
    system: str = ""

    @property
    def tokens(self) -> int:
        """Estimate of what the list takes."""
        return sum(map(estimate_definition_tokens, self.definitions)) + estimate_tokens(self.system)


class ModelClient(Protocol):
    """Model that answers prompts (``ModelEndpoint``)."""

    async def answer(
        self, prompt: str, tools: list[JsonObject], system: str = "", before: Sequence[Answer] = ()
    ) -> Answer:
        """Return the next answer. ``before``: those so far."""


class Judgement(Struct, frozen=True):
    """Judgement of one answer.

    Attributes:
        right_arguments: the right tool was called with the arguments that the prompt expects.
        extra: calls beside the expected one.
        forbidden: tools that were called and must not be.
        is_cut: the endpoint cut off or refused an answer; without a call it is none that the model chose.
    """

    right_tool: bool
    right_arguments: bool
    extra: int
    forbidden: tuple[str, ...]
    tokens: int
    is_cut: bool = False

    @property
    def success(self) -> bool:
        """True for the right tool with the right arguments and no call that must not be."""
        return self.right_arguments and not self.forbidden


class PromptResult(Struct, frozen=True):
    """Outcomes of one prompt by repeat, on both sides."""

    prompt: Prompt
    before: tuple[Judgement, ...]
    after: tuple[Judgement, ...]

    def pair(self, of: Callable[[Judgement], bool]) -> Pair:
        """Return the shares of repeats in which something holds."""
        return shares(map(of, self.before), map(of, self.after))

    def means(self, of: Callable[[Judgement], float]) -> Pair:
        """Return the means of a figure."""
        return Pair(sum(map(of, self.before)) / len(self.before), sum(map(of, self.after)) / len(self.after))


class Report(Struct, frozen=True):
    """Result of a run.

    Attributes:
        chance: of such a difference without an effect (``statistics.sign_test``).
        figures: shares (``SHARES``) and means (``MEANS``) by name; tokens only where the endpoint counts them.
        regressions: ids of the prompts that succeeded more often before.
        requests: answers that were judged.
        cut: those that the endpoint cut off or refused.
    """

    verdict: RunVerdict
    chance: float
    figures: Mapping[str, Difference]
    regressions: tuple[str, ...]
    results: tuple[PromptResult, ...]
    requests: int
    cut: int = 0


class Estimate(Struct, frozen=True):
    """Estimate of a run: requests, and tokens in and out."""

    requests: int
    tokens_in: int
    tokens_out: int

    def cost(self, price_in: float, price_out: float) -> float:
        """Return the cost, of prices for a million tokens."""
        return (self.tokens_in * price_in + self.tokens_out * price_out) / 1_000_000

    def cost_places(self, price_in: float, price_out: float) -> int:
        """Return the decimals with which the cost is written: what is less than a hundredth is not nothing."""
        return 2 if self.cost(price_in, price_out) >= 0.01 else 4


def bench_toolset(bench: Bench, snapshot: Snapshot) -> Toolset:
    """Return the toolset whose tools are offered.

    Raises:
        ToolnoteError: ``toolset-not-found``, ``no-toolset``.
    """
    name = bench.toolset or snapshot.settings.equipped_toolset
    if not name:
        raise ToolnoteError(Code.NO_TOOLSET)
    if name not in snapshot.toolsets:
        raise ToolnoteError(Code.TOOLSET_NOT_FOUND, name=name)
    return snapshot.toolsets[name]


def offers(bench: Bench, snapshot: Snapshot) -> tuple[OfferedTools, OfferedTools]:
    """Return what both sides are offered.

    Raises:
        ToolnoteError: ``toolset-not-found``, ``no-toolset``; ``tool-not-in-toolset``, ``tool-ambiguous``: a prompt or
            version names a tool that is not served, or two.
    """
    toolset = bench_toolset(bench, snapshot)
    served = replace(snapshot, settings=replace(snapshot.settings, notes_paused=False))
    as_it_is = _offer(served, toolset)
    offered = set(as_it_is.names.values())
    counts = Counter(one.known.tool.namespaced_name for one in chosen_tools(served, toolset))
    named = [name for one in bench.prompts for name in (one.tool, *one.forbidden) if name is not None]
    for name in (*named, *([bench.version.tool] if bench.version is not None else [])):
        if counts[name] > 1:
            raise ToolnoteError(Code.TOOL_AMBIGUOUS, tool=name)
        if name not in offered:
            raise ToolnoteError(Code.TOOL_NOT_IN_TOOLSET, tool=name, toolset=toolset.name)
    if bench.version is not None:
        return as_it_is, _offer(*with_version(served, toolset, bench.version))
    paused = replace(snapshot, settings=replace(snapshot.settings, notes_paused=True))
    return _offer(paused, toolset), as_it_is


def _offer(snapshot: Snapshot, toolset: Toolset) -> OfferedTools:
    tools = served_tools(snapshot, toolset)
    labels = bench_names([tool.known.tool for tool in tools])
    names = {tool.name: labels[tool.known.tool.key] for tool in tools}
    return OfferedTools([tool.definition for tool in tools], names, toolset.guidelines)


def bench_names(tools: Sequence[Tool]) -> dict[ToolKey, str]:
    """Return the names by which a bench means tools: the namespacedName, or ``server:tool`` where two share it."""
    counts = Counter(tool.namespaced_name for tool in tools)
    return {
        tool.key: tool.namespaced_name if counts[tool.namespaced_name] == 1 else f"{tool.server}:{tool.name}"
        for tool in tools
    }


def with_version(snapshot: Snapshot, toolset: Toolset, version: NoteVersion) -> tuple[Snapshot, Toolset]:
    """Return both with another text of a note that a tool is served: of the toolset's own, else of the one on the tool
    everywhere, on its source, or on everything; with one note more in the toolset where it has none of that name.
    """
    tools = [one.known.tool for one in chosen_tools(snapshot, toolset)]
    labels = bench_names(tools)
    (tool,) = (one for one in tools if labels[one.key] == version.tool)

    def changed(notes: tuple[Note, ...]) -> tuple[Note, ...]:
        return tuple(
            replace(one, note=version.text, enabled=True) if one.name == version.note else one for one in notes
        )

    scopes = [
        one.scope
        for one in NoteIndex(toolset, snapshot.notes, snapshot.catalogue).applied(tool)
        if one.note.name == version.note
    ]
    scope = scopes[-1] if scopes else None
    everywhere = snapshot.notes
    if scope is Scope.TOOL:
        of_tool = tool.namespaced_name
        everywhere = replace(everywhere, tools={**everywhere.tools, of_tool: changed(everywhere.tools[of_tool])})
    elif scope is Scope.SERVER:
        everywhere = replace(
            everywhere, servers={**everywhere.servers, tool.server: changed(everywhere.servers[tool.server])}
        )
    elif scope is Scope.GLOBAL:
        everywhere = replace(everywhere, everything=changed(everywhere.everything))
    elif scope is Scope.TOOLSET:
        applies = snapshot.catalogue.note_applies
        groups = (
            replace(one, notes=changed(one.notes)) if applies(one.reference, tool) else one for one in toolset.notes
        )
        return snapshot, replace(toolset, notes=tuple(groups))
    else:
        reference = ToolReference(namespaced_name=tool.namespaced_name, server=tool.server)
        added = NoteGroup(reference, (Note(name=version.note, note=version.text),))
        return snapshot, replace(toolset, notes=(*toolset.notes, added))
    return replace(snapshot, notes=everywhere), toolset


def notes_to_compare(snapshot: Snapshot, toolset: Toolset) -> dict[tuple[str, str], str]:
    """Return the text of each note on a single tool that is offered, by the tool (``bench_names``) and its own name."""
    index = NoteIndex(toolset, snapshot.notes, snapshot.catalogue)
    tools = [one.known.tool for one in chosen_tools(snapshot, toolset)]
    labels = bench_names(tools)
    return {
        (labels[tool.key], applied.note.name): applied.note.note
        for tool in tools
        for applied in index.applied(tool)
        if applied.scope in (Scope.TOOL, Scope.TOOLSET)
    }


def estimate(bench: Bench, sides: tuple[OfferedTools, OfferedTools], repeats: int, steps: int = 1) -> Estimate:
    """Return what a run will take at most: each later step of a conversation takes the answers before it, too."""
    count = len(bench.prompts)
    prompts = sum(estimate_tokens(prompt.text) for prompt in bench.prompts)
    answers = steps * (steps - 1) // 2 * (_EXPECTED_OUTPUT + estimate_tokens(NOT_RUN))
    tokens_in = repeats * (steps * (count * (sides[0].tokens + sides[1].tokens) + 2 * prompts) + 2 * count * answers)
    requests = 2 * repeats * steps * count
    return Estimate(requests, tokens_in, requests * _EXPECTED_OUTPUT)


async def run_bench(
    bench: Bench,
    sides: tuple[OfferedTools, OfferedTools],
    model: ModelClient,
    *,
    repeats: int = 3,
    steps: int = 1,
    seed: int = 0,
    on_answer: Callable[[int, int], None] = lambda _done, _all: None,
) -> Report:
    """Ask the model each prompt on both sides, ``repeats`` times, and judge its answers.

    Both requests of a pair follow each other, in an order drawn from the seed, as is the order of the pairs.

    Args:
        steps: answers of one conversation, at most.
        on_answer: called with the number of judged conversations and of all.

    Raises:
        ToolnoteError: ``bench-endpoint``: the model did not answer; nothing is reported.
    """
    drawn = random.Random(seed)
    pairs = [(number, repeat) for number in range(len(bench.prompts)) for repeat in range(repeats)]
    drawn.shuffle(pairs)
    outcomes: dict[tuple[int, int, Side], Judgement] = {}
    for number, repeat in pairs:
        order = list(Side)
        drawn.shuffle(order)
        prompt = bench.prompts[number]
        for side in order:
            offer = sides[side]
            answers: list[Answer] = []
            while len(answers) < steps:
                answers.append(await model.answer(prompt.text, offer.definitions, offer.system, answers))
                outcomes[number, repeat, side] = found = judge(prompt, answers, offer.names)
                if not answers[-1].calls or found.right_tool or found.forbidden:
                    break
            on_answer(len(outcomes), 2 * len(pairs))
    results = tuple(
        PromptResult(
            prompt,
            tuple(outcomes[number, repeat, Side.BEFORE] for repeat in range(repeats)),
            tuple(outcomes[number, repeat, Side.AFTER] for repeat in range(repeats)),
        )
        for number, prompt in enumerate(bench.prompts)
    )
    return await in_thread(report, results)  # of 1,000 prompts it takes a second, which would hold the window


def judge(prompt: Prompt, answers: Sequence[Answer], names: Mapping[str, str]) -> Judgement:
    """Return the judgement of the answers of a conversation. A tool that was not offered is an unknown one."""
    called = [(names.get(call.name), call.arguments) for answer in answers for call in answer.calls]
    forbidden = tuple(dict.fromkeys(name for name, _ in called if name is not None and name in prompt.forbidden))
    tokens = sum(answer.tokens_in + answer.tokens_out for answer in answers)
    is_cut = any(answer.is_cut for answer in answers)
    if prompt.tool is None:
        is_right = not called and not is_cut
        return Judgement(is_right, is_right, len(called), forbidden, tokens, is_cut)
    right = [arguments for name, arguments in called if name == prompt.tool]
    fitting = any(_has_arguments(arguments, prompt.arguments) for arguments in right)
    return Judgement(bool(right), fitting, len(called) - (1 if right else 0), forbidden, tokens, is_cut)


def _has_arguments(arguments: JsonObject | None, expected: JsonObject | None) -> bool:
    if not expected:
        return arguments is not None
    if arguments is None:
        return False
    return all(name in arguments and is_equal_json(arguments[name], value) for name, value in expected.items())


def report(results: Sequence[PromptResult]) -> Report:
    """Return the figures and the verdict of judged answers."""
    repeats = len(results[0].before)
    figures = {name: success_difference([one.pair(of) for one in results], repeats) for name, of in SHARES.items()}
    means = {name: [one.means(of) for one in results] for name, of in MEANS.items()}
    if not any(pair.before or pair.after for pair in means[TOKENS]):
        del means[TOKENS]  # the endpoint counts none
    figures |= {name: mean_difference(pairs) for name, pairs in means.items()}
    successes = [one.pair(SHARES[SUCCESS]) for one in results]
    chance = sign_test(successes, repeats)
    worse = tuple(one.prompt.id for one, pair in zip(results, successes, strict=True) if pair.after < pair.before)
    requests = sum(len(one.before) + len(one.after) for one in results)
    cut = sum(outcome.is_cut for one in results for outcome in (*one.before, *one.after))
    return Report(verdict(figures[SUCCESS], chance), chance, figures, worse, tuple(results), requests, cut)


SUCCESS: Final = "success"
TOKENS: Final = "tokens"

SHARES: Final[Mapping[str, Callable[[Judgement], bool]]] = {
    SUCCESS: lambda outcome: outcome.success,
    "right tool": lambda outcome: outcome.right_tool,
    "right arguments": lambda outcome: outcome.right_arguments,
}

MEANS: Final[Mapping[str, Callable[[Judgement], float]]] = {
    "extra calls": lambda outcome: outcome.extra,
    TOKENS: lambda outcome: outcome.tokens,
}
