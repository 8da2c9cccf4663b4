"""Servers to choose from, each with a tick box and what it is: the program it starts or the address it connects to."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from toolnote_desktop.assistants.importing.candidates import Candidate, CandidateState
from toolnote_desktop.assistants.masking import COVER, masked_url, masked_words
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel

_PLACE = re.compile(r"\$\{((?:[A-Za-z]+:)?[A-Za-z_][A-Za-z0-9_.-]*)(?::-[^}]*)?\}")

TEXT_INDENT = 26
"""Pixels: the second lines stand under the name, not under its tick box."""


class ServerList(QWidget):
    """Rows of servers.

    Signals:
        changed: other servers are ticked now.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._boxes: dict[str, CheckBox] = {}
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(8)

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

    def chosen(self) -> list[str]:
        """The ids of the ticked servers, in order."""
        return [server for server, box in self._boxes.items() if box.isEnabledTo(self) and box.isChecked()]

    def first_box(self) -> CheckBox | None:
        """The first that can be ticked."""
        return next((box for box in self._boxes.values() if box.isEnabledTo(self)), None)

    def _row(self, candidate: Candidate, in_full: bool) -> QWidget:
        row = QFrame()
        row.setProperty("kind", "panel")
        column = QVBoxLayout(row)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(3)
        box = CheckBox(candidate.id.replace("&", "&&"))
        present = candidate.state is CandidateState.PRESENT
        box.setChecked(not present)
        box.setEnabled(not present)
        box.toggled.connect(self.changed)
        column.addWidget(box)
        self._boxes[candidate.id] = box
        lines = [what_it_does(candidate.entry, in_full=in_full), *settings_of(candidate.entry, in_full=in_full)]
        origin = self._origin(candidate)
        for text, kind in [*((line, "name") for line in lines), *([(origin, "small")] if origin else [])]:
            shown = FullTextLabel(text, kind)
            shown.setContentsMargins(TEXT_INDENT, 0, 0, 0)
            column.addWidget(shown)
        read = self._reads(candidate.entry) if in_full else ""
        if read:
            shown = FullTextLabel(read, "small")
            shown.setContentsMargins(TEXT_INDENT, 0, 0, 0)
            column.addWidget(shown)
        box.setAccessibleDescription(". ".join([*lines, origin, *([read] if read else [])]))
        return row

    def _reads(self, entry: Mapping[str, Any]) -> str:
        """What it would take from this computer once it is on: nothing that can be seen from its settings alone."""
        names = list(dict.fromkeys(places_in(entry)))
        return self.tr("Once it is on, it reads these values: {0}").format(messages.joined(names)) if names else ""

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


def places_in(entry: Mapping[str, Any]) -> Iterator[str]:
    """The names of the ``${…}`` in an entry that are filled when the server starts (docs/contract.md 2)."""
    for value in entry.values():
        texts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
        for text in texts:
            if isinstance(text, str):
                yield from (match.group(1) for match in _PLACE.finditer(text))


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
