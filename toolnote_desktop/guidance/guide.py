"""Tool guide: one text for an assistant on a toolset's tools, from live metadata (docs/requirements.md 3).

The format is that of docs/requirements.md 3.2. Names are the exposed ones, schemas those that are served. A connected
assistant is told to call tools natively; the invocation format is for those without MCP. A guide has a budget of tokens
that it keeps by saying less of the tools that matter least.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum, StrEnum
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.guidance.description import own_text
from toolnote_desktop.guidance.notes_section import indented
from toolnote_desktop.guidance.parameters import DEEPEST, parameter_lines, read_parameters, spaced_json
from toolnote_desktop.guidance.reader import WITHOUT_MCP, Reader, preference_sentences
from toolnote_desktop.guidance.relevance import TaskContext, relevant_tools
from toolnote_desktop.guidance.served_tools import ServedTool, category_of, served_tools
from toolnote_desktop.guidance.skill_addresses import with_moved_skills
from toolnote_desktop.guidance.texts import (
    clipped,
    first_sentence,
    forget_words,
    one_line,
    whole_sentences,
    with_closed_fences,
)
from toolnote_desktop.guidance.tokens import estimate_tokens
from toolnote_desktop.model.json_text import without_surrogates
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.servers import ServerOptions
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import consent_of
from toolnote_desktop.model.tools.consent import consent_text
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect
from toolnote_desktop.model.tools.hints import DESTRUCTIVE, EXAMPLES, IDEMPOTENT, OPEN_WORLD, READ_ONLY
from toolnote_desktop.model.tools.imitation import without_imitation
from toolnote_desktop.model.tools.review import served_instructions
from toolnote_desktop.model.toolsets.task_types import TaskType, read_task_types
from toolnote_desktop.model.toolsets.toolset import Toolset

if TYPE_CHECKING:
    from toolnote_desktop.guidance.search import SearchIndex, SearchIndexes

REQUIRED: Final = "required"
OPTIONAL: Final = "optional"


class Detail(StrEnum):
    """Levels of detail of a guide: each tool's first sentence and notes; what is needed to call it; everything."""

    SUMMARY = "summary"
    STANDARD = "standard"
    FULL = "full"


class _Level(IntEnum):
    """Levels of detail of one tool in a guide, from its name to everything."""

    NAME = 0
    LINE = 1
    SUMMARY = 2
    PLAIN = 3  # standard without examples
    STANDARD = 4
    FULL = 5


_LEVEL: Final = {Detail.SUMMARY: _Level.SUMMARY, Detail.STANDARD: _Level.STANDARD, Detail.FULL: _Level.FULL}

_LONGEST_INSTRUCTIONS: Final = 64 * 1024
"""Characters of a server's instructions that are read; no client accepts as many."""

_PROSE_SHARE: Final = 0.2
"""Share of a guide's tokens that the servers' own instructions take at most where it has to be shortened, and the
user's notes on servers; the user's guidelines take twice as much. Less where that is still too much.
"""

_NAMED: Final = 60
"""Most tools that are not described and are named, where others fit."""

_LINE: Final = 120
"""Characters of a tool's line."""

_DEPTH: Final = {_Level.PLAIN: 3, _Level.STANDARD: 3, _Level.FULL: DEEPEST}

INVOCATION: Final = """# Tool Invocation Format

Call tools using JSON:
```json
{"tool": "tool_name", "args": {"param": "value"}}
```

Multiple tools can be called in sequence. After each tool result, decide if additional tools are needed."""

_NATIVE: Final = """# Calling Tools

Call these tools natively, as tools of your own, under exactly these names and with arguments that fit their schemas. \
Several calls can follow one another: look at each result before you decide on the next."""

_LAZY: Final = """# Calling Tools

These tools are not in your list of tools. Find one with `{search}`, which gives its schema; call it with `{call}`:
```json
{{"name": "tool_name", "arguments": {{"param": "value"}}}}
```

Several calls can follow one another: look at each result before you decide on the next."""

_SELECTION: Final = """## Tool Selection Process

1. Identify the core task requirements
2. Select required tools needed to complete the task
3. Consider if optional tools would enhance the output:
   - Would current data improve the result?
   - Would external references add value?
   - Did the user hint at wanting additional functionality?
4. Call selected tools in logical order
5. Re-evaluate tool needs after each tool result"""


class Guide(Struct, frozen=True):
    """Guide.

    Attributes:
        tokens: estimated tokens in the dialect's family.
        tools: names of the tools described, in order.
        left_out: tools that are not described: those that are not relevant to its task or input.
        shortened: tools of which less is said than was asked for, so that the guide keeps its budget.
    """

    text: str
    tokens: int
    tools: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    shortened: tuple[str, ...] = ()


class _Plan(Struct):
    """Plan of a guide: its tools in order, with their levels; levels are lowered until the guide keeps its budget.

    Attributes:
        prose: tokens of the servers' instructions, and of the notes on servers (``_PROSE_SHARE``); None for all.
        named: tools that are not described and are named; the rest are counted.
    """

    shown: list[ServedTool]
    levels: dict[ToolKey, _Level]
    others: list[ServedTool]
    other_level: _Level
    importance: dict[ToolKey, float]
    served: Sequence[ServedTool]
    reader: Reader
    named: int
    shortened: set[ToolKey] = field(default_factory=set)
    texts: dict[tuple[ToolKey, _Level], str] = field(default_factory=dict)
    prose: int | None = None

    def text(self, tool: ServedTool, level: _Level | None = None) -> str:
        """Return the text of a tool at its level, or at another."""
        key = (tool.known.tool.key, self.levels[tool.known.tool.key] if level is None else level)
        if key not in self.texts:
            self.texts[key] = _tool_text(tool, key[1], self.reader)
        return self.texts[key]


def write_guide(
    snapshot: Snapshot,
    toolset: Toolset,
    context: TaskContext = TaskContext(),  # noqa: B008 - frozen
    *,
    detail: Detail | None = None,
    dialect: Dialect = PLAIN,
    withheld: frozenset[str] = frozenset(),
    task_types: Mapping[str, TaskType] | None = None,
    reader: Reader = WITHOUT_MCP,
    indexes: SearchIndexes | None = None,
    between: Callable[[], object] = lambda: None,
) -> Guide:
    """Write the guide to a toolset: all of it, or with a task or an input the relevant part.

    Required tools are always included. Where a task or an input fits no tool, the others have a line each.

    Args:
        detail: None for the reader's preference, else the standard.
        withheld: servers whose own instructions are left out.
        task_types: task types from which toolsets start.
        indexes: keep the tools' words from one guide, or search, to the next.
        between: called after each tool that is indexed (``SearchIndex``).

    Raises:
        ToolnoteError: ``task-type-unknown``.
    """
    types = read_task_types(toolset.task_types, task_types or {}, lambda entry, reason: None)
    context.check(types)
    wanted = detail or Detail(reader.preferences.detail or Detail.STANDARD)
    has_words = indexes is not None and bool((context.input_text or "").strip())
    index = indexes.index(snapshot, toolset, dialect, between) if indexes is not None and has_words else None
    served = served_tools(snapshot, toolset, dialect) if index is None else tuple(index.tools)
    if reader.is_connected and not reader.is_lazy and dialect.hyphen_as_underscore:  # what it calls natively
        served = tuple(
            tool if (name := dialect.shown_name(tool.name)) == tool.name else replace(tool, name=name)
            for tool in served
        )
    plan = _plan(served, context, types, reader, wanted, index)
    budget = reader.preferences.tokens

    def written() -> tuple[str, int]:
        is_short = bool(plan.shortened) or plan.prose is not None
        parts = _parts(snapshot, toolset, plan, reader, wanted, dialect, withheld, budget if is_short else None)
        text = without_surrogates("\n\n".join(parts) + "\n")
        return text, estimate_tokens(text, dialect.family)

    text, tokens = written()
    if tokens > budget:
        plan.prose = round(budget * _PROSE_SHARE)
        text, tokens = written()
    for _ in range(_ROUNDS):
        if tokens <= budget:
            break
        if not _shorten(plan, tokens - budget, dialect.family):
            plan.prose, plan.named = (plan.prose or 0) // 2, plan.named // 2
        text, tokens = written()
    return Guide(
        text,
        tokens,
        tuple(tool.name for tool in plan.shown),
        tuple(tool.name for tool in plan.others),
        tuple(tool.name for tool in plan.shown if tool.known.tool.key in plan.shortened),
    )


_WEAK: Final = 0.1
"""Share of the best tool's relevance below which a tool has its first sentence only, where more than a few fit."""
_FEW: Final = 5

_ROUNDS: Final = 16
"""Times that a guide is shortened at most; each lowers the level of many tools."""


def write_tool(tool: ServedTool, reader: Reader = WITHOUT_MCP, dialect: Dialect = PLAIN) -> Guide:
    """Write what a guide says of one tool in full, or as much as its budget allows: the notes are the last to go."""
    family, budget = dialect.family, reader.preferences.tokens
    text = without_surrogates(_tool_text(tool, _Level.FULL, reader) + "\n")
    tokens = estimate_tokens(text, family)
    if tokens <= budget:
        return Guide(text, tokens, (tool.name,))
    said = f"\nThis was shortened to about {budget:,} tokens.\n"
    room = budget * 99 // 100 - estimate_tokens(said, family)  # parts are estimated a little differently than the whole
    for shorter in _shorter_texts(tool, reader, family, room):
        text = without_surrogates(shorter + "\n") + said
        tokens = estimate_tokens(text, family)
        if tokens <= budget:
            break
    return Guide(text, tokens, (tool.name,), (), (tool.name,))


def _shorter_texts(tool: ServedTool, reader: Reader, family: str, room: int) -> Iterator[str]:
    """Return the texts of a tool that may take so many tokens, the one that says most first."""
    description = _description(tool)
    for level in (_Level.FULL, _Level.STANDARD, _Level.PLAIN):
        yield (text := _tool_text(tool, level, reader))
        left = room - estimate_tokens(text, family) + estimate_tokens(description, family)
        if cut := _within(description, left, family):
            yield _tool_text(tool, level, reader, cut)
    yield (text := _tool_text(tool, _Level.SUMMARY, reader))
    cut = _within(text, room, family)
    if cut.count("\n") > 1 and not cut.endswith(_NOTES):  # more than the name and the first sentence
        yield with_closed_fences(cut)
    for level in (_Level.LINE, _Level.NAME):
        yield _tool_text(tool, level, reader)


def _within(text: str, tokens: int, family: str) -> str:
    """Return the first whole sentences of a text that take at most so many tokens; "" if none fits."""
    while text and (cost := estimate_tokens(text, family)) > tokens:
        text = whole_sentences(text, min(len(text) - 1, len(text) * max(tokens, 0) // cost))
    return text


def _plan(
    served: Sequence[ServedTool],
    context: TaskContext,
    types: Mapping[str, TaskType],
    reader: Reader,
    detail: Detail,
    index: SearchIndex | None,
) -> _Plan:
    """Choose the tools of a guide, their order and their levels."""
    preferences = reader.preferences
    never, always = frozenset(preferences.never), frozenset(preferences.always)
    offered = [tool for tool in served if tool.known.tool.namespaced_name not in never]
    found: dict[int, float] = {}
    if context.is_focused:
        found = relevant_tools(offered, context, types, reader, index)
    weak = _WEAK * max(found.values(), default=0.0) if len(found) > _FEW else 0.0
    shown: list[ServedTool] = []
    others: list[ServedTool] = []
    importance: dict[ToolKey, float] = {}
    levels: dict[ToolKey, _Level] = {}
    for place, tool in enumerate(offered):
        key, name = tool.known.tool.key, tool.known.tool.namespaced_name
        is_wanted = tool.entry.optionality == REQUIRED or name in always or place in found or not context.is_focused
        (shown if is_wanted else others).append(tool)
        importance[key] = (
            found.get(place, 0.0)
            + tool.entry.priority
            + 2.0 * (name in always)
            + (tool.entry.optionality != OPTIONAL)
            + (key in reader.faulty)
        )
        if is_wanted:
            level = _LEVEL[detail]
            if place in found and found[place] < weak and level is _Level.STANDARD:
                level = _Level.SUMMARY
            if key in reader.familiar and level is _Level.STANDARD:
                level = _Level.SUMMARY
            elif key in reader.faulty:
                level = max(level, _Level.STANDARD)
            levels[key] = level
    other_level, named = (_Level.NAME, _NAMED) if found else (_Level.LINE, len(others))
    return _Plan(_in_order(shown), levels, others, other_level, importance, served, reader, named)


def _shorten(plan: _Plan, surplus: int, family: str) -> bool:
    """Lower the levels of the least important tools until about so many tokens are saved; False if nothing is left.

    The most important quarter stays as it is while there is anything left to say less of.
    """
    ranked = sorted(plan.shown, key=lambda one: plan.importance[one.known.tool.key])
    is_lowered = False
    for tools, lowest in ((ranked[: len(ranked) * 3 // 4], _Level.LINE), (ranked, _Level.NAME)):
        for level in sorted((one for one in _Level if one > lowest), reverse=True):
            for tool in tools:
                key = tool.known.tool.key
                if plan.levels[key] is not level:
                    continue
                lower = plan.levels[key] = _Level(level - 1)
                before, after = plan.text(tool, level), plan.text(tool, lower)
                if before == after:
                    continue
                is_lowered = True
                plan.shortened.add(key)
                surplus -= estimate_tokens(before, family) - estimate_tokens(after, family)
                if surplus <= 0:
                    return True
    if is_lowered:
        return True
    if plan.other_level is not _Level.NAME:
        plan.other_level, plan.named = _Level.NAME, _NAMED
        return True
    return _drop_names(plan, surplus)


def _drop_names(plan: _Plan, surplus: int) -> bool:
    """Leave out the least important tools altogether, where their names alone are too many."""
    if not plan.shown and not plan.others:
        return False
    most = len(plan.shown) - max(surplus // 8, 1)
    kept = sorted(plan.shown, key=lambda one: -plan.importance[one.known.tool.key])[: max(most, 0)]
    keys = {tool.known.tool.key for tool in kept}
    dropped = [tool for tool in plan.shown if tool.known.tool.key not in keys]
    plan.shown = [tool for tool in plan.shown if tool.known.tool.key in keys]
    plan.others += dropped
    return bool(dropped)


def _parts(
    snapshot: Snapshot,
    toolset: Toolset,
    plan: _Plan,
    reader: Reader,
    detail: Detail,
    dialect: Dialect,
    withheld: frozenset[str],
    budget: int | None,
) -> list[str]:
    """Return the parts of a guide, which empty lines join."""
    shown = plan.shown
    parts = ["# Available Tools", *_sections(plan)]
    if not shown:
        parts.append(
            "There are no tools to use now." if not plan.others else "No tool is needed for this in particular."
        )
    parts += _others(plan)
    if budget is not None:
        parts.append(_shortened_note(budget, reader))
    parts += ["---", _calling(reader)]
    told = list(preference_sentences(reader.preferences, plan.served))
    if detail is not Detail.SUMMARY or toolset.guidelines or told:
        words = toolset.guidelines
        if plan.prose is not None:
            words = _within(words, 2 * plan.prose, dialect.family)
        parts += ["---", *_guidelines(words, shown, detail, told, is_short=budget is not None)]
    servers = tuple(dict.fromkeys(tool.known.tool.server for tool in shown)) if detail is not Detail.SUMMARY else ()
    notes = _shared(source_notes(snapshot, servers), plan.prose, dialect.family)
    if notes:
        parts += ["---", "# Notes on the Sources", "\n".join(f"- **{one}**: {note}" for one, note in notes.items())]
    texts = {server: foreign_text(snapshot, server, servers, withheld) for server in servers}
    texts = _shared(texts, plan.prose, dialect.family)
    foreign = [foreign_section(server, text).strip() for server, text in texts.items()]
    if foreign:
        parts += ["---", "# Instructions of the Sources", *map(with_closed_fences, foreign)]
    return parts + [sentence for sentence in dialect.sentences if sentence.strip()]


def _shared(texts: Mapping[str, str], tokens: int | None, family: str) -> dict[str, str]:
    """Return the texts by server that are not empty, each within its share of so many tokens."""
    found = {server: text for server, text in texts.items() if text}
    if tokens is None:
        return found
    share = tokens // max(len(found), 1)
    return {server: cut for server, text in found.items() if (cut := _within(text, share, family))}


def _calling(reader: Reader) -> str:
    if not reader.is_connected:
        return INVOCATION
    search, call = reader.own_tools.get("search-tools"), reader.own_tools.get("call-tool")
    if reader.is_lazy and search is not None and call is not None:
        return _LAZY.format(search=search, call=call)
    return _NATIVE


def _shortened_note(budget: int, reader: Reader) -> str:
    guide = reader.own_tools.get("get-tool-guide")
    more = f' Call `{guide}` with "tool" for all of one tool.' if guide is not None else ""
    return f"This guide was shortened to about {budget:,} tokens: less is said of the tools that matter least.{more}"


def _others(plan: _Plan) -> list[str]:
    """Return the text on the tools that are not described."""
    named, rest = plan.others[: plan.named], len(plan.others) - plan.named
    more = f" and {rest} more" if rest > 0 else ""
    if not plan.others:
        return []
    if not named:
        return [f"{rest} other optional tools are not named here."]
    if plan.other_level is _Level.LINE:
        lines = [_tool_line(tool) for tool in named]
        return ["\n".join(["## Other Tools", "", *lines, *([f"-{more}"] if more else [])])]
    names = ", ".join(f"`{tool.name}`" for tool in named)
    return [f"Other optional tools, not described here: {names}{more}."]


def _in_order(tools: Sequence[ServedTool]) -> list[ServedTool]:
    """Sort required before optional tools, each by category in the toolset's order, a higher priority first."""
    by_priority = sorted(tools, key=lambda tool: -tool.entry.priority)
    ordered: list[ServedTool] = []
    for is_optional in (False, True):
        for group in _by_category(tool for tool in by_priority if _is_optional(tool) is is_optional).values():
            ordered += group
    return ordered


def _is_optional(tool: ServedTool) -> bool:
    """Return True if the user called a tool optional; one that the user said nothing of is required where it fits."""
    return tool.entry.optionality == OPTIONAL


def _sections(plan: _Plan) -> list[str]:
    """Return the tools under their headings."""
    parts = []
    for is_optional, need in ((False, "Required"), (True, "Optional")):
        for category, group in _by_category(tool for tool in plan.shown if _is_optional(tool) is is_optional).items():
            parts.append(f"## {_heading(category)} ({need})")
            for is_line, tools in groupby(group, lambda tool: plan.levels[tool.known.tool.key] <= _Level.LINE):
                texts = [plan.text(tool) for tool in tools]
                parts += ["\n".join(texts)] if is_line else texts
    return parts


def _by_category(tools: Iterable[ServedTool]) -> dict[str, list[ServedTool]]:
    groups: dict[str, list[ServedTool]] = {}
    for tool in tools:
        groups.setdefault(category_of(tool), []).append(tool)
    return groups


def _heading(category: str) -> str:
    line = " ".join(category.split())
    return line if line.casefold().endswith("tools") else f"{line} Tools"


def _tool_line(tool: ServedTool) -> str:
    """Return a tool's name and first sentence on one line."""
    first = clipped(first_sentence(own_text(tool.known.tool.served_base, tool.entry) or ""), _LINE)
    return f"- {tool.name}: {first}" if first else f"- {tool.name}"


def _description(tool: ServedTool) -> str:
    return _below_headings((own_text(tool.known.tool.served_base, tool.entry) or "").strip())


def _tool_text(tool: ServedTool, level: _Level, reader: Reader, description: str | None = None) -> str:
    """Return the text of one tool, with its description or a shorter one."""
    if level is _Level.NAME:
        return f"- {tool.name}"
    if level is _Level.LINE:
        return _tool_line(tool)
    own = with_closed_fences(_description(tool) if description is None else description)
    notes = _notes(tool)
    if level is _Level.SUMMARY:
        first = first_sentence(own)
        return "\n\n".join([f"### {tool.name}\n{first}" if first else f"### {tool.name}", *notes])
    blocks = [f"### {tool.name}\n{own}" if own else f"### {tool.name}"]
    is_full = level is _Level.FULL
    lines = parameter_lines(read_parameters(tool.definition.get("inputSchema"), _DEPTH[level]), full=is_full)
    if lines:
        blocks.append("\n".join(["**Parameters:**", *lines]))
    if when := one_line(tool.entry.when_to_use):
        blocks.append(f"**When to use:** {when}")
    if instructions := tool.entry.instructions.strip():
        blocks.append(f"**Instructions:** {with_closed_fences(instructions)}")
    blocks += _consent(tool)
    if tool.entry.approval == "ask":
        blocks.append("**Approval:** the user is asked before each call.")
    if is_full or any(key in tool.entry.hints for key in (READ_ONLY, DESTRUCTIVE, OPEN_WORLD)):
        blocks += _behaviour(tool)
    blocks += notes
    if tool.known.tool.key in reader.faulty:
        blocks.append("**Take care:** your last calls of this tool failed; check the parameters first.")
    if level is not _Level.PLAIN:
        blocks += _examples(tool, reader, is_full=is_full)
    return "\n\n".join(blocks)


_NOTES: Final = "**Notes:**"
_UNCONFIRMED: Final = " (by an assistant, not confirmed by the user)"


def _notes(tool: ServedTool) -> list[str]:
    enabled = [applied.note for applied in tool.notes if applied.note.enabled]
    lines = [
        f"- **{note.name}**{'' if note.confirmed else _UNCONFIRMED}: {with_closed_fences(indented(note.note))}"
        for note in enabled
    ]
    return ["\n".join([_NOTES, *lines])] if lines else []


def _consent(tool: ServedTool) -> list[str]:
    required = consent_of(tool.known.tool.definition, tool.entry)
    if required is None or tool.entry.consent is None:
        return []
    argument, literal = required
    return [f"**Consent:** {consent_text(tool.entry.consent, literal, argument)}"]


def _behaviour(tool: ServedTool) -> list[str]:
    annotations = tool.definition.get("annotations")
    if not isinstance(annotations, dict):
        return []
    words = []
    if annotations.get(READ_ONLY) is True:
        words.append("only reads")
    elif annotations.get(READ_ONLY) is False or annotations.get(DESTRUCTIVE) is not None:
        undoes = annotations.get(DESTRUCTIVE) is False
        words.append("changes things, but destroys nothing" if undoes else "may destroy things")
    if annotations.get(IDEMPOTENT) is True:
        words.append("the same call twice does no more than once")
    if isinstance(annotations.get(OPEN_WORLD), bool):
        words.append("reaches other systems" if annotations[OPEN_WORLD] else "stays within its own system")
    return [f"**Behaviour:** {'; '.join(words)}."] if words else []


def _examples(tool: ServedTool, reader: Reader, *, is_full: bool) -> list[str]:
    examples = tool.entry.hints.get(EXAMPLES) or _sent_examples(tool)
    if not examples:
        return []
    blocks = [_example(tool.name, example, reader, is_full=is_full) for example in examples]
    if len(blocks) == 1 and not examples[0].get("description"):
        return [f"**Example:**\n{blocks[0]}"]
    lines = ["**Examples:**"]
    for example, block in zip(examples, blocks, strict=True):
        described = example.get("description")
        label = one_line(described) if isinstance(described, str) and described.strip() else "Example"
        lines += [f"- {label}:", block]
    return ["\n".join(lines)]


def _example(name: str, example: Mapping[str, Any], reader: Reader, *, is_full: bool) -> str:
    """Return an example as the reader makes the call: as JSON, through ``call-tool``, or natively its arguments."""
    call: Any = {"tool": name, "args": example.get("input")}
    if reader.is_connected:
        call = {"name": name, "arguments": example.get("input")} if reader.is_lazy else example.get("input")
    lines = ["```json", spaced_json(call), "```"]
    if is_full and "output" in example:
        lines += ["Result:", "```json", spaced_json(example["output"]), "```"]
    return "\n".join(lines)


def _sent_examples(tool: ServedTool) -> list[Mapping[str, Any]]:
    """Return the examples that the server itself sent in its annotations."""
    annotations = tool.known.tool.definition.get("annotations")
    examples = annotations.get(EXAMPLES) if isinstance(annotations, dict) else None
    usable = examples if isinstance(examples, list) else []
    return [example for example in usable if isinstance(example, dict) and "input" in example]


def _guidelines(
    words: str, tools: Sequence[ServedTool], detail: Detail, told: Sequence[str], *, is_short: bool
) -> list[str]:
    parts = ["# Tool Selection Guidelines"]
    if words:
        parts.append(with_closed_fences(words))
    parts += [" ".join(told)] if told else []
    if detail is Detail.SUMMARY:
        return parts
    optional = {} if is_short else _by_category(tool for tool in tools if _is_optional(tool))
    if optional:
        parts.append("## When to Use Optional Tools")
    for category, group in optional.items():
        names = ", ".join(tool.name for tool in group)
        bullets = [f"- {_reason(tool)}" for tool in group]
        parts.append("\n".join([f"### {_heading(category)} ({names})", "Consider using when:", *bullets]))
    return [*parts, _SELECTION]


_WHEN: Final = re.compile(r"\A(use (it |this |this tool )?)?when\b[\s:,]*", re.IGNORECASE)
"""Introductory words of "when to use" texts, already part of the heading."""


def _reason(tool: ServedTool) -> str:
    when = _WHEN.sub("", one_line(tool.entry.when_to_use), count=1)
    if when:
        return f"{when[:1].upper()}{when[1:]}"
    first = first_sentence(own_text(tool.known.tool.served_base, tool.entry) or "")
    return f"The task calls for {tool.name}: {first}" if first else f"The task calls for {tool.name}"


def foreign_section(server: str, text: str) -> str:
    """Return a server's own instructions under its name, after an empty line."""
    return f"\n\n## {' '.join(server.split())}\n\n{text}"


def foreign_text(snapshot: Snapshot, server: str, served: Collection[str], withheld: Collection[str] = ()) -> str:
    """Return a server's instructions with indented headings, so that they cannot pass for those of another source.

    Args:
        served: servers of the client: of two with one skill, the second's is named by its moved address.
        withheld: servers whose own instructions the client is not sent.
    """
    listing = snapshot.catalogue.servers.get(server)
    options = snapshot.servers[server].toolnote if server in snapshot.servers else ServerOptions()
    is_sent = listing is not None and options.instructions and server not in withheld
    text = served_instructions(listing, options) if listing is not None and is_sent else ""
    text = with_moved_skills(snapshot, server, text[:_LONGEST_INSTRUCTIONS], served).strip()
    return _below_headings(text if options.keeps_heading else without_imitation(text))


def _below_headings(text: str) -> str:
    """Return a server's text with its headings indented, so that they pass for none of ours."""
    return "\n".join(f"  {line}" if line.lstrip().startswith("#") else line for line in text.splitlines())


def source_notes(snapshot: Snapshot, servers: Iterable[str]) -> dict[str, str]:
    """Return the user's notes on servers as a whole; none while notes are paused."""
    if snapshot.settings.notes_paused:
        return {}
    entries = ((server, snapshot.servers.get(server)) for server in servers)
    notes = ((server, entry.toolnote.instructions_note.strip()) for server, entry in entries if entry is not None)
    return {server: note for server, note in notes if note}


class Guides:
    """Cache of guides, valid until their sources change: registry, notes, toolset."""

    def __init__(self, task_types: Mapping[str, TaskType]) -> None:
        self._task_types = task_types
        self._parts: tuple[object, ...] = ()
        self._cached: dict[tuple[object, ...], Guide] = {}
        self._characters = 0
        self._lock = threading.Lock()

    @cached_property
    def indexes(self) -> SearchIndexes:
        """Indexes of the tools that guides, and searches, were wanted of."""
        from toolnote_desktop.guidance.search import SearchIndexes

        return SearchIndexes()

    def guide(
        self,
        snapshot: Snapshot,
        toolset: Toolset,
        context: TaskContext = TaskContext(),  # noqa: B008 - frozen
        *,
        detail: Detail | None = None,
        dialect: Dialect = PLAIN,
        withheld: frozenset[str] = frozenset(),
        reader: Reader = WITHOUT_MCP,
        between: Callable[[], object] = lambda: None,
    ) -> Guide:
        """Return :func:`write_guide`'s result; the same object as long as its sources are unchanged. For any thread."""
        settings = (snapshot.settings.notes_paused, snapshot.tool_settings)
        parts = (snapshot.catalogue, snapshot.notes, *settings, snapshot.toolsets, snapshot.servers)
        key = (toolset.name, context, detail, dialect, withheld, reader.key)
        with self._lock:
            if len(self._parts) != len(parts) or any(a is not b for a, b in zip(self._parts, parts, strict=True)):
                self._parts = parts
                self._cached.clear()
            cached = self._cached.get(key)
        if cached is None:
            cached = write_guide(
                snapshot,
                toolset,
                context,
                detail=detail,
                dialect=dialect,
                withheld=withheld,
                task_types=self._task_types,
                reader=reader,
                indexes=self.indexes if context.is_focused else None,
                between=between,
            )
            with self._lock:
                self._characters += len(cached.text)
                if len(self._cached) >= _CACHE_SIZE or self._characters > _CACHE_CHARACTERS:
                    self._cached.clear()
                    self._characters = len(cached.text)
                if self._parts is parts:
                    self._cached[key] = cached
        return cached

    def forget_removed(self, snapshot: Snapshot) -> None:
        """Forget what was made of tools that are known no more."""
        if "indexes" in self.__dict__:
            self.indexes.forget_removed(snapshot)
        forget_words()
        with self._lock:
            if self._parts and self._parts[0] is not snapshot.catalogue:
                self._parts = ()
                self._cached.clear()


_CACHE_SIZE: Final = 64
"""Number of guides: each input text of an assistant creates one."""
_CACHE_CHARACTERS: Final = 2_000_000
"""Characters of those guides."""
