"""Settings page of the built-in tools: switches and instructions (docs/requirements.md 1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop.widgets.auto_save_fields import TextField
from toolnote_desktop.desktop.widgets.basics import Button, column, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.model.edits import ABSENT
from toolnote_desktop.model.settings import EVERY_BUILT_IN, Settings
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import (
    BUILT_IN,
    CONTEXT,
    GROUPS,
    GUIDE,
    LAZY,
    NOTES,
    TOOLSETS,
    enabled_built_in,
)
from toolnote_desktop.model.tools.tool_records import ToolRecord

Set = Callable[[Mapping[str, Any]], None]


class ToolRecordsPage(QWidget):
    """Section for each group of the built-in tools; those of servers are turned on and off in their toolsets."""

    def __init__(self, snapshot: Snapshot, settings: Callable[[], Settings], set_fields: Set) -> None:
        super().__init__()
        self._settings = settings
        self._set_fields = set_fields
        self.boxes: dict[str, CheckBox] = {}
        self.instructions: dict[str, TextField] = {}
        self.folds: dict[str, Collapsible] = {}
        categories = snapshot.tool_records.by_category()
        self._records: dict[str, tuple[ToolRecord, ...]] = {
            group: categories[group] for group in GROUPS if group in categories
        }
        whole = column(self, spacing=0)
        whole.addWidget(label(self.tr("Toolnote’s own tools for assistants, besides yours."), "second", wraps=True))
        whole.addSpacing(8)
        for category, records in self._records.items():
            whole.addWidget(self._own(category, records))
        whole.addStretch(1)
        self.show_state()

    def show_state(self) -> None:
        """Show the current switches."""
        chosen = enabled_built_in(self._settings())
        for name, box in self.boxes.items():
            record = BUILT_IN.get(name)
            box.setChecked(name in chosen or (record is not None and record.always_enabled))
        for category, fold in self.folds.items():
            own = [one for one in self._records[category] if not one.always_enabled]
            on = sum(1 for one in own if one.id in chosen)
            text = self.tr("{on} of {all} on").format(on=on, all=len(own)) if own else self._lazy_text()
            fold.header.summarise(text)

    def _own(self, category: str, records: tuple[ToolRecord, ...]) -> Collapsible:
        titles = {
            TOOLSETS: self.tr("Toolsets"),
            NOTES: self.tr("Notes"),
            GUIDE: self.tr("Guide"),
            LAZY: self.tr("Searching"),
        }
        fold = self.folds[category] = Collapsible(titles.get(category, category))
        for record in records:
            fold.body.addWidget(self._tool(record))
        return fold

    def _tool(self, record: ToolRecord) -> QWidget:
        whole = QWidget()
        inside = column(whole, spacing=3)
        box = self.boxes[record.id] = CheckBox(QCoreApplication.translate(CONTEXT, record.display_name))
        box.setEnabled(not record.always_enabled)
        box.clicked.connect(lambda on, name=record.id: self._switch(name, on=on))
        sentence = QCoreApplication.translate(CONTEXT, record.description)
        box.setAccessibleDescription(sentence)
        inside.addWidget(box)
        inside.addWidget(label(sentence, "small", wraps=True))
        if record.always_enabled:
            inside.addWidget(label(self.tr("Always on while assistants find tools by searching."), "small", wraps=True))
        field = self.instructions[record.id] = TextField(
            self.tr("Instructions for {tool}").format(tool=box.text()),
            self.tr("What should assistants know before they use this tool?"),
        )
        field.show_text(record.instructions)
        field.setVisible(bool(record.instructions))
        field.saved.connect(lambda text, name=record.id: self._instruct(name, text))
        more = Button(
            self.tr("Instructions…"),
            "link",
            name=self.tr("Instructions for {tool}").format(tool=box.text()),
            pressed=lambda: _write_in(field),
        )
        inside.addWidget(field)
        inside.addWidget(more)
        return whole

    def _lazy_text(self) -> str:
        return self.tr("on") if self._settings().lazy_mode else self.tr("off")

    def _switch(self, name: str, *, on: bool) -> None:
        settings = self._settings()
        chosen = set(enabled_built_in(settings)) - {name} | ({name} if on else set())
        others = [one for one in settings.hidden_built_in_tools if BUILT_IN.get(one) is None and one != EVERY_BUILT_IN]
        hidden = [one.id for one in BUILT_IN.configurable() if one.id not in chosen]
        groups = [one for one in settings.hidden_built_in_groups if one not in (*GROUPS, EVERY_BUILT_IN)]
        lists = {"hiddenBuiltInTools": [*hidden, *others], "hiddenBuiltInGroups": groups}
        nothing: Any = [] if settings.rules_lost else ABSENT
        self._set_fields({key: settings.with_unusable(key, value) or nothing for key, value in lists.items()})
        self.show_state()

    def _instruct(self, name: str, text: str) -> None:
        told = {key: value for key, value in self._settings().built_in_instructions.items() if key != name}
        if text.strip():
            told[name] = text.strip()
        key = "builtInInstructions"
        self._set_fields({key: self._settings().with_unusable(key, told) or ABSENT})


def _write_in(field: TextField) -> None:
    field.show()
    field.editor.setFocus()
