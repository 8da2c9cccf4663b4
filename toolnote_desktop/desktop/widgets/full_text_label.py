"""Label that shows a command, address or value in full, as the user is to approve it."""

from __future__ import annotations

import unicodedata
from typing import Any, Final

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QSizePolicy, QWidget

from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.model.hidden_characters import escape_controls

LONGEST_SHOWN: Final = 20_000
"""Characters of a text that are laid out; a button opens the rest."""

LONGEST_BLOCK: Final = 500
"""Characters of one block of the whole text: a view lays out only the blocks that are visible."""

_WIDTHS: Final = 2
"""Widths whose lines are kept."""

_HEIGHTS: Final = 64
"""Widths whose height is kept: for each label of a page, Qt tries some twenty, hundreds of times."""

_NARROWEST: Final = 120
"""Width, in pixels, for which a height is worked out: Qt also tries 13 pixels, which no label gets."""

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class FullTextLabel(QLabel):
    """Plain-text label that breaks lines anywhere and writes out invisible characters.

    Only the start of a text over ``longest`` characters is laid out, with a button *Show all*: breaking a hostile
    text into lines may otherwise hold the interface for a minute.
    """

    def __init__(
        self, text: str, kind: str = "", parent: QWidget | None = None, *, longest: int = LONGEST_SHOWN
    ) -> None:
        super().__init__(parent)
        self._whole = ""
        self._longest = longest
        self._laid_out: dict[int, QTextLayout] = {}
        self._heights: dict[int, int] = {}
        self.setTextFormat(Qt.TextFormat.PlainText)
        if kind:
            self.setProperty("kind", kind)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.all_button = Button(self.tr("Show all"), "link", pressed=self._show_all)
        self.all_button.setParent(self)
        self.show_text(text)

    def show_text(self, text: str) -> None:
        """Show another text."""
        self._whole = text
        self._is_cut = is_cut = len(text) > self._longest
        self.setText(made_visible(f"{text[: self._longest]}…" if is_cut else text))
        self.all_button.setVisible(is_cut)
        self._forget_lines()
        self.updateGeometry()

    def _forget_lines(self) -> None:
        self._laid_out.clear()
        self._heights.clear()

    def setContentsMargins(self, *margins: Any) -> None:
        super().setContentsMargins(*margins)
        self._heights.clear()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if (known := self._heights.get(width)) is not None:
            return known
        margins = self.contentsMargins()
        layout = self.laid_out(max(width - margins.left() - margins.right(), _NARROWEST))
        below = self.all_button.sizeHint().height() if self.all_button.isVisibleTo(self) else 0
        height = round(layout.boundingRect().height() + 0.5) + margins.top() + margins.bottom() + below
        if len(self._heights) >= _HEIGHTS:
            self._heights.clear()
        self._heights[width] = height
        return height

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.fontMetrics().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._forget_lines()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._is_cut:
            return
        size = self.all_button.sizeHint()
        self.all_button.setGeometry(
            self.contentsRect().left(), self.height() - size.height(), size.width(), size.height()
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        area = self.contentsRect()
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        self.laid_out(area.width()).draw(painter, QPointF(area.topLeft()))
        painter.end()

    def laid_out(self, width: int) -> QTextLayout:
        """Return the text in lines of a width."""
        if (known := self._laid_out.get(width)) is not None:
            return known
        option = QTextOption()
        # At a word boundary, Qt's time is quadratic in the length of a word.
        longest = max(map(len, self.text().split()), default=0)
        is_short = longest <= LONGEST_BLOCK
        wrap = QTextOption.WrapMode
        option.setWrapMode(wrap.WrapAtWordBoundaryOrAnywhere if is_short else wrap.WrapAnywhere)
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
        if len(self._laid_out) >= _WIDTHS:
            del self._laid_out[next(iter(self._laid_out))]
        self._laid_out[width] = layout
        return layout

    def _show_all(self) -> None:
        WholeText(self._whole, self.window()).open()


class WholeText(Dialog):
    """Dialog with the whole of a long text, of which only the visible blocks are laid out."""

    def __init__(self, text: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setObjectName("whole-text")
        self.introduce(self.tr("Whole text"))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("kind", "diff")
        self.text.setAccessibleName(self.tr("Whole text"))
        self.text.setPlainText("\n".join(blocks(made_visible(text))))
        self.text.setMinimumHeight(round(300 * text_scale()))
        self.body.addWidget(self.text, 1)
        self.close_button = Button(self.tr("Close"), "primary", pressed=self.accept)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.close_button)
        self.setMinimumWidth(round(620 * text_scale()))


def blocks(text: str) -> list[str]:
    """Split a text into its lines, and long lines into pieces of at most ``LONGEST_BLOCK`` characters."""
    return [
        line[start : start + LONGEST_BLOCK]
        for line in text.split("\n")
        for start in range(0, max(len(line), 1), LONGEST_BLOCK)
    ]


def made_visible(text: str) -> str:
    """``text`` with controls, marks of direction and all else without a shape as ``\\u202e``; lines stay lines."""
    lines = (line if line.isprintable() else _written_out(line) for line in text.split("\n"))
    return "\n".join(map(escape_controls, lines))


def _written_out(line: str) -> str:
    return "".join(sign if unicodedata.category(sign) not in _HIDDEN else f"\\u{ord(sign):04x}" for sign in line)
