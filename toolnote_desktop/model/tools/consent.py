"""Consent: tools that are used only on the user's explicit instruction (docs/requirements.md 4.15).

An entry of a toolset requires it with ``"consent": {"literal": "CREATE_ISSUE", "reason": "…"}``; both keys are
optional, and ``true`` means an object without them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

from msgspec import Meta, field

from toolnote_desktop.model.document import Document, InvalidEntryError, is_empty
from toolnote_desktop.model.json_text import JsonObject

CONSENT_ARGUMENT: Final = "user_consent"
"""Argument that carries the literal; numbered if the tool has an argument of that name itself."""

CONSENT_HEADING: Final = "REQUIRES EXPLICIT USER INSTRUCTION"


class Consent(Document, frozen=True):
    """Consent that a tool requires. ``literal`` None: derived from the tool's name; ``reason`` is shown to the
    assistant.
    """

    literal: Annotated[str, Meta(min_length=1)] | None = None
    reason: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def normalize(cls, raw: Any) -> Any:
        known = {key: value for key, value in raw.items() if not is_empty(value)} if isinstance(raw, dict) else raw
        return super().normalize({} if raw is True else known)


def normalize_consent(raw: Any) -> Any:
    """Return a ``consent`` value as an object; None for null and false.

    Raises:
        InvalidEntryError: neither an object nor a boolean.
    """
    if not isinstance(raw, dict | bool | None):
        raise InvalidEntryError("consent: expected an object or true")
    return None if raw is None or raw is False else Consent.normalize(raw)


def consent_literal(consent: Consent, tool: str) -> str:
    """Return the only accepted value: the user's literal, else one derived from the tool's name, as in
    ``CREATE_ISSUE``.
    """
    if consent.literal is not None:
        return consent.literal
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", tool)
    return re.sub(r"[^A-Z0-9]+", "_", spaced.upper()).strip("_") or "USE_TOOL"


def consent_argument(taken: Mapping[str, Any]) -> str:
    """Return the name of the consent argument for a tool that itself has the arguments ``taken``."""
    name, number = CONSENT_ARGUMENT, 2
    while name in taken:
        name, number = f"{CONSENT_ARGUMENT}_{number}", number + 1
    return name


def sentence(text: str) -> str:
    """Return a reason as one sentence on one line, with a full stop; empty stays empty."""
    line = " ".join(text.split())
    return f"{line}." if line and line[-1] not in ".!?…。！？" else line


def consent_text(consent: Consent, literal: str, argument: str) -> str:
    """Return the text for the description: consent is required, the reason, and the instruction not to ask for it."""
    reason = sentence(consent.reason)
    why = f"{reason} " if reason else ""
    return (
        f"{CONSENT_HEADING}: {why}Use this tool only when the user has clearly asked for exactly this, never on your "
        f'own initiative. Only then pass `{argument}`: "{literal}".'
    )


def consent_schema(literal: str) -> JsonObject:
    """Return the schema of the argument. It uses an enum of one value, as some clients refuse ``const``."""
    return {
        "type": "string",
        "enum": [literal],
        "description": "The user's explicit consent. Give this value only after the user has asked for this action.",
    }
