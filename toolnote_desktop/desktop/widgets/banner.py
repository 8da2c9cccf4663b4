"""Banner with a sentence and one button, for page states that need an action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.icons import Sign, draw_sign
from toolnote_desktop.desktop.widgets.basics import Button, label


class Dot(QWidget):
    """Sign of a state, told apart by shape too. Screen readers skip it: its word is beside it."""

    def __init__(self, mark: Mark = Mark.NONE) -> None:
        super().__init__()
        self._mark = mark
        self.setFixedSize(10, 18)

    def show_mark(self, mark: Mark) -> None:
        """Show the sign of a state."""
        self._mark = mark
        self.setVisible(mark is not Mark.NONE)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(10, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        draw_sign(QPainter(self), sign_of(self._mark), QRectF(self.rect()).center(), colours(self.palette()))


_SIGNS: Final[dict[Mark, Sign]] = {
    Mark.NONE: "",
    Mark.IN_USE: "in-use",
    Mark.GOOD: "good",
    Mark.WAITING: "off",
    Mark.ATTENTION: "attention",
    Mark.WRONG: "wrong",
    Mark.OFF: "off",
}


def sign_of(mark: Mark) -> Sign:
    """Return the sign of a state."""
    return _SIGNS[mark]


class Notice(Struct, frozen=True):
    """Content of a banner, the action of its button, and what dismisses it for good."""

    mark: Mark
    text: str
    action: str = ""
    pressed: Callable[[], object] | None = None
    dismissed: Callable[[], object] | None = None


class Banner(QFrame):
    """Quiet box with a dot, a sentence, at most one button, and *Not needed* where it can be dismissed."""

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
        self.dismiss_button: Button | None = None
        if notice.action:
            self.button = Button(notice.action, pressed=notice.pressed)
            row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        if notice.dismissed is not None:
            self.dismiss_button = Button(self.tr("Not needed"), "quiet", pressed=notice.dismissed)
            row.addWidget(self.dismiss_button, 0, Qt.AlignmentFlag.AlignVCenter)
