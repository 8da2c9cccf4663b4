"""The three panes side by side; in a narrow window the second and third share a place as tabs."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QWidget

from toolnote_desktop.desktop.widgets.basics import Button, column

NARROW: Final = 1_000
"""Width in pixels below which notes and preview are tabs."""


class PaneSplitter(QWidget):
    """Library, notes and preview in splitters.

    Attributes:
        shows_preview: True if the preview is shown, or would be in a wider window.

    Signals:
        arranged: True if the preview is shown now.
    """

    arranged = Signal(bool)

    def __init__(self, library: QWidget, notes: QWidget, preview: QWidget, *, shows_preview: bool) -> None:
        super().__init__()
        self._notes = notes
        self._preview = preview
        self.is_narrow = False
        self.shows_preview = shows_preview
        self.tabs = QWidget()
        tab_row = QHBoxLayout(self.tabs)
        tab_row.setContentsMargins(28, 10, 20, 0)
        tab_row.setSpacing(8)
        self.notes_tab = Button(self.tr("Your notes"), "chip", pressed=lambda: self.show_tab(preview=False))
        self.preview_tab = Button(
            self.tr("What the assistant sees"), "chip", pressed=lambda: self.show_tab(preview=True)
        )
        for tab in (self.notes_tab, self.preview_tab):
            tab.setCheckable(True)
            tab_row.addWidget(tab)
        tab_row.addStretch(1)
        self.inner = QSplitter(Qt.Orientation.Horizontal)
        self.inner.addWidget(notes)
        self.inner.addWidget(preview)
        self.inner.setStretchFactor(0, 1)
        right = QWidget()
        right_column = column(right, spacing=0)
        right_column.addWidget(self.tabs)
        right_column.addWidget(self.inner, 1)
        self.outer = QSplitter(Qt.Orientation.Horizontal)
        self.outer.addWidget(library)
        self.outer.addWidget(right)
        self.outer.setStretchFactor(1, 1)
        for splitter in (self.outer, self.inner):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
        notes.setMinimumWidth(320)
        preview.setMinimumWidth(260)
        self.outer.setSizes([300, 1060])
        self.inner.setSizes([660, 400])
        column(self, spacing=0).addWidget(self.outer)

    def show_preview(self, shown: bool) -> None:
        """Show or hide the preview; in a narrow window it replaces the notes."""
        self.shows_preview = shown
        self.arrange()

    def show_tab(self, *, preview: bool) -> None:
        """Select the tab of the preview or of the notes, in a narrow window."""
        if self.is_narrow:
            self.show_preview(preview)

    def arrange(self) -> None:
        """Show both panes, or one of them in a narrow window."""
        self.tabs.setVisible(self.is_narrow)
        self._notes.setVisible(not self.is_narrow or not self.shows_preview)
        self._preview.setVisible(self.shows_preview)
        self.notes_tab.setChecked(not self.shows_preview)
        self.preview_tab.setChecked(self.shows_preview)
        self.arranged.emit(self.shows_preview)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = event.size().width() < NARROW
        if is_narrow != self.is_narrow:
            self.is_narrow = is_narrow
            self.shows_preview = not is_narrow
            self.arrange()
