"""Page *Activity*: the calls that are recorded, by day, outcome, assistant and tool."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from time import mktime
from typing import Any, Final

from msgspec import Struct
from PySide6.QtCore import (
    QAbstractTableModel,
    QDate,
    QLocale,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    QTime,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.home.calls_chart import CallsChart
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.desktop.theme.icons import draw_sign
from toolnote_desktop.desktop.widgets.basics import label
from toolnote_desktop.desktop.widgets.controls import Choice, FilterChips, MenuButton
from toolnote_desktop.desktop.widgets.page import Page, Width
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.activity_queries import Day

AnyIndex = QModelIndex | QPersistentModelIndex
DAYS: Final = 7
_ALL: Final = "all"
_WORKED: Final = "worked"
_FAILED: Final = "failed"


class Row(Struct, frozen=True):
    """Call with the names of its assistant and tool."""

    call: Call
    assistant: str
    tool: str


class CallsTable(QAbstractTableModel):
    """Calls, the newest first."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[Row, ...] = ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show other calls."""
        if tuple(rows) != self.rows:
            self.beginResetModel()
            self.rows = tuple(rows)
            self.endResetModel()

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 5

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical or role != Qt.ItemDataRole.DisplayRole:
            return None
        return (self.tr("Time"), self.tr("Assistant"), self.tr("Tool"), self.tr("Outcome"), self.tr("Took"))[section]

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(row, index.column())
        return None

    def _text(self, row: Row, column: int) -> str:
        match column:
            case 0:
                return time_text(
                    datetime.fromtimestamp(row.call.time, UTC).astimezone(), datetime.now(UTC).astimezone()
                )
            case 1:
                return row.assistant
            case 2:
                return f"{row.tool} · {row.call.server}"
            case 3:
                return self.tr("Worked") if row.call.error is None else self.tr("Failed")
        return self.tr("{count} s").format(count=messages.seconds(row.call.seconds))


def time_text(moment: datetime, now: datetime) -> str:
    """Return the time of today, else the day before it."""
    time = QLocale().toString(QTime(moment.hour, moment.minute), QLocale.FormatType.ShortFormat)
    if moment.date() == now.date():
        return time
    day = QLocale().dayName(moment.date().isoweekday(), QLocale.FormatType.ShortFormat)
    return f"{day} {time}"


def _day_text(day: date) -> str:
    locale = QLocale()
    shown = locale.toString(QDate(day.year, day.month, day.day), QLocale.FormatType.ShortFormat)
    return f"{locale.dayName(day.isoweekday())}, {shown}"


class CallDelegate(QStyledItemDelegate):
    """Paint a cell: dim but for assistant and tool, a failed outcome with its sign."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(60, round(36 * text_scale()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        option_: Any = option  # PySide's stubs leave out the fields of style options
        rect: QRect = option_.rect
        scheme = colours(option_.palette)
        direction: Qt.LayoutDirection = option_.direction
        row: Row = index.data(Qt.ItemDataRole.UserRole)
        painter.save()
        if option_.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(scheme.accent_ground))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(scheme.line))
        font = style_font("text")
        painter.setFont(font)
        text = str(index.data() or "")
        left = 0
        failed = row.call.error is not None
        if index.column() == 3 and failed:
            draw_sign(
                painter,
                "wrong",
                QStyle.visualRect(direction, rect, rect.adjusted(0, 0, 10 - rect.width(), 0)).toRectF().center(),
                scheme,
            )
            left = 16
        bright = index.column() in (1, 2) or (index.column() == 3 and failed)
        painter.setPen(QColor(scheme.text if bright else scheme.dim))
        place = QStyle.visualRect(direction, rect, rect.adjusted(left, 0, -8, 0))
        at_end = index.column() == 4
        aligned = Qt.AlignmentFlag.AlignTrailing if at_end else Qt.AlignmentFlag.AlignLeading
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, aligned | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()


class ActivityPage(Page):
    """Calls of the last seven days, or of one of them."""

    def __init__(self, home: Home) -> None:
        super().__init__(self.tr("Activity"))
        self._home = home
        self._snapshot: Snapshot | None = None
        self._calls: tuple[Call, ...] = ()
        self._day: date | None = None
        self._is_loading = False
        self.title.setText(self.tr("Activity"))
        self.period = MenuButton(self.tr("Days"))
        self.controls.addWidget(self.period)
        self.chart = CallsChart()
        self.outcomes = FilterChips(
            self.tr("Outcome"),
            [
                Choice(self.tr("All"), _ALL),
                Choice(self.tr("Worked"), _WORKED),
                Choice(self.tr("Failed"), _FAILED),
            ],
        )
        self.assistants = MenuButton(self.tr("Assistant"))
        self.tools = MenuButton(self.tr("Tool"))
        self.model = CallsTable()
        self.model.setParent(self)
        self.table = QTableView()
        self.nothing = label("", "second", wraps=True)
        self._set_up_table()
        self._lay_out()
        self.chart.day_pressed.connect(self.show_day)
        self.period.chosen.connect(lambda value: self.show_day(None if value == _ALL else value))
        self.outcomes.chosen.connect(lambda _value: self._show())
        self.assistants.chosen.connect(lambda _value: self._show())
        self.tools.chosen.connect(lambda _value: self._show())
        self.table.activated.connect(self._open)
        self._show()

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setItemDelegate(CallDelegate(table))
        table.setAccessibleName(self.tr("Calls"))
        table.setShowGrid(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.viewport().setAutoFillBackground(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(round(36 * text_scale()))
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        outcome = QFontMetrics(style_font("text")).horizontalAdvance(self.tr("Failed")) + 16 + 12
        for number, width in enumerate((104, 150, 0, 110, 64)):
            if width:
                header.resizeSection(number, max(round(width * text_scale()), outcome if number == 3 else 0))
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)

    def _lay_out(self) -> None:
        self.body.addSpacing(16)
        self.body.addWidget(self.chart)
        self.body.addSpacing(16)
        filters = QHBoxLayout()
        filters.setSpacing(16)
        filters.addWidget(self.outcomes, 1)
        filters.addWidget(self.assistants)
        filters.addWidget(self.tools)
        self.body.addLayout(filters)
        self.body.addSpacing(8)
        self.body.addWidget(self.table, 1)
        self.body.addWidget(self.nothing)
        self.body.addStretch(0)
        self.table.setMinimumHeight(round(36 * 6 * text_scale()))

    def set_width_class(self, width: Width) -> None:
        super().set_width_class(width)
        self.table.setColumnHidden(4, width < Width.NARROW)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the names of this state, and read the log anew."""
        self._snapshot = snapshot
        self.refresh()

    def show_day(self, day: date | None) -> None:
        """Show one day, or all of them."""
        self._day = day
        self._show()

    def refresh(self) -> None:
        """Read the log anew."""
        from toolnote_desktop.desktop.async_tasks import spawn  # after the first paint

        if not self._is_loading and self.isVisible():
            self._is_loading = True
            spawn(self, self._load())

    async def _load(self) -> None:
        from toolnote_desktop.desktop.async_tasks import in_thread
        from toolnote_desktop.store.activity_queries import CallFilter, recent_calls

        try:
            today = datetime.now(UTC).astimezone().date()
            first = today - timedelta(days=DAYS - 1)
            begin = mktime(first.timetuple())
            end = mktime((today + timedelta(days=1)).timetuple())
            calls = await in_thread(recent_calls, self._home, 50_000, CallFilter(since=begin, until=end))
        finally:
            self._is_loading = False
        self.show_calls(calls)

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self.refresh()

    def show_calls(self, calls: Sequence[Call]) -> None:
        """Show these calls, the newest first."""
        self._calls = tuple(calls)
        self._show()

    def _show(self) -> None:
        today = datetime.now(UTC).astimezone().date()
        dates = [today - timedelta(days=DAYS - 1 - number) for number in range(DAYS)]
        by_day: dict[date, list[Call]] = {one: [] for one in dates}
        for call in self._calls:
            by_day.setdefault(datetime.fromtimestamp(call.time, UTC).astimezone().date(), []).append(call)
        days = [Day(one, len(by_day[one]), sum(call.error is not None for call in by_day[one])) for one in dates]
        self.chart.show_days(days, today)
        self._show_filters(dates, today)
        of_days = self._calls if self._day is None else tuple(by_day.get(self._day, ()))
        failed = sum(call.error is not None for call in of_days)
        calls = self.tr("1 call") if len(of_days) == 1 else self.tr("%n calls", "", len(of_days))
        self.second.setText(self.tr("{calls}, {failed} failed").format(calls=calls, failed=messages.number(failed)))
        rows = [row for row in map(self._row, of_days) if self._matches(row)]
        self.model.show_rows(rows)
        for widget in (self.chart, self.outcomes, self.assistants, self.tools, self.period, self.second):
            widget.setVisible(bool(self._calls))
        self.table.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        if self._calls:
            self.nothing.setText(self.tr("No calls match these filters."))
        else:
            self.nothing.setText(self.tr("No calls yet. They appear here when an assistant uses a tool."))

    def _show_filters(self, dates: Sequence[date], today: date) -> None:
        days = [Choice(self.tr("Today") if one == today else _day_text(one), one) for one in reversed(dates)]
        self.period.set_choices([Choice(self.tr("Last 7 days"), _ALL), *days], self._day or _ALL)
        rows = [self._row(call) for call in self._calls]
        for menu, everything, names in (
            (self.assistants, self.tr("All assistants"), {row.assistant for row in rows}),
            (self.tools, self.tr("All tools"), {row.tool for row in rows}),
        ):
            current = menu.current if menu.current in names else _ALL
            found = [Choice(name, name) for name in sorted(names, key=str.casefold)]
            menu.set_choices([Choice(everything, _ALL), *found], current)

    def _row(self, call: Call) -> Row:
        if self._snapshot is None:
            return Row(call, call.client, call.tool)
        known = self._snapshot.catalogue.tools.get((call.server, call.tool))
        tool = known.tool.title if known is not None else call.tool
        return Row(call, messages.author_name(self._snapshot, call.client) or self.tr("You"), tool)

    def _matches(self, row: Row) -> bool:
        outcome = _WORKED if row.call.error is None else _FAILED
        return (
            self.outcomes.current in (_ALL, outcome)
            and self.assistants.current in (_ALL, row.assistant)
            and self.tools.current in (_ALL, row.tool)
        )

    def _open(self, index: QModelIndex) -> None:
        row: Row = index.data(Qt.ItemDataRole.UserRole)
        if self._snapshot is not None and (row.call.server, row.call.tool) in self._snapshot.catalogue.tools:
            self.go.emit(RowKey(Kind.TOOL, row.call.server, row.call.tool))
