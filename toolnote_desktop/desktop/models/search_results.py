"""Search over everything in the window: tools, notes, parameters, assistants, toolsets, sources, settings, actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.fuzzy import best, folded
from toolnote_desktop.desktop.models.library_rows import ACTIVITY, HOME, Kind, RowKey
from toolnote_desktop.desktop.models.needs_you import Assistant, assistant_states
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.notes import Note

AnyIndex = QModelIndex | QPersistentModelIndex
MOST_OF_A_GROUP: Final = 8
MOST_ACTIONS: Final = 24
_LEAST_OF_PARAMETER: Final = 2
"""Letters from which parameters are searched."""
_SNIPPET: Final = 80
"""Characters of a note's text beside its name."""


class Entry(Struct, frozen=True):
    """Entry of the search.

    Attributes:
        second: words beside the name: whose it is, the words of a note, why it was found.
        right: its keys, or the tool that a note is on.
        target: the place that it opens, or the function that it calls; None: a heading.
        more: other words that find it.
        marks, second_marks: what was found in ``text`` and ``second``: position and length.
    """

    text: str
    second: str = ""
    target: RowKey | Callable[[], object] | None = None
    right: str = ""
    icon: str = ""
    more: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    second_marks: tuple[tuple[int, int], ...] = ()


class SearchRole(IntEnum):
    """Data roles of the delegate."""

    ENTRY = Qt.ItemDataRole.UserRole + 20


class _Group:
    """Entries of one kind, found by their names."""

    def __init__(self, heading: str, entries: Iterable[Entry]) -> None:
        self.heading = heading
        self._entries = tuple(entries)
        self._names = [folded(entry.text) for entry in self._entries]
        self._rest = [" ".join((folded(entry.second), folded(entry.more))) for entry in self._entries]

    def find(self, text: str) -> list[Entry]:
        """Return the best entries: by their name first, then by their other words."""
        query = folded(text)
        places = best(query, self._names, MOST_OF_A_GROUP)
        if len(places) < MOST_OF_A_GROUP:
            there, wanted = set(places), " ".join(query.split())
            also = (place for place, words in enumerate(self._rest) if wanted in words and place not in there)
            places += [place for place, _ in zip(also, range(MOST_OF_A_GROUP - len(places)), strict=False)]
        return [_marked(self._entries[place], text) for place in places]


class _NoteGroup:
    """Notes, found by their names and words."""

    def __init__(self, heading: str, notes: Iterable[tuple[Note, str, RowKey]]) -> None:
        self.heading = heading
        self._notes = [(f"{note.name}\n{note.note}".casefold(), note, right, key) for note, right, key in notes]

    def find(self, text: str) -> list[Entry]:
        """Return the notes that have each word, with the words around the first."""
        words = text.casefold().split()
        found = [one for one in self._notes if all(word in one[0] for word in words)][:MOST_OF_A_GROUP]
        entries = (Entry(note.name, _around(note.note, words), key, right, "pencil") for _, note, right, key in found)
        return [_marked(entry, text) for entry in entries]


class _ParameterGroup:
    """Parameters of tools, found by a part of their names. Nothing is kept of ten thousand tools."""

    def __init__(self, heading: str, snapshot: Snapshot) -> None:
        self.heading = heading
        self._tools = snapshot.catalogue.tools

    def find(self, text: str) -> list[Entry]:
        """Return parameters whose names contain the text, those that begin with it first."""
        query = folded(text).strip()
        if len(query) < _LEAST_OF_PARAMETER:
            return []
        found: list[tuple[str, Tool]] = []
        later: list[tuple[str, Tool]] = []
        for known in self._tools.values():
            schema = known.tool.definition.get("inputSchema")
            properties = schema.get("properties") if isinstance(schema, dict) and known.listed else None
            for name in properties if isinstance(properties, dict) else ():
                place = folded(name).find(query)
                if place >= 0:
                    (later if place else found).append((name, known.tool))
            if len(found) >= MOST_OF_A_GROUP:
                break
        chosen = [*found, *later][:MOST_OF_A_GROUP]
        made = (
            Entry(name, tool.title, RowKey(Kind.TOOL, *tool.key), messages.source_name(tool.server), "key")
            for name, tool in chosen
        )
        return [_marked(entry, text) for entry in made]


class _ActionGroup(_Group):
    """Actions, found by synonyms too."""

    def find(self, text: str) -> list[Entry]:
        found = super().find(text)
        shown = {entry.text for entry in found}
        for words in _synonyms():
            said = next((word for word in words if len(text) > 2 and word.startswith(text.casefold().strip())), None)
            if said is None:
                continue
            why = translate("search", "Found for “{word}”").format(word=said)
            for entry in self._entries:
                first = folded(entry.text).partition(" ")[0]
                if first in words and entry.text not in shown:
                    shown.add(entry.text)
                    found.append(replace(entry, second=why))
        return found[:MOST_ACTIONS]


def _synonyms() -> tuple[tuple[str, ...], ...]:
    """Return words that mean the same to a user, in the window's language."""
    return tuple(
        tuple(words.split())
        for words in (
            translate("search", "delete remove disconnect erase"),
            translate("search", "add new create browse connect import"),
            translate("search", "settings preferences options"),
            translate("search", "share export send"),
            translate("search", "try demo example tutorial"),
            translate("search", "quit exit close"),
        )
    )


class SearchResults(QAbstractListModel):
    """Results in groups with a heading each; before the first letter the last places."""

    def __init__(
        self,
        snapshot: Snapshot,
        assistants: Sequence[Assistant],
        actions: Iterable[Entry],
        recent: Iterable[RowKey],
        settings: Iterable[Entry] = (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        states = assistant_states(snapshot, assistants)
        self._groups: tuple[_Group | _NoteGroup | _ParameterGroup, ...] = (
            _Group(translate("search", "Tools"), _tools(snapshot)),
            _NoteGroup(translate("search", "Notes"), _notes(snapshot)),
            _ParameterGroup(translate("search", "Parameters"), snapshot),
            _Group(
                translate("search", "Assistants"),
                [Entry(one.name, one.word, RowKey(Kind.ASSISTANT, one.id), icon="arrow") for one in states],
            ),
            _Group(translate("search", "Toolsets"), _toolsets(snapshot)),
            _Group(translate("search", "Tool sources"), _sources(snapshot)),
            _ActionGroup(translate("search", "Actions"), actions),
            _Group(translate("search", "Settings"), settings),
        )
        places = (place_entry(snapshot, place) for place in recent)
        self._recent = [entry for entry in places if entry is not None][:MOST_OF_A_GROUP]
        self._shown: list[Entry] = []
        self.search("")

    def search(self, text: str) -> None:
        """Show what ``text`` finds."""
        shown: list[Entry] = []
        if text.strip():
            for group in self._groups:
                found = group.find(text)
                if found:
                    shown += [Entry(group.heading), *found]
        elif self._recent:
            shown = [Entry(translate("search", "Last opened")), *self._recent]
        self.beginResetModel()
        self._shown = shown
        self.endResetModel()

    def entry_at(self, index: AnyIndex) -> Entry | None:
        """Return the entry of a row."""
        return self._shown[index.row()] if index.isValid() and index.row() < len(self._shown) else None

    @property
    def first(self) -> QModelIndex:
        """First row that can be opened; an invalid index if nothing was found."""
        return self.index(1) if len(self._shown) > 1 else QModelIndex()

    # --- Qt's side

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._shown)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        entry = self.entry_at(index)
        if entry is None:
            return Qt.ItemFlag.NoItemFlags
        if entry.target is None:
            return Qt.ItemFlag.ItemNeverHasChildren
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.entry_at(index)
        if entry is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return entry.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(part for part in (entry.text, entry.second, entry.right) if part)
            case SearchRole.ENTRY:
                return entry
        return None


def place_entry(snapshot: Snapshot, place: RowKey) -> Entry | None:
    """Return the entry of a place; None if it has no name of its own."""
    match place.kind:
        case Kind.HOME:
            return Entry(translate("sidebar", "Home"), target=HOME, icon="home")
        case Kind.ACTIVITY:
            return Entry(translate("sidebar", "Activity"), target=ACTIVITY, icon="activity")
        case Kind.TOOL | Kind.CHANGED if (place.owner, place.name) in snapshot.catalogue.tools:
            known = snapshot.catalogue.tools[(place.owner, place.name)]
            return Entry(known.tool.title, messages.source_name(place.owner), place, icon="tool")
        case Kind.TOOLSET if place.owner in snapshot.toolsets:
            return Entry(snapshot.toolsets[place.owner].title, translate("search", "Toolset"), place, icon="toolset")
        case Kind.SERVER if place.owner in snapshot.servers:
            return Entry(messages.source_name(place.owner), translate("search", "Tool source"), place, icon="globe")
    return None


def _tools(snapshot: Snapshot) -> Iterator[Entry]:
    for server, listing in snapshot.catalogue.servers.items():
        for known in listing.tools:
            if known.listed:
                own = snapshot.notes.tools.get(known.tool.namespaced_name, ())
                right = messages.count_notes(len(own)) if own else ""
                key = RowKey(Kind.TOOL, server, known.tool.name)
                yield Entry(known.tool.title, server, key, right, "tool", known.tool.name)


def _toolsets(snapshot: Snapshot) -> Iterator[Entry]:
    for name, toolset in snapshot.toolsets.items():
        right = messages.count_tools(len(toolset.tools))
        yield Entry(toolset.title, "", RowKey(Kind.TOOLSET, name), right, "toolset", name)


def _sources(snapshot: Snapshot) -> Iterator[Entry]:
    for server in snapshot.servers:
        listing = snapshot.catalogue.servers.get(server)
        right = messages.count_tools(len(listing.tools)) if listing is not None else ""
        yield Entry(messages.source_name(server), "", RowKey(Kind.SERVER, server), right, "globe")


def _notes(snapshot: Snapshot) -> Iterator[tuple[Note, str, RowKey]]:
    """List each note with the tool or scope that it is on, and the place where it is written."""
    by_name = snapshot.catalogue.by_namespaced_name
    for name, notes in snapshot.notes.tools.items():
        tools = by_name.get(name, ())
        if len(tools) == 1:
            key = RowKey(Kind.TOOL, *tools[0].tool.key)
            yield from ((note, tools[0].tool.title, key) for note in notes)
    for server, notes in snapshot.notes.servers.items():
        if server in snapshot.servers:
            right = translate("search", "All {source} tools").format(source=messages.source_name(server))
            yield from ((note, right, RowKey(Kind.SERVER, server)) for note in notes)
    first = next(iter(snapshot.catalogue.tools), None)
    if first is not None:
        for note in snapshot.notes.everything:
            yield note, translate("search", "Every tool"), RowKey(Kind.TOOL, *first)
    for toolset in snapshot.toolsets.values():
        for group in toolset.notes:
            tools = snapshot.catalogue.resolve(group.reference)
            if len(tools) == 1:
                key = RowKey(Kind.TOOL, *tools[0].tool.key)
                yield from ((note, tools[0].tool.title, key) for note in group.notes)


def _around(text: str, words: Sequence[str]) -> str:
    """Return the part of a note that has the first of the words, on one line."""
    line = " ".join(text.split())
    places = [place for word in words if (place := line.casefold().find(word)) >= 0]
    start = max(0, min(places, default=0) - 16)
    if start:
        start = line.find(" ", start) + 1
    shown = line[start : start + _SNIPPET]
    return ("…" if start else "") + shown + ("…" if start + _SNIPPET < len(line) else "")


def _marked(entry: Entry, text: str) -> Entry:
    words = text.casefold().split()
    return replace(entry, marks=_places(entry.text, words), second_marks=_places(entry.second, words))


def _places(text: str, words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Return where each of the words is first found in a text."""
    line = text.casefold()
    if len(line) != len(text):  # a letter that folds to two would move the marks
        return ()
    return tuple(sorted((place, len(word)) for word in words if (place := line.find(word)) >= 0))
