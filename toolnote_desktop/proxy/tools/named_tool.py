"""Lookup of the tool that an assistant names in its arguments."""

from __future__ import annotations

from toolnote_desktop.error_messages import english
from toolnote_desktop.guidance.served_tools import served_tools
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.proxy.tools.context import ToolContext


def find_named_tool(wanted: ToolReference, context: ToolContext) -> KnownTool | Result[JsonObject]:
    """Return the tool, or a failed result if there is none or more than one (docs/contract.md 7).

    The name that clients see is accepted, too, if no tool has it as namespacedName.
    """
    if not wanted.namespaced_name and not wanted.ref_id:
        return Result.failure("a tool is named by namespacedName or refId", "invalid_reference")
    catalogue = context.snapshot.catalogue
    found = catalogue.resolve(wanted)
    if wanted.namespaced_name and wanted.namespaced_name not in catalogue.by_namespaced_name:
        exposed = _find_exposed(wanted.namespaced_name, context)
        found = (exposed,) if exposed is not None else found
    label = wanted.namespaced_name or wanted.ref_id or ""
    if len(found) > 1:
        return Result.failure(english(ToolnoteError(Code.TOOL_AMBIGUOUS, tool=label).problem), "invalid_reference")
    if found and wanted.namespaced_name and wanted.ref_id:
        others = catalogue.by_ref_id.get(wanted.ref_id, ())
        if others and found[0] not in others:
            return Result.failure(
                f'namespacedName and refId name two different tools: "{found[0].tool.namespaced_name}" and '
                f'"{others[0].tool.namespaced_name}"',
                "invalid_reference",
            )
    if not found:
        return Result.failure(
            english(ToolnoteError(Code.TOOL_NOT_FOUND, tool=label).problem),
            "tool_not_found",
            instruction=context.advice("list-available-tools", "Call {tool} to see the names of all tools."),
        )
    return found[0]


def _find_exposed(name: str, context: ToolContext) -> KnownTool | None:
    if context.toolset is not None:
        for tool in served_tools(context.snapshot, context.toolset, context.dialect):
            if tool.name == name:
                return tool.known
    return context.snapshot.catalogue.by_exposed_name.get(name)
