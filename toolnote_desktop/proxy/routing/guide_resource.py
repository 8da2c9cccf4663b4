"""Tool guide as a prompt and as a resource: their definitions and replies."""

from __future__ import annotations

from typing import Final

from toolnote_desktop.error_messages import english
from toolnote_desktop.guidance.guide import Detail
from toolnote_desktop.guidance.relevance import TaskContext
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import GUIDE_PROMPT
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.toolsets.task_types import read_task_types
from toolnote_desktop.proxy.in_flight import error_reply
from toolnote_desktop.proxy.protocol import INVALID_PARAMS
from toolnote_desktop.proxy.tools.context import ToolContext
from toolnote_desktop.proxy.transports.base import Reply

GUIDE_URI: Final = "toolnote://guide"

_TITLE: Final = "Tool guide"
_DESCRIPTION: Final = "A guide to the tools of the toolset in use: what each is for, its parameters and examples"

PROMPT: Final = json_text.dumps(
    {
        "name": GUIDE_PROMPT,
        "title": _TITLE,
        "description": _DESCRIPTION,
        "arguments": [
            {"name": "task", "description": "Only what matters for this kind of work, such as build or research"},
            {"name": "input", "description": "Only what matters for what the user said"},
            {"name": "detail", "description": "How much is said: summary, standard or full"},
        ],
    }
)
RESOURCE: Final = json_text.dumps(
    {
        "uri": GUIDE_URI,
        "name": GUIDE_PROMPT,
        "title": _TITLE,
        "description": _DESCRIPTION,
        "mimeType": "text/markdown",
    }
)


def prompt_answer(params: JsonObject, context: ToolContext) -> Reply:
    """Return the reply to ``prompts/get`` for our prompt."""
    given = params.get("arguments")
    arguments = given if isinstance(given, dict) else {}
    try:
        detail = Detail(arguments["detail"]) if arguments.get("detail") else None
    except ValueError:
        return error_reply(INVALID_PARAMS, f"detail is none of {', '.join(Detail)}")
    texts = {name: value for name in ("task", "input") if isinstance(value := arguments.get(name), str)}
    try:
        text = guide_text(context, TaskContext(texts.get("task") or None, texts.get("input")), detail)
    except ToolnoteError as error:
        return error_reply(INVALID_PARAMS, english(error.problem))
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return Reply(json_text.dumps({"description": _DESCRIPTION, "messages": [message]}))


def resource_answer(context: ToolContext) -> Reply:
    """Return the reply to ``resources/read`` for our resource."""
    content = {"uri": GUIDE_URI, "mimeType": "text/markdown", "text": guide_text(context, TaskContext())}
    return Reply(json_text.dumps({"contents": [content]}))


def completion_answer(params: JsonObject, context: ToolContext) -> Reply:
    """Return the reply to ``completion/complete`` for our prompt: task types, levels of detail."""
    argument = params.get("argument")
    name = argument.get("name") if isinstance(argument, dict) else None
    begun = str(argument.get("value") or "") if isinstance(argument, dict) else ""
    choices: list[str] = []
    if name == "task" and context.toolset is not None:
        types = read_task_types(context.toolset.task_types, context.guidance.task_types, lambda entry, reason: None)
        choices = list(types)
    elif name == "detail":
        choices = list(Detail)
    values = [choice for choice in choices if choice.startswith(begun)][:100]
    return Reply(json_text.dumps({"completion": {"values": values, "total": len(values), "hasMore": False}}))


def guide_text(context: ToolContext, task: TaskContext, detail: Detail | None = None) -> str:
    """Return the guide for a caller that has a toolset."""
    toolset = context.toolset
    assert toolset is not None
    guide = context.guidance.guides.guide(
        context.snapshot,
        toolset,
        task,
        detail=detail,
        dialect=context.dialect,
        withheld=context.withheld,
        reader=context.reader(),
    )
    return guide.text
