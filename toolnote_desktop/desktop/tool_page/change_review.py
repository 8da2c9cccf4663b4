"""Page on which the user decides about a tool or prompt that its server changed: before and now, notes on the tool."""

from __future__ import annotations

import difflib
import html
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.tool_settings import ToolSettingsEditor
from toolnote_desktop.desktop.models.condensed_texts import condensed, cut
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.note_places import place_on
from toolnote_desktop.desktop.models.tool_view import ToolView, tool_view
from toolnote_desktop.desktop.theme.colours import Colours, colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.desktop.tool_page.parameters import type_name
from toolnote_desktop.desktop.tool_page.written_by import WrittenBy, author_words, is_unconfirmed
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import (
    Button,
    align_to_language,
    column,
    empty,
    fit_to_lines,
    hairline,
    label,
)
from toolnote_desktop.desktop.widgets.controls import paint_user_block
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel, made_visible
from toolnote_desktop.desktop.widgets.page import Crumb, Foot, Page, Width
from toolnote_desktop.guidance.definition_review import ReviewedNote, ToolReview, prompt_review, tool_review
from toolnote_desktop.guidance.unresolved import following_edits, moved_notes
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import Edit
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.catalogue import KnownTool, ReviewState
from toolnote_desktop.model.tools.definition_changes import ChangeKind, as_tool
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes import Scope

_LONGEST: Final = 4_000
"""Characters of a text that are compared and shown."""

_TOKEN: Final = re.compile(r"\s+|\w+|[^\w\s]")
_RISKS: Final = (ChangeKind.WRITES, ChangeKind.DESTROYS, ChangeKind.REACHES_OUT)


class ChangeReviewPage(Page):
    """See the module."""

    def __init__(self, actions: Actions, settings: ToolSettingsEditor) -> None:
        super().__init__("")
        self._actions, self._settings = actions, settings
        self._snapshot: Snapshot | None = None
        self._known: KnownTool | None = None
        self._view: ToolView | None = None
        self._shown: ToolReview | None = None
        self._is_prompt = self._is_outdated = False
        self._about: tuple[bool, ToolKey] | None = None
        self._content = QWidget()
        self._rows = column(self._content, spacing=0)
        self.again = label("", "attention", wraps=True)
        self.again.hide()
        self.body.addWidget(self.again)
        self.body.addSpacing(24)
        self.body.addWidget(self._content)
        self.body.addStretch(1)
        self.off_button = Button(self.tr("Turn off this tool"), pressed=self._turn_off)
        self.keep_button = Button(self.tr("Keep the old version"), pressed=self._keep)
        self.accept_button = Button(self.tr("Accept"), "primary", pressed=self._accept)
        self.ask_button: Button | None = None
        self.follow_button: Button | None = None
        self._waiting: tuple[Edit, ...] = ()
        self._foot = Foot()
        self._foot.row.addWidget(self.off_button)
        self._foot.row.addStretch(1)
        self._words = label("", "second", wraps=True)
        self._foot.row.addWidget(self._words, 2)
        self._foot.row.addWidget(self.keep_button)
        self._foot.row.addWidget(self.accept_button)

    def foot(self) -> QWidget:
        return self._foot

    def set_width_class(self, width: Width) -> None:
        """Put *Turn off* beside the title, and the sentence away, where the foot has no room for them."""
        super().set_width_class(width)
        is_wide = width is Width.WIDE
        self._words.setVisible(is_wide)
        self.keep_button.setToolTip("" if is_wide else self._words.text())
        if is_wide:
            self._foot.row.insertWidget(0, self.off_button)
        else:
            self.controls.addWidget(self.off_button)

    def crumbs(self) -> tuple[Crumb, ...]:
        if self._known is None:
            return ()
        tool = self._known.tool
        if self._is_prompt:
            return (Crumb(messages.source_name(tool.server), RowKey(Kind.SERVER, tool.server)),)
        return (
            Crumb(messages.source_name(tool.server), RowKey(Kind.SERVER, tool.server)),
            Crumb(tool.title, RowKey(Kind.TOOL, *tool.key)),
        )

    def show_tool(self, snapshot: Snapshot, known: KnownTool) -> None:
        """Show the review of a changed tool."""
        self._is_prompt, self._view = False, tool_view(snapshot, RowKey(Kind.TOOL, *known.tool.key))
        self.off_button.setText(self.tr("Turn off this tool"))
        self._words.setText(
            self.tr("Keeping the old version keeps its text. The tool itself already works the new way.")
        )
        self._show(snapshot, known, tool_review(snapshot, known))

    def show_prompt(self, snapshot: Snapshot, known: KnownTool) -> None:
        """Show the review of a changed prompt."""
        self._is_prompt, self._view = True, None
        self.off_button.setText(self.tr("Turn off this prompt"))
        self._words.setText(self.tr("Keeping the old version keeps its description. Its messages are the new ones."))
        self._show(snapshot, known, prompt_review(known))

    def _show(self, snapshot: Snapshot, known: KnownTool, review: ToolReview) -> None:
        about = (self._is_prompt, known.tool.key)
        is_read, self._about = self.isVisible() and self._about == about, about
        self._snapshot, self._known = snapshot, known
        self.title.setText(self.tr("{0} changed {1}").format(messages.source_name(known.tool.server), known.tool.title))
        self.second.setText(
            self.tr("Assistants already read the new version.")
            if known.review is ReviewState.SHOWN
            else self.tr("Assistants still read the old version.")
        )
        self.setAccessibleName(self.title.text())
        self.keep_button.setVisible(known.review is not ReviewState.KEPT)
        waiting = following_edits(snapshot, known)
        if not is_read:
            self.again.hide()
        if is_read and not self._is_as_shown(known):  # nothing changes under the eyes and the pointer of the user
            self._is_outdated = True
            self._say_again(self.tr("Its server changed it once more since this was shown."))
            self.accept_button.setText(self.tr("Show the newest version"))
        elif self._is_outdated or (review, waiting) != (self._shown, self._waiting):
            self._waiting = waiting
            self._show_review(review)
        self.chrome_changed.emit()

    def _show_review(self, review: ToolReview) -> None:
        self._shown, self._is_outdated = review, False
        self.again.hide()
        self.accept_button.setText(self.tr("Accept"))
        self._fill(review)

    def _say_again(self, text: str) -> None:
        self.again.setText(text)
        self.again.show()

    def _is_as_shown(self, known: KnownTool) -> bool:
        shown = self._shown
        return shown is not None and shown.known.newest.fingerprint == known.newest.fingerprint

    def _fill(self, review: ToolReview) -> None:
        self.ask_button = self.follow_button = None
        empty(self._rows)
        scheme = colours(self.palette())
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(0)
        grid.setColumnMinimumWidth(0, round(184 * text_scale()))
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        for number, text in enumerate(("", self.tr("Before"), self.tr("Now"))):
            head = label(text, "group")
            head.setContentsMargins(0, 0, 0, 8)
            grid.addWidget(head, 0, number)
        row = 1
        for name, before, now in self._differences(review):
            grid.addWidget(hairline(), row, 0, 1, 3)
            if before == self.tr("Didn’t exist"):
                old, new = _escaped(before), _marked("", now, scheme)[1]
            elif now == self.tr("Gone"):
                old, new = _marked(before, "", scheme)[0], _escaped(now)
            else:
                old, new = _marked(before, now, scheme)
            grid.addWidget(_cell(html.escape(made_visible(name)), "second"), row + 1, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(_cell(old, plain=before), row + 1, 1, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(_cell(new, plain=now), row + 1, 2, Qt.AlignmentFlag.AlignTop)
            row += 2
        grid.addWidget(hairline(), row, 0, 1, 3)
        self._rows.addLayout(grid)
        if not self._is_prompt:
            self._show_notes(review)
        if any(change.kind is ChangeKind.DESTROYS for change in review.changes):
            self._rows.addSpacing(20)
            self._rows.addWidget(self._safeguard())

    def _show_notes(self, review: ToolReview) -> None:
        self._rows.addSpacing(32)
        count = len(review.notes)
        text = self.tr("Your %n notes on this tool", None, count) if count != 1 else self.tr("Your note on this tool")
        self._rows.addWidget(label(text if count else self.tr("You have no notes on this tool"), "section"))
        self._rows.addSpacing(8)
        if self._waiting:
            self._rows.addWidget(self._left_on_old_name(review.known))
            self._rows.addSpacing(8)
        for note in review.notes:
            self._rows.addWidget(_NoteRow(note, self._verdict(note), self._author_of(note)))
            self._rows.addSpacing(8)

    def _left_on_old_name(self, known: KnownTool) -> QWidget:
        """Offer to move what is still on the earlier name: notes, places in toolsets, other words."""
        holder = QWidget()
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        notes = moved_notes(self._waiting)
        text = self.tr("It was called {0}, and {1} are still on that name.")
        if notes == 1:
            text = self.tr("It was called {0}, and {1} is still on that name.")
        elif not notes:
            text = self.tr("It was called {0}, and your settings are still on that name.")
        text = text.format(known.renamed_from, messages.count_notes(notes))
        line.addWidget(label(text, "attention", wraps=True), 1)
        self.follow_button = Button(self.tr("Move to the new name"), pressed=self._move_notes)
        line.addWidget(self.follow_button)
        return holder

    def _author_of(self, note: ReviewedNote) -> QWidget:
        """Return the line that names the author; an assistant's note is kept or undone there."""
        snapshot, known = self._snapshot, self._known
        assert snapshot is not None
        assert known is not None
        if not is_unconfirmed(note.note):
            return label(author_words(snapshot, note.note), "small")
        keys = {Scope.GLOBAL: None, Scope.SERVER: known.tool.server, Scope.TOOL: known.tool.namespaced_name}
        if note.scope is Scope.TOOLSET:
            place = place_on(snapshot, known, note.toolset)
        else:
            place = NoteTarget.everywhere(note.scope, keys[note.scope])
        written, row = WrittenBy(), RowKey(Kind.TOOL, *known.tool.key)
        written.show_note(snapshot, note.note)
        written.kept.connect(lambda: self._actions.keep_note(place, note.note.name, row))
        written.undone.connect(lambda: self._actions.undo_writing(place, note.note.name, row))
        return written

    def _verdict(self, note: ReviewedNote) -> str:
        if note.names:
            return self.tr("Check this note. It names {0}, which changed.").format(", ".join(note.names))
        return self.tr("Still fits. It names nothing that changed.")

    def _safeguard(self) -> QWidget:
        asks = self._view is not None and self._view.effective.approval == "ask"
        holder = QWidget()
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(Dot(Mark.GOOD if asks else Mark.ATTENTION))
        text = (
            self.tr("This tool can now delete data. Ask me first is on, so you see each call before it runs.")
            if asks
            else self.tr("This tool can now delete data. Ask me first is off.")
        )
        line.addWidget(label(text, "second"))
        if not asks:
            name = self.tr("Turn on Ask me first")
            self.ask_button = Button(self.tr("Turn on"), "link", name=name, pressed=self._ask_first)
            line.addWidget(self.ask_button)
        line.addStretch(1)
        return holder

    # --- before and now

    def _differences(self, review: ToolReview) -> Iterator[tuple[str, str, str]]:
        """Yield a name with the texts before and now, for each thing that changed."""
        before, now = review.known.accepted.definition, review.known.newest.definition
        kinds = {change.kind for change in review.changes}
        if ChangeKind.DESCRIPTION in kinds:
            yield self.tr("Description"), _text(before.get("description")), _text(now.get("description"))
        names = {
            ChangeKind.WRITES: self.tr("Can change data"),
            ChangeKind.DESTROYS: self.tr("Can delete data"),
            ChangeKind.REACHES_OUT: self.tr("Reaches the outside world"),
        }
        yes, no = self.tr("Yes"), self.tr("No")
        for kind in _RISKS:
            if kind in kinds:
                yield names[kind], no, yes
            elif any(one.kind is ChangeKind.SAFER and one.subject == str(kind) for one in review.changes):
                yield names[kind], yes, no
        yield from self._parameters(before, now, {one.subject for one in review.changes if one.kind in _OF_PARAMETERS})
        for change in review.changes:
            if change.kind in (ChangeKind.TITLE, ChangeKind.NAME):
                name = self.tr("Title") if change.kind is ChangeKind.TITLE else self.tr("Name")
                yield name, change.before, change.after
            elif change.kind in (ChangeKind.HINT, ChangeKind.OUTPUT, ChangeKind.OTHER, ChangeKind.SCHEMA):
                yield change.subject or self.tr("Parameters"), change.before, change.after

    def _parameters(self, before: Any, now: Any, changed: set[str]) -> Iterator[tuple[str, str, str]]:
        was, will = (as_tool(one)["inputSchema"] for one in (before, now))
        old, new = top_level_arguments(was), top_level_arguments(will)
        needed, needs = was.get("required"), will.get("required")
        for name in {**new, **old}:
            if name in changed:
                texts = [
                    self._described(schema[name], required=isinstance(wanted, list) and name in wanted)
                    if name in schema
                    else missing
                    for schema, wanted, missing in (
                        (old, needed, self.tr("Didn’t exist")),
                        (new, needs, self.tr("Gone")),
                    )
                ]
                yield self.tr("Parameter {0}").format(name), texts[0], texts[1]

    def _described(self, schema: Any, *, required: bool) -> str:
        if not isinstance(schema, dict):
            return _text(schema)
        kind = schema.get("type")
        if isinstance(schema.get("enum"), list):
            text = self.tr("Choice of {0}").format(", ".join(map(_text, schema["enum"])))
        else:
            text = type_name(_text(kind) if kind else "any")
        parts = [text, self.tr("required") if required else "", _text(schema.get("description"))]
        known = ("type", "enum", "description", "title")
        rest = {key: value for key, value in schema.items() if key not in known}
        parts.append(json_text.dumps(rest).decode("utf-8") if rest else "")
        return ". ".join(part.rstrip(".") for part in parts if part) + "."

    # --- decisions

    def _accept(self) -> None:
        """Accept what is shown; where that is not the newest version any more, show this."""
        if self._is_outdated and self._known is not None:
            self._show_newest(self._known)
        else:
            self._decide("accept", self._actions.accept_definition)

    def _show_newest(self, known: KnownTool) -> None:
        assert self._snapshot is not None
        self._show_review(prompt_review(known) if self._is_prompt else tool_review(self._snapshot, known))
        self._say_again(self.tr("This is the newest version. Its server sent it after the one that was shown."))

    def _keep(self) -> None:
        self._decide("keep", self._actions.keep_definition)

    def _turn_off(self) -> None:
        self._decide("off", self._actions.turn_off_changed)

    def _decide(self, decision: Literal["accept", "keep", "off"], of_tool: Callable[[KnownTool], None]) -> None:
        known = self._known
        if known is None:
            return
        if self._is_prompt:
            self._actions.decide_on_prompt(known, decision)
            self.place_requested.emit(RowKey(Kind.SERVER, known.tool.server))
        else:
            of_tool(known)
            self.place_requested.emit(RowKey(Kind.TOOL, *known.tool.key))
        self.said.emit("", True)

    def _move_notes(self) -> None:
        if self._known is not None and self._actions.move_notes_to_new_name(self._known):
            self.said.emit("", True)

    def _ask_first(self) -> None:
        if self._view is not None:
            self._settings.ask_first(self._view, on=True)


_OF_PARAMETERS: Final = (
    ChangeKind.ADDED,
    ChangeKind.REMOVED,
    ChangeKind.REQUIRED,
    ChangeKind.OPTIONAL,
    ChangeKind.VALUES_ADDED,
    ChangeKind.VALUES_REMOVED,
    ChangeKind.TYPE,
    ChangeKind.DEFAULT,
    ChangeKind.PARAMETER_TEXT,
    ChangeKind.PARAMETER,
)


class _NoteRow(QFrame):
    """Note on the ground of notes, with what the change means for it beside it."""

    def __init__(self, note: ReviewedNote, verdict: str, author: QWidget) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 10, 16, 10)
        line.setSpacing(16)
        words = QWidget()
        inside = column(words, spacing=2)
        inside.addWidget(label(note.note.name, "good"))
        inside.addWidget(FullTextLabel(note.note.note))
        inside.addWidget(author)
        line.addWidget(words, 1)
        said = QWidget()
        said.setFixedWidth(round(260 * text_scale()))
        beside = QHBoxLayout(said)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(Dot(Mark.ATTENTION if note.names else Mark.GOOD))
        beside.addWidget(label(verdict, "attention" if note.names else "small", wraps=True), 1)
        line.addWidget(said)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_user_block(QPainter(self), QRectF(self.rect()), self)


def _marked(before: str, now: str, scheme: Colours) -> tuple[str, str]:
    """Return both texts as HTML, with the words that differ on coloured ground."""
    before, now = (cut(made_visible(text), 2 * _LONGEST) for text in condensed(before, now, _LONGEST))
    old, new = _TOKEN.findall(before), _TOKEN.findall(now)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    left, right = [], []
    for kind, a, b, c, d in matcher.get_opcodes():
        gone, come = _escaped("".join(old[a:b])), _escaped("".join(new[c:d]))
        if kind == "equal":
            left.append(gone)
            right.append(come)
            continue
        if gone.strip():
            style = f"background-color:{scheme.removed_ground}; color:{scheme.wrong}; text-decoration:line-through"
            left.append(f'<span style="{style}">{gone}</span>')
        if come.strip():
            style = f"background-color:{scheme.added_ground}; color:{scheme.added_text}"
            right.append(f'<span style="{style}">{come}</span>')
    return "".join(left), "".join(right)


def _escaped(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")


def _cell(markup: str, kind: str = "", plain: str = "") -> QLabel:
    """Create a label for escaped text with marked words."""
    made = QLabel(f"<span>{markup}</span>")
    made.setTextFormat(Qt.TextFormat.RichText)
    made.setOpenExternalLinks(False)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    made.setWordWrap(True)
    made.setContentsMargins(0, 12, 0, 12)
    fit_to_lines(made)
    align_to_language(made)
    made.setAccessibleName(plain)
    if kind:
        made.setProperty("kind", kind)
    else:
        made.setFont(style_font("read"))
    return made


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json_text.dumps(value).decode("utf-8")
