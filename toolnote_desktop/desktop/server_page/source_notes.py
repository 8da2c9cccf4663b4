"""Notes on all tools of a source."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.tool_view import NoteView
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.tool_page.note_draft import NoteDraft
from toolnote_desktop.desktop.widgets.basics import column
from toolnote_desktop.desktop.widgets.controls import Choice
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes import Scope
from toolnote_desktop.store.library import Submitted


class SourceNotes(QWidget):
    """Cards of the notes; a card's widget survives changes of its note, so that the cursor keeps its position.

    Signals:
        undo_offered: the last step is one that the user may want to undo.
        emptied: the last card with the focus has gone.
    """

    undo_offered = Signal()
    emptied = Signal()

    def __init__(self, actions: Actions, changes: UndoStack) -> None:
        super().__init__()
        self._actions = actions
        self._snapshot: Snapshot | None = None
        self._server = ""
        self._cards: list[NoteCard] = []
        self._column = column(self, spacing=8)
        changes.save_settled.connect(self._settled)
        self.hide()

    @property
    def cards(self) -> tuple[NoteCard, ...]:
        """Cards in order, those of notes not created yet at the end."""
        return tuple(self._cards)

    @property
    def _place(self) -> NoteTarget:
        return NoteTarget.everywhere(Scope.SERVER, self._server)

    @property
    def _row(self) -> RowKey:
        return RowKey(Kind.SERVER, self._server)

    def show_source(self, snapshot: Snapshot, server: str) -> None:
        """Show the notes of a source, updating the cards if it is the same one."""
        if server != self._server:
            self.leave()
            for card in list(self._cards):
                self._drop(card)
        self._snapshot, self._server = snapshot, server
        notes = snapshot.notes.servers.get(server, ())
        names = {note.name for note in notes}
        for card in list(self._cards):
            if card.draft.is_made and card.draft.name not in names and not card.draft.detach():
                self._drop(card)
        kept = {card.draft.name: card for card in self._cards if card.draft.is_made}
        cards = []
        for note in notes:
            shown = kept.get(note.name)
            if shown is None:
                shown = self._make(NoteDraft(self._actions, self._place, self._row, note=note))
            elif shown.draft.adopt(NoteView(self._place, note)):
                shown.show_text()
            cards.append(shown)
        cards += [card for card in self._cards if card not in cards]
        for card in cards:
            self._describe(card, snapshot)
        self._arrange(cards)

    def add_note(self) -> None:
        """Append and focus an empty card, or focus one that is still empty."""
        empty = next((card for card in self._cards if not card.draft.is_made and not card.draft.text.strip()), None)
        card = empty or self._make(NoteDraft(self._actions, self._place, self._row))
        if empty is None:
            self._arrange([*self._cards, card])
            if self._snapshot is not None:
                self._describe(card, self._snapshot)
        card.start_writing()

    def leave(self) -> None:
        """Submit pending text when the page or window closes."""
        for card in list(self._cards):
            card.draft.leave()

    def flush(self) -> None:
        """Submit pending text, as before an undo."""
        for card in list(self._cards):
            card.draft.flush()

    def _make(self, draft: NoteDraft) -> NoteCard:
        card = NoteCard(draft)
        policy = card.grip.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        card.grip.setSizePolicy(policy)
        card.grip.hide()
        card.scope_chosen.connect(partial(self._change_scope, card))
        card.emptied.connect(partial(self._drop_empty, card))
        card.kept.connect(partial(self._keep, card))
        card.undone.connect(partial(self._undo_writing, card))
        card.menu.aboutToShow.connect(partial(self.fill_menu, card))
        card.set_keys(
            move_up=partial(self._move, card, -1),
            move_down=partial(self._move, card, 1),
            remove=partial(self.remove, card),
        )
        return card

    def fill_menu(self, card: NoteCard) -> None:
        """Fill a card's menu."""
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

    def _describe(self, card: NoteCard, snapshot: Snapshot) -> None:
        choices = [
            Choice(self.tr("Every tool"), NoteTarget.everywhere(Scope.GLOBAL)),
            Choice(self.tr("All {source} tools").format(source=self._server), self._place),
        ]
        card.describe(snapshot, choices, card.draft.place)

    def _change_scope(self, card: NoteCard, place: NoteTarget) -> None:
        card.draft.flush()
        if card.draft.note is None:
            card.draft.place = place
        elif self._actions.move_note_to(card.draft.place, card.draft.name, place, self._row):
            self.undo_offered.emit()

    def _switch(self, card: NoteCard) -> None:
        if card.draft.note is not None:
            on = not card.draft.note.enabled
            self._actions.switch_note(card.draft.place, card.draft.name, self._row, on=on)

    def _neighbour(self, card: NoteCard, step: int) -> NoteCard | None:
        made = [one for one in self._cards if one.draft.is_made]
        if card not in made:
            return None
        position = made.index(card) + step
        return made[position] if 0 <= position < len(made) else None

    def _move(self, card: NoteCard, step: int) -> None:
        other = self._neighbour(card, step)
        if other is not None:
            card.draft.flush()
            self._actions.move_note(card.draft.place, card.draft.name, other.draft.name, self._row)

    def remove(self, card: NoteCard) -> None:
        """Delete a card's note; the focus goes to the next card, else the one before."""
        draft = card.draft
        draft.flush()
        self._focus_beside(card)
        if draft.note is None:
            self._drop_empty(card)
        elif self._actions.remove_note(draft.place, draft.note.name, self._row):
            self.undo_offered.emit()

    def _focus_beside(self, card: NoteCard) -> None:
        place = self._cards.index(card)
        others = [*self._cards[place + 1 :], *reversed(self._cards[:place])]
        if others:
            others[0].editor.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.emptied.emit()

    def _keep(self, card: NoteCard) -> None:
        self._actions.keep_note(card.draft.place, card.draft.name, self._row)
        card.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _undo_writing(self, card: NoteCard) -> None:
        card.draft.flush()
        if self._actions.undo_writing(card.draft.place, card.draft.name, self._row):
            self.undo_offered.emit()

    def _settled(self, submitted: Submitted, problem: Problem | None) -> None:
        for card in self._cards:
            card.draft.finish_saving(submitted, problem)

    def _drop_empty(self, card: NoteCard) -> None:
        if card in self._cards and not card.draft.is_made:
            self._drop(card)
            self._arrange(list(self._cards))

    def _drop(self, card: NoteCard) -> None:
        self._cards.remove(card)
        card.draft.stop()
        card.blockSignals(True)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _arrange(self, cards: list[NoteCard]) -> None:
        for position, card in enumerate(cards):
            if self._column.indexOf(card) != position:
                self._column.insertWidget(position, card)
        self._cards = cards
        self.setVisible(bool(cards))
