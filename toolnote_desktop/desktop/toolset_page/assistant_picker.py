"""Picker of a guide's reader: a known assistant, or a dialect in general."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QSizePolicy

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect


class Reader(Struct, frozen=True):
    """Reader of a guide: a client of ``clients.json``, or None for any client of a dialect."""

    client: str | None
    dialect: str


class AssistantPicker(ComboBox):
    """Choice of the reader.

    Signals:
        changed: another reader is selected.
    """

    changed = Signal()

    def __init__(self, files: GuidanceFiles) -> None:
        super().__init__()
        self._files = files
        self._reader = Reader(None, files.plain.name)
        self._items: tuple[tuple[str, Reader], ...] = ()
        self.setAccessibleName(self.tr("As whom to look at it"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self.chosen.connect(self._choose)

    @property
    def reader(self) -> Reader:
        """Selected reader."""
        return self._reader

    def dialect(self, snapshot: Snapshot) -> Dialect:
        """Dialect that the selected reader is served."""
        client = snapshot.clients.get(self._reader.client or "")
        if client is not None and self._reader.client is not None:
            return self._files.dialect_of(self._reader.client, client)
        return self._files.dialects.get(self._reader.dialect, self._files.plain)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the known clients."""
        plain = self._files.plain
        items = [(self.tr("Any assistant"), Reader(None, plain.name))]
        for id in snapshot.clients:
            items.append((messages.author_name(snapshot, id), Reader(id, plain.name)))
        taken = {text.casefold() for text, _ in items}
        for name, dialect in self._files.dialects.items():
            if name != plain.name:
                text = dialect.title
                if text.casefold() in taken:
                    text = self.tr("{name} (any)").format(name=text)
                items.append((text, Reader(None, name)))
        found = tuple(items)
        if found != self._items:
            self._fill(found)

    def _fill(self, items: tuple[tuple[str, Reader], ...]) -> None:
        self._items = items
        self.clear()
        for text, reader in items:
            self.addItem(text, reader)
        readers = [reader for _, reader in items]
        if self._reader not in readers:
            self._reader = readers[0]
        self.setCurrentIndex(readers.index(self._reader))
        metrics = QFontMetrics(self.font())
        self.view().setMinimumWidth(max(metrics.horizontalAdvance(text) for text, _ in items) + 40)

    def _choose(self, reader: Reader) -> None:
        if reader != self._reader:
            self._reader = reader
            self.changed.emit()
