"""Formats of imported files as pydantic models: errors by field, and the JSON Schemas in ``docs/schemas/``.

The models check and describe but do not convert: the raw JSON is imported, so unknown and unusable parts are not lost.
Import this module late: pydantic is not loaded before the first paint.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from toolnote_desktop.model.names import NOTE_TEXT_LIMIT

Name = Annotated[str, Field(min_length=1)]


class FileFormat(BaseModel):
    """Object in a file: camelCase keys, unknown ones allowed."""

    model_config = ConfigDict(extra="allow", alias_generator=to_camel, validate_by_name=False)


class ToolReferenceFormat(FileFormat):
    """Reference to a tool."""

    namespaced_name: str | None = Field(None, description="Server id, a dot, and the tool's own name.")
    ref_id: str | None = Field(None, description="SHA-256 of the definition (docs/contract.md 1).")
    server: str | None = Field(None, description="Server id, if the name alone is ambiguous.")


class ConsentFormat(FileFormat):
    """Explicit instruction of the user that a tool requires."""

    literal: str | None = Field(None, min_length=1)
    reason: str | None = None


class ToolFormat(ToolReferenceFormat):
    """Tool in a toolset (docs/contract.md 3)."""

    enabled: bool | None = None
    category: str | None = None
    alias: str | None = None
    optionality: Literal["required", "optional"] | None = None
    hints: dict[str, Any] | None = None
    consent: bool | ConsentFormat | None = None
    when_to_use: str | None = None
    instructions: str | None = None
    argument_defaults: dict[str, Any] | None = None
    hidden_arguments: list[str] | None = None


class NoteFormat(FileFormat):
    """Note."""

    name: str = Field(pattern=r"^[a-z0-9-]{1,50}$")
    note: str = Field(min_length=1, max_length=NOTE_TEXT_LIMIT)
    enabled: bool | None = None
    author: str | None = None
    created_at: str | None = Field(None, description="ISO 8601 in UTC.")
    category: str | None = None


class ToolNotesFormat(FileFormat):
    """Notes on one tool."""

    tool_ref: ToolReferenceFormat
    notes: list[NoteFormat] | None = None


def _named_tool(raw: Any) -> Any:
    return {"namespacedName": raw} if isinstance(raw, str) else raw


class PackedToolFormat(FileFormat):
    """Tool as it was when a pack's notes were written."""

    namespaced_name: Name
    server: str | None = Field(None, description="Id of its server, where two tools share the name.")
    ref_id: str | None = None
    fingerprint: str | None = Field(None, description="SHA-256 of the whole definition.")
    description: str | None = Field(None, description="The start of it, for people.")
    parameters: list[str] | None = Field(None, description="Names of its arguments, in alphabetical order.")


class PackFormat(FileFormat):
    """What makes a toolset's file a pack (docs/packs.md)."""

    version: Literal[1]
    tools: list[PackedToolFormat]


class PromptFormat(FileFormat):
    """Prompt of the bench, with the call that it should lead to (docs/bench.md)."""

    id: str = Field(pattern=r"^[a-z0-9-]{1,50}$")
    prompt: str = Field(min_length=1, max_length=20_000)
    tool: str | None = Field(None, description="Tool that should be called, by namespacedName; null: none.")
    arguments: dict[str, Any] | None = Field(
        None, description="Arguments that the call should have; others may follow."
    )
    must_not_call: list[str] | None = Field(None, description="Tools that must not be called.")


class ToolsetFormat(FileFormat):
    """Toolset: a file of ``toolsets/``, a ``.toolnote`` file, or one of hypertool-mcp's (docs/contract.md 3)."""

    name: str | None = None
    title: str | None = None
    description: str | None = None
    version: str | None = None
    created_at: str | None = Field(None, description="ISO 8601 in UTC.")
    last_modified: str | None = Field(None, description="ISO 8601 in UTC.")
    tools: list[Annotated[ToolFormat, BeforeValidator(_named_tool, json_schema_input_type=str | ToolFormat)]] | None = (
        None
    )
    tool_notes: list[ToolNotesFormat] | None = None
    guidelines: str | None = None
    task_types: dict[str, dict[str, Any] | None] | None = None
    pack: PackFormat | None = None
    prompts: list[PromptFormat] | None = None
    mcp_servers: dict[str, dict[str, Any]] | None = Field(
        None, description="Servers of the tools, without secrets: entries as in servers.json."
    )


class NotesFormat(FileFormat):
    """Notes of a toolset as a file of their own."""

    kind: str | None = Field(None, description="toolnote-notes")
    version: int | str | None = None
    toolset: str | None = None
    tool_notes: list[ToolNotesFormat]


class HypertoolConfigFormat(FileFormat):
    """``config.json`` of hypertool-mcp, as far as it is imported."""

    toolsets: dict[str, ToolsetFormat]


class PersonaToolsetFormat(FileFormat):
    """Toolset of a hypertool-mcp persona."""

    name: Name
    tool_ids: list[str] | None = None
    description: str | None = None


class PersonaFormat(FileFormat):
    """Persona of hypertool-mcp."""

    name: str | None = None
    description: str | None = None
    toolsets: list[PersonaToolsetFormat]


def field_errors(kind: type[FileFormat], raw: object) -> Iterator[tuple[str, str]]:
    """Yield (entry, reason) for each invalid field, such as ``("tools 2", "alias: Input should be a valid string")``.

    Reasons name the field but never its value, which may be a secret.
    """
    try:
        kind.model_validate(raw)
    except ValidationError as error:
        for one in error.errors(include_url=False, include_input=False, include_context=False):
            path = [str(step + 1) if isinstance(step, int) else step for step in one["loc"]]
            in_list = len(one["loc"]) > 1 and isinstance(one["loc"][1], int)
            entry, field = " ".join(path[: 2 if in_list else 1]), ".".join(path[2 if in_list else 1 :])
            # pydantic would name the Python class
            text = "Input should be an object" if one["type"] == "model_type" else one["msg"]
            yield entry, f"{field}: {text}" if field else text
