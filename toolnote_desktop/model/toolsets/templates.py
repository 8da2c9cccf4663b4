"""Note templates: notes to start from, with ``{placeholders}`` that a form fills (docs/requirements.md 0.20)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.names import is_note_name, is_note_text

_PLACEHOLDER: Final = re.compile(r"\{\{|\}\}|\{([A-Za-z][A-Za-z0-9_ -]*)\}")
"""``{name}``; ``{{`` and ``}}`` are braces. Any other brace is one too: notes may hold JSON."""


class NoteCategory(StrEnum):
    """What a note is for."""

    USAGE = "usage"
    WARNING = "warning"
    CONVENTION = "convention"
    EXAMPLE = "example"
    WORKFLOW = "workflow"


class NoteTemplate(Struct, frozen=True):
    """One template.

    Attributes:
        name: what a note made of it is called, if that name is free.
        text: with placeholders.
        hints: placeholder -> what to write there, for the form.
    """

    name: str
    title: str
    category: NoteCategory
    text: str
    hints: Mapping[str, str]


class TemplateError(ValueError):
    """A file that is no template; the text says why in a few words."""


def parse_template(raw: object) -> NoteTemplate:
    """Read one template file: ``{"name", "title", "category", "text", "placeholders": {NAME: HINT}}``.

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
    """The placeholders of a text, each once, in their order."""
    return tuple(dict.fromkeys(match[1] for match in _PLACEHOLDER.finditer(text) if match[1] is not None))


def fill(text: str, values: Mapping[str, Any]) -> str:
    """A text with its placeholders replaced by what was written for them; one without a value stays as it is.

    What is filled in is not looked at again: braces in it are braces.
    """

    def replacement(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return match[0][0]
        value = str(values.get(name, "")).strip()
        return value or match[0]

    return _PLACEHOLDER.sub(replacement, text)


def missing(text: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    """The placeholders that have no value yet."""
    return tuple(name for name in placeholders(text) if not str(values.get(name, "")).strip())
