"""Table of a tool's parameters: what the assistant reads of each, the user's words on it, and its value."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.argument_rows import (
    WITH_VALUE,
    ArgumentRow,
    Limit,
    Shape,
    argument_rows,
    limit_text,
    read_limit,
    read_value,
    written,
)
from toolnote_desktop.desktop.models.tool_document import ToolDocument
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.desktop.tool_page.document import UserBlock
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import (
    LONGEST_LABEL,
    Button,
    align_to_language,
    column,
    empty,
    fit_to_lines,
    label,
    restyle,
)
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton, paint_focus
from toolnote_desktop.desktop.widgets.text_editor import NoteText
from toolnote_desktop.guidance.parameters import Parameter, read_parameters
from toolnote_desktop.model.edits import ABSENT
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.toolsets.toolset import ToolEntry

_INDENT: Final = 16
"""Pixels by which the name of a nested parameter is indented for each level."""

_CHANGE: Final = "change"
"""Choice that edits the value that is set."""

_ANY: Final = "any"
"""Choice that removes the rule for values."""


def type_name(kind: str) -> str:
    """Return the user's word for a JSON Schema type."""
    names = {
        "string": translate("ParameterLine", "Text"),
        "integer": translate("ParameterLine", "Number"),
        "number": translate("ParameterLine", "Number"),
        "boolean": translate("ParameterLine", "Yes or no"),
        "object": translate("ParameterLine", "Group"),
        "any": translate("ParameterLine", "Anything"),
        "array of string": translate("ParameterLine", "List of texts"),
        "array of object": translate("ParameterLine", "List of groups"),
    }
    return names.get(kind, translate("ParameterLine", "List") if kind.startswith("array") else kind)


class _PressedText(QLabel):
    """Text of the server that is pressed to write one's own words below it.

    Signals:
        pressed: by mouse or key.
    """

    pressed = Signal()

    def __init__(self, text: str) -> None:
        super().__init__(text[:LONGEST_LABEL])
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", "second")
        self.setWordWrap(True)
        fit_to_lines(self)
        align_to_language(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.rect().contains(event.position().toPoint()):
            self.pressed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.pressed.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            paint_focus(QPainter(self), QRectF(self.rect()), colours(self.palette()), 4)


class ParameterLine(QWidget):
    """Row of one parameter.

    Signals:
        shaped: the row, the ``Shape`` and the value (``ABSENT`` for none).
        noted: the row, and the user's words on the parameter.
        limited: the row, and the rule for the assistant's values (``ABSENT`` for none).
    """

    shaped = Signal(object, object, object)
    noted = Signal(object, str)
    limited = Signal(object, object)

    def __init__(self, row: ArgumentRow, served: Parameter | None, note: str) -> None:
        super().__init__()
        self.row = row
        self._note = note
        self.name = label(row.label)
        self.name.setFont(style_font("mono"))
        self.name.setContentsMargins(round(_INDENT * text_scale()) * row.depth, 0, 0, 0)
        self.type = label(self._type_text(served), "second", wraps=True)
        own = row.description if served is None else _without_note(served.description, note)
        self.words = _PressedText(own or self.tr("No description"))
        self.words.setAccessibleName(self.tr("Add your words on {name}").format(name=row.label))
        self.words.setAccessibleDescription(own)
        self.words.setToolTip(self.tr("Press to add your words"))
        self.words.pressed.connect(self.start_writing)
        for text in (self.name, self.type, self.words):
            text.setMinimumHeight(round(28 * text_scale()))  # in line with the menu of the value
        self.block = UserBlock()
        inside = column(self.block, (11, 4, 8, 4), 0)
        self.editor = NoteText(note)
        self.editor.setAccessibleName(self.tr("Your words on {name}").format(name=row.label))
        self.editor.left.connect(self._save_note)
        self.editor.done.connect(self.editor.clearFocus)
        inside.addWidget(self.editor)
        self.block.setVisible(bool(note))
        self.value = MenuButton(self.tr("Value of {name}").format(name=row.label))
        self.value.chosen.connect(self._choose)
        self.field = QLineEdit(row.value or row.begin)
        self.field.setAccessibleName(self.tr("Value of {name}").format(name=row.label))
        self.field.returnPressed.connect(self._save_value)
        self.pick = ComboBox()
        self.pick.setAccessibleName(self.field.accessibleName())
        for value in row.values:
            self.pick.addItem(written(value, is_text=row.is_text), json.dumps(value))
        self.pick.setCurrentIndex(self.pick.findText(row.value or row.begin))
        self.pick.chosen.connect(lambda value: self._save(json.loads(value)))
        self.rule = label(self._rule_text(), "small", wraps=True)
        self.rule.setContentsMargins(4, 0, 0, 0)  # in line with the menu's text
        if not row.allowed:
            self.rule.hide()
        self.wrong = Alert()
        for widget in (self.field, self.pick, self.wrong):
            widget.hide()
        self._wanted: Shape | None = None
        self._limit: Limit | None = None
        self._show_value()
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(0, 5, 0, 5)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        self.middle = QVBoxLayout()
        self.middle.setSpacing(4)
        self.middle.addWidget(self.words)
        self.middle.addWidget(self.block)
        self.last = QVBoxLayout()
        self.last.setSpacing(4)
        self.last.addWidget(self.value, 0, Qt.AlignmentFlag.AlignLeft)
        self.last.addWidget(self.rule)
        for widget in (self.field, self.pick, self.wrong):
            self.last.addWidget(widget)
        self.arrange(stacked=False)

    def arrange(self, *, stacked: bool) -> None:
        """Lay the row out in four columns, or stacked in a narrow window: name and type, words, value."""
        grid = self._grid
        while grid.count():
            grid.takeAt(0)
        top = Qt.AlignmentFlag.AlignTop
        for one in (self.middle, self.last):
            one.setAlignment(top)
        grid.addWidget(self.name, 0, 0, top)
        grid.addWidget(self.type, 0, 1, top)
        if stacked:
            grid.addLayout(self.middle, 1, 0, 1, 2)
            grid.addLayout(self.last, 2, 0, 1, 2)
        else:
            grid.addLayout(self.middle, 0, 2, top)
            grid.addLayout(self.last, 0, 3, top)
        for place, (width, stretch) in enumerate(((96, 0), (112, 0), (0, 1), (168, 0))):
            grid.setColumnMinimumWidth(place, 0 if stacked and place > 1 else round(width * text_scale()))
            grid.setColumnStretch(place, stretch if not stacked else int(place == 1))

    def start_writing(self) -> None:
        """Show the editor of the user's words and focus it."""
        self.block.show()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def flush(self) -> None:
        """Save the words that are being typed."""
        self._save_note()

    def _save_note(self) -> None:
        text = self.editor.text().strip()
        if text != self._note.strip():
            self._note = text
            self.noted.emit(self.row, text)
        self.block.setVisible(bool(text))

    def _show_value(self) -> None:
        row, shown = self.row, self.row.value
        default = self.tr("Default: {x}").format(x=shown) if row.shape is Shape.DEFAULT else self.tr("Default…")
        fixed = self.tr("Always “{x}”").format(x=shown) if row.shape is Shape.FIXED else self.tr("Always…")
        choices = [
            Choice(self.tr("Assistant decides"), Shape.FREE),
            Choice(default, Shape.DEFAULT),
            Choice(fixed, Shape.FIXED),
            Choice(self.tr("Hidden from assistants"), Shape.HIDDEN),
        ]
        if row.shape in WITH_VALUE:
            choices.append(Choice(self.tr("Change the value…"), _CHANGE))
        if row.shape in (Shape.FREE, Shape.DEFAULT):
            choices.append(Choice(self.tr("The assistant may send"), None))
            if row.allowed:
                choices.append(Choice(self.tr("Any value"), _ANY))
            choices.append(Choice(self.tr("Only some values…"), Limit.VALUES))
            if row.takes_texts or row.type == "any":
                choices.append(Choice(self.tr("Only paths in a folder…"), Limit.UNDER))
                choices.append(Choice(self.tr("Only texts of a pattern…"), Limit.LIKE))
        self.value.set_choices(choices, row.shape)

    def _rule_text(self) -> str:
        row = self.row
        match row.allowed:
            case {"values": _}:
                return self.tr("Only {values}").format(values=limit_text(row, Limit.VALUES))
            case {"under": folder}:
                return self.tr("Only in {folder}").format(folder=folder)
            case {"like": pattern}:
                return self.tr("Only like {pattern}").format_map({"pattern": pattern})
        return self.tr("No value is allowed") if row.allowed else ""

    def _edit_limit(self, limit: Limit) -> None:
        self._show_value()
        self._limit = limit
        self.pick.hide()
        hints = {
            Limit.VALUES: self.tr("Values, with commas"),
            Limit.UNDER: self.tr("Folder, as /home/me/work"),
            Limit.LIKE: self.tr("Pattern, as release-*"),
        }
        self.field.setPlaceholderText(hints[limit])
        suggested = ", ".join(map(str, self.row.values)) if limit is Limit.VALUES and self.row.takes_texts else ""
        self.field.setText(limit_text(self.row, limit) or suggested)
        self.field.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def _choose(self, chosen: Shape | Limit | str) -> None:
        if chosen == _ANY:
            self.limited.emit(self.row, ABSENT)
            return
        if isinstance(chosen, Limit):
            self._edit_limit(chosen)
            return
        if self._limit is not None:  # the field has a rule, not a value
            self._limit = None
            self.field.setText(self.row.value or self.row.begin)
            self.field.setPlaceholderText("")
        if chosen == _CHANGE:
            self._show_value()
        shape = self.row.shape if chosen == _CHANGE else Shape(chosen)
        self._wanted = shape
        target = self.pick if self.row.values else self.field
        target.setVisible(shape in WITH_VALUE)
        if shape not in WITH_VALUE:
            self.shaped.emit(self.row, shape, ABSENT)
        elif self.row.value and chosen != _CHANGE:
            self._save(read_value(self.row.value, self.row))
        else:  # a value is needed first; the field begins with the source's own default
            target.setFocus(Qt.FocusReason.OtherFocusReason)
            self.field.selectAll()

    def _save_value(self) -> None:
        try:
            if self._limit is not None:
                rule = read_limit(self.field.text(), self.row, self._limit)
                self.limited.emit(self.row, ABSENT if rule is None else rule)
                return
            value: Any = read_value(self.field.text(), self.row)
        except ValueError:
            restyle(self.field, state="wrong")
            is_folder = self._limit is Limit.UNDER
            text = self.tr("This is no whole path.") if is_folder else self.tr("This parameter takes no such value.")
            self.wrong.setText(text)
            self.wrong.show()
            return
        self._save(value)

    def _save(self, value: Any) -> None:
        for widget in (self.field, self.pick, self.wrong):
            widget.hide()
        self.shaped.emit(self.row, self._wanted or self.row.shape, value)

    def _type_text(self, served: Parameter | None) -> str:
        kind = self.row.type
        name = self.tr("Choice") if self.row.values and kind == "string" else type_name(kind)
        required = served.required if served is not None else self.row.depth > 0 and self.row.required
        return self.tr("{type}, required").format(type=name) if required else name

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(colours(self.palette()).line)
        painter.drawLine(0, 0, self.width(), 0)


class ParametersTable(QFrame):
    """Rows of a tool's parameters; nested ones are behind a link unless one has a value or words of the user's.

    Signals:
        shaped, noted, limited: as of a row (``ParameterLine``).
    """

    shaped = Signal(object, object, object)
    noted = Signal(object, str)
    limited = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = None
        self._stacked = False
        self.lines: tuple[ParameterLine, ...] = ()
        whole = column(self, spacing=0)
        self._heads = QWidget()
        heads = QGridLayout(self._heads)
        heads.setContentsMargins(0, 16, 0, 8)
        heads.setHorizontalSpacing(16)
        texts = (self.tr("Parameter"), self.tr("Type"), self.tr("Description"), self.tr("Value"))
        for place, (text, (width, stretch)) in enumerate(
            zip(texts, ((96, 0), (112, 0), (0, 1), (168, 0)), strict=True)
        ):
            head = label(text, "group")
            head.setContentsMargins(4 if place == len(texts) - 1 else 0, 0, 0, 0)  # in line with the menus' texts
            heads.addWidget(head, 0, place)
            heads.setColumnMinimumWidth(place, round(width * text_scale()))
            heads.setColumnStretch(place, stretch)
        whole.addWidget(self._heads)
        rows = QWidget()
        self._column = column(rows, spacing=0)
        whole.addWidget(rows)
        self.nested_button = Button("", "link", pressed=self._show_nested)
        whole.addWidget(self.nested_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._nested_of: ToolKey | None = None
        """Tool whose nested parameters the user wanted to see."""

    def show_document(self, document: ToolDocument, entry: ToolEntry) -> None:
        """Show the parameters of a served tool; hidden ones with what the user set for them."""
        served = document.served
        if served is None:
            self.hide()
            return
        shown = {one.name: one for one in read_parameters(served.definition.get("inputSchema"), 1)}
        rows = argument_rows(served.known.tool.definition, entry)
        notes = {name: one.note for name, one in entry.parameters.items()}
        nested = [row for row in rows if row.depth]
        is_set = any(row.shape is not Shape.FREE or row.allowed or notes.get(row.name) for row in nested)
        self._tool = served.known.tool.key
        folded = bool(nested) and not is_set and self._nested_of != self._tool
        self.nested_button.set_text(self.tr("Show %n nested parameters", "", len(nested)))
        self.nested_button.setVisible(folded)
        found = tuple(
            (row, None if row.depth else shown.get(row.label), notes.get(row.name, ""))
            for row in rows
            if not (folded and row.depth)
        )
        self._document, self._entry = document, entry
        self.setVisible(bool(found))
        if found != self._shown and not any(line.editor.hasFocus() for line in self.lines):
            self._shown = found
            self._fill(found)

    def _show_nested(self) -> None:
        self._nested_of = self._tool
        first = len(self.lines)
        self.show_document(self._document, self._entry)
        if len(self.lines) > first:
            self.lines[first].words.setFocus(Qt.FocusReason.OtherFocusReason)

    def arrange(self, *, stacked: bool) -> None:
        """Stack the rows in a narrow window."""
        self._stacked = stacked
        self._heads.setVisible(not stacked)
        for line in self.lines:
            line.arrange(stacked=stacked)

    def flush(self) -> None:
        """Save the words that are being typed."""
        for line in self.lines:
            line.flush()

    def _fill(self, found: Sequence[tuple[ArgumentRow, Parameter | None, str]]) -> None:
        empty(self._column)
        lines = []
        for row, served, note in found:
            line = ParameterLine(row, served, note)
            line.arrange(stacked=self._stacked)
            line.shaped.connect(self.shaped)
            line.noted.connect(self.noted)
            line.limited.connect(self.limited)
            self._column.addWidget(line)
            lines.append(line)
        self.lines = tuple(lines)


def _without_note(served: str, note: str) -> str:
    """Return a served description without the user's words behind it; ``served`` is on one line."""
    words = " ".join(note.split())
    if not words or not served.endswith(words):
        return served
    return served[: -len(words)].rstrip()
