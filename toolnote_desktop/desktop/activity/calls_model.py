"""Model of recorded calls: a million rows, of which pages are read by a thread when they come into view."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, Final

from msgspec import Struct
from PySide6.QtCore import QAbstractTableModel, QDateTime, QLocale, QModelIndex, QPersistentModelIndex, Qt, Signal

from toolnote_desktop.desktop import messages
from toolnote_desktop.model.audit import AuditEntry
from toolnote_desktop.model.calls.outcome import FAILURES, Outcome
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.notes import ASSISTANT
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.activity_queries import PAGE, Order

AnyIndex = QModelIndex | QPersistentModelIndex

ALLOWED_SECONDS: Final = 2.0
"""Seconds between the user's decision, as it is recorded, and the begin of the call."""

_KEPT_PAGES: Final = 50
"""Pages that are held, 10,000 rows; those seen longest ago go first."""


class CallColumn(IntEnum):
    """Columns of the table."""

    TIME = 0
    ASSISTANT = 1
    TOOL = 2
    OUTCOME = 3
    TOOK = 4
    NOTES = 5


ORDERS: Final = {
    CallColumn.TIME: Order.TIME,
    CallColumn.ASSISTANT: Order.ASSISTANT,
    CallColumn.TOOL: Order.TOOL,
    CallColumn.OUTCOME: Order.OUTCOME,
    CallColumn.TOOK: Order.DURATION,
}


class CallRow(Struct, frozen=True):
    """Call with the names of its assistant and tool."""

    call: Call
    assistant: str
    tool: str
    allowed: bool = False
    """True if the user was asked before it ran, and allowed it."""

    @property
    def failed(self) -> bool:
        """True if the call did not work although it was allowed."""
        return self.call.outcome in FAILURES


class CallNames:
    """Names of assistants and tools as they are now."""

    def __init__(self) -> None:
        self._snapshot: Snapshot | None = None
        self._assistants: dict[str, str] = {}
        self._allowed: dict[tuple[str, str], tuple[float, ...]] = {}

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Use the names of this state."""
        self._snapshot = snapshot
        self._assistants.clear()

    def assistant(self, client: str) -> str:
        """Return the name of an assistant."""
        if client not in self._assistants:
            name = messages.client_name(self._snapshot, client) if self._snapshot is not None and client else client
            self._assistants[client] = name or messages.translate("activity", "You")
        return self._assistants[client]

    def tool(self, key: ToolKey) -> str:
        """Return the title of a tool; its own name if it is gone."""
        known = self._snapshot.catalogue.tools.get(key) if self._snapshot is not None else None
        return known.tool.title if known is not None else key[1]

    def named(self, name: str) -> str:
        """Return what the window calls a toolset, a tool (by its namespacedName) or a source; another name as it is."""
        if self._snapshot is None:
            return name
        toolset = self._snapshot.toolsets.get(name)
        if toolset is not None:
            return toolset.title
        tools = self._snapshot.catalogue.by_namespaced_name.get(name, ())
        if len(tools) == 1:
            return f"{tools[0].tool.title} · {messages.source_name(tools[0].tool.server)}"
        return messages.source_name(name)

    def row(self, call: Call) -> CallRow:
        """Return a call with its names."""
        moments = self._allowed.get((call.client or ASSISTANT, f"{call.server}.{call.tool}"), ())
        begin = call.time - call.seconds
        allowed = call.outcome is not Outcome.REFUSED and any(abs(one - begin) < ALLOWED_SECONDS for one in moments)
        return CallRow(call, self.assistant(call.client), self.tool((call.server, call.tool)), allowed)

    def show_approvals(self, entries: Iterable[AuditEntry]) -> bool:
        """Use these decisions on calls; return True if they differ from those before."""
        found: dict[tuple[str, str], tuple[float, ...]] = {}
        for one in entries:
            if one.action == "allowed":
                key = (one.detail.get("client", ""), one.subject)
                found[key] = (*found.get(key, ()), one.time / 1000)
        before, self._allowed = self._allowed, found
        return found != before


class CallsModel(QAbstractTableModel):
    """Calls of one filter in one order.

    Signals:
        page_wanted: the number of the first row of a page that is in view and not read yet.
    """

    page_wanted = Signal(int)

    def __init__(self, names: CallNames) -> None:
        super().__init__()
        self._names = names
        self._count = 0
        self._pages: OrderedDict[int, tuple[CallRow, ...]] = OrderedDict()
        self._wanted: set[int] = set()

    def show_first(self, calls: Sequence[Call]) -> None:
        """Show the first page of another list."""
        self.beginResetModel()
        self._pages.clear()
        self._wanted.clear()
        self._pages[0] = tuple(map(self._names.row, calls))
        self._count = len(calls)
        self.endResetModel()

    def set_count(self, count: int) -> None:
        """Show how many rows there are."""
        if count > self._count:
            self.beginInsertRows(QModelIndex(), self._count, count - 1)
            self._count = count
            self.endInsertRows()

    def fill(self, first: int, calls: Sequence[Call]) -> None:
        """Show a page that was wanted."""
        self._wanted.discard(first)
        self._pages[first] = tuple(map(self._names.row, calls))
        while len(self._pages) > _KEPT_PAGES:
            self._pages.popitem(last=False)
        last = min(first + PAGE, self._count) - 1
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(CallColumn) - 1))

    def names_changed(self) -> None:
        """Show other names."""
        for first, rows in self._pages.items():
            self._pages[first] = tuple(self._names.row(row.call) for row in rows)
        if self._count:
            self.dataChanged.emit(self.index(0, 0), self.index(self._count - 1, len(CallColumn) - 1))

    def row(self, number: int) -> CallRow | None:
        """Return a row; None while it is being read."""
        first = number - number % PAGE
        page = self._pages.get(first, ())
        if number - first >= len(page):
            if first not in self._wanted:
                self._wanted.add(first)
                self.page_wanted.emit(first)
            return None
        self._pages.move_to_end(first)
        return page[number - first]

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(CallColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and section == CallColumn.TOOK:
            return Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
        if orientation is Qt.Orientation.Vertical or role != Qt.ItemDataRole.DisplayRole:
            return None
        return (
            self.tr("Time"),
            self.tr("Assistant"),
            self.tr("Tool"),
            self.tr("Outcome"),
            end_heading(self.tr("Took")),
            self.tr("Notes read"),
        )[section]

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.UserRole)
        if role not in roles or not index.isValid():
            return None
        row = self.row(index.row())
        if role == Qt.ItemDataRole.UserRole:
            return row
        return self._text(row, CallColumn(index.column())) if row is not None else "…"

    def _text(self, row: CallRow, column: CallColumn) -> str:
        match column:
            case CallColumn.TIME:
                return time_text(row.call.time)
            case CallColumn.ASSISTANT:
                return row.assistant
            case CallColumn.TOOL:
                return f"{row.tool} · {messages.source_name(row.call.server)}"
            case CallColumn.OUTCOME:
                word = messages.outcome_word(row.call.outcome)
                return allowed_words(word) if row.allowed else word
            case CallColumn.TOOK:
                return "" if row.call.outcome is Outcome.REFUSED else duration(row.call.seconds)
            case CallColumn.NOTES:
                return notes_read(row.call)


def allowed_words(outcome: str) -> str:
    """Return the word for an outcome of a call that the user allowed."""
    return messages.translate("activity", "{outcome}, allowed").format(outcome=outcome)


def end_heading(text: str) -> str:
    """Return the heading of a column of numbers with the room that the numbers keep from the next column."""
    return f"{text}\u2003"


def duration(seconds: float) -> str:
    """Return seconds with one decimal."""
    return messages.translate("activity", "{count} s").format(count=messages.seconds(seconds))


def notes_read(call: Call) -> str:
    """Return whether the notes that the assistant had read were the newest; "" if unknown."""
    if call.behind is None:
        return ""
    if not call.behind:
        return messages.translate("activity", "Current")
    return changes_old(call.behind)


def changes_old(behind: int) -> str:
    """Return by how many changes notes were old."""
    if behind == 1:
        return messages.translate("activity", "1 change old")
    return messages.translate("activity", "%n changes old", None, behind)


def time_text(seconds: float, now: datetime | None = None) -> str:
    """Return the time of today, else the day before it."""
    now = now or datetime.now(UTC).astimezone()
    moment = datetime.fromtimestamp(seconds, UTC).astimezone()
    then = QDateTime.fromSecsSinceEpoch(int(seconds))
    time = QLocale().toString(then.time(), QLocale.FormatType.ShortFormat)
    if moment.date() == now.date():
        return time
    if abs((now.date() - moment.date()).days) < 7:
        return f"{QLocale().dayName(moment.date().isoweekday(), QLocale.FormatType.ShortFormat)} {time}"
    return f"{QLocale().toString(then.date(), QLocale.FormatType.ShortFormat)} {time}"
