"""Pages of problems and of a missing tool."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QVBoxLayout

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.models.library_rows import Mark, all_problems
from toolnote_desktop.desktop.widgets.banner import Banner, Notice
from toolnote_desktop.desktop.widgets.basics import empty, label
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
        self.second.setText(self.tr("Nothing is lost. Entries that can’t be used are kept in their files."))
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
            self._list.addWidget(label(self.tr("and %n more", "", len(problems) - 100), "second"))


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
        text = self.tr("No tool source offers this tool now. It comes back with your notes when one does.")
        if len(snapshot.catalogue.resolve(entry)) > 1:
            text = self.tr("Several tool sources have a tool with this name. Remove this one and add the one you mean.")
        take_out = partial(self._actions.remove_tools, toolset.name, [entry])
        action = self.tr("Remove from {toolset}").format(toolset=toolset.title)
        self.show_notices([Notice(Mark.ATTENTION, text, action, take_out)])
