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
    """The port of the endpoint; None is the default, 8377."""
    tool_prefix: str = ""
    """Goes before each built-in tool's name where ``MCP_TOOL_PREFIX`` is not set."""
    hidden_built_in_tools: tuple[str, ...] = ()
    """Built-in tools (their undecorated names) that are not served."""
    hidden_built_in_groups: tuple[str, ...] = ()
    """Groups of them that are not served: ``toolsets``, ``notes``, ``guide`` (docs/contract.md 7)."""
    built_in_instructions: dict[str, str] = field(default_factory=dict)
    """Built-in tool (its undecorated name) -> what the user tells assistants of it, below its own words."""
    notes_paused: bool = False
    """Whether clients get the tools as their servers describe them: the user's notes are kept, and left out."""
    lazy_mode: bool = False
    """Whether clients are listed the built-in tools only, ``search-tools`` and ``call-tool`` among them, and find and
    call the others through these two."""
    note_tokens: Annotated[int, Meta(ge=1)] | None = 500
    """Tokens that one note may take before it is told; None: as many as it has. The same for a tool and a toolset."""
    tool_tokens: Annotated[int, Meta(ge=1)] | None = 2000
    toolset_tokens: Annotated[int, Meta(ge=1)] | None = 16_000
    session_idle: Annotated[float, Meta(ge=1)] = 3600.0
    """Seconds after which a client's session with no request and no open stream ends. It may begin another."""
    look_for_updates: bool = True
    """Whether a build that is nobody else's to update asks the release feed once a day."""
    theme: str = "system"
    contrast: str = "system"
    """``more``: high contrast, whatever the system says. So with ``motion``: ``none``."""
    motion: str = "system"
    language: str = "system"
    """What the window speaks: a code such as ``de``, or as the system does."""
    secrets_without_keychain: Literal["run", "file"] | None = None
    """Where secrets go where there is no keychain: for the run only, or in a file that is not encrypted."""
    extra: dict[str, Any] = field(default_factory=dict)
    """What else stands there: the window keeps how it is closed."""


def parse_settings(raw: Mapping[str, Any], report: Report) -> Settings:
    """Read ``settings.json``; one wrong value falls back to its default and is reported."""
    settings = dict(raw)
    wrong: list[tuple[str, str]] = []

    def note(entry: str, reason: str) -> None:
        wrong.append((entry, reason))

    while (parsed := parse_entry(Settings, settings, "settings", note)) is None:
        field, _, reason = wrong.pop()[1].partition(": ")
        report(field, reason)
        settings.pop(field.partition(".")[0])
    return parsed
