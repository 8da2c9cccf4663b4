"""Page of notes whose tool is missing: kept until it returns, moved, or removed by the user."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions, place_of_lost
from toolnote_desktop.desktop.models.library_rows import LOST_NOTES, LostNote, lost_notes
from toolnote_desktop.desktop.models.note_places import place_on
from toolnote_desktop.desktop.tool_page.choose_place_dialog import ChoosePlaceDialog
from toolnote_desktop.desktop.tool_page.written_by import WrittenBy, author_words, is_unconfirmed
from toolnote_desktop.desktop.widgets.basics import Button, card, column, empty, label
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.desktop.widgets.page import Page
from toolnote_desktop.guidance.unresolved import LikelyHomes, LikelyTool, Likeness
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.toolsets.note_edits import NoteTarget


class LostNotesPage(Page):
    """Page with a card for each missing tool, with its notes and possible new places."""

    def __init__(self, actions: Actions) -> None:
        super().__init__(self.tr("Notes without a tool"))
        self._actions = actions
        self._shown: tuple[LostNote, ...] | None = None
        self._catalogue: Catalogue | None = None
        self._snapshot: Snapshot | None = None
        self.title.setText(self.tr("Notes without a tool"))
        self.second.setText(self.tr("They are kept and come back with their tool, or move them to another."))
        self._cards = QVBoxLayout()
        self._cards.setSpacing(12)
        self.body.addSpacing(18)
        self.body.addLayout(self._cards)
        self.body.addStretch(1)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the current notes without a tool."""
        lost = lost_notes(snapshot)
        self._snapshot = snapshot
        if lost == self._shown and snapshot.catalogue is self._catalogue:
            return
        self._shown, self._catalogue = lost, snapshot.catalogue
        empty(self._cards)
        homes = LikelyHomes(snapshot.catalogue)
        groups: dict[NoteTarget, list[LostNote]] = {}
        for one in lost:
            groups.setdefault(place_of_lost(one), []).append(one)
        for place, notes in groups.items():
            self._cards.addWidget(self._card(snapshot, place, notes, homes.of(notes[0].reference)))

    def _card(
        self, snapshot: Snapshot, place: NoteTarget, lost: list[LostNote], candidates: tuple[LikelyTool, ...]
    ) -> QWidget:
        first = lost[0]
        box = card("quiet-card")
        inside = column(box, (16, 12, 16, 14), 8)
        toolset = snapshot.toolsets.get(first.toolset or "")
        where = toolset.title if toolset is not None else self.tr("every toolset")
        tool = first.reference.namespaced_name or self.tr("a tool without a name")
        inside.addWidget(label(self.tr("on {tool}, in {toolset}").format(tool=tool, toolset=where), "small"))
        for one in lost:
            inside.addWidget(self._note(snapshot, place, one))
        inside.addWidget(label(self._homes_words(len(lost), bool(candidates)), "second", wraps=True))
        chips = QWidget()
        flow = FlowLayout(chips, spacing=8)
        for candidate in candidates:
            known = candidate.known
            home = place_on(snapshot, known, first.toolset)
            text = self.tr("{tool} of {source}").format(
                tool=known.tool.title, source=messages.source_name(known.tool.server)
            )
            name = self.tr("Move to {tool}: {why}").format(tool=text, why=self._why(candidate))
            button = Button(text, "chip", name=name)
            button.setToolTip(self._why(candidate))
            button.clicked.connect(partial(self._move, place, lost, home))
            flow.addWidget(button)
        other = Button(self.tr("Another tool…"), "chip")
        other.clicked.connect(partial(self._ask, place, lost))
        flow.addWidget(other)
        inside.addWidget(chips)
        return box

    def _note(self, snapshot: Snapshot, place: NoteTarget, lost: LostNote) -> QWidget:
        whole = QWidget()
        inside = column(whole, spacing=4)
        inside.addWidget(label(lost.note.name, "heading"))
        inside.addWidget(label(lost.note.note, wraps=True, can_be_copied=True))
        if is_unconfirmed(lost.note):
            written = WrittenBy()
            written.show_note(snapshot, lost.note)
            written.kept.connect(lambda: self._actions.keep_note(place, lost.note.name, LOST_NOTES))
            written.undone.connect(lambda: self._actions.undo_writing(place, lost.note.name, LOST_NOTES))
            inside.addWidget(written)
        elif words := author_words(snapshot, lost.note):
            inside.addWidget(label(words, "small"))
        row = QHBoxLayout()
        row.setSpacing(16)
        copy = self.tr("Copy the text of the note {name}").format(name=lost.note.name)
        remove = self.tr("Delete the note {name}").format(name=lost.note.name)
        row.addWidget(Button(self.tr("Copy text"), "link", name=copy, pressed=partial(_copy, lost.note.note)))
        row.addWidget(
            Button(self.tr("Delete"), "link", name=remove, pressed=partial(self._actions.remove_lost_note, lost))
        )
        row.addStretch(1)
        inside.addLayout(row)
        return whole

    def _homes_words(self, count: int, has_candidates: bool) -> str:
        if not has_candidates:
            return self.tr("No similar tool found. Choose one:")
        if count == 1:
            return self.tr("It may belong to one of these tools:")
        return self.tr("They may belong to one of these tools:")

    def _why(self, candidate: LikelyTool) -> str:
        match candidate.likeness:
            case Likeness.SAME_NAME:
                return self.tr("same name")
            case Likeness.SIMILAR_NAME:
                return self.tr("similar name")
        return self.tr("similar parameters")

    def _move(self, place: NoteTarget, lost: list[LostNote], home: NoteTarget, _checked: bool = False) -> None:
        self._actions.move_lost_notes(place, [one.note for one in lost], home)

    def _ask(self, place: NoteTarget, lost: list[LostNote], _checked: bool = False) -> None:
        if self._snapshot is None:
            return
        title = self.tr("Move {notes}").format(notes=messages.count_notes(len(lost)))
        dialog = ChoosePlaceDialog(self._snapshot, title, self.tr("Move here"), lost[0].toolset, self.window())
        dialog.place_chosen.connect(partial(self._move, place, lost))
        dialog.open()


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
