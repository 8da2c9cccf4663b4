"""Search over the window (Ctrl+K): a field with its results, over a veil."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, cast

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from shiboken6 import isValid

from toolnote_desktop.desktop.models.library_rows import RowKey
from toolnote_desktop.desktop.models.needs_you import Assistant
from toolnote_desktop.desktop.models.search_results import Entry, SearchResults, SearchRole
from toolnote_desktop.desktop.theme.colours import Colours, colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.desktop.theme.icons import IconName, draw_icon
from toolnote_desktop.desktop.widgets.alert import announce
from toolnote_desktop.desktop.widgets.basics import column, hairline, label
from toolnote_desktop.desktop.widgets.controls import IconButton, control_height
from toolnote_desktop.desktop.window.frame import Veil
from toolnote_desktop.model.snapshot import Snapshot

AnyIndex = QModelIndex | QPersistentModelIndex
WIDTH: Final = 640
_MOVES: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_State = QStyle.StateFlag


class Search(QObject):
    """Opens the search of one window and runs what is chosen."""

    def __init__(self, window: QWidget, go: Callable[[RowKey], object], use_toolset: Callable[[str], object]) -> None:
        super().__init__(window)
        self._window = window
        self._go = go
        self._use_toolset = use_toolset
        self.panel: SearchPanel | None = None

    def open(
        self,
        snapshot: Snapshot,
        actions: Iterable[QAction],
        recent: Iterable[RowKey] = (),
        assistants: Sequence[Assistant] = (),
        more: Iterable[Entry] = (),
        settings: Iterable[Entry] = (),
    ) -> None:
        """Open the search with the available actions; ``more`` are actions that only the window knows."""
        if self.panel is not None and isValid(self.panel) and self.panel.isVisible():
            self.panel.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        offered = (action for action in actions if action.isEnabled() and action.isVisible())
        entries = [
            *(Entry(_words(one), "", one.trigger, _keys(one), "arrow") for one in offered),
            *more,
            *self._toolsets_to_use(snapshot),
        ]
        results = SearchResults(snapshot, assistants, entries, recent, settings)
        self.panel = SearchPanel(results, self._window)
        self.panel.chosen.connect(self._choose)
        self.panel.open()

    def _toolsets_to_use(self, snapshot: Snapshot) -> list[Entry]:
        text = self.tr("Make {toolset} the default toolset")
        return [
            Entry(text.format(toolset=toolset.title), "", partial(self._use_toolset, name), icon="arrow")
            for name, toolset in snapshot.toolsets.items()
            if name != snapshot.settings.equipped_toolset
        ]

    def _choose(self, target: object) -> None:
        if isinstance(target, RowKey):
            self._go(target)
        elif callable(target):
            target()


class SearchPanel(QWidget):
    """Field above its results; the focus stays in the field while the arrow keys move through the results.

    Signals:
        chosen: the target of the entry.
    """

    chosen = Signal(object)

    def __init__(self, results: SearchResults, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._before: QWidget | None = None
        self.setAccessibleName(self.tr("Search"))
        self.veil = Veil(self)
        self.veil.pressed.connect(self.dismiss)
        self.box = QFrame(self)
        self.box.setProperty("kind", "toast")
        self.model = results
        results.setParent(self)
        self.field = QLineEdit()
        self.field.setProperty("kind", "bare")
        self.field.setPlaceholderText(self.tr("Search"))
        self.field.setAccessibleName(self.tr("Search"))
        self.field.setAccessibleDescription(self.tr("Enter opens, ↑ ↓ move, Esc closes"))
        self.close_button = IconButton("close", self.tr("Close"), pressed=self.dismiss)
        self.list = QListView()
        self.list.setModel(results)
        self.list.setItemDelegate(SearchDelegate(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(self.tr("Results"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.viewport().setAutoFillBackground(False)
        self.nothing = label("", "second", wraps=True)
        self.nothing.setContentsMargins(16, 12, 16, 12)
        self._lay_out()
        self.field.installEventFilter(self)
        window.installEventFilter(self)
        self.field.textChanged.connect(self._search)
        self.list.clicked.connect(self._choose)
        self._search("")

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 9, 8)
        head.setSpacing(12)
        head.addWidget(_SearchIcon())
        head.addWidget(self.field, 1)
        head.addWidget(self.close_button)
        foot = label(self.tr("Enter opens, ↑ ↓ move, Esc closes"), "small")
        foot.setContentsMargins(16, 8, 16, 8)
        whole = column(self.box, (1, 1, 1, 1), 0)
        whole.addLayout(head)
        whole.addWidget(hairline())
        whole.addWidget(self.list)
        whole.addWidget(self.nothing)
        whole.addWidget(hairline())
        whole.addWidget(foot)

    def open(self) -> None:
        """Show the search over the window, with the focus in its field."""
        self._before = QApplication.focusWidget()
        self._place()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def dismiss(self) -> None:
        """Close the search; the focus goes back to where it was."""
        before = self._before
        self._window.removeEventFilter(self)
        self.hide()
        self.deleteLater()
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass keys to the list, and stay over the window (Qt)."""
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._place()
        if watched is self.field and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _MOVES:
                self._move(event)
                return True
            if event.key() in _ENTER:
                self._choose(self.list.currentIndex())
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.dismiss()
                return True
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                return True  # the window behind the veil is out of reach
        return super().eventFilter(watched, event)

    def _move(self, event: QKeyEvent) -> None:
        self.list.keyPressEvent(event)
        announce(self.list, str(self.list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole) or ""))

    def _search(self, text: str) -> None:
        self.model.search(text)
        found = self.model.first.isValid()
        self.list.setVisible(found)
        self.nothing.setVisible(not found)
        if found:
            self.list.setCurrentIndex(self.model.first)
        elif text.strip():
            self.nothing.setText(self.tr("No results for “{words}”.").format(words=text.strip()))
            announce(self.field, self.nothing.text())
        else:
            self.nothing.setText(
                self.tr("Tools, notes, parameters, assistants, toolsets, tool sources, settings and actions.")
            )
        self._place()

    def _place(self) -> None:
        self.setGeometry(self._window.rect())
        self.veil.setGeometry(self.rect())
        width = min(round(WIDTH * min(text_scale(), 1.4)), self.width() - 32)
        top = min(64, self.height() // 8)
        rows = sum(self.list.sizeHintForRow(row) for row in range(min(self.model.rowCount(), 60)))
        room = self.height() - top - 32 - 2 * control_height() - 40
        self.list.setFixedHeight(max(40, min(rows + 8, room, round(420 * text_scale()))))
        self.box.setFixedWidth(width)
        self.box.adjustSize()
        self.box.move((self.width() - width) // 2, top)

    def _choose(self, index: QModelIndex) -> None:
        entry = self.model.entry_at(index)
        if entry is not None and entry.target is not None:
            self.dismiss()
            self.chosen.emit(entry.target)


class SearchDelegate(QStyledItemDelegate):
    """Paint results: icon, name and words with what was found in the accent, and the right column."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        entry: Entry = index.data(SearchRole.ENTRY)
        return QSize(200, round((32 if entry.target is None else 36) * text_scale()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        option_: Any = option  # PySide's stubs leave out the fields of style options
        entry: Entry = index.data(SearchRole.ENTRY)
        rect: QRect = option_.rect
        scheme = colours(option_.palette)
        direction: Qt.LayoutDirection = option_.direction

        def place(left: int, width: int) -> QRect:
            return QStyle.visualRect(direction, rect, QRect(rect.left() + left, rect.top(), width, rect.height()))

        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        aligned = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        if entry.target is None:
            painter.setFont(style_font("group"))
            painter.setPen(QColor(scheme.dim))
            painter.drawText(place(16, rect.width() - 32).adjusted(0, 6, 0, 0), aligned, entry.text)
            painter.restore()
            return
        if option_.state & (_State.State_Selected | _State.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            is_current = bool(option_.state & _State.State_Selected)
            if is_current and scheme.is_high_contrast:
                painter.setPen(QColor(scheme.accent))
            painter.setBrush(QColor(scheme.accent_ground if is_current else scheme.hover))
            painter.drawRoundedRect(rect.adjusted(8, 0, -8, -1), 6, 6)
        if entry.icon:
            draw_icon(painter, cast(IconName, entry.icon), place(16, 16), QColor(scheme.dim))
        end = rect.width() - 16
        small = style_font("second")
        if entry.right:
            width = QFontMetrics(small).horizontalAdvance(entry.right) + 1
            painter.setFont(small)
            painter.setPen(QColor(scheme.dim))
            painter.drawText(place(end - width, width), aligned, entry.right)
            end -= width + 16
        left = 44
        text = style_font("text")
        left += _draw_marked(painter, entry.text, entry.marks, place, left, end - left, text, scheme.text, scheme) + 12
        if entry.second and end - left > 30:
            _draw_marked(painter, entry.second, entry.second_marks, place, left, end - left, text, scheme.dim, scheme)
        painter.restore()


def _draw_marked(
    painter: QPainter,
    text: str,
    marks: Sequence[tuple[int, int]],
    place: Callable[[int, int], QRect],
    left: int,
    room: int,
    font: QFont,
    colour: str,
    scheme: Colours,
) -> int:
    """Draw a text with its marks semi-bold in the accent; return its width."""
    bold = style_font("head")
    shown = QFontMetrics(bold if marks else font).elidedText(text, Qt.TextElideMode.ElideRight, room)
    layout = QTextLayout(shown, font)  # keeps a text together whose direction is not the window's
    ranges = []
    for start, length in marks:
        if start + length <= len(shown):
            one = QTextLayout.FormatRange()
            one.start, one.length = start, length
            one.format.setFont(bold)
            one.format.setForeground(QColor(scheme.accent))
            ranges.append(one)
    layout.setFormats(ranges)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(10_000)
    layout.endLayout()
    width = math.ceil(line.naturalTextWidth())
    rect = place(left, width)
    painter.setPen(QColor(colour))
    line.setPosition(QPointF(-line.naturalTextRect().left(), 0))
    layout.draw(painter, QPointF(rect.left(), rect.top() + (rect.height() - line.height()) / 2))
    return width


class _SearchIcon(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(16, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        draw_icon(QPainter(self), "search", self.rect(), QColor(colours(self.palette()).dim))


def _words(action: QAction) -> str:
    return action.text().replace("&&", "&")


def _keys(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ")
