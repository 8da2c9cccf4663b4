"""Behaviour of a tool as three plain questions, with the eight hints under *Advanced* (docs/requirements.md 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.tool_page.form_base import ToolForm
from toolnote_desktop.desktop.tool_page.hints_form import HintsForm
from toolnote_desktop.desktop.widgets.auto_save_fields import Picks
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.hints import (
    TEMPLATES,
    apply_template,
    approval_effects,
    effective_hints,
    hint_problems,
    hints_as_answers,
    server_hints,
)


class BehaviourForm(ToolForm):
    """Form of the questions, the effects of the answers, presets, and *Advanced*."""

    def __init__(self, settings: ToolSettings) -> None:
        super().__init__(settings)
        self.changes = self._question(self.tr("Can it change something?"))
        self.undoable = self._question(self.tr("Can that be undone?"))
        self.outside = self._question(self.tr("Does it reach outside this computer?"))
        questions = QGridLayout()
        questions.setHorizontalSpacing(18)
        questions.setVerticalSpacing(8)
        rows = ((self.changes, "changes"), (self.undoable, "undoable"), (self.outside, "outside"))
        for row, (picks, key) in enumerate(rows):
            questions.addWidget(label(picks.accessibleName(), wraps=True), row, 0)
            questions.addWidget(picks, row, 1, Qt.AlignmentFlag.AlignTop)
            picks.chosen.connect(lambda value, key=key: self._answer(key, value))
        questions.setColumnStretch(0, 1)
        self.effect = label("", "second", wraps=True)
        self.problems = QWidget()
        self._problem_rows = column(self.problems, spacing=4)
        self.advanced_button = Button(self.tr("Advanced"), "link", pressed=self._toggle_advanced)
        self.advanced = HintsForm(settings)
        self.advanced.hide()
        whole = column(self, spacing=12)
        whole.addLayout(questions)
        whole.addWidget(self.effect)
        whole.addWidget(self.problems)
        whole.addWidget(self._templates())
        whole.addWidget(self.advanced_button)
        whole.addWidget(self.advanced)

    def show_view(self, view: ToolView) -> None:
        """Show a tool's settings in its toolset."""
        super().show_view(view)
        hints = view.effective.hints
        annotations = view.known.tool.definition.get("annotations")
        own = hints_as_answers(server_hints(annotations))
        answers = hints_as_answers(hints)
        for picks, answer, said in (
            (self.changes, answers.changes, own.changes),
            (self.undoable, answers.undoable, own.undoable),
            (self.outside, answers.outside, own.outside),
        ):
            picks.show_value(answer)
            picks.set_text(None, self._unsaid(said))
        reads = effective_hints(annotations, hints).read_only_hint
        self.undoable.setEnabled(not reads)
        effects = approval_effects(annotations, hints)
        self.effect.setText(" ".join(messages.problem_text(one) for one in effects))
        empty(self._problem_rows)
        problems = hint_problems(view.known.tool.name, annotations, hints)
        for problem in problems:
            row = QHBoxLayout()
            row.addWidget(Dot(Mark.ATTENTION), 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(label(messages.problem_text(problem), wraps=True), 1)
            self._problem_rows.addLayout(row)
        self.problems.setVisible(bool(problems))
        self.advanced.show_view(view)
        self.summarised.emit(self._summary(hints, annotations))

    def _question(self, text: str) -> Picks:
        return Picks(text, ((True, self.tr("Yes")), (False, self.tr("No")), (None, self.tr("Not said"))))

    def _unsaid(self, said: bool | None) -> str:
        if said is None:
            return self.tr("Not said")
        return self.tr("As the tool says: yes") if said else self.tr("As the tool says: no")

    def _templates(self) -> QWidget:
        words = {
            "read-only": self.tr("Only reads"),
            "query": self.tr("Asks others, changes nothing"),
            "destructive": self.tr("Destroys things"),
            "idempotent-update": self.tr("Sets something"),
        }
        whole = QWidget()
        inside = column(whole, spacing=6)
        inside.addWidget(label(self.tr("Or all at once:"), "small"))
        chips = QWidget()
        flow = FlowLayout(chips, spacing=6)
        self.templates = {}
        for name in TEMPLATES:
            said = self.tr("Answer all three at once: {words}").format(words=words[name])
            button = Button(words[name], "chip", name=said)
            button.clicked.connect(lambda _checked, name=name: self._apply(name))
            self.templates[name] = button
            flow.addWidget(button)
        inside.addWidget(chips)
        return whole

    def _hints(self) -> JsonObject:
        entry = self._settings.entry(self._view)
        return dict(entry.hints) if entry is not None else {}

    def _answer(self, key: str, value: bool | None) -> None:
        if self._view is not None:
            self._settings.set_answer(self._view, key, value)

    def _apply(self, name: str) -> None:
        self._set(apply_template(self._hints(), TEMPLATES[name]))

    def _set(self, wanted: Mapping[str, Any]) -> None:
        hints = self._hints()
        changed = {name: value for name, value in wanted.items() if hints.get(name) != value}
        if self._view is not None and changed:
            self._settings.set_hints(self._view, changed)

    def _toggle_advanced(self) -> None:
        shown = self.advanced.isHidden()
        self.advanced.setVisible(shown)
        self.advanced_button.set_text(self.tr("Less") if shown else self.tr("Advanced"))

    def _summary(self, hints: Mapping[str, Any], annotations: Any) -> str:
        answers = hints_as_answers({**server_hints(annotations), **hints})
        said = []
        if answers.changes is not None:
            said.append(self.tr("changes things") if answers.changes else self.tr("only reads"))
        if answers.undoable is not None:
            said.append(self.tr("can be undone") if answers.undoable else self.tr("cannot be undone"))
        if answers.outside is not None:
            said.append(self.tr("reaches outside") if answers.outside else self.tr("stays on this computer"))
        return "  ·  ".join(said) or self.tr("not known")
