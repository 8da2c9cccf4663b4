"""Note templates: notes with ``{placeholders}`` to fill in a form (docs/requirements.md 0.20)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.names import is_note_name, is_note_text

_PLACEHOLDER: Final = re.compile(r"\{\{|\}\}|\{([A-Za-z][A-Za-z0-9_ -]*)\}")
"""``{name}``; ``{{`` and ``}}`` are literal braces, as is any other brace: notes may contain JSON."""


class NoteCategory(StrEnum):
    """Purposes of notes."""

    USAGE = "usage"
    WARNING = "warning"
    CONVENTION = "convention"
    EXAMPLE = "example"
    WORKFLOW = "workflow"


class NoteTemplate(Struct, frozen=True):
    """Note template.

    Attributes:
        name: name for a note created from it, if unused.
        text: text with placeholders.
        hints: placeholder -> help text for the form.
    """

    name: str
    title: str
    category: NoteCategory
    text: str
    hints: Mapping[str, str]


class TemplateError(ValueError):
    """Reason in a few words why a file is not a template."""


def parse_template(raw: object) -> NoteTemplate:
    """Parse a template file: ``{"name", "title", "category", "text", "placeholders": {NAME: HINT}}``.

    Raises:
        TemplateError: it cannot be used.
    """
    if not isinstance(raw, dict):
        raise TemplateError("not an object")
    name, text = raw.get("name"), raw.get("text")
    if not isinstance(name, str) or not is_note_name(name):
        raise TemplateError("name: not 1 to 50 of a-z, 0-9 and -")
    if not isinstance(text, str) or not is_note_text(text):
        raise TemplateError("text: not 1 to 4,000 characters")
    if raw.get("category") not in list(NoteCategory):
        raise TemplateError(f"category: none of {', '.join(NoteCategory)}")
    title, hints = raw.get("title"), raw.get("placeholders", {})
    if not isinstance(hints, dict) or not all(isinstance(hint, str) for hint in hints.values()):
        raise TemplateError("placeholders: not an object of texts")
    shown = title if isinstance(title, str) and title.strip() else name
    return NoteTemplate(name, shown, NoteCategory(raw["category"]), text, dict(hints))


def placeholders(text: str) -> tuple[str, ...]:
    """Return the placeholders of a text in order, without duplicates."""
    return tuple(dict.fromkeys(match[1] for match in _PLACEHOLDER.finditer(text) if match[1] is not None))


def fill(text: str, values: Mapping[str, Any]) -> str:
    """Replace the placeholders of a text by values; those without a value stay.

    Inserted values are not expanded again: their braces are literal.
    """

    def replacement(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return match[0][0]
        value = str(values.get(name, "")).strip()
        return value or match[0]

    return _PLACEHOLDER.sub(replacement, text)


def missing(text: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the placeholders without a value."""
    return tuple(name for name in placeholders(text) if not str(values.get(name, "")).strip())
