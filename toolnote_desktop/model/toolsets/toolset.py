"""Toolsets: named selections of tools with their notes (docs/contract.md 3, a superset of hypertool-mcp's)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from msgspec import Struct, field

from toolnote_desktop.model.document import (
    CachedListParser,
    Document,
    Report,
    is_empty,
    parse_entry,
    without_nulls,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.consent import Consent, normalize_consent
from toolnote_desktop.model.tools.hints import AUDIENCE, PRIORITY, ToolHints, read_hints
from toolnote_desktop.model.tools.parameter_settings import ParameterSetting, normalize_parameters
from toolnote_desktop.model.toolsets.notes import Note, ToolReference, parse_notes
from toolnote_desktop.model.toolsets.task_types import read_task_types


class ToolEntry(ToolReference, frozen=True):
    """Tool in a toolset, with the user's settings for it. Unknown keys stay in the file.

    Attributes:
        alias: name that clients see instead of the usual one; normalized by ``names.aliased_names``.
        hints: sparse: only the user's (``model.tools.hints``).
        optionality: ``required``: in every guide; ``optional``: in a guide to a task only where it is relevant; None:
            the same as optional for a task, and described as required without one.
        consent: consent required to use the tool (``model.tools.consent``).
        instructions: the user's for this tool, between its description and the notes (docs/requirements.md 1.3).
        argument_defaults: argument (see ``argument_overrides``) -> its value if the assistant omits it.
        hidden_arguments: arguments that the assistant does not see; values that it sends for them are refused.
        approval: ``ask``: the user is asked before each call; None: not set here (``tool_settings.effective_entry``).
        allowed_calls: arguments with which the tool runs without the user being asked.
        parameters: settings of single parameters; with ``argument_defaults`` and ``hidden_arguments`` in them once the
            entry is effective.
        muted: paragraphs of the server's description that are not served.
        consent_waived: ``"consent": false``, which sets aside the consent that the tool requires in every toolset.
    """

    enabled: bool = True
    category: str | None = None
    alias: str | None = None
    optionality: Literal["required", "optional"] | None = None
    hints: dict[str, Any] = field(default_factory=dict)
    consent: Consent | None = None
    when_to_use: str = ""
    instructions: str = ""
    argument_defaults: dict[str, Any] = field(default_factory=dict)
    hidden_arguments: tuple[str, ...] = ()
    approval: Literal["off", "ask"] | None = None
    allowed_calls: tuple[dict[str, Any], ...] = ()
    parameters: dict[str, ParameterSetting] = field(default_factory=dict)
    muted: tuple[str, ...] = ()
    consent_waived: bool = False

    @property
    def is_for_user_only(self) -> bool:
        """Return True if the user said that the tool is for people, so that no assistant is offered it."""
        audience = self.hints.get(AUDIENCE)
        return isinstance(audience, list) and "user" in audience and "assistant" not in audience

    @property
    def is_restricted(self) -> bool:
        """Return True if the entry limits the use of the tool."""
        asked = not self.enabled or self.approval == "ask" or self.consent is not None
        return asked or bool(self.hidden_arguments) or any(one.is_limit for one in self.parameters.values())

    @property
    def priority(self) -> float:
        """Priority from 0 to 1, 0.5 by default."""
        value = self.hints.get(PRIORITY)
        if not isinstance(value, int | float) or isinstance(value, bool):
            return _USUAL_PRIORITY
        return max(0.0, min(1.0, float(value)))

    def to_json(self) -> dict[str, Any]:
        """Return the entry as JSON for a document (``Document.to_json``)."""
        found = super().to_json()
        return {**found, "consent": False} if found.pop("consentWaived", False) else found

    @classmethod
    def normalize(cls, raw: Any) -> Any:
        if isinstance(raw, dict) and "consent" in raw:
            raw = {**raw, "consent": normalize_consent(raw["consent"]), "consentWaived": raw["consent"] is False}
        if isinstance(raw, dict) and raw.get("parameters") is not None:
            raw = {**raw, "parameters": normalize_parameters(raw["parameters"])}
        return super().normalize(without_nulls(raw))


_USUAL_PRIORITY: Final = ToolHints().priority

NOTHING_SET: Final = ToolEntry()
"""Entry of a tool without user settings."""


class ToolNotes(Document, frozen=True):
    """Notes of one toolset on one tool."""

    tool_ref: ToolReference
    notes: list[Any] = field(default_factory=list)


class NoteGroup(Struct, frozen=True):
    """Entry of ``toolNotes`` without its unusable notes."""

    reference: ToolReference
    notes: tuple[Note, ...]


class Toolset(Struct, frozen=True):
    """Parsed toolset file. ``title`` falls back to the name."""

    name: str
    title: str
    description: str = ""
    tools: tuple[ToolEntry, ...] = ()
    notes: tuple[NoteGroup, ...] = ()
    created_by: str | None = None
    """Author that made it with ``build-toolset`` (``Principal.author``); None: the user."""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def guidelines(self) -> str:
        """User's instructions to assistants for the toolset as a whole."""
        text = self.extra.get("guidelines")
        return text.strip() if isinstance(text, str) else ""

    @property
    def task_types(self) -> Any:
        """Toolset's changes to the task types, raw (``task_types.read_task_types``)."""
        return self.extra.get("taskTypes")


_READ = frozenset({"name", "title", "description", "tools", "toolNotes", "createdBy"})


class ToolsetCache:
    """Cache of the last parse of a toolset document, so that an edit of one entry parses one entry."""

    def __init__(self) -> None:
        self.tools: CachedListParser[ToolEntry] = CachedListParser()
        self.notes: CachedListParser[NoteGroup] = CachedListParser()


def parse_toolset(name: str, raw: Mapping[str, Any], report: Report, remembered: ToolsetCache | None = None) -> Toolset:
    """Parse a toolset document. The name of the file is used, not the ``name`` in it (the file may be a copy)."""
    remembered = remembered or ToolsetCache()
    title, description, created_by = raw.get("title"), raw.get("description"), raw.get("createdBy")
    read_task_types(raw.get("taskTypes"), {}, report)
    if not isinstance(raw.get("guidelines"), str | None):
        report("guidelines", "not a text")
    return Toolset(
        name=name,
        title=title if isinstance(title, str) and title.strip() else name,
        description=description if isinstance(description, str) else "",
        tools=remembered.tools.read(raw.get("tools"), "tools", report, parse_tool_entry),
        notes=remembered.notes.read(raw.get("toolNotes"), "toolNotes", report, _read_group),
        created_by=created_by if isinstance(created_by, str) else None,
        extra={key: value for key, value in raw.items() if key not in _READ},
    )


_TEXTS = ("alias", "category", "whenToUse", "instructions")


def usable_fields(raw: JsonObject, place: str, report: Report) -> JsonObject:
    """Return the fields of a tool's entry without empty ones, and descriptive ones with unusable values: reported.

    ``"consent": {}`` demands the word that is made of the tool's name. Consent, approval and parameters restrict
    assistants: an unusable value there makes the entry invalid.
    """
    usable = {
        key: value
        for key, value in raw.items()
        if not is_empty(value) or key in _REFERENCE or (key == "consent" and value == {})
    }
    if "hints" in usable:
        usable["hints"] = read_hints(usable["hints"], f"a hint of {place}", report)
    for key in _TEXTS:
        if not isinstance(usable.get(key), str | None):
            report(f"{key} of {place}", "not a text")
            del usable[key]
    muted = usable.get("muted")
    if muted is not None and not (isinstance(muted, list) and all(isinstance(text, str) for text in muted)):
        report(f"muted of {place}", "not a list of texts")
        del usable["muted"]
    return usable


_REFERENCE: Final = {"namespacedName": "namespaced_name", "refId": "ref_id", "server": "server"}


def _plain_reference(raw: JsonObject) -> ToolEntry | None:
    """Return an entry that has nothing but texts that name a tool: there may be thousands of them; None for others."""
    named: dict[str, Any] = {}
    for key, text in raw.items():
        field_name = _REFERENCE.get(key)
        if field_name is None or type(text) is not str or not text.isascii():
            return None
        named[field_name] = text
    if "namespaced_name" not in named and "ref_id" not in named:
        return None
    return ToolEntry(**named, hints=_NONE, argument_defaults=_NONE, parameters=_NONE)


_NONE: Final[dict[str, Any]] = {}
"""Settings of all tools that have none."""


def parse_tool_entry(place: str, raw: Any, report: Report) -> ToolEntry | None:
    """Parse an entry; one with an unusable value that restricts assistants is not served at all."""
    if isinstance(raw, dict) and (plain := _plain_reference(raw)) is not None:
        return plain
    usable = raw
    if isinstance(raw, dict):
        usable = usable_fields(raw, place, report)
        if usable.get("optionality") not in (None, "required", "optional"):
            report(f"optionality of {place}", 'neither "required" nor "optional"')
            del usable["optionality"]
    entry = parse_entry(ToolEntry, usable, place, report)
    if entry is not None and entry.namespaced_name is None and entry.ref_id is None:
        report(place, "neither namespacedName nor refId")
        return None
    return entry


def _read_group(place: str, raw: Any, report: Report) -> NoteGroup | None:
    group = parse_entry(ToolNotes, raw, place, report)
    if group is None:
        return None
    label = group.tool_ref.namespaced_name or group.tool_ref.ref_id
    if label is None:
        report(place, "a toolRef with neither namespacedName nor refId")
        return None
    return NoteGroup(group.tool_ref, parse_notes(group.notes, f"toolNotes {label}", report))
