"""Built-in tools for notes (docs/requirements.md 0, docs/contract.md 7)."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from toolnote_desktop.error_messages import english
from toolnote_desktop.model.edits import Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.toolsets.note_edits import AddNotes, NoteTarget, check_note
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.proxy.tools.arguments import ToolArguments
from toolnote_desktop.proxy.tools.boundary import refuse_use
from toolnote_desktop.proxy.tools.context import ToolContext, now
from toolnote_desktop.proxy.tools.named_tool import find_named_tool


class AnnotatedTool(BaseModel):
    """``toolRef``: name or hash, and the server if the name is ambiguous."""

    model_config = ConfigDict(strict=True, defer_build=True)

    namespaced_name: str | None = Field(default=None, alias="namespacedName")
    ref_id: str | None = Field(default=None, alias="refId")
    server: str | None = None

    def as_reference(self) -> ToolReference:
        """Return the reference in the format of documents."""
        return ToolReference(namespaced_name=self.namespaced_name, ref_id=self.ref_id, server=self.server)


MAX_NOTES_PER_CALL = 50
MAX_NOTES_PER_TOOL = 200
"""Limits of what an assistant adds (docs/contract.md 7): each note costs every client of the toolset context."""

_NOT_STORED = "Nothing was changed. Tell the user what went wrong, and call again once it is mended."


class NewNote(BaseModel):
    """Note to add. The tool itself checks name and length, and fails with ``invalid_note``."""

    model_config = ConfigDict(strict=True, defer_build=True)

    name: str
    note: str


class AddToolAnnotation(ToolArguments):
    """Arguments of ``add-tool-annotation``; schema of docs/requirements.md 0.4."""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {
            "toolRef": {
                "type": "object",
                "description": "Reference to the tool (use namespacedName or refId)",
                "properties": {
                    "namespacedName": {
                        "type": "string",
                        "description": "Tool reference by namespaced name (e.g., 'linear.create_issue')",
                    },
                    "refId": {"type": "string", "description": "Tool reference by unique hash identifier"},
                },
            },
            "notes": {
                "type": "array",
                "description": "Array of annotations to add to the tool",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {
                            "type": "string",
                            "description": "Identifier for this annotation (e.g., 'usage-with-project')",
                            "pattern": "^[a-z0-9-]+$",
                        },
                        "note": {
                            "type": "string",
                            "description": "The annotation content to help guide LLM usage",
                        },
                    },
                    "required": ["name", "note"],
                },
                "minItems": 1,
            },
        },
        "required": ["toolRef", "notes"],
    }

    tool_ref: AnnotatedTool = Field(alias="toolRef", description="the tool, by namespacedName or refId")
    notes: list[NewNote] = Field(
        min_length=1, max_length=MAX_NOTES_PER_CALL, description="the notes to add, each with a name and a note"
    )


@ToolArguments.declare
async def add_tool_annotation(arguments: AddToolAnnotation, context: ToolContext) -> Result[JsonObject]:
    """Add contextual annotations to a tool in the current toolset to guide LLM usage"""
    try:
        for note in arguments.notes:
            check_note(note.name, note.note)
    except ToolnoteError as error:
        return Result.failure(english(error.problem), "invalid_note")
    toolset = context.toolset
    if toolset is None:
        return no_toolset(context)
    if (refused := refuse_use(toolset.name, context)) is not None:
        return refused
    found = find_tool(arguments.tool_ref, toolset, context)
    if isinstance(found, Result):
        return found
    return await _add(arguments.notes, found, toolset, context)


def no_toolset(context: ToolContext) -> Result[JsonObject]:
    """Return the failed result for calls that need a toolset, with advice that the caller can follow."""
    return Result.failure(
        english(ToolnoteError(Code.NO_TOOLSET).problem),
        "no_toolset_equipped",
        instruction=context.advice(
            "equip-toolset",
            "Ask the user which toolset to use, then call {tool}.",
            "Ask the user to choose a toolset for you in Toolnote; you cannot choose one yourself.",
        ),
    )


def tool_identity(known: KnownTool) -> JsonObject:
    """Return a tool's identification in results."""
    tool = known.tool
    return {"namespacedName": tool.namespaced_name, "refId": tool.ref_id, "server": tool.server}


def find_tool(wanted: AnnotatedTool, toolset: Toolset, context: ToolContext) -> KnownTool | Result[JsonObject]:
    """Return the tool if it is in the toolset, else a failed result."""
    found = find_named_tool(wanted.as_reference(), context)
    if isinstance(found, Result):
        return found
    if not any(found in context.snapshot.catalogue.resolve(entry) for entry in toolset.tools):
        label = wanted.namespaced_name or wanted.ref_id or ""
        problem = ToolnoteError(Code.TOOL_NOT_IN_TOOLSET, tool=label, toolset=toolset.name).problem
        return Result.failure(english(problem), "tool_not_in_toolset")
    return found


async def submit_or_withdraw(edit: Edit, context: ToolContext) -> Result[Any] | None:
    """Submit an edit of notes and wait until it is on disk; return the failed result if it could not be stored.

    An edit that could not be written is withdrawn: what is answered with ``storage_failed`` is not served.
    """
    try:
        submitted = context.library.submit(edit, origin=context.origin)
    except ToolnoteError as error:
        return Result.failure(english(error.problem), "storage_failed")
    try:
        await asyncio.wrap_future(submitted.saved)
    except ToolnoteError as error:
        if error.problem.code is not Code.FILE_NOT_WRITTEN:
            return Result.failure(english(error.problem), "storage_failed")
        with contextlib.suppress(ToolnoteError):  # the note was changed meanwhile
            context.library.submit(*submitted.inverse, origin=context.origin)
        return Result.failure(english(error.problem), "storage_failed", instruction=_NOT_STORED)
    return None


async def _add(notes: list[NewNote], known: KnownTool, toolset: Toolset, context: ToolContext) -> Result[JsonObject]:
    place = NoteTarget.in_toolset(toolset.name, context.snapshot.catalogue.reference_to(known.tool))
    try:
        existing = place.lists(context.library.raw(place.document))
    except ToolnoteError as error:
        return Result.failure(english(error.problem), "storage_failed")
    existing_names = {str(note.get("name")) for group in existing for note in group if isinstance(note, dict)}
    stored: dict[str, JsonObject] = {}
    added: list[JsonObject] = []
    skipped: list[JsonObject] = []
    moment = now()
    for note in notes:
        value: JsonObject = {"name": note.name, "note": note.note}
        if note.name in existing_names or note.name in stored:
            skipped.append(value)
        else:
            added.append(value)
            stored[note.name] = {**value, "enabled": True, "author": context.principal.author, "createdAt": moment}
    if stored and sum(map(len, existing)) + len(stored) > MAX_NOTES_PER_TOOL:
        message = f"notes: a tool can have at most {MAX_NOTES_PER_TOOL} notes in a toolset"
        return Result.failure(message, "invalid_arguments", instruction="Remove or update a note instead.")
    if stored:
        failed = await submit_or_withdraw(AddNotes(place, tuple(stored.values())), context)
        if failed is not None:
            return failed
    errors = [english(ToolnoteError(Code.NOTE_EXISTS, name=str(note["name"])).problem) for note in skipped]
    result: JsonObject = {
        "toolset": toolset.name,
        "tool": tool_identity(known),
        "addedNotes": added,
        "skippedNotes": skipped,
        "successCount": len(added),
        "errorCount": len(errors),
        "errors": errors,
    }
    return Result.ok(result, message=f"{len(added)} added, {len(skipped)} skipped.")
