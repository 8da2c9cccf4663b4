"""Parts of a dialog under headings, in one scrolled column that is as high as its content, up to a limit."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import label

MOST_HEIGHT = 420
"""Pixels at the usual text size; higher content is scrolled."""

ROOM_FOR_THE_REST = 330
"""Pixels of the screen's height, at the usual text size, reserved for the rest of a dialog."""


class Sections(QScrollArea):
    """Column of widgets, each under a heading if there are several or ``headed``."""

    def __init__(self, parent: QWidget | None = None, *, headed: bool = False) -> None:
        super().__init__(parent)
        self._headed = headed
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._sections: list[tuple[QLabel, QWidget]] = []
        self._inner = QWidget()
        self._column = QVBoxLayout(self._inner)
        self._column.setContentsMargins(0, 0, 8, 0)
        self._column.setSpacing(8)
        self._column.addStretch(1)
        self.setWidget(self._inner)

    def add(self, heading: str, widget: QWidget) -> None:
        """Append a part, hidden until :meth:`show_part`."""
        head = label(heading, "section")
        widget.setAccessibleName(heading)
        for one in (head, widget):
            self._column.insertWidget(self._column.count() - 1, one)
            one.hide()
        self._sections.append((head, widget))

    def show_part(self, widget: QWidget, shown: bool) -> None:
        """Show or hide a part; headings appear only if several parts are visible."""
        widget.setVisible(shown)
        visible = [one for _, one in self._sections if one.isVisibleTo(self._inner)]
        for head, one in self._sections:
            head.setVisible((self._headed or len(visible) > 1) and one in visible)
        self.setVisible(bool(visible))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to the lines at the new width."""
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the height when the content's layout changes."""
        handled = super().eventFilter(watched, event)
        if watched is self._inner and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return handled

    def _fit(self) -> None:
        height = max(self._column.heightForWidth(self.viewport().width()), self._column.minimumSize().height())
        room = self.screen().availableGeometry().height() - round(ROOM_FOR_THE_REST * text_scale())
        self.setFixedHeight(min(max(height, 40), round(MOST_HEIGHT * text_scale()), max(room, 160)))
