"""Dialog that picks tools of all sources for a toolset."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QModelIndex, QRect, QSize, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.toolset_tools import AnyIndex
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.controls import SearchField, paint_focus
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.table_cells import Cells, Column
from toolnote_desktop.guidance.served_tools import resolve_toolset
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.toolsets.toolset import Toolset

_TOOL = Qt.ItemDataRole.UserRole + 1
_COLUMNS: Final = (Column("tick", 28), Column("tool"), Column("source", 140))


class AddToolsDialog(Dialog):
    """List of the tools that are not in a toolset yet, with a check box each.

    Signals:
        chosen: the ``KnownTool``s to add.
        source_requested: the user wants to add another tool source.
    """

    chosen = Signal(object)
    source_requested = Signal()

    def __init__(self, snapshot: Snapshot, toolset: Toolset, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("add-tools-to-toolset")
        self.introduce(
            self.tr("Add tools to {toolset}").format(toolset=toolset.title),
            self.tr("Your notes on a tool come with it."),
        )
        inside = {one.known.tool.key for one in resolve_toolset(snapshot, toolset) if one.known is not None}
        self._tools = QStandardItemModel(self)
        for server in snapshot.servers:
            listing = snapshot.catalogue.servers.get(server)
            for known in listing.tools if listing is not None else ():
                if known.listed and known.tool.key not in inside:
                    self._tools.appendRow(_item(known))
        self._tools.itemChanged.connect(lambda _item: self._show_count())
        self._found = QSortFilterProxyModel(self)
        self._found.setSourceModel(self._tools)
        self._found.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field = SearchField(self.tr("Filter tools"))
        self.field.textChanged.connect(lambda text: self._filter(text.strip()))
        self.list = _ToolChoices()
        self.list.setModel(self._found)
        self.list.setAccessibleName(self.tr("Tools"))
        self.list.setProperty("kind", "choices")
        self.list.setUniformItemSizes(True)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.setMinimumHeight(round(320 * text_scale()))
        self.list.pressed_row.connect(self._toggle)
        self.nothing = label(self.tr("All tools of your tool sources are in this toolset."), "second", wraps=True)
        has_tools = self._tools.rowCount() > 0
        for widget in (self.field, self.list):
            widget.setVisible(has_tools)
            self.body.addWidget(widget)
        self.nothing.setVisible(not has_tools)
        self.body.addWidget(self.nothing)
        self.body.addStretch(1)
        source = Button(self.tr("Add a tool source…"), "link", pressed=self._request_source)
        self.confirm = Button("", "primary", pressed=self._choose)
        self.buttons.addWidget(source)
        self.buttons.addStretch(1)
        self.buttons.addWidget(Button(self.tr("Cancel"), pressed=self.reject))
        self.buttons.addWidget(self.confirm)
        self.setMinimumWidth(round(520 * text_scale()))
        self._show_count()
        self.field.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from the field into the list with Down."""
        if event.key() == Qt.Key.Key_Down and self.focusWidget() is self.field and self._found.rowCount():
            self.list.setCurrentIndex(self._found.index(0, 0))
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        super().keyPressEvent(event)

    def _filter(self, text: str) -> None:
        self._found.setFilterFixedString(text)
        self.nothing.setText(self.tr("No results for “{text}”.").format(text=text))
        self.nothing.setVisible(self._found.rowCount() == 0)

    def _toggle(self, index: QModelIndex) -> None:
        item = self._tools.itemFromIndex(self._found.mapToSource(index))
        if item is not None:
            on = item.checkState() is Qt.CheckState.Unchecked
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def ticked(self) -> list[KnownTool]:
        """Return the ticked tools in order."""
        items = (self._tools.item(row) for row in range(self._tools.rowCount()))
        return [item.data(_TOOL) for item in items if item.checkState() is Qt.CheckState.Checked]

    def _show_count(self) -> None:
        count = len(self.ticked())
        self.confirm.setText(
            self.tr("Add tools")
            if not count
            else self.tr("Add 1 tool")
            if count == 1
            else self.tr("Add %n tools", "", count)
        )
        self.confirm.setEnabled(count > 0)

    def _choose(self) -> None:
        tools = self.ticked()
        self.accept()
        self.chosen.emit(tuple(tools))

    def _request_source(self) -> None:
        self.reject()
        self.source_requested.emit()


def _item(known: KnownTool) -> QStandardItem:
    item = QStandardItem(f"{known.tool.title} · {messages.source_name(known.tool.server)}")
    item.setCheckState(Qt.CheckState.Unchecked)
    item.setData(known, _TOOL)
    return item


class _ToolChoices(QListView):
    """List whose rows are ticked by a press anywhere and by Space.

    Signals:
        pressed_row: the index of the row to tick or not.
    """

    pressed_row = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setItemDelegate(_ChoiceDelegate(self))
        self.clicked.connect(self.pressed_row.emit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self.pressed_row.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class _ChoiceDelegate(QStyledItemDelegate):
    """Paint a check box, a tool's name and its source."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(120, round(32 * text_scale()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        option_: Any = option  # PySide's stubs leave out the fields of style options
        scheme = colours(option_.palette)
        rect: QRect = option_.rect
        known: KnownTool = index.data(_TOOL)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option_.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.hover))
            painter.drawRoundedRect(rect, 6, 6)
        if option_.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect.toRectF(), scheme, 6)
        cells = Cells(painter, rect.adjusted(8, 0, -8, 0), option_.direction, scheme, _COLUMNS)
        cells.check("tick", Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)))
        cells.text("tool", known.tool.title, scheme.text)
        cells.text("source", messages.source_name(known.tool.server), scheme.dim, "second")
        painter.restore()
