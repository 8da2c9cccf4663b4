"""The page of one toolset: use it, name it, its tools, and away with it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.actions import Actions
from toolnote_desktop.desktop.models.library_rows import Mark, RowKey
from toolnote_desktop.desktop.models.toolset_tools import ToolsetTools
from toolnote_desktop.desktop.panes.banner import Notice
from toolnote_desktop.desktop.panes.flow_layout import FlowLayout
from toolnote_desktop.desktop.panes.page import Page
from toolnote_desktop.desktop.panes.parts import Button, card, column, label
from toolnote_desktop.desktop.panes.tool_list import ToolList
from toolnote_desktop.desktop.panes.toolset_users import ToolsetUsers
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolset import Toolset


class ToolsetPage(Page):
    """One toolset.

    Signals:
        removed: its name, after it was deleted.
        add_tools_requested: it has no tools and the user wants some.
        dropped: its name, the ``RowKey``s that were dragged into its list, and before which row.
        stepped: its name, the chosen ``RowKey``s, and -1 or 1.
    """

    dropped = Signal(str, object, int)
    stepped = Signal(str, object, int)

    removed = Signal(str)
    add_tools_requested = Signal()

    def __init__(self, actions: Actions) -> None:
        super().__init__(self.tr("Toolset"))
        self._actions = actions
        self._toolset: Toolset | None = None
        self.title.hide()
        self.title_field = QLineEdit()
        self.title_field.setProperty("kind", "title")
        self.title_field.setMaxLength(120)
        self.title_field.setTextMargins(-3, 0, 0, 0)  # its words stand where a label's would
        self.title_field.editingFinished.connect(self._rename)
        self.titles.insertWidget(0, self.title_field)
        self.use_button = Button(self.tr("Use this toolset"), "primary", pressed=self._use)
        self.delete_button = Button(self.tr("Delete"), name=self.tr("Delete this toolset"), pressed=self._delete)
        buttons = QWidget()
        flow = FlowLayout(buttons)
        flow.addWidget(self.use_button)
        flow.addWidget(self.delete_button)
        self.body.addSpacing(16)
        self.body.addWidget(buttons)
        self.add_section(self.tr("Who uses it"), 20)
        self.users = ToolsetUsers()
        self.users.given.connect(self._give)
        self.body.addWidget(self.users)
        self.add_section(self.tr("Its tools"))
        self.hint = label("", "second", wraps=True)
        self.body.addWidget(self.hint)
        self.body.addSpacing(8)
        self.model = ToolsetTools(self)
        self.list = ToolList(self.model)
        self.list.setAccessibleName(self.tr("Tools of this toolset"))
        self.list.wanted.connect(self._show_tool)
        self.list.switched.connect(self._switch)
        self.list.taken_out.connect(self._take_out)
        self.list.stepped.connect(self._step)
        self.list.dropped.connect(self._drop)
        self._box = card("quiet-card")
        inside = column(self._box, (2, 6, 2, 6))
        inside.addWidget(self.list)
        self.body.addWidget(self._box)
        self.body.addStretch(1)

    def show_toolset(self, snapshot: Snapshot, toolset: Toolset) -> None:
        """Show a toolset, or its newest state."""
        is_other = self._toolset is None or self._toolset.name != toolset.name
        self._toolset = toolset
        in_use = snapshot.settings.equipped_toolset == toolset.name
        if is_other or not self.title_field.hasFocus():
            self.title_field.setText(toolset.title)
        self.title_field.setAccessibleName(self.tr("Title of the toolset"))
        used = self.tr("in use: assistants get these tools") if in_use else self.tr("not in use")
        self.second.setText(f"{messages.count_tools(len(toolset.tools))}  ·  {used}")
        self.use_button.setVisible(not in_use)
        self.use_button.setAccessibleName(self.tr("Use the toolset {name}").format(name=toolset.title))
        self.users.show_users(snapshot, toolset)
        self.model.show_toolset(snapshot, toolset)
        self._box.setVisible(bool(toolset.tools))
        self.hint.setText(
            self.tr(
                "Enter shows a tool, Space switches it on or off, Delete takes it out; drag it, or press Alt and an "
                "arrow, to move it."
            )
            if toolset.tools
            else self.tr("A toolset is a choice of tools that assistants get together.")
        )
        self.show_notices(self._notices_on(snapshot, toolset))
        self.list.updateGeometry()
        if is_other:
            self.verticalScrollBar().setValue(0)

    def _notices_on(self, snapshot: Snapshot, toolset: Toolset) -> list[Notice]:
        if not toolset.tools:
            if snapshot.servers:
                text = self.tr("Nothing in it yet. Go to a tool and add it from there.")
                return [Notice(Mark.NONE, text)]
            text = self.tr("Nothing in it yet: there is no tool source to take tools from.")
            return [Notice(Mark.NONE, text, self.tr("Add tools"), self.add_tools_requested.emit)]
        return []

    def _use(self) -> None:
        if self._toolset is not None:
            self._actions.use_toolset(self._toolset.name)

    def _delete(self) -> None:
        if self._toolset is not None and self._actions.delete_toolset(self._toolset.name):
            self.removed.emit(self._toolset.name)

    def _rename(self) -> None:
        toolset = self._toolset
        title = self.title_field.text().strip()
        if toolset is not None and title and title != toolset.title:
            self._actions.rename_toolset(toolset.name, title)
        elif toolset is not None:
            self.title_field.setText(toolset.title)

    def _show_tool(self, index: QModelIndex) -> None:
        key = self.model.key_at(index)
        if key is not None:
            self.go.emit(key)

    def _switch(self, rows: list[int]) -> None:
        found = self.model.entries_at(rows)
        if self._toolset is not None and found:
            on = not found[0].entry.enabled
            self._actions.switch_tools(self._toolset.name, [one.entry for one in found], on=on)

    def _give(self, client: str, own: bool) -> None:
        if self._toolset is not None:
            self._actions.give_toolset(client, self._toolset.name if own else None)

    def _step(self, keys: list[RowKey], step: int) -> None:
        if self._toolset is not None:
            self.stepped.emit(self._toolset.name, keys, step)

    def _drop(self, keys: list[RowKey], row: int) -> None:
        if self._toolset is not None:
            self.dropped.emit(self._toolset.name, keys, row)

    def _take_out(self, rows: list[int]) -> None:
        found = self.model.entries_at(rows)
        if self._toolset is not None and found:
            self._actions.remove_tools(self._toolset.name, [one.entry for one in found])
