"""Built-in tools of lazy mode, where tools are searched and called by name, not listed (docs/contract.md 7)."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from toolnote_desktop.guidance.guide import category_of, first_sentence
from toolnote_desktop.guidance.served_tools import ServedTool, served_tools
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.toolsets.task_types import word_stems
from toolnote_desktop.proxy.tools.arguments import ToolArguments
from toolnote_desktop.proxy.tools.context import ToolContext
from toolnote_desktop.proxy.tools.tool_annotation import no_toolset

_NAME_WEIGHT, _LABEL_WEIGHT, _TEXT_WEIGHT = 6, 3, 1


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
def search_tools(arguments: SearchTools, context: ToolContext) -> Result[JsonObject]:
    """Search the tools of the current toolset; the best come first, with everything that is needed to call them."""
    toolset = context.toolset
    if toolset is None:
        return no_toolset()
    served = served_tools(context.snapshot, toolset, context.dialect)
    if not arguments.query.strip():
        names = [{"name": tool.name, "description": first_sentence(tool.known.tool.description)} for tool in served]
        return Result.ok({"total": len(served), "tools": names})
    wanted = word_stems(arguments.query)
    scored = [(score(tool, wanted, arguments.query), place, tool) for place, tool in enumerate(served)]
    best = sorted((one for one in scored if one[0] > 0), key=lambda one: (-one[0], one[1]))[: arguments.limit]
    found = [tool.definition for _, _, tool in best]
    instruction = None if found else "Search with other words, or with an empty query for all names."
    return Result.ok({"total": len(served), "tools": found}, instruction=instruction)


def score(tool: ServedTool, wanted: frozenset[str], query: str) -> int:
    """Return the relevance of a tool to the words of a query; 0 if it has none of them."""
    known = tool.known.tool
    points = _NAME_WEIGHT * len(wanted & word_stems(f"{tool.name} {known.name}"))
    points += _LABEL_WEIGHT * len(wanted & word_stems(f"{known.title} {category_of(tool)} {tool.entry.when_to_use}"))
    points += _TEXT_WEIGHT * len(wanted & word_stems(str(tool.definition.get("description") or "")))
    if query.strip().casefold() in (tool.name.casefold(), known.name.casefold(), known.namespaced_name.casefold()):
        points += 100
    return points


@ToolArguments.declare
def call_tool(arguments: CallTool, context: ToolContext) -> Result[JsonObject]:
    """Call a tool of the current toolset by the name that search-tools gives, and get its own result."""
    # RequestService unwraps the call and makes it, with the same checks as any other. Only unknown tools arrive here.
    return Result.failure(
        f'there is no tool "{arguments.name}"',
        "tool_not_found",
        instruction="Call search-tools to find the name of a tool.",
    )
