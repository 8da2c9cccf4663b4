"""Assistants on this computer, each with a tick box and exactly what connecting it changes in its file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct, field
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

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
from toolnote_desktop.desktop.add_servers.server_choices import TEXT_INDENT
from toolnote_desktop.desktop.theme.colours import Colours, colours
from toolnote_desktop.desktop.widgets.basics import Button
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.diff_view import DiffView
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel
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


class AssistantChoices(QWidget):
    """Rows of assistants.

    Signals:
        changed: others are ticked now.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ready: dict[str, Ready] = {}
        self._boxes: dict[str, CheckBox] = {}
        self._diffs: list[DiffView] = []
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(8)

    def show_ready(self, ready: Sequence[Ready], unticked: Collection[str] = ()) -> None:
        """Show these; those that can be connected are ticked."""
        self._ready = {one.found.client.id: one for one in ready}
        self._boxes, self._diffs = {}, []
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for one in ready:
            self._rows.addWidget(self._row(one, one.found.client.id not in unticked))

    def chosen(self) -> list[Ready]:
        """Those that are ticked, in order."""
        return [self._ready[client] for client, box in self._boxes.items() if box.isEnabledTo(self) and box.isChecked()]

    def unticked(self) -> set[str]:
        """The ids of those that could be connected and are not to be."""
        return {client for client, box in self._boxes.items() if box.isEnabledTo(self) and not box.isChecked()}

    def can_connect(self) -> bool:
        """Whether there is any that could be ticked."""
        return any(box.isEnabledTo(self) for box in self._boxes.values())

    def set_colours(self, scheme: Colours) -> None:
        """Colours have changed."""
        for diff in self._diffs:
            diff.set_colours(scheme)

    def _row(self, ready: Ready, ticked: bool) -> QWidget:
        found = ready.found
        row = QFrame()
        row.setProperty("kind", "panel")
        column = QVBoxLayout(row)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(3)
        box = CheckBox(found.client.name.replace("&", "&&"))
        plan = ready.prepared.plan if ready.prepared is not None else None
        box.setEnabled(plan is not None and plan.changes)
        box.setChecked(plan is not None and plan.changes and ticked)
        box.toggled.connect(self.changed)
        self._boxes[found.client.id] = box
        top = QHBoxLayout()
        top.addWidget(box, 1)
        column.addLayout(top)
        lines = self._lines(ready)
        for text in lines:
            shown = FullTextLabel(text, "small")
            shown.setContentsMargins(TEXT_INDENT, 0, 0, 0)
            column.addWidget(shown)
        box.setAccessibleDescription(". ".join(lines))
        if plan is not None and plan.changes:
            diff = DiffView()
            diff.show_diff(ready.diff, colours(self.palette()))
            diff.setAccessibleName(self.tr("What changes for {0}").format(found.client.name))
            lines_there = min(diff.document().blockCount(), LINES_SHOWN)
            diff.setFixedHeight(diff.fontMetrics().lineSpacing() * lines_there + 40)
            diff.hide()
            self._diffs.append(diff)
            toggle = Button(self.tr("Show the change"), "link")
            toggle.setAccessibleName(self.tr("Show the change for {0}").format(found.client.name))
            toggle.clicked.connect(lambda: self._toggle(toggle, diff))
            top.addWidget(toggle)
            column.addWidget(diff)
        return row

    def _toggle(self, toggle: QPushButton, diff: DiffView) -> None:
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
