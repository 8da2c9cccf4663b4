"""Table of calls: painted rows, sorted by a press on a heading."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from toolnote_desktop.desktop.activity.calls_model import (
    ORDERS,
    AnyIndex,
    CallColumn,
    CallRow,
    CallsModel,
    allowed_words,
    changes_old,
)
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.desktop.theme.icons import Sign, draw_sign
from toolnote_desktop.model.calls.outcome import Outcome
from toolnote_desktop.store.activity_queries import Order


class CallDelegate(QStyledItemDelegate):
    """Paint a cell: dim but for assistant and tool; a failed or refused outcome with its sign."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(60, round(36 * text_scale()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        option_: Any = option  # PySide's stubs leave out the fields of style options
        rect: QRect = option_.rect
        scheme = colours(option_.palette)
        direction: Qt.LayoutDirection = option_.direction
        row: CallRow | None = index.data(Qt.ItemDataRole.UserRole)
        column = CallColumn(index.column())
        painter.save()
        if option_.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(scheme.accent_ground))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(scheme.line))
        font = style_font("text")
        painter.setFont(font)
        left = 0
        outcome = row.call.outcome if row is not None else Outcome.WORKED
        marked = row is not None and (row.failed or outcome is Outcome.REFUSED)
        if column is CallColumn.OUTCOME and row is not None and marked:
            place = rect.adjusted(0, 0, 10 - rect.width(), 0)
            sign: Sign = "wrong" if row.failed else "off"
            draw_sign(painter, sign, QStyle.visualRect(direction, rect, place).toRectF().center(), scheme)
            left = 16
        bright = column in (CallColumn.ASSISTANT, CallColumn.TOOL) or (column is CallColumn.OUTCOME and marked)
        is_old = column is CallColumn.NOTES and row is not None and bool(row.call.behind)
        painter.setPen(QColor(scheme.attention_text if is_old else scheme.text if bright else scheme.dim))
        end = 16 if column is CallColumn.TOOK else 8
        place = QStyle.visualRect(direction, rect, rect.adjusted(left, 0, -end, 0))
        aligned = Qt.AlignmentFlag.AlignTrailing if column is CallColumn.TOOK else Qt.AlignmentFlag.AlignLeading
        text = QFontMetrics(font).elidedText(str(index.data() or ""), Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, aligned | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


def prepare_table(table: QTableView) -> QHeaderView:
    """Set a table of painted rows up; return its header."""
    table.setShowGrid(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.viewport().setAutoFillBackground(False)
    rows = table.verticalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setDefaultSectionSize(round(36 * text_scale()))
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)
    return header


class CallsTable(QTableView):
    """Table of calls.

    Signals:
        sorted_by: ``(Order, descending)`` that the user chose.
        current_changed: the ``CallRow`` that is selected, or None.
    """

    sorted_by = Signal(object, bool)
    current_changed = Signal(object)

    def __init__(self, model: CallsModel) -> None:
        super().__init__()
        self._calls = model
        self.order, self.descending = Order.TIME, True
        self.setModel(model)
        self.setItemDelegate(CallDelegate(self))
        self.setAccessibleName(self.tr("Calls"))
        header = prepare_table(self)
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._sort)
        metrics = QFontMetrics(style_font("text"))
        outcomes = (
            self.tr("Not allowed"),
            self.tr("Failed"),
            allowed_words(self.tr("Failed")),
        )
        words = max(map(metrics.horizontalAdvance, outcomes))
        widths = {
            CallColumn.TIME: 104,
            CallColumn.ASSISTANT: 150,
            CallColumn.OUTCOME: words + 16 + 12,
            CallColumn.TOOK: 72,
            CallColumn.NOTES: self._notes_width(),
        }
        for column, width in widths.items():
            measured = column in (CallColumn.OUTCOME, CallColumn.NOTES)
            scaled = width if measured else round(width * text_scale())
            header.resizeSection(column, scaled)
        header.setSectionResizeMode(CallColumn.TOOL, QHeaderView.ResizeMode.Stretch)
        self.setMinimumHeight(round(36 * 6 * text_scale()))
        self.selectionModel().currentRowChanged.connect(lambda _index, _before: self.current_changed.emit(self.current))

    def _notes_width(self) -> int:
        """Return the width of the words about notes, and of their heading."""
        words = QFontMetrics(style_font("text")).horizontalAdvance(changes_old(88))
        heading = str(self._calls.headerData(CallColumn.NOTES, Qt.Orientation.Horizontal))
        return max(words, self.horizontalHeader().fontMetrics().horizontalAdvance(heading)) + 12

    @property
    def current(self) -> CallRow | None:
        """Row that is selected."""
        index = self.currentIndex()
        return self._calls.row(index.row()) if index.isValid() else None

    def _sort(self, section: int) -> None:
        order = ORDERS.get(CallColumn(section))
        if order is None:
            return
        ascends_first = order in (Order.ASSISTANT, Order.TOOL)
        self.descending = not self.descending if order is self.order else not ascends_first
        self.order = order
        header = self.horizontalHeader()
        header.setSortIndicatorShown(True)
        direction = Qt.SortOrder.DescendingOrder if self.descending else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(section, direction)
        self.sorted_by.emit(order, self.descending)
