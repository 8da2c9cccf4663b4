"""Banner with a sentence and one button, for page states that need an action."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.theme.colours import Colours, colours
from toolnote_desktop.desktop.widgets.basics import Button, label


class Dot(QWidget):
    """Coloured dot of a state. Screen readers skip it: the word is beside it."""

    def __init__(self, mark: Mark = Mark.NONE) -> None:
        super().__init__()
        self._mark = mark
        self.setFixedSize(8, 18)

    def show_mark(self, mark: Mark) -> None:
        """Show the colour of a state."""
        self._mark = mark
        self.setVisible(mark is not Mark.NONE)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(8, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mark_colour(self._mark, colours(self.palette())))
        middle = QRectF(QRect(0, 0, self.width(), self.height())).center()
        painter.drawEllipse(middle, 3.5, 3.5)


def mark_colour(mark: Mark, scheme: Colours) -> QColor:
    """Return the colour of a state."""
    if mark is Mark.NONE:
        return QColor(Qt.GlobalColor.transparent)
    names = {
        Mark.IN_USE: scheme.accent,
        Mark.GOOD: scheme.good,
        Mark.WAITING: scheme.faint,
        Mark.ATTENTION: scheme.attention,
        Mark.WRONG: scheme.wrong,
        Mark.OFF: scheme.faint,
    }
    return QColor(names[mark])


class Notice(Struct, frozen=True):
    """Content of a banner and the action of its button."""

    mark: Mark
    text: str
    action: str = ""
    pressed: Callable[[], object] | None = None


class Banner(QFrame):
    """Quiet box with a dot, a sentence and at most one button."""

    def __init__(self, notice: Notice) -> None:
        super().__init__()
        self.notice = notice
        self.setProperty("kind", "banner")
        self.sentence = label(notice.text, wraps=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 9, 9, 9)
        row.setSpacing(10)
        if notice.mark is not Mark.NONE:
            row.addWidget(Dot(notice.mark), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.sentence, 1)
        self.button: Button | None = None
        if notice.action:
            self.button = Button(notice.action, pressed=notice.pressed)
            row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
