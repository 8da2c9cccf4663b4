"""Dialog that fills a note template's placeholders."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QListView, QScrollArea, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.alert import announce
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.model.names import is_note_text
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.toolsets.templates import NoteCategory, NoteTemplate, fill, missing, placeholders

_TEMPLATE = Qt.ItemDataRole.UserRole + 1


def category_words(category: NoteCategory) -> str:
    """Return a template category's name for display."""
    return {
        NoteCategory.USAGE: translate("templates", "How to use it"),
        NoteCategory.WARNING: translate("templates", "Warnings"),
        NoteCategory.CONVENTION: translate("templates", "How we do it"),
        NoteCategory.EXAMPLE: translate("templates", "Examples"),
        NoteCategory.WORKFLOW: translate("templates", "Before and after"),
    }[category]


class TemplateDialog(Dialog):
    """Dialog with the templates on the left and the selected one on the right.

    Signals:
        filled: the name and the text of the note to make.
    """

    filled = Signal(str, str)

    def __init__(self, files: GuidanceFiles, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._template: NoteTemplate | None = None
        self._removed: NoteTemplate | None = None
        self.fields: dict[str, QLineEdit] = {}
        self.introduce(
            self.tr("Start from a template"),
            self.tr("Fill in the blanks. You can edit the note afterwards."),
        )
        self._rows = QStandardItemModel(self)
        self.list = QListView()
        self.list.setModel(self._rows)
        self.list.setAccessibleName(self.tr("Templates"))
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setProperty("kind", "choices")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFixedWidth(round(270 * text_scale()))
        self.list.selectionModel().currentChanged.connect(lambda now, _before: self._show(now.data(_TEMPLATE)))
        right = QWidget()
        self._right = QVBoxLayout(right)
        self._right.setContentsMargins(0, 0, 6, 0)
        self._right.setSpacing(10)
        self.title_shown = label("", "heading", wraps=True)
        self._form = QWidget()
        self.text = label("", "", wraps=True)
        self.problem = label("", "second", wraps=True)
        for one in (
            self.title_shown,
            self._form,
            label(self.tr("The note"), "small", wraps=True),
            self.text,
            self.problem,
        ):
            self._right.addWidget(one)
        self._right.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(right)
        panes = QHBoxLayout()
        panes.setSpacing(20)
        panes.addWidget(self.list)
        panes.addWidget(scroll, 1)
        self.body.addLayout(panes, 1)
        self.remove_button = Button(self.tr("Delete this template"), "link")
        self.remove_button.clicked.connect(self._remove)
        self.back_button = Button("", "link")
        self.back_button.clicked.connect(self._put_back)
        self.back_button.hide()
        self.add_button = Button(self.tr("Add the note"), "primary")
        self.add_button.clicked.connect(self._add)
        cancel = Button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.buttons.addWidget(self.remove_button)
        self.buttons.addWidget(self.back_button)
        self.buttons.addStretch(1)
        self.buttons.addWidget(cancel)
        self.buttons.addWidget(self.add_button)
        self.setMinimumSize(round(720 * text_scale()), round(460 * text_scale()))
        self._fill()

    @property
    def template(self) -> NoteTemplate | None:
        """Selected template."""
        return self._template

    def _fill(self, chosen: str | None = None) -> None:
        """Reload the templates and select ``chosen``, else the first."""
        self._rows.clear()
        place = 1
        templates = self._files.templates().values()
        own = self._files.own_templates()
        for category in NoteCategory:
            of_category = [one for one in templates if one.category is category]
            if not of_category:
                continue
            head = QStandardItem(category_words(category))
            head.setFlags(Qt.ItemFlag.NoItemFlags)
            self._rows.appendRow(head)
            for one in of_category:
                text = self.tr("{title} (yours)").format(title=one.title) if one.name in own else one.title
                item = QStandardItem(f"  {text}")
                item.setData(text, Qt.ItemDataRole.AccessibleTextRole)
                item.setData(one, _TEMPLATE)
                self._rows.appendRow(item)
                if one.name == chosen:
                    place = item.row()
        if self._rows.rowCount() > 1:
            first = self._rows.index(place, 0)
            self.list.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _show(self, template: object) -> None:
        if not isinstance(template, NoteTemplate):
            return
        self._template = template
        self.title_shown.setText(template.title)
        self.fields = {}
        form = QWidget()
        rows = QFormLayout(form)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for name in placeholders(template.text):
            field = QLineEdit()
            field.setPlaceholderText(template.hints.get(name, ""))
            field.setAccessibleName(name)
            field.textChanged.connect(self._show_text)
            self.fields[name] = field
            rows.addRow(label(name), field)
        self._right.replaceWidget(self._form, form)
        self._form.deleteLater()
        self._form = form
        self.remove_button.setVisible(template.name in self._files.own_templates())
        self._show_text()

    def _values(self) -> dict[str, str]:
        return {name: field.text() for name, field in self.fields.items()}

    def _show_text(self, _text: str = "") -> None:
        template = self._template
        if template is None:
            return
        values = self._values()
        text = fill(template.text, values)
        self.text.setText(text)
        empty = missing(template.text, values)
        self.add_button.setEnabled(not empty and is_note_text(text))
        self.problem.setText(
            messages.problem_text(Problem(Code.PLACEHOLDER_EMPTY, {"name": messages.joined(empty)})) if empty else ""
        )

    def _add(self) -> None:
        if self._template is not None:
            self.accept()
            self.filled.emit(self._template.name, fill(self._template.text, self._values()))

    def _remove(self) -> None:
        template = self._template
        if template is None:
            return
        try:
            self._files.remove_template(template.name)
        except ToolnoteError as error:
            self._say(messages.problem_text(error.problem))
            return
        self._removed = template
        self.back_button.setText(self.tr("Restore “{title}”").format(title=template.title))
        self.back_button.show()
        self._fill()

    def _put_back(self) -> None:
        """Restore a removed template; as a file of its own it is no step of the window's undo stack."""
        removed = self._removed
        if removed is None:
            return
        try:
            self._files.save_template(removed)
        except ToolnoteError as error:
            self._say(messages.problem_text(error.problem))
            return
        self._removed = None
        self.back_button.hide()
        self._fill(removed.name)

    def _say(self, text: str) -> None:
        self.problem.setText(text)
        announce(self.problem, text)
