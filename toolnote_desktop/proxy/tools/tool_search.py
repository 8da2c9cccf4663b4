"""Built-in tools of lazy mode, where tools are searched and called by name, not listed (docs/contract.md 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from pydantic import Field, field_validator

from toolnote_desktop.guidance.description import own_text
from toolnote_desktop.guidance.served_tools import ChosenTool, ServedTool, chosen_tools
from toolnote_desktop.guidance.texts import first_sentence
from toolnote_desktop.guidance.tokens import estimate_definition_tokens, estimate_tokens
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.proxy.tools.arguments import ToolArguments
from toolnote_desktop.proxy.tools.context import ToolContext, in_guidance_thread
from toolnote_desktop.proxy.tools.tool_annotation import no_toolset
from toolnote_desktop.system.threads import Turns

if TYPE_CHECKING:  # imported with the first search
    from toolnote_desktop.guidance.search import SearchIndex

MOST_WHOLE: Final = 3
"""Tools of an answer that may come with their whole definition."""

WHOLE_TOKENS: Final = 1500
"""Tokens of those definitions; the first one always comes whole."""


LINES_TOKENS: Final = 4_000
"""Tokens of the lines of all tools; where they are more, an empty query answers with names alone."""


class SearchTools(ToolArguments):
    """Arguments of ``search-tools``."""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What the tool should do; empty lists all tools by name"},
            "limit": {
                "type": "integer",
                "description": "Most tools to return",
                "minimum": 1,
                "maximum": 50,
                "default": 5,
            },
        },
        "required": ["query"],
        "additionalProperties": False,
    }

    query: str = Field(description="what the tool should do; empty lists all tools by name")
    limit: int = Field(default=5, ge=1, le=50, strict=True, description="most tools to return")

    @field_validator("limit", mode="before")
    @classmethod
    def _whole(cls, value: Any) -> Any:
        """Return 5 for 5.0: an integer to JSON Schema, and how clients write it that have floats only."""
        return int(value) if isinstance(value, float) and value.is_integer() else value


class CallTool(ToolArguments):
    """Arguments of ``call-tool``."""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "The tool's name as search-tools gives it"},
            "arguments": {"type": "object", "description": "Its arguments, as its inputSchema says"},
        },
        "required": ["name"],
        "additionalProperties": False,
    }

    name: str = Field(description="the tool's name as search-tools gives it")
    arguments: dict[str, Any] | None = Field(default=None, description="its arguments, as its inputSchema says")


@ToolArguments.declare
async def search_tools(arguments: SearchTools, context: ToolContext) -> Result[JsonObject]:
    """Search the tools of the current toolset by what they do; the best come first, with everything to call them.

    Further ones have one line each; search for such a name to get it whole.
    """
    toolset = context.toolset
    if toolset is None:
        return no_toolset(context)
    if not arguments.query.strip():
        return await in_guidance_thread(_names, toolset, context)
    # In the thread for guidance: the index of thousands of tools takes a second, a search of it some milliseconds.
    return await in_guidance_thread(_search, arguments, toolset, context)


async def prepare_search(context: ToolContext) -> None:
    """Index the tools of the current toolset, and start the model's process, so that the first search has both."""
    toolset, meaning = context.toolset, context.guidance.meaning
    if toolset is not None and meaning is not None:
        await in_guidance_thread(lambda: meaning.prepare(_index(toolset, context).texts))


def _index(toolset: Toolset, context: ToolContext) -> SearchIndex:
    return context.guidance.guides.indexes.index(context.snapshot, toolset, context.dialect, Turns())


def _search(arguments: SearchTools, toolset: Toolset, context: ToolContext) -> Result[JsonObject]:
    index = _index(toolset, context)
    meaning = context.guidance.meaning
    ask = None if meaning is None else meaning.ask
    answer = index.answer(context.reader().preferences, arguments.query, arguments.limit, ask)
    if answer.hits:
        found = search_answers([index.tools[hit.place] for hit in answer.hits])
        return Result.ok({"total": len(index.tools), "tools": found})
    nearest = [_line(index.tools[hit.place]) for hit in answer.nearest]
    instruction = (
        "No tool seems to fit; the nearest ones are named. If one of them does what is needed, search for its name to "
        "get it whole, and call it. Else search once more with other words; if nothing fits then, say that no tool "
        "does it, and use none of these instead."
        if nearest
        else "No tool fits. Search once more with other words, or with an empty query for all names; if nothing fits "
        "then, say that no tool does it."
    )
    return Result.ok({"total": len(index.tools), "tools": [], "nearest": nearest}, instruction=instruction)


def search_answers(tools: Sequence[ServedTool]) -> list[JsonObject]:
    """Return the best tools whole, as many as fit, the first always, and the others with a line each."""
    answers: list[JsonObject] = []
    left = WHOLE_TOKENS
    for place, tool in enumerate(tools):
        cost = estimate_definition_tokens(tool.definition) if place < MOST_WHOLE else 0
        if place == 0 or (place < MOST_WHOLE and cost <= left):
            left -= cost
            answers.append(tool.definition)
        else:
            answers.append(_line(tool))
    return answers


def _names(toolset: Toolset, context: ToolContext) -> Result[JsonObject]:
    """Return all tools with a line each, or only their names where the lines are too many."""
    chosen = chosen_tools(context.snapshot, toolset, context.dialect)
    lines: list[JsonObject] = []
    left = LINES_TOKENS
    between = Turns()
    for one in chosen:
        lines.append(_line(one))
        left -= estimate_tokens(lines[-1]["description"])
        if left < 0:
            lines = [{"name": tool.name} for tool in chosen]
            break
        between()
    return Result.ok({"total": len(chosen), "tools": lines})


def _line(tool: ServedTool | ChosenTool) -> JsonObject:
    return {"name": tool.name, "description": first_sentence(own_text(tool.known.tool.served_base, tool.entry) or "")}


@ToolArguments.declare
def call_tool(arguments: CallTool, context: ToolContext) -> Result[JsonObject]:
    """Call a tool of the current toolset by the name that search-tools gives, and get its own result."""
    # RequestService unwraps the call and makes it, with the same checks as any other. Only unknown tools arrive here.
    return Result.failure(
        f'there is no tool "{arguments.name}"',
        "tool_not_found",
        instruction=context.advice("search-tools", "Call {tool} to find the name of a tool."),
    )
