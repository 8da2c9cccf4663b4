"""Choice of an assistant's toolset: the one in use, or one of its own."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.basics import label
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.guidance.served_tools import is_available, resolve_toolset
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset

WIDTH = 22
"""Minimum width in characters."""


class ToolsetPicker(QWidget):
    """Combo box of toolsets, with the number of tools.

    Signals:
        chosen: the toolset's name, or None for the one in use.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self.choice = ComboBox()
        self.choice.setAccessibleName(self.tr("What it gets"))
        self.choice.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(WIDTH)
        self.choice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.choice.chosen.connect(self._chosen)
        self.count = label("", "second")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.choice, 1)
        row.addWidget(self.count)

    def show_choice(self, snapshot: Snapshot, toolset: str | None) -> None:
        """Offer the toolsets; ``toolset`` is the current one."""
        self._snapshot = snapshot
        self.choice.clear()
        shared = snapshot.shared_toolset
        title = shared.title if shared is not None else self.tr("none")
        self.choice.addItem(self.tr("The toolset in use ({0})").format(title), None)
        for name, one in snapshot.toolsets.items():
            self.choice.addItem(one.title, name)
        if toolset is not None and toolset not in snapshot.toolsets:
            self.choice.addItem(self.tr("{0} (it is gone)").format(toolset), toolset)
        self.choice.setCurrentIndex(max(self.choice.findData(toolset), 0))
        self._show_count()

    def current(self) -> str | None:
        """Return the chosen toolset's name; None for the one in use."""
        name = self.choice.currentData()
        return name if isinstance(name, str) else None

    def _chosen(self, name: object) -> None:
        self._show_count()
        self.chosen.emit(name)

    def _show_count(self) -> None:
        if self._snapshot is not None:
            name = self.current()
            toolset = self._snapshot.toolsets.get(name) if name is not None else self._snapshot.shared_toolset
            self.count.setText(tool_count_text(self._snapshot, toolset))


def tool_count_text(snapshot: Snapshot, toolset: Toolset | None) -> str:
    """Return the number of tools that an assistant with a toolset gets, in words."""
    if toolset is None:
        return messages.translate("what_it_gets", "none of your tools")
    resolved = (one for one in resolve_toolset(snapshot, toolset) if one.enabled and one.known is not None)
    known = {one.known.tool.key for one in resolved if one.known is not None and is_available(snapshot, one.known)}
    return messages.count_tools(len(known))
