"""Editor of a note that is about to be added: filled in with a ready sentence, to be changed before it is taken."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.tool_page.document import UserBlock
from toolnote_desktop.desktop.tool_page.note_card import NameField
from toolnote_desktop.desktop.widgets.basics import Button, column, label
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton
from toolnote_desktop.desktop.widgets.text_editor import NoteText
from toolnote_desktop.guidance.failure_notes import Lesson
from toolnote_desktop.model.names import NOTE_TEXT_LIMIT, slug, suggest_note_name
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool


class NoteEditor(QWidget):
    """Note that is not added yet.

    Signals:
        added: name of the note, once it is one.
        discarded: the user does not want it.
    """

    added = Signal(str)
    discarded = Signal()

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._snapshot: Snapshot | None = None
        self._known: KnownTool | None = None
        self._toolset: str | None = None
        self._name = ""
        self.block = UserBlock()
        self.block.writing = True
        self.name_field = NameField()
        self.name_field.setAccessibleName(self.tr("Name of the note"))
        self.name_field.setMinimumHeight(round(24 * text_scale()))
        self.text = NoteText("")
        self.text.setAccessibleName(self.tr("Text of the new note"))
        self.text.setPlaceholderText(self.tr("What should the assistant know before it uses this tool?"))
        self.scope = MenuButton(self.tr("Where it applies"), small=True)
        inside = column(self.block, (16, 8, 12, 8), 2)
        inside.addWidget(self.name_field)
        inside.addWidget(self.text)
        inside.addWidget(self.scope, 0, Qt.AlignmentFlag.AlignLeading)
        self.problem = label("", "wrong", wraps=True)
        self.problem.hide()
        self.add_button = Button(self.tr("Add note"), "primary", pressed=self.add)
        self.discard_button = Button(self.tr("Discard"), "text", pressed=self.discarded.emit)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.add_button)
        buttons.addWidget(self.discard_button)
        buttons.addStretch(1)
        whole = column(self, spacing=8)
        whole.addWidget(self.block)
        whole.addWidget(self.problem)
        whole.addLayout(buttons)
        self.text.typed.connect(lambda _text: self._check())

    def offer(self, snapshot: Snapshot, known: KnownTool, note: Lesson, toolset: str | None = None) -> None:
        """Show a note for a tool. ``toolset``: that of the assistant, the other place that it may have."""
        self._snapshot, self._known = snapshot, known
        self._name = note.name
        self.name_field.setText(note.name)
        self.text.show_text(note.text)
        self.text.to_end()
        shared = len(snapshot.catalogue.by_namespaced_name.get(known.tool.namespaced_name, ())) > 1
        everywhere = Choice(self.tr("Every toolset"), "", enabled=not shared)
        held = snapshot.toolsets.get(toolset or "")
        choices = [everywhere]
        if held is not None:
            choices.append(Choice(self.tr("{toolset} only").format(toolset=held.title), held.name))
        self._toolset = held.name if held is not None else None
        self.scope.set_choices(choices, self._toolset if shared and held is not None else "")
        self.add_button.setEnabled(not shared or held is not None)
        self._check()

    def add(self) -> None:
        """Add the note as one undoable step."""
        snapshot, known, text = self._snapshot, self._known, self.text.text().strip()
        if snapshot is None or known is None or not text:
            return
        toolset = str(self.scope.current) if self.scope.current else None
        wanted = slug(self.name_field.text(), fallback="") or self._name
        name = self._actions.take_note(known, Lesson(wanted, text), toolset)
        if name is not None:
            self.added.emit(name)

    def _check(self) -> None:
        text = self.text.text()
        length = len(text)
        self.name_field.setPlaceholderText(suggest_note_name(text, ()) if text.strip() else self.tr("Name"))
        too_long = length > NOTE_TEXT_LIMIT
        self.problem.setVisible(too_long)
        if too_long:
            self.problem.setText(self.tr("The note is too long."))
        self.add_button.setEnabled(length > 0 and bool(text.strip()) and not too_long)
