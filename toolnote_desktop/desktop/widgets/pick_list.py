"""List to pick from: rows with a check box, a program's tile and two lines, in a box with hairlines."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout

from toolnote_desktop.desktop.models.library_rows import Mark, initials_of
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import column, empty, hairline, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.controls import Tile

LONGEST_NAME = 200
"""Characters of a name that are shown; the tooltip has the start of the rest."""


class PickRow(QFrame):
    """Row of a pick list; a click anywhere ticks it."""

    def __init__(self, name: str, initials: str = "") -> None:
        """``initials``: shown in a tile; "" for none."""
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 7, 16, 7)
        row.setSpacing(12)
        self.box = CheckBox("")
        self.box.setAccessibleName(name)
        self.box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row.addWidget(self.box)
        if initials:
            row.addWidget(Tile(initials, 24))
        words = QVBoxLayout()
        words.setSpacing(0)
        self.name = label(name[:LONGEST_NAME], wraps=True)
        self.second = label("", "small", wraps=True)
        words.addWidget(self.name)
        words.addWidget(self.second)
        row.addLayout(words, 1)
        self.sign = Dot(Mark.NONE)
        self.sign.hide()
        row.addWidget(self.sign)

    def say(self, text: str, mark: Mark = Mark.NONE) -> None:
        """Show a second line, with a sign where ``mark`` is not ``NONE``."""
        self.second.setText(text)
        self.second.setVisible(bool(text))
        self.box.setAccessibleDescription(text)
        self.sign.show_mark(mark)
        self.sign.setVisible(mark is not Mark.NONE)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.box.isEnabled():
            self.box.toggle()
        super().mousePressEvent(event)


class PickList(QFrame):
    """Rows by key.

    Signals:
        changed: another set of rows is ticked.
    """

    changed = Signal()

    def __init__(self, *, has_tiles: bool = False) -> None:
        super().__init__()
        self.setProperty("kind", "box")
        self._has_tiles = has_tiles
        self._column = column(self, (1, 1, 1, 1), 0)
        self.rows: dict[str, PickRow] = {}

    def show_rows(self, rows: Mapping[str, tuple[str, str]], unticked: set[str], disabled: set[str]) -> None:
        """Show rows: key to name and second line. Those in ``unticked`` and ``disabled`` are not ticked.

        Rows that are there already keep their ticks and the focus.
        """
        if list(rows) == list(self.rows) and rows:
            for key, (_name, second) in rows.items():
                row = self.rows[key]
                row.say(second)
                row.box.setEnabled(key not in disabled)
            return
        empty(self._column)
        self.rows = {}
        taken: set[str] = set()
        for key, (name, second) in rows.items():
            if self.rows:
                self._column.addWidget(hairline())
            initials = initials_of(name, taken) if self._has_tiles else ""
            taken.add(initials)
            row = PickRow(name, initials)
            row.say(second)
            row.box.setObjectName(key)
            row.box.setChecked(key not in unticked and key not in disabled)
            row.box.setEnabled(key not in disabled)
            row.box.toggled.connect(lambda _on: self.changed.emit())
            self._column.addWidget(row)
            self.rows[key] = row

    def ticked(self) -> list[str]:
        """Return the keys of the ticked rows that are enabled, in order."""
        return [key for key, row in self.rows.items() if row.box.isEnabledTo(self) and row.box.isChecked()]

    def unticked(self) -> set[str]:
        """Return the keys of rows that could be ticked and are not."""
        return {key for key, row in self.rows.items() if row.box.isEnabledTo(self) and not row.box.isChecked()}
