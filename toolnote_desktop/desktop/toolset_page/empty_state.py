"""Empty state of a toolset: a button for each tool source that adds its tools."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.model.tools.catalogue import KnownTool

_Offers = Mapping[str, tuple[KnownTool, ...]]


class EmptyToolset(QWidget):
    """Row of buttons, one for each tool source that has tools.

    Signals:
        chosen: the tools to add.
        find_requested: the user wants to search for a tool.
    """

    chosen = Signal(object)
    find_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._offers: _Offers = {}
        self.buttons: dict[str, Button] = {}
        self.find_button = Button(self.tr("Find a tool"), pressed=self.find_requested.emit)
        row = QWidget()
        self._flow = FlowLayout(row)
        whole = column(self, spacing=8)
        whole.addWidget(
            label(
                self.tr("Nothing in it yet. Put in all tools of a source, drag some here, or find one and add it."),
                wraps=True,
            )
        )
        whole.addWidget(row)
        whole.addWidget(self.find_button, 0, Qt.AlignmentFlag.AlignLeading)

    def show_offers(self, offers: _Offers) -> None:
        """Show these sources and their tools."""
        if offers == self._offers:
            return
        self._offers = offers
        empty(self._flow)
        self.buttons = {}
        for server, tools in offers.items():
            text = self.tr("All of {source}").format(source=server)
            name = self.tr("Put in {tools} of {source}").format(tools=messages.count_tools(len(tools)), source=server)
            button = Button(text, name=name, pressed=partial(self.chosen.emit, tools))
            button.setToolTip(messages.count_tools(len(tools)))
            self.buttons[server] = button
            self._flow.addWidget(button)
            button.show()
