"""Label that shows a command, address or value in full, as the user is to approve it."""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class FullTextLabel(QLabel):
    """Plain-text label that breaks lines anywhere and writes out invisible characters."""

    def __init__(self, text: str, kind: str = "", parent: QWidget | None = None) -> None:
        super().__init__(made_visible(text), parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if kind:
            self.setProperty("kind", kind)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_text(self, text: str) -> None:
        """Show another text."""
        self.setText(made_visible(text))
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        margins = self.contentsMargins()
        layout = self.laid_out(width - margins.left() - margins.right())
        return round(layout.boundingRect().height() + 0.5) + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        area = self.contentsRect()
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        self.laid_out(area.width()).draw(painter, QPointF(area.topLeft()))
        painter.end()

    def laid_out(self, width: int) -> QTextLayout:
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        layout = QTextLayout(self.text().replace("\n", "\u2028"), self.font(), self)
        layout.setTextOption(option)
        layout.beginLayout()
        height = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, 1))
            line.setPosition(QPointF(0.0, height))
            height += line.height()
        layout.endLayout()
        return layout


def made_visible(text: str) -> str:
    """``text`` with controls, marks of direction and all else without a shape as ``\\u202e``; lines stay lines."""
    return "".join(
        sign if sign == "\n" or unicodedata.category(sign) not in _HIDDEN else f"\\u{ord(sign):04x}" for sign in text
    )
