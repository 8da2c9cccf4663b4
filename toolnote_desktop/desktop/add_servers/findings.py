"""Findings of the scanner in what is about to be added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QFrame

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.basics import column, empty, label
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel

if TYPE_CHECKING:
    from toolnote_desktop.guidance.scanner import Finding

MOST_LINES: Final = 50
"""Findings that are listed."""


class FindingsBox(QFrame):
    """Box with what the scanner found, below a heading; hidden if that is nothing."""

    def __init__(self, heading: str) -> None:
        super().__init__()
        self._heading = heading
        self.setProperty("kind", "wrong-box")
        self._lines = column(self, (14, 10, 14, 10), spacing=4)
        self.hide()

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Show findings instead of earlier ones."""
        empty(self._lines)
        self.setVisible(bool(findings))
        if not findings:
            return
        self._lines.addWidget(label(self._heading, "wrong", wraps=True))
        lines = []
        for one in findings[:MOST_LINES]:
            place = ".".join(part for part in (one.tool, one.field) if part)
            lines.append(messages.finding_text(one.kind, place, one.excerpt))
        # one label: laying out fifty, in boxes within boxes, holds the window for a tenth of a second
        self._lines.addWidget(FullTextLabel("\n".join(lines), "small"))
