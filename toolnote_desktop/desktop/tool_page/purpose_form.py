"""Purpose of a tool: when to use it, instructions, category, need, name."""

from __future__ import annotations

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter

from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.tool_page.form_base import ToolForm
from toolnote_desktop.desktop.widgets.auto_save_fields import LineField, Picks, TextField, captioned
from toolnote_desktop.desktop.widgets.basics import column


class PurposeForm(ToolForm):
    """Form with a field for each."""

    def __init__(self, settings: ToolSettings) -> None:
        super().__init__(settings)
        self.when = TextField(
            self.tr("When to use it"), self.tr("When a user reports a bug. Not for questions: search first.")
        )
        self.instructions = TextField(self.tr("Instructions"), self.tr("Take search terms from the user’s own words."))
        self.category = LineField(self.tr("Category"))
        self._categories = QStringListModel(self)
        completer = QCompleter(self._categories, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.category.setCompleter(completer)
        self.alias = LineField(self.tr("Name for assistants"))
        self.alias.setMaxLength(64)
        needs = (("required", self.tr("Always")), ("optional", self.tr("When it matters")))
        self.need = Picks(self.tr("In the guide:"), needs)
        whole = column(self, spacing=14)
        for caption, sentence, control in (
            (
                self.tr("When to use it"),
                self.tr("Shown below the tool’s own words, and in the guide. Its words suggest the tool."),
                self.when,
            ),
            (
                self.tr("Instructions"),
                self.tr("How to go about it, in a sentence or two. Shown before your notes."),
                self.instructions,
            ),
            (
                self.tr("Category"),
                self.tr("What the guide lists it under; without one, under its tool source."),
                self.category,
            ),
            (
                self.tr("In the guide"),
                self.tr("A tool that is not always needed is mentioned where it matters."),
                self.need,
            ),
            (
                self.tr("Name for assistants"),
                self.tr("Instead of the usual one: letters, digits, _ and -. What is too long is shortened."),
                self.alias,
            ),
        ):
            whole.addWidget(captioned(caption, sentence, control))
        self.when.saved.connect(lambda text: self._set("whenToUse", text))
        self.instructions.saved.connect(lambda text: self._set("instructions", text))
        self.category.saved.connect(lambda text: self._set("category", text))
        self.alias.saved.connect(lambda text: self._set("alias", text))
        self.need.chosen.connect(self._set_need)

    def show_view(self, view: ToolView) -> None:
        """Show a tool's settings in its toolset."""
        super().show_view(view)
        entry = view.effective
        self.when.show_text(entry.when_to_use)
        self.instructions.show_text(entry.instructions)
        self.category.show_text(entry.category or "")
        self.category.setPlaceholderText(view.known.record.category)
        self.alias.show_text(entry.alias or "")
        self.alias.setPlaceholderText(view.exposed_name)
        self.need.show_value(entry.optionality)
        self._offer_categories(view)
        said = [entry.category or "", self.tr("when it matters") if entry.optionality == "optional" else ""]
        said.append(self.tr("called {name}").format(name=view.exposed_name) if entry.alias else "")
        told = bool(entry.when_to_use.strip() or entry.instructions.strip())
        said.append(self.tr("you have said when") if told else "")
        self.summarised.emit("  ·  ".join(one for one in said if one) or self.tr("Not set"))

    def _offer_categories(self, view: ToolView) -> None:
        """Offer the toolset's existing categories while one is typed."""
        tools = view.toolset.tools if view.toolset is not None else ()
        found = sorted({one.category for one in tools if one.category})
        if found != self._categories.stringList():
            self._categories.setStringList(found)

    def _set(self, key: str, text: str) -> None:
        if self._view is not None:
            self._settings.set_text(self._view, key, text)

    def _set_need(self, optionality: str) -> None:
        if self._view is not None:
            self._settings.set_optionality(self._view, optionality)
