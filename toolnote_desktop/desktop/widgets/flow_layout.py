"""Layout that wraps a row of widgets into lines."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle, QWidget


class FlowLayout(QLayout):
    """Layout in reading direction, then the next line.

    ``fills``: the widgets of a line share its whole width.
    """

    def __init__(self, parent: QWidget | None = None, spacing: int = 8, *, fills: bool = False) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._fills = fills
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        margins = self.contentsMargins()
        inner = QRect(0, 0, width - margins.left() - margins.right(), 0)
        return self._arrange(inner, move=False) + margins.top() + margins.bottom()

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect.marginsRemoved(self.contentsMargins()), move=True)

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(hint.width() for hint in hints) + self.spacing() * max(0, len(hints) - 1)
        return QSize(width, max((hint.height() for hint in hints), default=0)).grownBy(self.contentsMargins())

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size.grownBy(self.contentsMargins())

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Place all items, or only measure; return the height of all lines."""
        x, y = 0, 0
        lines: list[list[tuple[QLayoutItem, QRect]]] = [[]]
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            width = min(size.width(), max(rect.width(), item.minimumSize().width()))
            if lines[-1] and x + width > rect.width():
                y += max(place.height() for _, place in lines[-1]) + self.spacing()
                x = 0
                lines.append([])
            lines[-1].append((item, QRect(QPoint(x, y), QSize(width, size.height()))))
            x += width + self.spacing()
        if move:
            self._move(rect, lines)
        return y + max((place.height() for _, place in lines[-1]), default=0)

    def _move(self, rect: QRect, lines: list[list[tuple[QLayoutItem, QRect]]]) -> None:
        parent = self.parentWidget()
        direction = parent.layoutDirection() if parent is not None else Qt.LayoutDirection.LeftToRight
        for line in lines:
            height = max((place.height() for _, place in line), default=0)
            more = (rect.width() - line[-1][1].right() - 1) // len(line) if self._fills and line else 0
            for number, (item, place) in enumerate(line):
                place.adjust(number * more, 0, (number + 1) * more, 0)
                middle = place.translated(rect.topLeft() + QPoint(0, (height - place.height()) // 2))
                item.setGeometry(QStyle.visualRect(direction, rect, middle))
