"""Built-in tools, served before those of servers (docs/contract.md 7, docs/requirements.md 4)."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import os
import threading
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pydantic import ValidationError

from toolnote_desktop.guidance.description import described
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import (
    BUILT_IN,
    built_in_prefix,
    built_in_records,
    enabled_built_in,
    met_requirements,
)
from toolnote_desktop.model.tools.tool_records import Requirement
from toolnote_desktop.proxy.client_guidance import ClientGuidance
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.tools.arguments import ToolArguments, arguments_of, first_invalid_argument
from toolnote_desktop.proxy.tools.boundary import has_assigned_toolset
from toolnote_desktop.proxy.tools.context import ToolContext, ToolsetChoices
from toolnote_desktop.proxy.tools.decorator import ToolDecorator, log_invalid_arguments
from toolnote_desktop.store.library import Library

MODULES = ("tool_toolset", "tool_annotation", "tool_notes", "tool_guide", "tool_search")
"""Modules that declare tools, in the order in which the tools are served."""

EXAMPLE_MODULE = "tool_example"
EXAMPLE_VARIABLE = "MCP_INCLUDE_EXAMPLE_TOOLS"

GUIDE_TOOL = "get-tool-guide"
CALL_TOOL = "call-tool"
SEARCH_TOOL = "search-tools"

_READ_ONLY = frozenset(
    {
        "list-available-tools",
        "list-saved-toolsets",
        "get-active-toolset",
        "list-tool-annotations",
        "get-tool-guide",
        "search-tools",
    }
)
_DESTRUCTIVE = frozenset({"delete-toolset", "remove-tool-annotation", "call-tool"})
_REPEATABLE = frozenset({"equip-toolset", "unequip-toolset", "update-tool-annotation"})

_building = threading.Lock()


class BuiltInTool(Struct, frozen=True):
    """Built-in tool.

    Attributes:
        name: name without prefix.
        instructions: the user's instructions, appended to its description (docs/requirements.md 1.3).
        task_types: names of the task types of the toolset in use, which the guide's tool offers.
    """

    name: str
    function: Callable[..., Any]
    arguments: type[ToolArguments]
    instructions: str = ""
    task_types: tuple[str, ...] = ()

    def definition(self, name: str) -> JsonObject:
        """Return the tool's entry in ``tools/list``."""
        read_only = self.name in _READ_ONLY
        return {
            "name": name,
            "description": described(self.arguments.build_tool_description(self.function), self.instructions),
            "inputSchema": self._input_schema(),
            "annotations": {
                "title": self.name.replace("-", " ").capitalize(),
                "readOnlyHint": read_only,
                "destructiveHint": self.name in _DESTRUCTIVE,
                "idempotentHint": read_only or self.name in _REPEATABLE,
                "openWorldHint": self.name == "call-tool",
            },
        }

    def _input_schema(self) -> JsonObject:
        schema = self.arguments.input_schema
        if self.name != GUIDE_TOOL or not self.task_types:
            return schema
        properties = schema["properties"]
        task = {**properties["task"], "enum": list(self.task_types)}
        return {**schema, "properties": {**properties, "task": task}}

    async def prepare(self) -> None:
        """Build what checks the arguments and writes the result, which most runs do without, beside the loop."""
        if not self.arguments.__pydantic_complete__:
            await asyncio.to_thread(_build, self.arguments)

    async def call(self, arguments: object, context: ToolContext) -> Result[Any]:
        """Run the tool. Invalid arguments are a failed result, never a protocol error."""
        parsed = self._parsed(arguments)
        if isinstance(parsed, Result):
            log_invalid_arguments(self.name, parsed.error or "")
            return parsed
        try:
            outcome = _logged(self.name, self.function)(parsed, context)
            result: Result[Any] = await outcome if inspect.isawaitable(outcome) else outcome
        except Exception as error:  # noqa: BLE001 - a fault of ours is an answer for the assistant, and logged with its traceback
            return Result.failure(
                f"{self.name} could not finish because of a fault in Toolnote.",
                "internal_error",
                exception=error,
                instruction="Do not call it again with the same arguments; tell the user that the log has the details.",
            )
        return result

    def accepts(self, arguments: object) -> bool:
        """Return True if the arguments are valid."""
        return not isinstance(self._parsed(arguments), Result)

    def _parsed(self, arguments: object) -> ToolArguments | Result[Any]:
        try:
            return self.arguments.model_validate({} if arguments is None else arguments)
        except ValidationError as error:
            return Result.failure(first_invalid_argument(error), "invalid_arguments")


def _build(arguments: type[ToolArguments]) -> None:
    with _building:
        for model in (Result, arguments):
            model.model_rebuild()


@cache
def built_in_tools() -> dict[str, BuiltInTool]:
    """Return the built-in tools by name without prefix. Cached, because declarations can be taken only once."""
    examples = (EXAMPLE_MODULE,) if os.environ.get(EXAMPLE_VARIABLE) == "true" else ()
    modules = [f"{__name__}.{module}" for module in (*MODULES, *examples)]
    for module in modules:
        importlib.import_module(module)
    places = {module: place for place, module in enumerate(modules)}  # independent of the order of imports
    declared = ToolArguments.get_declared_tools().items()
    return {
        name: BuiltInTool(name, function, arguments_of(function))
        for name, function in sorted(declared, key=lambda one: places.get(one[1].__module__, len(places)))
    }


@cache
def _decorator() -> ToolDecorator:
    return ToolDecorator()


@cache
def _logged(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    return _decorator().logged(name, function)


def tool_prefix(snapshot: Snapshot) -> str:
    """Return the prefix of built-in tools: ``MCP_TOOL_PREFIX``, else the setting, without invalid characters."""
    return built_in_prefix(snapshot.settings.tool_prefix, _decorator().variable)


def served_built_in_tools(
    snapshot: Snapshot, principal: Principal, task_types: tuple[str, ...] = (), *, is_searched: bool = False
) -> dict[str, BuiltInTool]:
    """Return a caller's built-in tools by final name: those enabled in the settings whose requirements are met.

    Args:
        task_types: names of the task types of its toolset.
        is_searched: it finds its tools by searching.
    """
    settings, prefix = snapshot.settings, tool_prefix(snapshot)
    met = requirements_met(snapshot, principal, is_searched=is_searched)
    records = {one.id: one for one in built_in_records(settings).enabled(enabled_built_in(settings), met)}
    served = {}
    for tool in built_in_tools().values():
        if tool.name in records:
            kinds = task_types if tool.name == GUIDE_TOOL else ()
            served[tool.name] = replace(tool, instructions=records[tool.name].instructions, task_types=kinds)
        elif BUILT_IN.get(tool.name) is None:  # the example, imported only if its variable is set
            served[tool.name] = tool
    own = {name: prefix if tool.arguments.prefix is None else tool.arguments.prefix for name, tool in served.items()}
    return {_decorator().final_name(name, own[name]): tool for name, tool in served.items()}


def requirements_met(snapshot: Snapshot, principal: Principal, *, is_searched: bool) -> frozenset[Requirement]:
    """Return the requirements of built-in tools that are met for a caller."""
    client = snapshot.clients.get(principal.client) if principal.client else None
    assigned = has_assigned_toolset(snapshot, principal)
    return met_requirements(client, is_assigned=assigned, is_searched=is_searched)


def tool_context(
    library: Library, principal: Principal, choices: ToolsetChoices, guidance: ClientGuidance, *, is_searched: bool
) -> ToolContext:
    """Return the context of a caller's call, with the names of the built-in tools that it is served."""
    context = ToolContext(library, principal, choices, guidance, is_searched)
    served = served_built_in_tools(context.snapshot, principal, is_searched=is_searched)
    dialect = context.dialect
    own = {tool.name: dialect.shown_name(name) for name, tool in served.items()}
    return replace(context, own_tools=own)


def final_name(built_in: Mapping[str, BuiltInTool], wanted: str) -> str | None:
    """Return the final name of a built-in tool; None if the caller is not served it."""
    return next((name for name, tool in built_in.items() if tool.name == wanted), None)


def built_in_definitions(
    snapshot: Snapshot, principal: Principal | None = None, *, is_searched: bool = False
) -> tuple[JsonObject, ...]:
    """Return the built-in entries of ``tools/list``; ``principal`` None is the run's own token."""
    served = served_built_in_tools(snapshot, principal or Principal(None), is_searched=is_searched)
    return tuple(tool.definition(name) for name, tool in served.items())
