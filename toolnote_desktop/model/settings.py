"""Settings: ``settings.json`` (docs/contract.md 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from toolnote_desktop.model.clients import is_lost
from toolnote_desktop.model.document import Document, Report, parse_entry
from toolnote_desktop.model.edits import RULES_LOST
from toolnote_desktop.model.names import is_valid_unicode
from toolnote_desktop.model.preferences import NO_PREFERENCES, PREFERENCES, Preferences, parse_preferences

EVERY_BUILT_IN: Final = "*"
"""Element of a list of hidden built-in tools or groups that hides all of them."""


Price = Annotated[float, Meta(ge=0, le=1e9)]
"""Price of a million tokens, in any currency."""


class Settings(Document, frozen=True):
    """Preferences. Unknown keys stay in the file."""

    equipped_toolset: str | None = None
    port: Annotated[int, Meta(ge=0, le=65535)] | None = None
    """Port of the endpoint; None: the default, 8377."""
    tool_prefix: str = ""
    """Prefix of each built-in tool's name if ``MCP_TOOL_PREFIX`` is not set."""
    hidden_built_in_tools: tuple[str, ...] = ()
    """Built-in tools (by undecorated name) that are not served."""
    hidden_built_in_groups: tuple[str, ...] = ()
    """Groups of built-in tools that are not served: ``toolsets``, ``notes``, ``guide`` (docs/contract.md 7)."""
    built_in_instructions: dict[str, str] = field(default_factory=dict)
    """Built-in tool (undecorated name) -> the user's instructions for assistants, after its own description."""
    notes_paused: bool = False
    """Serve the tools as their servers describe them: the user's notes are kept but left out."""
    lazy_mode: bool = False
    """List only the built-in tools to clients, including ``search-tools`` and ``call-tool``, with which they find and
    call the others.
    """
    note_tokens: Annotated[int, Meta(ge=1)] | None = 500
    """Tokens above which a note is reported as long; None: no limit. Likewise for a tool and a toolset."""
    tool_tokens: Annotated[int, Meta(ge=1)] | None = 2000
    toolset_tokens: Annotated[int, Meta(ge=1)] | None = 16_000
    session_idle: Annotated[float, Meta(ge=1)] = 3600.0
    """Seconds after which a client's session with no request and no open stream is closed. The client may open another.
    """
    activity_days: Annotated[int, Meta(ge=1, le=3650)] = 90
    """Days for which calls are recorded."""
    audit_days: Annotated[int, Meta(ge=1, le=3650)] = 365
    """Days for which decisions and changes are recorded (``store/audit.py``)."""
    offer_notes: bool = True
    """Ask assistants, in the instructions, to offer to keep a correction as a note."""
    packs_folder: str | None = None
    """Folder of packs that is watched while the window runs (docs/packs.md)."""
    packs_seen: dict[str, str] = field(default_factory=dict)
    """File in that folder -> SHA-256 of the version that the user imported or skipped."""
    bench_endpoint: str | None = None
    """Endpoint of the bench's model; None: the vendor's own (docs/bench.md)."""
    bench_api: Literal["openai", "anthropic"] = "openai"
    bench_model: str = ""
    bench_price: tuple[Price, Price] | None = None
    """Prices of a million tokens, in and out, in any currency."""
    look_for_updates: bool = True
    """Check the release feed once a day, in builds that no package manager updates."""
    theme: Literal["system", "light", "dark"] = "system"
    contrast: Literal["system", "more"] = "system"
    """``more``: high contrast regardless of the system. Likewise ``motion``: ``none``."""
    motion: Literal["system", "none"] = "system"
    language: str = "system"
    """Language of the window: a code such as ``de``, or ``system``."""
    secrets_without_keychain: Literal["run", "file"] | None = None
    """Location of secrets on systems without a keychain: memory of this run, or an unencrypted file."""
    preferences: Preferences = NO_PREFERENCES
    """The user's preferences for all assistants."""
    rules_lost: bool = False
    """The settings of an unreadable file are not known (docs/contract.md 2)."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Other keys in the file, such as the window's behaviour when it is closed."""
    unusable: dict[str, Any] = field(default_factory=dict)
    """Unusable elements of lists and maps by key; an edit of such a list keeps them in the file."""

    def with_unusable(self, key: str, value: list[Any] | dict[str, Any]) -> list[Any] | dict[str, Any]:
        """Return a new list or map for a key of the file, followed by the unusable elements that the file has there."""
        rest = self.unusable.get(key)
        if isinstance(value, dict):
            return {**(rest if isinstance(rest, dict) else {}), **value}
        return [*value, *(rest if isinstance(rest, list) else [])]


_ALL_HIDDEN: dict[str, tuple[str, ...]] = {
    "hiddenBuiltInTools": (EVERY_BUILT_IN,),
    "hiddenBuiltInGroups": (EVERY_BUILT_IN,),
}
"""Values of settings that withhold something, where the file's value is no list: all is withheld."""


_WHILE_LOST: Final[Mapping[str, Any]] = {
    "hiddenBuiltInTools": [EVERY_BUILT_IN],
    "activityDays": 3650,
    "auditDays": 3650,
}
"""Values of settings, until the user sets them again, while those of before are lost: nothing is shown or deleted that
was not before.
"""


def parse_settings(raw: Mapping[str, Any], report: Report) -> Settings:
    """Parse ``settings.json``; an invalid value is reported and replaced by its default.

    Lists and maps of texts are read element by element, so that one wrong element costs no other. A list of what is
    hidden that is no list hides all.
    """
    settings = {key: value for key, value in raw.items() if key != "unusable"}
    if is_lost(raw):
        settings = {**_WHILE_LOST, **settings}
    settings[RULES_LOST] = is_lost(raw)
    unusable: dict[str, Any] = {}
    for key in ("hiddenBuiltInTools", "hiddenBuiltInGroups", "builtInInstructions"):
        value = settings.get(key)
        if isinstance(value, list) and key != "builtInInstructions":
            settings[key], unusable[key] = _usable_items(key, value, report)
        elif isinstance(value, dict) and key == "builtInInstructions":
            wrong_texts = {name: one for name, one in value.items() if not _is_text(one)}
            for name in wrong_texts:
                report(f"{key}.{name}", "expected a text")
            settings[key] = {name: one for name, one in value.items() if name not in wrong_texts}
            unusable[key] = wrong_texts
        elif value is None:
            settings.pop(key, None)
        elif key in _ALL_HIDDEN:
            report(key, "expected a list; all are hidden")
            settings[key] = list(_ALL_HIDDEN[key])
    if settings.get("closeWithoutTray") not in (None, "minimise", "quit"):
        report("closeWithoutTray", 'neither "minimise" nor "quit"')
    preferences = parse_preferences(settings.pop(PREFERENCES, None), PREFERENCES, report)
    wrong: list[tuple[str, str]] = []

    def note(entry: str, reason: str) -> None:
        wrong.append((entry, reason))

    while (parsed := parse_entry(Settings, settings, "settings", note)) is None:
        field, _, reason = wrong.pop()[1].partition(": ")
        report(field, reason)
        settings.pop(field.partition(".")[0])
    found = {key: value for key, value in unusable.items() if value}
    if not found and preferences is NO_PREFERENCES:
        return parsed
    return replace(parsed, unusable=found, preferences=preferences)


def _usable_items(key: str, value: list[Any], report: Report) -> tuple[list[str], list[Any]]:
    usable = [one for one in value if _is_text(one)]
    for number, one in enumerate(value):
        if not _is_text(one):
            report(f"{key}.{number}", "expected a text")
    return usable, [one for one in value if not _is_text(one)]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and is_valid_unicode(value)
