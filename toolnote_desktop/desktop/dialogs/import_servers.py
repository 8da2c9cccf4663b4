"""Take servers over from other programs, or from a file or link that somebody sent: always a preview first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.find import find_clients
from toolnote_desktop.assistants.hypertool import find_hypertool, servers_at
from toolnote_desktop.assistants.importing import Candidate, Reading, import_edits, preview, read_client
from toolnote_desktop.assistants.own_entry import Ourselves
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.dialogs.frame import Dialog, button, label
from toolnote_desktop.desktop.dialogs.server_choices import ServerChoices
from toolnote_desktop.desktop.dialogs.tick_box import TickBox
from toolnote_desktop.desktop.my_tools import collecting_toolset
from toolnote_desktop.desktop.task import run_task
from toolnote_desktop.desktop.theme import text_scale
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.store.library import Library

MOST_WARNINGS = 4


def servers_of_programs(environment: Environment, ourselves: Ourselves) -> list[Reading]:
    """What every program's files hold. Reads files: for a thread of its own."""
    readings = [read_client(found, ourselves) for found in find_clients(environment, ourselves) if found.installed]
    hypertool = find_hypertool(environment)
    return [*readings, *(servers_at(hypertool, ourselves) if hypertool is not None else ())]


class ImportServers(Dialog):
    """Shows servers that were found, each with its tick box, and adds the ticked ones.

    Signals:
        added: the ids of the servers that were added.
    """

    added = Signal(object)

    def __init__(self, library: Library, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("import")
        self._library = library
        self._candidates: Sequence[Candidate] = ()
        self._disabled = False
        self.choices = ServerChoices()
        self.choices.changed.connect(self._refresh)
        self.nothing = label(self.tr("Looking at what other programs have…"), "second")
        self.warnings = label("", "small")
        self.warnings.hide()
        self.wrong = label("", "wrong")
        self.wrong.hide()
        self.collect = TickBox()
        toolset = collecting_toolset(library.snapshot)
        self._toolset = toolset.name if toolset is not None else None
        title = toolset.title.replace("&", "&&") if toolset is not None else ""
        self.collect.setText(self.tr("Put their tools into “{0}”").format(title))
        self.collect.setChecked(toolset is not None)
        self.collect.setVisible(toolset is not None)
        for widget in (self.nothing, self.choices, self.warnings, self.wrong, self.collect):
            self.body.addWidget(widget)
        self.body.addStretch(1)
        self.choices.hide()
        self.cancel_button = button(self.tr("Cancel"))
        self.cancel_button.clicked.connect(self.reject)
        self.add_button = button(self.tr("Add"), "primary")
        self.add_button.clicked.connect(self.add)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.cancel_button)
        self.buttons.addWidget(self.add_button)
        self.setMinimumWidth(round(640 * text_scale()))
        self._refresh()

    def look_around(self, environment: Environment, ourselves: Ourselves) -> None:
        """Show what other programs on this computer have."""
        self.introduce(
            self.tr("Add tools from other programs"),
            self.tr("These are tool sources of programs on this computer. Their own settings stay as they are."),
        )
        run_task(self, lambda: servers_of_programs(environment, ourselves), self.show_readings, self._show_error)

    def show_file(self, reading: Reading, name: str) -> None:
        """Show what a file or link from elsewhere holds: everything in full, and switched off once it is added."""
        self._disabled = True
        self.introduce(
            self.tr("Add tools from {0}").format(name),
            self.tr(
                "Each tool source runs a program on this computer or sends what you do to an address. Look at each; "
                "they arrive switched off."
            ),
        )
        self.show_readings([reading])

    def show_readings(self, readings: Sequence[Reading]) -> None:
        """Show servers, each once, those that are there already marked."""
        existing = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        shown = preview(readings, existing if isinstance(existing, dict) else {})
        self._candidates = shown.candidates
        self.choices.show_candidates(shown.candidates, in_full=self._disabled)
        self.choices.setVisible(bool(shown.candidates))
        self.nothing.setText(self.tr("There is nothing to add."))
        self.nothing.setVisible(not shown.candidates)
        lines = [messages.problem_text(problem) for problem in shown.warnings]
        if len(lines) > MOST_WARNINGS:
            lines[MOST_WARNINGS:] = [self.tr("and %n more", "", len(lines) - MOST_WARNINGS)]
        self.warnings.setText("\n".join(lines))
        self.warnings.setVisible(bool(lines))
        self._refresh()
        self.adjustSize()
        first = self.choices.first_box()
        if first is not None:
            first.setFocus()

    def add(self) -> None:
        """Add the ticked ones, in one step that can be undone."""
        chosen = self.choices.chosen()
        toolset = self._toolset if self.collect.isChecked() else None
        try:
            self._library.submit(*import_edits(self._candidates, chosen, disabled=self._disabled, toolset=toolset))
        except ToolnoteError as error:
            self._show_error(error)
            return
        self.accept()
        self.added.emit(tuple(chosen))

    def _refresh(self) -> None:
        count = len(self.choices.chosen())
        self.add_button.setEnabled(count > 0)
        self.add_button.setText(self.tr("Add %n", "", count) if count > 1 else self.tr("Add"))
        self.collect.setEnabled(count > 0)

    def _show_error(self, error: Exception) -> None:
        self.wrong.setText(messages.problem_text(error.problem) if isinstance(error, ToolnoteError) else str(error))
        self.wrong.show()
