"""Dialog that saves a note as a template with placeholders."""

from __future__ import annotations

from PySide6.QtWidgets import QFormLayout, QLineEdit, QPlainTextEdit, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.tool_page.template_dialog import category_words
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.model.names import free_note_name, is_note_text
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.toolsets.notes import Note
from toolnote_desktop.model.toolsets.templates import NoteCategory, NoteTemplate, placeholders


class SaveTemplateDialog(Dialog):
    """Dialog with the template's title, category and text."""

    def __init__(self, files: GuidanceFiles, note: Note, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._name = note.name
        self.introduce(
            self.tr("Save as a template"),
            self.tr("Write {example} for text that changes each time. A form asks for it.").format(example="{team}"),
        )
        form = QFormLayout()
        form.setSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        words = note.name.replace("-", " ")
        self.title_field = QLineEdit(words[:1].upper() + words[1:])
        self.title_field.setMaxLength(80)
        self.category = ComboBox()
        for category in NoteCategory:
            self.category.addItem(category_words(category), category)
        self.text = QPlainTextEdit(note.note)
        self.text.setProperty("kind", "field")
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(round(150 * text_scale()))
        for caption, field in (
            (self.tr("Title"), self.title_field),
            (self.tr("What it is for"), self.category),
            (self.tr("Text"), self.text),
        ):
            field.setAccessibleName(caption)
            form.addRow(label(caption), field)
        self.body.addLayout(form)
        self.places = label("", "second", wraps=True)
        self.problem = Alert()
        self.problem.hide()
        self.body.addWidget(self.places)
        self.body.addWidget(self.problem)
        self.save_button = Button(self.tr("Save"), "primary")
        self.save_button.clicked.connect(self._save)
        cancel = Button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.buttons.addStretch(1)
        self.buttons.addWidget(cancel)
        self.buttons.addWidget(self.save_button)
        self.text.textChanged.connect(self._look)
        self.title_field.textChanged.connect(self._look)
        self.setMinimumWidth(round(560 * text_scale()))
        self._look()

    def _look(self) -> None:
        text = self.text.toPlainText()
        asked = placeholders(text)
        names = messages.joined(asked)
        self.places.setText(
            self.tr("The form will ask for: {names}.").format(names=names)
            if asked
            else self.tr("The form will ask for nothing.")
        )
        self.save_button.setEnabled(is_note_text(text) and bool(self.title_field.text().strip()))

    def _save(self) -> None:
        taken = self._files.templates()
        name = free_note_name(self._name, taken)
        category = NoteCategory(self.category.currentData())
        text, title = self.text.toPlainText(), self.title_field.text().strip()
        try:
            self._files.save_template(NoteTemplate(name, title, category, text, {}))
        except ToolnoteError as error:
            self.problem.setText(messages.problem_text(error.problem))
            self.problem.show()
            return
        self.accept()
