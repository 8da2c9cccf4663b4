"""Boxes of Home: notes whose effect is certain, and failures that a note would prevent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QStyle, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.note_offers import Offer, rate_words
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import style_font
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, hairline, label
from toolnote_desktop.guidance.effects import NoteEffect, with_claims
from toolnote_desktop.model.calls.effect import Rate, Verdict
from toolnote_desktop.model.snapshot import Snapshot

_BAR: Final = 64


class RateBar(QWidget):
    """Bar of the failed share of calls."""

    def __init__(self, rate: Rate) -> None:
        super().__init__()
        self._rate = rate
        self.setFixedSize(QSize(_BAR, 6))

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(scheme.pressed))
        painter.drawRoundedRect(self.rect(), 3, 3)
        if self._rate.failed:
            width = max(2, round(_BAR * self._rate.failed / self._rate.calls))
            part = QStyle.visualRect(self.layoutDirection(), self.rect(), QRect(0, 0, width, 6))
            painter.setBrush(QColor(scheme.wrong))
            painter.drawRoundedRect(part, 3, 3)


class EffectsBox(QWidget):
    """Home's list of notes whose effect is certain, those that made it worse too.

    Signals:
        place_requested: the ``RowKey`` of the tool.
    """

    place_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.box = QFrame()
        self.box.setProperty("kind", "box")
        self._rows = column(self.box, (1, 1, 1, 1), 0)
        self.heading = label(self.tr("Notes that helped"), "heading")
        whole = column(self, spacing=6)
        whole.addWidget(self.heading)
        whole.addWidget(self.box)
        whole.addStretch(1)
        self._shown: tuple[NoteEffect, ...] | None = None
        self.hide()

    def show_effects(self, snapshot: Snapshot, effects: Sequence[NoteEffect]) -> None:
        """Show the effects that are certain."""
        certain = with_claims(effects)[:5]
        self.setVisible(bool(certain))
        if certain == self._shown:
            return
        self._shown = certain
        worse = any(one.verdict is Verdict.WORSE for one in certain)
        helped = any(one.verdict is Verdict.HELPS for one in certain)
        self.heading.setText(
            self.tr("Notes that helped, and that made it worse")
            if worse and helped
            else self.tr("Notes that made it worse")
            if worse
            else self.tr("Notes that helped")
        )
        empty(self._rows)
        for number, one in enumerate(certain):
            if number:
                self._rows.addWidget(hairline())
            self._rows.addWidget(self._row(snapshot, one))

    def _row(self, snapshot: Snapshot, one: NoteEffect) -> QWidget:
        row = QWidget()
        grid = QGridLayout(row)
        grid.setContentsMargins(16, 8, 16, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(0)
        key = (one.server, one.tool)
        known = snapshot.catalogue.tools.get(key)
        title = known.tool.title if known is not None else one.tool
        names = messages.joined([note.name for note in one.notes])
        place = RowKey(Kind.TOOL, *key)
        name = Button(names, "plain-link", name=f"{names}, {title}", pressed=partial(self.place_requested.emit, place))
        name.setFont(style_font("head"))
        start = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter  # else its width limits the column
        grid.addWidget(name, 0, 0, start)
        if one.verdict is Verdict.WORSE:
            grid.addWidget(label(self.tr("{tool} · worse").format(tool=title), "wrong"), 1, 0, start)
        else:
            grid.addWidget(label(title, "small"), 1, 0, start)
        grid.setColumnStretch(0, 1)
        sides = ((self.tr("Failed before"), one.before), (self.tr("Since your note"), one.since))
        metrics = QFontMetrics(style_font("second"))
        widest = max(metrics.horizontalAdvance(words) for words, _ in sides)
        for line, (words, rate) in enumerate(sides):
            said = label(words, "small")
            said.setFixedWidth(widest + 2)  # so that the bars of all rows are in line
            grid.addWidget(said, line, 1)
            grid.addWidget(RateBar(rate), line, 2)
            shown = label(rate_words(rate), "small")
            shown.setMinimumWidth(metrics.horizontalAdvance("0") * 10)
            shown.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(shown, line, 3)
        return row


class OffersBox(QWidget):
    """Home's list of failures that a note would prevent; one press adds it, the tool's name opens the tool.

    Signals:
        place_requested: the ``RowKey`` of the tool.
        taken: the ``Offer`` whose note is to be added.
    """

    place_requested = Signal(object)
    taken = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.box = QFrame()
        self.box.setProperty("kind", "box")
        self._rows = column(self.box, (16, 8, 16, 8), 8)
        whole = column(self, spacing=6)
        whole.addWidget(label(self.tr("A note would help here"), "heading"))
        whole.addWidget(self.box)
        self._shown: tuple[Offer, ...] | None = None
        self.buttons: list[Button] = []
        self.hide()

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Show these offers."""
        self.setVisible(bool(offers))
        if tuple(offers) == self._shown:
            return
        self._shown = tuple(offers)
        empty(self._rows)
        self.buttons = []
        for one in offers:
            line = QHBoxLayout()
            line.setSpacing(12)
            words = QWidget()
            texts = column(words, spacing=0)
            place = RowKey(Kind.TOOL, *one.key)
            opened = Button(one.title, "plain-link", pressed=partial(self.place_requested.emit, place))
            opened.setFont(style_font("head"))
            texts.addWidget(opened, 0, Qt.AlignmentFlag.AlignLeading)
            texts.addWidget(label(f"{one.text}.", "small", wraps=True))
            texts.addWidget(label(one.note.text, wraps=True))
            line.addWidget(words, 1)
            text = self.tr("Add this note")
            button = Button(text, name=f"{text}: {one.note.text}", pressed=partial(self.taken.emit, one))
            self.buttons.append(button)
            line.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            self._rows.addLayout(line)
