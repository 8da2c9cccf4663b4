"""List of a toolset's tools: the selected ones are switched, moved and removed by keys, a menu and drags."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QPoint, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QAction,
    QColor,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractItemView, QListView

from toolnote_desktop.desktop.models.drag_data import keys_in
from toolnote_desktop.desktop.models.library_rows import RowKey
from toolnote_desktop.desktop.models.toolset_tools import ToolsetTools
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.widgets.row_delegate import RowDelegate, row_height
from toolnote_desktop.desktop.widgets.row_view import RowView


class ToolList(RowView, QListView):
    """List view of :class:`ToolsetTools`.

    Signals:
        activated_index: the index to show.
        switched, removed: rows of the model.
        stepped: the selected ``RowKey``s, and -1 or 1.
        dropped: the dropped ``RowKey``s, and the row before which they go.
    """

    activated_index = Signal(object)
    switched = Signal(object)
    removed = Signal(object)
    stepped = Signal(object, int)
    dropped = Signal(object, int)

    def __init__(self, model: ToolsetTools) -> None:
        super().__init__()
        self._tools = model
        self.setModel(model)
        self.setItemDelegate(RowDelegate(self, flat=True))
        self.setUniformItemSizes(True)
        self.set_up_rows()
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._add(self.tr("Show it"), "Return", lambda: self.activated_index.emit(self.currentIndex()))
        self._add(self.tr("Turn on or off"), "Space", lambda: self._emit_rows(self.switched))
        self._add(self.tr("Move up"), "Alt+Up", lambda: self._step(-1))
        self._add(self.tr("Move down"), "Alt+Down", lambda: self._step(1))
        self._add(self.tr("Remove from this toolset"), "Delete", lambda: self._emit_rows(self.removed))
        self.doubleClicked.connect(self.activated_index.emit)

    def selected_rows(self) -> list[int]:
        """Return the selected rows in order."""
        return sorted(index.row() for index in self.selectionModel().selectedIndexes())

    def selected_keys(self) -> list[RowKey]:
        """Return the selected rows' library keys."""
        keys = (self._tools.key_at(self._tools.index(row)) for row in self.selected_rows())
        return [key for key in keys if key is not None]

    def sizeHint(self) -> QSize:
        rows = self.model().rowCount() if self.model() is not None else 0
        return QSize(300, max(4, min(rows, 14)) * row_height() + 4)

    def _add(self, text: str, keys: str, deed: Callable[[], None]) -> None:
        action = QAction(text, self)
        action.setShortcut(keys)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(deed)
        self.addAction(action)

    def _emit_rows(self, signal: SignalInstance) -> None:
        if self.selected_rows():
            signal.emit(self.selected_rows())

    def _step(self, step: int) -> None:
        if self.selected_rows():
            self.stepped.emit(self.selected_keys(), step)

    # --- drags

    def drag_data(self) -> tuple[QMimeData, int] | None:
        return self._tools.mimeData(self.selectionModel().selectedIndexes()), len(self.selected_rows())

    def accepts(self, data: QMimeData) -> bool:
        return bool(keys_in(data))

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls
        if keys_in(event.mimeData()):
            self.show_drop(self._row_before(event.position().toPoint()))
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        self.show_drop(None)
        self.setState(QAbstractItemView.State.NoState)
        keys = keys_in(event.mimeData())
        if keys:
            event.acceptProposedAction()
            self.dropped.emit(keys, self._row_before(event.position().toPoint()))
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.drop_mark is None:
            return
        count = self._tools.rowCount()
        row = self.visualRect(self._tools.index(min(self.drop_mark, count - 1)))
        height = row.bottom() + 1 if self.drop_mark >= count else row.top()
        painter = QPainter(self.viewport())
        painter.setPen(QPen(QColor(colours(self.palette()).accent), 2))
        painter.drawLine(8, height, self.viewport().width() - 8, height)

    def _row_before(self, place: QPoint) -> int:
        """Return the row before which a drop goes: before a row in its upper half, else after it."""
        index = self.indexAt(place)
        if not index.isValid():
            return self._tools.rowCount()
        return index.row() + (place.y() > self.visualRect(index).center().y())
