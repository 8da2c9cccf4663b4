"""Menu of a note: the actions of its keys and drags, and those without either."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.models.note_places import source_places, toolset_places
from toolnote_desktop.desktop.models.tool_view import ToolView, as_typed
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.widgets.basics import without_mnemonics
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes import Scope


class NoteMenu(QObject):
    """Builder of a card's menu, filled when it opens.

    Signals:
        step_requested: the card, and -1 or 1.
        removal_requested: the card.
        moved_away: the last step moved the note out of sight.
    """

    step_requested = Signal(object, int)
    removal_requested = Signal(object)
    moved_away = Signal()

    def __init__(self, actions: Actions, files: GuidanceFiles, parent: QWidget) -> None:
        super().__init__(parent)
        self._owner = parent
        self._actions = actions
        self._files = files

    def fill(self, card: NoteCard, snapshot: Snapshot, view: ToolView, *, can_go_up: bool, can_go_down: bool) -> None:
        """Fill the menu with the current actions of the card's note."""
        menu, draft = card.menu, card.draft
        menu.clear()
        for below in menu.findChildren(QMenu):
            below.deleteLater()
        note = draft.note
        if note is None:
            menu.addAction(self.tr("Delete"), lambda: self.removal_requested.emit(card))
            return
        up = menu.addAction(self.tr("Move up"), lambda: self.step_requested.emit(card, -1))
        up.setShortcut(card.UP_KEYS)
        up.setEnabled(can_go_up)
        down = menu.addAction(self.tr("Move down"), lambda: self.step_requested.emit(card, 1))
        down.setShortcut(card.DOWN_KEYS)
        down.setEnabled(can_go_down)
        menu.addAction(self.tr("Rename"), card.edit_name)
        menu.addSeparator()
        text = self.tr("Turn off (hidden from assistants)") if note.enabled else self.tr("Turn on")
        menu.addAction(text, lambda: self._switch(card, view))
        menu.addSeparator()
        for place, words in self._wider_places(view, draft.place):
            menu.addAction(words, partial(self._send, card, view, place, copies=False))
        self._add_places(self.tr("Copy to"), card, snapshot, view, copies=True)
        self._add_places(self.tr("Move to"), card, snapshot, view, copies=False)
        menu.addAction(self.tr("Save as a template…"), partial(self._save_as_template, card))
        menu.addSeparator()
        remove = menu.addAction(self.tr("Delete"), lambda: self.removal_requested.emit(card))
        remove.setShortcut(card.REMOVE_KEYS)

    def _add_places(self, title: str, card: NoteCard, snapshot: Snapshot, view: ToolView, *, copies: bool) -> None:
        """Add the keyboard equivalents of dragging the card onto a library row."""
        menu = QMenu(title, card.menu)
        card.menu.addMenu(menu)
        place = card.draft.place
        for toolset, there in toolset_places(snapshot, view, place):
            words = self.tr("Toolset {toolset}").format(toolset=toolset)
            menu.addAction(without_mnemonics(words), partial(self._send, card, view, there, copies=copies))
        menu.addSeparator()
        for source, there in source_places(snapshot, place):
            words = self.tr("All {source} tools").format(source=messages.source_name(source))
            menu.addAction(without_mnemonics(words), partial(self._send, card, view, there, copies=copies))
        menu.addSeparator()
        menu.addAction(self.tr("Another tool…"), partial(self._ask_where, card, snapshot, view, copies=copies))

    def _wider_places(self, view: ToolView, place: NoteTarget) -> list[tuple[NoteTarget, str]]:
        """Return texts and targets of the wider scopes for a note of the tool in its toolset."""
        tool = view.known.tool
        found = [
            (NoteTarget.everywhere(Scope.TOOL, tool.namespaced_name), self.tr("Use in every toolset")),
            (NoteTarget.everywhere(Scope.SERVER, tool.server), self.tr("Use for all {source} tools")),
            (NoteTarget.everywhere(Scope.GLOBAL), self.tr("Use for every tool")),
        ]
        if view.toolset is not None and place.scope is not Scope.TOOLSET:
            found.insert(0, (view.toolset_place, self.tr("Use in {toolset} only")))
        title = view.toolset.title if view.toolset is not None else ""
        return [
            (one, without_mnemonics(words.format(toolset=title, source=messages.source_name(tool.server))))
            for one, words in found
            if one.scope is not place.scope
        ]

    def _ask_where(self, card: NoteCard, snapshot: Snapshot, view: ToolView, *, copies: bool) -> None:
        card.draft.flush()
        if card.draft.note is None:
            return
        from toolnote_desktop.desktop.tool_page.choose_place_dialog import (
            ChoosePlaceDialog,  # not needed for the first paint
        )

        title = self.tr("Copy “{note}”") if copies else self.tr("Move “{note}”")
        verb = self.tr("Copy") if copies else self.tr("Move")
        toolset = view.toolset.name if view.toolset is not None else None
        dialog = ChoosePlaceDialog(snapshot, title.format(note=card.draft.name), verb, toolset, self._owner.window())
        dialog.place_chosen.connect(lambda chosen: self._send(card, view, chosen, copies=copies))
        dialog.open()

    def _send(self, card: NoteCard, view: ToolView, place: NoteTarget, *, copies: bool) -> None:
        card.draft.flush()
        act = self._actions.copy_note_to if copies else self._actions.move_note_to
        if act(card.draft.place, card.draft.name, place, view.key):
            self.moved_away.emit()

    def _switch(self, card: NoteCard, view: ToolView) -> None:
        card.draft.flush()
        note = card.draft.note
        if note is not None:
            self._actions.switch_note(card.draft.place, note.name, view.key, on=not note.enabled)

    def _save_as_template(self, card: NoteCard) -> None:
        card.draft.flush()
        if card.draft.note is not None:
            from toolnote_desktop.desktop.tool_page.save_template_dialog import SaveTemplateDialog

            note = as_typed(card.draft.note, card.draft.name, card.draft.text)
            SaveTemplateDialog(self._files, note, self._owner.window()).open()
