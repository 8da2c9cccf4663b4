"""Row of the work in progress, above the sidebar's foot."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget
from shiboken6 import isValid

from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.models.work import Work, WorkList
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import label, without_mnemonics
from toolnote_desktop.desktop.widgets.controls import IconButton, Menu


class WorkRow(QWidget):
    """One line for all work: its words and *Cancel*, or how much is in progress and a menu of it."""

    def __init__(self) -> None:
        super().__init__()
        self._work: WorkList | None = None
        self.setAccessibleName(self.tr("In progress"))
        self.dot = Dot(Mark.WAITING)
        self.words = label("", "small")
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.cancel_button = IconButton("close", self.tr("Cancel"), pressed=self._cancel)
        self.more_button = IconButton("more", self.tr("What is in progress"), pressed=self._open_menu)
        self.menu = Menu(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 4, 12, 4)
        row.setSpacing(8)
        row.addWidget(self.dot)
        row.addWidget(self.words, 1)
        row.addWidget(self.cancel_button)
        row.addWidget(self.more_button)
        self.hide()

    def follow(self, work: WorkList) -> None:
        """Show this list."""
        self._work = work
        work.changed.connect(self._show)
        self._show()

    @property
    def _items(self) -> tuple[Work, ...]:
        return self._work.items if self._work is not None else ()

    def _show(self) -> None:
        if not isValid(self.words):
            return  # work is canceled with the window that is closed
        items = self._items
        self.setVisible(bool(items))
        single = items[0] if len(items) == 1 else None
        self.cancel_button.setVisible(single is not None and single.cancel is not None)
        self.more_button.setVisible(len(items) > 1)
        if items:
            text = f"{single.words}…" if single is not None else self.tr("%n things in progress", "", len(items))
            self.words.setText(text)
            self.words.setToolTip("" if single is None else without_mnemonics(text))
        if single is not None:
            self.cancel_button.setAccessibleName(self.tr("Cancel: {what}").format(what=single.title))

    def _cancel(self) -> None:
        items = self._items
        if items and items[0].cancel is not None:
            items[0].cancel()

    def _open_menu(self) -> None:
        self.menu.clear()
        for one in self._items:
            heading = QAction(without_mnemonics(one.words), self.menu, enabled=False)
            self.menu.addAction(heading)
            if one.cancel is not None:
                self.menu.addAction(self.tr("Cancel"), one.cancel)
        self.more_button.open_menu(self.menu)
