"""Built-in tools that change, remove and list notes (docs/contract.md 7). Assistants change only their own."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from toolnote_desktop.error_messages import english
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.guidance.served_tools import resolve_toolset
from toolnote_desktop.model.edits import Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.toolsets.note_edits import EditNote, NoteTarget, RemoveNote, check_note
from toolnote_desktop.model.toolsets.notes import Note, Scope
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.proxy.tools.arguments import ToolArguments
from toolnote_desktop.proxy.tools.boundary import refuse_use
from toolnote_desktop.proxy.tools.context import ToolContext
from toolnote_desktop.proxy.tools.tool_annotation import (
    AnnotatedTool,
    find_tool,
    no_toolset,
    submit_or_withdraw,
    tool_identity,
)

_TOOL_REF: JsonObject = {
    "type": "object",
    "description": "Reference to the tool (use namespacedName or refId)",
    "properties": {
        "namespacedName": {"type": "string", "description": "Tool reference by namespaced name"},
        "refId": {"type": "string", "description": "Tool reference by unique hash identifier"},
    },
}
_NAME: JsonObject = {"type": "string", "description": "Name of the annotation", "pattern": "^[a-z0-9-]+$"}


class UpdateToolAnnotation(ToolArguments):
    """Arguments of ``update-tool-annotation``."""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {
            "toolRef": _TOOL_REF,
            "name": _NAME,
            "note": {"type": "string", "description": "The new content of the annotation"},
        },
        "required": ["toolRef", "name", "note"],
        "additionalProperties": False,
    }

    tool_ref: AnnotatedTool = Field(alias="toolRef", description="the tool, by namespacedName or refId")
    name: str = Field(description="name of the note")
    note: str = Field(description="its new text")


class RemoveToolAnnotation(ToolArguments):
    """Arguments of ``remove-tool-annotation``."""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {"toolRef": _TOOL_REF, "name": _NAME},
        "required": ["toolRef", "name"],
        "additionalProperties": False,
    }

    tool_ref: AnnotatedTool = Field(alias="toolRef", description="the tool, by namespacedName or refId")
    name: str = Field(description="name of the note")


class ListToolAnnotations(ToolArguments):
    """Arguments of ``list-tool-annotations``."""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {"toolRef": {**_TOOL_REF, "description": "Only of this tool (default: of every tool)"}},
        "additionalProperties": False,
    }

    tool_ref: AnnotatedTool | None = Field(default=None, alias="toolRef", description="only of this tool")


@ToolArguments.declare
async def update_tool_annotation(arguments: UpdateToolAnnotation, context: ToolContext) -> Result[JsonObject]:
    """Change the text of an annotation that you added to a tool in the current toolset."""
    try:
        check_note(arguments.name, arguments.note)
    except ToolnoteError as error:
        return Result.failure(english(error.problem), "invalid_note")
    found = _own_note(arguments.tool_ref, arguments.name, context)
    if isinstance(found, Result):
        return found
    toolset, known = found
    place = NoteTarget.in_toolset(toolset.name, context.snapshot.catalogue.reference_to(known.tool))
    edit = EditNote(place, arguments.name, {"note": arguments.note})
    return await _submit(edit, "updatedNote", arguments.name, found, context)


@ToolArguments.declare
async def remove_tool_annotation(arguments: RemoveToolAnnotation, context: ToolContext) -> Result[JsonObject]:
    """Remove an annotation that you added to a tool in the current toolset."""
    found = _own_note(arguments.tool_ref, arguments.name, context)
    if isinstance(found, Result):
        return found
    toolset, known = found
    place = NoteTarget.in_toolset(toolset.name, context.snapshot.catalogue.reference_to(known.tool))
    return await _submit(RemoveNote(place, arguments.name), "removedNote", arguments.name, found, context)


@ToolArguments.declare
def list_tool_annotations(arguments: ListToolAnnotations, context: ToolContext) -> Result[JsonObject]:
    """List the annotations of the tools in the current toolset, and which of them you may change."""
    toolset = context.toolset
    if toolset is None:
        return no_toolset(context)
    if arguments.tool_ref is not None:
        found = find_tool(arguments.tool_ref, toolset, context)
        if isinstance(found, Result):
            return found
        tools = [found]
    else:
        resolved = (entry.known for entry in resolve_toolset(context.snapshot, toolset))
        tools = list({known.tool.key: known for known in resolved if known is not None}.values())
    index = NoteIndex(toolset, context.snapshot.notes, context.snapshot.catalogue)
    listed = []
    for known in tools:
        notes = [_note_value(applied.scope, applied.note, context) for applied in index.applied(known.tool)]
        if notes or arguments.tool_ref is not None:
            listed.append({"tool": tool_identity(known), "notes": notes})
    return Result.ok({"toolset": toolset.name, "tools": listed})


def _note_value(scope: Scope, note: Note, context: ToolContext) -> JsonObject:
    return {
        "name": note.name,
        "note": note.note,
        "enabled": note.enabled,
        "scope": str(scope),
        "author": note.author,
        "yours": scope is Scope.TOOLSET and note.author == context.principal.author and not note.kept,
    }


def _own_note(wanted: AnnotatedTool, name: str, context: ToolContext) -> tuple[Toolset, KnownTool] | Result[JsonObject]:
    """Return toolset and tool of the caller's own note, or a failed result."""
    toolset = context.toolset
    if toolset is None:
        return no_toolset(context)
    if (refused := refuse_use(toolset.name, context)) is not None:
        return refused
    found = find_tool(wanted, toolset, context)
    if isinstance(found, Result):
        return found
    applies = context.snapshot.catalogue.note_applies
    notes = (note for group in toolset.notes if applies(group.reference, found.tool) for note in group.notes)
    # An edit changes the first note of that name.
    note = next((note for note in notes if note.name == name), None)
    if note is None:
        problem = ToolnoteError(Code.NOTE_NOT_FOUND, name=name, tool=found.tool.namespaced_name).problem
        return Result.failure(
            english(problem), "note_not_found", instruction="Call list-tool-annotations to see which there are."
        )
    if note.author != context.principal.author:
        return Result.failure(
            f'the note "{name}" was written by another author ({note.author})',
            "not_your_note",
            instruction="Leave it as it is. If the user wants it changed, ask them to change it in Toolnote.",
        )
    if note.kept:  # it counts as the user's words
        return Result.failure(
            f'the note "{name}" was confirmed by the user',
            "not_your_note",
            instruction="Leave it as it is. If the user wants it changed, ask them to change it in Toolnote.",
        )
    return toolset, found


async def _submit(
    edit: Edit, done: str, name: str, found: tuple[Toolset, KnownTool], context: ToolContext
) -> Result[JsonObject]:
    toolset, known = found
    failed = await submit_or_withdraw(edit, context)
    if failed is not None:
        return failed
    return Result.ok({"toolset": toolset.name, "tool": tool_identity(known), done: name})
