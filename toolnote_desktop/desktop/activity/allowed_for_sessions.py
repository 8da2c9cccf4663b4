"""Box on the Activity page: what the user allowed for sessions that have not ended, each taken back with one press."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, hairline, label
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot

if TYPE_CHECKING:
    from toolnote_desktop.desktop.proxy_link import AllowedForSession

_MOST_ROWS: Final = 20
"""Rows that are shown, the newest first; the others are counted, and go with one press for all."""
_LONGEST_NAME: Final = 200
"""Characters of a tool's name that are shown."""


class AllowedForSessions(QFrame):
    """See the module.

    Signals:
        taken_back: the id of an assistant and the key of a tool whose calls are asked about again.
    """

    taken_back = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self._allowed: tuple[AllowedForSession, ...] = ()
        self._rows: tuple[tuple[str, str], ...] = ()
        self.buttons: list[Button] = []
        self.setProperty("kind", "box")
        self._column = column(self, (16, 12, 16, 12), 8)
        self.hide()

    def show_allowed(self, snapshot: Snapshot, allowed: Sequence[AllowedForSession]) -> None:
        """Show what is allowed now, given the newest last."""
        newest = tuple(reversed(allowed))
        rows = tuple(_names(snapshot, one.client, one.key) for one in newest[:_MOST_ROWS])
        if (newest, rows) == (self._allowed, self._rows):
            return
        self._allowed, self._rows, self.buttons = newest, rows, []
        empty(self._column)
        self.setVisible(bool(rows))
        if not rows:
            return
        self._column.addWidget(label(self.tr("Allowed until the session ends"), "heading"))
        for one, (assistant, tool) in zip(self._allowed, rows, strict=False):
            text = self.tr("{0} runs {1} without asking you.").format(assistant, tool)
            self._add_row(text, self.tr("Ask me again"), (one,))
        if len(self._allowed) > 1:
            self._column.addWidget(hairline())
            more = len(self._allowed) - len(rows)
            text = self.tr("And %n more.", "", more) if more else ""
            self._add_row(text, self.tr("Ask me again about all of them"), self._allowed)

    def _add_row(self, text: str, action: str, taken_back: Sequence[AllowedForSession]) -> None:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(12)
        line.addWidget(label(text, wraps=True), 1)
        button = Button(action, "link", name=f"{action}: {text}" if text else action)
        button.clicked.connect(lambda: self._take_back(taken_back))
        line.addWidget(button)
        self._column.addWidget(row)
        self.buttons.append(button)

    def _take_back(self, allowed: Sequence[AllowedForSession]) -> None:
        for one in allowed:
            self.taken_back.emit(one.client, one.key)


def _names(snapshot: Snapshot, client: str, key: ToolKey) -> tuple[str, str]:
    known = snapshot.catalogue.tools.get(key)
    assistant = messages.client_name(snapshot, client) if client else messages.translate("decisions", "An assistant")
    return assistant, known.tool.title if known is not None else key[1][:_LONGEST_NAME]
