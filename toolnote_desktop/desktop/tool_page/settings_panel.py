"""Settings of a tool in a toolset beside the notes: four sections that are collapsed at first."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.tool_page.arguments_form import ArgumentsForm
from toolnote_desktop.desktop.tool_page.behaviour_form import BehaviourForm
from toolnote_desktop.desktop.tool_page.consent_form import ConsentForm
from toolnote_desktop.desktop.tool_page.form_base import ToolForm
from toolnote_desktop.desktop.tool_page.purpose_form import PurposeForm
from toolnote_desktop.desktop.widgets.basics import card, column
from toolnote_desktop.desktop.widgets.collapsible import Collapsible


class ToolPanel(QWidget):
    """Card of the sections, separated by hairlines."""

    def __init__(self, settings: ToolSettings) -> None:
        super().__init__()
        self.behaviour = BehaviourForm(settings)
        self.consent = ConsentForm(settings)
        self.purpose = PurposeForm(settings)
        self.arguments = ArgumentsForm(settings)
        self.folds = {
            "behaviour": Collapsible(self.tr("What it does")),
            "consent": Collapsible(self.tr("Ask me first")),
            "purpose": Collapsible(self.tr("When to use it")),
            "arguments": Collapsible(self.tr("Its arguments")),
        }
        self._forms: tuple[ToolForm, ...] = (self.behaviour, self.consent, self.purpose, self.arguments)
        box = card("quiet-card")
        inside = column(box, (2, 2, 2, 2), spacing=0)
        folds = list(self.folds.values())
        for number, form in enumerate(self._forms):
            if number:
                inside.addWidget(_hairline())
            folds[number].body.addWidget(form)
            form.summarised.connect(folds[number].header.summarise)
            inside.addWidget(folds[number])
        self.folds["arguments"].opened.connect(self.arguments.open)
        column(self).addWidget(box)

    def show_view(self, view: ToolView) -> None:
        """Show a tool's settings in its toolset."""
        for form in self._forms:
            form.show_view(view)

    def open(self, part: str) -> None:
        """Expand one of the sections."""
        self.folds[part].open()


def _hairline() -> QFrame:
    line = QFrame()
    line.setProperty("kind", "hairline")
    line.setFixedHeight(1)
    return line
