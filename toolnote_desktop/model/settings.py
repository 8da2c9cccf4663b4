"""Settings: ``settings.json`` (docs/contract.md 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from toolnote_desktop.model.document import Document, Report, parse_entry


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
    look_for_updates: bool = True
    """Check the release feed once a day, in builds that no package manager updates."""
    theme: str = "system"
    contrast: str = "system"
    """``more``: high contrast regardless of the system. Likewise ``motion``: ``none``."""
    motion: str = "system"
    language: str = "system"
    """Language of the window: a code such as ``de``, or ``system``."""
    secrets_without_keychain: Literal["run", "file"] | None = None
    """Location of secrets on systems without a keychain: memory of this run, or an unencrypted file."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Other keys in the file, such as the window's behaviour when it is closed."""


def parse_settings(raw: Mapping[str, Any], report: Report) -> Settings:
    """Parse ``settings.json``; an invalid value is reported and replaced by its default."""
    settings = dict(raw)
    wrong: list[tuple[str, str]] = []

    def note(entry: str, reason: str) -> None:
        wrong.append((entry, reason))

    while (parsed := parse_entry(Settings, settings, "settings", note)) is None:
        field, _, reason = wrong.pop()[1].partition(": ")
        report(field, reason)
        settings.pop(field.partition(".")[0])
    return parsed
