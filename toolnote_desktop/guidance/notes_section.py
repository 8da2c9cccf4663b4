"""Notes in a description (docs/contract.md 6, docs/requirements.md 0.10). Works on copies."""

from __future__ import annotations

from collections.abc import Iterable

from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.tools.imitation import LINE_BREAK
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.notes import AppliedNote, EverywhereNotes, Note, Scope
from toolnote_desktop.model.toolsets.toolset import NoteGroup, Toolset

SECTION_TITLE = "### Additional Tool Notes"


class NoteIndex:
    """Notes of one toolset and those that apply everywhere, indexed by tool.

    Built once per list: comparing each note with each of thousands of tools would take too long.
    """

    def __init__(self, toolset: Toolset | None, everywhere: EverywhereNotes, catalogue: Catalogue) -> None:
        self._everywhere = everywhere
        self._catalogue = catalogue
        self._groups = toolset.notes if toolset is not None else ()
        self._by_name: dict[str, list[int]] = {}
        self._by_ref_id: dict[str, list[int]] = {}
        for place, group in enumerate(self._groups):
            if group.reference.namespaced_name is not None:
                self._by_name.setdefault(group.reference.namespaced_name, []).append(place)
            if group.reference.ref_id is not None:
                self._by_ref_id.setdefault(group.reference.ref_id, []).append(place)

    def applied(self, tool: Tool) -> tuple[AppliedNote, ...]:
        """Return all notes that apply to a tool, including disabled ones: global, server, tool, toolset; then in the
        user's order.
        """
        everywhere = self._everywhere
        applied = [AppliedNote(Scope.GLOBAL, note) for note in everywhere.everything]
        applied += [AppliedNote(Scope.SERVER, note) for note in everywhere.servers.get(tool.server, ())]
        if len(self._catalogue.by_namespaced_name.get(tool.namespaced_name, ())) < 2:
            applied += [AppliedNote(Scope.TOOL, note) for note in everywhere.tools.get(tool.namespaced_name, ())]
        for group in self._candidates(tool):
            if self._catalogue.note_applies(group.reference, tool):
                applied += [AppliedNote(Scope.TOOLSET, note) for note in group.notes]
        return tuple(applied)

    def _candidates(self, tool: Tool) -> Iterable[NoteGroup]:
        if not self._groups:
            return ()
        places = set(self._by_name.get(tool.namespaced_name, ()))
        if self._by_ref_id:
            places.update(self._by_ref_id.get(tool.ref_id, ()))
        return (self._groups[place] for place in sorted(places))


def note_lines(notes: Iterable[Note]) -> list[str]:
    """Return the enabled notes as the lines of the section. Further lines of a note are indented by two spaces, so that
    none can be taken for another note or a heading.
    """
    return [f"• **{note.name}**: {indented(note.note)}" for note in notes if note.enabled]


def indented(text: str) -> str:
    """Return a text with its second and further lines indented by two spaces."""
    return LINE_BREAK.sub(lambda found: f"{found.group()}  ", text)
