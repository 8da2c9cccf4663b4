"""What the activity log says about notes: whether one helps, and which failures a new one would prevent.

Ready notes are made by rules, in the window's language (``guidance/failure_notes.py``).
"""

from __future__ import annotations

import time
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QLocale

from toolnote_desktop.desktop import messages
from toolnote_desktop.guidance.effects import NoteEffect, effect_of, effects_in_use, notes_in_use
from toolnote_desktop.guidance.failure_notes import (
    Failure,
    Lesson,
    example_lesson,
    failure_of,
    failure_text,
    lesson,
    sent_value,
)
from toolnote_desktop.model.calls.effect import Rate, Verdict
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_queries import calls_of_notes, failure_groups, one_call

LEAST_FAILURES: Final = 3
"""Failures of one kind from which a note is offered."""

FROM_CALLS: Final = 10
"""Calls with a note from which its figure is shown."""

_MOST_OFFERS: Final = 3
_DAYS: Final = 30


class Offer(Struct, frozen=True):
    """Note that would prevent failures: what went wrong, and the note."""

    key: ToolKey
    title: str
    text: str
    note: Lesson


def language() -> str:
    """Return the code of the language in which ready sentences are written."""
    return QLocale().name()


def failure_on(known: KnownTool, error: str, refused: tuple[str, ...]) -> Failure:
    """Return what recorded failures of a tool are about."""
    return failure_of(error, refused, known.tool.definition.get("inputSchema"), known.tool.server)


def ready_note(failure: Failure) -> Lesson | None:
    """Return a ready note against a failure, in the window's language; None if no rule fits."""
    return lesson(failure, language())


def example_note(arguments: JsonObject) -> Lesson | None:
    """Return a ready note with arguments that worked, in the window's language."""
    return example_lesson(arguments, language())


def read_effects(home: Home, snapshot: Snapshot, tool: ToolKey | None = None) -> tuple[NoteEffect, ...]:
    """Return the effects of the notes in use. Not for the window's thread."""
    found = (
        effect_of((one.server, one.tool), one.notes, one.before, one.since, one.classes, one.first_read)
        for one in calls_of_notes(home, tool)
    )
    return effects_in_use(snapshot, found)


def read_offers(home: Home, snapshot: Snapshot, tool: ToolKey | None = None) -> tuple[Offer, ...]:
    """Return the notes that would prevent the most failures of the last days. Not for the window's thread."""
    offers: dict[tuple[ToolKey, str], Offer] = {}
    since = time.time() - _DAYS * 86_400
    for group in failure_groups(home, tool, since=since, least=LEAST_FAILURES):
        key = (group.server, group.tool)
        known = snapshot.catalogue.tools.get(key)
        if known is None or len(offers) >= _MOST_OFFERS or not _has_place(snapshot, known):
            continue
        failure = failure_on(known, group.error, group.refused)
        note = ready_note(failure)
        if note is None or note.name in {one.name for one in notes_in_use(snapshot, known)}:
            continue
        newest = one_call(home, group.call)
        sent = sent_value(failure, newest.arguments) if newest is not None else None
        text = failure_text(failure, group.count, language(), sent)
        offers.setdefault((key, note.name), Offer(key, known.tool.title, text, note))
    return tuple(offers.values())


def _has_place(snapshot: Snapshot, known: KnownTool) -> bool:
    """Return False where two tools share a name, and there is no default toolset that a note could belong to."""
    shared = len(snapshot.catalogue.by_namespaced_name.get(known.tool.namespaced_name, ())) > 1
    return not shared or snapshot.shared_toolset is not None


def effect_words(effect: NoteEffect) -> str:
    """Return the figure of a note in a sentence or two; "" below ``FROM_CALLS``."""
    before, since = effect.before, effect.since
    if since.calls < FROM_CALLS:
        return ""
    translate = messages.translate
    if before.calls:
        text = translate("effects", "Since this note {since} calls failed. Before, {before}.")
    else:
        text = translate("effects", "Since this note {since} calls failed.")
    words = text.format(since=rate_words(since), before=rate_words(before))
    match effect.verdict:
        case Verdict.HELPS:
            more = translate("effects", "It helps.")
        case Verdict.WORSE:
            more = translate("effects", "It makes things worse.")
        case Verdict.TOO_FEW:
            more = translate("effects", "Too few calls to say whether it helps.")
        case Verdict.UNCLEAR:
            more = translate("effects", "No difference is certain.")
    return f"{words} {more}"


def rate_words(rate: Rate) -> str:
    """Return ``1 of 32``."""
    text = messages.translate("effects", "{0} of {1}")
    return text.format(messages.number(rate.failed), messages.number(rate.calls))
