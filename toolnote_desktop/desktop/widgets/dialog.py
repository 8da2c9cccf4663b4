"""What every dialog has in common: a title, a sentence, a body, and a row of buttons."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from toolnote_desktop.desktop.theme.colours import Colours, colours
from toolnote_desktop.desktop.widgets.basics import FocusRing, begin_where_lines_do, column

SIDE: Final = 28
GAP: Final = 12

# What only dialogs have; colours come from ``theme``.
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
    """Belongs to the window, is shown with ``open()`` and gone for good when it is closed."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._is_styling = False
        outer = QVBoxLayout(self)
        outer.setContentsMargins(SIDE, 24, SIDE, 20)
        outer.setSpacing(GAP)
        self.title = label("", "title")
        self.lead = label("", "second")
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
        """Say what this dialog is for."""
        self.setWindowTitle(title)
        self.title.setText(title)
        self.lead.setText(lead)
        self.lead.setVisible(bool(lead))

    def apply_colours(self, scheme: Colours) -> None:
        """Colours have changed; for what paints by itself."""

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's hook."""
        self._apply_style_sheet()
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Qt's hook: follows the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.isVisible():
            self._apply_style_sheet()

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


def label(text: str, kind: str = "", *, wrap: bool = True) -> QLabel:
    """Plain text: whatever stands in it, no markup is read and no link followed."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    begin_where_lines_do(made)
    if kind:
        made.setProperty("kind", kind)
    if wrap:
        policy = made.sizePolicy()
        policy.setVerticalPolicy(QSizePolicy.Policy.Minimum)
        made.setSizePolicy(policy)
    return made


class _Button(FocusRing, QPushButton):
    """A button of a dialog."""


def button(text: str, kind: str = "") -> QPushButton:
    """A push button; ``kind`` as the theme has it (``primary``, ``link``, ``chip`` …)."""
    made = _Button(text)
    made.setAutoDefault(kind == "primary")
    made.setDefault(kind == "primary")
    if kind:
        made.setProperty("kind", kind)
    return made


def with_words_below(field: QWidget, *below: QWidget) -> QWidget:
    """A field and what is said of it, close enough together to be seen to be one."""
    both = QWidget()
    column(both, spacing=3).addWidget(field)
    for one in below:
        both.layout().addWidget(one)  # type: ignore[union-attr]
    return both


def set_kind(widget: QWidget, kind: str) -> None:
    """Make a widget another kind, and have it drawn so."""
    widget.setProperty("kind", kind)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def scrolled(inside: QWidget) -> QScrollArea:
    """As wide as there is room, and scrolled up and down where it is too high."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidgetResizable(True)
    area.setProperty("kind", "scrolled")
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.verticalScrollBar().rangeChanged.connect(  # keys have something to do there only where it scrolls
        lambda _least, most: area.setFocusPolicy(Qt.FocusPolicy.TabFocus if most > 0 else Qt.FocusPolicy.NoFocus)
    )
    area.setWidget(inside)
    return area
