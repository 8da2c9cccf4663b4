"""Notes on all tools of a source."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.tool_view import NoteView
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.tool_page.note_cards import NoteCards
from toolnote_desktop.desktop.tool_page.note_draft import NoteDraft
from toolnote_desktop.desktop.widgets.basics import column
from toolnote_desktop.desktop.widgets.controls import Choice
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes import Scope


class SourceNotes(NoteCards):
    """Cards of the notes on a source's tools.

    Signals:
        emptied: the last card with the focus has gone.
    """

    emptied = Signal()

    def __init__(self, actions: Actions, changes: UndoStack) -> None:
        super().__init__(actions, changes)
        self._snapshot: Snapshot | None = None
        self._server = ""
        column(self).addWidget(self._cards_box)
        self.hide()

    @property
    def _place(self) -> NoteTarget:
        return NoteTarget.everywhere(Scope.SERVER, self._server)

    def show_source(self, snapshot: Snapshot, server: str) -> None:
        """Show the notes of a source, updating the cards if it is the same one."""
        if server != self._server:
            self.leave()
            self._drop_all()
        self._snapshot, self._server, self._row = snapshot, server, RowKey(Kind.SERVER, server)
        self._show_notes(NoteView(self._place, note) for note in snapshot.notes.servers.get(server, ()))

    def add_note(self) -> None:
        """Append and focus an empty card, or focus one that is still empty."""
        self._write_new(self._place)

    def fill_menu(self, card: NoteCard) -> None:
        menu, note = card.menu, card.draft.note
        menu.clear()
        if note is not None:
            menu.addAction(self.tr("Rename"), card.edit_name)
            text = self.tr("Turn off (hidden from assistants)") if note.enabled else self.tr("Turn on")
            menu.addAction(text, partial(self._switch, card))
            for step, words in ((-1, self.tr("Move up")), (1, self.tr("Move down"))):
                action = menu.addAction(words, partial(self._move, card, step))
                action.setEnabled(self._neighbour(card, step) is not None)
            menu.addSeparator()
        menu.addAction(self.tr("Delete"), partial(self.remove, card))

    def _make(self, draft: NoteDraft) -> NoteCard:
        card = super()._make(draft)
        policy = card.grip.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        card.grip.setSizePolicy(policy)
        card.grip.hide()
        return card

    def _describe(self, card: NoteCard) -> None:
        choices = [
            Choice(self.tr("Every tool"), NoteTarget.everywhere(Scope.GLOBAL)),
            Choice(self.tr("All {source} tools").format(source=messages.source_name(self._server)), self._place),
        ]
        if self._snapshot is not None:
            card.describe(self._snapshot, choices, card.draft.place)

    def _switch(self, card: NoteCard) -> None:
        if card.draft.note is not None:
            on = not card.draft.note.enabled
            self._actions.switch_note(card.draft.place, card.draft.name, self._row, on=on)

    def _focus_outside(self) -> None:
        self.emptied.emit()

    def _arrange(self, cards: list[NoteCard]) -> None:
        super()._arrange(cards)
        self.setVisible(bool(cards))
