"""List of assistants in the connect dialog, with their state."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPen
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_font
from toolnote_desktop.desktop.theme.style_sheet import CORNER_RADIUS
from toolnote_desktop.desktop.widgets.basics import tooltip_text

SECOND_LINE = Qt.ItemDataRole.UserRole + 1
GOOD = Qt.ItemDataRole.UserRole + 2
KEY = Qt.ItemDataRole.UserRole + 3


class AssistantList(QListWidget):
    """List with a row for each assistant.

    Signals:
        chosen: the key of the row that is current now.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setItemDelegate(_TwoLines(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setUniformItemSizes(True)
        self.currentItemChanged.connect(self._current_changed)

    def set_row(self, key: str, name: str, second: str, *, good: bool = False) -> None:
        """Add a row, or update it."""
        item = self._find(key)
        if item is None:
            item = QListWidgetItem(self)
            item.setData(KEY, key)
        item.setText(name)
        item.setData(SECOND_LINE, second)
        item.setData(GOOD, good)
        item.setToolTip(tooltip_text(second))  # the line may be elided
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}, {second}")

    def remove_row(self, key: str) -> None:
        """Remove a row."""
        item = self._find(key)
        if item is not None:
            self.takeItem(self.row(item))

    def choose(self, key: str) -> None:
        """Make a row the current one, or the first if there is no such row."""
        self.setCurrentItem(self._find(key) or self.item(0))

    def _find(self, key: str) -> QListWidgetItem | None:
        items = (self.item(row) for row in range(self.count()))
        return next((item for item in items if item.data(KEY) == key), None)

    def _current_changed(self, current: QListWidgetItem | None) -> None:
        if current is not None:
            self.chosen.emit(current.data(KEY))


class _TwoLines(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, option.fontMetrics.height() * 2 + 14)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        whole: QRect = option.rect
        state = option.state
        scheme = colours(QGuiApplication.palette())  # the list's own is changed by a style sheet
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = whole.adjusted(2, 2, -2, -2)
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            selected = state & QStyle.StateFlag.State_Selected
            painter.setBrush(QColor(scheme.accent_ground if selected else scheme.hover))
            shows_edge = selected and scheme.is_high_contrast  # a shade alone is not visible enough
            painter.setPen(QPen(QColor(scheme.accent), 2) if shows_edge else Qt.PenStyle.NoPen)
            painter.drawRoundedRect(area, CORNER_RADIUS, CORNER_RADIUS)
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
            painter.setPen(QPen(QColor(scheme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), CORNER_RADIUS, CORNER_RADIUS)
        text = area.adjusted(12, 5, -10, -5)
        upper, lower = QRect(text), QRect(text)
        upper.setHeight(text.height() // 2)
        lower.setTop(text.top() + text.height() // 2)
        alignment = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        painter.setFont(text_font())
        painter.setPen(QColor(scheme.text))
        name = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, upper.width())
        painter.drawText(upper, alignment, name)
        painter.setFont(text_font(change=-2))
        painter.setPen(QColor(scheme.good if index.data(GOOD) else scheme.dim))
        second = painter.fontMetrics().elidedText(index.data(SECOND_LINE), Qt.TextElideMode.ElideRight, lower.width())
        painter.drawText(lower, alignment, second)
        painter.restore()
