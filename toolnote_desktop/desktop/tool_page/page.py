"""Page of one tool: its name and switch, the user's notes, and its own description."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.tool_view import ToolView, arguments, what_changed
from toolnote_desktop.desktop.tool_page.hint_chips import HintChips
from toolnote_desktop.desktop.tool_page.notes_list import NotesList
from toolnote_desktop.desktop.tool_page.settings_panel import ToolPanel
from toolnote_desktop.desktop.widgets.auto_save_fields import save_fields
from toolnote_desktop.desktop.widgets.banner import Notice
from toolnote_desktop.desktop.widgets.basics import Button, card, column, label, without_mnemonics
from toolnote_desktop.desktop.widgets.controls import Switch
from toolnote_desktop.desktop.widgets.page import Page
from toolnote_desktop.model.hidden_characters import count_hidden
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot


class ToolPage(Page):
    """Page that shows a :class:`ToolView`.

    Signals:
        accepted: the (server, tool) whose change the user has seen.
        try_requested: the ``ToolView`` of a tool that the user wants to try.
    """

    accepted = Signal(object)
    try_requested = Signal(object)

    def __init__(self, actions: Actions, changes: UndoStack, files: GuidanceFiles, settings: ToolSettings) -> None:
        super().__init__(self.tr("Tool and your notes on it"))
        self._actions = actions
        self._view: ToolView | None = None
        self.switch = Switch(self.tr("On"), self.tr("Off"), self.tr("On in this toolset"))
        self.switch.toggled.connect(self._switch)
        self.toolsets_button = Button(self.tr("Toolsets…"), "chip", pressed=self._open_toolsets)
        self.toolsets_menu = QMenu(self)
        self.try_button = Button(self.tr("Try it"), "chip", pressed=self._try)
        self.controls.addWidget(self.try_button)
        self.controls.addWidget(self.toolsets_button)
        self.controls.addWidget(self.switch)
        self.hints = HintChips(settings)
        self.hints.question_requested.connect(self._open_behaviour)
        self.body.insertWidget(1, self.hints)
        self.notes = NotesList(actions, changes, files)
        self.add_section(self.tr("Your notes"))
        self.body.addWidget(self.notes)
        self._more = QWidget()
        more = column(self._more, spacing=0)
        self._more_title = label("", "section")
        self.panel = ToolPanel(settings)
        more.addSpacing(28)
        more.addWidget(self._more_title)
        more.addSpacing(8)
        more.addWidget(self.panel)
        self.body.addWidget(self._more)
        self.add_section(self.tr("From the tool itself"), 28)
        self.own_words = card("quiet-card")
        inside = column(self.own_words, (16, 12, 16, 14), 8)
        self.description = label("", "second", wraps=True, can_be_copied=True)
        self.needs = label("", "second", wraps=True, can_be_copied=True)
        self.before = label("", "second", wraps=True, can_be_copied=True)
        for one in (self.description, self.needs, self.before):
            inside.addWidget(one)
        self.body.addWidget(self.own_words)
        self.body.addStretch(1)

    @property
    def view(self) -> ToolView | None:
        """Shown view."""
        return self._view

    def show_view(self, snapshot: Snapshot, view: ToolView) -> None:
        """Show a tool, or update it."""
        is_other = self._view is None or self._view.key != view.key
        if is_other:
            save_fields(self.panel)
        self._view = view
        tool = view.known.tool
        self.title.setText(tool.title)
        titles = [toolset.title for toolset in view.toolsets]
        where = (
            self.tr("in {toolsets}").format(toolsets=messages.joined(titles)) if titles else self.tr("in no toolset")
        )
        self.second.setText(f"{tool.server}  ·  {where}")
        self._fill_toolsets(snapshot, view)
        self.try_button.setEnabled(view.available)
        self._show_switch(view)
        self.hints.show_view(view)
        self.show_notices(self._notices_on(snapshot, view))
        self.notes.show_view(snapshot, view)
        self._more.setVisible(view.entry is not None)
        if view.entry is not None and view.toolset is not None:
            self._more_title.setText(self.tr("In “{toolset}”").format(toolset=view.toolset.title))
            self.panel.show_view(view)
        self._show_own_words(view)
        if is_other:
            self.verticalScrollBar().setValue(0)

    def _show_switch(self, view: ToolView) -> None:
        self.switch.setVisible(view.entry is not None)
        if view.entry is not None and view.toolset is not None:
            self.switch.show_state(view.entry.enabled)
            name = self.tr("{tool} is on in {toolset}").format(tool=view.known.tool.title, toolset=view.toolset.title)
            self.switch.setAccessibleName(name)
            self.switch.setToolTip(self.tr("Whether assistants that use this toolset get the tool"))

    def _notices_on(self, snapshot: Snapshot, view: ToolView) -> list[Notice]:
        tool = view.known.tool
        found: list[Notice] = []
        if view.known.changed and view.known.listed:
            found.append(Notice(Mark.ATTENTION, self._change_words(view), self.tr("I have looked"), self._accept))
        hidden = count_hidden(f"{tool.title}{tool.description}")
        if hidden:
            text = self.tr(
                "This tool’s own words hold signs that cannot be seen but that assistants read ({count} of them). "
                "“Exact data” on the right writes them out."
            )
            found.append(Notice(Mark.WRONG, text.format(count=messages.number(hidden))))
        if not view.known.listed:
            text = self.tr(
                "{source} does not offer this tool any more. Your notes stay, and work again when it returns."
            )
            found.append(Notice(Mark.ATTENTION, text.format(source=tool.server)))
        if view.toolset is None:
            text = self.tr("No toolset is in use, so assistants do not get this tool.")
            found.append(Notice(Mark.ATTENTION, text, *self._way_to_a_toolset(snapshot)))
        elif view.entry is None:
            title = view.toolset.title
            text = self.tr("This tool is not in “{toolset}”, so assistants do not get it or your notes on it.")
            action = self.tr("Add to {toolset}").format(toolset=title)
            found.append(Notice(Mark.NONE, text.format(toolset=title), action, self._add_to_toolset))
        found += self._on_server(snapshot, tool.server)
        return found

    def _on_server(self, snapshot: Snapshot, server: str) -> list[Notice]:
        listing = snapshot.catalogue.servers.get(server)
        if listing is None:
            return []
        state, problem = listing.status.state, listing.status.problem
        show = self.tr("Show {source}").format(source=server)
        key = RowKey(Kind.SERVER, server)
        if state is ServerState.DISABLED:
            text = self.tr("{source} is switched off, so assistants do not get its tools.").format(source=server)
            return [Notice(Mark.OFF, text, self.tr("Switch on"), lambda: self._actions.switch_server(server, on=True))]
        if state in (ServerState.READY, ServerState.STARTING, ServerState.DOWNLOADING, ServerState.RECONNECTING):
            return []
        text = messages.problem_text(problem) if problem is not None else messages.state_sentence(state)
        mark = Mark.WRONG if state is ServerState.FAILED else Mark.ATTENTION
        return [Notice(mark, text, show, lambda: self.go.emit(key))]

    def _way_to_a_toolset(self, snapshot: Snapshot) -> tuple[str, Callable[[], object] | None]:
        first = next(iter(snapshot.toolsets.values()), None)
        if first is None:
            return self.tr("Make a toolset with it"), self._make_toolset
        name = first.name
        return self.tr("Use {toolset}").format(toolset=first.title), lambda: self._actions.use_toolset(name)

    def _show_own_words(self, view: ToolView) -> None:
        tool = view.known.tool
        self.description.setText(tool.description.strip() or self.tr("The tool says nothing about itself."))
        needs, takes = arguments(tool.definition)
        parts = []
        if needs:
            parts.append(self.tr("Needs: {names}.").format(names=", ".join(needs)))
        if takes:
            parts.append(self.tr("Can take: {names}.").format(names=", ".join(takes)))
        self.needs.setText("   ".join(parts))
        self.needs.setVisible(bool(parts))
        was = view.known.accepted.description.strip()
        has_other_words = view.known.changed and was != tool.description.strip()
        self.before.setVisible(has_other_words)
        self.before.setText(self.tr("Before: {text}").format(text=was or self.tr("nothing")))

    def _change_words(self, view: ToolView) -> str:
        words = {
            "description": self.tr("what it says of itself"),
            "inputSchema": self.tr("what it needs"),
            "outputSchema": self.tr("what it answers"),
            "annotations": self.tr("how it behaves"),
            "title": self.tr("its title"),
        }
        keys = what_changed(view.known)
        changed = list(dict.fromkeys(words.get(key, self.tr("other details")) for key in keys))
        text = self.tr("{source} has changed this tool since you last looked: {what}. Do your notes still fit?")
        return text.format(source=view.known.tool.server, what=messages.joined(changed))

    def _fill_toolsets(self, snapshot: Snapshot, view: ToolView) -> None:
        """Fill the menu with checkable toolsets. It may be open while others change them."""
        title = view.known.tool.title
        self.toolsets_button.setAccessibleName(self.tr("Change which toolsets {tool} is in").format(tool=title))
        menu = self.toolsets_menu
        menu.clear()
        inside = {toolset.name for toolset in view.toolsets}
        for name, toolset in snapshot.toolsets.items():
            action = menu.addAction(without_mnemonics(toolset.title))
            action.setCheckable(True)
            action.setChecked(name in inside)
            action.triggered.connect(lambda checked, name=name: self._put_in(name, inside=checked))
        menu.addSeparator()
        menu.addAction(self.tr("New toolset with it"), self._make_toolset_with_it)

    def _open_toolsets(self) -> None:
        corner = self.toolsets_button.rect().bottomLeft() + QPoint(0, 2)
        self.toolsets_menu.popup(self.toolsets_button.mapToGlobal(corner))

    def _put_in(self, toolset: str, *, inside: bool) -> None:
        view = self._view
        if view is None:
            return
        if inside:
            self._actions.add_tools(toolset, [view.known])
            return
        entry = view.entries.get(toolset)
        if entry is not None:
            self._actions.remove_tools(toolset, [entry], view.key)

    def _make_toolset_with_it(self) -> None:
        if self._view is not None:
            name = self._actions.make_toolset(self.tr("New toolset"), [self._view.known])
            if name is not None:
                self.go.emit(RowKey(Kind.TOOLSET, name))

    def _switch(self, on: bool) -> None:
        view = self._view
        if view is not None and view.toolset is not None and view.entry is not None:
            self._actions.switch_tool(view.toolset.name, view.entry, view.known.tool.title, on=on, place=view.key)

    def _open_behaviour(self) -> None:
        """Open the three questions and focus them."""
        fold = self.panel.folds["behaviour"]
        fold.open()
        inside = self.widget()
        if inside is not None and (layout := inside.layout()) is not None:
            layout.activate()  # where the questions are is only known then
        fold.header.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.ensureWidgetVisible(fold, 0, 20)

    def _try(self) -> None:
        if self._view is not None:
            self.try_requested.emit(self._view)

    def _accept(self) -> None:
        if self._view is not None:
            self.accepted.emit(self._view.known.tool.key)

    def _add_to_toolset(self) -> None:
        view = self._view
        if view is not None and view.toolset is not None:
            self._actions.add_tools(view.toolset.name, [view.known])

    def _make_toolset(self) -> None:
        if self._view is not None:
            name = self._actions.make_toolset(self.tr("My tools"), [self._view.known])
            if name is not None:
                self._actions.use_toolset(name)
