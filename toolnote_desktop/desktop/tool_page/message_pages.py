"""Pages of problems, of a missing tool and of an empty library."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey, all_problems, listing_of
from toolnote_desktop.desktop.server_page.state_texts import MARKS
from toolnote_desktop.desktop.widgets.banner import Banner, Notice
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.page import Page
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import ToolEntry, Toolset


class ProblemsPage(Page):
    """Page of the problems of documents and of tool sources' items."""

    def __init__(self) -> None:
        super().__init__(self.tr("Problems"))
        self._shown: tuple[Problem, ...] | None = None
        self.title.setText(self.tr("Problems"))
        self.second.setText(self.tr("Nothing is lost: what cannot be used is kept as it is."))
        self._list = QVBoxLayout()
        self._list.setSpacing(8)
        self.body.addSpacing(18)
        self.body.addLayout(self._list)
        self.body.addStretch(1)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the current problems."""
        problems = all_problems(snapshot)
        if problems == self._shown:
            return
        self._shown = problems
        empty(self._list)
        for problem in problems[:100]:
            self._list.addWidget(Banner(Notice(Mark.ATTENTION, messages.problem_text(problem))))
        if len(problems) > 100:
            self._list.addWidget(label(self.tr("… and %n more like these.", "", len(problems) - 100), "second"))


class MissingToolPage(Page):
    """Page of a toolset entry whose tool is missing."""

    def __init__(self, actions: Actions) -> None:
        super().__init__(self.tr("Tool not found"))
        self._actions = actions
        self.body.addStretch(1)

    def show_entry(self, snapshot: Snapshot, toolset: Toolset, entry: ToolEntry) -> None:
        """Name the missing tool and offer to remove the entry."""
        name = entry.namespaced_name or entry.ref_id or "?"
        self.title.setText(name)
        self.second.setText(self.tr("Tool not found  ·  in {toolset}").format(toolset=toolset.title))
        text = self.tr("No tool source offers it now. It works again, with your notes, as soon as one does.")
        if len(snapshot.catalogue.resolve(entry)) > 1:
            text = self.tr(
                "More than one tool source offers a tool of this name. Take it out and add the one you mean."
            )
        take_out = partial(self._actions.remove_tools, toolset.name, [entry])
        action = self.tr("Take it out of {toolset}").format(toolset=toolset.title)
        self.show_notices([Notice(Mark.ATTENTION, text, action, take_out)])


class EmptyPage(QWidget):
    """Page with one sentence and one button while nothing is selected or the library is empty.

    Signals:
        add_tools_requested: the button was pressed.
        go: the ``RowKey`` to show instead.
    """

    add_tools_requested = Signal()
    go = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._first: RowKey | None = None
        self.sentence = label("", "title", wraps=True)
        self.second = label("", "second", wraps=True)
        for one in (self.sentence, self.second):
            one.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = Button(self.tr("Add tools"), "primary", pressed=self._press)
        whole = column(self, (28, 28, 28, 28), 8)
        whole.addStretch(2)
        whole.addWidget(self.sentence)
        whole.addWidget(self.second)
        whole.addSpacing(8)
        whole.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        whole.addStretch(3)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the first step to take."""
        first = next(iter(snapshot.catalogue.tools), None)
        self._first = RowKey(Kind.TOOL, *first) if first is not None else None
        if first is not None:
            self.sentence.setText(self.tr("Choose a tool to write a note on it."))
            self.second.setText(self.tr("What you write is what every assistant reads before it uses the tool."))
            self.button.set_text(self.tr("Show the first tool"))
        elif snapshot.servers and _is_coming(snapshot):
            self.sentence.setText(self.tr("Your tool sources are starting."))
            self.second.setText(self.tr("Their tools show on the left as soon as they answer."))
            self.button.set_text(self.tr("Add more tools"))
        elif snapshot.servers:
            server = next(iter(snapshot.servers))
            self._first = RowKey(Kind.SERVER, server)
            self.sentence.setText(self.tr("Your tool sources have no tools yet."))
            self.second.setText(self.tr("Each one’s page says what it waits for."))
            self.button.set_text(self.tr("Look at {source}").format(source=server))
        else:
            self.sentence.setText(self.tr("Tell your assistants how you work."))
            self.second.setText(
                self.tr("Add a tool source, write a note on one of its tools, and every assistant reads it.")
            )
            self.button.set_text(self.tr("Add tools"))

    def _press(self) -> None:
        if self._first is not None:
            self.go.emit(self._first)
        else:
            self.add_tools_requested.emit()


def _is_coming(snapshot: Snapshot) -> bool:
    """Return True if a tool source is about to list its tools."""
    states = (listing_of(snapshot, server).status.state for server in snapshot.servers)
    return any(MARKS.get(state) is Mark.WAITING for state in states)
