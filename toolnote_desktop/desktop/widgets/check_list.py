"""List of panels, each with a check box as its title and explanatory lines below: the base of the choice lists."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from toolnote_desktop.desktop.widgets.basics import column, empty, without_mnemonics
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel

TEXT_INDENT = 26
"""Pixels: the lines begin below the title, not below its check box."""


class Line(Struct, frozen=True):
    """A line below a title; ``level`` counts indents."""

    text: str
    kind: str = "small"
    level: int = 1


class CheckRow(QFrame):
    """Panel of one choice."""

    def __init__(self, title: str, lines: Iterable[Line]) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self.box = CheckBox(without_mnemonics(title))
        self.content = column(self, (14, 10, 14, 10), spacing=3)
        self.content.addWidget(self.box)
        texts = []
        for line in lines:
            shown = FullTextLabel(line.text, line.kind)
            shown.setContentsMargins(TEXT_INDENT * line.level, 0, 0, 0)
            self.content.addWidget(shown)
            texts.append(line.text)
        self.box.setAccessibleDescription(". ".join(texts))


class CheckList(QWidget):
    """Column of check rows by key.

    Signals:
        changed: another set of rows is checked.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[str, CheckBox] = {}
        self._rows = column(self)

    def clear(self) -> None:
        """Remove all rows."""
        self.boxes.clear()
        empty(self._rows)

    def add_row(
        self, key: str, title: str, lines: Iterable[Line], *, checked: bool = True, enabled: bool = True
    ) -> CheckRow:
        """Append a row; a disabled one cannot be checked by the user."""
        row = CheckRow(title, lines)
        row.box.setObjectName(key)
        row.box.setChecked(checked)
        row.box.setEnabled(enabled)
        row.box.toggled.connect(self.changed)
        self.boxes[key] = row.box
        self._rows.addWidget(row)
        return row

    def checked_keys(self) -> list[str]:
        """Return the keys of the checked rows that are enabled, in order."""
        return [key for key, box in self.boxes.items() if box.isEnabledTo(self) and box.isChecked()]

    def first_box(self) -> CheckBox | None:
        """Return the first box that can be checked."""
        return next((box for box in self.boxes.values() if box.isEnabledTo(self)), None)
