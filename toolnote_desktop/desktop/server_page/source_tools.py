"""Table of a tool source's tools: notes, safeguard, and the toolsets that they are in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.drag_data import rows_data
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.toolset_tools import AnyIndex
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import KEYBOARD_REASONS
from toolnote_desktop.desktop.widgets.controls import paint_focus
from toolnote_desktop.desktop.widgets.page import BLEED
from toolnote_desktop.desktop.widgets.row_view import RowView
from toolnote_desktop.desktop.widgets.table_cells import Cells, Column
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import ServerListing

_ROW: Final = Qt.ItemDataRole.UserRole + 1
_TOOL, _NOTES, _ASKS, _TOOLSETS = "tool", "notes", "asks", "toolsets"
_WIDE: Final = (Column(_TOOL), Column(_NOTES, 96), Column(_ASKS, 136), Column(_TOOLSETS, 220, at_end=True))
_NARROW: Final = (Column(_TOOL), Column(_NOTES, 80), Column(_ASKS, 32), Column(_TOOLSETS, 150, at_end=True))
_SMALL: Final = (Column(_TOOL), Column(_NOTES, 72))
_WIDE_FROM: Final = 660
_NARROW_FROM: Final = 460


class SourceTool(Struct, frozen=True):
    """Row of the table. ``toolsets``: titles of those that have the tool."""

    key: ToolKey
    title: str
    notes: int
    asks: bool
    toolsets: tuple[str, ...]
    changed: bool


def source_tools(snapshot: Snapshot, listing: ServerListing) -> list[SourceTool]:
    """List the tools that a source offers, as rows."""
    inside: dict[str, list[str]] = {}
    notes = {name: len(found) for name, found in snapshot.notes.tools.items()}
    for toolset in snapshot.toolsets.values():
        for entry in toolset.tools:
            for known in snapshot.catalogue.resolve(entry):
                inside.setdefault(known.tool.namespaced_name, []).append(toolset.title)
        for group in toolset.notes:
            for known in snapshot.catalogue.resolve(group.reference):
                name = known.tool.namespaced_name
                notes[name] = notes.get(name, 0) + len(group.notes)
    return [
        SourceTool(
            known.tool.key,
            known.tool.title,
            notes.get(known.tool.namespaced_name, 0),
            snapshot.effective_entry(known).consent is not None,
            tuple(inside.get(known.tool.namespaced_name, ())),
            known.changed,
        )
        for known in listing.tools
        if known.listed
    ]


class SourceTools(QAbstractListModel):
    """Model of the table."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[SourceTool] = []

    def show_rows(self, rows: list[SourceTool]) -> None:
        """Show other rows; the same tools in the same order keep theirs."""
        if [one.key for one in rows] == [one.key for one in self.rows]:
            changed = [place for place, pair in enumerate(zip(self.rows, rows, strict=True)) if pair[0] != pair[1]]
            self.rows = rows
            for place in changed:
                self.dataChanged.emit(self.index(place), self.index(place))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def key_at(self, index: AnyIndex) -> RowKey | None:
        """Return the library row of a row here."""
        return RowKey(Kind.TOOL, *self.rows[index.row()].key) if index.isValid() else None

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return flags | Qt.ItemFlag.ItemIsDragEnabled

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        return rows_data(key for index in indexes if (key := self.key_at(index)) is not None)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title
            case Qt.ItemDataRole.AccessibleTextRole:
                asks, changed = self.tr("Ask me first"), self.tr("Changed")
                notes = messages.count_notes(row.notes)
                parts = (notes * bool(row.notes), asks * row.asks, changed * row.changed)
                return ", ".join([row.title, *(part for part in parts if part), *row.toolsets])
            case Qt.ItemDataRole.ToolTipRole:
                return ", ".join(row.toolsets)
        return row if role == _ROW else None


class _RowDelegate(QStyledItemDelegate):
    """Paint whole rows."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(120, row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        option_: Any = option  # PySide's stubs leave out the fields of style options
        scheme = colours(option_.palette)
        whole: QRect = option_.rect
        row: SourceTool = index.data(_ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option_.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(whole, QColor(scheme.hover))
        rect = whole.adjusted(BLEED, 0, -BLEED, 0)
        scale = text_scale()
        columns = (
            _WIDE if rect.width() >= _WIDE_FROM * scale else _NARROW if rect.width() >= _NARROW_FROM * scale else _SMALL
        )
        cells = Cells(painter, rect, option_.direction, scheme, columns)
        cells.hairline()
        width = cells.text(_TOOL, row.title, scheme.text)
        if row.changed:
            cells.sign(_TOOL, "attention", width + 12)
            cells.text(_TOOL, self.tr("Changed"), scheme.attention_text, "second", inset=width + 27)
        cells.text(_NOTES, messages.count_notes(row.notes) if row.notes else "", scheme.text)
        if row.asks and cells.has(_ASKS):
            cells.icon(_ASKS, "shield", scheme.dim)
            cells.text(_ASKS, self.tr("Ask me first"), scheme.dim, inset=22)
        if cells.has(_TOOLSETS):
            cells.text(_TOOLSETS, ", ".join(row.toolsets), scheme.dim)
        view = self.parent()
        if isinstance(view, SourceToolList) and view.shows_focus(index):
            paint_focus(painter, whole.toRectF(), scheme, 6)
        painter.restore()


def row_height() -> int:
    """Return the height of a row in pixels."""
    return round(32 * text_scale())


class SourceToolList(RowView, QListView):
    """List view of :class:`SourceTools`, as high as its rows; rows are opened, and dragged into toolsets.

    Signals:
        opened: the ``RowKey`` of the row that was pressed, or on which Enter was.
        row_reached: the rectangle of the row that the keyboard has reached.
    """

    opened = Signal(object)
    row_reached = Signal(object)

    def __init__(self, model: SourceTools) -> None:
        super().__init__()
        self._tools = model
        self._ring = False
        self._pressed_at: QPoint | None = None
        self.setModel(model)
        self.setItemDelegate(_RowDelegate(self))
        self.setUniformItemSizes(True)
        self.set_up_rows()
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setAcceptDrops(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        model.modelReset.connect(self._fit)
        self._fit()

    def shows_focus(self, index: AnyIndex) -> bool:
        """Return True if a row shows the keyboard focus."""
        return self._ring and self.hasFocus() and index == self.currentIndex()

    def _fit(self) -> None:
        self.setFixedHeight(max(1, self._tools.rowCount() * row_height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._ring = False
        index = self.indexAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and index.isValid():
            self._pressed_at = event.position().toPoint()
            self.setCurrentIndex(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed_at is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
        elif (event.position().toPoint() - self._pressed_at).manhattanLength() >= 10:
            self._pressed_at = None
            self.startDrag(Qt.DropAction.CopyAction)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed_at = self._pressed_at, None
        index = self.indexAt(event.position().toPoint())
        if pressed is not None and index.isValid() and index == self.currentIndex():
            self.opened.emit(self._tools.key_at(index))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._ring = True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self._tools.key_at(self.currentIndex()))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring = event.reason() in KEYBOARD_REASONS
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self._tools.index(0))

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if self.hasFocus() and self._ring and current.isValid():
            self.row_reached.emit(self.visualRect(current))

    def drag_data(self) -> tuple[QMimeData, int] | None:
        index = self.currentIndex()
        return (self._tools.mimeData([index]), 1) if index.isValid() else None

    def accepts(self, data: QMimeData) -> bool:
        return False

    def place_for(self, data: QMimeData, point: QPoint) -> None:
        return None
