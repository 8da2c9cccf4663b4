"""Bar over the foot of a toolset's page while tools are ticked: what can be done with all of them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from toolnote_desktop.desktop.widgets.basics import Button, label, without_mnemonics
from toolnote_desktop.desktop.widgets.controls import IconButton, Menu, popup_below
from toolnote_desktop.desktop.widgets.page import SIDE_MARGIN, WIDEST, Width, page_margin
from toolnote_desktop.model.snapshot import Snapshot


class SelectionBar(QWidget):
    """Number of ticked tools, and buttons.

    Signals:
        turned: True to turn the tools on, False to turn them off.
        asked: True to turn *Ask me first* on for them, False to turn it off.
        needed: the tools' place in guides: ``required``, ``optional`` or "".
        suggested: give them the place that their use suggests.
        moved: the name of another toolset; "" for a new one.
        removed: remove them.
        closed: tick none.
    """

    turned = Signal(bool)
    asked = Signal(bool)
    needed = Signal(str)
    suggested = Signal()
    moved = Signal(str)
    removed = Signal()
    closed = Signal()

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.hide()
        self._on = self._asks = False
        self.count = label("", "heading")
        self.turn_button = Button("", pressed=lambda: self.turned.emit(not self._on))
        self.ask_button = Button("", pressed=lambda: self.asked.emit(not self._asks))
        self.need_menu = Menu(self)
        for text, need in (
            (self.tr("By the task"), ""),
            (self.tr("Always"), "required"),
            (self.tr("Only where it is relevant"), "optional"),
        ):
            self.need_menu.addAction(text, partial(self.needed.emit, need))
        self.need_menu.addSeparator()
        self.need_menu.addAction(self.tr("As they were used"), self.suggested.emit)
        self.need_button = Button(
            self.tr("In the guide…"), pressed=lambda: popup_below(self.need_button, self.need_menu)
        )
        self.menu = Menu(self)
        self.move_button = Button(self.tr("Move to…"), pressed=lambda: popup_below(self.move_button, self.menu))
        self.remove_button = Button(self.tr("Remove"), pressed=self.removed.emit)
        self.close_button = IconButton("close", self.tr("Clear the selection"), pressed=self.closed.emit)
        frame = QFrame()
        frame.setProperty("kind", "toast")
        row = QHBoxLayout(frame)
        row.setContentsMargins(16, 7, 8, 7)
        row.setSpacing(8)
        row.addWidget(self.count)
        row.addStretch(1)
        for button in (
            self.turn_button,
            self.ask_button,
            self.need_button,
            self.move_button,
            self.remove_button,
            self.close_button,
        ):
            row.addWidget(button)
        frame.setMaximumWidth(WIDEST)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(SIDE_MARGIN, 8, SIDE_MARGIN, 20)
        outer.addStretch(0)  # in line with the page
        outer.addWidget(frame, 1)
        outer.addStretch(0)

    def show_selection(self, snapshot: Snapshot, toolset: str, count: int, *, on: bool, asks: bool) -> None:
        """Show how many tools are ticked. ``on``, ``asks``: it is so for one of them, or more."""
        self._on, self._asks = on, asks
        self.count.setText(self.tr("%n selected", "", count))
        self.turn_button.setText(self.tr("Turn off") if on else self.tr("Turn on"))
        self.ask_button.setText(self.tr("Don’t ask me first") if asks else self.tr("Ask me first"))
        self.menu.clear()
        for name, one in snapshot.toolsets.items():
            if name != toolset:
                self.menu.addAction(without_mnemonics(one.title), partial(self.moved.emit, name))
        if not self.menu.isEmpty():
            self.menu.addSeparator()
        self.menu.addAction(self.tr("New toolset"), lambda: self.moved.emit(""))

    def set_width_class(self, width: Width) -> None:
        """Fit the bar to the page, and leave out actions where there is little room."""
        layout = self.layout()
        if layout is not None:
            margin = page_margin(width)
            layout.setContentsMargins(margin, 8, margin, margin // 2)
        for button in (self.ask_button, self.need_button):
            button.setVisible(width is not Width.SMALL)
