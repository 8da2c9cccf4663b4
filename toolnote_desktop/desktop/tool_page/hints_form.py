"""Form of the eight hints by their protocol names (docs/requirements.md 2), for experts."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QLocale
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QGridLayout, QWidget

from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.auto_save_fields import LineField, TextField
from toolnote_desktop.desktop.widgets.basics import column, label
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.model.tools.hints import (
    AUDIENCE,
    DESTRUCTIVE,
    EXAMPLES,
    IDEMPOTENT,
    OPEN_WORLD,
    PRIORITY,
    READ_ONLY,
    ROLES,
    TITLE,
    ToolHints,
    read_hints,
)

_SWITCHES = (READ_ONLY, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD)


class HintsForm(QWidget):
    """Form with a row for each hint."""

    def __init__(self, settings: ToolSettings) -> None:
        super().__init__()
        self._settings = settings
        self._view: ToolView | None = None
        defaults = ToolHints().to_dict()
        self.choices: dict[str, ComboBox] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for key in _SWITCHES:
            usual = self.tr("usually {value}").format(value=json.dumps(defaults[key]))
            self._add(grid, key, self._choice(key, [(None, usual), (True, "true"), (False, "false")]))
        roles: list[tuple[Any, str]] = [(None, self.tr("usually {value}").format(value="assistant"))]
        roles += [([role], role) for role in ROLES]
        self._add(grid, AUDIENCE, self._choice(AUDIENCE, [*roles, (list(ROLES), ", ".join(ROLES))]))
        self.priority = LineField(PRIORITY)
        numbers = QDoubleValidator(0.0, 1.0, 2, self.priority)
        numbers.setLocale(QLocale.c())
        self.priority.setValidator(numbers)
        self.priority.setPlaceholderText(self.tr("0 to 1, usually {value}").format(value=defaults[PRIORITY]))
        self.priority.saved.connect(self._set_priority)
        self._add(grid, PRIORITY, self.priority)
        self.title = LineField(TITLE)
        self.title.saved.connect(lambda text: self._set(TITLE, text.strip() or None))
        self._add(grid, TITLE, self.title)
        self.examples = TextField(EXAMPLES, '[{"input": {"title": "…"}, "output": {"id": 1}}]')
        self.examples.saved.connect(self._set_examples)
        self.wrong = Alert()
        self.wrong.hide()
        whole = column(self, spacing=8)
        whole.addLayout(grid)
        whole.addWidget(label(EXAMPLES, "name"))
        whole.addWidget(self.examples)
        whole.addWidget(self.wrong)

    def show_view(self, view: ToolView) -> None:
        """Show a tool's hints in its toolset."""
        self._view = view
        hints = view.effective.hints
        for key, choice in self.choices.items():
            values = [choice.itemData(row) for row in range(choice.count())]
            value = hints.get(key)
            if isinstance(value, list):
                value = [role for role in ROLES if role in value]
            choice.setCurrentIndex(values.index(value) if value in values else 0)
        self.priority.show_text(f"{hints[PRIORITY]:g}" if PRIORITY in hints else "")
        self.title.show_text(hints.get(TITLE) or "")
        examples = hints.get(EXAMPLES)
        self.examples.show_text(json.dumps(examples, ensure_ascii=False, indent=2) if examples else "")
        self.wrong.hide()

    def _choice(self, key: str, items: list[tuple[Any, str]]) -> ComboBox:
        choice = ComboBox()
        choice.setAccessibleName(key)
        for value, text in items:
            choice.addItem(text, value)
        choice.chosen.connect(lambda value, key=key: self._set(key, value))
        self.choices[key] = choice
        return choice

    def _add(self, grid: QGridLayout, key: str, control: QWidget) -> None:
        row = grid.rowCount()
        grid.addWidget(label(key, "name"), row, 0)
        grid.addWidget(control, row, 1)

    def _set_priority(self, text: str) -> None:
        self._set(PRIORITY, max(0.0, min(1.0, float(text))) if text.strip() else None)

    def _set_examples(self, text: str) -> None:
        if not text.strip():
            self.wrong.hide()
            self._set(EXAMPLES, None)
            return
        reasons: list[str] = []
        try:
            raw = json.loads(text)
        except ValueError as error:
            reasons.append(str(error))
        else:
            read_hints({EXAMPLES: raw}, "", lambda _place, reason: reasons.append(reason))
        if reasons:
            self.wrong.setText(self.tr("These examples cannot be used: {reason}.").format(reason=reasons[0]))
            self.wrong.show()
        else:
            self.wrong.hide()
            self._set(EXAMPLES, raw)

    def _set(self, key: str, value: Any) -> None:
        view, entry = self._view, self._settings.entry(self._view)
        if view is not None and entry is not None and entry.hints.get(key) != value:
            self._settings.set_hints(view, {key: value})
