"""Undo stack of all changes: each step has a text and the edits that revert it (docs/architecture.md).

Undo is an edit like any other, against the current documents; a step that no longer applies is reported and dropped.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal

from toolnote_desktop.desktop.editing.change_text import action_name, describe, is_undoable
from toolnote_desktop.desktop.models.library_rows import RowKey
from toolnote_desktop.model.edits import Edit
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.toolsets.note_edits import EditNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import USER
from toolnote_desktop.store.library import FILE_ORIGIN, REGISTRY_ORIGIN, Change, Library, Submitted

MERGE_SECONDS: Final = 5.0
"""Seconds of pause within which continued typing belongs to the same step."""

MOST_STEPS: Final = 500

_NOBODY: Final = frozenset({FILE_ORIGIN.author, REGISTRY_ORIGIN.author})


class Step(Struct, eq=False):
    """Step of the undo stack.

    Attributes:
        words: the change as a sentence without its full stop.
        action_name: verb and object, such as *Delete Note*.
        inverse: the edits that revert it, in the order to submit.
        place: the row of the library where it was done.
        author: ``user`` or a client's id.
        merge: steps with an equal key that follow each other shortly are one; None: never.
    """

    words: str
    inverse: tuple[Edit, ...]
    place: RowKey | None = None
    author: str = USER
    merge: Hashable | None = None
    when: float = field(default=0.0)
    action_name: str = ""

    @property
    def written(self) -> RemoveNote | EditNote | None:
        """Inverse of the one note that was written; None for another change."""
        found = [edit for edit in self.inverse if isinstance(edit, RemoveNote | EditNote)]
        return found[0] if len(found) == len(self.inverse) == 1 else None


class UndoStack(QObject):
    """Submit the window's edits and undo or redo them.

    Signals:
        failed: a ``Problem``: an edit does not fit, or could not be saved.
        save_settled: ``(Submitted, Problem | None)``: whether what was submitted is on disk.
        stack_changed: what can be undone or redone has changed.
        undone: a ``Step``, and whether by redo.
        done_by_assistant: a ``Step`` that an assistant made.
    """

    failed = Signal(object)
    save_settled = Signal(object, object)
    stack_changed = Signal()
    undone = Signal(object, bool)
    done_by_assistant = Signal(object)

    _came = Signal(object)

    def __init__(
        self, library: Library, parent: QObject | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._clock = clock
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._submitting_in: int | None = None
        self._open = True
        # queued: a change may arrive in any thread and in the middle of a submit
        self._came.connect(self._take_in, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = library.subscribe(self._note_change)

    def close(self) -> None:
        """Stop listening for changes."""
        self._open = False
        self._unsubscribe()

    @property
    def next_undo(self) -> Step | None:
        """Step that undo reverts: the newest of the user, else the newest of an assistant."""
        own = (step for step in reversed(self._done) if step.author == USER)
        return next(own, self._done[-1] if self._done else None)

    @property
    def next_redo(self) -> Step | None:
        """Step that redo applies again."""
        return self._undone[-1] if self._undone else None

    def last_writing(self, place: NoteTarget, name: str) -> Step | None:
        """Return the newest step of an assistant that wrote a note, if nothing has changed the note since."""
        for step in reversed(self._done):
            for edit in step.inverse:
                if isinstance(edit, RemoveNote | EditNote) and edit.name == name and _is_same(edit.place, place):
                    return step if step.author != USER else None
        return None

    def submit(
        self, words: str, *edits: Edit, place: RowKey | None = None, merge: Hashable | None = None
    ) -> Submitted | None:
        """Submit edits as one step. Return None and emit ``failed`` if they do not apply."""
        submitted = self._try(edits)
        if submitted is not None and edits:
            self._undone.clear()
            step = Step(
                words, submitted.inverse, place, merge=merge, when=self._clock(), action_name=action_name(edits)
            )
            self._push(step)
        return submitted

    def undo(self) -> None:
        """Undo :attr:`next_undo`."""
        step = self.next_undo
        if step is not None:
            self.undo_step(step)

    def redo(self) -> None:
        """Redo the step that was undone last."""
        step = self.next_redo
        if step is None:
            return
        self._undone.remove(step)
        submitted = self._try(step.inverse)
        if submitted is not None:
            self._done.append(
                Step(step.words, submitted.inverse, step.place, step.author, action_name=step.action_name)
            )
            self.undone.emit(step, True)
        self.stack_changed.emit()

    def undo_step(self, step: Step) -> bool:
        """Undo one step, not necessarily the newest. Return False if it was undone before or no longer applies."""
        if step not in self._done:
            return False
        self._done.remove(step)
        submitted = self._try(step.inverse)
        if submitted is not None:
            self._undone.append(
                Step(step.words, submitted.inverse, step.place, step.author, action_name=step.action_name)
            )
            self.undone.emit(step, False)
        self.stack_changed.emit()
        return submitted is not None

    def _try(self, edits: Sequence[Edit]) -> Submitted | None:
        self._submitting_in = threading.get_ident()
        try:
            submitted = self._library.submit(*edits)
        except ToolnoteError as error:
            self.failed.emit(error.problem)
            return None
        finally:
            self._submitting_in = None
        self._report_saved(submitted)
        return submitted

    def _report_saved(self, submitted: Submitted) -> None:
        from toolnote_desktop.desktop.async_tasks import spawn, wait_for  # after the first paint

        async def report() -> None:
            problem = None
            try:
                await wait_for(submitted.saved)
            except ToolnoteError as error:
                problem = error.problem
            except Exception as error:  # noqa: BLE001 - whatever a disk does, the user sees that it is not saved
                problem = Problem(Code.FILE_NOT_WRITTEN, {"file": "?", "reason": str(error)})
            if self._open:
                self.save_settled.emit(submitted, problem)

        spawn(self, report())

    def _push(self, step: Step) -> None:
        last = self._done[-1] if self._done else None
        mergeable = last is not None and step.merge is not None and step.merge == last.merge
        if last is not None and mergeable and step.when - last.when <= MERGE_SECONDS:
            last.inverse = merged_inverse(step.inverse, last.inverse)
            last.when = step.when
        else:
            self._done.append(step)
            del self._done[:-MOST_STEPS]
        self.stack_changed.emit()

    def _note_change(self, change: Change) -> None:
        """Handle a change in any thread; the window's own submits are steps already."""
        ours = self._submitting_in == threading.get_ident()
        if self._open and change.inverse and not ours and change.origin.author not in _NOBODY and is_undoable(change):
            self._came.emit(change)

    def _take_in(self, change: Change) -> None:
        """Record a change submitted elsewhere: by the tray, a dialog or an assistant."""
        author = change.origin.author
        words, place = describe(change)
        step = Step(words, change.inverse, place, author, when=self._clock(), action_name=action_name(change.edits))
        self._push(step)
        if author != USER:
            self.done_by_assistant.emit(step)


def _is_same(one: NoteTarget, other: NoteTarget) -> bool:
    """Return True if two targets are one list of notes; a tool may be named in two ways."""
    if (one.document, one.scope, one.key) != (other.document, other.scope, other.key):
        return False
    a, b = one.reference, other.reference
    if a is None or b is None:
        return a is b
    named = a.namespaced_name is not None and a.namespaced_name == b.namespaced_name
    return named or (a.ref_id is not None and a.ref_id == b.ref_id)


def merged_inverse(newer: Sequence[Edit], older: Sequence[Edit]) -> tuple[Edit, ...]:
    """Merge the inverses of two steps; continued typing stays one edit."""
    if len(newer) == 1 and len(older) == 1:
        both = _merged_typing(newer[0], older[0])
        if both is not None:
            return (both,)
    return (*newer, *older)


def _merged_typing(newer: Edit, older: Edit) -> Edit | None:
    """Merge two inverses of edits to one note, which may have been renamed between them."""
    if not isinstance(newer, EditNote):
        return None
    name_then = newer.fields.get("name", newer.name)
    if isinstance(older, EditNote) and (older.place, older.name) == (newer.place, name_then):
        return EditNote(newer.place, newer.name, {**newer.fields, **older.fields})
    if isinstance(older, RemoveNote) and (older.place, older.name) == (newer.place, name_then):
        return replace(older, name=newer.name)
    return None
