"""Entries of the command palette: actions, toolsets, tool sources and tools, found by a few letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.fuzzy import best, folded
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.library_tree import Role
from toolnote_desktop.model.snapshot import Snapshot

AnyIndex = QModelIndex | QPersistentModelIndex
MOST_SHOWN: Final = 50


class Entry(Struct, frozen=True):
    """Entry of the palette.

    Attributes:
        second: what kind of thing it is, or whose.
        right: its keys.
        target: the row of the library that it leads to, or the name of what it does.
        more: other words that find it.
    """

    text: str
    second: str
    target: RowKey | str
    right: str = ""
    more: str = ""


def library_entries(snapshot: Snapshot) -> list[Entry]:
    """List the library's pages and, for each toolset, the action that uses it."""
    entries = [
        Entry(toolset.title, translate("palette", "toolset"), RowKey(Kind.TOOLSET, name), more=name)
        for name, toolset in snapshot.toolsets.items()
    ]
    source = translate("palette", "tool source")
    entries += [Entry(server, source, RowKey(Kind.SERVER, server)) for server in snapshot.servers]
    entries += [
        Entry(known.tool.title, server, RowKey(Kind.TOOL, server, known.tool.name), more=known.tool.name)
        for server, listing in snapshot.catalogue.servers.items()
        for known in listing.tools
        if known.listed
    ]
    return entries


class PaletteEntries(QAbstractListModel):
    """Return the entries that match the typed text, best first."""

    def __init__(self, entries: Iterable[Entry], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: Sequence[Entry] = tuple(entries)
        self._names = [folded(entry.text) for entry in self._entries]
        self._all = [
            " ".join((name, folded(entry.second), folded(entry.more)))
            for name, entry in zip(self._names, self._entries, strict=True)
        ]
        self._shown: list[Entry] = list(self._entries[:MOST_SHOWN])

    def search(self, text: str) -> None:
        """Show what ``text`` finds: by the name first, then by whose it is, or what its source calls it."""
        query = folded(text)
        places = best(query, self._names, MOST_SHOWN)
        if query.strip() and len(places) < MOST_SHOWN:
            there, wanted = set(places), " ".join(query.split())
            places += [place for place, text in enumerate(self._all) if wanted in text and place not in there]
        self.beginResetModel()
        self._shown = [self._entries[place] for place in places[:MOST_SHOWN]]
        self.endResetModel()

    def entry_at(self, index: AnyIndex) -> Entry | None:
        """Return the data of a row."""
        return self._shown[index.row()] if index.isValid() and index.row() < len(self._shown) else None

    # --- Qt's side

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._shown)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
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
            case Role.SECOND:
                return entry.second
            case Role.RIGHT:
                return entry.right
            case Role.MARK:
                return Mark.NONE
            case Role.DIM:
                return False
            case Role.LEVEL:
                return 1
        return None
