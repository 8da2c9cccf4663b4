"""Consent: a tool that is used only when the user has said so (docs/requirements.md 4.15).

An entry of a toolset asks for it with ``"consent": {"literal": "CREATE_ISSUE", "reason": "…"}``; both keys may be left
out, and ``true`` stands for none of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

from msgspec import Meta, field

from toolnote_desktop.model.document import Document, without_nulls
from toolnote_desktop.model.json_text import JsonObject

CONSENT_ARGUMENT: Final = "user_consent"
"""The argument that carries the literal; with a number behind it where the tool has one of that name itself."""

CONSENT_HEADING: Final = "REQUIRES EXPLICIT USER INSTRUCTION"


class Consent(Document, frozen=True):
    """What a tool asks for. ``literal`` None is made of the tool's name; ``reason`` is told to the assistant."""

    literal: Annotated[str, Meta(min_length=1)] | None = None
    reason: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def prepared(cls, raw: Any) -> Any:
        return super().prepared({} if raw is True else without_nulls(raw))


def consent_literal(consent: Consent, tool: str) -> str:
    """The one value that is taken: what the user chose, else the tool's own name, as in ``CREATE_ISSUE``."""
    if consent.literal is not None:
        return consent.literal
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", tool)
    return re.sub(r"[^A-Z0-9]+", "_", spaced.upper()).strip("_") or "USE_TOOL"


def consent_argument(taken: Mapping[str, Any]) -> str:
    """What the argument is called in a tool that has the arguments ``taken`` itself."""
    name, number = CONSENT_ARGUMENT, 2
    while name in taken:
        name, number = f"{CONSENT_ARGUMENT}_{number}", number + 1
    return name


def sentence(text: str) -> str:
    """A reason as one sentence on one line, with its full stop; empty stays empty."""
    line = " ".join(text.split())
    return f"{line}." if line and line[-1] not in ".!?…。！？" else line


def consent_text(consent: Consent, literal: str, argument: str) -> str:
    """What the description says: that it is required, why, and not to use the tool for the asking."""
    reason = sentence(consent.reason)
    told = f"{reason} " if reason else ""
    return (
        f"{CONSENT_HEADING}: {told}Use this tool only when the user has clearly asked for exactly this, never on your "
        f'own initiative. Only then pass `{argument}`: "{literal}".'
    )


def consent_schema(literal: str) -> JsonObject:
    """The schema of the argument. A one-value enum and no ``const``, which some clients refuse."""
    return {
        "type": "string",
        "enum": [literal],
        "description": "The user's explicit consent. Give this value only after the user has asked for this action.",
    }
