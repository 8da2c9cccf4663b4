"""Picker of the preview's reader: a known assistant, or a dialect in general."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.widgets.basics import label
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect


class Reader(Struct, frozen=True):
    """Reader of the preview: a client of ``clients.json``, or None for any client of a dialect."""

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


class ReaderDescription(QWidget):
    """Choice of an assistant's dialect: detected from its reported name, or set by the user.

    Signals:
        chosen: the name of the dialect; None for detection.
    """

    chosen = Signal(object)

    def __init__(self, files: GuidanceFiles) -> None:
        super().__init__()
        self._files = files
        self.choice = ComboBox()
        self.choice.setAccessibleName(self.tr("Whose rules hold for it"))
        self.choice.chosen.connect(self.chosen)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label(self.tr("Rules of"), "small"))
        row.addWidget(self.choice, 1)
        self._items: tuple[str, ...] = ()

    def show_client(self, snapshot: Snapshot, id: str | None, dialect: Dialect) -> None:
        """Show the dialect of this client; hidden for no client in particular."""
        client = snapshot.clients.get(id or "")
        self.setVisible(client is not None)
        if client is None:
            return
        unsaid = self.tr("what it says itself: {dialect}").format(dialect=dialect.title)
        texts = (unsaid if client.dialect is None else self.tr("what it says itself"), *self._files.dialects)
        if texts != self._items:
            self._items = texts
            self.choice.clear()
            self.choice.addItem(texts[0], None)
            for name, one in self._files.dialects.items():
                self.choice.addItem(one.title, name)
        self.choice.setCurrentIndex(max(0, self.choice.findData(client.dialect)) if client.dialect else 0)
