"""Dialog that picks a toolset and a tool in it as the place of a note."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.note_places import place_on
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.controls import SearchField
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.guidance.served_tools import resolve_toolset
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool

_TOOL = Qt.ItemDataRole.UserRole + 1


class ChoosePlaceDialog(Dialog):
    """Dialog that picks a place.

    Signals:
        place_chosen: the ``NoteTarget``, and the row's label.
    """

    place_chosen = Signal(object)

    def __init__(
        self, snapshot: Snapshot, title: str, verb: str, toolset: str | None, parent: QWidget | None = None
    ) -> None:
        """Build the dialog with ``verb`` on its button and ``toolset`` selected."""
        super().__init__(parent)
        self._snapshot = snapshot
        self.introduce(
            title, self.tr("A note in a toolset is for the assistants that use it; one in every toolset is for all.")
        )
        self.where = ComboBox()
        self.where.setAccessibleName(self.tr("Toolset"))
        for name, one in snapshot.toolsets.items():
            self.where.addItem(self.tr("In “{toolset}”").format(toolset=one.title), name)
        self.where.addItem(self.tr("In every toolset"), None)
        row = self.where.findData(toolset) if toolset is not None else self.where.count() - 1
        self.where.setCurrentIndex(max(row, 0))
        self.where.chosen.connect(lambda _value: self._fill())
        self.field = SearchField(self.tr("Find a tool"))
        self._tools = QStandardItemModel(self)
        self._found = QSortFilterProxyModel(self)
        self._found.setSourceModel(self._tools)
        self._found.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.list = QListView()
        self.list.setModel(self._found)
        self.list.setAccessibleName(self.tr("Tools"))
        self.list.setProperty("kind", "choices")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setMinimumHeight(round(240 * text_scale()))
        self.field.textChanged.connect(self._search)
        self.list.doubleClicked.connect(lambda _index: self._choose())
        self.list.selectionModel().currentChanged.connect(self._show_button)
        self.body.addWidget(self.where)
        self.body.addWidget(self.field)
        self.body.addWidget(self.list)
        self.confirm = Button(verb, "primary")
        self.confirm.clicked.connect(self._choose)
        cancel = Button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.buttons.addStretch(1)
        self.buttons.addWidget(cancel)
        self.buttons.addWidget(self.confirm)
        self.setMinimumWidth(round(520 * text_scale()))
        self._fill()
        self.field.setFocus()

    def _fill(self) -> None:
        self._tools.clear()
        for known in self._tools_of(self.where.currentData()):
            item = QStandardItem(f"{known.tool.title}  ·  {messages.source_name(known.tool.server)}")
            item.setData(known, _TOOL)
            self._tools.appendRow(item)
        self._search(self.field.text())

    def _tools_of(self, toolset: str | None) -> list[KnownTool]:
        found = self._snapshot.toolsets.get(toolset or "")
        if found is None:
            return [known for known in self._snapshot.catalogue.tools.values() if known.listed]
        resolved = (one.known for one in resolve_toolset(self._snapshot, found))
        return [known for known in resolved if known is not None]

    def _search(self, text: str) -> None:
        self._found.setFilterFixedString(text.strip())
        if not self.list.currentIndex().isValid() and self._found.rowCount():
            self.list.setCurrentIndex(self._found.index(0, 0))
        self._show_button()

    def _show_button(self, _now: QModelIndex | None = None, _before: QModelIndex | None = None) -> None:
        self.confirm.setEnabled(self.list.currentIndex().isValid())

    def _choose(self) -> None:
        known = self.list.currentIndex().data(_TOOL)
        if not isinstance(known, KnownTool):
            return
        self.accept()
        self.place_chosen.emit(place_on(self._snapshot, known, self.where.currentData()))
