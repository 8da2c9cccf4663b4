"""Search of the library: a text field, and chips for filters that words cannot express."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QLineEdit, QStyle, QWidget

from toolnote_desktop.desktop.models.library_rows import Facet
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_font
from toolnote_desktop.desktop.widgets.basics import Button
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout

_HINT_LEFT: Final = 36
_HINT_RIGHT: Final = 12
_ON: Final = (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SearchField(QLineEdit):
    """Search field with a magnifying glass; its hint keeps clear of the cursor and is shortened before it is cut.

    Signals:
        left_downwards: Down or Enter was pressed to go to the results, or Escape in an empty field.
        escaped: Escape.
    """

    left_downwards = Signal()
    escaped = Signal()

    def __init__(self, hint: str, short: str, keys: str) -> None:
        """Build the field; ``short`` is the hint for narrow fields."""
        super().__init__()
        self._hint = hint
        self._short = short
        self._keys = keys
        self.setAccessibleName(hint)
        self.setAccessibleDescription(keys)
        self.setToolTip(f"{hint}  ({keys})")
        self.setTextMargins(22, 0, 0, 0)
        self.setMaxLength(200)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.key() in _ON:
            self.left_downwards.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        glass = QStyle.visualRect(self.layoutDirection(), self.rect(), QRect(11, 0, 14, self.height()))
        middle = glass.center()
        painter.setPen(QPen(QColor(scheme.dim), 1.5))
        painter.drawEllipse(QRect(middle.x() - 5, middle.y() - 5, 9, 9))
        painter.drawLine(middle.x() + 3, middle.y() + 3, middle.x() + 6, middle.y() + 6)
        if self.text():
            return
        hint = QStyle.visualRect(
            self.layoutDirection(), self.rect(), self.rect().adjusted(_HINT_LEFT, 0, -_HINT_RIGHT, 0)
        )
        painter.setPen(QColor(scheme.dim))
        painter.setFont(text_font())
        shown, keys = self.shown_hint()
        start = QStyle.visualAlignment(self.layoutDirection(), Qt.AlignmentFlag.AlignLeft)
        end = QStyle.visualAlignment(self.layoutDirection(), Qt.AlignmentFlag.AlignRight)
        painter.drawText(hint, start | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.setFont(text_font(change=-2))
        painter.drawText(hint, end | Qt.AlignmentFlag.AlignVCenter, keys)

    def shown_hint(self) -> tuple[str, str]:
        """Return the hint and the keys that fit; the keys are dropped before the hint is shortened."""
        words, small = QFontMetrics(text_font()), QFontMetrics(text_font(change=-2))
        room = self.width() - _HINT_LEFT - _HINT_RIGHT
        keys_room = small.horizontalAdvance(self._keys) + 12
        for hint, keys in ((self._hint, self._keys), (self._hint, ""), (self._short, self._keys), (self._short, "")):
            if words.horizontalAdvance(hint) + (keys_room if keys else 0) <= room:
                return hint, keys
        return words.elidedText(self._short, Qt.TextElideMode.ElideRight, room), ""


class SearchChips(QWidget):
    """Filters of the search, shown only while the user searches.

    Signals:
        changed: other chips are on now.
        escaped: Escape was pressed in one.
    """

    changed = Signal()
    escaped = Signal()

    def __init__(self, field: SearchField) -> None:
        super().__init__()
        self._field = field
        self.chips = {
            Facet.HAS_NOTES: Button(self.tr("has notes"), "chip", name=self.tr("Only what has notes")),
            Facet.OFF: Button(self.tr("off"), "chip", name=self.tr("Only what is off")),
            Facet.CHANGED: Button(self.tr("changed"), "chip", name=self.tr("Only tools that have changed")),
            Facet.NOT_FOUND: Button(self.tr("not found"), "chip", name=self.tr("Only tools that are not found")),
            Facet.PROBLEMS: Button(self.tr("problems"), "chip", name=self.tr("Only what has problems")),
        }
        flow = FlowLayout(self, spacing=6)
        flow.setContentsMargins(14, 2, 10, 4)
        for chip in self.chips.values():
            chip.setCheckable(True)
            chip.toggled.connect(self._toggled)
            flow.addWidget(chip)
        self.hide()
        field.textChanged.connect(self.update_visibility)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self.update_visibility)

    @property
    def facets(self) -> frozenset[Facet]:
        """Checked filters."""
        return frozenset(facet for facet, chip in self.chips.items() if chip.isChecked())

    def clear(self) -> None:
        """Uncheck all chips and emit one change."""
        if not self.facets:
            return
        before = self.blockSignals(True)
        for chip in self.chips.values():
            chip.setChecked(False)
        self.blockSignals(before)
        self._toggled()

    def update_visibility(self) -> None:
        """Show the chips while the field has the focus or a text, or a chip is checked."""
        here = self._field.hasFocus() or any(chip.hasFocus() for chip in self.chips.values())
        self.setVisible(here or bool(self._field.text()) or bool(self.facets))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def _toggled(self) -> None:
        self.update_visibility()
        self.changed.emit()
