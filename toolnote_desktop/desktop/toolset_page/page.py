"""Page of one toolset: use it, rename it, edit its tools, delete it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.models.library_rows import Mark, RowKey
from toolnote_desktop.desktop.models.toolset_tools import ToolsetTools
from toolnote_desktop.desktop.toolset_page.guide_view import GuideView
from toolnote_desktop.desktop.toolset_page.guidelines_form import GuidelinesForm
from toolnote_desktop.desktop.toolset_page.tool_list import ToolList
from toolnote_desktop.desktop.toolset_page.users import ToolsetUsers
from toolnote_desktop.desktop.widgets.auto_save_fields import Picks
from toolnote_desktop.desktop.widgets.banner import Notice
from toolnote_desktop.desktop.widgets.basics import Button, align_to_language, card, column, label
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.desktop.widgets.page import Page
from toolnote_desktop.guidance.limits import count_problems
from toolnote_desktop.guidance.served_tools import is_available, resolve_toolset
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import BUILT_IN, enabled_built_in
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.tool_records import Requirement
from toolnote_desktop.model.toolsets.toolset import Toolset

if TYPE_CHECKING:
    from toolnote_desktop.desktop.toolset_page.empty_state import EmptyToolset


class ToolsetPage(Page):
    """Page of one toolset.

    Signals:
        removed: its name, after it was deleted.
        add_tools_requested: neither the toolset nor any source has tools, and the user wants some.
        find_requested: the toolset has no tools, and the user wants to search for one.
        connect_requested: no assistant is connected, and the user wants one.
        export_requested: its name.
        dropped: its name, the ``RowKey``s dropped on its list, and the row before which they go.
        stepped: its name, the selected ``RowKey``s, and -1 or 1.
    """

    dropped = Signal(str, object, int)
    stepped = Signal(str, object, int)

    removed = Signal(str)
    add_tools_requested = Signal()
    find_requested = Signal()
    connect_requested = Signal()
    export_requested = Signal(str)

    def __init__(self, actions: Actions, files: GuidanceFiles, settings: ToolSettings) -> None:
        super().__init__(self.tr("Toolset"))
        self._actions = actions
        self._files = files
        self._toolset: Toolset | None = None
        self.title.hide()
        self.title_field = QLineEdit()
        align_to_language(self.title_field)
        self.title_field.setProperty("kind", "title")
        self.title_field.setMaxLength(120)
        self.title_field.setTextMargins(-3, 0, 0, 0)  # its words stand where a label's would
        self.title_field.editingFinished.connect(self._rename)
        self.titles.insertWidget(0, self.title_field)
        self.use_button = Button(self.tr("Use this toolset"), "primary", pressed=self._use)
        self.hand_on_button = Button(self.tr("Share…"), name=self.tr("Share this toolset"), pressed=self._hand_on)
        self.delete_button = Button(self.tr("Delete"), name=self.tr("Delete this toolset"), pressed=self._delete)
        buttons = QWidget()
        flow = FlowLayout(buttons)
        flow.addWidget(self.use_button)
        flow.addWidget(self.hand_on_button)
        flow.addWidget(self.delete_button)
        self.body.addSpacing(16)
        self.body.addWidget(buttons)
        self.add_section(self.tr("Who uses it"), 20)
        self.users = ToolsetUsers()
        self.users.assigned.connect(self._give)
        self.users.connect_requested.connect(self.connect_requested)
        self.body.addWidget(self.users)
        self.tabs = Picks(
            self.tr("Show:"),
            (
                ("tools", self.tr("Its tools")),
                ("told", self.tr("What assistants are told")),
                ("guide", self.tr("Guide")),
            ),
        )
        self.tabs.show_value("tools")
        self.tabs.chosen.connect(self._show_part)
        self.body.addSpacing(20)
        self.body.addWidget(self.tabs)
        self.body.addSpacing(12)
        self.told = GuidelinesForm(files, settings)
        self.guide = GuideView(files)
        self._tools_part = QWidget()
        self.first: EmptyToolset | None = None
        self._tools_column = tools = column(self._tools_part, spacing=8)
        self.hint = label(self.tr("A toolset is a choice of tools that assistants get together."), "second", wraps=True)
        tools.addWidget(self.hint)
        self.model = ToolsetTools(self)
        self.list = ToolList(self.model)
        self.list.setAccessibleName(self.tr("Tools of this toolset"))
        self.list.activated_index.connect(self._show_tool)
        self.list.switched.connect(self._switch)
        self.list.removed.connect(self._take_out)
        self.list.stepped.connect(self._step)
        self.list.dropped.connect(self._drop)
        self._box = card("quiet-card")
        inside = column(self._box, (2, 6, 2, 6))
        inside.addWidget(self.list)
        tools.addWidget(self._box)
        self.keys = label(
            self.tr(
                "Enter shows a tool, Space switches it on or off, Delete takes it out; drag it, or press Alt and an "
                "arrow, to move it."
            ),
            "small",
            wraps=True,
        )
        tools.addWidget(self.keys)
        self.told.hide()
        self.guide.hide()
        for part in (self._tools_part, self.told, self.guide):
            self.body.addWidget(part)
        self.body.addStretch(1)

    def _use_words(self, snapshot: Snapshot, toolset: Toolset) -> str:
        if snapshot.settings.equipped_toolset == toolset.name:
            return self.tr("default toolset")
        users = [
            messages.author_name(snapshot, one) for one, has in snapshot.clients.items() if has.toolset == toolset.name
        ]
        if users:
            return self.tr("used by {assistants}").format(assistants=messages.joined(users))
        return self.tr("not in use")

    def show_toolset(self, snapshot: Snapshot, toolset: Toolset) -> None:
        """Show a toolset, or update it."""
        is_other = self._toolset is None or self._toolset.name != toolset.name
        self._toolset = toolset
        in_use = snapshot.settings.equipped_toolset == toolset.name
        if is_other or not self.title_field.hasFocus():
            self.title_field.setText(toolset.title)
        self.title_field.setAccessibleName(self.tr("Title of the toolset"))
        self.second.setText(f"{messages.count_tools(len(toolset.tools))}  ·  {self._use_words(snapshot, toolset)}")
        self.use_button.setVisible(not in_use)
        self.use_button.setAccessibleName(self.tr("Use the toolset {name}").format(name=toolset.title))
        self.users.show_users(snapshot, toolset)
        self.model.show_toolset(snapshot, toolset)
        self.hint.setVisible(not toolset.tools)
        for one in (self._box, self.keys):
            one.setVisible(bool(toolset.tools))
        self.show_notices(self._notices_on(snapshot, toolset))
        self._show_first(snapshot, toolset)
        self.list.updateGeometry()
        self.told.show_toolset(snapshot, toolset)
        self.guide.show_toolset(snapshot, toolset)
        if is_other:
            self.show_part("tools")
            self.verticalScrollBar().setValue(0)

    def show_part(self, part: str) -> None:
        """Show a tab: ``tools``, ``told`` (guidelines) or ``guide``."""
        self.tabs.show_value(part)
        self._show_part(part)

    def _show_part(self, part: str) -> None:
        self._tools_part.setVisible(part == "tools")
        self.told.setVisible(part == "told")
        self.guide.setVisible(part == "guide")
        if part == "guide":
            self.guide.open()

    def _limits(self, snapshot: Snapshot, toolset: Toolset) -> list[Notice]:
        """Return a warning about known assistants that accept fewer tools than these."""
        settings = snapshot.settings
        resolved = (one.known for one in resolve_toolset(snapshot, toolset) if one.enabled)
        served = sum(1 for known in resolved if known is not None and is_available(snapshot, known))
        met = {Requirement.OWN_CHOICE, *([Requirement.LAZY_MODE] if settings.lazy_mode else [])}
        own = len(BUILT_IN.enabled(enabled_built_in(settings), met))
        count = own if settings.lazy_mode else own + served
        found = (self._files.dialect_of(id, client) for id, client in snapshot.clients.items())
        dialects = {one.name: one for one in found}
        problems = [problem for one in dialects.values() for problem in count_problems(count, one)]
        return [Notice(Mark.ATTENTION, messages.problem_text(problem)) for problem in problems]

    def _notices_on(self, snapshot: Snapshot, toolset: Toolset) -> list[Notice]:
        if not toolset.tools:
            if snapshot.catalogue.tools:
                return []
            text = self.tr("Nothing in it yet: no tool source has told its tools so far.")
            if snapshot.servers:
                return [Notice(Mark.NONE, text)]
            text = self.tr("Nothing in it yet: there is no tool source to take tools from.")
            return [Notice(Mark.NONE, text, self.tr("Add tools"), self.add_tools_requested.emit)]
        return self._limits(snapshot, toolset)

    def _show_first(self, snapshot: Snapshot, toolset: Toolset) -> None:
        """Show the empty state of a toolset without tools."""
        offers = {} if toolset.tools else _offers(snapshot)
        if offers and self.first is None:
            from toolnote_desktop.desktop.toolset_page.empty_state import (
                EmptyToolset,  # not needed for the first paint
            )

            self.first = EmptyToolset()
            self.first.chosen.connect(self._put_in)
            self.first.find_requested.connect(self.find_requested)
            self._tools_column.addWidget(self.first)
        if self.first is not None:
            self.first.show_offers(offers)
            self.first.setVisible(bool(offers))

    def _put_in(self, tools: tuple[KnownTool, ...]) -> None:
        if self._toolset is not None:
            self._actions.add_tools(self._toolset.name, tools)

    def _use(self) -> None:
        if self._toolset is not None:
            self._actions.use_toolset(self._toolset.name)

    def _hand_on(self) -> None:
        if self._toolset is not None:
            self.export_requested.emit(self._toolset.name)

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


def _offers(snapshot: Snapshot) -> dict[str, tuple[KnownTool, ...]]:
    """Return the tool sources that have tools now, and the tools."""
    known = snapshot.catalogue.servers
    listed = {
        server: tuple(one for one in known[server].tools if one.listed)
        for server in snapshot.servers
        if server in known
    }
    return {server: tools for server, tools in listed.items() if tools}
