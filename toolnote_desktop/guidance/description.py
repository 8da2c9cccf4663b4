"""Description for a client: the server's text, the user's additions, the dialect's additions (docs/requirements.md 1).

The server's text is never changed. The user's additions follow it: consent, when to use the tool, instructions,
examples, and last the notes section, so that with notes alone it is exactly that of docs/contract.md 6. A dialect may
put the additions first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.guidance.notes_section import SECTION_TITLE, note_lines
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.argument_overrides import consent_of, override_schema
from toolnote_desktop.model.tools.consent import consent_text
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect, NotesPosition
from toolnote_desktop.model.tools.hints import EXAMPLES, is_loaded_at_once, with_client_switches, with_hints
from toolnote_desktop.model.toolsets.notes import Note
from toolnote_desktop.model.toolsets.toolset import NOTHING_SET, ToolEntry

EXAMPLES_TITLE: Final = "### Examples"

WHEN_TITLE: Final = "When to use: "

APPROVAL_TEXT: Final = "The user approves each call in Toolnote before it runs."

BETWEEN: Final = "\n\n"
"""Separator of parts."""

OWN_TITLE: Final = "### The tool's own description"
"""Heading between the user's additions and the server's text where they come first: nothing else would tell them
apart.
"""


class PartKind(StrEnum):
    """Kinds of the parts of a description."""

    OWN = "own"
    APPROVAL = "approval"
    CONSENT = "consent"
    WHEN = "when"
    INSTRUCTIONS = "instructions"
    EXAMPLES = "examples"
    HEADING = "heading"
    NOTE = "note"
    DIALECT = "dialect"


class ServedPart(Struct, frozen=True):
    """Part of a served description.

    Attributes:
        text: exactly as served.
        before: text between the part before it and this one.
        number: index of the note among the enabled ones; None for other kinds.
    """

    kind: PartKind
    text: str
    before: str = BETWEEN
    number: int | None = None


def added_text(definition: JsonObject, entry: ToolEntry, notes: Iterable[Note]) -> str:
    """Return the user's additions to a tool's description, with the notes section last; "" if none."""
    return joined(added_parts(definition, entry, notes))


def added_parts(definition: JsonObject, entry: ToolEntry, notes: Iterable[Note]) -> tuple[ServedPart, ...]:
    """Return the user's additions to a tool's description, part by part."""
    parts = []
    consent = consent_of(definition, entry)
    if entry.approval == "ask":
        parts.append(ServedPart(PartKind.APPROVAL, APPROVAL_TEXT))
    if entry.consent is not None and consent is not None:
        argument, literal = consent
        parts.append(ServedPart(PartKind.CONSENT, consent_text(entry.consent, literal, argument)))
    if when := entry.when_to_use.strip():
        parts.append(ServedPart(PartKind.WHEN, f"{WHEN_TITLE}{when}"))
    parts.append(ServedPart(PartKind.INSTRUCTIONS, entry.instructions.strip()))
    parts.append(ServedPart(PartKind.EXAMPLES, examples_section(entry.hints.get(EXAMPLES, ()))))
    lines = note_lines(notes)
    if lines:
        parts.append(ServedPart(PartKind.HEADING, SECTION_TITLE))
    parts += [
        ServedPart(PartKind.NOTE, line, BETWEEN if number == 0 else "\n", number) for number, line in enumerate(lines)
    ]
    return tuple(part for part in parts if part.text)


def joined(parts: Iterable[ServedPart]) -> str:
    """Return the text of consecutive parts."""
    return "".join(part.text if number == 0 else part.before + part.text for number, part in enumerate(parts))


def served_parts(
    definition: JsonObject, entry: ToolEntry, notes: Iterable[Note], dialect: Dialect = PLAIN
) -> tuple[ServedPart, ...]:
    """Return the parts of the description that :func:`served_definition` serves, in order."""
    own = own_text(definition, entry)
    added = added_parts(definition, entry, notes)
    original = (ServedPart(PartKind.OWN, own),) if own else ()
    more = BETWEEN.join(sentence for sentence in dialect.tool_sentences if sentence)
    last = (ServedPart(PartKind.DIALECT, more),) if more else ()
    if not comes_first(own, joined(added), dialect):
        return (*original, *added, *last)
    below = (ServedPart(PartKind.OWN, own, f"{BETWEEN}{OWN_TITLE}{BETWEEN}"),) if own else ()
    return (*added, *below, *last)


def own_text(definition: JsonObject, entry: ToolEntry) -> str | None:
    """Return the server's description without the paragraphs that the user muted; unchanged if none is."""
    description: str | None = definition.get("description")
    if not description or not entry.muted:
        return description
    return BETWEEN.join(text for text, is_muted in own_paragraphs(definition, entry) if not is_muted)


def own_paragraphs(definition: JsonObject, entry: ToolEntry) -> tuple[tuple[str, bool], ...]:
    """Return the paragraphs of the server's description, each with True if the user muted it."""
    description: str = definition.get("description") or ""
    muted = {text.strip() for text in entry.muted} - {""}
    return tuple((part, part.strip() in muted) for part in description.split(BETWEEN) if description)


def lost_mutes(definition: JsonObject, entry: ToolEntry) -> tuple[str, ...]:
    """Return the muted texts that are no paragraph of the server's description (any more)."""
    there = {text.strip() for text, _ in own_paragraphs(definition, entry)} if entry.muted else set()
    return tuple(text for text in entry.muted if text.strip() and text.strip() not in there)


def examples_section(examples: Iterable[Mapping[str, Any]]) -> str:
    """Return examples as text: input and output as JSON, with their descriptions."""
    texts = []
    for example in examples:
        lines = []
        if isinstance(example.get("description"), str) and example["description"].strip():
            lines.append(example["description"].strip())
        for key, label in (("input", "Input"), ("output", "Output")):
            if key in example:
                lines.append(f"{label}: {json_text.dumps(example[key]).decode('utf-8')}")
        texts.append("\n".join(lines))
    return "\n\n".join([EXAMPLES_TITLE, *texts]) if texts else ""


class PartAuthor(StrEnum):
    """Authors of the parts of a description."""

    TOOL = "tool"
    USER = "user"
    DIALECT = "dialect"


class DescriptionPart(Struct, frozen=True):
    """Part of a description; an empty line separates parts."""

    writer: PartAuthor
    text: str


def description_parts(description: str | None, added: str, dialect: Dialect = PLAIN) -> tuple[DescriptionPart, ...]:
    """Return the non-empty parts of a description in order."""
    more = BETWEEN.join(sentence for sentence in dialect.tool_sentences if sentence)
    of_tool, of_user = (PartAuthor.TOOL, description or ""), (PartAuthor.USER, added)
    first = comes_first(description, added, dialect)
    ordered = (*((of_user, of_tool) if first else (of_tool, of_user)), (PartAuthor.DIALECT, more))
    return tuple(DescriptionPart(writer, text) for writer, text in ordered if text)


def described(description: str | None, added: str, dialect: Dialect = PLAIN) -> str | None:
    """Return the whole description; exactly the server's if nothing is added."""
    parts = description_parts(description, added, dialect)
    if all(part.writer is PartAuthor.TOOL for part in parts):
        return description
    texts = [part.text for part in parts]
    if comes_first(description, added, dialect):
        texts.insert(1, OWN_TITLE)
    return BETWEEN.join(texts)


def comes_first(description: str | None, added: str, dialect: Dialect) -> bool:
    """Return True if the dialect puts the user's additions before the server's text."""
    if not added or not description or dialect.notes is NotesPosition.AFTER:
        return False
    if dialect.notes is NotesPosition.BEFORE:
        return True
    limit = dialect.description_limit
    return limit is not None and len(description) + 2 + len(added) > limit


def tool_dialect(definition: JsonObject, dialect: Dialect) -> Dialect:
    """Return the dialect for one tool: a client may cut less of a tool that it loads on demand than of others."""
    return dialect.loaded() if is_loaded_at_once(definition, dialect.meta_switches) else dialect


def served_definition(
    definition: JsonObject,
    exposed_name: str,
    notes: Iterable[Note],
    entry: ToolEntry = NOTHING_SET,
    dialect: Dialect = PLAIN,
    *,
    parameter_notes: bool = True,
) -> JsonObject:
    """Return a tool as a client sees it: deep-equal to its definition except as listed in docs/contract.md 5.

    The schema subset of a dialect is separate (``guidance.schema_subset``). Keys keep their order; ``description`` is
    only added if not empty. The definition itself is not modified.
    """
    switched = with_client_switches(definition, entry.hints, entry.when_to_use, dialect.meta_switches)
    overridden = override_schema(switched, entry, with_notes=parameter_notes)
    served = {**with_hints(overridden, entry.hints), "name": exposed_name}
    own = own_text(definition, entry)
    description = described(own, added_text(definition, entry, notes), tool_dialect(switched, dialect))
    if description:
        served["description"] = description
    elif description is not None and description != definition.get("description"):
        del served["description"]
    return served
