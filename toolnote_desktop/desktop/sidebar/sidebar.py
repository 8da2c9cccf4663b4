"""Sidebar: the search, the places of the window by the user's objects, and the app's own state at its foot."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeySequence, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStyle, QWidget

from toolnote_desktop.desktop.models.library_rows import (
    ASSISTANTS,
    NEW_ASSISTANT,
    NEW_SOURCE,
    NEW_TOOLSET,
    SOURCES,
    TOOLSETS,
    Kind,
    Mark,
    RowKey,
)
from toolnote_desktop.desktop.models.library_tree import LibraryTree
from toolnote_desktop.desktop.models.needs_you import Assistant
from toolnote_desktop.desktop.sidebar.view import SidebarView
from toolnote_desktop.desktop.sidebar.work_row import WorkRow
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.desktop.theme.icons import draw_icon
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import column, hairline, side_ground
from toolnote_desktop.desktop.widgets.controls import IconButton, PaintedButton, control_height, paint_focus
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot


class SearchButton(PaintedButton):
    """Field that opens the search, with its keys at the end."""

    def __init__(self, text: str, keys: str) -> None:
        super().__init__(text)
        self.setText(text)
        self._keys = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(200, control_height())

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = self.rect()
        painter.setBrush(QColor(scheme.hover if self.underMouse() else scheme.card))
        painter.setPen(QPen(QColor(scheme.field), 1))
        painter.drawRoundedRect(whole.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 7.5, 7.5)
        if self._ring:
            paint_focus(painter, whole.toRectF(), scheme, 8)

        def place(left: int, width: int) -> QRect:
            return QStyle.visualRect(self.layoutDirection(), whole, QRect(left, 0, width, whole.height()))

        draw_icon(painter, "search", place(9, 16), QColor(scheme.dim))
        painter.setPen(QColor(scheme.dim))
        painter.setFont(style_font("text"))
        aligned = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place(33, whole.width() - 60), aligned, self.text())
        font = style_font("second")
        width = QFontMetrics(font).horizontalAdvance(self._keys) + 1
        if whole.width() > 33 + QFontMetrics(style_font("text")).horizontalAdvance(self.text()) + width + 20:
            painter.setFont(font)
            painter.drawText(place(whole.width() - 9 - width, width), aligned, self._keys)


class StateButton(PaintedButton):
    """The app's own state with a chevron; pressing it opens a menu."""

    def sizeHint(self) -> QSize:
        return QSize(
            QFontMetrics(style_font("text")).horizontalAdvance(self.text()) + 4 + 12 + 9, round(28 * text_scale())
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        self._paint_ground(painter, scheme)
        whole = self.rect()
        text = QFontMetrics(style_font("text")).elidedText(self.text(), Qt.TextElideMode.ElideRight, whole.width() - 24)
        painter.setPen(QColor(scheme.text))
        painter.setFont(style_font("text"))
        width = QFontMetrics(style_font("text")).horizontalAdvance(text) + 1
        shown = QStyle.visualRect(self.layoutDirection(), whole, QRect(4, 0, width, whole.height()))
        painter.drawText(shown, Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter, text)
        place = QStyle.visualRect(self.layoutDirection(), whole, QRect(8 + width, 0, 12, whole.height()))
        draw_icon(painter, "down", place, QColor(scheme.dim), 12)


class Sidebar(QWidget):
    """Search button, tree and foot.

    Signals:
        chosen: the ``RowKey`` that the user selected.
        opened: the ``RowKey`` activated with Enter or a double click.
        selected_changed: another row is selected, by the user or the program: a ``RowKey`` or None.
        search_requested, menu_requested, settings_requested: a button was pressed.
        add_tools_requested, connect_requested, new_toolset_requested: the + of a group was pressed.
    """

    chosen = Signal(object)
    opened = Signal(object)
    selected_changed = Signal(object)
    search_requested = Signal()
    menu_requested = Signal()
    settings_requested = Signal()
    add_tools_requested = Signal()
    connect_requested = Signal()
    new_toolset_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        side_ground(self)
        self._tree = LibraryTree(self)
        self._selected: RowKey | None = None
        self._state: tuple[Snapshot, Sequence[Assistant], int] | None = None
        self._recent: tuple[ToolKey, ...] = ()
        self._is_running = True
        self.search_button = SearchButton(self.tr("Search"), "Ctrl+K")
        self.search_button.clicked.connect(lambda _on: self.search_requested.emit())
        self.view = SidebarView(self._tree)
        self.work = WorkRow()
        self.state_dot = Dot(Mark.WAITING)
        self.state_button = StateButton("")
        self.state_button.clicked.connect(lambda _on: self.menu_requested.emit())
        self.settings_button = IconButton("settings", self.tr("Settings"), pressed=self.settings_requested.emit)
        self._lay_out()
        self.setFocusProxy(self.view)
        self.view.chosen.connect(self._choose)
        self.view.activated_key.connect(self.opened)
        self.view.added.connect(self._add)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(12, 12, 12, 8)
        top.addWidget(self.search_button)
        line = hairline()
        foot = QHBoxLayout()
        foot.setContentsMargins(20, 9, 12, 10)
        foot.setSpacing(4)
        foot.addWidget(self.state_dot)
        foot.addWidget(self.state_button)
        foot.addStretch(1)
        foot.addWidget(self.settings_button)
        whole = column(self, spacing=0)
        whole.addLayout(top)
        whole.addWidget(self.view, 1)
        whole.addWidget(self.work)
        whole.addWidget(line)
        whole.addLayout(foot)

    def show_state(
        self, snapshot: Snapshot, assistants: Sequence[Assistant] = (), needs: int = 0, *, is_running: bool = True
    ) -> None:
        """Show another state of the library; the selected row stays selected."""
        self._state = (snapshot, assistants, needs)
        self._is_running = is_running
        self._show()

    def show_recent(self, tools: Sequence[ToolKey]) -> None:
        """Show tools with recent calls below their sources, the newest first."""
        if tuple(tools) != self._recent:
            self._recent = tuple(tools)
            self._show()

    def _show(self) -> None:
        if self._state is None:
            return
        with self.view.selection_kept():
            self._show_rows()
            if self.view.current_key() != self._row() and self._may_move():
                self.view.choose(self._row())

    def show_own_state(self, mark: Mark, text: str) -> None:
        """Show the app's own state at the foot."""
        self.state_dot.show_mark(mark)
        self.state_button.setText(text)
        self.state_button.setAccessibleName(text)
        self.state_button.updateGeometry()

    @property
    def selected(self) -> RowKey | None:
        """Place that the window shows."""
        return self._selected

    def holds(self, key: RowKey) -> bool:
        """Return True if a place has a row."""
        return self._tree.find(key).isValid()

    def select(self, key: RowKey | None) -> None:
        """Select the row of a place."""
        self._selected = key
        if self._state is not None:
            with self.view.selection_kept():
                self._show_rows()
        self.view.choose(self._row())
        self.selected_changed.emit(key)

    def _show_rows(self) -> None:
        if self._state is not None:
            self._tree.show(*self._state, self._selected, recent=self._recent, is_running=self._is_running)

    def _row(self) -> RowKey | None:
        """Return the row of the selected place that is in the tree."""
        key = self._selected
        if key is None or self.holds(key):
            return key
        if self.holds(key.row):
            return key.row
        source = RowKey(Kind.SERVER, key.owner)
        return source if self.holds(source) else None

    def _may_move(self) -> bool:
        """True if the current row has a page; a group's row may keep the focus."""
        current = self.view.current_key()
        return current is None or current.is_page

    def _choose(self, key: RowKey) -> None:
        self.chosen.emit(key)

    def _add(self, key: RowKey) -> None:
        if key in (ASSISTANTS, NEW_ASSISTANT):
            self.connect_requested.emit()
        elif key in (TOOLSETS, NEW_TOOLSET):
            self.new_toolset_requested.emit()
        elif key in (SOURCES, NEW_SOURCE):
            self.add_tools_requested.emit()
