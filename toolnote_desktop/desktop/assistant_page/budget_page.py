"""Page of what each toolset costs each assistant, changed in place, and of the tools that are never called."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from functools import partial
from typing import Final

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.widgets.basics import Button, empty, label
from toolnote_desktop.desktop.widgets.page import Page
from toolnote_desktop.guidance.budgets import (
    UNUSED_DAYS,
    ListBudget,
    ToolCost,
    UnusedTools,
    list_budget,
    tool_costs,
    unused_tools,
)
from toolnote_desktop.guidance.served_tools import served_tools
from toolnote_desktop.guidance.tokens import LIKELIEST_FAMILY
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_queries import called_tools

_ROWS: Final = 40
_COLUMNS: Final = 24
"""Assistants and toolsets that are shown; making a cell takes most of a millisecond."""


class Costs(Struct, frozen=True):
    """Costs by assistant and toolset, the tools of each toolset that are never called, and how many assistants and
    toolsets were left out.
    """

    lists: dict[tuple[str, str], ListBudget]
    unused: dict[str, UnusedTools]
    left_out: int = 0


def read_budgets(snapshot: Snapshot, files: GuidanceFiles, home: Home, *, in_use: bool = False) -> Costs:
    """Compute the costs. For a thread: estimates each tool in each assistant's dialect.

    Args:
        in_use: only of the toolset that each assistant uses, and of those that do not load tools on demand.
    """
    since = time.time() - UNUSED_DAYS * 86_400
    called = called_tools(home, since)
    costs: dict[tuple[object, ...], tuple[ToolCost, ...]] = {}
    lists: dict[tuple[str, str], ListBudget] = {}
    unused: dict[str, UnusedTools] = {}
    clients = list(snapshot.clients.items())
    toolsets = list(snapshot.toolsets.items())
    if not in_use and len(toolsets) > _COLUMNS:  # those in use first
        taken = {used.name for one, _ in clients if (used := snapshot.toolset_of(one)) is not None}
        toolsets.sort(key=lambda one: one[0] not in taken)
    left_out = 0 if in_use else max(len(clients) - _ROWS, 0) + max(len(toolsets) - _COLUMNS, 0)
    toolsets = toolsets[:_COLUMNS]
    for client, entry in clients if in_use else clients[:_ROWS]:
        dialect = files.dialect_of(client, entry)
        used = snapshot.toolset_of(client)
        if in_use and dialect.loads_on_demand:
            continue
        for name, toolset in toolsets if not in_use else [(used.name, used)] if used is not None else []:
            key = (name, dialect.key)
            if key not in costs:
                costs[key] = tool_costs(served_tools(snapshot, toolset, dialect), dialect)
            lists[client, name] = list_budget(snapshot, entry, toolset, dialect, costs[key])
    for name in dict.fromkeys(name for _, name in lists) if called is not None else ():
        toolset = snapshot.toolsets[name]
        tools = served_tools(snapshot, toolset, files.plain)
        unused[name] = unused_tools(snapshot, toolset, tools, called or frozenset(), since, LIKELIEST_FAMILY)
    return Costs(lists, unused, left_out)


class BudgetPage(Page):
    """See the module.

    Signals:
        done: a step that can be undone was made.

    Attributes:
        cells: assistant and toolset -> the button with the cost.
        offers: toolset -> the button that turns off what is never called.
    """

    done = Signal()

    def __init__(self, actions: Actions, files: GuidanceFiles, home: Home) -> None:
        super().__init__(self.tr("What the lists cost"))
        self._actions, self._files, self._home = actions, files, home
        self._reading = LatestTask(self)
        self._shown: Snapshot | None = None
        self._titles: tuple[dict[str, str], dict[str, str]] = {}, {}
        self.cells: dict[tuple[str, str], Button] = {}
        self.offers: dict[str, Button] = {}
        self.title.setText(self.tr("What the lists cost"))
        self.second.setText(
            self.tr(
                "Tokens of each toolset’s list for each assistant. Press a number to give the assistant that toolset."
            )
        )
        inside = self._table = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(8)
        self._unused = QVBoxLayout()
        self._unused.setSpacing(8)
        self.body.addSpacing(18)
        self.body.addWidget(self._scroller(inside))
        self.body.addSpacing(18)
        self.body.addLayout(self._unused)
        self.body.addStretch(1)

    def _scroller(self, inside: QWidget) -> QScrollArea:
        """Return an area in which many toolsets are reached sideways."""
        self._sideways = QScrollArea()
        self._sideways.setFrameShape(QFrame.Shape.NoFrame)
        self._sideways.setWidgetResizable(True)
        self._sideways.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._sideways.setWidget(inside)
        return self._sideways

    def stop(self) -> None:
        """Stop computing."""
        self._reading.cancel()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the costs."""
        if snapshot is not self._shown:
            self._shown = snapshot
            self._reading.start(self._read(snapshot))

    async def _read(self, snapshot: Snapshot) -> None:
        found = await in_thread(read_budgets, snapshot, self._files, self._home)
        toolsets = {name: snapshot.toolsets[name].title for _, name in found.lists}
        clients = {client: messages.author_name(snapshot, client) for client, _ in found.lists}
        if (toolsets, clients) != self._titles:
            await self._make_cells(toolsets, clients)
        for (client, name), cell in self.cells.items():
            used = snapshot.toolset_of(client)
            in_use = used is not None and used.name == name
            text = self._cell_text(found.lists[client, name], in_use=in_use)
            cell.set_text(text, f"{clients[client]}, {toolsets[name]}: {text}")
            cell.setEnabled(not in_use)
        bar = self._sideways.horizontalScrollBar().sizeHint().height()
        self._sideways.setFixedHeight(self._table.sizeHint().height() + bar)
        self._show_unused(snapshot, found)

    async def _make_cells(self, toolsets: Mapping[str, str], clients: Mapping[str, str]) -> None:
        """Make the table anew, row by row. Its cells are kept as long as it has the same rows and columns."""
        empty(self._grid)
        self.cells, self._titles = {}, ({}, {})

        def add(widget: QWidget, row: int, column: int) -> None:
            self._grid.addWidget(widget, row, column)
            widget.show()  # else the layout has no size before the next event

        for column, title in enumerate(toolsets.values(), start=1):
            add(label(title, "group", wraps=True), 0, column)
        for row, (client, assistant) in enumerate(clients.items(), start=1):
            link = Button(assistant, "link", pressed=partial(self.place_requested.emit, RowKey(Kind.ASSISTANT, client)))
            add(link, row, 0)
            self._grid.setAlignment(link, Qt.AlignmentFlag.AlignLeading)
            for column, name in enumerate(toolsets, start=1):
                self.cells[client, name] = Button("", pressed=partial(self._give, client, name))
                add(self.cells[client, name], row, column)
            await asyncio.sleep(0)
        self._titles = dict(toolsets), dict(clients)

    def _show_unused(self, snapshot: Snapshot, found: Costs) -> None:
        empty(self._unused)
        self.offers = {}
        if not found.lists:
            self._unused.addWidget(label(self.tr("No assistant is set up, or there is no toolset."), "second"))
        if found.left_out:
            text = self.tr(
                "%n more rows and columns are not shown. The command “toolnote budget” has all.", None, found.left_out
            )
            self._unused.addWidget(label(text, "second", wraps=True))
        for name, unused in found.unused.items():
            if unused.entries:
                self._unused.addWidget(label(unused_words(snapshot.toolsets[name].title, unused), wraps=True))
                self.offers[name] = Button(turn_off_words(unused), pressed=partial(self._turn_off, name, unused))
                self._unused.addWidget(self.offers[name], 0, Qt.AlignmentFlag.AlignLeading)
                self.offers[name].show()

    def _cell_text(self, budget: ListBudget, *, in_use: bool) -> str:
        if budget.is_searched:
            text = self.tr("Searches, {0} tokens")
        elif budget.has_too_many_tools:
            tools = messages.count_tools(budget.listed + budget.own)
            text = self.tr("{0} tokens, {tools}: too many for it").replace("{tools}", tools)
        elif budget.is_over:
            text = self.tr("{0} tokens, too many for it")
        else:
            text = self.tr("{0} tokens")
        text = text.format(messages.number(budget.list_tokens))
        return self.tr("In use: {0}").format(text) if in_use else text

    def _give(self, client: str, name: str) -> None:
        self._actions.give_toolset(client, name)
        self.done.emit()

    def _turn_off(self, name: str, unused: UnusedTools) -> None:
        self._actions.switch_tools(name, unused.entries, on=False)
        self.done.emit()


def unused_words(title: str, unused: UnusedTools) -> str:
    """Return how many tools of a toolset are never called, and what they cost, in words."""
    count = len(unused.entries)
    text = (
        messages.translate("budget", "{toolset}: 1 tool not called in 30 days, {tokens} tokens")
        if count == 1
        else messages.translate("budget", "{toolset}: %n tools not called in 30 days, {tokens} tokens", None, count)
    )
    return text.format(toolset=title, tokens=messages.number(unused.tokens))


def turn_off_words(unused: UnusedTools) -> str:
    """Return the words of the button that turns them off."""
    count = len(unused.entries)
    if count == 1:
        return messages.translate("budget", "Turn it off")
    return messages.translate("budget", "Turn off these %n", None, count)
