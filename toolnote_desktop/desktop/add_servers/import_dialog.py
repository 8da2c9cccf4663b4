"""Import of servers and toolsets from other programs, a file or a link, after a preview."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.importing.candidates import Candidate, ReadResult, merge_results
from toolnote_desktop.assistants.importing.hypertool import ImportOffer, folder_edits, imported_server_ids
from toolnote_desktop.assistants.importing.sources import read_import_file, read_import_text, scan_machine
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.server_choices import ServerList
from toolnote_desktop.desktop.add_servers.store_secrets import StoreSecrets
from toolnote_desktop.desktop.add_servers.toolset_choices import ToolsetList
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.editing.default_toolset import collecting_toolset
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel
from toolnote_desktop.desktop.widgets.sections import Sections
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Problem, ToolnoteError
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore

MOST_WARNINGS = 200


class ImportDialog(Dialog):
    """Shows the servers and toolsets that were found, and adds the checked ones.

    Signals:
        added: the ids of the servers that were added.
    """

    added = Signal(object)

    def __init__(self, library: Library, secrets: SecretStore | None = None, parent: QWidget | None = None) -> None:
        """``secrets``: where secrets may go instead of into ``servers.json``."""
        super().__init__(parent)
        self.setObjectName("import")
        self._library = library
        self._found = ImportOffer()
        self._candidates: Sequence[Candidate] = ()
        self._disabled = False
        self._search = LatestTask(self)
        self._adding = LatestTask(self)
        self.toolsets = ToolsetList()
        self.toolsets.changed.connect(self._refresh)
        self.choices = ServerList()
        self.choices.changed.connect(self._refresh)
        self.warnings = Warnings()
        self.sections = Sections(headed=self._is_wide())
        self.sections.add(self.tr("Toolsets"), self.toolsets)
        self.sections.add(self.tr("Tool sources"), self.choices)
        self.nothing = label(self.tr("Looking at what other programs have…"), "second", wraps=True)
        self.wrong = Alert()
        self.wrong.hide()
        self.collect = CheckBox()
        toolset = collecting_toolset(library.snapshot)
        self._toolset = toolset.name if toolset is not None else None
        title = toolset.title.replace("&", "&&") if toolset is not None else ""
        self.collect.setText(self.tr("Put their tools into “{0}”").format(title))
        self.collect.setChecked(toolset is not None)
        self.collect.setVisible(toolset is not None)
        self.columns = QHBoxLayout()
        self.columns.setSpacing(20)
        self.columns.addWidget(self.sections, 1, Qt.AlignmentFlag.AlignTop)
        self.body.addWidget(self.nothing)
        self.body.addLayout(self.columns)
        self.store_secrets = StoreSecrets(library, secrets)
        self.store_secrets.location_chosen.connect(self.add)
        for widget in (self.wrong, self.store_secrets.places, self.collect, self.store_secrets):
            self.body.addWidget(widget)
        self.body.addStretch(1)
        self.cancel_button = Button(self.tr("Cancel"))
        self.cancel_button.clicked.connect(self.reject)
        self.add_button = Button(self.tr("Add"), "primary")
        self.add_button.clicked.connect(self.add)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.cancel_button)
        self.buttons.addWidget(self.add_button)
        self.setMinimumWidth(round(640 * text_scale()))
        self.sections.add(self.tr("What to know of it"), self.warnings)
        self.sections.hide()
        self._refresh()

    def _is_wide(self) -> bool:
        """Return True if there is a second column."""
        return False

    def search_computer(self, environment: Environment, identity: ToolnoteIdentity) -> None:
        """Search other programs on this computer and show their servers."""
        self.introduce(
            self.tr("Add tools from other programs"),
            self.tr("These are tool sources of programs on this computer. Their own settings stay as they are."),
        )
        taken, now = list(self._library.snapshot.toolsets), iso_utc(datetime.now(UTC))
        self._search.start(self._find(lambda: scan_machine(environment, identity, taken=taken, now=now)))

    def read_file(self, path: Path, identity: ToolnoteIdentity) -> None:
        """Read a file or folder and show its content."""
        self._introduce_source(path.name)
        taken, now = list(self._library.snapshot.toolsets), iso_utc(datetime.now(UTC))
        self._search.start(self._find(lambda: read_import_file(path, identity, taken=taken, now=now)))

    def show_text(self, text: str, name: str, identity: ToolnoteIdentity) -> None:
        """Show the content of a text."""
        self._introduce_source(name)
        taken, now = list(self._library.snapshot.toolsets), iso_utc(datetime.now(UTC))
        self.show_found(read_import_text(text, name, identity, taken=taken, now=now))

    def show_link(self, reading: ReadResult) -> None:
        """Show the server that a link offers."""
        self._introduce_source(self.tr("a link"))
        self.show_found(ImportOffer((reading,)))

    def _introduce_source(self, name: str) -> None:
        """Show all settings in full, and add servers switched off (docs/contract.md 3)."""
        self._disabled = True
        self.nothing.setText(self.tr("Looking into it…"))
        self.introduce(
            self.tr("Add tools from {0}").format(name),
            self.tr(
                "Each tool source runs a program on this computer or sends what you do to an address. Look at each; "
                "they arrive switched off."
            ),
        )

    async def _find(self, read: Callable[[], ImportOffer]) -> None:
        try:
            found = await in_thread(read)
        except Exception as error:  # noqa: BLE001 - a file may hold anything; the user sees why it was not read
            self._show_error(error)
        else:
            self.show_found(found)

    def show_found(self, found: ImportOffer) -> None:
        """Show servers without duplicates, marking those already in the library, and toolsets."""
        existing = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        shown = merge_results(found.servers, existing if isinstance(existing, dict) else {})
        self._found = found
        self._candidates = shown.candidates
        self.choices.show_candidates(shown.candidates, in_full=self._disabled)
        servers = imported_server_ids(shown.candidates)
        self.toolsets.show_toolsets(found.toolsets, self._library.snapshot.catalogue, list(servers))
        self.warnings.show_problems([*found.warnings, *shown.warnings])
        self.sections.show_part(self.choices, bool(shown.candidates))
        self.sections.show_part(self.toolsets, bool(found.toolsets))
        self.sections.show_part(self.warnings, bool(found.warnings or shown.warnings))
        if self._disabled and not shown.candidates and found.toolsets:
            self.lead.setText(self.tr("Your assistants will read these notes. Look at each before you add it."))
        self.nothing.setText(self.tr("There is nothing to add."))
        self.nothing.setVisible(not shown.candidates and not found.toolsets)
        self._refresh()
        self.fit()
        QTimer.singleShot(0, self, self.fit)  # the rows know their heights then
        first = self.choices.first_box() or self.toolsets.first_box()
        if first is not None:
            first.setFocus()

    def edits(self) -> tuple[Edit, ...]:
        """Return the edits that add what is checked."""
        collect = self._toolset if self.collect.isChecked() else None
        candidates = [replace(one, entry=self.store_secrets.without_secrets(one.entry)) for one in self._candidates]
        servers, toolsets = self.choices.checked_keys(), self.toolsets.checked_keys()
        return folder_edits(self._found, candidates, servers, toolsets, disabled=self._disabled, collect=collect)

    def add(self) -> None:
        """Add what is checked, in one step that can be undone."""
        if not self._adding.is_running:
            self.wrong.hide()
            self._adding.start(self._add())

    async def _add(self) -> None:
        """Store the secrets first, so that the servers start with them."""
        try:
            await self.store_secrets.store(self, self._chosen_entries())
        except Exception as error:  # noqa: BLE001 - a keychain may fail with anything; the user sees why
            self._show_secrets_not_stored(error)
        else:
            await self.submit()

    async def submit(self) -> None:
        """Add what is checked, and close the dialog."""
        chosen = self.choices.checked_keys()
        try:
            self._library.submit(*self.edits())
        except ToolnoteError as error:
            self._show_error(error)
            return
        self.accept()
        self.added.emit(tuple(chosen))

    def _show_secrets_not_stored(self, error: Exception) -> None:
        self._show_error(error)
        hint = self.tr("Nothing was added. Try again, or untick the keychain to keep the values in the settings.")
        self.wrong.setText(f"{self.wrong.text()}\n{hint}")
        self.fit()

    def _chosen_entries(self) -> dict[str, JsonObject]:
        chosen = self.choices.checked_keys()
        return {candidate.id: candidate.entry for candidate in self._candidates if candidate.id in chosen}

    def _refresh(self) -> None:
        servers = len(self.choices.checked_keys())
        count = servers + len(self.toolsets.checked_keys())
        self.add_button.setEnabled(count > 0)
        self.add_button.setText(self.tr("Add %n", "", count) if count > 1 else self.tr("Add"))
        self.collect.setEnabled(servers > 0)
        self.store_secrets.show_for(self._chosen_entries().values())

    def _show_error(self, error: Exception) -> None:
        self.wrong.setText(messages.problem_text(error.problem) if isinstance(error, ToolnoteError) else str(error))
        self.wrong.show()


class Warnings(QWidget):
    """List of warnings, each with its file and line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show a line for each problem."""
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        lines = [messages.problem_text(problem) for problem in problems]
        if len(lines) > MOST_WARNINGS:
            lines[MOST_WARNINGS:] = [self.tr("and %n more", "", len(lines) - MOST_WARNINGS)]
        for line in lines:
            self._column.addWidget(FullTextLabel(line, "small"))

    def text(self) -> str:
        """Return the lines."""
        items = (self._column.itemAt(row) for row in range(self._column.count()))
        widgets = (item.widget() for item in items if item is not None)
        return "\n".join(widget.text() for widget in widgets if isinstance(widget, FullTextLabel))
