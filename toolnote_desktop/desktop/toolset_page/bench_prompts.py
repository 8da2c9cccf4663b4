"""Prompts of a toolset's bench: each with the call that it should lead to."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise, takewhile
from typing import Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.auto_save_fields import LineField, TextField
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject

NO_TOOL = ""
MADE_AT_ONCE: Final = 20
"""Cards that are made with the list; the others when they are seen."""
_USUAL_HEIGHT: Final = 141
"""Pixels of a card with one line of text."""


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
        self.tool.chosen.connect(self._set_tool)
        self.arguments = LineField(self.tr("Arguments of the call"))
        self.arguments.setPlaceholderText('{"team": "EMEA"}')
        self.arguments.saves_on_leave = True
        if isinstance(prompt.get("arguments"), dict):
            self.arguments.show_text(json_text.dumps(prompt["arguments"]).decode())
        self.arguments.saved.connect(self._set_arguments)
        self.forbidden = ForbiddenTools()
        raw = prompt.get("mustNotCall")
        self._tools = tools
        self._show_forbidden(tool, [one for one in raw if isinstance(one, str)] if isinstance(raw, list) else [])
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

    def _show_forbidden(self, tool: object, ticked: Sequence[str]) -> None:
        """Offer all tools but the one that should be called."""
        self.forbidden.show_tools([one for one in self._tools if one != tool], ticked)

    def _set_tool(self, name: str) -> None:
        self._show_forbidden(name, [one for one in self.forbidden.ticked if one != name])
        self._set_all({"tool": name or None, "mustNotCall": list(self.forbidden.ticked) or None})

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
        self._set_all({key: value})

    def _set_all(self, values: JsonObject) -> None:
        """Set keys of the prompt; those with nothing go."""
        changed = {**self._prompt, **values}
        for key in [key for key, value in values.items() if value in (None, "")]:
            del changed[key]
        if changed != self._prompt and changed.get("prompt"):
            self._prompt = changed
            self.changed.emit(changed)


class PromptPlace(QWidget):
    """Place of one prompt in the list. Its card is made when it is seen or gets the focus: 1,000 cards take seconds.

    Attributes:
        prompt: as it is now; what is no object has no card.
        card: None until it is made.

    Signals:
        changed: the prompt as it is now; None: it is removed.
    """

    changed = Signal(object)

    def __init__(self, prompt: Any, tools: Sequence[str]) -> None:
        super().__init__()
        self.prompt, self._tools = prompt, tools
        self.card: PromptCard | None = None
        self._column = column(self)
        self.setMinimumHeight(round(_USUAL_HEIGHT * text_scale()))
        self.setHidden(not isinstance(prompt, dict))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def make_card(self) -> None:
        """Make the card, unless it is made."""
        if self.card is None and isinstance(self.prompt, dict):
            self.setMinimumHeight(0)
            self.card = PromptCard(self.prompt, self._tools)
            self.card.changed.connect(self._change)
            self._column.addWidget(self.card)
            if self.hasFocus():
                self.card.text.editor.setFocus(Qt.FocusReason.TabFocusReason)
            for one, two in pairwise([self, *self.tab_stops()]):
                self.setTabOrder(one, two)  # Qt ignores it for what gets no focus
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def tab_stops(self) -> list[QWidget]:
        """Return what in the card gets the focus by Tab, in order; the place itself until it has its card."""
        inner = self.card.findChildren(QWidget) if self.card is not None else [self]
        return [one for one in inner if one.focusPolicy() & Qt.FocusPolicy.TabFocus]

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.card is None:
            QTimer.singleShot(0, self, self.make_card)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        QTimer.singleShot(0, self, self.make_card)

    def _change(self, prompt: JsonObject | None) -> None:
        self.prompt = prompt or self.prompt
        self.changed.emit(prompt)


class PromptList(QWidget):
    """Cards of all prompts.

    Signals:
        changed: the list of prompts as it is now.
    """

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._places: list[PromptPlace] = []
        self._tools: tuple[str, ...] = ()
        self._rows = column(self, spacing=8)

    @property
    def cards(self) -> list[PromptCard]:
        """Cards that are made, in order."""
        return [one.card for one in self._places if one.card is not None]

    def show_prompts(self, prompts: Sequence[Any], tools: Sequence[str]) -> None:
        """Show these prompts. The places of those that are shown stay, at both ends of the list."""
        if tuple(tools) != self._tools:
            self._tools, self._places = tuple(tools), []
            empty(self._rows)
        shown = [one.prompt for one in self._places]
        same = _common(shown, prompts)
        last = _common(shown[same:][::-1], prompts[same:][::-1])
        added = [self._place(prompt) for prompt in prompts[same : len(prompts) - last]]
        gone = self._places[same : len(shown) - last]
        before = self._places[same - 1].tab_stops()[-1] if same else None
        self._places[same : len(shown) - last] = added
        for place in gone:
            self._rows.removeWidget(place)
            place.hide()
            place.deleteLater()
        for number, place in enumerate(added, start=same):
            self._rows.insertWidget(number, place)
            if before is not None:
                self.setTabOrder(before, place)
            before = place
        for place in self._places[:MADE_AT_ONCE]:
            place.make_card()

    def _place(self, prompt: Any) -> PromptPlace:
        place = PromptPlace(prompt, self._tools)
        place.changed.connect(lambda changed, place=place: self._replace(place, changed))
        return place

    def _replace(self, place: PromptPlace, changed: JsonObject | None) -> None:
        if place in self._places:  # one that is taken away may still save what was typed
            self.changed.emit([one.prompt for one in self._places if changed is not None or one is not place])


def _common(one: Sequence[Any], two: Sequence[Any]) -> int:
    """Return how many entries two lists have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
