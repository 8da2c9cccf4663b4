"""The built-in tool that gives the tool guide (docs/requirements.md 3, docs/contract.md 7)."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from toolnote_desktop.error_messages import english
from toolnote_desktop.guidance.guide import Detail, write_tool
from toolnote_desktop.guidance.relevance import TaskContext, types_of, wanted_text
from toolnote_desktop.guidance.served_tools import served_tools
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.toolsets.task_types import read_task_types
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.proxy.tools.arguments import ToolArguments
from toolnote_desktop.proxy.tools.context import ToolContext, in_guidance_thread
from toolnote_desktop.proxy.tools.tool_annotation import no_toolset
from toolnote_desktop.system.threads import Turns


class GetToolGuide(ToolArguments):
    """Arguments of ``get-tool-guide``."""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {
            "task": {"type": "string", "description": "Kind of work, for a guide to the tools that matter for it"},
            "input": {"type": "string", "description": "What the user said, for a guide to what matters there"},
            "tool": {"type": "string", "description": "Name of one tool, for all there is to know of it"},
            "detail": {
                "type": "string",
                "enum": ["summary", "standard", "full"],
                "description": "How much is said of each tool (default: what the user prefers)",
            },
        },
        "additionalProperties": False,
    }

    task: str | None = Field(default=None, description="kind of work, one of those in the schema")
    input: str | None = Field(default=None, description="what the user said")
    tool: str | None = Field(default=None, description="name of one tool, for all there is to know of it")
    detail: Literal["summary", "standard", "full"] | None = Field(default=None, description="how much is said")


@ToolArguments.declare
async def get_tool_guide(arguments: GetToolGuide, context: ToolContext) -> Result[JsonObject]:
    """Get a guide to the tools on offer: what each is for, its parameters, examples, and how to choose.

    With a task or the user's words, the guide is limited to the tools that matter for them; with a tool, it is all of
    that one. Tools that you call without faults are described in short.
    """
    toolset = context.toolset
    if toolset is None:
        return no_toolset(context)
    # In the thread for guidance: a guide to thousands of tools takes a second, and the activity log is read.
    if arguments.tool:
        return await in_guidance_thread(_one_tool, arguments.tool, toolset, context)
    return await in_guidance_thread(_whole_guide, arguments, toolset, context)


def _whole_guide(arguments: GetToolGuide, toolset: Toolset, context: ToolContext) -> Result[JsonObject]:
    from toolnote_desktop.guidance.languages import INPUT_LIMIT, clauses

    said = (arguments.input or "")[:INPUT_LIMIT]  # guides are cached with it
    task = TaskContext(arguments.task or None, said or None)
    reader = context.reader(with_record=True)
    guidance = context.guidance
    try:
        guide = guidance.guides.guide(
            context.snapshot,
            toolset,
            task,
            detail=Detail(arguments.detail) if arguments.detail is not None else None,
            dialect=context.dialect,
            withheld=context.withheld,
            reader=reader,
            between=Turns(),
        )
    except ToolnoteError as error:
        return Result.failure(
            english(error.problem), "unknown_task_type", instruction="Call again with one of these, or without a task."
        )
    types = read_task_types(toolset.task_types, guidance.task_types, lambda entry, reason: None)
    meant = types_of(task, types, wanted_text(clauses(said)))
    guidance.experience.guided(context.principal, (one.name for one in meant))
    return Result.ok(
        {
            "toolset": toolset.name,
            "detail": arguments.detail or reader.preferences.detail or Detail.STANDARD,
            "guide": guide.text,
            "tools": list(guide.tools),
            "leftOut": list(guide.left_out),
            "shortened": list(guide.shortened),
            "context": {"tokens": guide.tokens, "budget": reader.preferences.tokens},
        }
    )


def _one_tool(name: str, toolset: Toolset, context: ToolContext) -> Result[JsonObject]:
    """Return all of one tool, by the name that the caller sees or by its namespacedName."""
    dialect = context.dialect
    for tool in served_tools(context.snapshot, toolset, dialect):
        if name in (tool.name, dialect.shown_name(tool.name), tool.known.tool.namespaced_name):
            reader = context.reader(with_record=True)
            guide = write_tool(tool, reader, dialect)
            return Result.ok(
                {
                    "toolset": toolset.name,
                    "guide": guide.text,
                    "tools": list(guide.tools),
                    "shortened": list(guide.shortened),
                    "context": {"tokens": guide.tokens, "budget": reader.preferences.tokens},
                }
            )
    return Result.failure(
        f'there is no tool "{name}" in the toolset',
        "tool_not_found",
        instruction=context.advice("get-tool-guide", "Call {tool} without a tool for the names of all tools."),
    )
