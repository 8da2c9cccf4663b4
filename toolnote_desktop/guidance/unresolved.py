"""Notes whose tool is gone, with the tools that they most likely belong to now (docs/requirements.md 0.18).

No note is ever lost or moved by itself: it stays in its file, and a person chooses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.edits import Edit
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import Note, ToolReference
from toolnote_desktop.model.toolsets.toolset import NoteGroup, Toolset


class Likeness(StrEnum):
    """Why a tool may be the new home, the best reason first."""

    SAME_NAME = "same-name"
    SIMILAR_NAME = "similar-name"
    SIMILAR_SCHEMA = "similar-schema"


class LikelyTool(Struct, frozen=True):
    """A tool that notes may belong to now. ``score`` from 0 to 1."""

    known: KnownTool
    likeness: Likeness
    score: float


class UnresolvedNotes(Struct, frozen=True):
    """One entry of ``toolNotes`` whose tool is not there, and where its notes may go."""

    group: NoteGroup
    candidates: tuple[LikelyTool, ...]


_MOST_CANDIDATES: Final = 3
_SIMILAR_NAME: Final = 0.75
_SIMILAR_SCHEMA: Final = 0.6
_FEWEST_ARGUMENTS: Final = 2
"""Arguments that two tools must have in common before their schemas say anything."""


def unresolved_notes(snapshot: Snapshot, toolset: Toolset) -> tuple[UnresolvedNotes, ...]:
    """Every entry of a toolset's notes that no tool has now, in its order; entries with no note are left out."""
    lost = [group for group in toolset.notes if group.notes and not has_tool(snapshot.catalogue, group.reference)]
    if not lost:
        return ()
    homes = LikelyHomes(snapshot.catalogue)
    return tuple(UnresolvedNotes(group, homes.of(group.reference)) for group in lost)


class LikelyHomes:
    """Finds the tools that notes most likely belong to now, for many references of one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._listed = [known for known in catalogue.tools.values() if known.listed]
        self._arguments = {id(known): _arguments(known) for known in self._listed}

    def of(self, reference: ToolReference) -> tuple[LikelyTool, ...]:
        """The best few, the likeliest first."""
        return _candidates(self._catalogue, reference, self._listed, self._arguments)


def has_tool(catalogue: Catalogue, reference: ToolReference) -> bool:
    """Whether a tool that is listed now is meant."""
    return any(known.listed for known in catalogue.resolve(reference))


def _candidates(
    catalogue: Catalogue, reference: ToolReference, listed: list[KnownTool], arguments: Mapping[int, frozenset[str]]
) -> tuple[LikelyTool, ...]:
    before = next(iter(catalogue.resolve(reference)), None)
    server, name = _names(catalogue, reference, before)
    wanted = _arguments(before) if before is not None else frozenset()
    found = []
    for known in listed:
        if (candidate := _candidate(known, server, name, wanted, arguments[id(known)])) is not None:
            found.append(candidate)
    order = list(Likeness)
    found.sort(key=lambda one: (order.index(one.likeness), -one.score, one.known.tool.namespaced_name))
    return tuple(found[:_MOST_CANDIDATES])


def _candidate(
    known: KnownTool, server: str | None, name: str | None, wanted: frozenset[str], has: frozenset[str]
) -> LikelyTool | None:
    tool = known.tool
    nearby = 0.05 if tool.server == server else 0.0  # of two that are alike, the one of the same server
    if name is not None:
        if tool.name == name:
            return LikelyTool(known, Likeness.SAME_NAME, 1.0)
        matcher = SequenceMatcher(None, _plain(name), _plain(tool.name), autojunk=False)
        if matcher.real_quick_ratio() >= _SIMILAR_NAME and (ratio := matcher.ratio()) >= _SIMILAR_NAME:
            return LikelyTool(known, Likeness.SIMILAR_NAME, min(1.0, ratio + nearby))
    shared = len(wanted & has)
    if shared >= _FEWEST_ARGUMENTS and (ratio := shared / len(wanted | has)) >= _SIMILAR_SCHEMA:
        return LikelyTool(known, Likeness.SIMILAR_SCHEMA, min(1.0, ratio + nearby))
    return None


def _names(catalogue: Catalogue, reference: ToolReference, before: KnownTool | None) -> tuple[str | None, str | None]:
    """The server and the own name that a reference meant, as far as they can be told."""
    if before is not None:
        return before.tool.server, before.tool.name
    namespaced = reference.namespaced_name
    if namespaced is None:
        return reference.server, None
    servers = [server for server in catalogue.servers if namespaced.startswith(f"{server}.")]
    server = reference.server or max(servers, key=len, default=None)
    if server is not None and namespaced.startswith(f"{server}."):
        return server, namespaced[len(server) + 1 :]
    return server, namespaced.partition(".")[2] or namespaced  # of a server that is gone: the usual form is a guess


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _arguments(known: KnownTool) -> frozenset[str]:
    schema: Any = known.tool.definition["inputSchema"]
    return frozenset(top_level_arguments(schema))


def moving_edits(here: NoteTarget, there: NoteTarget, notes: Iterable[Note], taken: Iterable[str]) -> tuple[Edit, ...]:
    """What gives notes their new home: taken from where they are, put behind the notes that are there.

    Args:
        taken: the names of those; a note that would have one of them gets a number.
    """
    names = set(taken)
    edits: list[Edit] = []
    for note in notes:
        name = _free_name(note, names)
        names.add(name)
        document = {**note.to_json(), "name": name}
        edits += [RemoveNote(here, note.name), AddNote(there, document)]
    return tuple(edits)


def _free_name(note: Note, taken: set[str]) -> str:
    name, number = note.name, 2
    while name in taken:
        name, number = f"{note.name[:46]}-{number}", number + 1
    return name
