"""Base class of dialogs: title, lead sentence, body and a row of buttons."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from toolnote_desktop.desktop.theme.colours import Colours, colours
from toolnote_desktop.desktop.widgets.basics import column, label
from toolnote_desktop.desktop.widgets.debouncer import Debouncer

SIDE: Final = 28
GAP: Final = 12
SCREEN_MARGIN: Final = 48
"""Pixels of the screen's height that a dialog leaves free."""

# Rules that only dialogs need; colours come from ``theme``.
_SHEET = """
QDialog {{ background: {ground}; }}
QFrame[kind="panel"] {{ background: {side}; border: 1px solid {line}; border-radius: 10px; }}
QPlainTextEdit[kind="diff"] {{ background: {card}; border: 1px solid {line}; border-radius: 8px; padding: 6px 0px; }}
QPlainTextEdit[kind="diff"]:focus {{ border: 1px solid {accent}; }}
QTextBrowser[kind="reading"] {{ background: {card}; border: 1px solid {line}; border-radius: 8px; }}
QTextBrowser[kind="reading"]:focus {{ border: 1px solid {accent}; }}
QScrollArea[kind="scrolled"] {{ border: 1px solid transparent; border-radius: 8px; }}
QScrollArea[kind="scrolled"]:focus {{ border-color: {accent}; }}
QProgressBar {{ background: {pressed}; border: none; border-radius: 3px; max-height: 6px; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 3px; }}
QLabel[kind="good"] {{ color: {good}; font-weight: 600; }}
"""


class Dialog(QDialog):
    """Window-modal dialog, shown with ``open()`` and deleted when it is closed."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._is_styling = False
        self._layout_change = Debouncer(self, 0, self._require_height)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(SIDE, 24, SIDE, 20)
        outer.setSpacing(GAP)
        self.title = label("", "title", wraps=True)
        self.lead = label("", "second", wraps=True)
        self.body = QVBoxLayout()
        self.body.setSpacing(GAP)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(8)
        outer.addWidget(self.title)
        outer.addWidget(self.lead)
        outer.addSpacing(4)
        outer.addLayout(self.body, 1)
        outer.addSpacing(4)
        outer.addLayout(self.buttons)

    def introduce(self, title: str, lead: str = "") -> None:
        """Set the title and the lead sentence below it."""
        self.setWindowTitle(title)
        self.title.setText(title)
        self.lead.setText(lead)
        self.lead.setVisible(bool(lead))

    def apply_colours(self, scheme: Colours) -> None:
        """Handle new colours; for subclasses with widgets that paint by hand."""

    def showEvent(self, event: QShowEvent) -> None:
        self._apply_style_sheet()
        super().showEvent(event)
        self._layout_change.trigger()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.isVisible():
            self._apply_style_sheet()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._layout_change.trigger()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._layout_change.trigger()
        return handled

    def _require_height(self) -> None:
        """Keep the dialog as high as its content needs at this width: Qt ignores height-for-width in windows."""
        layout = self.layout()
        if layout is not None and self.isVisible():
            room = self.screen().availableGeometry().height() - SCREEN_MARGIN
            layout.activate()
            needed = max(layout.totalMinimumHeightForWidth(self.width()), layout.totalMinimumSize().height())
            self.setMinimumHeight(min(needed, room))

    def _apply_style_sheet(self) -> None:
        if self._is_styling:  # a style sheet may change the palette
            return
        self._is_styling = True
        try:
            scheme = colours(self.palette())
            self.setStyleSheet(_SHEET.format(**{name: getattr(scheme, name) for name in scheme.__struct_fields__}))
            self.apply_colours(scheme)
        finally:
            self._is_styling = False


def with_texts_below(field: QWidget, *below: QWidget) -> QWidget:
    """Group a field closely with the texts that explain it."""
    both = QWidget()
    column(both, spacing=3).addWidget(field)
    for one in below:
        both.layout().addWidget(one)  # type: ignore[union-attr]
    return both


def scrolled(inside: QWidget) -> QScrollArea:
    """Wrap a widget in an area that scrolls vertically and takes the focus only while it can scroll."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidgetResizable(True)
    area.setProperty("kind", "scrolled")
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.verticalScrollBar().rangeChanged.connect(
        lambda _least, most: area.setFocusPolicy(Qt.FocusPolicy.TabFocus if most > 0 else Qt.FocusPolicy.NoFocus)
    )
    area.setWidget(inside)
    return area
