"""Set-up and drags that the views of library rows share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragLeaveEvent
from PySide6.QtWidgets import QAbstractItemView

from toolnote_desktop.desktop.widgets.row_delegate import drag_pixmap

if TYPE_CHECKING:
    _View = QAbstractItemView
else:
    _View = object  # PySide allows one Qt class among a widget's bases


class RowView(_View):
    """Mixin of views whose rows are selected together, dragged, and dropped on; list it before the view's Qt class.

    ``drop_mark`` is the place that a drop would go to, in the subclass's own terms; None while nothing fits.
    """

    drop_mark: Any = None

    def drag_data(self) -> tuple[QMimeData, int] | None:
        """Return the data of the selected rows and their count; None if they cannot be dragged."""
        raise NotImplementedError

    def accepts(self, data: QMimeData) -> bool:
        """Return True if dragged data may fit somewhere in the view."""
        raise NotImplementedError

    def set_up_rows(self) -> None:
        """Configure selection, scrolling and drags."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(False)
        self.viewport().setAutoFillBackground(False)

    def show_drop(self, mark: object) -> None:
        """Mark the place of a drop, or remove the mark."""
        if mark != self.drop_mark:
            self.drop_mark = mark
            self.viewport().update()

    def startDrag(self, supportedActions: Qt.DropAction) -> None:  # noqa: N803 - Qt's own name
        dragged = self.drag_data()
        if dragged is not None:
            data, count = dragged
            drag = QDrag(self)
            drag.setMimeData(data)
            drag.setPixmap(drag_pixmap(self, str(self.currentIndex().data() or ""), count))
            drag.exec(Qt.DropAction.CopyAction)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.accepts(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()  # it may be a file, which the window takes

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self.show_drop(None)
