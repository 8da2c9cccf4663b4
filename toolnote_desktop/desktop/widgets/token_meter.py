"""Size of a tool and its toolset in tokens: in words, as a bar, and the toolset's sum."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QTimer, Signal

from toolnote_desktop.guidance.description import added_text
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.guidance.served_tools import is_available
from toolnote_desktop.guidance.tokens import estimate_definition_tokens, estimate_tokens
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect
from toolnote_desktop.model.toolsets.toolset import Toolset

SLICE_SECONDS: Final = 0.008
"""Seconds that counting a toolset may block the event loop at a time."""


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
