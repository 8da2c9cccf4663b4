"""Captions of the preview: the user's additions, changes, and limits that cut text."""

from __future__ import annotations

from msgspec import Struct

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.tool_view import SeenTool, ToolView
from toolnote_desktop.desktop.preview.assistant_picker import Reader
from toolnote_desktop.guidance.description import Writer
from toolnote_desktop.guidance.differences import Differences
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.tools.hints import (
    AUDIENCE,
    DESTRUCTIVE,
    EXAMPLES,
    IDEMPOTENT,
    OPEN_WORLD,
    PRIORITY,
    READ_ONLY,
    TITLE,
)


class Captions(Struct, frozen=True):
    """Captions of a preview.

    Attributes:
        has_added: True if any of the user's additions are shown.
        legend: above the text.
        for_screen_readers: description that replaces the colours.
        warnings: sentences on content that does not reach the assistant.
    """

    has_added: bool
    legend: str
    for_screen_readers: str
    warnings: tuple[str, ...] = ()


def captions_of(
    snapshot: Snapshot, view: ToolView, seen: SeenTool, reader: Reader, dialect: Dialect, *, with_notes: bool
) -> Captions:
    """Return the captions of a preview."""
    added = next((part.text for part in seen.parts if part.writer is Writer.USER), "") if with_notes else ""
    legend = _legend(seen, added, dialect, with_notes=with_notes)
    warnings = [text for text in (_who_gets_it(snapshot, view, reader), _cut(seen, dialect, with_notes)) if text]
    if not view.is_served:
        legend = translate("Captions", "Assistants do not get this tool now. This is what they would read.")
    return Captions(bool(added), legend, _told(added, legend), tuple(warnings))


def _legend(seen: SeenTool, added: str, dialect: Dialect, *, with_notes: bool) -> str:
    if not with_notes:
        return translate("Captions", "The tool’s own words, and nothing else")
    changed = difference_text(seen.differs)
    said = []
    if added:
        first = seen.parts[0].writer is Writer.USER and len(seen.parts) > 1
        said.append(
            translate("Captions", "Yours, added before the tool’s own words")
            if first
            else translate("Captions", "Yours, added below the tool’s own words")
        )
    if any(part.writer is Writer.DIALECT for part in seen.parts):
        said.append(
            translate("Captions", "At the end, what {assistant} is told besides").format(assistant=dialect.title)
        )
    if changed:
        said.append(changed)
    return ". ".join(said) or translate("Captions", "Nothing of yours yet: a note shows here while you write it")


def difference_text(differs: Differences) -> str:
    """Return a text on the differences beside the description; empty if there are none."""
    parts = []
    for names, text in (
        (differs.removed, translate("Captions", "taken out: {names}")),
        (differs.added, translate("Captions", "added: {names}")),
        (differs.changed, translate("Captions", "changed: {names}")),
        (differs.optional, translate("Captions", "not required any more: {names}")),
    ):
        if names:
            parts.append(text.format(names=messages.joined(names)))
    said = []
    if parts:
        said.append(translate("Captions", "Arguments {what}").format(what="; ".join(parts)))
    if differs.hints:
        said.append(translate("Captions", "Said of what it does: {what}").format(what=_hint_words(differs.hints)))
    return ". ".join(said)


def _hint_words(hints: tuple[str, ...]) -> str:
    words = {
        READ_ONLY: translate("Captions", "whether it changes things"),
        DESTRUCTIVE: translate("Captions", "whether that can be undone"),
        OPEN_WORLD: translate("Captions", "whether it reaches outside"),
        IDEMPOTENT: translate("Captions", "whether it can be repeated"),
        EXAMPLES: translate("Captions", "examples"),
        AUDIENCE: translate("Captions", "who it is for"),
        PRIORITY: translate("Captions", "how much it matters"),
        TITLE: translate("Captions", "its title"),
    }
    return messages.joined([words.get(key, key) for key in hints])


def _who_gets_it(snapshot: Snapshot, view: ToolView, reader: Reader) -> str:
    """Return a note that the selected assistant uses another toolset without this tool; else ""."""
    client = snapshot.clients.get(reader.client or "")
    if client is None or not client.toolset or view.toolset is None or client.toolset == view.toolset.name:
        return ""
    toolset = snapshot.toolsets.get(client.toolset)
    if toolset is None:
        return ""
    name = messages.author_name(snapshot, reader.client or "")
    text = (
        translate("Captions", "{assistant} uses “{toolset}”, which has notes of its own on this tool.")
        if client.toolset in view.entries
        else translate("Captions", "{assistant} uses “{toolset}”, in which this tool is not.")
    )
    return text.format(assistant=name, toolset=toolset.title)


def _cut(seen: SeenTool, dialect: Dialect, with_notes: bool) -> str:
    if not seen.cut or not with_notes:
        return ""
    text = translate("Captions", "{assistant} does not read the last {count} characters: they are struck through.")
    return text.format(assistant=dialect.title, count=messages.number(seen.cut))


def _told(added: str, legend: str) -> str:
    if not added:
        return legend
    notes = messages.count_notes(added.count("\n• "))
    title = added.split("\n", 1)[0].lstrip("# ")
    where = translate("Captions", "From “{title}” on it is yours: {notes}.")
    return where.format(title=title, notes=notes)
