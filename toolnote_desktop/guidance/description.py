"""The description that a client gets: the server's own words, what the user added, what the dialect adds (docs/requirements.md 1).

The server's words are never changed. What the user added follows them: consent, when to use the tool, instructions,
examples, and last the notes section, so that with notes alone it is docs/contract.md 6 to the letter. A dialect may put all
that first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.guidance.notes_section import notes_section
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.argument_overrides import consent_of, override_schema
from toolnote_desktop.model.tools.consent import consent_text
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect, NotesPosition
from toolnote_desktop.model.tools.hints import EXAMPLES, with_hints
from toolnote_desktop.model.toolsets.notes import Note
from toolnote_desktop.model.toolsets.toolset import ToolEntry

EXAMPLES_TITLE: Final = "### Examples"

NOTHING_SET: Final = ToolEntry()
"""The entry of a tool for which the user set nothing."""


def added_text(definition: JsonObject, entry: ToolEntry, notes: Iterable[Note]) -> str:
    """Everything that the user added to a tool's description, the notes section last; empty where that is nothing."""
    parts = []
    consent = consent_of(definition, entry)
    if entry.consent is not None and consent is not None:
        argument, literal = consent
        parts.append(consent_text(entry.consent, literal, argument))
    if when := entry.when_to_use.strip():
        parts.append(f"When to use: {when}")
    parts.append(entry.instructions.strip())
    parts += [examples_section(entry.hints.get(EXAMPLES, ())), notes_section(notes)]
    return "\n\n".join(part for part in parts if part)


def examples_section(examples: Iterable[Mapping[str, Any]]) -> str:
    """Examples as text: input and output as JSON, with their own description where they have one."""
    told = []
    for example in examples:
        lines = []
        if isinstance(example.get("description"), str) and example["description"].strip():
            lines.append(example["description"].strip())
        for key, label in (("input", "Input"), ("output", "Output")):
            if key in example:
                lines.append(f"{label}: {json_text.dumps(example[key]).decode('utf-8')}")
        told.append("\n".join(lines))
    return "\n\n".join([EXAMPLES_TITLE, *told]) if told else ""


class Writer(StrEnum):
    """Whose words a part of a description is."""

    TOOL = "tool"
    USER = "user"
    DIALECT = "dialect"


class DescriptionPart(Struct, frozen=True):
    """One part of a description; an empty line stands between two."""

    writer: Writer
    text: str


BETWEEN: Final = "\n\n"
"""What stands between two parts."""


def description_parts(description: str | None, added: str, dialect: Dialect = PLAIN) -> tuple[DescriptionPart, ...]:
    """The parts of a whole description in their order, empty ones left out."""
    more = BETWEEN.join(sentence for sentence in dialect.tool_sentences if sentence)
    own, ours = (Writer.TOOL, description or ""), (Writer.USER, added)
    first = stands_first(description, added, dialect)
    ordered = (*((ours, own) if first else (own, ours)), (Writer.DIALECT, more))
    return tuple(DescriptionPart(writer, text) for writer, text in ordered if text)


def described(description: str | None, added: str, dialect: Dialect = PLAIN) -> str | None:
    """The whole description; exactly the server's where nothing is added."""
    parts = description_parts(description, added, dialect)
    if all(part.writer is Writer.TOOL for part in parts):
        return description
    return BETWEEN.join(part.text for part in parts)


def stands_first(description: str | None, added: str, dialect: Dialect) -> bool:
    """Whether the dialect puts what the user added before the server's words."""
    if not added or not description or dialect.notes is NotesPosition.AFTER:
        return False
    if dialect.notes is NotesPosition.BEFORE:
        return True
    limit = dialect.description_limit
    return limit is not None and len(description) + 2 + len(added) > limit


def served_definition(
    definition: JsonObject,
    exposed_name: str,
    notes: Iterable[Note],
    entry: ToolEntry = NOTHING_SET,
    dialect: Dialect = PLAIN,
) -> JsonObject:
    """A tool as a client sees it: deep-equal to its definition but for what docs/contract.md 5 lists.

    The schema subset of a dialect is not part of this (``guidance.schema_subset``). Keys keep their order;
    ``description`` is only added where something is said in it. The definition itself is not changed.
    """
    served = {**with_hints(override_schema(definition, entry), entry.hints), "name": exposed_name}
    description = described(definition.get("description"), added_text(definition, entry, notes), dialect)
    if description is not None:
        served["description"] = description
    return served
