"""Draft of a note: the editor's text, the saved text, and the time of the next save.

No widget; the card shows its state. Text is submitted after a pause in typing and when the editor loses the focus. A
note is created with its first words, and its name follows them until then.
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
"""Pause in typing after which the text is submitted."""


class DraftState(StrEnum):
    """Save state of the editor's text."""

    SAVED = "saved"
    WAITING = "waiting"  # typed, not submitted yet
    SAVING = "saving"
    EMPTY = "empty"
    TOO_LONG = "too-long"
    NOT_SAVED = "not-saved"  # submitted, but it could not be written or does not fit


class NoteDraft(QObject):
    """Draft of an existing note, or of one to be created in a place.

    Signals:
        changed: the text, the name or the state has changed.
        made: the note was created.
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
        """Note's name, or the name suggested for it."""
        if self.note is not None:
            return self.note.name
        return suggest_note_name(self.text, self._actions.names_in(self.place)) if self._says_something else ""

    @property
    def is_made(self) -> bool:
        """True once the note exists outside the editor."""
        return self.note is not None

    @property
    def _says_something(self) -> bool:
        return bool(self.text.strip()) and (self.is_made or self.text.strip() != self._starter.strip())

    @property
    def has_unsaved_text(self) -> bool:
        """True if the editor has text that was not submitted."""
        return self.text != self._saved_text

    def type(self, text: str) -> None:
        """Accept the editor's new text and schedule its submission."""
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
        """Submit the pending text if it is valid for a note."""
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
        """Submit when the editor loses the focus, and fix the name. An emptied note is removed."""
        self.flush()
        self._name_follows = False
        if self.note is not None and self.state is DraftState.EMPTY and self.has_unsaved_text:
            self._saved_text = self.text
            self._actions.remove_note(self.place, self.note.name, self.row)

    def rename(self, name: str) -> None:
        """Give the note the name that the user chose."""
        self.flush()
        self._name_follows = False
        if self.note is not None and name != self.note.name:
            submitted = self._actions.rename_note(self.place, self.note.name, name, self.row)
            if submitted is not None:
                self._submitted = submitted
                self.note = replace(self.note, name=name)
                self.state = DraftState.SAVING
        self.changed.emit()

    def finish_saving(self, submitted: Submitted, problem: Problem | None) -> None:
        """Record the outcome of writing a submitted change to disk."""
        if submitted is not self._submitted:
            return
        self._submitted = None
        if problem is not None:
            self.state = DraftState.NOT_SAVED
        elif self.state is DraftState.SAVING:
            self.state = DraftState.SAVED
        self.changed.emit()

    def adopt(self, view: NoteView) -> bool:
        """Adopt the library's current state of the note. Return True if the editor must show another text.

        Pending text takes precedence over others' changes; it is submitted next.
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

    def detach(self) -> bool:
        """Handle removal of the note from the library. Return True if unsaved text is left for a new note."""
        self.note = None
        unsaved = self.has_unsaved_text and self._says_something
        self._saved_text = ""
        return unsaved

    def stop(self) -> None:
        """Cancel the pending submission."""
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
