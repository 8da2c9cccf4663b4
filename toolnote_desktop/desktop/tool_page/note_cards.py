"""Cards of notes one below the other: what they do is the same on a tool's page and on a source's."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.library_rows import RowKey
from toolnote_desktop.desktop.models.tool_view import NoteView
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.tool_page.note_draft import NoteDraft
from toolnote_desktop.desktop.widgets.basics import column
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes import Scope
from toolnote_desktop.store.library import Submitted

_SCOPES = tuple(Scope)


class NoteCards(QWidget):
    """Cards of notes; a card's widget survives changes of its note, so that the cursor keeps its position.

    A page says which menu a card has (``fill_menu``), what is said of it (``_describe``), and what has the focus when
    the last card goes (``_focus_outside``).

    Signals:
        undo_offered: the last step is one that the user may want to undo.
    """

    undo_offered = Signal()

    def __init__(self, actions: Actions, changes: UndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self._row: RowKey | None = None
        self._cards: list[NoteCard] = []
        self._cards_box = QWidget()
        self._column: QVBoxLayout = column(self._cards_box, spacing=8)
        changes.save_settled.connect(self._settled)

    @property
    def cards(self) -> tuple[NoteCard, ...]:
        """Cards in the order of the served text; notes not created yet where they will be."""
        return tuple(self._cards)

    def fill_menu(self, card: NoteCard) -> None:
        """Fill a card's menu."""
        raise NotImplementedError

    def leave(self) -> None:
        """Submit pending text when the page or window closes."""
        for card in list(self._cards):
            card.draft.leave()

    def flush(self) -> None:
        """Submit pending text, as before an undo."""
        for card in list(self._cards):
            card.draft.flush()

    def remove(self, card: NoteCard) -> None:
        """Remove a card's note."""
        draft = card.draft
        draft.flush()
        if draft.note is None:
            self._drop_empty(card)
        elif self._actions.remove_note(draft.place, draft.note.name, self._row):
            self.undo_offered.emit()

    def _describe(self, card: NoteCard) -> None:
        """Show a note's scope, and what a change of it concerns."""
        raise NotImplementedError

    def _focus_outside(self) -> None:
        """Move the focus to what comes after the cards."""
        raise NotImplementedError

    def _show_notes(self, notes: Iterable[NoteView]) -> None:
        """Show the cards of these notes, and those that are not created yet."""
        wanted = {(one.place, one.note.name): one for one in notes}
        for card in list(self._cards):
            draft = card.draft
            # pending text of a note that was removed elsewhere becomes a new note
            if draft.is_made and (draft.place, draft.name) not in wanted and not draft.detach():
                self._focus_beside(card)
                self._drop(card)
        kept = {(card.draft.place, card.draft.name): card for card in self._cards if card.draft.is_made}
        cards = []
        for key, one in wanted.items():
            shown = kept.get(key)
            if shown is None:
                shown = self._make(NoteDraft(self._actions, one.place, self._row, note=one.note))
            elif shown.draft.adopt(one):
                shown.show_text()
            cards.append(shown)
        cards += [card for card in self._cards if card not in cards]
        for card in cards:
            self._describe(card)
        self._arrange(cards)

    def _write_new(self, place: NoteTarget, starter: str = "") -> None:
        """Append and focus an empty card, or focus one that is still empty."""
        for card in self._cards:
            if not card.draft.is_made and not card.draft.text.strip():
                card.editor.insertPlainText(starter)
                card.start_writing()
                return
        card = self._make(NoteDraft(self._actions, place, self._row, starter=starter))
        self._describe(card)
        self._arrange([*self._cards, card])
        card.start_writing()

    def _make(self, draft: NoteDraft) -> NoteCard:
        card = NoteCard(draft)
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

    def _change_scope(self, card: NoteCard, place: NoteTarget) -> None:
        card.draft.flush()
        if card.draft.note is None:
            card.draft.place = place
            self._arrange(list(self._cards))
            card.start_writing()
        elif self._actions.move_note_to(card.draft.place, card.draft.name, place, self._row):
            self.undo_offered.emit()

    def _neighbour(self, card: NoteCard, step: int) -> NoteCard | None:
        """Return the adjacent card in the same place; notes are not moved across places."""
        made = [one for one in self._cards if one.draft.is_made and one.draft.place == card.draft.place]
        if card not in made:
            return None
        position = made.index(card) + step
        return made[position] if 0 <= position < len(made) else None

    def _move(self, card: NoteCard, step: int) -> None:
        other = self._neighbour(card, step)
        if other is not None:
            card.draft.flush()
            self._actions.move_note(card.draft.place, card.draft.name, other.draft.name, self._row)

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
            self._focus_beside(card)
            self._drop(card)
            self._arrange(list(self._cards))

    def _drop_all(self) -> None:
        for card in list(self._cards):
            self._drop(card)

    def _focus_beside(self, card: NoteCard) -> None:
        """Move the focus out of a card that goes: to the next block, else the one before, else out of the cards."""
        focus = QApplication.focusWidget()
        if focus is None or not card.isAncestorOf(focus):
            return
        place = self._cards.index(card)
        beside = self._cards[place + 1 : place + 2] or self._cards[max(0, place - 1) : place]
        if beside:
            beside[0].menu_button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._focus_outside()

    def _drop(self, card: NoteCard) -> None:
        self._cards.remove(card)
        card.draft.stop()
        card.blockSignals(True)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _arrange(self, cards: list[NoteCard]) -> None:
        """Lay the cards out; one of a note not created yet after those of its scope, where the note will be."""
        placed = [card for card in cards if card.draft.is_made]
        for card in (one for one in cards if not one.draft.is_made):
            rank = _SCOPES.index(card.draft.place.scope)
            before = [one for one in placed if _SCOPES.index(one.draft.place.scope) <= rank]
            placed.insert(placed.index(before[-1]) + 1 if before else 0, card)
        for position, card in enumerate(placed):
            if self._column.indexOf(card) != position:
                self._column.insertWidget(position, card)
        self._cards = placed
        self._cards_box.setVisible(bool(placed))
