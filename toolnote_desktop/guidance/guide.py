"""Tool guide: one text for an assistant on a toolset's tools, from live metadata (docs/requirements.md 3).

The format is that of docs/requirements.md 3.2. Names are the exposed ones, schemas those that are served. The
invocation format ends without TASK_COMPLETE: MCP clients have a protocol for that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.guidance.description import own_text
from toolnote_desktop.guidance.notes_section import indented
from toolnote_desktop.guidance.parameters import DEEPEST, parameter_lines, read_parameters, spaced_json
from toolnote_desktop.guidance.relevance import TaskContext, is_relevant
from toolnote_desktop.guidance.served_tools import ServedTool, served_tools
from toolnote_desktop.guidance.tokens import estimate_tokens
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

REQUIRED: Final = "required"
OPTIONAL: Final = "optional"


class Detail(StrEnum):
    """Levels of detail per tool: its first sentence; what is needed to call it; everything."""

    SUMMARY = "summary"
    STANDARD = "standard"
    FULL = "full"


_LONGEST_INSTRUCTIONS: Final = 64 * 1024
"""Characters of a server's instructions that are read; no client accepts as many."""

_LEVELS: Final = {Detail.STANDARD: 3, Detail.FULL: DEEPEST}

INVOCATION: Final = """# Tool Invocation Format

Call tools using JSON:
```json
{"tool": "tool_name", "args": {"param": "value"}}
```

Multiple tools can be called in sequence. After each tool result, decide if additional tools are needed."""

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
        left_out: optional tools that are not relevant to its task or input.
    """

    text: str
    tokens: int
    tools: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def write_guide(
    snapshot: Snapshot,
    toolset: Toolset,
    context: TaskContext = TaskContext(),  # noqa: B008 - frozen
    *,
    detail: Detail = Detail.STANDARD,
    dialect: Dialect = PLAIN,
    withheld: frozenset[str] = frozenset(),
    task_types: Mapping[str, TaskType] | None = None,
) -> Guide:
    """Write the guide to a toolset: all of it, or with a task or an input the relevant part.

    Required tools are always included.

    Args:
        withheld: servers whose own instructions are left out.
        task_types: task types from which toolsets start.

    Raises:
        ToolnoteError: ``task-type-unknown``.
    """
    types = read_task_types(toolset.task_types, task_types or {}, lambda entry, reason: None)
    context.check(types)
    served = served_tools(snapshot, toolset, dialect)
    shown: list[ServedTool] = []
    left_out: list[ServedTool] = []
    for tool in served:
        wanted = tool.entry.optionality == REQUIRED or not context.is_focused or is_relevant(tool, context, types)
        (shown if wanted else left_out).append(tool)
    shown = _in_order(shown)
    parts = ["# Available Tools", *_sections(shown, detail)]
    if not shown:
        parts.append("There are no tools to use now." if not left_out else "No tool is needed for this in particular.")
    if left_out:
        others = ", ".join(f"`{tool.name}`" for tool in left_out)
        parts.append(f"Other optional tools, not described here: {others}.")
    parts += ["---", INVOCATION]
    if detail is not Detail.SUMMARY or toolset.guidelines:
        parts += ["---", *_guidelines(toolset, shown, detail)]
    servers = dict.fromkeys(tool.known.tool.server for tool in shown) if detail is not Detail.SUMMARY else ()
    notes = source_notes(snapshot, servers)
    if notes:
        parts += ["---", "# Notes on the Sources", "\n".join(f"- **{one}**: {note}" for one, note in notes.items())]
    texts = {server: foreign_text(snapshot, server, withheld) for server in servers}
    foreign = [foreign_section(server, text).strip() for server, text in texts.items() if text]
    if foreign:
        parts += ["---", "# Instructions of the Sources", *foreign]
    parts += [sentence for sentence in dialect.sentences if sentence.strip()]
    text = speakable("\n\n".join(parts) + "\n")
    names = tuple(tool.name for tool in shown)
    return Guide(text, estimate_tokens(text, dialect.family), names, tuple(tool.name for tool in left_out))


def category_of(tool: ServedTool) -> str:
    """Return the category of a tool: the user's, else its server."""
    category = (tool.entry.category or "").strip()
    if category:
        return category
    server = tool.known.tool.server
    return server[:1].upper() + server[1:]


def _in_order(tools: Sequence[ServedTool]) -> list[ServedTool]:
    """Sort required before optional tools, each by category in the toolset's order."""
    ordered: list[ServedTool] = []
    for need in (REQUIRED, OPTIONAL):
        for group in _by_category(tool for tool in tools if tool.entry.optionality == need).values():
            ordered += group
    return ordered


def _sections(tools: Sequence[ServedTool], detail: Detail) -> list[str]:
    """Return the tools under their headings."""
    parts = []
    for need, label in ((REQUIRED, "Required"), (OPTIONAL, "Optional")):
        for category, group in _by_category(tool for tool in tools if tool.entry.optionality == need).items():
            parts.append(f"## {_heading(category)} ({label})")
            parts += [_tool_text(tool, detail) for tool in group]
    return parts


def _by_category(tools: Iterable[ServedTool]) -> dict[str, list[ServedTool]]:
    groups: dict[str, list[ServedTool]] = {}
    for tool in tools:
        groups.setdefault(category_of(tool), []).append(tool)
    return groups


def _heading(category: str) -> str:
    line = " ".join(category.split())
    return line if line.casefold().endswith("tools") else f"{line} Tools"


def _tool_text(tool: ServedTool, detail: Detail) -> str:
    """Return the text of one tool."""
    own = (own_text(tool.known.tool.served_base, tool.entry) or "").strip()
    if detail is Detail.SUMMARY:
        first = first_sentence(own)
        return f"### {tool.name}\n{first}" if first else f"### {tool.name}"
    blocks = [f"### {tool.name}\n{own}" if own else f"### {tool.name}"]
    lines = parameter_lines(
        read_parameters(tool.definition.get("inputSchema"), _LEVELS[detail]), full=detail is Detail.FULL
    )
    if lines:
        blocks.append("\n".join(["**Parameters:**", *lines]))
    if when := " ".join(tool.entry.when_to_use.split()):
        blocks.append(f"**When to use:** {when}")
    if instructions := tool.entry.instructions.strip():
        blocks.append(f"**Instructions:** {instructions}")
    blocks += _consent(tool)
    if detail is Detail.FULL:
        blocks += _behaviour(tool)
    enabled = [applied.note for applied in tool.notes if applied.note.enabled]
    notes = [f"- **{note.name}**: {indented(note.note)}" for note in enabled]
    if notes:
        blocks.append("\n".join(["**Notes:**", *notes]))
    blocks += _examples(tool, detail)
    return "\n\n".join(blocks)


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


def _examples(tool: ServedTool, detail: Detail) -> list[str]:
    examples = tool.entry.hints.get(EXAMPLES) or _sent_examples(tool)
    if not examples:
        return []
    blocks = [_example(tool.name, example, detail) for example in examples]
    if len(blocks) == 1 and not examples[0].get("description"):
        return [f"**Example:**\n{blocks[0]}"]
    lines = ["**Examples:**"]
    for example, block in zip(examples, blocks, strict=True):
        described = example.get("description")
        label = " ".join(described.split()) if isinstance(described, str) and described.strip() else "Example"
        lines += [f"- {label}:", block]
    return ["\n".join(lines)]


def _example(name: str, example: Mapping[str, Any], detail: Detail) -> str:
    call = spaced_json({"tool": name, "args": example.get("input")})
    lines = ["```json", call, "```"]
    if detail is Detail.FULL and "output" in example:
        lines += ["Result:", "```json", spaced_json(example["output"]), "```"]
    return "\n".join(lines)


def _sent_examples(tool: ServedTool) -> list[Mapping[str, Any]]:
    """Return the examples that the server itself sent in its annotations."""
    annotations = tool.known.tool.definition.get("annotations")
    examples = annotations.get(EXAMPLES) if isinstance(annotations, dict) else None
    usable = examples if isinstance(examples, list) else []
    return [example for example in usable if isinstance(example, dict) and "input" in example]


def _guidelines(toolset: Toolset, tools: Sequence[ServedTool], detail: Detail) -> list[str]:
    parts = ["# Tool Selection Guidelines"]
    if toolset.guidelines:
        parts.append(toolset.guidelines)
    if detail is Detail.SUMMARY:
        return parts
    optional = _by_category(tool for tool in tools if tool.entry.optionality == OPTIONAL)
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
    when = _WHEN.sub("", " ".join(tool.entry.when_to_use.split()), count=1)
    if when:
        return f"{when[:1].upper()}{when[1:]}"
    first = first_sentence(tool.known.tool.description)
    return f"You need {tool.name}: {first}" if first else f"You need {tool.name}"


def first_sentence(text: str) -> str:
    """Return the first sentence of a description, on one line."""
    paragraph = " ".join(text.strip().split("\n\n", 1)[0].split())
    for place, c in enumerate(paragraph):
        if (
            c in ".!?"
            and paragraph[place + 1 : place + 2] in ("", " ")
            and paragraph[max(0, place - 3) : place]
            not in (
                "e.g",
                "i.e",
            )
        ):
            return paragraph[: place + 1]
    return paragraph


def foreign_section(server: str, text: str) -> str:
    """Return a server's own instructions under its name, after an empty line."""
    return f"\n\n## {' '.join(server.split())}\n\n{text}"


def foreign_text(snapshot: Snapshot, server: str, withheld: Collection[str] = ()) -> str:
    """Return a server's instructions with indented headings, so that they cannot pass for those of another source.

    Args:
        withheld: servers whose own instructions the client is not sent.
    """
    listing = snapshot.catalogue.servers.get(server)
    options = snapshot.servers[server].toolnote if server in snapshot.servers else ServerOptions()
    is_sent = listing is not None and options.instructions and server not in withheld
    text = served_instructions(listing, options) if listing is not None and is_sent else ""
    text = text[:_LONGEST_INSTRUCTIONS]
    lines = without_imitation(text.strip()).splitlines()
    return "\n".join(f"  {line}" if line.lstrip().startswith("#") else line for line in lines)


def source_notes(snapshot: Snapshot, servers: Iterable[str]) -> dict[str, str]:
    """Return the user's notes on servers as a whole; none while notes are paused."""
    if snapshot.settings.notes_paused:
        return {}
    entries = ((server, snapshot.servers.get(server)) for server in servers)
    notes = ((server, entry.toolnote.instructions_note.strip()) for server, entry in entries if entry is not None)
    return {server: note for server, note in notes if note}


def speakable(text: str) -> str:
    """Replace lone surrogates, which no encoding supports, by the replacement character."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") if not text.isascii() else text


class Guides:
    """Cache of guides, valid until their sources change: registry, notes, toolset."""

    def __init__(self, task_types: Mapping[str, TaskType]) -> None:
        self._task_types = task_types
        self._parts: tuple[object, ...] = ()
        self._cached: dict[tuple[object, ...], Guide] = {}

    def guide(
        self,
        snapshot: Snapshot,
        toolset: Toolset,
        context: TaskContext = TaskContext(),  # noqa: B008 - frozen
        *,
        detail: Detail = Detail.STANDARD,
        dialect: Dialect = PLAIN,
        withheld: frozenset[str] = frozenset(),
    ) -> Guide:
        """Return :func:`write_guide`'s result; the same object as long as its sources are unchanged."""
        parts = (snapshot.catalogue, snapshot.notes, snapshot.tool_settings, snapshot.toolsets, snapshot.servers)
        if len(self._parts) != len(parts) or any(a is not b for a, b in zip(self._parts, parts, strict=True)):
            self._parts = parts
            self._cached.clear()
        key = (toolset.name, context, detail, dialect, withheld)
        cached = self._cached.get(key)
        if cached is None:
            if len(self._cached) >= _CACHE_SIZE:
                self._cached.clear()
            cached = self._cached[key] = write_guide(
                snapshot,
                toolset,
                context,
                detail=detail,
                dialect=dialect,
                withheld=withheld,
                task_types=self._task_types,
            )
        return cached


_CACHE_SIZE: Final = 64
"""Number of guides: each input text of an assistant creates one."""
