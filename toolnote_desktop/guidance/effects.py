"""Effects of the notes that are in use: what the calls before and since each of them allow to say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.model.calls.effect import Rate, Verdict, calls_needed, interval, newcombe, verdict
from toolnote_desktop.model.calls.outcome import ReadNote, read_note
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.timestamps import iso_utc_of
from toolnote_desktop.model.tools.catalogue import KnownTool


class NoteEffect(Struct, frozen=True):
    """Effect of notes that came together on the failures of one tool.

    Attributes:
        before, since: calls of the tool before the notes were first read, and with them.
        classes: class of errors -> failures before and since.
        first_read: seconds since the epoch.
    """

    server: str
    tool: str
    notes: tuple[ReadNote, ...]
    before: Rate
    since: Rate
    classes: Mapping[str, tuple[int, int]]
    first_read: float
    verdict: Verdict

    def to_json(self) -> JsonObject:
        """Return the figures for ``toolnote effect --json``."""
        low, high = interval(self.before, self.since)
        once = newcombe(self.before, self.since)
        return {
            "tool": {"server": self.server, "name": self.tool},
            "notes": [{"name": one.name, "scope": one.scope, "author": one.author} for one in self.notes],
            "firstRead": iso_utc_of(self.first_read),
            "before": {"calls": self.before.calls, "failed": self.before.failed},
            "since": {"calls": self.since.calls, "failed": self.since.failed},
            "difference": _difference(self.before, self.since),
            "interval": {"low": low, "high": high, "method": "confidence sequence", "level": 0.95},
            "newcombe": None if once is None else {"low": once[0], "high": once[1], "level": 0.95},
            "verdict": self.verdict.value,
            "callsNeeded": calls_needed(self.before),
            "classes": [
                {"class": name, "before": one, "since": other} for name, (one, other) in sorted(self.classes.items())
            ],
        }


def effect_of(
    key: ToolKey,
    notes: tuple[ReadNote, ...],
    before: Rate,
    since: Rate,
    classes: Mapping[str, tuple[int, int]],
    first_read: float,
) -> NoteEffect:
    """Return the effect with its verdict."""
    return NoteEffect(*key, notes, before, since, classes, first_read, verdict(before, since))


def notes_in_use(snapshot: Snapshot, known: KnownTool) -> set[ReadNote]:
    """Return the enabled notes that apply to a tool in any toolset or everywhere."""
    found: set[ReadNote] = set()
    for toolset in (*snapshot.toolsets.values(), None):
        index = NoteIndex(toolset, snapshot.notes, snapshot.catalogue)
        found.update(read_note(one) for one in index.applied(known.tool) if one.note.enabled)
    return found


def effects_in_use(snapshot: Snapshot, effects: Iterable[NoteEffect]) -> tuple[NoteEffect, ...]:
    """Return the effects of notes whose present text is meant, without the notes that are gone."""
    found = []
    in_use: dict[ToolKey, set[tuple[str, str, str]]] = {}
    for effect in effects:
        key = (effect.server, effect.tool)
        known = snapshot.catalogue.tools.get(key)
        if known is None:
            continue
        if key not in in_use:
            in_use[key] = {(one.scope, one.name, one.digest) for one in notes_in_use(snapshot, known)}
        notes = tuple(one for one in effect.notes if (one.scope, one.name, one.digest) in in_use[key])
        if notes:
            found.append(
                NoteEffect(*key, notes, effect.before, effect.since, effect.classes, effect.first_read, effect.verdict)
            )
    return tuple(found)


def with_claims(effects: Sequence[NoteEffect]) -> tuple[NoteEffect, ...]:
    """Return the effects that are certain, worse ones too, the largest change first."""
    claimed = [one for one in effects if one.verdict in (Verdict.HELPS, Verdict.WORSE)]
    return tuple(sorted(claimed, key=lambda one: _difference(one.before, one.since) or 0.0))


def _difference(before: Rate, since: Rate) -> float | None:
    if not before.calls or not since.calls:
        return None
    return since.failed / since.calls - before.failed / before.calls
