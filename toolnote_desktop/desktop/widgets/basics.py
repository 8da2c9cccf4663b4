"""The small parts that all pages are made of: labels that never read markup, buttons, hairlines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication, QPalette
from PySide6.QtWidgets import QFrame, QLabel, QLayout, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from toolnote_desktop.desktop.theme.fonts import text_font

ButtonKind = Literal["plain", "primary", "chip", "link", "quiet", "name"]
LabelKind = Literal["title", "heading", "section", "second", "small", "name", "wrong", ""]

_FROM_THE_RIGHT = Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

KEYBOARD_REASONS = frozenset(
    {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason}
)


def label(text: str = "", kind: LabelKind = "", *, wraps: bool = False, can_be_copied: bool = False) -> QLabel:
    """A label that shows its text as it is: much of what we show was written by strangers."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setOpenExternalLinks(False)
    begin_where_lines_do(made)
    if kind:
        made.setProperty("kind", kind)
    if kind == "section":
        font = text_font(change=-2)
        font.setCapitalization(font.Capitalization.AllUppercase)
        font.setLetterSpacing(font.SpacingType.AbsoluteSpacing, 0.6)
        made.setFont(font)
    if wraps:
        made.setWordWrap(True)
        policy = made.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        made.setSizePolicy(policy)
        made.setMinimumWidth(60)
    if can_be_copied:
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
    return made


def begin_where_lines_do(made: QLabel | QLineEdit) -> None:
    """Align a text as the window's language is written: Qt goes by the text, and a tool's English name by itself."""
    if QGuiApplication.isRightToLeft():
        made.setAlignment(_FROM_THE_RIGHT)


def without_mnemonics(text: str) -> str:
    """A stranger's text as the text of a button or menu entry: its ``&`` underlines nothing."""
    return text.replace("&", "&&")


def tooltip_text(text: str) -> str:
    """A stranger's text as a tool tip, which Qt would read as HTML where it looks like it."""
    import html  # takes longer than all else here

    return f"<span>{html.escape(text)}</span>"


def repolish(widget: QWidget) -> None:
    """Have the style sheet look at a widget's properties again."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


if TYPE_CHECKING:
    _Widget = QWidget
else:
    _Widget = object  # a widget has one class of Qt's among its bases, and this is none


class FocusRing(_Widget):
    """Shows where the focus is to whoever moves it by keyboard: named before the widget's own class of Qt."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show(event)

    def _show(self, event: QFocusEvent) -> None:
        ring = event.gotFocus() and event.reason() in KEYBOARD_REASONS
        if bool(self.property("ring")) != ring:
            self.setProperty("ring", ring)
            repolish(self)


class Button(FocusRing, QPushButton):
    """A button of one of the theme's kinds. ``name`` is for screen readers, where the text alone says too little."""

    def __init__(
        self, text: str, kind: ButtonKind = "plain", *, name: str = "", pressed: Callable[[], object] | None = None
    ):
        super().__init__(without_mnemonics(text))
        self.setProperty("kind", kind)
        self.setProperty("ring", False)
        self.setAccessibleName(name or text)
        self.setCursor(Qt.CursorShape.PointingHandCursor if kind == "link" else Qt.CursorShape.ArrowCursor)
        self.setAutoDefault(False)
        if kind in ("link", "quiet", "name"):
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        if pressed is not None:
            self.clicked.connect(lambda _checked: pressed())

    def say(self, text: str, name: str = "") -> None:
        """Another text, and another name with it."""
        self.setText(without_mnemonics(text))
        self.setAccessibleName(name or text)


def card(kind: Literal["card", "quiet-card", "banner"]) -> QFrame:
    """A box with rounded corners, for what can be edited (``card``) or belongs together."""
    frame = QFrame()
    frame.setProperty("kind", kind)
    return frame


def side_ground(widget: QWidget) -> None:
    """Give a pane the quieter ground."""
    widget.setBackgroundRole(QPalette.ColorRole.AlternateBase)
    widget.setAutoFillBackground(True)


def column(widget: QWidget, margins: tuple[int, int, int, int] = (0, 0, 0, 0), spacing: int = 8) -> QVBoxLayout:
    """A vertical layout in ``widget``."""
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    return layout


def empty(layout: QLayout) -> None:
    """Take all widgets out of a layout, for good."""
    while (item := layout.takeAt(0)) is not None:
        widget, below = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif below is not None:
            empty(below)
