"""Notes on one tool: a card for each, and below them the controls that add another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.drag_data import DraggedNote, note_data, note_in
from toolnote_desktop.desktop.models.note_offers import effect_words
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.tool_page.note_cards import NoteCards
from toolnote_desktop.desktop.tool_page.note_draft import NoteDraft
from toolnote_desktop.desktop.tool_page.note_menu import NoteMenu
from toolnote_desktop.desktop.widgets.basics import Button, column, label
from toolnote_desktop.desktop.widgets.controls import Choice
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.desktop.widgets.row_view import drag_pixmap
from toolnote_desktop.guidance.effects import NoteEffect
from toolnote_desktop.model.calls.outcome import note_digest
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes import Scope


class NotesList(NoteCards):
    """Cards of the notes on a tool, and below them the controls that add another.

    Signals:
        when_requested: the user wants to say when to use the tool.
    """

    when_requested = Signal()

    def __init__(
        self, actions: Actions, changes: UndoStack, files: GuidanceFiles, parent: QWidget | None = None
    ) -> None:
        super().__init__(actions, changes, parent)
        self._files = files
        self._snapshot: Snapshot | None = None
        self._view: ToolView | None = None
        self._menu = NoteMenu(actions, files, self)
        self._menu.step_requested.connect(self._move)
        self._menu.removal_requested.connect(self.remove)
        self._menu.moved_away.connect(self.undo_offered)
        self.setAcceptDrops(True)
        self.hint = label(
            self.tr("What should the assistant know before it uses this tool?"),
            "second",
            wraps=True,
        )
        self.add_button = Button(self.tr("+  Add a note"), "primary", name=self.tr("Add a note"), pressed=self.add_note)
        use_it_when = self.tr("Use it when…")
        self.when_button = Button(use_it_when, "text", pressed=self.when_requested.emit)
        self.starters = [
            Button(
                text,
                "text",
                name=self.tr("Add a note that begins with {words}").format(words=text),
                pressed=partial(self.add_note, text.rstrip("… ") + " "),
            )
            for text in (self.tr("Never…"), self.tr("For example…"))
        ]
        self._adding = QWidget()
        flow = FlowLayout(self._adding, spacing=8)
        flow.addWidget(self.add_button)
        for starter in (self.when_button, *self.starters):
            flow.addWidget(starter)
        self.drop_line = QFrame(self)
        self.drop_line.setProperty("kind", "target")
        self.drop_line.hide()
        whole = column(self, spacing=12)
        whole.addWidget(self.hint)
        whole.addWidget(self._cards_box)
        whole.addWidget(self._adding)

    @property
    def focused_card(self) -> NoteCard | None:
        """Card of an existing note that has the focus."""
        focus = QApplication.focusWidget()
        made = (card for card in self._cards if card.draft.is_made)
        return next((card for card in made if focus is not None and card.isAncestorOf(focus)), None)

    def show_view(self, snapshot: Snapshot, view: ToolView) -> None:
        """Show the notes of a tool, updating the cards if it is the same one."""
        if self._view is None or not _same_page(self._view, view):
            self.leave()
            self._drop_all()
        self._snapshot, self._view, self._row = snapshot, view, view.key
        self._show_notes(view.notes)

    def show_effects(self, effects: Sequence[NoteEffect]) -> None:
        """Show at each note what it changed, as far as its present text is meant."""
        words = {(note.scope, note.name, note.digest): effect_words(one) for one in effects for note in one.notes}
        for card in self._cards:
            note = card.draft.note
            key = (card.draft.place.scope.value, note.name, note_digest(note)) if note is not None else None
            card.show_effect(words.get(key, "") if key is not None else "")

    def add_note(self, starter: str = "") -> None:
        """Append and focus an empty card, or focus one that is still empty."""
        if self._view is not None:
            self._write_new(self._view.new_place, starter)

    def open_templates(self) -> None:
        """Open the templates."""
        from toolnote_desktop.desktop.tool_page.template_dialog import TemplateDialog

        dialog = TemplateDialog(self._files, self.window())
        dialog.filled.connect(self._add_filled)
        dialog.open()

    def _add_filled(self, name: str, text: str) -> None:
        if self._view is not None:
            place = self._view.new_place
            self._actions.add_note(place, self._actions.free_name(place, name), text, self._row, merge=None)

    def _make(self, draft: NoteDraft) -> NoteCard:
        card = super()._make(draft)
        card.grip.lifted.connect(partial(self._lift, card))
        return card

    def fill_menu(self, card: NoteCard) -> None:
        if self._snapshot is not None and self._view is not None:
            up, down = (self._neighbour(card, step) is not None for step in (-1, 1))
            self._menu.fill(card, self._snapshot, self._view, can_go_up=up, can_go_down=down)

    def _describe(self, card: NoteCard) -> None:
        snapshot, view = self._snapshot, self._view
        if snapshot is None or view is None:
            return
        source, current = view.known.tool.server, card.draft.place
        choices = [
            Choice(self.tr("Every tool"), NoteTarget.everywhere(Scope.GLOBAL)),
            Choice(
                self.tr("All {source} tools").format(source=messages.source_name(source)),
                NoteTarget.everywhere(Scope.SERVER, source),
            ),
        ]
        if not view.shares_name:
            choices.append(Choice(self.tr("Every toolset"), view.new_place))
        if view.toolset is not None:
            own = current if current.scope is Scope.TOOLSET else view.toolset_place
            choices.append(Choice(self.tr("{toolset} only").format(toolset=view.toolset.title), own))
        widely = ""
        if current.scope is Scope.SERVER:
            listing = snapshot.catalogue.servers.get(source)
            count = len(listing.tools) if listing is not None else 0
            widely = self.tr("Changes all {n} {source} tools.").format(
                n=messages.number(count), source=messages.source_name(source)
            )
        elif current.scope is Scope.GLOBAL:
            widely = self.tr("Changes every tool.")
        card.describe(snapshot, choices, current, widely)

    # --- drags: within the list to another place, out of it to a row of the library

    def _lift(self, card: NoteCard) -> None:
        card.draft.flush()
        if card.draft.note is None or self._row is None:
            return
        drag = QDrag(self)
        drag.setMimeData(note_data(DraggedNote(self._row, card.draft.place.scope, card.draft.name)))
        drag.setPixmap(drag_pixmap(card, card.draft.name, 1))
        drag.exec(Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, Qt.DropAction.CopyAction)
        self.drop_line.hide()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._lifted(event) is not None:
            event.accept()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        card = self._lifted(event)
        other = self._slot(card, event.position().toPoint()) if card is not None else None
        self._show_drop_line(card, other)
        if other is not None:
            event.setDropAction(Qt.DropAction.MoveAction)
            event.accept()
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drop_line.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_line.hide()
        card = self._lifted(event)
        other = self._slot(card, event.position().toPoint()) if card is not None else None
        if card is None or other is None:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.MoveAction)
        event.accept()
        if other is not card:
            self._actions.move_note(card.draft.place, card.draft.name, other.draft.name, self._row)

    def _lifted(self, event: QDropEvent) -> NoteCard | None:
        """Return the dragged card if it belongs to this list."""
        note = note_in(event.mimeData())
        if note is None or note.row != self._row:
            return None
        made = (card for card in self._cards if card.draft.is_made)
        return next((one for one in made if (one.draft.place.scope, one.draft.name) == (note.scope, note.name)), None)

    def _slot(self, card: NoteCard, where: QPoint) -> NoteCard | None:
        """Return the card whose position a dropped one takes, among those in its place."""
        made = [one for one in self._cards if one.draft.is_made and one.draft.place == card.draft.place]
        y = self._cards_box.mapFrom(self, where).y()
        if len(made) < 2:
            return None
        return min(made, key=lambda one: abs(one.geometry().center().y() - y))

    def _show_drop_line(self, card: NoteCard | None, other: NoteCard | None) -> None:
        if card is None or other is None or other is card:
            self.drop_line.hide()
            return
        place = other.geometry().translated(self._cards_box.pos())
        is_below = self._cards.index(other) > self._cards.index(card)
        y = place.bottom() + 5 if is_below else max(0, place.top() - 7)
        self.drop_line.setGeometry(place.left(), y, place.width(), 2)
        self.drop_line.show()
        self.drop_line.raise_()

    def _focus_outside(self) -> None:
        self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _arrange(self, cards: list[NoteCard]) -> None:
        super()._arrange(cards)
        self.hint.setVisible(not cards)


def _same_page(first: ToolView, second: ToolView) -> bool:
    """Return True if two views show one tool in one toolset, so that the cards can stay."""
    names = [view.toolset.name if view.toolset is not None else None for view in (first, second)]
    return first.known.tool.key == second.known.tool.key and names[0] == names[1]
