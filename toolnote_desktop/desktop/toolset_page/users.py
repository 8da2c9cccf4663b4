"""Assistants that use a toolset: their own one, or the default one if they have none."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset


class ToolsetUsers(QWidget):
    """Row of chips, one for each known assistant, checked if it uses this toolset; a click switches.

    Signals:
        connect_requested: no assistant is known, and the user wants one.
        assigned: an assistant's id; True for this toolset, False for the default one again.
    """

    assigned = Signal(str, bool)
    connect_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = None
        self.chips: dict[str, Button] = {}
        self.sentence = label("", "second", wraps=True)
        self.connect_button: Button | None = None
        self._row = QWidget()
        self._flow = FlowLayout(self._row, spacing=8)
        whole = column(self, spacing=8)
        whole.addWidget(self._row)
        whole.addWidget(self.sentence)

    def show_users(self, snapshot: Snapshot, toolset: Toolset) -> None:
        """Show the current users of the toolset."""
        in_use = snapshot.settings.equipped_toolset == toolset.name
        own = {client: entry.toolset for client, entry in snapshot.clients.items()}
        names = {client: messages.author_name(snapshot, client) for client in snapshot.clients}
        state = (toolset.name, in_use, own, names)
        if state == self._shown:
            return
        self._shown = state
        sharing = [names[client] for client, has in own.items() if has is None]
        self.sentence.setText(self._words(sharing, in_use=in_use, known=bool(own)))
        self._show_chips(toolset, own, names)
        self._show_way(is_wanted=not own)

    def _words(self, sharing: list[str], *, in_use: bool, known: bool) -> str:
        if not known:
            return self.tr("No assistant is connected to Toolnote yet.")
        if not in_use:
            return self.tr("Click an assistant to always give it this toolset.")
        if not sharing:
            return self.tr("It is the default, but each of your assistants has a toolset of its own.")
        text = self.tr("{names} use it by default.")
        if len(sharing) == 1:
            text = self.tr("{names} uses it by default.")
        return text.format(names=messages.joined(sharing))

    def _show_way(self, *, is_wanted: bool) -> None:
        """Show the button that connects an assistant if none is known."""
        if is_wanted and self.connect_button is None:
            self.connect_button = Button(self.tr("Connect an assistant"), pressed=self.connect_requested.emit)
            whole = self.layout()
            assert whole is not None
            whole.addWidget(self.connect_button)
            whole.setAlignment(self.connect_button, Qt.AlignmentFlag.AlignLeading)
        if self.connect_button is not None:
            self.connect_button.setVisible(is_wanted)

    def _show_chips(self, toolset: Toolset, own: dict[str, str | None], names: dict[str, str]) -> None:
        focus = next((client for client, chip in self.chips.items() if chip.hasFocus()), None)
        if list(self.chips) != list(own):
            empty(self._flow)
            self.chips = {client: self._chip(client) for client in own}
            for chip in self.chips.values():
                self._flow.addWidget(chip)
                chip.show()
        for client, chip in self.chips.items():
            chip.set_text(
                names[client],
                self.tr("{assistant} uses {toolset}").format(assistant=names[client], toolset=toolset.title),
            )
            chip.setChecked(own[client] == toolset.name)
        if focus in self.chips:
            self.chips[focus].setFocus()
        self._row.setVisible(bool(self.chips))

    def _chip(self, client: str) -> Button:
        chip = Button("", "chip")
        chip.setCheckable(True)
        chip.clicked.connect(lambda on: self.assigned.emit(client, on))
        return chip
