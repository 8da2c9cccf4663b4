"""List of the assistants on this computer, each with the change to its file."""

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


class PreparedAssistant(Struct, frozen=True):
    """Installed assistant with its planned change, or the problem that prevents it."""

    found: FoundClient
    prepared: PreparedChange | None = None
    problem: Problem | None = None
    diff: str = ""


class ConnectResult(Struct, frozen=True):
    """Result of connecting several assistants."""

    done: tuple[PreparedAssistant, ...] = ()
    problems: tuple[Problem, ...] = field(default=())


def prepare_assistants(
    environment: Environment,
    identity: ToolnoteIdentity,
    home: Home,
    documents: RawDocuments,
    url: str,
    *,
    switch_off: bool,
) -> tuple[PreparedAssistant, ...]:
    """Plan the change for each installed assistant. Reads files: call it in a thread.

    Args:
        documents: as they will be, so that duplicate servers are found.
        switch_off: switch duplicates off in the assistant.
    """
    ready = []
    for found in find_clients(environment, identity):
        if not found.installed:
            continue
        if found.chosen is None:
            ready.append(PreparedAssistant(found, problem=found.problem))
            continue
        file = found.chosen.location.file
        try:
            now = inspect_installation(found.client, file, home, identity, documents)
            off = frozenset(now.off) | (frozenset(now.duplicates) if switch_off else frozenset())
            wish = ConnectOptions(off=off, by_address=now.direct is not None)
            prepared = prepare_change(found.client, file, home, identity, documents, url, wish, now)
            ready.append(PreparedAssistant(found, prepared, diff=prepared.plan.diff()))
        except ToolnoteError as error:
            ready.append(PreparedAssistant(found, problem=error.problem))
    return tuple(ready)


def connect_all(chosen: Iterable[PreparedAssistant], home: Home) -> ConnectResult:
    """Change the files of the chosen assistants. Writes to disk: call it in a thread."""
    done, problems = [], []
    for one in chosen:
        if one.prepared is None:
            continue
        try:
            installing.apply(one.prepared.plan, home)
        except ToolnoteError as error:  # the others are independent of this one
            problems.append(error.problem)
        else:
            done.append(one)
    return ConnectResult(tuple(done), tuple(problems))


class AssistantChoices(CheckList):
    """Assistants to choose from."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ready: dict[str, PreparedAssistant] = {}
        self.diffs: list[DiffView] = []

    def show_assistants(self, ready: Sequence[PreparedAssistant], unticked: Collection[str] = ()) -> None:
        """Show these; those that can be connected are checked, unless they are among ``unticked``."""
        self._ready = {one.found.client.id: one for one in ready}
        self.diffs = []
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

    def chosen(self) -> list[PreparedAssistant]:
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
        for diff in self.diffs:
            diff.set_colours(scheme)

    def _add_diff(self, row: CheckRow, ready: PreparedAssistant) -> None:
        name = ready.found.client.name
        diff = DiffView()
        diff.show_diff(ready.diff, colours(self.palette()))
        diff.setAccessibleName(self.tr("What changes for {0}").format(name))
        lines_there = min(diff.document().blockCount(), LINES_SHOWN)
        diff.setFixedHeight(diff.fontMetrics().lineSpacing() * lines_there + 40)
        diff.hide()
        self.diffs.append(diff)
        toggle = Button(self.tr("Show the change"), "link", name=self.tr("Show the change for {0}").format(name))
        toggle.clicked.connect(lambda: self._toggle(toggle, diff))
        row.title_row.addWidget(toggle)
        row.content.addWidget(diff)

    def _toggle(self, toggle: Button, diff: DiffView) -> None:
        shown = not diff.isVisibleTo(self)
        diff.setVisible(shown)
        toggle.setText(self.tr("Hide the change") if shown else self.tr("Show the change"))

    def _lines(self, ready: PreparedAssistant) -> list[str]:
        if ready.problem is not None:
            return [messages.problem_text(ready.problem)]
        plan = ready.prepared.plan if ready.prepared is not None else None
        if plan is None:
            return []
        lines = [messages.problem_text(note) for note in (*ready.found.notes, *plan.notes)]
        if not plan.changes and not plan.notes:
            return [self.tr("It is connected already."), *lines]
        return [self.tr("One entry is added to {0}").format(plan.file), *lines] if plan.changes else lines
