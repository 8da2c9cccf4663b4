"""Dialog of the command palette: search over tools, toolsets, sources and actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QListView, QWidget

from toolnote_desktop.desktop.models.palette_entries import Entry, PaletteEntries
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.widgets.announce import announce
from toolnote_desktop.desktop.widgets.basics import label
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.row_delegate import RowDelegate, row_height

ROWS: Final = 11
_MOVES: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PaletteDialog(Dialog):
    """Search field above its results; the focus stays in the field while the arrow keys move through the results.

    Signals:
        chosen: the target of the entry: a ``RowKey``, or the name of an action.
    """

    chosen = Signal(object)

    def __init__(self, entries: Iterable[Entry], parent: QWidget | None, hint: str = "") -> None:
        """``hint``: placeholder text of the field."""
        super().__init__(parent)
        self.setObjectName("palette")
        self.setWindowTitle(self.tr("Go to"))
        self.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        self.title.hide()
        self.lead.hide()
        layout = self.layout()
        if layout is not None:
            layout.setContentsMargins(12, 12, 12, 10)
        self.field = QLineEdit()
        self.field.setPlaceholderText(hint or self.tr("Go to a tool, or do something"))
        self.field.setAccessibleName(self.field.placeholderText())
        self.field.setAccessibleDescription(self.tr("Arrows move through what is found, Enter takes it."))
        self.model = PaletteEntries(entries, self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(RowDelegate(self.list, flat=True))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(self.tr("What is found"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.viewport().setAutoFillBackground(False)
        self.list.setFixedHeight(ROWS * row_height() + 4)
        self.nothing = label(self.tr("Nothing is called that."), "second", wraps=True)
        self.nothing.setFixedHeight(ROWS * row_height() + 4)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        self.nothing.setContentsMargins(10, 8, 0, 0)
        self.nothing.hide()
        self.body.setSpacing(8)
        for widget in (self.field, self.list, self.nothing):
            self.body.addWidget(widget)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._search)
        self.list.clicked.connect(self._choose)
        self.list.setCurrentIndex(self.model.index(0))
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._place(parent)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass keys to the list (Qt)."""
        if watched is self.field and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _MOVES:
                self.list.keyPressEvent(event)
                self._announce_current()
                return True
            if event.key() in _ENTER:
                self._choose(self.list.currentIndex())
                return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(QColor(colours(self.palette()).edge))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))  # a frameless window

    def _place(self, parent: QWidget | None) -> None:
        """Move to the upper middle of the window."""
        width = 560
        if parent is not None:
            width = min(width, parent.width() - 40)
            top = parent.mapToGlobal(parent.rect().topLeft())
            self.move(top.x() + (parent.width() - width) // 2, top.y() + 90)
        self.setFixedWidth(width)

    def _search(self, text: str) -> None:
        self.model.search(text)
        found = self.model.rowCount() > 0
        self.list.setVisible(found)
        self.nothing.setVisible(not found)
        if found:
            self.list.setCurrentIndex(self.model.index(0))
            self._announce_current()
        else:
            announce(self.field, self.nothing.text())

    def _announce_current(self) -> None:
        announce(self.list, str(self.list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole) or ""))

    def _choose(self, index: QModelIndex) -> None:
        entry = self.model.entry_at(index)
        if entry is not None:
            self.accept()
            self.chosen.emit(entry.target)
