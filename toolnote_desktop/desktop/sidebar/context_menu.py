"""Context menu of the library's rows: the actions of keys and drags, and those without either."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.row_actions import RowActions
from toolnote_desktop.desktop.models.drag_data import TOOL_KINDS, Dragged, DraggedNote
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.widgets.basics import without_mnemonics


class LibraryMenu(QObject):
    """Menu that is built for the selected rows when it opens.

    Signals:
        place_requested: the ``RowKey`` to show.
        undo_offered: the last step is one that the user may want to undo.
        use_requested, export_requested: a toolset's name.
        restart_requested, edit_requested: a tool source's id.
    """

    place_requested = Signal(object)
    undo_offered = Signal()
    use_requested = Signal(str)
    export_requested = Signal(str)
    restart_requested = Signal(str)
    edit_requested = Signal(str)

    def __init__(self, window: QWidget, actions: RowActions, files: GuidanceFiles) -> None:
        super().__init__(window)
        self._window = window
        self._actions = actions
        self._files = files
        self.menu = QMenu(window)

    def open(self, keys: Sequence[RowKey], place: QPoint) -> None:
        """Show the menu at a screen position."""
        if self.fill(keys):
            self.menu.popup(place)

    def fill(self, keys: Sequence[RowKey]) -> bool:
        """Fill the menu for these rows. Return False if they have no actions."""
        self.menu.clear()
        for below in self.menu.findChildren(QMenu):
            below.deleteLater()
        tools = [key for key in keys if key.kind in TOOL_KINDS]
        if tools:
            self._add_tools(tools)
        elif keys and keys[0].kind is Kind.TOOLSET:
            self._add_toolset(keys[0])
        elif keys and keys[0].kind is Kind.SERVER:
            self._add_servers([key for key in keys if key.kind is Kind.SERVER])
        return not self.menu.isEmpty()

    def toggle(self, keys: Sequence[RowKey]) -> None:
        """Switch the rows on or off."""
        if keys:
            self._actions.toggle(keys)

    def remove_rows(self, keys: Sequence[RowKey]) -> None:
        """Remove the rows."""
        if keys and self._actions.remove_rows(keys):
            self.undo_offered.emit()

    def step_in(self, toolset: str, keys: Sequence[RowKey], step: int) -> None:
        """Move entries up or down in a toolset's own list."""
        self._actions.step(toolset, keys, step)

    def drop_into(self, toolset: str, keys: Sequence[RowKey], row: int) -> None:
        """Add or move dropped rows before a row of a toolset's own list."""
        if all(key.kind is Kind.ENTRY and key.owner == toolset for key in keys):
            self._actions.move(toolset, keys, row)
        else:
            self._actions.add_to(toolset, keys, row)

    def drop(self, dragged: Dragged, target: RowKey, moves: bool) -> None:
        """Apply a drop of rows or a note on a row."""
        if isinstance(dragged, DraggedNote):
            if self._actions.drop_note(dragged, target, moves=moves):
                self.undo_offered.emit()
        elif self._actions.may_drop(dragged, target):
            shown = self._actions.drop(dragged, target)
            if shown is not None:
                self.place_requested.emit(shown)

    # --- tools

    def _add_tools(self, keys: list[RowKey]) -> None:
        entries = self._actions.entries(keys)
        if any(not one.entry.enabled for one in entries):
            self._add(self.tr("Turn on"), lambda: self._actions.switch(keys, on=True), "Space")
        if any(one.entry.enabled for one in entries):
            self._add(self.tr("Turn off"), lambda: self._actions.switch(keys, on=False), "Space")
        if entries:
            self._add_categories(keys)
            self._add(self.tr("Note from a template…"), lambda: self._choose_template(keys))
            self.menu.addSeparator()
        self._add_toolsets(keys)
        owners = {key.owner for key in keys if key.kind is Kind.ENTRY}
        if len(owners) == 1 and all(key.kind is Kind.ENTRY for key in keys):
            self._add_entries(keys, owners.pop())

    def _add_entries(self, keys: list[RowKey], toolset: str) -> None:
        self._add(self.tr("Move up"), lambda: self._actions.step(toolset, keys, -1), "Alt+Up")
        self._add(self.tr("Move down"), lambda: self._actions.step(toolset, keys, 1), "Alt+Down")
        self.menu.addSeparator()
        self._add(self.tr("Remove from this toolset"), lambda: self.remove_rows(keys), "Del")

    def _add_categories(self, keys: list[RowKey]) -> None:
        menu = QMenu(self.tr("Category"), self.menu)
        self.menu.addMenu(menu)
        current = {one.entry.category for one in self._actions.entries(keys)}
        for category in self._actions.categories():
            action = menu.addAction(without_mnemonics(category))
            action.setCheckable(True)
            action.setChecked(current == {category})
            action.triggered.connect(lambda _on, category=category: self._actions.set_category(keys, category))
        menu.addSeparator()
        menu.addAction(self.tr("New category…"), lambda: self._ask_category(keys))
        if current - {None}:
            menu.addAction(self.tr("None"), lambda: self._actions.set_category(keys, None))

    def _ask_category(self, keys: list[RowKey]) -> None:
        from toolnote_desktop.desktop.widgets.line_prompt import LinePrompt

        dialog = LinePrompt(
            self.tr("New category"),
            self.tr("The guide lists tools of one category together."),
            self.tr("Category"),
            self.tr("Set"),
            self._actions.categories(),
            self._window,
        )
        dialog.answered.connect(lambda line: self._actions.set_category(keys, line))
        dialog.open()

    def _choose_template(self, keys: list[RowKey]) -> None:
        from toolnote_desktop.desktop.tool_page.template_dialog import TemplateDialog

        dialog = TemplateDialog(self._files, self._window)
        dialog.filled.connect(lambda name, text: self._actions.add_note(keys, name, text))
        dialog.open()

    def _add_toolsets(self, keys: list[RowKey]) -> None:
        menu = QMenu(self.tr("Add to toolset"), self.menu)
        self.menu.addMenu(menu)
        for name, toolset in self._actions.snapshot.toolsets.items():
            action = menu.addAction(without_mnemonics(toolset.title))
            action.triggered.connect(lambda _on, name=name: self._actions.add_to(name, keys))
        menu.addSeparator()
        menu.addAction(self.tr("New toolset"), lambda: self._make_toolset(keys))

    def _make_toolset(self, keys: list[RowKey]) -> None:
        name = self._actions.make_toolset(self.tr("New toolset"), keys)
        if name is not None:
            self.place_requested.emit(RowKey(Kind.TOOLSET, name))

    # --- toolsets and tool sources

    def _add_toolset(self, key: RowKey) -> None:
        if self._actions.snapshot.settings.equipped_toolset != key.owner:
            self._add(self.tr("Use by default"), lambda: self.use_requested.emit(key.owner))
        self._add(self.tr("Share…"), lambda: self.export_requested.emit(key.owner))
        self._add(self.tr("Delete"), lambda: self.remove_rows([key]), "Del")

    def _add_servers(self, keys: list[RowKey]) -> None:
        servers = self._actions.snapshot.servers
        states = {servers[key.owner].disabled for key in keys if key.owner in servers}
        if True in states:
            self._add(self.tr("Turn on"), lambda: self._actions.switch(keys, on=True), "Space")
        if False in states:
            self._add(self.tr("Turn off"), lambda: self._actions.switch(keys, on=False), "Space")
        if len(keys) == 1:
            server = keys[0].owner
            self._add(self.tr("Restart"), lambda: self.restart_requested.emit(server))
            self._add(self.tr("Edit…"), lambda: self.edit_requested.emit(server))
            self._add(self.tr("Duplicate"), lambda: self.duplicate(server))
            self.menu.addSeparator()
            self._add(self.tr("Remove"), lambda: self.remove_rows(keys), "Del")

    def duplicate(self, server: str) -> None:
        """Duplicate a tool source and show its page."""
        name = self._actions.duplicate(server)
        if name is not None:
            self.place_requested.emit(RowKey(Kind.SERVER, name))

    def _add(self, text: str, triggered: Callable[[], object], keys: str = "") -> QAction:
        """Add an entry; its keys also work in the library while the menu is closed."""
        action = self.menu.addAction(text, triggered)
        if keys:
            action.setShortcut(QKeySequence(keys))
            action.setShortcutVisibleInContextMenu(True)
            action.setEnabled(True)
        return action
