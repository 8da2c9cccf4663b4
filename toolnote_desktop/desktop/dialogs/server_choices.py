"""Servers to choose from, each with a tick box and what it is: the program it starts or the address it connects to."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from toolnote_desktop.assistants.clients import CLIENTS
from toolnote_desktop.assistants.importing import Candidate, CandidateState
from toolnote_desktop.assistants.masking import COVER, masked_url, masked_words
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.dialogs.tick_box import TickBox
from toolnote_desktop.desktop.dialogs.whole_text import WholeText
from toolnote_desktop.desktop.theme import text_scale

MOST_HEIGHT = 340
"""Pixels at the usual text size; more rows are scrolled."""

_TEXT_INDENT = 26
"""Pixels: the second lines stand under the name, not under its tick box."""


class ServerChoices(QScrollArea):
    """Rows of servers.

    Signals:
        changed: other servers are ticked now.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._boxes: dict[str, TickBox] = {}
        self._inner = QWidget()
        self._rows = QVBoxLayout(self._inner)
        self._rows.setContentsMargins(0, 0, 8, 0)
        self._rows.setSpacing(8)
        self.setWidget(self._inner)

    def show_candidates(self, candidates: Iterable[Candidate], *, in_full: bool) -> None:
        """Show these servers, the new ones ticked.

        ``in_full`` shows every value, as a file or link from elsewhere has to be looked at; else those that may be
        secret are covered.
        """
        self._boxes.clear()
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for candidate in candidates:
            self._rows.addWidget(self._row(candidate, in_full))
        self._rows.addStretch(1)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: lines break elsewhere now."""
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: the rows have got their final fonts, or other lines."""
        handled = super().eventFilter(watched, event)
        if watched is self._inner and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return handled

    def _fit(self) -> None:
        """As high as its rows, up to a limit."""
        height = self._rows.heightForWidth(self.viewport().width())
        self.setFixedHeight(min(max(height, 40), round(MOST_HEIGHT * text_scale())))

    def chosen(self) -> list[str]:
        """The ids of the ticked servers, in order."""
        return [server for server, box in self._boxes.items() if box.isEnabled() and box.isChecked()]

    def first_box(self) -> TickBox | None:
        """The first that can be ticked."""
        return next((box for box in self._boxes.values() if box.isEnabled()), None)

    def _row(self, candidate: Candidate, in_full: bool) -> QWidget:
        row = QFrame()
        row.setProperty("kind", "panel")
        column = QVBoxLayout(row)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(3)
        box = TickBox(candidate.id.replace("&", "&&"))
        present = candidate.state is CandidateState.PRESENT
        box.setChecked(not present)
        box.setEnabled(not present)
        box.toggled.connect(self.changed)
        column.addWidget(box)
        self._boxes[candidate.id] = box
        lines = [what_it_does(candidate.entry, in_full=in_full), *settings_of(candidate.entry, in_full=in_full)]
        origin = self._origin(candidate)
        for text, kind in [*((line, "name") for line in lines), *([(origin, "small")] if origin else [])]:
            shown = WholeText(text, kind)
            shown.setContentsMargins(_TEXT_INDENT, 0, 0, 0)
            column.addWidget(shown)
        box.setAccessibleDescription(". ".join([*lines, origin]))
        return row

    def _origin(self, candidate: Candidate) -> str:
        names = dict.fromkeys(CLIENTS[source.client].name for source in candidate.sources if source.client)
        parts = []
        if names:
            parts.append(self.tr("From {0}").format(messages.joined(list(names))))
        if candidate.state is CandidateState.PRESENT:
            parts.append(self.tr("already in your library"))
        elif candidate.state is CandidateState.RENAMED:
            parts.append(self.tr("called {0} there; another {0} is in your library").format(candidate.found_as))
        return self.tr(", ").join(parts)


def what_it_does(entry: Mapping[str, Any], *, in_full: bool) -> str:
    """The command line or the address, in one line."""
    url = entry.get("url")
    if isinstance(url, str) and url:
        return url if in_full else masked_url(url)
    words = [str(entry.get("command", "")), *(str(word) for word in entry.get("args") or ())]
    return shlex.join(words if in_full else masked_words(words))


def settings_of(entry: Mapping[str, Any], *, in_full: bool) -> list[str]:
    """One line for each variable and header it is given, and for its folder."""
    lines = []
    for key, between in (("env", "="), ("headers", ": ")):
        values = entry.get(key)
        for name, value in values.items() if isinstance(values, dict) else ():
            lines.append(f"{name}{between}{value if in_full else COVER}")
    if isinstance(entry.get("cwd"), str):
        lines.append(f"cwd: {entry['cwd']}")
    return lines
