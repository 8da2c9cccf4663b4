"""Document of a tool: what one assistant reads of it, rendered from the definition that it is served. No Qt.

Nothing is computed a second time: the definition comes from the functions that fill the assistant's ``tools/list``, and
the parts of its description join to exactly the served text. Where they would not, the text is shown whole.
"""

from __future__ import annotations

from msgspec import Struct

from toolnote_desktop.guidance.description import (
    BETWEEN,
    PartKind,
    ServedPart,
    joined,
    lost_mutes,
    own_paragraphs,
    served_parts,
)
from toolnote_desktop.guidance.discovery import is_always_listed, is_searched
from toolnote_desktop.guidance.served_tools import ChosenTool, ServedTool, Serving, chosen_tools, served_problems
from toolnote_desktop.model import json_text
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect
from toolnote_desktop.model.toolsets.notes import AppliedNote
from toolnote_desktop.model.toolsets.toolset import Toolset

_SHOWN_IN_PLACE = frozenset([Code.DIALECT_DESCRIPTION_CUT, Code.DIALECT_NOTES_FIRST])


class Viewer(Struct, frozen=True):
    """Assistant that a tool is shown for: a client of ``clients.json``, or any assistant with a toolset.

    Attributes:
        client: id of the client; None: any assistant.
        toolset: name of the toolset of any assistant; a client has its own.
    """

    client: str | None = None
    toolset: str | None = None


class DocumentPart(Struct, frozen=True):
    """Part of a description, and where the assistant stops reading in it.

    Attributes:
        note: the note of a part that is one.
        read: characters of the part that the assistant reads; all of them where nothing is cut.
    """

    part: ServedPart
    note: AppliedNote | None
    read: int

    @property
    def is_cut(self) -> bool:
        """True if the assistant does not read all of the part."""
        return self.read < len(self.part.text)


class OwnText(Struct, frozen=True):
    """The server's own words as they are shown, with the muted paragraphs in their places.

    Attributes:
        muted: where each muted paragraph is in the text.
        read: end of what the assistant reads of it.
        paragraphs: all paragraphs, each with True if it is muted.
        lost: muted texts that the description does not have.
    """

    text: str = ""
    muted: tuple[tuple[int, int], ...] = ()
    read: int = 0
    paragraphs: tuple[tuple[str, bool], ...] = ()
    lost: tuple[str, ...] = ()


class ToolDocument(Struct, frozen=True):
    """Tool as one assistant reads it.

    Attributes:
        toolset: toolset of the assistant; None where it has none.
        served: None where the assistant does not get the tool.
        exact: the entry of ``tools/list`` as bytes.
        is_searched: the assistant finds the tool by searching: the entry is in an answer of ``search-tools`` instead.
        limit: characters of a description that the assistant reads; None: all.
        problems: contradictions, and content that the assistant may refuse; cuts are in ``parts``.
    """

    viewer: Viewer
    toolset: Toolset | None
    dialect: Dialect
    served: ServedTool | None
    exact: bytes = b""
    is_searched: bool = False
    parts: tuple[DocumentPart, ...] = ()
    limit: int | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def description(self) -> str:
        """Whole description, joined from the parts."""
        return joined(one.part for one in self.parts)

    @property
    def own(self) -> OwnText:
        """The server's own words, muted ones too."""
        part = next((one for one in self.parts if one.part.kind is PartKind.OWN), None)
        kept, read = (part.part.text, part.read) if part is not None else ("", 0)
        if self.served is None:
            return OwnText(kept, read=read)
        base, entry = self.served.known.tool.served_base, self.served.entry
        paragraphs = own_paragraphs(base, entry)
        if BETWEEN.join(text for text, is_muted in paragraphs if not is_muted) != kept:
            paragraphs = ((kept, False),)
        text, muted, place, shown = "", [], 0, -1
        for paragraph, is_muted in paragraphs:
            text += BETWEEN if text else ""
            start = len(text)
            text += paragraph
            if is_muted:
                muted.append((start, len(text)))
                continue
            place += len(BETWEEN) if place else 0
            if shown < 0 and place + len(paragraph) > read:
                shown = start + max(0, read - place)
            place += len(paragraph)
        return OwnText(text, tuple(muted), len(text) if shown < 0 else shown, paragraphs, lost_mutes(base, entry))

    @property
    def notes_first(self) -> bool:
        """True if the user's words precede the server's, so that they are not cut."""
        kinds = [one.part.kind for one in self.parts]
        return PartKind.OWN in kinds and kinds[0] is not PartKind.OWN


def viewers(snapshot: Snapshot, toolset: str | None) -> tuple[Viewer, ...]:
    """Return the assistants that a tool can be shown for, then any assistant with ``toolset``."""
    return (*(Viewer(client) for client in snapshot.clients), Viewer(None, toolset))


def first_viewer(snapshot: Snapshot, toolset: str | None) -> Viewer:
    """Return the first assistant that is served ``toolset``, else any assistant with it."""
    for client in snapshot.clients:
        served = snapshot.toolset_of(client)
        if served is not None and served.name == toolset:
            return Viewer(client)
    return Viewer(None, toolset)


def viewer_toolset(snapshot: Snapshot, viewer: Viewer) -> Toolset | None:
    """Return the toolset of an assistant, or that of any assistant."""
    if viewer.client is not None:
        return snapshot.toolset_of(viewer.client)
    return snapshot.toolsets.get(viewer.toolset or "")


class ServedTools:
    """Tools that an assistant is served, kept until the snapshot, the toolset or the dialect is another one."""

    def __init__(self) -> None:
        self._basis: tuple[Snapshot, Toolset | None, Dialect] | None = None
        self.tools: dict[ToolKey, ChosenTool] = {}

    def find(self, snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect, tool: ToolKey) -> ChosenTool | None:
        """Return a tool as it is chosen; None if the assistant does not get it."""
        basis = (snapshot, toolset, dialect)
        if self._basis is None or any(one is not other for one, other in zip(basis, self._basis, strict=True)):
            self._basis = basis
            self.tools = {one.known.tool.key: one for one in chosen_tools(snapshot, toolset, dialect)}
        return self.tools.get(tool)


def tool_document(
    snapshot: Snapshot, viewer: Viewer, tool: ToolKey, dialect: Dialect = PLAIN, served_tools: ServedTools | None = None
) -> ToolDocument:
    """Return what an assistant reads of a tool, or that it does not get it."""
    toolset = viewer_toolset(snapshot, viewer)
    tools = served_tools or ServedTools()
    chosen = tools.find(snapshot, toolset, dialect, tool)
    if chosen is None:
        return ToolDocument(viewer, toolset, dialect, None)
    served = Serving(snapshot, toolset, dialect).serve(chosen)
    limit = dialect.description_limit
    client = snapshot.clients.get(viewer.client or "")
    searched = is_searched(snapshot, client, toolset, dialect, tuple(tools.tools.values()))
    return ToolDocument(
        viewer=viewer,
        toolset=toolset,
        dialect=dialect,
        served=served,
        exact=json_text.dumps(served.definition),
        is_searched=searched and not is_always_listed(chosen),
        parts=_parts(served, dialect, limit),
        limit=limit,
        problems=tuple(one for one in served_problems(served, dialect) if one.code not in _SHOWN_IN_PLACE),
    )


def _parts(served: ServedTool, dialect: Dialect, limit: int | None) -> tuple[DocumentPart, ...]:
    text = served.definition.get("description")
    text = text if isinstance(text, str) else ""
    enabled = [applied for applied in served.notes if applied.note.enabled]
    parts = served_parts(served.known.tool.served_base, served.entry, [one.note for one in enabled], dialect)
    if joined(parts) != text:
        parts = (ServedPart(PartKind.OWN, text),) if text else ()
    left = len(text) if limit is None else limit
    found = []
    for number, part in enumerate(parts):
        left -= len(part.before) if number else 0
        read = min(len(part.text), max(0, left))
        left -= len(part.text)
        note = enabled[part.number] if part.number is not None else None
        found.append(DocumentPart(part, note, read))
    return tuple(found)
