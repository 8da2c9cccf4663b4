"""Size of a tool and its toolset in tokens: in words, as a bar, and the toolset's sum."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.widgets.basics import column, label
from toolnote_desktop.guidance.budgets import NEAR
from toolnote_desktop.guidance.description import added_text
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.guidance.served_tools import is_available
from toolnote_desktop.guidance.tokens import estimate_definition_tokens, estimate_tokens
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect
from toolnote_desktop.model.toolsets.toolset import Toolset

SMALL, MEDIUM, LARGE = 500, 1_500, 4_000
"""Upper limits in tokens of a small, medium and large tool."""

SLICE_SECONDS: Final = 0.008
"""Seconds that counting a toolset may block the event loop at a time."""


class Bar(QWidget):
    """Bar of the tool's own share and the notes' share, on a scale that ends at ``LARGE``."""

    def __init__(self) -> None:
        super().__init__()
        self._own = 0
        self._notes = 0
        self.setFixedHeight(8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_counts(self, own: int, notes: int) -> None:
        """Show other token counts."""
        self._own, self._notes = own, notes
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(self.rect())
        path = QPainterPath()
        path.addRoundedRect(whole, 4, 4)
        painter.setClipPath(path)
        painter.fillRect(whole, QColor(scheme.pressed))
        scale = whole.width() / max(_full_scale(self._own + self._notes), 1)
        own = max(self._own * scale, 2.0 if self._own else 0.0)
        notes = max(self._notes * scale, 2.0 if self._notes else 0.0)
        parts = [(0.0, own, scheme.faint), (own, notes, scheme.good)]
        for left, width, colour in parts:
            place = QRectF(left, 0, width, whole.height())
            if self.isRightToLeft():
                place.moveLeft(whole.width() - left - width)
            painter.fillRect(place, QColor(colour))


class TokenMeter(QWidget):
    """Text and bar of a tool's size, and its toolset's sum."""

    def __init__(self) -> None:
        super().__init__()
        self.words = label("", wraps=True)
        self.bar = Bar()
        self.whole = label("", "small", wraps=True)
        self.counter = ToolsetTokens(self)
        self.counter.counted.connect(self._show_sum)
        self._title = ""
        self._dialect = PLAIN
        self._allowed: int | None = None
        self._sum: int | None = None
        inside = column(self, spacing=8)
        inside.addWidget(self.words)
        inside.addWidget(self.bar)
        inside.addWidget(self.whole)

    def show_tool(self, total: int, notes: int) -> None:
        """Show the tool's approximate token count and the notes' part of it."""
        size = (
            self.tr("Small")
            if total <= SMALL
            else self.tr("Medium")
            if total <= MEDIUM
            else self.tr("Large")
            if total <= LARGE
            else self.tr("Very large")
        )
        if notes:
            text = self.tr("{size}: about {total} tokens, {notes} of them your notes")
        else:
            text = self.tr("{size}: about {total} tokens")
        said = text.format(size=size, total=messages.number(total), notes=messages.number(notes))
        self.words.setText(said)
        self.bar.show_counts(total - notes, notes)
        self.setAccessibleName(said)

    def show_toolset(self, snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect = PLAIN) -> None:
        """Count the toolset in slices as clients of a dialect are served it."""
        self.whole.setVisible(toolset is not None)
        if toolset is not None:
            if toolset.title != self._title:
                self._sum = None  # of another one
            self._title, self._dialect = toolset.title, dialect
            self._allowed = snapshot.settings.toolset_tokens
            if self._sum is not None:
                self._show_sum(self._sum)
            self.counter.count(snapshot, toolset, dialect)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Start counting once the meter is painted, so that the first paint does not wait for it."""
        super().paintEvent(event)
        self.counter.resume()

    def _show_sum(self, tokens: int) -> None:
        self._sum = tokens
        rounded = round(tokens, -2) if tokens > 1000 else tokens
        taken, allowed = self._dialect.token_limit, self._allowed
        if taken is not None:
            text = self.tr("“{toolset}” is about {tokens} tokens of the {limit} that {assistant} takes")
        elif allowed is not None and tokens >= allowed * NEAR:
            text = self.tr("“{toolset}” is about {tokens} tokens of the {limit} that you allow")
        else:
            text = self.tr("“{toolset}” is about {tokens} tokens in all")
        limit = messages.number(taken or allowed or 0)
        said = text.format(
            toolset=self._title, tokens=messages.number(rounded), limit=limit, assistant=self._dialect.title
        )
        self.whole.setText(said)


class ToolsetTokens(QObject):
    """Counter of a toolset's tokens, in slices, so that ten thousand tools do not block the event loop.

    Signals:
        counted: the sum.
    """

    counted = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: WeakKeyDictionary[KnownTool, int] = WeakKeyDictionary()
        self._work: Iterator[int] | None = None
        self._sum = 0
        self._basis: tuple[object, ...] = ()
        self._family = PLAIN.family
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._count_some)

    def count(self, snapshot: Snapshot, toolset: Toolset, dialect: Dialect = PLAIN) -> None:
        """Prepare counting this toolset at the next :meth:`resume`, unless exactly this was counted last."""
        basis = (toolset, snapshot.catalogue, snapshot.notes, snapshot.tool_settings)
        same = len(basis) == len(self._basis) and all(a is b for a, b in zip(basis, self._basis, strict=True))
        if same and dialect.family == self._family:
            return
        if dialect.family != self._family:
            self._family = dialect.family
            self._known.clear()
        self._basis = basis
        self._sum = 0
        self._work = self._tokens(snapshot, toolset)

    def resume(self) -> None:
        """Continue counting whenever the event loop is idle."""
        if self._work is not None and not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        """Stop counting."""
        self._timer.stop()
        self._work = None
        self._basis = ()

    def _tokens(self, snapshot: Snapshot, toolset: Toolset) -> Iterator[int]:
        index = NoteIndex(toolset, snapshot.notes, snapshot.catalogue)
        for entry in toolset.tools:
            found = snapshot.catalogue.resolve(entry) if entry.enabled else ()
            known = found[0] if len(found) == 1 else None
            if known is None or not is_available(snapshot, known):
                yield 0
                continue
            own = self._known.get(known)
            if own is None:
                own = self._known[known] = estimate_definition_tokens(known.tool.definition, self._family)
            effective = snapshot.effective_entry(known, entry)
            if not effective.enabled:
                yield 0
                continue
            added = added_text(known.tool.definition, effective, [one.note for one in index.applied(known.tool)])
            yield own + estimate_tokens(added, self._family)

    def _count_some(self) -> None:
        end = time.perf_counter() + SLICE_SECONDS
        while self._work is not None and time.perf_counter() < end:
            tokens = next(self._work, None)
            if tokens is None:
                self._work = None
            else:
                self._sum += tokens
        if self._work is None:
            self._timer.stop()
            self.counted.emit(self._sum)


def _full_scale(tokens: int) -> int:
    """Return the token count of the full bar, so that an ordinary tool fills a visible part."""
    return 1_000 if tokens <= 1_000 else LARGE if tokens <= LARGE else tokens
