"""Form for the inputs of a published server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QWidget

from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.dialog import with_texts_below
from toolnote_desktop.public_registry.form import Field

LINES = 3


class RegistryForm(QWidget):
    """Form with each field below its caption.

    Signals:
        changed: a value is another now.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._read: dict[str, Callable[[], str]] = {}
        self._marks: dict[str, QLabel] = {}
        self._inner: dict[str, QWidget] = {}
        self._rows = column(self, spacing=12)

    def show_fields(self, fields: Sequence[Field]) -> None:
        """Show these fields with their defaults."""
        self._read, self._marks, self._inner = {}, {}, {}
        empty(self._rows)
        for field in fields:
            self._add(field)

    def values(self) -> Mapping[str, str]:
        """Return the values by key, without empty fields."""
        return {key: value for key, read in self._read.items() if (value := read())}

    def mark(self, missing: Sequence[Field]) -> None:
        """Mark the missing fields, and focus the first."""
        keys = [field.key for field in missing]
        for key, mark in self._marks.items():
            mark.setVisible(key in keys)
        if keys and keys[0] in self._inner:
            self._inner[keys[0]].setFocus(Qt.FocusReason.OtherFocusReason)

    def _add(self, field: Field) -> None:
        text = field.label.replace("_", "_\u200b")
        said = label(text[:1].upper() + text[1:] if text.islower() else text, wraps=True)
        editor, inner = self._editor(field)
        self._inner[field.key] = inner
        said.setBuddy(inner)
        needed = self.tr("Required.") if field.input.required else ""
        text = field.input.description if field.input.description != field.label else ""
        about = " ".join(part for part in (needed, text) if part)
        inner.setAccessibleName(field.label)
        inner.setAccessibleDescription(about)
        mark = label(self.tr("Enter this first."), "wrong", wraps=True)
        mark.hide()
        self._marks[field.key] = mark
        below = [label(about, "small", wraps=True), mark] if about else [mark]
        field_and_texts = with_texts_below(editor, *below)
        self._rows.addWidget(with_texts_below(said, field_and_texts))

    def _editor(self, field: Field) -> tuple[QWidget, QWidget]:
        """Return the row's widget, and the editor in it."""
        what = field.input
        if what.choices:
            return self._choice(field)
        if what.format == "boolean":
            box = CheckBox(self.tr("Yes"))
            box.setChecked(what.default == "true")
            box.toggled.connect(self.changed)
            self._read[field.key] = lambda: "true" if box.isChecked() else ""
            return box, box
        if field.lines:
            return self._lines(field)
        line = QLineEdit(what.default)
        line.setPlaceholderText(what.placeholder)
        line.textChanged.connect(self.changed)
        self._read[field.key] = lambda: line.text().strip()
        if what.secret:
            return self._secret(line), line
        if what.format == "filepath":
            return self._beside(line, self._browse(line.setText)), line
        return line, line

    def _choice(self, field: Field) -> tuple[QWidget, QWidget]:
        choice = ComboBox()
        if not field.input.required:
            choice.addItem(self.tr("Default"), "")
        for value in field.input.choices:
            choice.addItem(value, value)
        choice.setCurrentIndex(max(choice.findData(field.input.default), 0))
        choice.chosen.connect(lambda _value: self.changed.emit())
        self._read[field.key] = lambda: str(choice.currentData() or "")
        return choice, choice

    def _lines(self, field: Field) -> tuple[QWidget, QWidget]:
        lines = QPlainTextEdit(field.input.default)
        lines.setProperty("kind", "field")
        lines.setTabChangesFocus(True)
        lines.setPlaceholderText(field.input.placeholder)
        lines.setFixedHeight(QFontMetrics(lines.font()).lineSpacing() * LINES + 24)
        lines.textChanged.connect(self.changed)
        self._read[field.key] = lambda: lines.toPlainText().strip()
        if field.input.format == "filepath":
            return with_texts_below(lines, self._browse(lines.appendPlainText)), lines
        return lines, lines

    def _secret(self, line: QLineEdit) -> QWidget:
        line.setEchoMode(QLineEdit.EchoMode.Password)
        show = CheckBox(self.tr("Show"))
        show.toggled.connect(
            lambda on: line.setEchoMode(QLineEdit.EchoMode.Normal if on else QLineEdit.EchoMode.Password)
        )
        return self._beside(line, show)

    def _browse(self, take: Callable[[str], None]) -> QWidget:
        made = Button(self.tr("Folder…"))
        made.clicked.connect(lambda: self._choose_folder(take))
        return made

    def _choose_folder(self, take: Callable[[str], None]) -> None:
        dialog = QFileDialog(self, self.tr("Choose a folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(take)
        dialog.open()

    def _beside(self, editor: QWidget, other: QWidget) -> QWidget:
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(editor, 1)
        place = Qt.AlignmentFlag.AlignVCenter if isinstance(editor, QLineEdit) else Qt.AlignmentFlag.AlignTop
        row.addWidget(other, 0, place)
        return both
