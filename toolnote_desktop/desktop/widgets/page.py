"""Base of the pages: a title with controls, a line below it, scrolled content, and what the frame shows of a page.

The frame (``desktop/window/frame.py``) shows a page's crumbs and menu in the top bar, its inspector beside it and its
foot pinned below it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from toolnote_desktop.desktop.models.library_rows import RowKey
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import line_height, text_scale
from toolnote_desktop.desktop.widgets.banner import Banner, Notice
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label, side_ground
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout

SIDE_MARGIN = 40
NARROW_MARGIN = 24
NARROWEST = 420
"""Pixels below which the title has its line to itself."""
WIDEST = 1_020
"""Maximum width of the content in pixels; longer lines are hard to read."""
BLEED = 8
"""Pixels that the ground of a table's row goes beyond the content on both sides (:meth:`Page.add_table`)."""
INSPECTOR_WIDTH = 280
_INSPECTOR_MARGIN = 20
FOOT_HEIGHT = 64


class Width(IntEnum):
    """Width of the window in logical pixels, so that it is the same rule at each scale.

    From ``WIDE`` the inspector is a column, below it opens over the page; below ``MEDIUM`` the sidebar is a drawer;
    below ``NARROW`` controls beside the title get a row of their own and the rows of tables are stacked.
    """

    SMALL = 0
    NARROW = 700
    MEDIUM = 900
    WIDE = 1_180

    @classmethod
    def of(cls, pixels: int) -> Width:
        """Return the class of a width in pixels."""
        return max(one for one in cls if pixels >= one)


def page_margin(width: Width) -> int:
    """Return the pixels between a page's content and its edges."""
    return SIDE_MARGIN if width >= Width.MEDIUM else NARROW_MARGIN


class Crumb(Struct, frozen=True):
    """Entry of the trail in the top bar: its text, and the place that it opens."""

    text: str
    place: RowKey | None = None


class _Controls(FlowLayout):
    """Controls beside the title, on one line; below it and wrapped where the title would be squeezed."""

    wraps = False

    def minimumSize(self) -> QSize:
        return super().minimumSize() if self.wraps else self.sizeHint()


class Page(QScrollArea):
    """Scrolling page.

    A subclass overrides :meth:`crumbs`, :meth:`inspector`, :meth:`foot`, :meth:`fill_menu` and :meth:`filter_field`
    for what it has of each, and emits ``chrome_changed`` when one of them has changed.

    Attributes:
        is_alone: True if the page has the whole window, without sidebar and top bar.
        takes_details: True if the page shows its inspector itself, as the tab *Details*, below ``Width.MEDIUM``.

    Signals:
        place_requested: the ``RowKey`` to show instead of this page.
        chrome_changed: crumbs, menu, inspector or foot have changed.
        inspector_requested: the inspector is to be shown (True) or hidden, where the frame has it.
        said: ``(text, undoable)``: a sentence for the toast; ``undoable``: with an Undo of the last step.
    """

    place_requested = Signal(object)
    chrome_changed = Signal()
    inspector_requested = Signal(bool)
    said = Signal(str, bool)
    takes_details = False
    has_menu = False
    is_alone = False

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)
        self.viewport().setAutoFillBackground(False)
        self.title = label("", "title", wraps=True, can_be_copied=True)
        self.second = label("", "second", wraps=True)
        self.title.setMinimumHeight(line_height("title"))
        self.second.setMinimumHeight(line_height("text"))
        self.top = QHBoxLayout()
        self.top.setSpacing(12)
        self.titles = QVBoxLayout()
        self.titles.setSpacing(2)
        self.titles.addWidget(self.title)
        self.titles.addWidget(self.second)
        self.top.addLayout(self.titles, 1)
        self.controls = _Controls(spacing=12)
        self.top.addLayout(self.controls)
        inner = QWidget()
        inner.setAutoFillBackground(False)
        self.width_class = Width.WIDE
        self.beside: QWidget | None = None
        """Inspector of a page that does not override :meth:`inspector`."""
        self._outer = outer = QHBoxLayout(inner)
        outer.setContentsMargins(SIDE_MARGIN - BLEED, 8, SIDE_MARGIN - BLEED, 40)
        held = QWidget()
        held.setMaximumWidth(WIDEST + 2 * BLEED)
        outer.addStretch(0)  # in the middle of a wide window
        outer.addWidget(held, 1)
        outer.addStretch(0)
        self._blocks = column(held, spacing=0)
        self.body = self._add_body()
        self.body.addLayout(self.top)
        self._notices: list[Notice] = []
        self.banners = QVBoxLayout()
        self.banners.setSpacing(8)
        self.body.addLayout(self.banners)
        self.setWidget(inner)
        self.verticalScrollBar().rangeChanged.connect(self._set_margins)

    # --- what the frame shows of a page

    def crumbs(self) -> Sequence[Crumb]:
        """Return the trail above the title, without the page itself."""
        return ()

    def inspector(self) -> QWidget | None:
        """Return the panel beside the page (F9), the same one until ``chrome_changed``; None: it has none."""
        return self.beside

    def foot(self) -> QWidget | None:
        """Return the bar pinned below the page, such as the buttons of a form; None: it has none."""
        return None

    def fill_menu(self, menu: QMenu) -> None:
        """Add the page's actions to the menu ⋯ of the top bar, which is shown if ``has_menu``."""

    def filter_field(self) -> QWidget | None:
        """Return the field that filters this page (Ctrl+F)."""
        return None

    def entrance(self) -> QWidget | None:
        """Return the control that has the focus when the keyboard comes to the page (F6); None: its first one."""
        return None

    def leave(self) -> None:
        """Submit what is being typed, because another page is shown."""

    def flush(self) -> None:
        """Submit what is being typed and keep the focus."""

    def stop(self) -> None:
        """Stop timers and updates, because the window closes."""

    def set_width_class(self, width: Width) -> None:
        """Arrange the page for another width of the window."""
        self.width_class = width
        self._set_margins()
        self._stack_if_narrow()

    def _set_margins(self) -> None:
        """Set the margins; the scroll bar takes its room from one of them, and moves nothing."""
        margin = page_margin(self.width_class) - BLEED
        bar = self.verticalScrollBar()
        end = margin - (bar.sizeHint().width() if bar.maximum() > 0 else 0)
        mirrored = self.isRightToLeft()
        self._outer.setContentsMargins(end if mirrored else margin, 8, margin if mirrored else end, 40)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stack_if_narrow()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """End writing with a press beside what is written in."""
        focus = QApplication.focusWidget()
        if isinstance(focus, QTextEdit | QLineEdit) and self.isAncestorOf(focus):
            focus.clearFocus()
        super().mousePressEvent(event)

    def _stack_if_narrow(self) -> None:
        small = self.width_class is Width.SMALL
        self._stack(is_narrow=small or self.viewport().width() < NARROWEST * text_scale())

    def _stack(self, *, is_narrow: bool) -> None:
        direction = QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        if direction is not self.top.direction():
            self.controls.wraps = is_narrow
            self.controls.invalidate()
            self.top.setDirection(direction)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Show a text below the title."""
        return tuple(self._notices)

    def show_notices(self, notices: list[Notice]) -> None:
        """Show these lines below the title; unchanged ones keep their widgets."""
        if notices == self._notices:
            return
        self._notices = notices
        empty(self.banners)
        if notices:
            self.banners.addSpacing(14)
        for notice in notices:
            self.banners.addWidget(Banner(notice))

    def add_section(self, text: str, gap: int = 24) -> None:
        """Add a heading."""
        self.body.addSpacing(gap)
        self.body.addWidget(label(text, "section"))
        self.body.addSpacing(8)

    def _add_body(self) -> QVBoxLayout:
        body = QVBoxLayout()
        body.setContentsMargins(BLEED, 0, BLEED, 0)
        body.setSpacing(0)
        self._blocks.addLayout(body)
        return body

    def add_table(self, table: QWidget) -> None:
        """Add a widget that goes ``BLEED`` pixels beyond the content on both sides; ``body`` goes on below it."""
        self._blocks.addWidget(table)
        self.body = self._add_body()

    def show_row(self, table: QWidget, row: QRect) -> None:
        """Scroll to a row of a table that is as high as its rows."""
        content = self.widget()
        if content is None:
            return
        top = table.mapTo(content, row.topLeft()).y()
        self.ensureVisible(0, top + row.height() // 2, 0, row.height())


class Foot(QWidget):
    """Bar pinned below a page, its content in line with the page's.

    Attributes:
        row: layout of the buttons.
    """

    def __init__(self, widest: int = WIDEST) -> None:
        super().__init__()
        side_ground(self)
        self.setMinimumHeight(round(FOOT_HEIGHT * text_scale()))
        self._outer = outer = QHBoxLayout(self)
        outer.setContentsMargins(SIDE_MARGIN, 1, SIDE_MARGIN, 0)
        held = QWidget()
        held.setMaximumWidth(round(widest * text_scale()))
        self.row = QHBoxLayout(held)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(8)
        outer.addStretch(0)
        outer.addWidget(held, 1)
        outer.addStretch(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        margin = page_margin(Width.of(self.window().width()))
        self._outer.setContentsMargins(margin, 1, margin, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        QPainter(self).fillRect(0, 0, self.width(), 1, QColor(colours(self.palette()).line))


class Inspector(QScrollArea):
    """Panel beside a page: sections of facts.

    Attributes:
        wanted_width: its width in pixels.
    """

    wanted_width = INSPECTOR_WIDTH

    def __init__(self, name: str) -> None:
        super().__init__()
        self._is_inline = False
        self.setAccessibleName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        inner = QWidget()
        inner.setAutoFillBackground(False)
        self.body = column(inner, (_INSPECTOR_MARGIN, 8, _INSPECTOR_MARGIN, 20), 0)
        self._rest = QWidget()
        self.body.addWidget(self._rest, 1)
        self.setWidget(inner)
        self.verticalScrollBar().rangeChanged.connect(self._set_margins)

    def set_inline(self, inline: bool) -> None:
        """Show all of it within a page that scrolls, in line with the page's edges; or let it scroll by itself."""
        if inline is self._is_inline:
            return
        self._is_inline = inline
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if inline else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)
        self._set_margins()
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as high as the content, within a page (Qt)."""
        if self._is_inline and event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        height = self.body.totalHeightForWidth(self.viewport().width()) if self._is_inline else 0
        self.setMinimumHeight(max(height, 0))

    def _set_margins(self) -> None:
        """Let the scroll bar take its room from the margin, so that it moves nothing."""
        bar = self.verticalScrollBar()
        if self._is_inline:
            self.body.setContentsMargins(0, 8, 0, 20)
            return
        end = _INSPECTOR_MARGIN - (bar.sizeHint().width() if bar.maximum() > 0 else 0)
        left, right = (end, _INSPECTOR_MARGIN) if self.isRightToLeft() else (_INSPECTOR_MARGIN, end)
        self.body.setContentsMargins(left, 8, right, 20)

    def add_section(self, text: str, action: str = "", pressed: Callable[[], object] | None = None) -> InspectorSection:
        """Add a section with a heading, and a link beside it where ``action`` is its text."""
        section = InspectorSection(text, action, pressed)
        self.body.insertWidget(self.body.count() - 1, section)
        return section


class _Fact(QWidget):
    """Name and value beside it, or below it where both do not fit into one line."""

    def __init__(self, name: str, value: QWidget) -> None:
        super().__init__()
        self._named, self._value = label(name, "second", wraps=True), value
        self._named.setMinimumHeight(round(28 * text_scale()))
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        self._row.addWidget(self._named, 1)
        self._row.addWidget(value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = self._named.fontMetrics().horizontalAdvance(self._named.text()) + 12 + self._value.sizeHint().width()
        is_stacked = wanted > self.width()
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if is_stacked else QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(0 if is_stacked else 8)
        self.setContentsMargins(0, 0, 0, 6 if is_stacked else 0)


class InspectorSection(QWidget):
    """Section of an inspector: a heading, and rows below it."""

    def __init__(self, text: str, action: str = "", pressed: Callable[[], object] | None = None) -> None:
        super().__init__()
        whole = column(self, (0, 0, 0, 20), 0)
        self.heading = label(text, "heading", wraps=True)
        self.heading.setMinimumHeight(round(32 * text_scale()))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.heading, 1)
        self.link: Button | None = None
        if action:
            self.link = Button(action, "link", name=f"{action}: {text}", pressed=pressed)
            head.addWidget(self.link)
        whole.addLayout(head)
        self.rows = QVBoxLayout()
        self.rows.setSpacing(0)
        whole.addLayout(self.rows)

    def add_fact(self, name: str, value: str | QWidget) -> QWidget:
        """Add a row of a name and its value; return the value's widget."""
        shown = label(value) if isinstance(value, str) else value
        shown.setSizePolicy(QSizePolicy.Policy.Maximum, shown.sizePolicy().verticalPolicy())
        self.rows.addWidget(_Fact(name, shown))
        return shown

    def clear(self) -> None:
        """Remove the rows."""
        empty(self.rows)
