"""Preferences of the user for guidance: for all assistants in ``settings.json``, for one in ``clients.json``.

An assistant's own value replaces that for all; lists of tools add up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from toolnote_desktop.model.document import Document, Report, parse_entry

PREFERENCES: Final = "preferences"
"""Key in ``settings.json`` and in the entries of ``clients.json``."""

GUIDE_TOKENS: Final = 8_000
"""Tokens that a guide takes at most, by default."""

LANGUAGE_NAMES: Final[Mapping[str, str]] = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "pl": "Polish",
    "tr": "Turkish",
    "ja": "Japanese",
    "zh": "Chinese",
    "ko": "Korean",
}
"""Languages that can be preferred, with their English names for assistants."""


class Preferences(Document, frozen=True):
    """Preferences. None: not set.

    Attributes:
        language: code of the language in which assistants write what the user reads, and notes.
        detail: level of detail of guides where the assistant names none.
        always, never: tools, by namespacedName, that guides always describe, and that assistants leave alone.
        ask_before_changes: assistants ask before a call that may change something.
        guide_tokens: tokens that a guide takes at most.
    """

    language: str | None = None
    detail: Literal["summary", "standard", "full"] | None = None
    always: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    ask_before_changes: bool | None = None
    guide_tokens: Annotated[int, Meta(ge=500, le=200_000)] | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Tokens that a guide takes at most."""
        return self.guide_tokens or GUIDE_TOKENS

    def over(self, general: Preferences) -> Preferences:
        """Return these preferences of one assistant over those for all."""
        return replace(
            general,
            language=self.language or general.language,
            detail=self.detail or general.detail,
            always=tuple(dict.fromkeys((*(one for one in general.always if one not in self.never), *self.always))),
            never=tuple(dict.fromkeys((*(one for one in general.never if one not in self.always), *self.never))),
            ask_before_changes=(
                general.ask_before_changes if self.ask_before_changes is None else self.ask_before_changes
            ),
            guide_tokens=self.guide_tokens or general.guide_tokens,
        )


NO_PREFERENCES: Final = Preferences()


def changed_preferences(raw: Any, key: str, value: Any) -> dict[str, Any]:
    """Return preferences as in the file with one key set, or removed for None; what else is there stays."""
    rest = {name: one for name, one in raw.items() if name != key} if isinstance(raw, dict) else {}
    return rest if value is None else {**rest, key: value}


def parse_preferences(raw: Any, place: str, report: Report) -> Preferences:
    """Parse preferences key by key: an unusable value, or element of a list, is reported and left out."""
    if raw is None:
        return NO_PREFERENCES
    if not isinstance(raw, dict):
        report(place, "not an object")
        return NO_PREFERENCES
    usable: dict[str, Any] = {}
    for key, value in raw.items():
        if key in ("always", "never") and isinstance(value, list):
            usable[key] = [one for one in value if isinstance(one, str)]
            if len(usable[key]) < len(value):
                report(f"{place}.{key}", "has an element that is not a text")
        elif key == "language" and value is not None and value not in tuple(LANGUAGE_NAMES):
            report(f"{place}.{key}", f"expected one of {', '.join(LANGUAGE_NAMES)}")
        elif value is not None and parse_entry(Preferences, {key: value}, f"{place}.{key}", report) is not None:
            usable[key] = value
    return parse_entry(Preferences, usable, place, report) or NO_PREFERENCES
