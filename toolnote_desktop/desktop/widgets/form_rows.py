"""Rows of a form page: a caption beside its controls, hairlines between the rows."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import label

CAPTION_WIDTH: Final = 160


class FormRow(QWidget):
    """Row with a caption; its controls are in ``body``. ``line`` False: no hairline below it."""

    def __init__(self, caption: str, *, line: bool = True) -> None:
        super().__init__()
        self._line = line
        self.caption = label(caption, "heading", wraps=True)
        self.caption.setContentsMargins(*((12, 7, 0, 0) if self.isRightToLeft() else (0, 7, 12, 0)))
        self.body = QVBoxLayout()
        self.body.setSpacing(6)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 16, 0, 16)
        self._row.setSpacing(0)
        captions = QVBoxLayout()
        captions.addWidget(self.caption)
        captions.addStretch(1)
        self._row.addLayout(captions)
        self._row.addLayout(self.body, 1)
        self.set_narrow(False)

    def set_narrow(self, narrow: bool) -> None:
        """Put the caption above the controls where the window is narrow."""
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._row.setDirection(direction)
        self._row.setSpacing(6 if narrow else 0)
        if narrow:
            self.caption.setMinimumWidth(0)
            self.caption.setMaximumWidth(16_777_215)
        else:
            self.caption.setFixedWidth(round(CAPTION_WIDTH * text_scale()))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._line:
            painter = QPainter(self)
            painter.setPen(QColor(colours(self.palette()).line))
            painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
