"""Base class of dialogs: title, lead sentence, scrolling body and a pinned row of buttons."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
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
"""Pixels of the screen's free width and height that a dialog leaves."""

LEAST_BODY: Final = 40
"""Minimum height of the body in pixels; more of it scrolls."""

# Rules that only dialogs need; colours come from ``theme``.
_SHEET = """
QDialog {{ background: {ground}; }}
QFrame[kind="panel"] {{ background: {side}; border: 1px solid {line}; border-radius: 10px; }}
QPlainTextEdit[kind="diff"] {{ background: {card}; border: 1px solid {line}; border-radius: 8px; padding: 6px 0px; }}
QPlainTextEdit[kind="diff"]:focus {{ border: 1px solid {accent}; }}
QTextBrowser[kind="reading"] {{ background: {card}; border: 1px solid {line}; border-radius: 8px; }}
QTextBrowser[kind="reading"]:focus {{ border: 1px solid {accent}; }}
QProgressBar {{ background: {pressed}; border: none; border-radius: 3px; max-height: 6px; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 3px; }}
QLabel[kind="good"] {{ color: {good}; font-weight: 600; }}
"""


class _Body(QScrollArea):
    """Scroll area as large as its content where there is room: the dialog decides how much of it is visible."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self.content = QWidget()
        self.content.setAutoFillBackground(False)
        self.setWidget(self.content)

    def sizeHint(self) -> QSize:
        return self.content.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.content.minimumSizeHint().width(), LEAST_BODY)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report a change of the content's layout to the dialog."""
        handled = super().eventFilter(watched, event)
        if watched is self.content and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return handled

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the arrow keys to the dialog."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def needed_height(self, width: int) -> int:
        """Return the height of the whole content at a width."""
        layout = self.content.layout()
        if layout is None:
            return 0
        return max(layout.totalMinimumHeightForWidth(width), layout.totalMinimumSize().height())


class Dialog(QDialog):
    """Window-modal dialog, shown with ``open()`` and deleted when it is closed.

    It is never larger than the free area of its screen: then the body scrolls, while the buttons stay visible. It is
    centered again when it grows, unless the user has moved it.
    """

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._is_styling = False
        self._least_width = 0
        self._fitted_height = 0
        self._layout_change = Debouncer(self, 0, self.fit)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(SIDE, 24, SIDE, 20)
        outer.setSpacing(GAP)
        self.title = label("", "title", wraps=True)
        self.lead = label("", "second", wraps=True)
        self.area = _Body()
        self.body = QVBoxLayout(self.area.content)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(GAP)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(8)
        outer.addWidget(self.title)
        outer.addWidget(self.lead)
        outer.addSpacing(4)
        outer.addWidget(self.area, 1)
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

    def setMinimumWidth(self, width: int) -> None:
        """Set the width below which the dialog does not go, unless the screen has less."""
        self._least_width = width
        super().setMinimumWidth(width)

    def showEvent(self, event: QShowEvent) -> None:
        self._apply_style_sheet()
        super().showEvent(event)
        if not self.testAttribute(Qt.WidgetAttribute.WA_Resized):
            self._fitted_height = self.height()
        self.fit()

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

    def fit(self) -> None:
        """Fit the dialog to its content and to the screen: Qt ignores height-for-width in windows.

        A height that this method set follows the content up and down; one that the user set is only raised.
        """
        layout = self.layout()
        if layout is None or not self.isVisible():
            return
        free = free_area(self)
        room = QSize(free.width() - SCREEN_MARGIN, free.height() - SCREEN_MARGIN)
        self._stack_buttons(room.width())
        layout.activate()
        least = min(max(self._least_width, layout.totalMinimumSize().width()), room.width())
        super().setMinimumWidth(least)
        width = min(max(self.width(), least), room.width())
        side = layout.contentsMargins()
        body = self.area.needed_height(width - side.left() - side.right())
        rest = max(layout.totalMinimumHeightForWidth(width), layout.totalMinimumSize().height()) - LEAST_BODY
        needed = min(rest + max(body, LEAST_BODY), room.height())
        was_fitted = self.height() == self._fitted_height
        before = self.size()
        self.setMaximumSize(room)
        self.setMinimumHeight(needed)
        height = needed if was_fitted else min(max(self.height(), needed), room.height())
        self._fitted_height = needed if height == needed else 0
        self.resize(width, height)
        if self.height() > before.height() or self.width() > before.width():
            self._center(free)
        elif not free.contains(self.frameGeometry()):
            self.move(_moved_inside(self.frameGeometry(), free).topLeft())

    def _stack_buttons(self, room: int) -> None:
        """Put the buttons below each other where a row of them is wider than the screen."""
        layout = self.layout()
        sides = layout.contentsMargins().left() + layout.contentsMargins().right() if layout is not None else 0
        shown = [item.widget() for item in (self.buttons.itemAt(at) for at in range(self.buttons.count())) if item]
        widths = [one.minimumSizeHint().width() for one in shown if one is not None and one.isVisibleTo(self)]
        row = sum(widths) + self.buttons.spacing() * max(len(widths) - 1, 0)
        direction = QBoxLayout.Direction.TopToBottom if row > room - sides else QBoxLayout.Direction.LeftToRight
        if direction is not self.buttons.direction():
            self.buttons.setDirection(direction)

    def _center(self, free: QRect) -> None:
        """Center the dialog on its window, inside the screen's free area."""
        parent = self.parentWidget()
        around = parent.window().frameGeometry() if parent is not None and parent.isVisible() else free
        frame = self.frameGeometry()
        frame.moveCenter(around.center())
        self.move(_moved_inside(frame, free).topLeft())

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


def free_area(widget: QWidget) -> QRect:
    """Return the area of the widget's screen that panels and docks leave free."""
    return widget.screen().availableGeometry()


def _moved_inside(frame: QRect, free: QRect) -> QRect:
    """Return a window's frame, moved as little as needed to lie inside an area with the title bar visible."""
    moved = QRect(frame)
    moved.moveRight(min(moved.right(), free.right()))
    moved.moveBottom(min(moved.bottom(), free.bottom()))
    moved.moveLeft(max(moved.left(), free.left()))
    moved.moveTop(max(moved.top(), free.top()))
    return moved


def with_texts_below(field: QWidget, *below: QWidget) -> QWidget:
    """Group a field closely with the texts that explain it."""
    both = QWidget()
    column(both, spacing=3).addWidget(field)
    for one in below:
        both.layout().addWidget(one)  # type: ignore[union-attr]
    return both
