"""Assistants that use a toolset, and the menu that gives it to another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey, initials_of
from toolnote_desktop.desktop.widgets.basics import Button, empty, label, without_mnemonics
from toolnote_desktop.desktop.widgets.controls import Menu, Tile, popup_below
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset

MOST_NAMED: Final = 6
"""Number of assistants shown by name; the menu has all."""


class ToolsetUsers(QWidget):
    """Line *Used by*: the assistants with this toolset, of their own or by default, each leading to its page.

    Signals:
        place_requested: the ``RowKey`` of the assistant that was pressed.
        assigned: an assistant's id; True for this toolset, False for the default one again.
        connect_requested: the user wants to connect an assistant.
    """

    place_requested = Signal(object)
    assigned = Signal(str, bool)
    connect_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = None
        self._toolset = ""
        self._own: Mapping[str, str | None] = {}
        self._names: Mapping[str, str] = {}
        self.buttons: dict[str, Button] = {}
        self.give_button = Button("", "link", pressed=self._open_menu)
        self.menu = Menu(self)
        self._flow = FlowLayout(self, spacing=16)

    def show_users(self, snapshot: Snapshot, toolset: Toolset) -> None:
        """Show the current users of the toolset."""
        is_default = snapshot.settings.equipped_toolset == toolset.name
        own = {client: entry.toolset for client, entry in snapshot.clients.items()}
        names = {client: messages.author_name(snapshot, client) for client in snapshot.clients}
        state = (toolset.name, is_default, own, names)
        if state == self._shown:
            return
        self._shown = state
        self._toolset, self._own, self._names = toolset.name, own, names
        users = [client for client, has in own.items() if has == toolset.name or (has is None and is_default)]
        had_focus = self.give_button.hasFocus()
        self._flow.removeWidget(self.give_button)
        self.give_button.setParent(None)
        empty(self._flow)
        self.buttons = {}
        self._flow.addWidget(label(self.tr("Used by") if users else self.tr("No assistant uses it yet"), "second"))
        taken: set[str] = set()
        for client in users[:MOST_NAMED]:
            initials = initials_of(names[client], taken)
            taken.add(initials)
            self._flow.addWidget(self._user(client, names[client], initials))
        if len(users) > MOST_NAMED:
            self._flow.addWidget(label(self.tr("and %n more", "", len(users) - MOST_NAMED), "second"))
        text = self.tr("Give to another assistant…") if users else self.tr("Give to an assistant…")
        self.give_button.set_text(text if own else self.tr("Connect an assistant…"))
        self._flow.addWidget(self.give_button)
        for place in range(self._flow.count()):
            item = self._flow.itemAt(place)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.show()
        if had_focus:
            self.give_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _user(self, client: str, name: str, initials: str) -> QWidget:
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(5)
        row.addWidget(Tile(initials))
        button = Button(name, "plain-link", pressed=lambda: self.place_requested.emit(RowKey(Kind.ASSISTANT, client)))
        self.buttons[client] = button
        row.addWidget(button)
        return whole

    def _open_menu(self) -> None:
        if not self._own:
            self.connect_requested.emit()
            return
        self.fill_menu()
        popup_below(self.give_button, self.menu)

    def fill_menu(self) -> None:
        """Fill the menu: all assistants, ticked those with this toolset of their own."""
        self.menu.clear()
        for client, has in self._own.items():
            action = self.menu.addAction(without_mnemonics(self._names[client]))
            action.setCheckable(True)
            action.setChecked(has == self._toolset)
            action.triggered.connect(lambda on, client=client: self.assigned.emit(client, on))
        self.menu.addSeparator()
        self.menu.addAction(self.tr("Connect an assistant…"), self.connect_requested.emit)
