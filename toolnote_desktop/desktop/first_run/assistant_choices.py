"""Assistants on this computer, each with a tick box and exactly what connecting it changes in its file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct, field
from PySide6.QtWidgets import QWidget

from toolnote_desktop.assistants.discovery import FoundClient, find_clients
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.installing import plan as installing
from toolnote_desktop.assistants.installing.connect import (
    ConnectOptions,
    PreparedChange,
    RawDocuments,
    inspect_installation,
    prepare_change,
)
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.theme.colours import Colours, colours
from toolnote_desktop.desktop.widgets.basics import Button
from toolnote_desktop.desktop.widgets.check_list import CheckList, CheckRow, Line
from toolnote_desktop.desktop.widgets.diff_view import DiffView
from toolnote_desktop.model.problem import Problem, ToolnoteError
from toolnote_desktop.paths import Home

LINES_SHOWN = 14


class Ready(Struct, frozen=True):
    """One installed assistant: what connecting it would do, or why it cannot be done."""

    found: FoundClient
    prepared: PreparedChange | None = None
    problem: Problem | None = None
    diff: str = ""


class Connecting(Struct, frozen=True):
    """What came of connecting several: each that went well, and why others did not."""

    done: tuple[Ready, ...] = ()
    problems: tuple[Problem, ...] = field(default=())


def make_ready(
    environment: Environment,
    identity: ToolnoteIdentity,
    home: Home,
    documents: RawDocuments,
    url: str,
    *,
    switch_off: bool,
) -> tuple[Ready, ...]:
    """A plan for every assistant that is here. Reads files: for a thread of its own.

    Args:
        documents: as they will be, so that servers that come twice are seen.
        switch_off: whether those are to be off at the assistant.
    """
    ready = []
    for found in find_clients(environment, identity):
        if not found.installed:
            continue
        if found.chosen is None:
            ready.append(Ready(found, problem=found.problem))
            continue
        file = found.chosen.location.file
        try:
            now = inspect_installation(found.client, file, home, identity, documents)
            off = frozenset(now.off) | (frozenset(now.duplicates) if switch_off else frozenset())
            wish = ConnectOptions(off=off, by_address=now.direct is not None)
            prepared = prepare_change(found.client, file, home, identity, documents, url, wish, now)
            ready.append(Ready(found, prepared, diff=prepared.plan.diff()))
        except ToolnoteError as error:
            ready.append(Ready(found, problem=error.problem))
    return tuple(ready)


def connect_all(chosen: Iterable[Ready], home: Home) -> Connecting:
    """Change the files of all that were chosen. Writes to disk: for a thread of its own."""
    done, problems = [], []
    for one in chosen:
        if one.prepared is None:
            continue
        try:
            installing.apply(one.prepared.plan, home)
        except ToolnoteError as error:  # the others are not to wait for this one
            problems.append(error.problem)
        else:
            done.append(one)
    return Connecting(tuple(done), tuple(problems))


class AssistantChoices(CheckList):
    """Assistants to choose from."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ready: dict[str, Ready] = {}
        self._diffs: list[DiffView] = []

    def show_ready(self, ready: Sequence[Ready], unticked: Collection[str] = ()) -> None:
        """Show these; those that can be connected are checked, unless they are among ``unticked``."""
        self._ready = {one.found.client.id: one for one in ready}
        self._diffs = []
        self.clear()
        for one in ready:
            client = one.found.client
            plan = one.prepared.plan if one.prepared is not None else None
            can_connect = plan is not None and plan.changes
            lines = [Line(text) for text in self._lines(one)]
            checked = can_connect and client.id not in unticked
            row = self.add_row(client.id, client.name, lines, checked=checked, enabled=can_connect)
            if can_connect:
                self._add_diff(row, one)

    def chosen(self) -> list[Ready]:
        """Return the checked assistants, in order."""
        return [self._ready[client] for client in self.checked_keys()]

    def unticked(self) -> set[str]:
        """Return the ids of those that could be connected and are not checked."""
        return {client for client, box in self.boxes.items() if box.isEnabledTo(self) and not box.isChecked()}

    def can_connect(self) -> bool:
        """Return True if any can be checked."""
        return self.first_box() is not None

    def set_colours(self, scheme: Colours) -> None:
        """Apply new colours to the differences."""
        for diff in self._diffs:
            diff.set_colours(scheme)

    def _add_diff(self, row: CheckRow, ready: Ready) -> None:
        name = ready.found.client.name
        diff = DiffView()
        diff.show_diff(ready.diff, colours(self.palette()))
        diff.setAccessibleName(self.tr("What changes for {0}").format(name))
        lines_there = min(diff.document().blockCount(), LINES_SHOWN)
        diff.setFixedHeight(diff.fontMetrics().lineSpacing() * lines_there + 40)
        diff.hide()
        self._diffs.append(diff)
        toggle = Button(self.tr("Show the change"), "link", name=self.tr("Show the change for {0}").format(name))
        toggle.clicked.connect(lambda: self._toggle(toggle, diff))
        row.title_row.addWidget(toggle)
        row.content.addWidget(diff)

    def _toggle(self, toggle: Button, diff: DiffView) -> None:
        shown = not diff.isVisibleTo(self)
        diff.setVisible(shown)
        toggle.setText(self.tr("Hide the change") if shown else self.tr("Show the change"))

    def _lines(self, ready: Ready) -> list[str]:
        if ready.problem is not None:
            return [messages.problem_text(ready.problem)]
        plan = ready.prepared.plan if ready.prepared is not None else None
        if plan is None:
            return []
        lines = [messages.problem_text(note) for note in (*ready.found.notes, *plan.notes)]
        if not plan.changes and not plan.notes:
            return [self.tr("It is connected already."), *lines]
        return [self.tr("One entry is added to {0}").format(plan.file), *lines] if plan.changes else lines
