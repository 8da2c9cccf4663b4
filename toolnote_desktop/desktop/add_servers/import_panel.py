"""Tool sources and toolsets of other apps, a file or a link: a preview, from which the ticked ones are added."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.importing.candidates import Candidate, ReadResult, merge_results
from toolnote_desktop.assistants.importing.hypertool import ImportOffer, folder_edits, imported_server_ids
from toolnote_desktop.assistants.importing.sources import read_import_file, read_import_text, scan_machine
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.adding import TargetToolset
from toolnote_desktop.desktop.add_servers.server_choices import ServerList
from toolnote_desktop.desktop.add_servers.store_secrets import StoreSecrets
from toolnote_desktop.desktop.add_servers.toolset_choices import ToolsetList
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.models.work import WorkList, in_progress
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore

MOST_WARNINGS = 200


class ImportPanel(QWidget):
    """See the module.

    Attributes:
        in_full: all values are shown and sources are added turned off: they come from elsewhere (docs/contract.md 3).
        work: list of the window's work, which reading and adding belong to.

    Signals:
        added: the ids of the sources and the names of the toolsets that were added.
        reading_canceled: the user canceled a search or the reading of a file.
        changed: other rows are ticked.
    """

    added = Signal(object, object)
    reading_canceled = Signal()
    changed = Signal()

    def __init__(
        self,
        library: Library,
        store: SecretStore | None,
        identity: Callable[[], ToolnoteIdentity],
        *,
        in_full: bool = False,
    ) -> None:
        super().__init__()
        self._library, self._identity, self.in_full = library, identity, in_full
        self.work: WorkList | None = None
        self._found = ImportOffer()
        self._candidates: Sequence[Candidate] = ()
        self._search = LatestTask(self)
        self._adding = LatestTask(self)
        self.state = label("", "second", wraps=True)
        self.toolsets = ToolsetList()
        self.servers = ServerList()
        self.toolsets.changed.connect(self._refresh)
        self.servers.changed.connect(self._refresh)
        self.warnings = QWidget()
        self._warnings = column(self.warnings, spacing=4)
        self.wrong = Alert()
        self.wrong.hide()
        self.secrets = StoreSecrets(library, store, self)
        self.secrets.location_chosen.connect(self.add)
        self.target = TargetToolset(self.tr("Add their tools to"), library.snapshot, max_menu_width=280)
        self.add_button = Button(self.tr("Add"), "primary", pressed=self.add)
        whole = column(self, spacing=12)
        whole.addWidget(self.state)
        self._heads: dict[QWidget, QLabel] = {}
        for text, part in (
            (self.tr("Toolsets"), self.toolsets),
            (self.tr("Tool sources"), self.servers),
            (self.tr("Warnings"), self.warnings),
        ):
            self._heads[part] = label(text, "heading")
            part.setAccessibleName(text)
            whole.addWidget(self._heads[part])
            whole.addWidget(part)
        for widget in (self.target, self.wrong, self.secrets.places):
            whole.addWidget(widget)
        self._show_parts()

    # --- reading

    def search_computer(self) -> None:
        """Search other apps on this computer."""
        environment, identity = current_environment(), self._identity()
        taken, now = self._taken()
        read = partial(scan_machine, environment, identity, taken=taken, now=now)
        self._read(read, self.tr("Searching this computer…"))

    def read_file(self, path: Path) -> None:
        """Read a file or folder."""
        taken, now = self._taken()
        read = partial(read_import_file, path, self._identity(), taken=taken, now=now)
        self._read(read, self.tr("Reading {0}…").format(path.name))

    def read_text(self, text: str, name: str) -> None:
        """Read a text, such as one that was dropped on the window."""
        taken, now = self._taken()
        self.show_found(read_import_text(text, name, self._identity(), taken=taken, now=now))

    def show_link(self, reading: ReadResult) -> None:
        """Show the source that a link offers."""
        self.show_found(ImportOffer((reading,)))

    def _taken(self) -> tuple[list[str], str]:
        return list(self._library.snapshot.toolsets), iso_utc(datetime.now(UTC))

    def _read(self, read: Callable[[], ImportOffer], words: str) -> None:
        self.state.setText(words)
        self.state.show()
        self._search.start(self._find(read, words.removesuffix("…")))

    def stop_reading(self) -> None:
        """Stop reading; what was not read by then is not shown."""
        self._search.cancel()

    def _cancel_reading(self) -> None:
        self.stop_reading()
        self.state.setText(self.tr("Canceled"))
        self.reading_canceled.emit()

    async def _find(self, read: Callable[[], ImportOffer], title: str) -> None:
        try:
            with in_progress(self.work, title, self._cancel_reading):
                found = await in_thread(read)
        except Exception as error:  # noqa: BLE001 - a file may hold anything; the user sees why it was not read
            self.state.hide()
            self.wrong.show_error(error)
        else:
            self.show_found(found)

    # --- display

    def show_found(self, found: ImportOffer) -> None:
        """Show sources without duplicates, marking those that are there already, and toolsets with their notes."""
        existing = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        shown = merge_results(found.servers, existing if isinstance(existing, dict) else {})
        self._found, self._candidates = found, shown.candidates
        self.servers.show_candidates(shown.candidates, in_full=self.in_full)
        ids = list(imported_server_ids(shown.candidates))
        self.toolsets.show_toolsets(found.toolsets, self._library.snapshot.catalogue, ids)
        self._show_warnings([*found.warnings, *shown.warnings])
        if shown.candidates or found.toolsets:
            self.state.hide()
        else:
            self.state.setText(self.tr("Nothing to add here."))
            self.state.show()
        self._show_parts()
        self._refresh()
        first = self.servers.first_box() or self.toolsets.first_box()
        if first is not None and self.isVisible():
            first.setFocus()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Offer the toolsets of a snapshot."""
        self.target.show_snapshot(snapshot)

    def ticked(self) -> int:
        """Return how many sources and toolsets are ticked."""
        return len(self.servers.checked_keys()) + len(self.toolsets.checked_keys())

    def _show_parts(self) -> None:
        parts = {
            self.servers: bool(self._candidates),
            self.toolsets: bool(self._found.toolsets),
            self.warnings: self._warnings.count() > 0,
        }
        for part, shown in parts.items():
            part.setVisible(shown)
            self._heads[part].setVisible(shown)

    def _show_warnings(self, problems: Sequence[Problem]) -> None:
        empty(self._warnings)
        lines = [messages.problem_text(problem) for problem in problems[:MOST_WARNINGS]]
        if len(problems) > MOST_WARNINGS:
            lines.append(self.tr("and %n more", "", len(problems) - MOST_WARNINGS))
        for line in lines:
            self._warnings.addWidget(FullTextLabel(line, "small"))

    def _refresh(self) -> None:
        count, sources = self.ticked(), len(self.servers.checked_keys())
        self.add_button.setEnabled(count > 0)
        self.add_button.set_text(self.tr("Add %n", "", count) if count > 1 else self.tr("Add"))
        self.target.setVisible(sources > 0)
        self.changed.emit()

    # --- adding

    def edits(self) -> tuple[Edit, ...]:
        """Return the edits that add what is ticked."""
        candidates = [replace(one, entry=self.secrets.without_secrets(one.entry)) for one in self._candidates]
        servers, toolsets, target = self.servers.checked_keys(), self.toolsets.checked_keys(), self.target.toolset
        return folder_edits(self._found, candidates, servers, toolsets, disabled=self.in_full, collect=target)

    def add(self) -> None:
        """Add what is ticked, in one step that can be undone."""
        if not self._adding.is_running and self.ticked():
            self.wrong.hide()
            self._adding.start(self._add())

    async def _add(self) -> None:
        """Store the secrets first, so that the sources start with them."""
        chosen, toolsets = self.servers.checked_keys(), self.toolsets.checked_keys()
        entries: dict[str, JsonObject] = {one.id: one.entry for one in self._candidates if one.id in chosen}
        try:
            with in_progress(self.work, self.tr("Importing tools"), self.secrets.cancel):
                await self.secrets.store(self, entries)
            self._library.submit(*self.edits())
        except InterruptedError:
            pass  # the rows stay ticked
        except Exception as error:  # noqa: BLE001 - a keychain may fail with anything; the user sees why
            self.wrong.show_error(error)
        else:
            self.added.emit(tuple(chosen), tuple(toolsets))
