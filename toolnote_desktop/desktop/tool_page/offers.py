"""Notes that are offered on the page of a tool, each against failures of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.models.note_offers import Offer, example_note
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.guidance.failure_notes import Lesson
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool


class ToolOffers(QWidget):
    """Failures of a tool with a ready note for each, and arguments that worked; one press adds the note.

    Signals:
        added: name of the note that was added.
    """

    added = Signal(str)

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._known: KnownTool | None = None
        self._toolset: str | None = None
        self._shown: object = None
        self.offers: tuple[Offer, ...] = ()
        self.buttons: list[Button] = []
        self.box = QFrame()
        self.box.setProperty("kind", "attention-box")
        self._rows = column(self.box, (16, 10, 16, 10), 6)
        whole = column(self, (0, 8, 0, 8), 8)
        whole.addWidget(self.box)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()

    def show_offers(
        self,
        snapshot: Snapshot,
        key: ToolKey,
        toolset: str | None,
        offers: Sequence[Offer],
        worked: JsonObject | None = None,
    ) -> None:
        """Show the offers for a tool. ``worked``: arguments that worked after a failure."""
        self._known, self._toolset = snapshot.catalogue.tools.get(key), toolset
        self.offers = tuple(offers)
        example = example_note(worked) if worked else None
        self.setVisible(bool(offers) or example is not None)
        shown = (key, self.offers, example)
        if shown == self._shown:
            return
        self._shown = shown
        empty(self._rows)
        self.buttons = []
        for one in offers:
            self._add_row(f"{one.text}.", self.tr("Add this note"), one.note)
        if example is not None:
            self._add_row(self.tr("A call worked after one that failed."), self.tr("Use what worked"), example)

    def _add_row(self, words: str, action: str, note: Lesson) -> None:
        row = QHBoxLayout()
        row.setSpacing(12)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(label(words, wraps=True))
        texts.addWidget(label(note.text, "second", wraps=True))
        row.addLayout(texts, 1)
        button = Button(action, "text", name=f"{action}: {note.text}", pressed=lambda: self._take(note))
        self.buttons.append(button)
        row.addWidget(button)
        self._rows.addLayout(row)

    def _take(self, note: Lesson) -> None:
        name = self._actions.take_offer(self._known, note, self._toolset) if self._known is not None else None
        if name is not None:
            self.added.emit(name)
