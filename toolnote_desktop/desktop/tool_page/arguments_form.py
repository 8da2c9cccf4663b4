"""Form of a tool's arguments: left to the assistant, with a default, fixed, or hidden."""

from __future__ import annotations

import json

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.models.argument_rows import (
    WITH_VALUE,
    ArgumentRow,
    Shape,
    argument_rows,
    read_value,
    written,
)
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.tool_page.form_base import ToolForm
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.auto_save_fields import LineField
from toolnote_desktop.desktop.widgets.basics import column, empty, label
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.model.edits import ABSENT


class ArgumentsForm(ToolForm):
    """Form with a row for each argument."""

    def __init__(self, settings: ToolSettings) -> None:
        super().__init__(settings)
        self._is_open = False
        self._shown: tuple[tuple[str, int, str], ...] = ()
        self.rows: list[ArgumentLine] = []
        self.nothing = label(self.tr("It takes no arguments."), "second")
        self._column = QVBoxLayout()
        self._column.setSpacing(12)
        whole = column(self, spacing=10)
        whole.addWidget(
            label(
                self.tr("What you fix is filled in by Toolnote; the assistant neither sees nor changes it."),
                "second",
                wraps=True,
            )
        )
        whole.addWidget(self.nothing)
        whole.addLayout(self._column)

    def show_view(self, view: ToolView) -> None:
        """Show a tool's settings in its toolset; rows are created when the form is opened."""
        super().show_view(view)
        entry = view.effective
        set_here = len({*entry.argument_defaults, *entry.hidden_arguments})
        text = self.tr("%n set by you", "", set_here) if set_here else self.tr("Assistant decides")
        self.summarised.emit(text if set_here != 1 else self.tr("1 set by you"))
        if self._is_open:
            self._fill(view)

    def open(self) -> None:
        """Create the rows when the form becomes visible."""
        self._is_open = True
        if self._view is not None:
            self._fill(self._view)

    def _fill(self, view: ToolView) -> None:
        rows = argument_rows(view.known.tool.definition, view.effective)
        same = tuple((row.name, row.depth, row.type) for row in rows)
        if same != self._shown or len(self.rows) != len(rows):
            self._shown = same
            empty(self._column)
            self.rows = [ArgumentLine() for _ in rows]
            for line in self.rows:
                line.decided.connect(self._decide)
                self._column.addWidget(line)
        for line, row in zip(self.rows, rows, strict=True):
            line.show_row(row)
        self.nothing.setVisible(not rows)

    def _decide(self, row: ArgumentRow, shape: Shape, value: object) -> None:
        if self._view is not None:
            hidden = shape in (Shape.FIXED, Shape.HIDDEN)
            self._settings.shape_argument(self._view, row.name, hidden=hidden, value=value)


class ArgumentLine(QWidget):
    """Row of one argument.

    Signals:
        decided: the row, the chosen setting, and the value (``ABSENT`` for none).
    """

    decided = Signal(object, object, object)

    def __init__(self) -> None:
        super().__init__()
        self._row: ArgumentRow | None = None
        self._wanted: Shape | None = None
        self.name = label("", "name", can_be_copied=True)
        self.said = label("", "small", wraps=True)
        self.shape = ComboBox()
        for shape, text in (
            (Shape.FREE, self.tr("The assistant decides")),
            (Shape.DEFAULT, self.tr("Has a default")),
            (Shape.FIXED, self.tr("Always this value, hidden")),
            (Shape.HIDDEN, self.tr("Left out, hidden")),
        ):
            self.shape.addItem(text, shape)
        self.shape.chosen.connect(self._choose)
        self.value = LineField("")
        self.value.saved.connect(self._keep_text)
        self.pick = ComboBox()
        self.pick.chosen.connect(self._keep_pick)
        self.wrong = Alert()
        top = QHBoxLayout()
        top.setSpacing(12)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.name)
        words.addWidget(self.said)
        words.addStretch(1)
        top.addLayout(words, 1)
        controls = QVBoxLayout()
        controls.setSpacing(6)
        for one in (self.shape, self.value, self.pick):
            one.setFixedWidth(220)
            controls.addWidget(one)
        top.addLayout(controls)
        self._whole = column(self, spacing=2)
        self._whole.addLayout(top)
        self._whole.addWidget(self.wrong)

    def show_row(self, row: ArgumentRow) -> None:
        """Show an argument's setting."""
        if self._row is None or self._row.name != row.name or self._row.shape != row.shape:
            self._wanted = None
        self._row = row
        self._whole.setContentsMargins(row.depth * 18, 0, 0, 0)
        self.name.setText(row.label)
        need = self.tr("needed") if row.required else self.tr("not needed")
        parts = (self._kind(row.type), need, row.description)
        self.said.setText("  ·  ".join(part for part in parts if part))
        self.shape.setAccessibleName(self.tr("What happens with {argument}").format(argument=row.label))
        named = self.tr("Value of {argument}").format(argument=row.label)
        for control in (self.value, self.pick):
            control.setAccessibleName(named)
        shape = self._wanted or row.shape
        self.shape.setCurrentIndex(list(Shape).index(shape))
        has_value = shape in WITH_VALUE
        self.value.setVisible(has_value and not row.values)
        self.pick.setVisible(has_value and bool(row.values))
        self.value.show_text(row.value)
        self.value.setPlaceholderText(row.begin or ("" if row.is_text else self.tr("such as 1 or [1, 2]")))
        self._offer(row)
        self.wrong.hide()

    def _kind(self, type: str) -> str:
        words = {
            "string": self.tr("text"),
            "integer": self.tr("whole number"),
            "number": self.tr("number"),
            "boolean": self.tr("yes or no"),
            "any": self.tr("anything"),
            "object": self.tr("group"),
        }
        if type.startswith("array of "):
            return self.tr("list of: {kind}").format(kind=self._kind(type.removeprefix("array of ")))
        return words.get(type, type)

    def _offer(self, row: ArgumentRow) -> None:
        texts = [written(value, is_text=row.is_text) for value in row.values]
        if [self.pick.itemText(place) for place in range(self.pick.count())] != texts:
            self.pick.clear()
            for text, value in zip(texts, row.values, strict=True):
                self.pick.addItem(text, json.dumps(value))
        self.pick.setCurrentIndex(texts.index(row.value) if row.value in texts else -1)

    def _choose(self, shape: Shape) -> None:
        row = self._row
        if row is None or shape is row.shape:
            self._wanted = None
            return
        if shape not in WITH_VALUE:
            self._wanted = None
            self.decided.emit(row, shape, ABSENT)
        elif row.value:
            self._wanted = None
            self.decided.emit(row, shape, read_value(row.value, row))
        else:  # a value is needed first; the field begins with the server's own default
            self._wanted = shape
            self.show_row(row)
            self.value.setText(row.begin)
            (self.pick if row.values else self.value).setFocus()

    def _keep_text(self, text: str) -> None:
        row = self._row
        if row is None:
            return
        try:
            value = read_value(text, row)
        except ValueError:
            self.wrong.setText(self.tr("{kind}: this is none.").format(kind=self._kind(row.type)))
            self.wrong.show()
            return
        self.decided.emit(row, self._wanted or row.shape, value)

    def _keep_pick(self, value: str) -> None:
        if self._row is not None:
            self.decided.emit(self._row, self._wanted or self._row.shape, json.loads(value))
