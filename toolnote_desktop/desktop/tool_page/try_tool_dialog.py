"""Dialog *Try*: calls a tool with a form made from its schema, and shows the answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPlainTextEdit, QScrollArea, QWidget

from toolnote_desktop.desktop.async_tasks import LatestTask, disabled
from toolnote_desktop.desktop.models.argument_rows import ArgumentRow, argument_rows, read_value, written
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.models.try_tool_form import FormRow, form_rows, gathered
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.fonts import fixed_font, text_scale
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.announce import announce
from toolnote_desktop.desktop.widgets.basics import Button, label, restyle
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.dialog import Dialog, with_texts_below
from toolnote_desktop.model import json_text
from toolnote_desktop.model.hidden_characters import escaped_in_json
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.argument_overrides import Path
from toolnote_desktop.model.tools.hints import effective_hints

if TYPE_CHECKING:
    from toolnote_desktop.desktop.proxy_link import ToolAnswer


class TryToolDialog(Dialog):
    """Dialog for one tool; a tool that may change something needs a confirmation."""

    def __init__(self, view: ToolView, link: ProxyLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._link = link
        self._call = LatestTask(self)
        tool, entry = view.known.tool, view.effective
        self.rows = form_rows(argument_rows(tool.definition, entry))
        self.may_change = not effective_hints(tool.definition.get("annotations"), entry.hints).read_only_hint
        self._confirmed = False
        lead = self.tr("{source} runs it for real, as for an assistant.").format(source=tool.server)
        self.introduce(self.tr("Try “{tool}”").format(tool=tool.title), lead)
        self.fields: dict[str, QLineEdit | ComboBox] = {}
        self.body.addWidget(self._form())
        self.warning = Alert()
        self.warning.hide()
        self.state = label("", "second", wraps=True)
        self.state.hide()
        self.answer = QPlainTextEdit()
        self.answer.setProperty("kind", "guide")
        self.answer.setReadOnly(True)
        self.answer.setFont(fixed_font(12))
        self.answer.setTabChangesFocus(True)
        self.answer.setAccessibleName(self.tr("What it answered"))
        self.answer.setMinimumHeight(round(160 * text_scale()))
        self.answer.hide()
        for one in (self.warning, self.state):
            self.body.addWidget(one)
        self.body.addWidget(self.answer, 1)
        self.run_button = Button(self.tr("Run it"), "primary")
        self.run_button.clicked.connect(self._press)
        self.close_button = Button(self.tr("Close"))
        self.close_button.clicked.connect(self.reject)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.close_button)
        self.buttons.addWidget(self.run_button)
        self.setMinimumWidth(round(600 * text_scale()))
        self.finished.connect(self._call.cancel)

    def _form(self) -> QWidget:
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 6, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(1, 1)
        for place, one in enumerate(self.rows):
            row = one.row
            needed = self.tr("{argument} (needed)")
            said = label(needed.format(argument=row.label) if row.required else row.label)
            said.setIndent(INDENT * (len(one.path) - 1))
            if one.is_heading:
                grid.addWidget(said, place, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(label(row.description, "small", wraps=True), place, 1)
                continue
            name = needed.format(argument=one.title) if row.required else one.title
            field = self._field(row)
            said.setBuddy(field)
            field.setAccessibleName(name)
            field.setAccessibleDescription(row.description)
            field.setToolTip("")
            said.setContentsMargins(0, 6, 0, 0)  # beside the field's words
            grid.addWidget(said, place, 0, Qt.AlignmentFlag.AlignTop)
            below = [label(row.description, "small", wraps=True)] if row.description else []
            grid.addWidget(with_texts_below(field, *below), place, 1)
            self.fields[row.name] = field
        grid.setRowStretch(len(self.rows), 1)
        if not self.rows:
            grid.addWidget(label(self.tr("It takes no arguments."), "second", wraps=True), 0, 0)
        if len(self.rows) <= FEW:
            return inside
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setMinimumHeight(round(280 * text_scale()))
        scroll.setWidget(inside)
        return scroll

    def _field(self, row: ArgumentRow) -> QLineEdit | ComboBox:
        if row.values:
            choice = ComboBox()
            choice.addItem(self.tr("not given"), None)
            for value in row.values:
                choice.addItem(written(value, is_text=row.is_text), json.dumps(value))
            found = choice.findText(row.value) if row.value else -1
            choice.setCurrentIndex(max(found, 0))
            choice.chosen.connect(lambda _value: self._changed())
            return choice
        field = QLineEdit(row.value)
        hint = row.begin or ("" if row.is_text else self.tr("such as [1, 2] or {“a”: 1}"))
        field.setPlaceholderText(hint if row.type in ("string", "any") or row.begin else _example(row.type) or hint)
        field.textChanged.connect(lambda _text: self._changed())
        return field

    def arguments(self) -> tuple[JsonObject, tuple[FormRow, ...]]:
        """Return the arguments in the form, and the rows that are required and empty.

        Raises:
            ValueError: with the name of a field whose value is invalid.
        """
        given: dict[Path, Any] = {}
        for one in self.rows:
            field = self.fields.get(one.row.name)
            if isinstance(field, ComboBox):
                if field.currentData() is not None:
                    given[one.path] = json.loads(field.currentData())
            elif field is not None and field.text():
                try:
                    given[one.path] = read_value(field.text(), one.row)
                except ValueError:
                    raise ValueError(one.title) from None
        return gathered(self.rows, given)

    def _changed(self) -> None:
        self._confirmed = False
        self.warning.hide()
        self.run_button.setText(self.tr("Run it"))

    def _press(self) -> None:
        if self._call.is_running:
            return
        try:
            arguments, missing = self.arguments()
        except ValueError as error:
            self._warn(self.tr("“{argument}” holds something else than it should.").format(argument=error))
            return
        if missing:
            self._warn(self.tr("Still needed: {names}.").format(names=", ".join(one.title for one in missing)))
            return
        if self.may_change and not self._confirmed:
            self._confirmed = True
            text = self.tr("It may change something in {source}. Run it?")
            self._warn(text.format(source=self._view.known.tool.server), "heading")
            self.run_button.setText(self.tr("Yes, run it"))
            return
        self.warning.hide()
        if not self._link.is_serving:
            self._warn(self.tr("Toolnote is not serving yet. Try again in a moment."))
            return
        self._call.start(self._run(arguments))

    async def _run(self, arguments: JsonObject) -> None:
        """Call the tool and show its answer."""
        self._show_state(self.tr("It runs …"))
        with disabled(self.run_button):
            answer = await self._link.call_tool(self._view.known.tool.key, arguments)
        self._confirmed = False
        self.run_button.setText(self.tr("Run it again"))
        self._show_answer(answer)

    def _show_answer(self, answer: ToolAnswer) -> None:
        result = json_text.loads(answer.result) if answer.result is not None else None
        failed = result is None or (isinstance(result, dict) and result.get("isError") is True)
        seconds = f"{answer.seconds:.1f}"
        text = (
            self.tr("It failed after {seconds} seconds.") if failed else self.tr("It answered after {seconds} seconds.")
        )
        self._show_state(text.format(seconds=seconds))
        shown = answer_text(result) if result is not None else (answer.error or b"").decode("utf-8", "replace")
        self.answer.setPlainText(shown)
        self.answer.show()

    def _warn(self, text: str, kind: str = "wrong") -> None:
        restyle(self.warning, kind=kind)
        self.warning.setText(text)
        self.warning.show()

    def _show_state(self, text: str) -> None:
        self.state.setText(text)
        self.state.show()
        announce(self.state, text)


FEW = 6
"""Number of arguments up to which the form needs no scroll bar."""

INDENT = 16
"""Indent in pixels for the properties of an object."""


def _example(type: str) -> str:
    return {"integer": "1", "number": "1.5", "object": "{}"}.get(type, "[]" if type.startswith("array") else "")


def answer_text(result: Any) -> str:
    """Return a tool's result for display: texts as they are, other content as JSON."""
    content = result.get("content") if isinstance(result, dict) else None
    parts = []
    for block in content if isinstance(content, list) else []:
        is_text = isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
        parts.append(block["text"] if is_text else _as_json(block))
    if isinstance(result, dict) and "structuredContent" in result and not parts:
        parts.append(_as_json(result["structuredContent"]))
    return "\n\n".join(parts) if parts else _as_json(result)


def _as_json(value: Any) -> str:
    pretty = json_text.dumps_pretty(value).decode("utf-8").rstrip("\n")
    return "\n".join(map(escaped_in_json, pretty.split("\n")))
