"""What a toolset without tools shows in place of its list: where tools are to be had, each source one press away."""

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
    """A button for each tool source that has tools.

    Signals:
        chosen: the tools that are to be put in.
        find_requested: one tool is to be looked for.
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
        """These sources, and what each has."""
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
