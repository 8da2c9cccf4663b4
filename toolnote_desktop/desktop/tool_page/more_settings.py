"""Settings of a tool that the document and the facts beside it have no place for, folded in the inspector."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from PySide6.QtCore import QLocale
from PySide6.QtGui import QDoubleValidator, QIntValidator
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop.editing.tool_settings import ToolSettingsEditor
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.auto_save_fields import LineField, TextField, captioned
from toolnote_desktop.desktop.widgets.basics import column, label
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton, Switch
from toolnote_desktop.model.tools.consent import Consent, consent_literal
from toolnote_desktop.model.tools.hints import (
    ALWAYS_LOAD,
    AUDIENCE,
    EXAMPLES,
    PRIORITY,
    RESULT_SIZE,
    ROLES,
    TITLE,
    USER_INTERACTION,
    ToolHints,
    read_hints,
)

_UNSET = "unset"


class MoreSettings(Collapsible):
    """Section *More settings*."""

    def __init__(self, settings: ToolSettingsEditor) -> None:
        super().__init__(self.tr("More settings"), flat=True)
        self._settings = settings
        self._view: ToolView | None = None
        self.instructions = TextField(self.tr("Instructions"), self.tr("Take search terms from the user’s own words."))
        self.instructions.saved.connect(partial(self._set_text, "instructions"))
        self.alias = LineField(self.tr("Name for assistants"))
        self.alias.setMaxLength(64)
        self.alias.saved.connect(partial(self._set_text, "alias"))
        self.need = MenuButton(self.tr("In the guide"), boxed=True)
        self.need.chosen.connect(self._set_need)
        words = self.tr("In every toolset")
        self.pinned = Switch(words, words, words, flush=True)
        self.pinned.toggled.connect(self._pin)
        self.title = LineField(self.tr("Title"))
        self.title.saved.connect(lambda text: self._set(TITLE, text.strip() or None))
        self.reason = TextField(self.tr("Reason for the word"), self.tr("Everyone on the team gets an email."))
        self.reason.saved.connect(lambda text: self._set_consent("reason", text.strip()))
        self.literal = LineField(self.tr("Confirmation word"))
        self.literal.saved.connect(lambda text: self._set_consent("literal", text.strip()))
        self.audience = MenuButton(self.tr("Audience"), boxed=True)
        self.audience.chosen.connect(self._set_audience)
        self.priority = LineField(self.tr("Priority"))
        numbers = QDoubleValidator(0.0, 1.0, 2, self.priority)
        numbers.setLocale(QLocale.c())
        self.priority.setValidator(numbers)
        self.priority.setPlaceholderText(self.tr("0 to 1, usually {value}").format(value=ToolHints().priority))
        self.priority.saved.connect(self._set_priority)
        self.examples = TextField(self.tr("Examples"), '[{"input": {"title": "…"}, "output": {"id": 1}}]')
        self.examples.saved.connect(self._set_examples)
        self.wrong = Alert()
        self.wrong.hide()
        self._of_toolset, self._of_consent, self._of_client = QWidget(), QWidget(), QWidget()
        self._lay_out()

    def _lay_out(self) -> None:
        inside = column(self._of_consent, spacing=14)
        text = self.tr("The assistant must have been told it by you, and passes it with the call. Empty: not needed.")
        inside.addWidget(captioned(self.tr("Confirmation word"), text, self.literal))
        text = self.tr("The assistant can show you this reason.")
        inside.addWidget(captioned(self.tr("Reason for the word"), text, self.reason))
        inside = column(self._of_toolset, spacing=14)
        text = self.tr("Letters, digits, _ and -. Long names are shortened.")
        inside.addWidget(captioned(self.tr("Name for assistants"), text, self.alias))
        text = self.tr("In guides for a task, or only in those where the tool is relevant.")
        inside.addWidget(captioned(self.tr("In the guide"), text, self.need))
        inside = column(self._of_client, spacing=10)
        inside.addWidget(label(self.tr("In Claude Code only"), "group"))
        self.ask_there = self._switch(USER_INTERACTION, self.tr("Ask in Claude Code too"))
        self.result_size = LineField(self.tr("Longest result, in characters"))
        self.result_size.setValidator(QIntValidator(1, 10_000_000, self.result_size))
        self.result_size.saved.connect(lambda size: self._set(RESULT_SIZE, int(size) if size else None))
        inside.addWidget(self.ask_there)
        inside.addWidget(captioned(self.result_size.accessibleName(), "", self.result_size))
        text = self.tr("How to go about it, in a sentence or two. Shown before your notes.")
        for caption, sentence, control in (
            (self.tr("Instructions"), text, self.instructions),
            (self.tr("Title"), "", self.title),
            (self.tr("Audience"), self.tr("What is for you alone is offered to no assistant."), self.audience),
            (self.tr("Priority"), "", self.priority),
            (self.tr("Examples"), "", self.examples),
        ):
            self.body.addWidget(captioned(caption, sentence, control))
        self.body.addWidget(self.pinned)
        self.always_load = self._switch(ALWAYS_LOAD, self.tr("Always in the list"))
        text = self.tr("In the list of assistants that search for their tools, too; Claude Code loads it at once.")
        self.body.addWidget(self.always_load)
        self.body.addWidget(label(text, "small", wraps=True))
        self.body.addWidget(self.wrong)
        for part in (self._of_consent, self._of_toolset, self._of_client):
            self.body.addWidget(part)

    def _switch(self, key: str, text: str) -> Switch:
        switch = Switch(text, text, text, flush=True)
        switch.toggled.connect(lambda on: self._set(key, True if on else None))
        return switch

    def show_view(self, view: ToolView, *, has_switches: bool) -> None:
        """Show a tool's settings; ``has_switches``: the chosen assistant is sent the switches for one client."""
        self._view = view
        entry, hints = view.effective, view.effective.hints
        self.instructions.show_text(entry.instructions)
        self.title.show_text(hints.get(TITLE) or "")
        self.title.setPlaceholderText(view.known.tool.title)
        role = hints.get(AUDIENCE)
        names = {"assistant": self.tr("The assistant"), "user": self.tr("You")}
        choices = [Choice(self.tr("Not set"), _UNSET), *(Choice(names[one], one) for one in ROLES)]
        choices.append(Choice(self.tr("Both"), "both"))
        chosen = "both" if isinstance(role, list) and len(role) > 1 else role[0] if role else _UNSET
        self.audience.set_choices(choices, chosen)
        self.priority.show_text(f"{hints[PRIORITY]:g}" if PRIORITY in hints else "")
        examples = hints.get(EXAMPLES)
        self.examples.show_text(json.dumps(examples, ensure_ascii=False, indent=2) if examples else "")
        self.wrong.hide()
        self.literal.setPlaceholderText(consent_literal(Consent(), view.known.tool.name))
        self.reason.show_text(entry.consent.reason if entry.consent is not None else "")
        self.literal.show_text((entry.consent.literal or "") if entry.consent is not None else "")
        self._of_toolset.setVisible(view.entry is not None)
        self.alias.show_text(entry.alias or "")
        self.alias.setPlaceholderText(view.exposed_name)
        needs = [
            Choice(self.tr("By the task"), _UNSET),
            Choice(self.tr("Always"), "required"),
            Choice(self.tr("Only where it is relevant"), "optional"),
        ]
        self.need.set_choices(needs, entry.optionality or _UNSET)
        self.pinned.show_state(view.pinned)
        self._of_client.setVisible(has_switches or any(key in hints for key in (USER_INTERACTION, RESULT_SIZE)))
        self.always_load.show_state(hints.get(ALWAYS_LOAD) is True)
        self.ask_there.show_state(hints.get(USER_INTERACTION) is True)
        self.result_size.show_text(str(hints.get(RESULT_SIZE, "")))

    def _set_text(self, key: str, text: str) -> None:
        if self._view is not None:
            self._settings.set_text(self._view, key, text)

    def _set_need(self, need: str) -> None:
        if self._view is not None:
            self._settings.set_optionality(self._view, None if need == _UNSET else need)

    def _pin(self, on: bool) -> None:
        if self._view is not None:
            self._settings.pin(self._view, on=on)

    def _set_audience(self, chosen: str) -> None:
        self._set(AUDIENCE, None if chosen == _UNSET else list(ROLES) if chosen == "both" else [chosen])

    def _set_priority(self, text: str) -> None:
        self._set(PRIORITY, max(0.0, min(1.0, float(text))) if text.strip() else None)

    def _set_examples(self, text: str) -> None:
        self.wrong.hide()
        if not text.strip():
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
            self.wrong.setText(self.tr("These examples can’t be used: {reason}.").format(reason=reasons[0]))
            self.wrong.show()
        else:
            self._set(EXAMPLES, raw)

    def _set(self, key: str, value: Any) -> None:
        view, entry = self._view, self._settings.entry(self._view)
        if view is not None and entry is not None and entry.hints.get(key) != value:
            self._settings.set_hints(view, {key: value})

    def _set_consent(self, key: str, text: str) -> None:
        view, entry = self._view, self._settings.entry(self._view)
        if view is not None and entry is not None:
            consent = {**(entry.consent.to_json() if entry.consent is not None else {}), key: text}
            self._settings.set_consent(view, {name: value for name, value in consent.items() if value != ""})
