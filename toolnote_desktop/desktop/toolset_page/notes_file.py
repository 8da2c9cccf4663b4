"""Export and import of a toolset's notes as a file; an import is previewed first."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtWidgets import QWidget

from toolnote_desktop.assistants.config_file import UnreadableConfigError, read_bytes
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.tool_settings import ToolSettingsEditor
from toolnote_desktop.desktop.widgets.basics import Button, column, label
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.model.toolsets.notes_file import NotesImport, contains_notes, notes_document, plan_notes_import
from toolnote_desktop.model.toolsets.toolset import Toolset

LARGEST = 16 * 1024 * 1024
"""Maximum size in bytes of a notes file that is read."""


class NotesFile(QWidget):
    """Two buttons with their outcome below."""

    def __init__(self, settings: ToolSettingsEditor) -> None:
        super().__init__()
        self._settings = settings
        self._toolset: Toolset | None = None
        self.save_button = Button(self.tr("Export notes…"), pressed=self._ask_where)
        self.take_button = Button(self.tr("Import notes…"), pressed=self._ask_which)
        self.said = label("", "second", wraps=True)
        self.said.hide()
        buttons = QWidget()
        flow = FlowLayout(buttons)
        flow.addWidget(self.save_button)
        flow.addWidget(self.take_button)
        whole = column(self, spacing=8)
        sentence = self.tr("Only notes are read from the file. Existing notes are kept.")
        whole.addWidget(label(self.tr("Notes in a file"), "heading"))
        whole.addWidget(label(sentence, "small", wraps=True))
        whole.addWidget(buttons)
        whole.addWidget(self.said)

    def show_toolset(self, toolset: Toolset) -> None:
        """Set the toolset whose notes are exported and imported."""
        if self._toolset is None or self._toolset.name != toolset.name:
            self.said.hide()
        self._toolset = toolset
        self.save_button.setEnabled(any(group.notes for group in toolset.notes))

    def _ask_where(self) -> None:
        if self._toolset is None:
            return
        from PySide6.QtWidgets import QFileDialog

        chooser = QFileDialog(self.window(), self.tr("Export notes"), f"{self._toolset.name}-notes.json")
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setDefaultSuffix("json")
        chooser.fileSelected.connect(lambda name: self.save(Path(name)))
        chooser.finished.connect(chooser.deleteLater)
        chooser.open()

    def save(self, path: Path) -> None:
        """Write the notes to a file."""
        if self._toolset is None:
            return
        try:
            path.write_bytes(json_text.dumps_pretty(notes_document(self._toolset)))
        except OSError as error:
            self._say_problem(Code.FILE_NOT_WRITTEN, path, error.strerror or str(error))
        else:
            self._say(self.tr("Notes saved in {file}.").format(file=path.name))

    def _ask_which(self) -> None:
        from PySide6.QtWidgets import QFileDialog

        chooser = QFileDialog(self.window(), self.tr("Import notes"))
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        chooser.fileSelected.connect(lambda name: self.look_into(Path(name)))
        chooser.finished.connect(chooser.deleteLater)
        chooser.open()

    def look_into(self, path: Path) -> None:
        """Preview an import and ask for confirmation."""
        toolset = self._toolset
        if toolset is None:
            return
        try:
            if path.stat().st_size > LARGEST:
                raise ValueError(self.tr("the file is too large"))
            raw = json_text.loads((read_bytes(path, LARGEST) or b"").decode("utf-8-sig"))
        except OSError as error:
            self._say_problem(Code.IMPORT_FILE_UNREADABLE, path, error.strerror or str(error))
            return
        except (UnreadableConfigError, ValueError) as error:
            self._say_problem(Code.IMPORT_FILE_UNREADABLE, path, str(error))
            return
        if not isinstance(raw, dict) or not contains_notes(raw):
            self._say_problem(Code.IMPORT_FILE_UNREADABLE, path, self.tr("it has no notes"))
            return
        found = plan_notes_import(raw, toolset, file=path.name, now=iso_utc(datetime.now(UTC)))
        if not found.edits:
            self._say(self._words(found) or self.tr("The file has no new notes."))
            return
        names = "\n".join(f"{tool}: {note}" for tool, note in found.added[:MOST_NAMED])
        more = "\n…" if len(found.added) > MOST_NAMED else ""
        text = f"{self._words(found)}\n\n{names}{more}"
        title = self.tr("Notes for “{toolset}”").format(toolset=toolset.title)
        from toolnote_desktop.desktop.widgets.question import QuestionDialog

        asked = QuestionDialog(title, text, [("add", self.tr("Add notes"))], self.window())
        asked.answered.connect(lambda _key: self._take(toolset, found))
        asked.open()

    def _take(self, toolset: Toolset, found: NotesImport) -> None:
        if self._settings.take_notes(toolset.name, toolset.title, found.edits):
            added = messages.count_notes(len(found.added))
            self._say(self.tr("Added: {notes}.").format(notes=added))

    def _words(self, found: NotesImport) -> str:
        said = []
        if found.added:
            said.append(self.tr("New: {notes}.").format(notes=messages.count_notes(len(found.added))))
        if found.same:
            said.append(self.tr("Already here: {notes}.").format(notes=messages.count_notes(len(found.same))))
        said += [messages.problem_text(problem) for problem in found.problems[:MOST_NAMED]]
        return " ".join(said)

    def _say_problem(self, code: Code, path: Path, reason: str) -> None:
        self._say(messages.problem_text(Problem(code, {"file": path.name, "reason": reason})))

    def _say(self, text: str) -> None:
        self.said.setText(text)
        self.said.show()


MOST_NAMED = 12
"""Maximum number of notes and problems that the confirmation lists."""
