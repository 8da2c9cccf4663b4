"""Page *Activity*: the calls that are recorded, by day, outcome, assistant, tool and text, and the tools by use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from itertools import takewhile
from pathlib import Path
from time import mktime
from typing import Any, Final, Generic, TextIO, TypeVar

from PySide6.QtCore import QDate, QLocale, QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMenu, QSizePolicy, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.activity.allowed_for_sessions import AllowedForSessions
from toolnote_desktop.desktop.activity.calls_model import CallColumn, CallNames, CallRow, CallsModel
from toolnote_desktop.desktop.activity.calls_table import CallsTable
from toolnote_desktop.desktop.activity.decisions import MOST, DecisionColumn, DecisionsView
from toolnote_desktop.desktop.activity.details import CallContext, CallDetails
from toolnote_desktop.desktop.activity.tools_table import ToolsTable, tools_by_use
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.home.calls_chart import CallsChart
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.work import WorkList, in_progress
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.widgets.banner import Notice
from toolnote_desktop.desktop.widgets.basics import label
from toolnote_desktop.desktop.widgets.controls import Choice, FilterChips, MenuButton, SearchField, Tabs
from toolnote_desktop.desktop.widgets.debouncer import Debouncer
from toolnote_desktop.desktop.widgets.page import Page, Width
from toolnote_desktop.model.audit import AuditKind
from toolnote_desktop.model.calls.outcome import FAILURES, Outcome
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.store.activity_export import write_audit_csv, write_audit_json, write_csv, write_json
from toolnote_desktop.store.activity_queries import (
    CallFilter,
    CallList,
    calls_by_day,
    clear,
    clients_and_tools,
    counts_by_outcome,
    delete_contents,
    each_call,
    failure_groups,
    one_call,
    undo_clear,
    uses_of_tools,
)
from toolnote_desktop.store.audit import AuditFilter, each_entry, read_entries
from toolnote_desktop.system import threads

DAYS: Final = 7
_ALL: Final = "all"
_OUTCOMES: Final = {
    _ALL: (),
    "worked": (Outcome.WORKED,),
    "failed": FAILURES,
    "refused": (Outcome.REFUSED,),
}
Exported = TypeVar("Exported")
_REFRESH_MS: Final = 10_000
_TYPING_MS: Final = 50
_CLEAR_MS: Final = 10_000
"""Time in which clearing the decisions can be undone."""
_CALLS, _TOOLS, _DECISIONS = range(3)
"""Views, in the order of the tabs."""


class ActivityPage(Page):
    """Recorded calls of some days.

    Signals:
        done: ``(text, undo)``: what was done outside the library, and its Undo.
        details_requested: a call is to be shown in the inspector.
    """

    done = Signal(str, object)
    details_requested = Signal()
    has_menu = True

    def __init__(self, actions: Actions, link: ProxyLink) -> None:
        super().__init__(self.tr("Activity"))
        from toolnote_desktop.desktop.async_tasks import LatestTask  # after the first paint

        self._link, self._home, self._actions = link, link.home, actions
        self.work: WorkList | None = None
        """List in which an export is shown."""
        self._snapshot: Snapshot | None = None
        self._list: CallList | None = None
        self._day: date | None = None
        self._loading, self._paging, self._opening, self._working = (LatestTask(self) for _ in range(4))
        self._wanted: list[int] = []
        self._opened: CallContext | None = None
        self._clients: tuple[str, ...] = ()
        self._has_calls: bool | None = None
        self._has_decisions = False
        self.title.setText(self.tr("Activity"))
        self.period = MenuButton(self.tr("Days"))
        self.controls.addWidget(self.period)
        self.tabs = Tabs(self.tr("Views"), [self.tr("Calls"), self.tr("Tools"), self.tr("Decisions")])
        self.chart = CallsChart()
        self.outcomes = FilterChips(
            self.tr("Outcome"),
            [
                Choice(self.tr("All"), _ALL),
                Choice(self.tr("Worked"), "worked"),
                Choice(self.tr("Failed"), "failed"),
                Choice(self.tr("Not allowed"), "refused"),
            ],
        )
        self.search = SearchField(self.tr("Filter"))
        self.assistants = MenuButton(self.tr("Assistant"))
        self.tools = MenuButton(self.tr("Tool"))
        self.names = CallNames()
        self.model = CallsModel(self.names)
        self.model.setParent(self)
        self.table = CallsTable(self.model)
        self.tools_table = ToolsTable()
        self.decisions = DecisionsView(self.names)
        self.allowed = AllowedForSessions()
        self.nothing = label("", "second", wraps=True)
        self.details = CallDetails(actions)
        self.details.setParent(self)  # until the frame shows it
        self.details.hide()
        self._lay_out()
        self._connect()
        self._show_menus((), ())
        self._show_period()
        self._show_state()

    def _lay_out(self) -> None:
        self.body.addSpacing(16)
        self.body.addWidget(self.allowed)
        self.body.addWidget(self.chart)
        self.body.addSpacing(8)
        self.body.addWidget(self.tabs)
        self.body.addSpacing(8)
        self.filters = QWidget()
        filters = QHBoxLayout(self.filters)
        filters.setContentsMargins(0, 0, 0, 0)
        filters.setSpacing(12)
        self.outcomes.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.search.setMinimumWidth(96)
        self.search.setMaximumWidth(200)
        filters.addWidget(self.outcomes, 3)
        filters.addWidget(self.search, 1, Qt.AlignmentFlag.AlignTop)  # in line with the first row of chips
        for menu in (self.assistants, self.tools):
            filters.addWidget(menu, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addWidget(self.filters)
        self.body.addSpacing(8)
        self.body.addWidget(self.table, 1)
        self.body.addWidget(self.tools_table, 1)
        self.body.addWidget(self.decisions, 1)
        self.body.addWidget(self.nothing)
        self.body.addStretch(0)

    def _connect(self) -> None:
        self.chart.day_pressed.connect(self.show_day)
        self.period.chosen.connect(self._choose_period)
        self.outcomes.chosen.connect(lambda _value: self.reload())
        self.assistants.chosen.connect(lambda _value: self.reload())
        self.tools.chosen.connect(lambda _value: self.reload())
        self._typing = Debouncer(self, _TYPING_MS, self.reload)
        self.search.textChanged.connect(lambda _text: self._typing.trigger())
        self.tabs.currentChanged.connect(lambda _number: self.reload())
        self.model.page_wanted.connect(self._want)
        self.table.sorted_by.connect(lambda _order, _descending: self.reload())
        self.table.current_changed.connect(self._open_call)
        self.table.activated.connect(self._activate)
        self.tools_table.activated.connect(self._open_tool)
        self.decisions.filter_changed.connect(self.reload)
        self.allowed.taken_back.connect(self._link.take_back_allowed)
        self._link.sessions_allowed.connect(self._show_allowed)
        self._clearing = QTimer(self, singleShot=True, interval=_CLEAR_MS)
        self._clearing.timeout.connect(self._actions.clear_decisions)
        self.details.place_requested.connect(self.place_requested)
        self.details.note_added.connect(self._note_added)
        self.details.keep_chosen.connect(self._keep_contents)
        self._timer = QTimer(self, interval=_REFRESH_MS)
        self._timer.timeout.connect(self._refresh_top)
        self._timer.start()

    # --- the frame

    def inspector(self) -> QWidget | None:
        return self.details if self.details.call is not None and self.tabs.currentIndex() == _CALLS else None

    def filter_field(self) -> QWidget | None:
        return self.decisions.search if self.tabs.currentIndex() == _DECISIONS else self.search

    def fill_menu(self, menu: QMenu) -> None:
        is_audit = self.tabs.currentIndex() == _DECISIONS
        has_rows = self._has_decisions if is_audit else bool(self._has_calls)
        for text, action in (
            (self.tr("Export as CSV…"), lambda: self._export("csv")),
            (self.tr("Export as JSON…"), lambda: self._export("json")),
        ):
            menu.addAction(text, action).setEnabled(has_rows)
        menu.addSeparator()
        if is_audit:
            menu.addAction(self.tr("Clear decisions"), self.clear_decisions).setEnabled(has_rows)
        else:
            menu.addAction(self.tr("Clear activity"), self.clear).setEnabled(has_rows)

    def set_width_class(self, width: Width) -> None:
        super().set_width_class(width)
        for column in (CallColumn.TOOK, CallColumn.NOTES):
            self.table.setColumnHidden(column, width < Width.MEDIUM)
        self.search.setVisible(width >= Width.NARROW)
        self.decisions.table.setColumnHidden(DecisionColumn.DETAIL, width < Width.MEDIUM)

    def stop(self) -> None:
        self._timer.stop()
        if self._clearing.isActive():
            self._clearing.stop()
            self._actions.clear_decisions()
        for task in (self._loading, self._paging, self._opening, self._working):
            task.cancel()
        self._replace_list(None)

    # --- what is shown

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the names of this state, and read the log anew."""
        changed = snapshot is not self._snapshot
        self._snapshot = snapshot
        self.names.show_snapshot(snapshot)
        self._show_allowed()
        if changed:
            self.model.names_changed()
            self.decisions.show_names()
            if self.details.call is not None and self._opened is not None:
                self.details.show_call(snapshot, self._opened)
        if self._has_calls is None:
            self.refresh()

    def _show_allowed(self) -> None:
        if self._snapshot is not None:
            self.allowed.show_allowed(self._snapshot, self._link.allowed_for_sessions)

    def show_day(self, day: date | None) -> None:
        """Show one day, or all of the last seven."""
        self._day = day
        self._show_period()
        self.reload()

    def show_tool(self, key: ToolKey) -> None:
        """Show the calls of one tool."""
        self._show_alone((), (key,), key)

    def show_source(self, server: str) -> None:
        """Show the calls of one tool source."""
        self._show_alone((), (), (server,))

    def show_assistant(self, client: str) -> None:
        """Show the calls of one assistant."""
        self._show_alone((client,), ())

    def _show_alone(self, clients: tuple[str, ...], tools: tuple[ToolKey, ...], tool: object = _ALL) -> None:
        self._day = None
        self.tabs.setCurrentIndex(_CALLS)
        self.period.set_choices(self._periods(), 90)
        self.assistants.set_choices([Choice(self.names.assistant(one), one) for one in clients], (*clients, _ALL)[0])
        self._show_menus(clients, tools, tool)
        self.reload()

    def refresh(self) -> None:
        """Read the log anew, if the page is visible."""
        if self.isVisible() and not self._loading.is_running:
            self.reload()

    def _refresh_top(self) -> None:
        """Show new calls at the top, unless the user is reading further down."""
        if self.table.verticalScrollBar().value() == 0 and not self.table.currentIndex().isValid():
            self.refresh()

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self.refresh()

    @property
    def chosen(self) -> CallFilter:
        """Filter that the user has chosen."""
        begin, end = self._bounds()
        text = self.search.text().strip()
        clients, tools = self._named(text)
        client, tool = self.assistants.current, self.tools.current
        return CallFilter(
            client=None if client == _ALL else str(client),
            tool=tool if isinstance(tool, tuple) and len(tool) == 2 else None,
            server=tool[0] if isinstance(tool, tuple) and len(tool) == 1 else None,
            outcomes=_OUTCOMES[str(self.outcomes.current)],
            since=begin,
            until=end,
            text=text,
            text_clients=clients,
            text_tools=tools,
        )

    def _named(self, text: str) -> tuple[tuple[str, ...], tuple[ToolKey, ...]]:
        """Return the clients and tools whose shown names contain a text."""
        if not text or self._snapshot is None:
            return (), ()
        wanted = text.casefold()
        clients = [one for one in self._clients if wanted in self.names.assistant(one).casefold()]
        tools = [key for key, known in self._snapshot.catalogue.tools.items() if wanted in known.tool.title.casefold()]
        return tuple(clients), tuple(tools)

    def _bounds(self) -> tuple[float | None, float | None]:
        if self._day is not None:
            return _midnight(self._day), _midnight(self._day + timedelta(days=1))
        days = self.period.current
        return (_midnight(_today() - timedelta(days=days - 1)) if isinstance(days, int) else None), None

    def reload(self) -> None:
        """Read what is chosen."""
        self._loading.start(self._load())
        self.chrome_changed.emit()

    async def _load(self) -> None:
        from toolnote_desktop.desktop.async_tasks import in_thread

        if self.tabs.currentIndex() == _TOOLS:
            await self._load_tools()
            return
        await self._load_decisions()
        if self.tabs.currentIndex() == _DECISIONS:
            return
        chosen = self.chosen
        calls = CallList(self._home, chosen, self.table.order, descending=self.table.descending)
        self._replace_list(calls)
        kept = self.details.call.id if self.details.call is not None else 0
        self.model.show_first(await in_thread(calls.first_page))
        self._select(kept)
        if self._has_calls is None or self.model.rowCount():
            self._has_calls = self._has_calls or self.model.rowCount() > 0
        self._show_state()
        self.model.set_count(await in_thread(calls.count))
        approvals = AuditFilter(kinds=(AuditKind.APPROVAL,), since=self._bounds()[0])
        if self.names.show_approvals(await in_thread(read_entries, self._home, MOST, approvals)):
            self.model.names_changed()
        await self._load_figures(chosen)

    async def _load_figures(self, chosen: CallFilter) -> None:
        from msgspec.structs import replace

        from toolnote_desktop.desktop.async_tasks import in_thread

        counts = await in_thread(counts_by_outcome, self._home, replace(chosen, outcomes=()))
        total = sum(counts.values())
        failed = sum(counts.get(one, 0) for one in FAILURES)
        calls = self.tr("1 call") if total == 1 else self.tr("%n calls", "", total)
        refused = counts.get(Outcome.REFUSED, 0)
        words = (
            self.tr("{calls}, {failed} failed")
            if not refused
            else self.tr("{calls}, {failed} failed, {refused} not allowed")
        )
        self.second.setText(words.format(calls=calls, failed=messages.number(failed), refused=messages.number(refused)))
        whole = replace(chosen, outcomes=(), since=None, until=None)
        days = await in_thread(calls_by_day, self._home, _today(), DAYS, whole)
        clients, tools = await in_thread(clients_and_tools, self._home)
        self._has_calls = bool(clients)
        lost = self._link.lost_calls()
        text = self.tr("Toolnote can’t record calls now. {n} calls weren’t recorded.").format(n=messages.number(lost))
        self.show_notices([Notice(Mark.ATTENTION, text)] if lost else [])
        self.chart.show_days(days, _today())
        self._show_menus(clients, tools)
        self._show_state()
        self.chrome_changed.emit()

    async def _load_decisions(self) -> None:
        from toolnote_desktop.desktop.async_tasks import in_thread

        if self._clearing.isActive():
            entries = []
        elif self.tabs.currentIndex() == _DECISIONS:
            await in_thread(self._actions.write_decisions)
            entries = await in_thread(read_entries, self._home, MOST, self.decisions.chosen(self._bounds()[0]))
        else:  # for the tab alone
            entries = await in_thread(read_entries, self._home, 1, AuditFilter())
        self._has_decisions = bool(entries) or (self._has_decisions and not self._clearing.isActive())
        if self.tabs.currentIndex() == _DECISIONS:
            self.decisions.show_entries(entries)
            self._show_state()
            self.chrome_changed.emit()

    async def _load_tools(self) -> None:
        from toolnote_desktop.desktop.async_tasks import in_thread

        begin, _ = self._bounds()
        uses = await in_thread(uses_of_tools, self._home, begin or 0.0)
        if self._snapshot is not None:
            self.tools_table.show_tools(await in_thread(tools_by_use, self._snapshot, uses))
        self._show_state()

    def _replace_list(self, calls: CallList | None) -> None:
        before, self._list = self._list, calls
        self._wanted.clear()
        self._paging.cancel()
        if before is not None:
            before.stop()
            threads.run_in_thread(before.close, name="toolnote-close")

    def _want(self, first: int) -> None:
        if first not in self._wanted:
            self._wanted.append(first)
        if not self._paging.is_running:
            self._paging.start(self._load_pages())

    async def _load_pages(self) -> None:
        from toolnote_desktop.desktop.async_tasks import in_thread

        calls = self._list
        while self._wanted and calls is not None:
            first = self._wanted.pop()  # what came into view last
            found = await in_thread(calls.page, first)
            if calls is not self._list:
                return
            self.model.fill(first, found)

    def _show_state(self) -> None:
        view = self.tabs.currentIndex()
        is_calls = view == _CALLS
        has_calls = bool(self._has_calls)
        rows = self.model.rowCount()
        self.chart.setVisible(has_calls and view != _DECISIONS)
        self.second.setVisible(has_calls and view != _DECISIONS)
        for widget in (self.period, self.tabs):
            widget.setVisible(has_calls or self._has_decisions or view == _DECISIONS)
        self.filters.setVisible(has_calls and is_calls)
        self.table.setVisible(is_calls and rows > 0)
        self.tools_table.setVisible(view == _TOOLS and has_calls)
        self.decisions.setVisible(view == _DECISIONS)
        self.nothing.setVisible(is_calls and not rows and self._has_calls is not None)
        if has_calls:
            self.nothing.setText(self.tr("No calls match these filters."))
        else:
            self.nothing.setText(self.tr("No calls yet. They appear here when an assistant uses a tool."))

    def _periods(self) -> list[Choice]:
        today = _today()
        days = [today - timedelta(days=number) for number in range(DAYS)]
        return [
            *(Choice(self.tr("Last %n days", "", number), number) for number in (7, 30, 90)),
            *(Choice(self.tr("Today") if one == today else _day_text(one), one) for one in days),
        ]

    def _show_period(self) -> None:
        current = self._day or (self.period.current if isinstance(self.period.current, int) else DAYS)
        self.period.set_choices(self._periods(), current)

    def _choose_period(self, value: object) -> None:
        self._day = value if isinstance(value, date) else None
        self.reload()

    def _show_menus(self, clients: tuple[str, ...], tools: tuple[ToolKey, ...], tool: object = None) -> None:
        """Offer assistants and tools, those of each source below all of it; ``tool``: the one to choose."""
        self._clients = clients
        assistants = sorted(((self.names.assistant(one), one) for one in clients), key=lambda pair: pair[0].casefold())
        current = self.assistants.current if self.assistants.current in clients else _ALL
        choices = [Choice(name, one) for name, one in assistants]
        self.assistants.set_choices([Choice(self.tr("All assistants"), _ALL), *choices], current)
        chosen = tool or self.tools.current
        sources = {one[0] for one in tools} | ({str(chosen[0])} if isinstance(chosen, tuple) else set())
        offered = [Choice(self.tr("All tools"), _ALL)]
        for source in sorted(sources, key=str.casefold):
            titles = sorted((self.names.tool(one), one) for one in tools if one[0] == source)
            offered.append(Choice(self.tr("All {source} tools").format(source=messages.source_name(source)), (source,)))
            offered += [Choice(name, one) for name, one in titles]
        self.tools.set_choices(offered, chosen if any(one.value == chosen for one in offered) else _ALL)

    # --- one call

    def _select(self, number: int) -> None:
        if not number:
            return
        for place in range(self.model.rowCount()):
            row = self.model.row(place)
            if row is not None and row.call.id == number:
                self.table.blockSignals(True)
                self.table.selectRow(place)
                self.table.blockSignals(False)
                return

    def _open_call(self, row: CallRow | None) -> None:
        if row is not None and self._snapshot is not None:
            first = self.details.call is None
            self._opened = CallContext(row)
            self.details.show_call(self._snapshot, self._opened)
            if first:
                self.chrome_changed.emit()
            self._opening.start(self._load_call(row))

    async def _load_call(self, row: CallRow) -> None:
        from toolnote_desktop.desktop.async_tasks import in_thread

        key = (row.call.server, row.call.tool)
        whole = await in_thread(one_call, self._home, row.call.id)
        same = 0
        if row.failed:
            groups = await in_thread(failure_groups, self._home, key)
            same = sum(one.count for one in groups if (one.error, one.refused) == (row.call.error, row.call.refused))
        if self._snapshot is not None:
            shown = CallRow(whole or row.call, row.assistant, row.tool)
            self._opened = CallContext(shown, same, self._link.worked_example(key))
            self.details.show_call(self._snapshot, self._opened)

    def _activate(self, _index: QModelIndex) -> None:
        self._open_call(self.table.current)
        self.details_requested.emit()

    def _open_tool(self, index: QModelIndex) -> None:
        key = self.tools_table.tool_at(index).key
        if self._snapshot is not None and key in self._snapshot.catalogue.tools:
            self.place_requested.emit(RowKey(Kind.TOOL, *key))

    def _note_added(self, name: str) -> None:
        self.details.editor.hide()
        self.said.emit(self.tr("Note “{name}” added").format(name=name), True)
        if self.details.call is not None:
            self._open_call(self.names.row(self.details.call))

    def _keep_contents(self, server: str, days: int) -> None:
        self._actions.keep_contents(server, days)
        if not days:
            self._working.start(self._delete_contents(server))

    async def _delete_contents(self, server: str) -> None:
        from toolnote_desktop.desktop.async_tasks import in_thread

        await in_thread(delete_contents, self._home, server)
        if self.details.call is not None:
            self._open_call(self.names.row(self.details.call))

    # --- export and clearing

    def _export(self, kind: str) -> None:
        is_audit = self.tabs.currentIndex() == _DECISIONS
        name = f"toolnote-{'decisions' if is_audit else 'activity'}-{_today().isoformat()}.{kind}"
        kinds = {"csv": self.tr("CSV file (*.csv)"), "json": self.tr("JSON file (*.json)")}
        path, _ = QFileDialog.getSaveFileName(self, self.tr("Export activity"), name, kinds[kind])
        if path:
            self.export_to(Path(path), kind)

    def export_to(self, path: Path, kind: str) -> None:
        """Write the calls, or decisions, of the present filter to a file."""
        if self.tabs.currentIndex() == _DECISIONS:
            entries = each_entry(self._home, self.decisions.chosen(self._bounds()[0]))
            write = write_audit_csv if kind == "csv" else write_audit_json
            self._working.start(self._write(Export(path, write, entries)))
        else:
            calls = each_call(self._home, self.chosen)
            self._working.start(self._write(Export(path, write_csv if kind == "csv" else write_json, calls)))

    async def _write(self, export: Export[Any]) -> None:
        from toolnote_desktop.desktop.async_tasks import in_thread

        try:
            with in_progress(self.work, self.tr("Exporting activity"), export.cancel):
                is_whole = await in_thread(export.write)
        except OSError as error:
            text = self.tr("Couldn’t export the activity. {reason}")
            self.said.emit(text.format(reason=error.strerror or str(error)), False)
        else:
            if is_whole:
                self.said.emit(self.tr("Activity exported to {file}").format(file=export.path.name), False)

    def clear_decisions(self) -> None:
        """Hide all decisions, and remove them when the time for Undo is over."""
        self._clearing.start()
        self.done.emit(self.tr("Decisions cleared"), self._undo_clear_decisions)
        self.reload()

    def _undo_clear_decisions(self) -> None:
        self._clearing.stop()
        self.reload()

    def clear(self) -> None:
        """Clear all calls; Undo brings them back."""
        self._working.start(self._clear())

    async def _clear(self) -> None:
        from toolnote_desktop.desktop.async_tasks import in_thread

        if await in_thread(clear, self._home):
            self._has_calls = None
            self.done.emit(self.tr("Activity cleared"), self._undo_clear)
            self.reload()

    def _undo_clear(self) -> None:
        self._working.start(self._bring_back())

    async def _bring_back(self) -> None:
        from toolnote_desktop.desktop.async_tasks import in_thread

        await in_thread(undo_clear, self._home)
        self._has_calls = None
        self.reload()


class Export(Generic[Exported]):
    """Export to a file, in a thread; canceling removes the file."""

    def __init__(
        self, path: Path, write: Callable[[TextIO, Iterable[Exported]], None], rows: Iterable[Exported]
    ) -> None:
        self.path = path
        self._write, self._rows = write, rows
        self._is_canceled = False

    def cancel(self) -> None:
        """Stop writing. From any thread."""
        self._is_canceled = True

    def write(self) -> bool:
        """Write the file; return False if it was canceled.

        Raises:
            OSError: it cannot be written.
        """
        with open(self.path, "w", encoding="utf-8", newline="") as stream:
            self._write(stream, takewhile(lambda _row: not self._is_canceled, self._rows))
        if self._is_canceled:
            self.path.unlink(missing_ok=True)
        return not self._is_canceled


def _today() -> date:
    return datetime.now(UTC).astimezone().date()


def _midnight(day: date) -> float:
    return mktime(day.timetuple())


def _day_text(day: date) -> str:
    locale = QLocale()
    shown = locale.toString(QDate(day.year, day.month, day.day), QLocale.FormatType.ShortFormat)
    return f"{locale.dayName(day.isoweekday(), QLocale.FormatType.LongFormat)}, {shown}"
