"""Notes whose tool is missing, with the tools to which they most likely belong now (docs/requirements.md 0.18).

Notes are never lost or moved automatically: they stay in their file, and the user chooses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.document import Document
from toolnote_desktop.model.edits import ABSENT, Edit, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import namespaced_name
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import Note, Scope, ToolReference
from toolnote_desktop.model.toolsets.tool_edits import RemoveTools, SetToolFields
from toolnote_desktop.model.toolsets.tool_settings import WORDS, SetToolSettings
from toolnote_desktop.model.toolsets.toolset import NoteGroup, Toolset


class Likeness(StrEnum):
    """Reasons why a tool may be the successor, the best first."""

    SAME_NAME = "same-name"
    SIMILAR_NAME = "similar-name"
    SIMILAR_SCHEMA = "similar-schema"


class LikelyTool(Struct, frozen=True):
    """Tool to which notes may belong now. ``score`` is 0 to 1."""

    known: KnownTool
    likeness: Likeness
    score: float


class UnresolvedNotes(Struct, frozen=True):
    """Entry of ``toolNotes`` whose tool is missing, with candidates for its notes."""

    group: NoteGroup
    candidates: tuple[LikelyTool, ...]


_MOST_CANDIDATES: Final = 3
MAX_PAIRS: Final = 20_000
"""Pairs of a missing tool and a listed one whose names are compared, for all references of one finder."""
MAX_LETTERS: Final = 4_000_000
"""Pairs of letters that are compared for them: of two names of 64 letters 4,096, which takes 0.3 ms."""
_LONGEST_NAME: Final = 100
"""Characters of a name that are compared."""
_SIMILAR_NAME: Final = 0.75
_SIMILAR_SCHEMA: Final = 0.6
_FEWEST_ARGUMENTS: Final = 2
"""Minimum arguments that two tools must share for their schemas to be compared."""


def unresolved_notes(snapshot: Snapshot, toolset: Toolset) -> tuple[UnresolvedNotes, ...]:
    """Return the entries of a toolset's notes that match no tool, in order; entries without notes are left out."""
    lost = [group for group in toolset.notes if group.notes and not has_tool(snapshot.catalogue, group.reference)]
    if not lost:
        return ()
    homes = LikelyHomes(snapshot.catalogue)
    return tuple(UnresolvedNotes(group, homes.of(group.reference)) for group in lost)


class LikelyHomes:
    """Finder of the tools to which notes most likely belong, for many references of one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._listed = [known for known in catalogue.tools.values() if known.listed]
        self._arguments = {id(known): _arguments(known) for known in self._listed}
        self._plain = {id(known): _plain(known.tool.name) for known in self._listed}
        self._same: dict[str, list[KnownTool]] = {}
        for known in sorted(self._listed, key=lambda one: one.tool.namespaced_name):
            self._same.setdefault(known.tool.name, []).append(known)
        self._pairs = self._letters = 0

    def of(self, reference: ToolReference, arguments: frozenset[str] = frozenset()) -> tuple[LikelyTool, ...]:
        """Return the best few candidates, the likeliest first. ``arguments``: of a tool that was never seen here.

        After ``MAX_PAIRS`` comparisons only tools of the same name are candidates, after ``MAX_LETTERS`` those with
        similar parameters too: packs name many tools, by long names.
        """
        before = next(iter(self._catalogue.resolve(reference)), None)
        server, name = _names(self._catalogue, reference, before)
        wanted = _arguments(before) if before is not None else arguments
        self._pairs += len(self._listed)
        if self._pairs > MAX_PAIRS:
            same = self._same.get(name or "", [])[:_MOST_CANDIDATES]
            return tuple(LikelyTool(known, Likeness.SAME_NAME, 1.0) for known in same)
        matcher = SequenceMatcher(None, "", _plain(name or ""), autojunk=False)
        found = []
        for known in self._listed:
            likely = self._candidate(known, server, name, wanted, matcher)
            if likely is not None:
                found.append(likely)
        order = list(Likeness)
        found.sort(key=lambda one: (order.index(one.likeness), -one.score, one.known.tool.namespaced_name))
        return tuple(found[:_MOST_CANDIDATES])

    def _candidate(
        self,
        known: KnownTool,
        server: str | None,
        name: str | None,
        wanted: frozenset[str],
        matcher: SequenceMatcher[str],
    ) -> LikelyTool | None:
        tool = known.tool
        nearby = 0.05 if tool.server == server else 0.0  # of two that are equal, the one of the same server
        if name is not None:
            if tool.name == name:
                return LikelyTool(known, Likeness.SAME_NAME, 1.0)
            if known.renamed_from == name and tool.server == server:
                return LikelyTool(known, Likeness.SIMILAR_NAME, 1.0)
            ratio = self._ratio(matcher, known)
            if ratio >= _SIMILAR_NAME:
                return LikelyTool(known, Likeness.SIMILAR_NAME, min(1.0, ratio + nearby))
        has = self._arguments[id(known)]
        shared = len(wanted & has)
        if shared >= _FEWEST_ARGUMENTS and (ratio := shared / len(wanted | has)) >= _SIMILAR_SCHEMA:
            return LikelyTool(known, Likeness.SIMILAR_SCHEMA, min(1.0, ratio + nearby))
        return None

    def _ratio(self, matcher: SequenceMatcher[str], known: KnownTool) -> float:
        """Return how similar two names are; 0 where they are not, or too much was compared before."""
        name = self._plain[id(known)]
        matcher.set_seq1(name)
        bounds = (matcher.real_quick_ratio, matcher.quick_ratio)  # from the cheapest to the real one
        if self._letters > MAX_LETTERS or any(bound() < _SIMILAR_NAME for bound in bounds):
            return 0.0
        self._letters += len(name) ** 2  # the other has about as many
        return matcher.ratio()


def has_tool(catalogue: Catalogue, reference: ToolReference) -> bool:
    """Return True if the reference means a tool that is listed now."""
    return any(known.listed for known in catalogue.resolve(reference))


def _names(catalogue: Catalogue, reference: ToolReference, before: KnownTool | None) -> tuple[str | None, str | None]:
    """Return the server and the own name that a reference probably meant."""
    if before is not None:
        return before.tool.server, before.tool.name
    namespaced = reference.namespaced_name
    if namespaced is None:
        return reference.server, None
    servers = [server for server in catalogue.servers if namespaced.startswith(f"{server}.")]
    server = reference.server or max(servers, key=len, default=None)
    if server is not None and namespaced.startswith(f"{server}."):
        return server, namespaced[len(server) + 1 :]
    return server, namespaced.partition(".")[2] or namespaced  # of a removed server: the usual form is a guess


def _plain(name: str) -> str:
    return "".join(c for c in name[:_LONGEST_NAME].casefold() if c.isalnum())


def _arguments(known: KnownTool) -> frozenset[str]:
    schema: Any = known.tool.definition["inputSchema"]
    return frozenset(top_level_arguments(schema))


def moving_edits(here: NoteTarget, there: NoteTarget, notes: Iterable[Note], taken: Iterable[str]) -> tuple[Edit, ...]:
    """Return the edits that move notes to another tool, appended to its notes.

    Args:
        taken: names of the existing notes; a moved note with one of them is numbered.
    """
    names = set(taken)
    edits: list[Edit] = []
    for note in notes:
        name = _free_name(note, names)
        names.add(name)
        document = {**note.to_json(), "name": name}
        edits += [RemoveNote(here, note.name), AddNote(there, document)]
    return tuple(edits)


def moved_notes(edits: Iterable[Edit]) -> int:
    """Return the number of notes that edits of ``moving_edits`` move."""
    return sum(isinstance(edit, AddNote) for edit in edits)


def following_edits(snapshot: Snapshot, known: KnownTool) -> tuple[Edit, ...]:
    """Return the edits by which what the user said under the earlier name of a renamed tool holds for its new one:
    notes in every scope, its places in toolsets, and its other words. What restricts it does so already
    (``proxy/routing/registry.py``).
    """
    if not known.renamed_from:
        return ()
    old, new = namespaced_name(known.tool.server, known.renamed_from), known.tool.namespaced_name
    here, there = (NoteTarget.everywhere(Scope.TOOL, name) for name in (old, new))
    kept = [note.name for note in snapshot.notes.tools.get(new, ())]
    edits = list(moving_edits(here, there, snapshot.notes.tools.get(old, ()), kept))
    reference = snapshot.catalogue.reference_to(known.tool)
    for toolset in snapshot.toolsets.values():
        taken = [note.name for one in toolset.notes if one.reference.namespaced_name == new for note in one.notes]
        for group in toolset.notes:
            if group.reference.namespaced_name == old:
                here = NoteTarget.in_toolset(toolset.name, group.reference)
                moved = moving_edits(here, NoteTarget.in_toolset(toolset.name, reference), group.notes, taken)
                taken += [str(edit.note["name"]) for edit in moved if isinstance(edit, AddNote)]
                edits += moved
    former = snapshot.catalogue.by_namespaced_name.get(old, ())
    if any(one.listed or one.tool.server != known.tool.server for one in former):
        return tuple(edits)  # another tool has that name
    for toolset in snapshot.toolsets.values():
        edits += _moved_place(snapshot.catalogue, toolset, old, known)
    settings = snapshot.tool_settings.by_name
    words = _words(settings.get(old), settings.get(new), (*WORDS, "pinned"))
    return (*edits, SetToolSettings(new, words)) if words else tuple(edits)


def _moved_place(catalogue: Catalogue, toolset: Toolset, old: str, known: KnownTool) -> Iterator[Edit]:
    """Yield the edits by which a tool takes the place in a toolset that it has there under its earlier name."""
    entry = next((one for one in toolset.tools if one.namespaced_name == old), None)
    if entry is None or entry.server not in (None, known.tool.server):
        return
    document, reference = toolset_document(toolset.name), catalogue.reference_to(known.tool)
    held = next((one for one in toolset.tools if catalogue.note_applies(one, known.tool)), None)
    if held is None:
        nothing = {"namespacedName": ABSENT, "refId": ABSENT, "server": ABSENT}
        yield SetToolFields(document, entry, {**nothing, **reference.to_json()})
        return
    if words := _words(entry, held, (*WORDS, "alias", "optionality")):
        yield SetToolFields(document, held, words)
    yield RemoveTools(document, (entry,))


def renamed_places(edits: Iterable[Edit]) -> int:
    """Return the number of toolsets in which edits of ``following_edits`` put the tool under its new name."""
    return len({edit.document for edit in edits if isinstance(edit, SetToolFields | RemoveTools)})


def _words(before: Document | None, now: Document | None, keys: Iterable[str]) -> JsonObject:
    """Return what the user set before and not now."""
    earlier, there = ({} if one is None else one.to_json() for one in (before, now))
    found = {key: earlier[key] for key in keys if earlier.get(key) and not there.get(key)}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}


def _free_name(note: Note, taken: set[str]) -> str:
    name, number = note.name, 2
    while name in taken:
        name, number = f"{note.name[:46]}-{number}", number + 1
    return name
