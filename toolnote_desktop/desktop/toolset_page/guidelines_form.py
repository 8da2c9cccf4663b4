"""Purpose and instructions of a toolset, and its task types with the words that select tools."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.tool_settings import ToolSettingsEditor
from toolnote_desktop.desktop.toolset_page.notes_file import NotesFile
from toolnote_desktop.desktop.widgets.auto_save_fields import LineField, TextField, captioned, save_fields
from toolnote_desktop.desktop.widgets.basics import Button, card, column, empty, label
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.model.names import slug
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.task_types import TaskType, read_task_types
from toolnote_desktop.model.toolsets.toolset import Toolset


class GuidelinesForm(QWidget):
    """Form of the purpose and the instructions (``description`` and ``guidelines`` in the file), and of task types."""

    def __init__(self, files: GuidanceFiles, settings: ToolSettingsEditor) -> None:
        super().__init__()
        self._files = files
        self._settings = settings
        self._toolset: Toolset | None = None
        self.work: dict[str, TaskTypeForm] = {}
        self.purpose = LineField(self.tr("What it’s for"))
        self.purpose.setPlaceholderText(self.tr("Issues and releases of our team"))
        self.purpose.saved.connect(self._set_purpose)
        self.text = TextField(
            self.tr("Instructions"), self.tr("Look before you write. Say which tool you used. Never guess an id.")
        )
        self.text.saved.connect(self._set_guidelines)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        box = card("quiet-card")
        inside = column(box, (2, 2, 2, 2), spacing=0)
        inside.addLayout(self._rows)
        self.new_name = LineField(self.tr("New task type"))
        self.new_name.setPlaceholderText(self.tr("New task type, such as Release"))
        self.new_name.returnPressed.connect(self._add)
        self.add_button = Button(self.tr("Add"), name=self.tr("Add this task type"), pressed=self._add)
        row = QHBoxLayout()
        row.addWidget(self.new_name, 1)
        row.addWidget(self.add_button)
        whole = column(self, (0, 16, 0, 0), 10)
        sentence = self.tr(
            "Some assistants see only this, after the names of the tool sources, until they need a tool."
        )
        whole.addWidget(captioned(self.tr("What it’s for"), sentence, self.purpose))
        whole.addSpacing(10)
        sentence = self.tr("Every assistant with this toolset reads this first. The guide repeats it.")
        whole.addWidget(captioned(self.tr("Instructions"), sentence, self.text))
        whole.addSpacing(10)
        whole.addWidget(label(self.tr("Task types"), "heading"))
        whole.addWidget(
            label(
                self.tr("Assistants that name a task get a guide with only the relevant tools."),
                "small",
                wraps=True,
            )
        )
        whole.addWidget(box)
        whole.addLayout(row)
        whole.addSpacing(14)
        self.file = NotesFile(settings)
        whole.addWidget(self.file)

    def show_toolset(self, snapshot: Snapshot, toolset: Toolset) -> None:
        """Show a toolset's guidelines and task types."""
        is_other = self._toolset is None or self._toolset.name != toolset.name
        if is_other:
            save_fields(self)
        self._toolset = toolset
        self.file.show_toolset(toolset)
        self.purpose.show_text(toolset.description)
        self.text.show_text(toolset.guidelines)
        types = read_task_types(toolset.task_types, self._files.task_types, lambda entry, reason: None)
        if is_other or list(types) != list(self.work):
            self._make_rows(types)
        for name, one in types.items():
            self.work[name].show_type(one, is_starter=one == self._files.task_types.get(name))

    def _make_rows(self, types: Mapping[str, TaskType]) -> None:
        opened = {name for name, form in self.work.items() if form.fold.is_open}
        empty(self._rows)
        self.work = {}
        for name in types:
            form = TaskTypeForm(name)
            form.fold.body.addWidget(form)
            for key, field in form.fields.items():
                field.saved.connect(partial(self._set_key, name, key))
            form.reset_button.clicked.connect(partial(self._reset, name))
            form.remove_button.clicked.connect(partial(self._remove, name))
            self._rows.addWidget(form.fold)
            self.work[name] = form
            if name in opened:
                form.fold.open()

    def _raw(self) -> dict[str, Any]:
        raw = self._toolset.task_types if self._toolset is not None else None
        return dict(raw) if isinstance(raw, dict) else {}

    def _set_purpose(self, text: str) -> None:
        if self._toolset is not None:
            self._settings.set_purpose(self._toolset.name, self._toolset.title, text.strip())

    def _set_guidelines(self, text: str) -> None:
        if self._toolset is not None:
            self._settings.set_guidelines(self._toolset.name, self._toolset.title, text.strip())

    def _set_key(self, name: str, key: str, text: str) -> None:
        raw = self._raw()
        before = raw.get(name)
        value: object = text.strip() if key == "title" else [one.strip() for one in text.split(",") if one.strip()]
        self._submit({**raw, name: {**(before if isinstance(before, dict) else {}), key: value}})

    def _reset(self, name: str, _checked: bool = False) -> None:
        self._submit({key: value for key, value in self._raw().items() if key != name})

    def _remove(self, name: str, _checked: bool = False) -> None:
        raw = {key: value for key, value in self._raw().items() if key != name}
        self._submit({**raw, name: None} if name in self._files.task_types else raw)

    def _add(self) -> None:
        title = self.new_name.text().strip()
        name = slug(title, fallback="")
        if not name or name in self.work:
            return
        self.new_name.show_text("")
        self.new_name.clear()
        self._submit({**self._raw(), name: {"title": title, "words": [title.casefold()]}})

    def _submit(self, task_types: Mapping[str, Any]) -> None:
        if self._toolset is not None:
            self._settings.set_task_types(self._toolset.name, self._toolset.title, task_types)


class TaskTypeForm(QWidget):
    """Form of one task type."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.fold = Collapsible(name)
        self.fields = {
            "title": LineField(self.tr("Title")),
            "words": LineField(self.tr("Words in your request")),
            "toolWords": LineField(self.tr("Words in a tool’s name")),
            "categories": LineField(self.tr("Categories")),
            "tools": LineField(self.tr("Tools")),
        }
        sentences = {
            "title": "",
            "words": self.tr("Separate them with commas. A request with one of them is this type of task."),
            "toolWords": self.tr("Tools with one of these in their name, category or “When to use” are relevant."),
            "categories": self.tr("All tools of these categories are relevant."),
            "tools": self.tr("These tools are relevant. Use the names that assistants see."),
        }
        whole = column(self, spacing=12)
        for key, field in self.fields.items():
            whole.addWidget(captioned(field.accessibleName(), sentences[key], field))
        self.reset_button = Button(self.tr("Reset"), "link", name=self.tr("Reset {name}").format(name=name))
        self.remove_button = Button(self.tr("Remove"), "link", name=self.tr("Remove {name}").format(name=name))
        row = QHBoxLayout()
        row.setSpacing(14)
        row.addWidget(self.reset_button)
        row.addWidget(self.remove_button)
        row.addStretch(1)
        whole.addLayout(row)

    def show_type(self, one: TaskType, *, is_starter: bool) -> None:
        """Show the current task type."""
        shown = {
            "title": one.title,
            "words": ", ".join(one.words),
            "toolWords": ", ".join(one.tool_words),
            "categories": ", ".join(one.categories),
            "tools": ", ".join(one.tools),
        }
        for key, text in shown.items():
            self.fields[key].show_text(text)
        self.fold.header.rename(one.title)
        self.fold.header.summarise(", ".join(one.words) or self.tr("No words"))
        self.reset_button.setVisible(not is_starter)
