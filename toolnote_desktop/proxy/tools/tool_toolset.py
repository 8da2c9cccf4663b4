"""Built-in tools that show, build and choose toolsets (docs/contract.md 7; schemas of hypertool-mcp)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from toolnote_desktop.error_messages import english
from toolnote_desktop.guidance.description import own_text
from toolnote_desktop.guidance.served_tools import resolve_toolset, served_tools
from toolnote_desktop.guidance.tokens import estimate_definition_tokens
from toolnote_desktop.model.edits import SETTINGS, CreateDocument, DeleteDocument, Edit, SetFields, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey, is_toolset_name
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.toolsets.carry import Rules, lost_rules
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import EntryIndex, reference_fields
from toolnote_desktop.model.toolsets.toolset import ToolEntry, Toolset
from toolnote_desktop.proxy.tools.arguments import ToolArguments
from toolnote_desktop.proxy.tools.boundary import (
    has_assigned_toolset,
    refuse_change,
    refuse_deletion,
    refuse_loss,
    refuse_name,
    refuse_use,
)
from toolnote_desktop.proxy.tools.context import ToolContext, now
from toolnote_desktop.proxy.tools.named_tool import find_named_tool

MAX_TOOLSETS = 500
"""Number of saved toolsets from which on assistants build no more (docs/contract.md 7)."""


class NoArguments(ToolArguments):
    """Arguments of a tool without arguments."""


class Reference(ToolArguments):
    """Reference to a tool by ``namespacedName`` or ``refId``, with the name that it shall have in the toolset."""

    namespaced_name: str | None = Field(default=None, alias="namespacedName")
    ref_id: str | None = Field(default=None, alias="refId")
    server: str | None = None
    alias: str | None = Field(default=None, min_length=2, max_length=50, pattern=r"^[a-z0-9_]+\z")

    def as_reference(self) -> ToolReference:
        """Return the reference in the format of documents."""
        return ToolReference(namespaced_name=self.namespaced_name, ref_id=self.ref_id, server=self.server)


class BuildToolset(ToolArguments):
    """Arguments of ``build-toolset``."""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {
            "name": {
                "type": "string",
                "description": "Name for the new toolset. Use lowercase with hyphens (e.g., 'dev-essentials', "
                "'git-workflow', 'debug-kit')",
                "pattern": "^[a-z0-9-]+$",
                "minLength": 2,
                "maxLength": 50,
            },
            "tools": {
                "type": "array",
                "description": "Array of tools to include in the toolset. Each tool must specify either "
                "namespacedName or refId for identification. Optionally provide an alias to expose the tool under a "
                "custom snake_case name. Use list-available-tools to see available options.",
                "minItems": 1,
                "maxItems": 100,
                "items": {
                    "type": "object",
                    "properties": {
                        "namespacedName": {
                            "type": "string",
                            "description": "Tool reference by namespaced name (e.g., 'git.status', 'docker.ps')",
                        },
                        "refId": {
                            "type": "string",
                            "description": "Tool reference by unique hash identifier (e.g., 'abc123def456...')",
                        },
                        "alias": {
                            "type": "string",
                            "description": "Optional alias to expose the tool under a custom snake_case name (e.g., "
                            "'git_status' or 'docs_search')",
                            "pattern": "^[a-z0-9_]+$",
                            "minLength": 2,
                            "maxLength": 50,
                        },
                    },
                    "oneOf": [{"required": ["namespacedName"]}, {"required": ["refId"]}],
                    "additionalProperties": False,
                },
            },
            "description": {
                "type": "string",
                "description": "Optional description of what this toolset is for (e.g., 'Essential tools for web "
                "development')",
                "maxLength": 200,
            },
            "autoEquip": {
                "type": "boolean",
                "description": "Automatically equip this toolset after creation (default: false)",
            },
        },
        "required": ["name", "tools"],
        "additionalProperties": False,
    }

    name: str = Field(description="name of the new toolset, lowercase with hyphens")
    tools: list[Reference] = Field(min_length=1, max_length=100, description="the tools, by namespacedName or refId")
    description: str | None = Field(default=None, max_length=200, description="what the toolset is for")
    auto_equip: bool = Field(default=False, alias="autoEquip", strict=True, description="use it at once")

    @model_validator(mode="after")
    def _named(self) -> BuildToolset:
        if not is_toolset_name(self.name):
            raise ValueError("name: 2 to 50 of a-z, 0-9 and -, and no Windows device name")
        for reference in self.tools:
            if (reference.namespaced_name is None) == (reference.ref_id is None):
                raise ValueError("tools: each needs either namespacedName or refId")
        return self


class EquipToolset(ToolArguments):
    """Arguments of ``equip-toolset``."""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {"name": {"type": "string", "description": "Name of the toolset to equip"}},
        "required": ["name"],
        "additionalProperties": False,
    }

    name: str = Field(description="name of the toolset to equip")


class DeleteToolset(ToolArguments):
    """Arguments of ``delete-toolset``."""

    input_schema: ClassVar[JsonObject] = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "Name of the toolset to delete"},
            "confirm": {"type": "boolean", "description": "Confirm deletion (required to actually delete)"},
            "user_consent": {
                "type": "string",
                "enum": ["DELETE_TOOLSET"],
                "description": "DELETE_TOOLSET, only after the user said to delete exactly this toolset",
            },
        },
        "required": ["name"],
        "additionalProperties": False,
    }

    name: str = Field(description="name of the toolset to delete")
    confirm: bool = Field(default=False, strict=True, description="must be true to really delete it")
    user_consent: Literal["DELETE_TOOLSET"] | None = Field(
        default=None, description="only after the user said to delete exactly this toolset"
    )


@ToolArguments.declare
def list_available_tools(arguments: NoArguments, context: ToolContext) -> Result[JsonObject]:
    """Discover all tools available from connected MCP servers, grouped by server.

    Tools can be referenced by 'namespacedName' (e.g., 'git.status') or 'refId' (unique hash).
    """
    snapshot = context.snapshot
    shown: set[tuple[str, str]] | None = None  # of all toolsets
    if has_assigned_toolset(snapshot, context.principal):
        own = resolve_toolset(snapshot, context.toolset) if context.toolset is not None else ()
        shown = {entry.known.tool.key for entry in own if entry.known is not None and entry.enabled}
    groups = []
    for server, listing in snapshot.catalogue.servers.items():
        listed = (one for one in listing.tools if one.listed and (shown is None or one.tool.key in shown))
        known = [one for one in listed if not snapshot.effective_entry(one).is_for_user_only]
        tools = [_tool_value(one, snapshot.effective_entry(one)) for one in known]
        if tools and listing.status.state is not ServerState.DISABLED:
            state = str(listing.status.state)
            groups.append({"serverName": server, "state": state, "toolCount": len(tools), "tools": tools})
    total = sum(len(group["tools"]) for group in groups if isinstance(group["tools"], list))
    return Result.ok({"summary": {"totalTools": total, "totalServers": len(groups)}, "toolsByServer": groups})


@ToolArguments.declare
async def build_toolset(arguments: BuildToolset, context: ToolContext) -> Result[JsonObject]:
    """Build and save a custom toolset by selecting specific tools for a task or workflow.

    Each tool is named by namespacedName or refId; see list-available-tools. autoEquip puts it to use at once.
    """
    exists = arguments.name in context.snapshot.toolsets
    refused = refuse_change(arguments.name, context) if exists else refuse_name(arguments.name, context)
    if refused is not None:
        return refused
    if not exists and len(context.snapshot.toolsets) >= MAX_TOOLSETS:
        message = (
            f"name: there are {len(context.snapshot.toolsets)} toolsets; an assistant can build up to {MAX_TOOLSETS}"
        )
        return Result.failure(message, "invalid_arguments", instruction="Delete a toolset first, or use one of them.")
    raw = context.library.raw(toolset_document(arguments.name))
    before = EntryIndex((raw or {}).get("tools") or [])
    in_use = _rules_of(context, [context.toolset.name] if context.toolset is not None else [])
    others = _other_rules(arguments.name, context)
    chosen: dict[ToolKey, JsonObject] = {}
    for wanted in arguments.tools:
        found = find_named_tool(wanted.as_reference(), context)
        if isinstance(found, Result):
            return found
        reference = context.snapshot.catalogue.reference_to(found.tool)
        rules = (in_use if in_use.has(reference) else others).of(reference)
        entry = next(iter(before.matching(reference)), {**reference_fields(reference), **rules})
        chosen.setdefault(found.tool.key, {**entry, "alias": wanted.alias} if wanted.alias else entry)
    entries = list(chosen.values())
    if (tool := lost_rules(raw, entries, others)) is not None:
        return refuse_loss(arguments.name, tool, context)
    time = now()
    content: JsonObject = {
        "name": arguments.name,
        "title": arguments.name.replace("-", " ").capitalize(),
        "description": arguments.description or "",
        "version": "1.0.0",
        "createdAt": time,
        "lastModified": time,
        "tools": entries,
        "toolNotes": [],
        "createdBy": context.principal.author,
    }
    document = toolset_document(arguments.name)
    replaced = {key: content[key] for key in ("description", "lastModified", "tools")}
    edit = SetFields(document, replaced) if exists else CreateDocument(document, content)
    try:
        submitted = context.library.submit(edit, origin=context.origin)
        await asyncio.wrap_future(submitted.saved)
        if arguments.auto_equip:
            await _choose(arguments.name, context)
    except ToolnoteError as error:
        return library_failure(error)
    value = {"toolset": _toolset_value(context.snapshot.toolsets[arguments.name], context)}
    count = "1 tool" if len(entries) == 1 else f"{len(entries)} tools"
    return Result.ok(value, message=f'Toolset "{arguments.name}" was saved with {count}.')


def _rules_of(context: ToolContext, toolsets: Iterable[str]) -> Rules:
    return Rules(context.library.raw(toolset_document(name)) for name in toolsets)


def _other_rules(toolset: str, context: ToolContext) -> Rules:
    return _rules_of(context, (name for name in context.snapshot.toolsets if name != toolset))


@ToolArguments.declare
def list_saved_toolsets(arguments: NoArguments, context: ToolContext) -> Result[JsonObject]:
    """List all saved toolsets with their tools and whether each tool is available now."""
    toolsets = [_toolset_value(toolset, context) for toolset in context.snapshot.toolsets.values()]
    return Result.ok({"toolsets": toolsets})


@ToolArguments.declare
async def equip_toolset(arguments: EquipToolset, context: ToolContext) -> Result[JsonObject]:
    """Equip a saved toolset: from then on its tools are the ones on offer."""
    toolset = context.snapshot.toolsets.get(arguments.name)
    if toolset is None:
        return _failure(Code.TOOLSET_NOT_FOUND, name=arguments.name)
    if (refused := refuse_use(arguments.name, context)) is not None:
        return refused
    try:
        await _choose(arguments.name, context)
    except ToolnoteError as error:
        return library_failure(error)
    return Result.ok(
        {"toolset": _toolset_value(toolset, context)},
        message=f'Toolset "{arguments.name}" is in use.',
        instruction="The list of tools has changed; list the tools again before calling one.",
    )


@ToolArguments.declare
async def delete_toolset(arguments: DeleteToolset, context: ToolContext) -> Result[JsonObject]:
    """Delete a saved toolset with its notes. REQUIRES EXPLICIT USER INSTRUCTION.

    Never on your own initiative, to tidy up, or to undo your own mistake: only where the user named this toolset and
    said to delete it. Nothing is deleted unless confirm is true and user_consent is DELETE_TOOLSET.
    """
    if arguments.name not in context.snapshot.toolsets:
        return _failure(Code.TOOLSET_NOT_FOUND, name=arguments.name)
    if (refused := refuse_change(arguments.name, context)) is not None:
        return refused
    raw = context.library.raw(toolset_document(arguments.name))
    if (tool := lost_rules(raw, (), _other_rules(arguments.name, context))) is not None:
        return refuse_loss(arguments.name, tool, context)
    if (refused := refuse_deletion(arguments.name, context)) is not None:
        return refused
    if not arguments.confirm:
        return Result.failure(
            f'Deleting the toolset "{arguments.name}" was not confirmed.',
            "confirmation_required",
            instruction="Ask the user first; then call again with confirm set to true.",
        )
    if arguments.user_consent is None:
        return Result.failure(
            f'The user\'s consent to delete the toolset "{arguments.name}" is missing.',
            "consent_required",
            instruction=f'Ask the user whether to delete the toolset "{arguments.name}" with its notes. Only if they '
            'say yes to exactly this, call again with user_consent: "DELETE_TOOLSET".',
        )
    edits: list[Edit] = [DeleteDocument(toolset_document(arguments.name))]
    if context.snapshot.settings.equipped_toolset == arguments.name:
        edits.append(SetFields(SETTINGS, {"equippedToolset": None}))
    try:
        await asyncio.wrap_future(context.library.submit(*edits, origin=context.origin).saved)
    except ToolnoteError as error:
        return library_failure(error)
    return Result.ok({"deleted": arguments.name}, message=f'Toolset "{arguments.name}" was deleted.')


@ToolArguments.declare
async def unequip_toolset(arguments: NoArguments, context: ToolContext) -> Result[JsonObject]:
    """Stop using the toolset in use: only the built-in tools remain on offer."""
    toolset = context.toolset
    if toolset is None:
        return _failure(Code.NO_TOOLSET)
    try:
        await _choose(None, context)
    except ToolnoteError as error:
        return library_failure(error)
    return Result.ok({"unequipped": toolset.name}, message=f'Toolset "{toolset.name}" is no longer in use.')


@ToolArguments.declare
async def get_active_toolset(arguments: NoArguments, context: ToolContext) -> Result[JsonObject]:
    """Show the toolset in use: its tools, by server, and what is missing."""
    toolset, snapshot = context.toolset, context.snapshot
    if toolset is None:
        name = context.choices.toolset_name(context.principal, snapshot)
        lost = [english(ToolnoteError(Code.TOOLSET_NOT_FOUND, name=name).problem)] if name else []
        return Result.ok({"equipped": False, "exposedTools": {}, "unavailableServers": [], "warnings": lost})
    exposed: dict[str, list[JsonObject]] = {}
    served = served_tools(snapshot, toolset)
    # In a thread: a thousand tools that were not counted before take half a second.
    costs = await asyncio.to_thread(lambda: [estimate_definition_tokens(tool.definition) for tool in served])
    for tool, cost in zip(served, costs, strict=True):
        exposed.setdefault(tool.known.tool.server, []).append(
            {**_tool_value(tool.known, tool.entry), "exposedName": tool.name, "context": {"tokens": cost}}
        )
    unavailable = [
        server for server in exposed if snapshot.catalogue.servers[server].status.state is not ServerState.READY
    ]
    warnings = [english(r.problem) for r in resolve_toolset(snapshot, toolset) if r.problem is not None]
    return Result.ok(
        {
            "equipped": True,
            "toolset": _toolset_value(toolset, context),
            "exposedTools": exposed,
            "unavailableServers": unavailable,
            "warnings": warnings,
            "context": {"tokens": sum(costs)},
        }
    )


async def _choose(name: str | None, context: ToolContext) -> None:
    """Save the caller's choice and wait until it is on disk, so that it survives a crash.

    Raises:
        ToolnoteError: it could not be written.
    """
    await asyncio.wrap_future(context.choices.choose(context.principal, name).saved)


def library_failure(error: ToolnoteError) -> Result[Any]:
    """Return the failed result for an error of the library, with its code as error type."""
    code = error.problem.code
    kind = "storage_failed" if code in (Code.FILE_NOT_WRITTEN, Code.EDIT_NO_LONGER_FITS) else _error_type(code)
    return Result.failure(english(error.problem), kind)


def _failure(code: Code, **parameters: str) -> Result[Any]:
    return library_failure(ToolnoteError(code, **parameters))


def _error_type(code: Code) -> str:
    return "no_toolset_equipped" if code is Code.NO_TOOLSET else str(code).replace("-", "_")


def _tool_value(known: KnownTool, entry: ToolEntry) -> JsonObject:
    """Return an entry of the list; its description is without the paragraphs that the user muted."""
    tool = known.tool
    value: JsonObject = {
        "name": tool.name,
        "namespacedName": tool.namespaced_name,
        "serverName": tool.server,
        "refId": tool.ref_id,
    }
    if description := own_text(tool.served_base, entry):
        value["description"] = description
    return value


def _toolset_value(toolset: Toolset, context: ToolContext) -> JsonObject:
    active = context.toolset
    tools = []
    for resolved in resolve_toolset(context.snapshot, toolset):
        known = resolved.known
        reference = known.tool if known is not None else resolved.entry
        tools.append(
            {
                "namespacedName": reference.namespaced_name or "",
                "refId": reference.ref_id or "",
                "server": reference.server or "",
                "active": known is not None and known.listed and resolved.enabled and not resolved.for_user_only,
            }
        )
    return {
        "name": toolset.name,
        "title": toolset.title,
        "description": toolset.description,
        "toolCount": len(tools),
        "active": active is not None and active.name == toolset.name,
        "tools": tools,
    }
