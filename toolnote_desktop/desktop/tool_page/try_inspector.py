"""Inspector *Try it*: calls a tool with a form made from its schema, and shows the result."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.async_tasks import LatestTask, disabled
from toolnote_desktop.desktop.models.argument_rows import ArgumentRow, Shape, argument_rows, read_value, written
from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.models.try_tool_form import FormField, form_rows, gathered
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.fonts import style_font
from toolnote_desktop.desktop.tool_page.document import MOST_SHOWN, DocumentText
from toolnote_desktop.desktop.widgets.alert import Alert, announce
from toolnote_desktop.desktop.widgets.auto_save_fields import TextField
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, column, label, restyle
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.controls import IconButton
from toolnote_desktop.desktop.widgets.page import Inspector
from toolnote_desktop.model import json_text
from toolnote_desktop.model.hidden_characters import escaped_in_json
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.argument_overrides import Path
from toolnote_desktop.model.tools.hints import DESTRUCTIVE, effective_hints, server_hints

if TYPE_CHECKING:
    from toolnote_desktop.desktop.proxy_link import ToolAnswer

TRY_WIDTH: Final = 360
INDENT: Final = 16
"""Indent in pixels for the properties of an object."""

_LIST: Final = "array of string"
Field = QLineEdit | TextField | ComboBox


class TryInspector(Inspector):
    """Form of one tool beside its page. A tool that can delete data needs a second press.

    Signals:
        closed: its close button or Esc was pressed.
    """

    closed = Signal()
    wanted_width = TRY_WIDTH

    def __init__(self, view: ToolView, link: ProxyLink) -> None:
        tool = view.known.tool
        title = self.tr("Try {tool}").format(tool=tool.title)
        super().__init__(title)
        self._view = view
        self._link = link
        self._call = LatestTask(self)
        rows = argument_rows(tool.definition, view.effective)
        self.rows = form_rows([row for row in rows if row.shape is not Shape.HIDDEN])
        hints = effective_hints(tool.definition.get("annotations"), view.effective.hints)
        self.can_delete = hints.destructive_hint and not hints.read_only_hint
        said = {**server_hints(tool.definition.get("annotations")), **view.effective.hints}
        self._is_said = said.get(DESTRUCTIVE) is True
        self._confirmed = False
        self.fields: dict[str, Field] = {}
        self.close_button = IconButton("close", self.tr("Close"), pressed=self.closed.emit)
        self.warning = Alert()
        self.warning.hide()
        self.run_button = Button(self.tr("Run"), "primary", pressed=self._press)
        self.clear_button = Button(self.tr("Clear"), "text", pressed=self._clear)
        self.stop_button = Button(self.tr("Stop"), "text", pressed=self.stop)
        self.stop_button.hide()
        self.dot = Dot(Mark.GOOD)
        self.state = label("", "small")
        self.answer = DocumentText(self.tr("Result"), colour="text")
        self.exact = DocumentText(self.tr("Exact data"), colour="text")
        self.exact.setFont(style_font("mono"))
        self.all_button = Button(self.tr("Show all"), "link", pressed=self._show_all)
        self._lay_out(title)

    def _lay_out(self, title: str) -> None:
        whole = QVBoxLayout()
        whole.setSpacing(0)
        head = QHBoxLayout()
        head.addWidget(label(title, "heading", wraps=True), 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        whole.addLayout(head)
        lead = self.tr("This really runs the tool in {source}.").format(
            source=messages.source_name(self._view.known.tool.server)
        )
        whole.addSpacing(8)
        whole.addWidget(label(lead, "second", wraps=True))
        for row in self.rows:
            self._add_row(whole, row)
        if not self.rows:
            whole.addSpacing(16)
            whole.addWidget(label(self.tr("This tool has no parameters."), "second", wraps=True))
        whole.addSpacing(16)
        whole.addWidget(self.warning)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.run_button, self.clear_button, self.stop_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        whole.addLayout(buttons)
        self.clear_button.setVisible(bool(self.fields))
        self.result = QWidget()
        shown = column(self.result, (0, 24, 0, 0), 6)
        top = QHBoxLayout()
        top.setSpacing(6)
        top.addWidget(label(self.tr("Result"), "heading"), 1)
        top.addWidget(self.dot)
        top.addWidget(self.state)
        shown.addLayout(top)
        self.box = QFrame()
        self.box.setProperty("kind", "box")
        column(self.box, (16, 12, 16, 12)).addWidget(self.answer)
        shown.addWidget(self.box)
        self.fold = Collapsible(self.tr("Exact data"), flat=True)
        self.fold.body.addWidget(self.exact)
        shown.addWidget(self.fold)
        shown.addWidget(self.all_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.result.hide()
        whole.addWidget(self.result)
        self.body.insertLayout(0, whole)

    def _add_row(self, whole: QVBoxLayout, one: FormField) -> None:
        """Add a parameter: its name, its field, and a line on it. A fixed value is sent without a field."""
        row = one.row
        if row.shape is Shape.FIXED:
            return
        part = QWidget()
        inside = column(part, (INDENT * (len(one.path) - 1), 16, 0, 0), 2)
        name = label(row.label, "heading", wraps=True)
        top = QHBoxLayout()
        top.addWidget(name, 1)
        if row.required:
            top.addWidget(label(self.tr("Required"), "small"))
        inside.addLayout(top)
        if not one.is_heading:
            field = self.fields[row.name] = self._field(row)
            target = field.editor if isinstance(field, TextField) else field
            target.setAccessibleName(self.tr("{name}, required").format(name=one.title) if row.required else one.title)
            target.setAccessibleDescription(row.description)
            name.setBuddy(target)
            inside.addWidget(field)
        for text in self._words_on(row):
            inside.addWidget(label(text, "small", wraps=True))
        whole.addWidget(part)

    def _words_on(self, row: ArgumentRow) -> list[str]:
        """Return the lines below a field: the user's words, else the source's; what the field begins with; its form."""
        settings = self._view.effective.parameters.get(row.name)
        note = settings.note.strip() if settings is not None else ""
        lines = [note or row.description]
        if row.shape is Shape.DEFAULT:
            lines.append(self.tr("Your default"))
        if row.type == _LIST and not row.values:
            lines.append(self.tr("One per line"))
        return [line for line in lines if line]

    def _field(self, row: ArgumentRow) -> Field:
        made: Field
        if row.values:
            made = choice = ComboBox()
            choice.addItem(self.tr("Not given"), None)
            for value in row.values:
                choice.addItem(written(value, is_text=row.is_text), json.dumps(value))
            choice.chosen.connect(lambda _value: self._changed())
        elif row.type == _LIST:
            made = lines = TextField(row.label, _as_lines(row.begin))
            lines.editor.typed.connect(lambda _text: self._changed())
        else:
            made = line = QLineEdit()
            hint = row.begin or ("" if row.is_text else self.tr("such as [1, 2] or {“a”: 1}"))
            shown = hint if row.type in ("string", "any") or row.begin else _example(row.type) or hint
            line.setPlaceholderText(shown)
            line.textChanged.connect(lambda _text: self._changed())
            line.returnPressed.connect(self._press)
        _fill(made, row)
        return made

    def arguments(self) -> tuple[JsonObject, tuple[FormField, ...]]:
        """Return the arguments in the form, and the rows that are required and empty.

        Raises:
            ValueError: with the name of a field whose value is invalid.
        """
        given: dict[Path, Any] = {}
        for one in self.rows:
            field = self.fields.get(one.row.name)
            if one.row.shape is Shape.FIXED:
                given[one.path] = read_value(one.row.value, one.row)
            elif isinstance(field, ComboBox):
                if field.currentData() is not None:
                    given[one.path] = json.loads(field.currentData())
            elif isinstance(field, TextField):
                lines = [line for line in field.text().split("\n") if line.strip()]
                if lines:
                    given[one.path] = lines
            elif field is not None and field.text():
                try:
                    given[one.path] = read_value(field.text(), one.row)
                except ValueError:
                    raise ValueError(one.title) from None
        return gathered(self.rows, given)

    def stop(self) -> None:
        """Cancel the call that is running."""
        if self._call.is_running:
            self._call.cancel()
            self._show_state(self.tr("Stopped"), Mark.OFF)
            self._hide_stop()
            self.clear_button.setVisible(bool(self.fields))

    def start_writing(self) -> None:
        """Focus the first field, or *Run*."""
        first = next(iter(self.fields.values()), None)
        target = first.editor if isinstance(first, TextField) else first
        (target or self.run_button).setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _clear(self) -> None:
        for one in self.rows:
            if one.row.name in self.fields:
                _fill(self.fields[one.row.name], one.row)
        self.result.hide()
        self._changed()
        self.start_writing()

    def _changed(self) -> None:
        self._confirmed = False
        self.warning.hide()
        self.run_button.setText(self.tr("Run"))

    def _press(self) -> None:
        if self._call.is_running:
            return
        try:
            arguments, missing = self.arguments()
        except ValueError as error:
            self._warn(self.tr("“{parameter}” takes no such value.").format(parameter=error))
            return
        if missing:
            names = messages.joined([one.title for one in missing])
            self._warn(self.tr("Fill in {names}.").format(names=names))
            return
        if self.can_delete and not self._confirmed:
            self._confirmed = True
            tool = self._view.known.tool
            text = (
                self.tr("{tool} can delete data in {source}. Run it?")
                if self._is_said
                else self.tr("{source} doesn’t say what {tool} changes. Run it?")
            )
            self._warn(text.format(tool=tool.title, source=messages.source_name(tool.server)), "heading")
            self.run_button.setText(self.tr("Run anyway"))
            return
        self.warning.hide()
        if not self._link.is_serving:
            self._warn(self.tr("Toolnote is still starting. Try again in a moment."))
            return
        self._call.start(self._run(arguments))

    async def _run(self, arguments: JsonObject) -> None:
        """Call the tool and show its result."""
        self._show_state(self.tr("Running…"), Mark.WAITING)
        for part in (self.box, self.fold, self.all_button):
            part.hide()
        self.stop_button.show()
        if self.window().focusWidget() is self.run_button:
            self.stop_button.setFocus()  # a button that is turned off loses it to another pane
        self.clear_button.hide()
        with disabled(self.run_button):
            answer = await self._link.call_tool(self._view.known.tool.key, arguments)
        self._hide_stop()
        self.clear_button.setVisible(bool(self.fields))
        self._changed()
        self._show_answer(answer)

    def _hide_stop(self) -> None:
        """Hide *Stop*, and hand the focus back to *Run*."""
        if self.window().focusWidget() is self.stop_button:
            self.run_button.setEnabled(True)
            self.run_button.setFocus()
        self.stop_button.hide()

    def _show_answer(self, answer: ToolAnswer) -> None:
        result = json_text.loads(answer.result) if answer.result is not None else None
        failed = result is None or (isinstance(result, dict) and result.get("isError") is True)
        text = self.tr("Failed after {n} s") if failed else self.tr("Worked in {n} s")
        self._show_state(text.format(n=messages.seconds(answer.seconds)), Mark.WRONG if failed else Mark.GOOD)
        error = (answer.error or b"").decode("utf-8", "replace")
        self.answer.show_text(answer_text(result) if result is not None else error)
        self.exact.show_text(_as_json(result) if result is not None else error)
        longest = max(len(self.answer.text()), len(self.exact.text()))
        self.all_button.setVisible(longest > MOST_SHOWN)
        self.box.show()
        self.fold.show()

    def _show_all(self) -> None:
        self.answer.show_all()
        self.exact.show_all()
        self.all_button.hide()

    def _warn(self, text: str, kind: str = "wrong") -> None:
        restyle(self.warning, kind=kind)
        self.warning.setText(text)
        self.warning.show()

    def _show_state(self, text: str, mark: Mark) -> None:
        self.dot.show_mark(mark)
        self.state.setText(text)
        self.result.show()
        announce(self.state, text)


def _fill(field: Field, row: ArgumentRow) -> None:
    """Show what a field begins with: the user's default."""
    if isinstance(field, ComboBox):
        field.setCurrentIndex(max(field.findText(row.value) if row.value else -1, 0))
    elif isinstance(field, TextField):
        field.editor.show_text(_as_lines(row.value))
    else:
        field.setText(row.value)


def _as_lines(value: str) -> str:
    """Return a list of texts, written as JSON, with a line for each."""
    items = json.loads(value) if value else []
    return "\n".join(str(item) for item in items) if isinstance(items, list) else value


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
