"""The built-in tool that gives the tool guide (docs/requirements.md 3, docs/contract.md 7)."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from toolnote_desktop.error_messages import english
from toolnote_desktop.guidance.guide import Detail
from toolnote_desktop.guidance.relevance import TaskContext
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.result import Result
from toolnote_desktop.proxy.tools.arguments import ToolArguments
from toolnote_desktop.proxy.tools.context import ToolContext
from toolnote_desktop.proxy.tools.tool_annotation import no_toolset


class GetToolGuide(ToolArguments):
    """Arguments of ``get-tool-guide``."""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {
            "task": {"type": "string", "description": "Kind of work: build, debug, research, write, plan, or another"},
            "input": {"type": "string", "description": "What the user said, for a guide to what matters there"},
            "detail": {
                "type": "string",
                "enum": ["summary", "standard", "full"],
                "description": "How much is said of each tool (default: standard)",
            },
        },
        "additionalProperties": False,
    }

    task: str | None = Field(default=None, description="kind of work, such as build, debug, research, write or plan")
    input: str | None = Field(default=None, description="what the user said")
    detail: Literal["summary", "standard", "full"] = Field(default="standard", description="how much is said")


@ToolArguments.declare
def get_tool_guide(arguments: GetToolGuide, context: ToolContext) -> Result[JsonObject]:
    """Get a guide to the tools on offer: what each is for, its parameters, examples, and how to choose.

    With a task or the user's words, the guide is limited to the tools that matter for them.
    """
    toolset = context.toolset
    if toolset is None:
        return no_toolset()
    task = TaskContext(arguments.task or None, arguments.input)
    try:
        guide = context.guidance.guides.guide(
            context.snapshot,
            toolset,
            task,
            detail=Detail(arguments.detail),
            dialect=context.dialect,
            withheld=context.withheld,
        )
    except ToolnoteError as error:
        return Result.failure(
            english(error.problem), "unknown_task_type", instruction="Call again with one of these, or without a task."
        )
    return Result.ok(
        {
            "toolset": toolset.name,
            "detail": arguments.detail,
            "guide": guide.text,
            "tools": list(guide.tools),
            "leftOut": list(guide.left_out),
            "context": {"tokens": guide.tokens},
        }
    )
