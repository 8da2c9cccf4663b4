"""Table of tools by use: calls, failures, duration, and the tokens that each costs even if it is never used."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final

from msgspec import Struct
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QRect, QRectF, QSize, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.activity.calls_model import AnyIndex, duration, end_heading
from toolnote_desktop.desktop.activity.calls_table import prepare_table
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.guidance.tokens import estimate_definition_tokens
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.store.activity_queries import ToolUse

_BAR = 96


class ToolColumn(IntEnum):
    """Columns of the table."""

    TOOL = 0
    CALLS = 1
    FAILED = 2
    TOOK = 3
    TOKENS = 4


_NUMBERS: Final = (ToolColumn.FAILED, ToolColumn.TOOK, ToolColumn.TOKENS)
"""Columns with numbers, at their end."""


class UsedTool(Struct, frozen=True):
    """Tool with its use. ``tokens``: what assistants read of it; None for a tool that is gone."""

    key: ToolKey
    title: str
    calls: int
    failed: int
    seconds: float
    tokens: int | None


def tools_by_use(snapshot: Snapshot, uses: Sequence[ToolUse]) -> tuple[UsedTool, ...]:
    """Return the used tools, the most used first, then those that were never used. Not for the window's thread."""
    tools = snapshot.catalogue.tools
    found = []
    for use in uses:
        known = tools.get((use.server, use.tool))
        title = known.tool.title if known is not None else use.tool
        tokens = estimate_definition_tokens(known.tool.definition) if known is not None and known.listed else None
        found.append(UsedTool((use.server, use.tool), title, use.calls, use.failed, use.seconds, tokens))
    used = {one.key for one in found}
    for key, known in tools.items():
        if known.listed and key not in used:
            tokens = estimate_definition_tokens(known.tool.definition)
            found.append(UsedTool(key, known.tool.title, 0, 0, 0.0, tokens))
    return tuple(found)


class ToolsModel(QAbstractTableModel):
    """Tools by use. The user role is the value that is sorted by."""

    def __init__(self) -> None:
        super().__init__()
        self.tools: tuple[UsedTool, ...] = ()

    def show_tools(self, tools: Sequence[UsedTool]) -> None:
        """Show these tools."""
        if tuple(tools) != self.tools:
            self.beginResetModel()
            self.tools = tuple(tools)
            self.endResetModel()

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.tools)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(ToolColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and section in _NUMBERS:
            return Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
        if orientation is Qt.Orientation.Vertical or role != Qt.ItemDataRole.DisplayRole:
            return None
        words = (self.tr("Tool"), self.tr("Calls"), self.tr("Failed"), self.tr("Took"), self.tr("Tokens"))[section]
        return end_heading(words) if section in _NUMBERS else words

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        tool, column = self.tools[index.row()], ToolColumn(index.column())
        if role == Qt.ItemDataRole.UserRole:
            return (tool.title.casefold(), tool.calls, tool.failed, tool.seconds, tool.tokens or 0)[column]
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        match column:
            case ToolColumn.TOOL:
                return f"{tool.title} · {messages.source_name(tool.key[0])}"
            case ToolColumn.CALLS:
                return messages.number(tool.calls) if tool.calls else self.tr("Never used")
            case ToolColumn.FAILED:
                return messages.number(tool.failed) if tool.failed else ""
            case ToolColumn.TOOK:
                return duration(tool.seconds) if tool.seconds else ""
            case ToolColumn.TOKENS:
                return "" if tool.tokens is None else self.tr("about {0}").format(messages.number(tool.tokens))


class _Delegate(QStyledItemDelegate):
    """Paint a cell; a bar of calls and failures behind the number of calls."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(60, round(36 * text_scale()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        option_: Any = option
        rect: QRect = option_.rect
        scheme = colours(option_.palette)
        direction: Qt.LayoutDirection = option_.direction
        view: ToolsTable = self.parent()  # type: ignore[assignment]
        tool, column = view.tool_at(index), ToolColumn(index.column())
        painter.save()
        if option_.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(scheme.accent_ground))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(scheme.line))
        left = 0
        if column is ToolColumn.CALLS and tool.calls and view.most:
            width = max(2.0, _BAR * tool.calls / view.most)
            failed = max(2.0, width * tool.failed / tool.calls) if tool.failed else 0.0
            top = rect.center().y() - 3
            for begin, length, colour in ((0.0, width, scheme.bar), (0.0, failed, scheme.wrong)):
                bar = QRect(rect.left() + round(begin), top, round(length), 6)
                painter.fillRect(QRectF(QStyle.visualRect(direction, rect, bar)), QColor(colour))
            left = _BAR + 8
        font = style_font("text")
        painter.setFont(font)
        is_failed = column is ToolColumn.FAILED
        bright = column is ToolColumn.TOOL
        painter.setPen(QColor(scheme.wrong if is_failed else scheme.text if bright else scheme.dim))
        at_end = column in _NUMBERS
        place = QStyle.visualRect(direction, rect, rect.adjusted(left, 0, -12, 0))
        aligned = Qt.AlignmentFlag.AlignTrailing if at_end else Qt.AlignmentFlag.AlignLeading
        text = QFontMetrics(font).elidedText(str(index.data() or ""), Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, aligned | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


class ToolsTable(QTableView):
    """Table of tools by use, sorted by a press on a heading."""

    def __init__(self) -> None:
        super().__init__()
        self.tools = ToolsModel()
        self.tools.setParent(self)
        self.most = 0
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self.tools)
        self._sorted.setSortRole(Qt.ItemDataRole.UserRole)
        self.setModel(self._sorted)
        self.setItemDelegate(_Delegate(self))
        self.setAccessibleName(self.tr("Tools by use"))
        header = prepare_table(self)
        widths = {ToolColumn.CALLS: 180, ToolColumn.FAILED: 72, ToolColumn.TOOK: 80, ToolColumn.TOKENS: 110}
        for column, width in widths.items():
            header.resizeSection(column, round(width * text_scale()))
        header.setSectionResizeMode(ToolColumn.TOOL, QHeaderView.ResizeMode.Stretch)
        header.setSortIndicator(ToolColumn.CALLS, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.setMinimumHeight(round(36 * 6 * text_scale()))

    def show_tools(self, tools: Sequence[UsedTool]) -> None:
        """Show these tools."""
        self.most = max((one.calls for one in tools), default=0)
        self.tools.show_tools(tools)

    def tool_at(self, index: AnyIndex) -> UsedTool:
        """Return the tool of a row."""
        return self.tools.tools[self._sorted.mapToSource(self._sorted.index(index.row(), index.column())).row()]
