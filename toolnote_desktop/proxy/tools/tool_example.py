"""An example tool, served only where ``MCP_INCLUDE_EXAMPLE_TOOLS`` is ``true`` (docs/requirements.md 4.14)."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.result import Result
from toolnote_desktop.proxy.tools.arguments import ToolArguments
from toolnote_desktop.proxy.tools.context import ToolContext


class ExampleTool(ToolArguments):
    """Arguments of ``example-tool``, which is called so whatever the prefix is."""

    prefix: ClassVar[str | None] = ""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "Text to give back"},
            "style": {"enum": ["plain", "loud"], "description": "How to give it back"},
        },
        "required": ["text"],
        "additionalProperties": False,
    }

    text: str = Field(description="text to give back")
    style: Literal["plain", "loud"] = Field(default="plain", description="how to give it back")


@ToolArguments.declare
def example_tool(arguments: ExampleTool, context: ToolContext) -> Result[JsonObject]:
    """Give a text back: shows how a built-in tool is written."""
    text = arguments.text.upper() if arguments.style == "loud" else arguments.text
    return Result.ok({"text": text})
