"""Widget kit of pages and dialogs: plain-text labels, buttons, boxes and layout helpers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFocusEvent, QGuiApplication, QPalette
from PySide6.QtWidgets import QFrame, QLabel, QLayout, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from toolnote_desktop.model.names import is_web_address

log = logging.getLogger(__name__)

ButtonKind = Literal[
    "plain", "primary", "destructive", "text", "chip", "link", "plain-link", "quiet", "attention", "name"
]
LabelKind = Literal[
    "title", "window-head", "heading", "section", "group", "second", "small", "name", "attention", "wrong", "good", ""
]

LONGEST_LABEL = 2_000
"""Characters of a label's text that are shown."""

_FROM_THE_LEFT = Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_FROM_THE_RIGHT = Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

KEYBOARD_REASONS = frozenset(
    {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason}
)


def label(text: str = "", kind: LabelKind = "", *, wraps: bool = False, can_be_copied: bool = False) -> QLabel:
    """Create a plain-text label: no markup is rendered and no link opened, since many texts come from servers.

    Of a text over ``LONGEST_LABEL`` characters the start is shown: a megabyte in one word holds the window for seconds.
    """
    made = QLabel(f"{text[:LONGEST_LABEL]}…" if len(text) > LONGEST_LABEL else text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setOpenExternalLinks(False)
    align_to_language(made)
    if kind:
        made.setProperty("kind", kind)
    if wraps:
        made.setWordWrap(True)
        fit_to_lines(made)
    if can_be_copied:
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
    return made


def open_web_page(url: str) -> bool:
    """Open a page in the user's browser; return False, and open nothing, if it is no http or https address.

    Everything that the window opens goes through here: a server, the registry or a file may have named it.
    """
    if not is_web_address(url):
        log.warning("not opened, because it is no web page: %s", url[:200])
        return False
    return QDesktopServices.openUrl(QUrl(url))


def fit_to_lines(wrapping: QLabel) -> None:
    """Give a wrapping label at least the height of its lines. A minimum width would make its size hint that narrow."""
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    wrapping.setSizePolicy(policy)


def in_direction(start: int, top: int, end: int, bottom: int) -> tuple[int, int, int, int]:
    """Return margins as left, top, right, bottom, mirrored from right to left, which Qt does not do."""
    return (end, top, start, bottom) if QGuiApplication.isRightToLeft() else (start, top, end, bottom)


def align_to_language(widget: QLabel | QLineEdit) -> None:
    """Align a text in the window's reading direction; Qt would go by the text, which may be in another language."""
    if QGuiApplication.isRightToLeft():
        widget.setAlignment(_FROM_THE_RIGHT)
    elif isinstance(widget, QLabel):  # what is typed may begin at its own side
        widget.setAlignment(_FROM_THE_LEFT)


def without_mnemonics(text: str) -> str:
    """Escape ``&`` for the text of a button or menu entry, where Qt would underline the next letter."""
    return text.replace("&", "&&")


def tooltip_text(text: str) -> str:
    """Escape a text for a tool tip, which Qt would render as HTML where it resembles it."""
    import html  # takes longer to import than the rest of this module

    return f"<span>{html.escape(text)}</span>"


def restyle(widget: QWidget, **properties: object) -> None:
    """Set dynamic properties that the style sheet selects by, and apply its rules anew if one has changed."""
    if all(widget.property(name) == value for name, value in properties.items()):
        return
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


if TYPE_CHECKING:
    _Widget = QWidget
else:
    _Widget = object  # PySide allows one Qt class among a widget's bases


class FocusRing(_Widget):
    """Mixin that shows the focus frame for keyboard focus only; list it before the widget's Qt class."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show(event)

    def _show(self, event: QFocusEvent) -> None:
        restyle(self, ring=event.gotFocus() and event.reason() in KEYBOARD_REASONS)


class Button(FocusRing, QPushButton):
    """Push button of one of the theme's kinds; ``primary`` is the default button of its dialog.

    ``name`` is the accessible name, for a text that needs its context; without one it follows the text.
    """

    def __init__(
        self, text: str, kind: ButtonKind = "plain", *, name: str = "", pressed: Callable[[], object] | None = None
    ):
        super().__init__(without_mnemonics(text))
        self.setProperty("kind", kind)
        self.setProperty("ring", False)
        self.setAccessibleName(name or text)
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if kind in ("link", "plain-link") else Qt.CursorShape.ArrowCursor
        )
        self.setAutoDefault(kind == "primary")
        self.setDefault(kind == "primary")
        if kind in ("link", "plain-link", "quiet", "attention", "name"):
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        if pressed is not None:
            self.clicked.connect(lambda _checked: pressed())

    def setText(self, text: str) -> None:
        """Escape mnemonics and show a text; it becomes the accessible name unless another name was given."""
        follows = without_mnemonics(self.accessibleName()) == self.text()
        super().setText(without_mnemonics(text))
        if follows:
            self.setAccessibleName(text)

    def set_text(self, text: str, name: str = "") -> None:
        """Show a text with an accessible name of its own."""
        super().setText(without_mnemonics(text))
        self.setAccessibleName(name or text)


def card(kind: Literal["card", "quiet-card", "banner"]) -> QFrame:
    """Create a box with rounded corners: editable content (``card``) or a group."""
    frame = QFrame()
    frame.setProperty("kind", kind)
    return frame


def hairline() -> QFrame:
    """Create a horizontal line of one pixel."""
    line = QFrame()
    line.setProperty("kind", "hairline")
    line.setFixedHeight(1)
    return line


def side_ground(widget: QWidget) -> None:
    """Give a pane the background of side panes."""
    widget.setBackgroundRole(QPalette.ColorRole.AlternateBase)
    widget.setAutoFillBackground(True)


def column(widget: QWidget, margins: tuple[int, int, int, int] = (0, 0, 0, 0), spacing: int = 8) -> QVBoxLayout:
    """Create a vertical layout in ``widget``."""
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    return layout


def empty(layout: QLayout) -> None:
    """Remove and delete all widgets of a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget, below = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif below is not None:
            empty(below)
