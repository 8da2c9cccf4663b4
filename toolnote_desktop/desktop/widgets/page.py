"""Base of the pages in the middle: a title, a line below it, and scrolled content with margins."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.banner import Banner, Notice
from toolnote_desktop.desktop.widgets.basics import column, empty, label
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout

SIDE_MARGIN = 28
NARROWEST = 420
"""Pixels below which the title has its line to itself."""
WIDEST = 820
"""Maximum width in pixels; longer lines are hard to read."""


class _Controls(FlowLayout):
    """Controls beside the title, on one line; below it and wrapped where the title would be squeezed."""

    wraps = False

    def minimumSize(self) -> QSize:
        return super().minimumSize() if self.wraps else self.sizeHint()


class Page(QScrollArea):
    """Scrolling page.

    Signals:
        go: the ``RowKey`` to show instead of this page.
    """

    go = Signal(object)

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
        outer = QHBoxLayout(inner)
        outer.setContentsMargins(SIDE_MARGIN, 22, SIDE_MARGIN, 24)
        held = QWidget()
        held.setMaximumWidth(WIDEST)
        outer.addStretch(0)  # in the middle of a wide window
        outer.addWidget(held, 1)
        outer.addStretch(0)
        self.body = column(held, spacing=0)
        self.body.addLayout(self.top)
        self._notices: list[Notice] = []
        self.banners = QVBoxLayout()
        self.banners.setSpacing(8)
        self.body.addLayout(self.banners)
        self.setWidget(inner)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stack(is_narrow=event.size().width() < NARROWEST * text_scale())

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
