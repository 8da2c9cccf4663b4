"""Tool settings: what belongs to a tool in every toolset (``tools.json``, docs/contract.md 2), its merging with a
toolset's entry, and its edits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.model.clients import is_lost
from toolnote_desktop.model.document import Document, Report, is_empty, parse_entry, without_nulls
from toolnote_desktop.model.edits import (
    ABSENT,
    OWN_KEY,
    SERVER_ENTRIES,
    SERVERS,
    TOOLS,
    DocumentId,
    Edit,
    RemoveEntry,
    entries_of,
    with_fields_at,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.servers import ReviewDecision, Server, ServerOptions
from toolnote_desktop.model.tools.argument_overrides import within_limits
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool
from toolnote_desktop.model.tools.consent import Consent, normalize_consent
from toolnote_desktop.model.tools.hints import is_marked_destructive
from toolnote_desktop.model.tools.parameter_settings import (
    ParameterSetting,
    merged_parameters,
    normalize_parameters,
    sent_values,
    with_arguments,
)
from toolnote_desktop.model.tools.review import decision_fields
from toolnote_desktop.model.toolsets.toolset import ToolEntry, usable_fields

TOOL_ENTRIES: Final = "tools"
"""Key of ``tools.json`` that holds the tools."""

PROMPT_ENTRIES: Final = "prompts"
"""Key of ``tools.json`` that holds the prompts: ``enabled`` and ``review``."""

SOURCE_ENTRIES: Final = "sources"
"""Key of ``tools.json`` that holds what the user decided on sources that were removed."""

_KEPT: Final = {"changes": "changes", "instructionsReview": "instructions_review", "instructions": "instructions"}
"""Keys of a server's own options that come back with it, and their fields."""

CARRIED: Final = (
    "approval",
    "allowedCalls",
    "consent",
    "hints",
    "whenToUse",
    "instructions",
    "category",
    "parameters",
    "muted",
    "argumentDefaults",
    "hiddenArguments",
)
"""Keys of a toolset's entry that an added tool brings along from another toolset."""


WORDS: Final = ("whenToUse", "instructions", "category", "muted")
"""Keys with what the user wrote about a tool, and chose of its text."""


class ToolSettings(Document, frozen=True):
    """Settings of one tool in every toolset; the fields are those of ``ToolEntry``.

    Attributes:
        pinned: always on: every toolset has the tool, whether its file lists it or not.
    """

    enabled: bool = True
    pinned: bool = False
    approval: Literal["off", "ask"] | None = None
    allowed_calls: tuple[dict[str, Any], ...] = ()
    consent: Consent | None = None
    hints: dict[str, Any] = field(default_factory=dict)
    when_to_use: str = ""
    instructions: str = ""
    category: str | None = None
    parameters: dict[str, ParameterSetting] = field(default_factory=dict)
    muted: tuple[str, ...] = ()
    review: ReviewDecision | None = None

    @classmethod
    def normalize(cls, raw: Any) -> Any:
        if isinstance(raw, dict):
            raw = {**raw, "consent": normalize_consent(raw.get("consent") or None)}
            raw["parameters"] = normalize_parameters(raw.get("parameters"))
        return super().normalize(without_nulls(raw))

    @property
    def restricting(self) -> ToolSettings:
        """Settings that limit the use of the tool, and no others."""
        limits = {name: one for name, one in self.parameters.items() if one.is_limit}
        return ToolSettings(enabled=self.enabled, approval=self.approval, consent=self.consent, parameters=limits)


_OFF: Final = ToolSettings(enabled=False)
"""Settings for an unusable entry: it might restrict the tool, which is therefore not served."""

_ASKED: Final = ToolSettings(approval="ask")
"""Settings of a tool without an entry while the rules are lost."""

_LOST_REVIEW: Final = ReviewDecision("keep", "")
"""Decision on a changed definition or prompt while the rules are lost: it may have been kept, or held."""

_MERGED_LIMIT: Final = 50_000


class ToolSettingsIndex:
    """Parsed ``tools.json``: settings by namespacedName. A name that two tools share restricts both, limits of
    parameters included, and sets nothing else.

    Attributes:
        by_name: namespacedName -> settings.
        parsed: the same with the raw entries that they were parsed from, without those that had a fault.
        prompts: settings of prompts, by server id + ``.`` + name.
        sources: server id -> options of the entry that was removed last, those in ``_KEPT``.
        rules_lost: the rules that an unreadable file had are not known (docs/contract.md 2): a tool without an
            ``approval`` is asked about, and a changed definition without a decision is held.
    """

    def __init__(
        self,
        by_name: Mapping[str, ToolSettings] | None = None,
        before: ToolSettingsIndex | None = None,
        parsed: Mapping[str, tuple[Any, ToolSettings]] | None = None,
        prompts: Mapping[str, ToolSettings] | None = None,
        sources: Mapping[str, ServerOptions] | None = None,
        *,
        rules_lost: bool = False,
    ) -> None:
        self.rules_lost = rules_lost
        self.by_name: Mapping[str, ToolSettings] = by_name or {}
        self.parsed: Mapping[str, tuple[Any, ToolSettings]] = parsed or {}
        self.prompts: Mapping[str, ToolSettings] = prompts or {}
        self.sources: Mapping[str, ServerOptions] = sources or {}
        self._merged: dict[tuple[int, str], _Merged] = {} if before is None else before._merged

    def effective_entry(self, catalogue: Catalogue, known: KnownTool, entry: ToolEntry) -> ToolEntry:
        """Return ``entry`` merged with the tool's settings; the same object for the same of both."""
        if not self.by_name and not self.rules_lost:
            return entry if _is_plain(entry) else self._cached(known.tool.namespaced_name, None, entry)
        name = known.tool.namespaced_name
        settings = self.by_name.get(name, _ASKED if self.rules_lost else None)
        if settings is None and _is_plain(entry):
            return entry
        if settings is not None and len(catalogue.by_namespaced_name.get(name, ())) > 1:
            return effective_entry(entry, settings.restricting)
        return self._cached(name, settings, entry)

    def pinned(self, catalogue: Catalogue) -> Iterator[KnownTool]:
        """Yield the tools that are always on. A name that two tools share pins neither."""
        for name, settings in self.by_name.items():
            if settings.pinned and settings.enabled and len(found := catalogue.by_namespaced_name.get(name, ())) == 1:
                yield found[0]

    def review_decision(self, name: str) -> ReviewDecision | None:
        """Return the user's decision on a changed definition, by namespacedName."""
        return self._review(self.by_name.get(name))

    def _review(self, settings: ToolSettings | None) -> ReviewDecision | None:
        known = settings.review if settings is not None else None
        return _LOST_REVIEW if known is None and self.rules_lost else known

    def prompt_decision(self, name: str) -> ReviewDecision | None:
        """Return the user's decision on a changed prompt."""
        return self._review(self.prompts.get(name))

    def is_prompt_on(self, name: str) -> bool:
        """Return False for a prompt that the user turned off."""
        settings = self.prompts.get(name)
        return settings is None or settings.enabled

    def _cached(self, name: str, settings: ToolSettings | None, entry: ToolEntry) -> ToolEntry:
        key = (id(entry), name)
        held = self._merged.get(key)
        if held is None or held.entry is not entry or held.settings is not settings:
            if len(self._merged) >= _MERGED_LIMIT:
                self._merged.clear()
            held = self._merged[key] = _Merged(entry, settings, effective_entry(entry, settings))
        return held.merged


NO_TOOL_SETTINGS: Final = ToolSettingsIndex()
"""Index of a library without ``tools.json``."""


class _Merged(Struct, frozen=True):
    """Merged entry with what it was made of, so that no id is reused meanwhile."""

    entry: ToolEntry
    settings: ToolSettings | None
    merged: ToolEntry


def _is_plain(entry: ToolEntry) -> bool:
    return entry.approval is None and not entry.parameters


def effective_entry(entry: ToolEntry, settings: ToolSettings | None) -> ToolEntry:
    """Return a toolset's entry merged with the tool's settings (docs/contract.md 2): the toolset's own values override
    those of the tool key by key, hints and parameters name by name; a tool is on only if both allow it. What was
    imported sets aside no limit of the user's.
    """
    tool = settings or ToolSettings()
    own = with_arguments(entry.parameters, entry.argument_defaults, entry.hidden_arguments)
    parameters = merged_parameters(tool.parameters, within_limits(own, tool.parameters))
    defaults, hidden = sent_values(parameters)
    return replace(
        entry,
        enabled=(entry.enabled or tool.pinned) and tool.enabled,
        approval=entry.approval or tool.approval,
        allowed_calls=entry.allowed_calls or tool.allowed_calls,
        consent=_consent(entry, tool),
        hints={**tool.hints, **entry.hints},
        when_to_use=(entry.when_to_use.strip() and entry.when_to_use) or tool.when_to_use,
        instructions=(entry.instructions.strip() and entry.instructions) or tool.instructions,
        category=entry.category or tool.category,
        parameters=parameters,
        argument_defaults=defaults,
        hidden_arguments=hidden,
        muted=entry.muted or tool.muted,
    )


def is_asking_suggested(known: KnownTool, effective: ToolEntry) -> bool:
    """Return True for a tool that is marked destructive and served, and *Ask me first* is neither on nor off for it."""
    is_open = effective.approval is None and effective.enabled and known.listed
    return is_open and is_marked_destructive(known.annotations, effective.hints)


def _consent(entry: ToolEntry, tool: ToolSettings) -> Consent | None:
    below = None if entry.consent_waived else tool.consent
    wanted = entry.consent
    return below if wanted is None or (below is not None and wanted == Consent()) else wanted


def parse_tool_settings(
    raw: Mapping[str, Any], report: Report, before: ToolSettingsIndex | None = None
) -> ToolSettingsIndex:
    """Parse ``tools.json``; entries that did not change since ``before`` stay the same objects."""
    entries = raw.get(TOOL_ENTRIES)
    prompt_entries = raw.get(PROMPT_ENTRIES)
    prompts = {
        name: _read_settings(value, f"{PROMPT_ENTRIES} {name}", report)
        for name, value in (prompt_entries.items() if isinstance(prompt_entries, dict) else ())
    }
    source_entries = raw.get(SOURCE_ENTRIES)
    sources = {
        name: parse_entry(ServerOptions, value, f"{SOURCE_ENTRIES} {name}", report) or ServerOptions(changes="hold")
        for name, value in (source_entries.items() if isinstance(source_entries, dict) else ())
    }
    rules_lost = is_lost(raw)
    if not isinstance(entries, dict):
        return ToolSettingsIndex(before=before, prompts=prompts, sources=sources, rules_lost=rules_lost)
    known = before.parsed if before is not None else {}
    found: dict[str, ToolSettings] = {}
    parsed: dict[str, tuple[Any, ToolSettings]] = {}
    faulty: list[str] = []

    def noting(entry: str, reason: str) -> None:
        faulty.append(entry)
        report(entry, reason)

    for name, value in entries.items():
        held = known.get(name)
        faults = len(faulty)
        if held is None or held[0] is not value:
            held = (value, _read_settings(value, f"{TOOL_ENTRIES} {name}", noting))
        found[name] = replace(held[1], approval="ask") if rules_lost and held[1].approval is None else held[1]
        if len(faulty) == faults:
            parsed[name] = held
    return ToolSettingsIndex(found, before, parsed, prompts, sources, rules_lost=rules_lost)


def _read_settings(value: Any, place: str, report: Report) -> ToolSettings:
    value = {} if is_empty(value) else value
    usable = usable_fields(value, place, report) if isinstance(value, dict) else value
    return parse_entry(ToolSettings, usable, place, report) or _OFF


def prompt_decision_edit(known: KnownTool, decision: Literal["accept", "keep", "off"]) -> SetToolSettings:
    """Return the edit for the user's decision on a changed prompt; ``accept`` and ``keep`` turn it on again."""
    review = decision_fields(known, "accept" if decision == "accept" else "keep")
    fields = {"review": review, "enabled": False if decision == "off" else ABSENT}
    return SetToolSettings(known.tool.namespaced_name, fields, entries=PROMPT_ENTRIES)


def removing_edits(raw: Mapping[str, Any] | None, server: str) -> tuple[Edit, ...]:
    """Return the edits that remove an entry of ``servers.json``, and keep the user's decisions on what it changes. That
    changes are accepted is not kept: another server may come under this name.
    """
    entry = ((raw or {}).get(SERVER_ENTRIES) or {}).get(server)
    own = entry.get(OWN_KEY) if isinstance(entry, dict) else None
    kept = {key: own[key] for key in _KEPT if own.get(key) is not None} if isinstance(own, dict) else {}
    if kept.get("changes") == "accept":
        kept["changes"] = "show"
    removal = RemoveEntry(SERVERS, SERVER_ENTRIES, server)
    return (SetToolSettings(server, kept, entries=SOURCE_ENTRIES), removal) if kept else (removal,)


def with_kept_decisions(
    servers: Mapping[str, Server], raw: Mapping[str, Any] | None, sources: Mapping[str, ServerOptions]
) -> Mapping[str, Server]:
    """Return servers with the decisions kept of an entry before, where ``raw`` (``servers.json``) has none."""
    found = dict(servers)
    for name, options in sources.items():
        if (server := servers.get(name)) is None:
            continue
        own = ((raw or {}).get(SERVER_ENTRIES) or {})[name].get(OWN_KEY) or {}
        kept = {field: getattr(options, field) for key, field in _KEPT.items() if own.get(key) is None}
        found[name] = replace(server, toolnote=replace(server.toolnote, **kept))
    return found


class SetToolSettings(Edit, frozen=True):
    """Sets keys of a tool's (or prompt's) settings in ``tools.json``, or of an object in them; ``ABSENT`` removes a
    key.

    ``path`` leads to the object: ``()`` for the settings themselves, ``("hints",)``, ``("parameters", NAME)``. Objects
    that this edit creates are removed by its inverse.
    """

    tool: str
    fields: Mapping[str, Any]
    path: tuple[str, ...] = ()
    created: int = 0
    entries: str = TOOL_ENTRIES

    @property
    def document(self) -> DocumentId:
        return TOOLS

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        entries_of(raw, TOOLS, self.entries)
        path = (self.entries, self.tool, *self.path)
        changed, before, created = with_fields_at(raw or {}, path, self.fields, str(TOOLS), self.created)
        return changed, replace(self, fields=before, created=created)
