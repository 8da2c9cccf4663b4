"""Details of one call: what the server answered, the notes that the assistant had read, and a note about it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.activity.calls_model import CallRow, duration, notes_read
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.note_offers import example_note, failure_on, language, ready_note
from toolnote_desktop.desktop.tool_page.new_note import NoteEditor
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton
from toolnote_desktop.desktop.widgets.page import Inspector
from toolnote_desktop.guidance.effects import notes_in_use
from toolnote_desktop.guidance.failure_notes import Lesson, failure_text, sent_value
from toolnote_desktop.model.calls.outcome import OWN_CLASS, Outcome, ReadNote
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.store.activity_database import Call

_LONGEST_SHOWN = 4_000


_MOST_FINDINGS: Final = 3


class CallContext(Struct, frozen=True):
    """Call with what is read beside it: calls that failed in the same way, and arguments that worked afterwards."""

    row: CallRow
    same_failures: int = 0
    worked: JsonObject | None = None


class CallDetails(Inspector):
    """See the module.

    Signals:
        place_requested: the ``RowKey`` of the tool.
        note_added: name of the note that was added.
        keep_chosen: ``(server, days)``: for how long arguments and results are recorded; 0: not at all.
    """

    place_requested = Signal(object)
    note_added = Signal(str)
    keep_chosen = Signal(str, int)

    def __init__(self, actions: Actions) -> None:
        super().__init__(self.tr("Details"))
        self._actions = actions
        self.call: Call | None = None
        self._snapshot: Snapshot | None = None
        self._context: CallContext | None = None
        self.sign = Dot()
        self.heading = label("", "heading", wraps=True)
        self.about = label("", "second", wraps=True)
        head = QWidget()
        lines = column(head, (0, 10, 0, 24), 4)
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        first.addWidget(self.heading, 1)
        lines.addLayout(first)
        lines.addWidget(self.about)
        self.body.insertWidget(0, head)
        self.answer = self.add_section("")
        self.contents = self.add_section(self.tr("Sent and received"))
        self.read = self.add_section(self.tr("Notes it had read"), self.tr("Open tool"), self._open_tool)
        self.write = self.add_section(self.tr("Write a note about this"))
        self.editor = NoteEditor(actions)
        self.editor.added.connect(self.note_added)
        self.editor.discarded.connect(self._close_editor)
        self.lesson_text = label("", "second", wraps=True)
        self.note_text = label("", wraps=True)
        self.take_button = Button(self.tr("Add this note"), "text", pressed=self._take_ready)
        self.use_button = Button(self.tr("Write a note…"), "text", pressed=self._open_editor)
        self.bench_button = Button(self.tr("Add to the bench"), "text", pressed=self._add_to_bench)
        self.worked_button = Button(self.tr("Use what worked"), "text", pressed=self._use_example)
        for widget in (
            self.lesson_text,
            self.note_text,
            self.take_button,
            self.use_button,
            self.worked_button,
            self.bench_button,
            self.editor,
        ):
            leading = isinstance(widget, Button) and Qt.AlignmentFlag.AlignLeading
            self.write.rows.addWidget(widget, 0, leading or Qt.AlignmentFlag(0))
        self.keep = MenuButton(self.tr("What is kept of its calls"), small=True)
        self.kept = label("", "small", wraps=True)
        self._texts = QVBoxLayout()
        self.contents.rows.addLayout(self._texts)
        self.contents.rows.addWidget(self.kept)
        self.contents.rows.addWidget(self.keep, 0, Qt.AlignmentFlag.AlignLeading)
        self.keep.chosen.connect(lambda days: self.keep_chosen.emit(self.call.server if self.call else "", int(days)))

    def show_call(self, snapshot: Snapshot, context: CallContext) -> None:
        """Show a call."""
        changed = self.call is None or self.call.id != context.row.call.id
        self._snapshot, self._context, self.call = snapshot, context, context.row.call
        row, call = context.row, context.row.call
        self.sign.show_mark(Mark.WRONG if row.failed else Mark.OFF if call.outcome is Outcome.REFUSED else Mark.NONE)
        self.sign.setVisible(call.outcome is not Outcome.WORKED)
        self.heading.setText(self._heading(row))
        about = self.tr("{source}, called by {assistant} {when}").format(
            source=messages.source_name(call.server), assistant=row.assistant, when=when_text(call.time)
        )
        self.about.setText(about)
        self._show_answer(call)
        self._show_contents(call)
        self._show_notes(call)
        if changed:
            self._close_editor()
        self._show_offer()

    def _heading(self, row: CallRow) -> str:
        match row.call.outcome:
            case Outcome.WORKED:
                return self.tr("{tool} worked in {time}").format(tool=row.tool, time=duration(row.call.seconds))
            case Outcome.REFUSED:
                return self.tr("{tool} was not allowed").format(tool=row.tool)
            case Outcome.CANCELLED:
                return self.tr("{tool} was canceled").format(tool=row.tool)
            case Outcome.TIMED_OUT:
                return self.tr("{tool} took too long").format(tool=row.tool)
        return self.tr("{tool} failed").format(tool=row.tool)

    def _show_answer(self, call: Call) -> None:
        self.answer.clear()
        message = call.message or (call.error if call.outcome is not Outcome.WORKED else "") or ""
        self.answer.setVisible(bool(message))
        if not message:
            return
        is_ours = (call.error or "").startswith(OWN_CLASS)
        who = "Toolnote" if is_ours else messages.source_name(call.server)
        self.answer.heading.setText(self.tr("What {source} answered").format(source=who))
        self.answer.rows.addWidget(box_of(message, "wrong-box"))
        for sentence in _suspicious(message) if not is_ours else ():
            self.answer.rows.addWidget(label(sentence, "wrong", wraps=True))
        self.answer.rows.addSpacing(8)

    def _show_contents(self, call: Call) -> None:
        empty(self._texts)
        server = self._snapshot.servers.get(call.server) if self._snapshot is not None else None
        self.contents.setVisible(server is not None)
        if server is None:
            return
        is_ours = (call.error or "").startswith(OWN_CLASS)
        for text in (call.arguments, call.result):
            if text:
                self._texts.addWidget(box_of(text, "box"))
                for sentence in _suspicious(text) if text is call.result and not is_ours else ():
                    self._texts.addWidget(label(sentence, "wrong", wraps=True))
                self._texts.addSpacing(8)
        days = server.toolnote.record_contents or 0
        if days:
            kept = self.tr("Kept for %n days.", "", days)
        else:
            kept = self.tr("Toolnote keeps what {source} answered to a failed call, nothing else.").format(
                source=messages.source_name(call.server)
            )
        self.kept.setText(kept)
        choices = [
            Choice(self.tr("Keep nothing else"), 0),
            *(Choice(self.tr("Keep what is sent and received for %n days", "", one), one) for one in (7, 30, 90)),
        ]
        if days and days not in (7, 30, 90):
            choices.append(Choice(self.tr("Keep what is sent and received for %n days", "", days), days))
        self.keep.set_choices(choices, days)

    def _show_notes(self, call: Call) -> None:
        self.read.clear()
        if self.read.link is not None:
            self.read.link.setVisible(self._known() is not None)
        if call.notes is None:
            self.read.rows.addWidget(label(self.tr("Not known: it had fetched no list."), "second", wraps=True))
            return
        if not call.notes:
            self.read.rows.addWidget(label(self.tr("None"), "second"))
        for note in call.notes:
            self.read.add_fact(note.name, self._author(note)).setProperty("kind", "second")
        if call.behind:
            self.read.rows.addWidget(label(notes_read(call), "attention"))

    def _author(self, note: ReadNote) -> str:
        name = messages.author_name(self._snapshot, note.author) if self._snapshot is not None else note.author
        day = QDateTime.fromString(note.created_at or "", Qt.DateFormat.ISODate).toLocalTime().date()
        shown = QLocale().toString(day, QLocale.FormatType.ShortFormat) if day.isValid() else ""
        return ", ".join(part for part in (name or messages.translate("activity", "You"), shown) if part)

    def _known(self) -> KnownTool | None:
        if self._snapshot is None or self.call is None:
            return None
        return self._snapshot.catalogue.tools.get((self.call.server, self.call.tool))

    def _open_tool(self) -> None:
        if self.call is not None:
            self.place_requested.emit(RowKey(Kind.TOOL, self.call.server, self.call.tool))

    # --- a note about it

    def _show_offer(self) -> None:
        known, context = self._known(), self._context
        self.write.setVisible(known is not None)
        if known is None or context is None:
            return
        call, is_open = context.row.call, not self.editor.isHidden()
        said, ready = "", self._ready_note()
        if ready is not None and call.error is not None:
            failure = failure_on(known, call.error, call.refused)
            sent = sent_value(failure, call.arguments)
            said = f"{failure_text(failure, max(context.same_failures, 1), language(), sent)}."
        self.lesson_text.setText(said)
        self.note_text.setText(ready.text if ready is not None else "")
        for widget in (self.lesson_text, self.note_text, self.take_button):
            widget.setVisible(ready is not None)
        self.use_button.setVisible(not is_open and ready is None)
        self.worked_button.setVisible(not is_open and context.worked is not None)
        self.bench_button.setVisible(not is_open and context.row.failed and self._bench_toolset() is not None)

    def _ready_note(self) -> Lesson | None:
        """Return the note that would prevent this failure; None without one, or where the tool has it."""
        known, context = self._known(), self._context
        if known is None or context is None or self._snapshot is None or not context.row.failed:
            return None
        call = context.row.call
        ready = ready_note(failure_on(known, call.error, call.refused)) if call.error is not None else None
        is_taken = ready is not None and ready.name in {one.name for one in notes_in_use(self._snapshot, known)}
        return None if is_taken else ready

    def begun_note(self) -> Lesson:
        """Return the beginning of a note about this call."""
        context = self._context
        assert context is not None
        call = context.row.call
        if context.row.failed and call.error is not None:
            text = self.tr("When {source} answers “{message}”: ")
            return Lesson("", text.format(source=call.server, message=(call.message or call.error)[:200]))
        return Lesson("", "")

    def _open_editor(self) -> None:
        self._edit(self.begun_note())

    def _take_ready(self) -> None:
        self._take(self._ready_note())

    def _use_example(self) -> None:
        self._take(example_note(self._context.worked) if self._context is not None and self._context.worked else None)

    def _take(self, note: Lesson | None) -> None:
        """Add a ready note as one undoable step."""
        known = self._known()
        if known is None or note is None or self.call is None:
            return
        name = self._actions.take_offer(known, note, self.call.toolset)
        if name is not None:
            self.note_added.emit(name)

    def _bench_toolset(self) -> str | None:
        """Return the toolset of the call, else the shared one, if it still exists."""
        if self._snapshot is None or self.call is None:
            return None
        name = self.call.toolset or self._snapshot.settings.equipped_toolset
        return name if name in self._snapshot.toolsets else None

    def _add_to_bench(self) -> None:
        known, toolset = self._known(), self._bench_toolset()
        worked = self._context.worked if self._context is not None else None
        if known is not None and toolset is not None and self._actions.add_prompt(toolset, known, worked) is not None:
            self.place_requested.emit(RowKey(Kind.BENCH, toolset))

    def _edit(self, note: Lesson) -> None:
        known = self._known()
        if known is None or self._snapshot is None or self.call is None:
            return
        self.editor.offer(self._snapshot, known, note, self.call.toolset)
        self.editor.show()
        self._show_offer()
        self.editor.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _close_editor(self) -> None:
        self.editor.hide()
        self._show_offer()


def box_of(text: str, kind: str) -> QFrame:
    """Return a box with text as it came."""
    frame = QFrame()
    frame.setProperty("kind", kind)
    inside = column(frame, (12, 8, 12, 8), 0)
    shown = label(text[:_LONGEST_SHOWN], "name", wraps=True, can_be_copied=True)
    inside.addWidget(shown)
    return frame


def when_text(seconds: float, now: datetime | None = None) -> str:
    """Return the day and the time of a call, for the middle of a sentence."""
    now = now or datetime.now(UTC).astimezone()
    days = (now.date() - datetime.fromtimestamp(seconds, UTC).astimezone().date()).days
    then = QDateTime.fromSecsSinceEpoch(int(seconds))
    to_the_minute = QLocale().timeFormat(QLocale.FormatType.ShortFormat)
    time = QLocale().toString(then.time(), re.sub(r"(\W)mm", r"\1mm\1ss", to_the_minute))
    if days == 0:
        return messages.translate("activity", "today at {time}").format(time=time)
    day = QLocale().toString(then.date(), QLocale.FormatType.ShortFormat)
    return messages.translate("activity", "on {day} at {time}").format(day=day, time=time)


def _suspicious(text: str) -> list[str]:
    """Return what the scanner finds in an answer of a server: a mark, never a block."""
    from toolnote_desktop.guidance.scanner import answer_findings  # not before the first paint

    found = answer_findings(text)[:_MOST_FINDINGS]
    return [messages.finding_text(one.kind, "", one.excerpt) for one in found]
