"""One note while it is being written: what stands in the editor, what is saved, and when it is saved next.

No widget: the card shows what this says. Text is submitted after a short pause in typing and when the editor is left; a
note is made with its first words, and until it is left its name follows them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.models.library_rows import RowKey
from toolnote_desktop.desktop.models.tool_view import NoteView
from toolnote_desktop.desktop.widgets.debouncer import Debouncer
from toolnote_desktop.model.names import NOTE_TEXT_LIMIT, suggest_note_name
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes import Note
from toolnote_desktop.store.library import Submitted

PAUSE_MS: Final = 300
"""After so long without a key, what was typed is submitted."""


class DraftState(StrEnum):
    """How what stands in the editor relates to what is saved."""

    SAVED = "saved"
    WAITING = "waiting"  # typed, not submitted yet
    SAVING = "saving"
    EMPTY = "empty"
    TOO_LONG = "too-long"
    NOT_SAVED = "not-saved"  # submitted, but it could not be written or does not fit


class NoteDraft(QObject):
    """A note in a place, or one that is yet to be made there.

    Signals:
        changed: the text, the name or the state is another now.
        made: the note has come to be.
    """

    changed = Signal()
    made = Signal()

    def __init__(
        self,
        actions: Actions,
        place: NoteTarget,
        row: RowKey | None,
        *,
        note: Note | None = None,
        starter: str = "",
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._actions = actions
        self.place = place
        self.row = row
        self.note = note
        self.text = note.note if note is not None else starter
        self.state = DraftState.SAVED if note is not None else DraftState.EMPTY
        self._starter = starter
        self._saved_text = note.note if note is not None else ""
        self._name_follows = note is None
        self._submitted: Submitted | None = None
        self._pause = Debouncer(self, PAUSE_MS, self.flush)

    @property
    def name(self) -> str:
        """The note's name, or the one that it would get."""
        if self.note is not None:
            return self.note.name
        return suggest_note_name(self.text, self._actions.names_in(self.place)) if self._says_something else ""

    @property
    def is_made(self) -> bool:
        """Whether there is such a note outside the editor."""
        return self.note is not None

    @property
    def _says_something(self) -> bool:
        return bool(self.text.strip()) and (self.is_made or self.text.strip() != self._starter.strip())

    @property
    def has_unsaved_text(self) -> bool:
        """Whether the editor holds something that was not submitted."""
        return self.text != self._saved_text

    def type(self, text: str) -> None:
        """The editor holds ``text`` now."""
        if text == self.text:
            return
        self.text = text
        if not self._says_something:
            self._pause.cancel()
            self.state = DraftState.EMPTY
        elif len(text) > NOTE_TEXT_LIMIT:
            self._pause.cancel()
            self.state = DraftState.TOO_LONG
        elif text == self._saved_text:
            self._pause.cancel()
            self.state = DraftState.SAVED
        else:
            self.state = DraftState.WAITING
            self._pause.trigger()
        self.changed.emit()

    def flush(self) -> None:
        """Submit what was typed, if it can be a note."""
        self._pause.cancel()
        if not self.has_unsaved_text or self.state not in (DraftState.WAITING, DraftState.NOT_SAVED):
            return
        submitted = self._make() if self.note is None else self._write(self.note)
        if submitted is None:
            self.state = DraftState.NOT_SAVED
        else:
            self._saved_text = self.text
            self._submitted = submitted
            self.state = DraftState.SAVING
        self.changed.emit()

    def leave(self) -> None:
        """The editor was left: submit, and keep the name from now on. An emptied note is removed."""
        self.flush()
        self._name_follows = False
        if self.note is not None and self.state is DraftState.EMPTY and self.has_unsaved_text:
            self._saved_text = self.text
            self._actions.remove_note(self.place, self.note.name, self.row)

    def rename(self, name: str) -> None:
        """The user has chosen a name."""
        self.flush()
        self._name_follows = False
        if self.note is not None and name != self.note.name:
            submitted = self._actions.rename_note(self.place, self.note.name, name, self.row)
            if submitted is not None:
                self._submitted = submitted
                self.note = replace(self.note, name=name)
                self.state = DraftState.SAVING
        self.changed.emit()

    def settle(self, submitted: Submitted, problem: Problem | None) -> None:
        """What was submitted is on disk, or could not be written."""
        if submitted is not self._submitted:
            return
        self._submitted = None
        if problem is not None:
            self.state = DraftState.NOT_SAVED
        elif self.state is DraftState.SAVING:
            self.state = DraftState.SAVED
        self.changed.emit()

    def take(self, view: NoteView) -> bool:
        """The library's newest state of this note. True where the editor has to show another text.

        What is being typed wins over what others wrote meanwhile; it is submitted next.
        """
        self.note = view.note
        if view.note.note == self._saved_text or self.has_unsaved_text:
            self.changed.emit()
            return False
        self._saved_text = self.text = view.note.note
        self._pause.cancel()
        self.state = DraftState.SAVED
        self.changed.emit()
        return True

    def lose(self) -> bool:
        """The note is gone from the library. True where something unsaved is left to become a new note."""
        self.note = None
        unsaved = self.has_unsaved_text and self._says_something
        self._saved_text = ""
        return unsaved

    def stop(self) -> None:
        """Nothing more is submitted."""
        self._pause.cancel()

    def _make(self) -> Submitted | None:
        name = self.name
        submitted = self._actions.add_note(self.place, name, self.text, self.row, merge=self)
        if submitted is not None:
            self.note = Note(name=name, note=self.text)
            self.made.emit()
        return submitted

    def _write(self, note: Note) -> Submitted | None:
        taken = [one for one in self._actions.names_in(self.place) if one != note.name]
        name = suggest_note_name(self.text, taken) if self._name_follows else note.name
        new_name = name if name != note.name else None
        submitted = self._actions.write_note(self.place, note.name, self.text, self.row, merge=self, new_name=new_name)
        if submitted is not None:
            self.note = replace(note, name=name, note=self.text)
        return submitted
