"""Prompts of a toolset's bench: each with the call that it should lead to."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from toolnote_desktop.desktop.widgets.auto_save_fields import LineField, TextField
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject

NO_TOOL = ""


class ForbiddenTools(MenuButton):
    """Menu with a tick at each tool that must not be called."""

    def __init__(self) -> None:
        super().__init__(self.tr("Tools that must not be called"), boxed=True)
        self.ticked: tuple[str, ...] = ()

    def show_tools(self, names: Sequence[str], ticked: Sequence[str]) -> None:
        """Offer these tools, and tick some of them; a ticked one that is not among them can be unticked."""
        self.ticked = tuple(ticked)
        gone = [one for one in ticked if one not in names]
        self.set_choices([Choice(one, one) for one in (*gone, *names)], None)
        listed = ", ".join(self.ticked)
        text = self.tr("Must not call: {0}").format(listed) if listed else self.tr("Must not call: nothing chosen")
        self.setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()

    def choose(self, value: Hashable) -> None:
        """Tick a tool, or remove its tick, as the user would."""
        name = str(value)
        kept = [one for one in self.ticked if one != name]
        names = [str(one.value) for one in self._choices]
        self.show_tools(names, kept if name in self.ticked else [*kept, name])
        self.chosen.emit(self.ticked)

    def _fill(self) -> None:
        super()._fill()
        for action, one in zip(self.menu.actions(), self._choices, strict=True):
            action.setChecked(one.value in self.ticked)


class PromptCard(QFrame):
    """Prompt with its fields.

    Signals:
        changed: the prompt as it is now; None: it is removed.
    """

    changed = Signal(object)

    def __init__(self, prompt: JsonObject, tools: Sequence[str]) -> None:
        super().__init__()
        self.setProperty("kind", "box")
        self._prompt = prompt
        self.text = TextField(self.tr("Prompt"), self.tr("What you would ask the assistant"))
        self.text.show_text(str(prompt.get("prompt", "")))
        self.text.saved.connect(lambda text: self._set("prompt", text.strip()))
        self.tool = MenuButton(self.tr("Tool that should be called"), boxed=True)
        tool = prompt.get("tool")
        names = list(tools) if tool in tools or not tool else [str(tool), *tools]
        choices = [Choice(self.tr("No tool"), NO_TOOL), *(Choice(one, one) for one in names)]
        self.tool.set_choices(choices, tool or NO_TOOL)
        self.tool.chosen.connect(lambda name: self._set("tool", name or None))
        self.arguments = LineField(self.tr("Arguments of the call"))
        self.arguments.setPlaceholderText('{"team": "EMEA"}')
        self.arguments.saves_on_leave = True
        if isinstance(prompt.get("arguments"), dict):
            self.arguments.show_text(json_text.dumps(prompt["arguments"]).decode())
        self.arguments.saved.connect(self._set_arguments)
        self.forbidden = ForbiddenTools()
        raw = prompt.get("mustNotCall")
        self.forbidden.show_tools(tools, [one for one in raw if isinstance(one, str)] if isinstance(raw, list) else [])
        self.forbidden.chosen.connect(lambda ticked: self._set("mustNotCall", list(ticked) or None))
        self.wrong = label("", "wrong", wraps=True)
        self.wrong.hide()
        remove = Button(self.tr("Remove"), "text", pressed=lambda: self.changed.emit(None))
        whole = column(self, (14, 12, 14, 10), spacing=8)
        whole.addWidget(self.text)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.tool)
        row.addWidget(self.arguments, 1)
        row.addWidget(remove)
        whole.addLayout(row)
        whole.addWidget(self.forbidden, 0, Qt.AlignmentFlag.AlignLeading)
        whole.addWidget(self.wrong)

    def _set_arguments(self, text: str) -> None:
        try:
            value = json_text.loads(text) if text.strip() else None
        except ValueError:
            value = text
        self.wrong.setVisible(value is not None and not isinstance(value, dict))
        self.wrong.setText(self.tr("Write an object, such as {0}.").format('{"team": "EMEA"}'))
        if value is None or isinstance(value, dict):
            self._set("arguments", value or None)

    def _set(self, key: str, value: Any) -> None:
        if value is None or value == "":
            changed = {name: one for name, one in self._prompt.items() if name != key}
        else:
            changed = {**self._prompt, key: value}
        if changed != self._prompt and changed.get("prompt"):
            self._prompt = changed
            self.changed.emit(changed)


class PromptList(QWidget):
    """Cards of all prompts.

    Signals:
        changed: the list of prompts as it is now.
    """

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[PromptCard] = []
        self._prompts: list[Any] = []
        self._tools: tuple[str, ...] = ()
        self._rows = column(self, spacing=8)

    def show_prompts(self, prompts: Sequence[Any], tools: Sequence[str]) -> None:
        """Show these prompts, unless they are shown."""
        if list(prompts) == self._prompts and tuple(tools) == self._tools:
            return
        self._prompts, self._tools = list(prompts), tuple(tools)
        empty(self._rows)
        self.cards = []
        for number, prompt in enumerate(self._prompts):
            if isinstance(prompt, dict):
                card = PromptCard(prompt, self._tools)
                card.changed.connect(lambda changed, number=number: self._replace(number, changed))
                self.cards.append(card)
                self._rows.addWidget(card)

    def _replace(self, number: int, changed: JsonObject | None) -> None:
        prompts = list(self._prompts)
        if changed is None:
            del prompts[number]
        else:
            prompts[number] = changed
            self._prompts = prompts  # the card shows it already
        self.changed.emit(prompts)
