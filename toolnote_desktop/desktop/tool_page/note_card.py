"""Card of a note, edited in place: name, text, and in the corner its author and save state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QStackedLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.theme.fonts import style_font
from toolnote_desktop.desktop.tool_page.document import UserBlock
from toolnote_desktop.desktop.tool_page.note_draft import DraftState, NoteDraft
from toolnote_desktop.desktop.tool_page.written_by import WrittenBy, author_words, is_unconfirmed
from toolnote_desktop.desktop.widgets.alert import announce
from toolnote_desktop.desktop.widgets.basics import Button, column, in_direction, label
from toolnote_desktop.desktop.widgets.controls import Choice, IconButton, MenuButton
from toolnote_desktop.desktop.widgets.drag_handle import DragHandle
from toolnote_desktop.desktop.widgets.text_editor import NoteText
from toolnote_desktop.guidance.budgets import NEAR, budget_problem
from toolnote_desktop.guidance.tokens import estimate_tokens
from toolnote_desktop.model.names import NOTE_TEXT_LIMIT, slug
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes import USER

CORNER: Final = 280
"""Pixels reserved for the corner's text."""


class NameField(QLineEdit):
    """Field for a note's name. Enter saves it, Escape discards it."""

    saved = Signal(str)
    dropped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "name")
        self.setMaxLength(50)
        self.returnPressed.connect(self._keep)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dropped.emit()
        else:
            super().keyPressEvent(event)

    def _keep(self) -> None:
        self.saved.emit(slug(self.text(), fallback=""))


class NoteCard(UserBlock):
    """Block that shows a :class:`NoteDraft`, painted as the user's words.

    Signals:
        emptied: a card that never became a note lost the focus.
        scope_chosen: the place to which the note is to be moved.
        kept, undone: the user keeps what an assistant wrote, or undoes it.
    """

    UP_KEYS: Final = QKeySequence("Alt+Up")
    DOWN_KEYS: Final = QKeySequence("Alt+Down")
    REMOVE_KEYS: Final = QKeySequence("Ctrl+Shift+Backspace")

    emptied = Signal()
    scope_chosen = Signal(object)
    kept = Signal()
    undone = Signal()

    def __init__(self, draft: NoteDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.draft = draft
        draft.setParent(self)
        self.scope = MenuButton(self.tr("Where it applies"), small=True)
        self.scope.chosen.connect(self.scope_chosen)
        self._widely = ""
        self._author = ""
        self._written = ""
        self.effect = label("", "small", wraps=True)
        self.effect.setContentsMargins(4, 2, 8, 2)
        self.effect.hide()
        self.written_by = WrittenBy()
        self.written_by.kept.connect(self.kept)
        self.written_by.undone.connect(self.undone)
        self.name_button = Button("", "name", pressed=self.edit_name)
        self.name_field = NameField()
        self.corner = label("", "small", wraps=True)
        far_side = Qt.AlignmentFlag.AlignLeft if self.isRightToLeft() else Qt.AlignmentFlag.AlignRight
        self.corner.setAlignment(Qt.AlignmentFlag.AlignAbsolute | far_side | Qt.AlignmentFlag.AlignVCenter)
        self.grip = DragHandle()
        self._most_tokens: int | None = None
        self._last = draft.state
        self.menu = QMenu(self)
        self.menu_button = IconButton("more", self.tr("Actions for this note"))
        self.menu_button.clicked.connect(lambda: self.menu_button.open_menu(self.menu))
        self.menu_button.set_faded(True)
        self.editor = NoteText(draft.text)
        self.editor.setFont(style_font("read"))
        self.editor.setPlaceholderText(self.tr("What should the assistant know before it uses this tool?"))
        self._lay_out()
        self.editor.typed.connect(draft.type)
        self.editor.entered.connect(self._entered)
        self.editor.left.connect(self._left)
        self.editor.paused.connect(draft.flush)
        self.editor.done.connect(lambda: self.menu_button.setFocus(Qt.FocusReason.OtherFocusReason))
        self.name_field.saved.connect(self._keep_name)
        self.name_field.dropped.connect(self._end_naming)
        self.name_field.editingFinished.connect(self._end_naming)
        draft.changed.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        self.name_place = QWidget()
        self.name_place.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self._names = QStackedLayout(self.name_place)
        self._names.setContentsMargins(0, 0, 0, 0)
        self._names.addWidget(self.name_button)
        self._names.addWidget(self.name_field)
        top = QHBoxLayout()
        top.setSpacing(0)
        top.addWidget(self.grip)
        top.addWidget(self.name_place)
        top.addStretch(1)
        for widget in (self.corner, self.scope, self.menu_button):
            top.addSpacing(4)
            top.addWidget(widget)
        whole = column(self, in_direction(4, 6, 8, 8), 2)
        whole.addLayout(top)
        text = QHBoxLayout()
        text.setContentsMargins(*in_direction(16, 0, 8, 0))
        text.addWidget(self.editor)
        whole.addLayout(text)
        whole.addWidget(self.effect)
        self.written_by.setContentsMargins(*in_direction(16, 2, 8, 2))
        whole.addWidget(self.written_by)

    def describe(self, snapshot: Snapshot, scopes: Sequence[Choice], current: NoteTarget, widely: str = "") -> None:
        """Show the author in the corner and the scope in its menu; ``widely`` says what else a change concerns."""
        self.scope.set_choices(scopes, current)
        note = self.draft.note
        self._most_tokens = snapshot.settings.note_tokens
        self._widely = widely
        self._written = ""
        self.written_by.hide()
        if note is not None:
            self._author = messages.author_name(snapshot, note.author)
            self._written = "" if is_unconfirmed(note) else author_words(snapshot, note)
            self.written_by.show_note(snapshot, note)
        self._show()

    def show_effect(self, words: str) -> None:
        """Show what the note changed; "" for nothing."""
        self.effect.setText(words)
        self.effect.setVisible(bool(words))

    def start_writing(self) -> None:
        """Focus the text with the cursor at its end."""
        self.editor.to_end()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def edit_name(self) -> None:
        """Show the field that changes the name."""
        if not self.draft.is_made:
            return
        self.name_field.setText(self.draft.name)
        self._names.setCurrentWidget(self.name_field)
        self.name_field.selectAll()
        self.name_field.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_keys(
        self, *, move_up: Callable[[], None], move_down: Callable[[], None], remove: Callable[[], None]
    ) -> None:
        """Activate the menu's shortcuts while the card has the focus and the menu is closed."""
        for keys, action in ((self.UP_KEYS, move_up), (self.DOWN_KEYS, move_down), (self.REMOVE_KEYS, remove)):
            shortcut = QShortcut(keys, self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(action)

    def show_text(self) -> None:
        """Show the draft's text in the editor."""
        self.editor.show_text(self.draft.text)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.menu_button.set_faded(False)
        self.grip.set_shown(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.menu_button.set_faded(not self.writing)
        self.grip.set_shown(False)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, super().minimumSizeHint().height())

    def _show(self) -> None:
        draft = self.draft
        name = draft.name
        self.name_button.set_text(name or self.tr("New note"), self.tr("Name of the note: {name}").format(name=name))
        self.name_button.setEnabled(draft.is_made)
        self.name_field.setAccessibleName(self.tr("New name of the note {name}").format(name=name))
        said = name or self.tr("New note")
        self.editor.setAccessibleName(self.tr("Text of the note {name}").format(name=said))
        self.menu_button.setAccessibleName(self.tr("Actions for the note {name}").format(name=said))
        self.setAccessibleName(self._block_name(said))
        is_off = draft.note is not None and not draft.note.enabled
        off = self.tr("Off") if is_off else ""
        is_writing = self.editor.hasFocus()
        parts = [self._written, off, self._size_words(), self._widely if is_writing else "", self._state_words()]
        self.corner.setText("  ·  ".join(part for part in parts if part))
        width = self.corner.fontMetrics().horizontalAdvance(self.corner.text()) + 4
        self.corner.setMinimumWidth(min(width, CORNER))  # a longer one goes on in the next line
        self.editor.setAccessibleDescription(self.corner.text())
        self.writing, self.is_off = is_writing, is_off
        self.menu_button.set_faded(not is_writing and not self.underMouse())
        self.update()
        self._say_state()

    def _block_name(self, name: str) -> str:
        """Return what screen readers say of the block: its name, author and scope."""
        note = self.draft.note
        author = self._author if note is not None and note.author != USER else self.tr("you")
        text = self.tr("Note {name} by {author}, {scope}")
        return text.format(name=name, author=author, scope=self.scope.text())

    def _say_state(self) -> None:
        """Announce the save state to screen readers."""
        state, before = self.draft.state, self._last
        self._last = state
        if state is before:
            return
        if state in (DraftState.TOO_LONG, DraftState.NOT_SAVED):
            announce(self.editor, self._state_words())
        elif state is DraftState.SAVED and before in (DraftState.WAITING, DraftState.SAVING):
            announce(self.editor, self.tr("Saved"))

    def _size_words(self) -> str:
        """Return the size warning: close to the user's token limit or to the length limit of notes."""
        text = self.draft.text
        if NEAR * NOTE_TEXT_LIMIT <= len(text) <= NOTE_TEXT_LIMIT:
            said = self.tr("{count} of {most} characters")
            return said.format(count=messages.number(len(text)), most=messages.number(NOTE_TEXT_LIMIT))
        most = self._most_tokens
        tokens = estimate_tokens(text) if most is not None and len(text) > most else 0
        for problem in budget_problem("", tokens, most):
            said = (
                self.tr("About {tokens} tokens, more than the {most} that you allow")
                if problem.code is Code.BUDGET_PASSED
                else self.tr("About {tokens} of {most} tokens")
            )
            return said.format(tokens=messages.number(tokens), most=messages.number(most or 0))
        return ""

    def _state_words(self) -> str:
        draft = self.draft
        match draft.state:
            case DraftState.TOO_LONG:
                text = self.tr("Too long to save: {count} of {most} characters")
                most = messages.number(NOTE_TEXT_LIMIT)
                return text.format(count=messages.number(len(draft.text)), most=most)
            case DraftState.NOT_SAVED:
                return self.tr("Not saved")
            case DraftState.EMPTY if draft.is_made:
                return self.tr("Empty: deleted when you leave it")
            case DraftState.WAITING | DraftState.SAVING:
                return self.tr("Saving…")
            case DraftState.SAVED if self.editor.hasFocus():
                return self.tr("Saved")
        return ""

    def _entered(self) -> None:
        self._show()

    def _left(self) -> None:
        self.draft.leave()
        self._show()
        if not self.draft.is_made and self.draft.state is DraftState.EMPTY:
            self.emptied.emit()

    def _keep_name(self, name: str) -> None:
        if name:
            self.draft.rename(name)
        self._end_naming()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _end_naming(self) -> None:
        if self._names.currentWidget() is self.name_field:
            self._names.setCurrentWidget(self.name_button)
