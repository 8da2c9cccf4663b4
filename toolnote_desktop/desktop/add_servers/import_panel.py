"""Tool sources and toolsets of other apps, a file or a link: a preview, from which the ticked ones are added."""

from __future__ import annotations

import asyncio
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
from toolnote_desktop.desktop.add_servers.findings import FindingsBox
from toolnote_desktop.desktop.add_servers.pack_panel import PackPanel
from toolnote_desktop.desktop.add_servers.server_choices import ServerList
from toolnote_desktop.desktop.add_servers.store_secrets import StoreSecrets
from toolnote_desktop.desktop.add_servers.toolset_choices import ToolsetList, ToolsetRow
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.models.work import WorkList, in_progress
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel
from toolnote_desktop.guidance.scanner import Finding
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, Edit, SetFields
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.toolsets.toolset_import import ImportedToolset, rename_servers
from toolnote_desktop.packs.fit import pack_findings
from toolnote_desktop.packs.folder import seen_edit, version_of
from toolnote_desktop.packs.pack_file import beyond_limits, is_pack, received_pack
from toolnote_desktop.packs.plan import PackPlan
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore
from toolnote_desktop.system.threads import Turns

MOST_WARNINGS = 200
SCANNED_AT_ONCE = 5_000
"""Bytes of toolsets that are scanned at once; more are scanned in a thread."""

SHOWN_AT_ONCE = 200
"""Servers, tools and notes of an offer that is shown at once; a longer one is shown part by part."""


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
        self._problems: Sequence[Problem] = ()
        self._search = LatestTask(self)
        self._adding = LatestTask(self)
        self._scanning = LatestTask(self)
        self._is_scanned = True
        self.findings = FindingsBox(self.tr("These toolsets may try to mislead assistants. Read these texts:"))
        self.state = label("", "second", wraps=True)
        self.toolsets = ToolsetList()
        self.servers = ServerList()
        self.packs: dict[str, PackPanel] = {}
        """Panels of the packs that are shown, by the names of their toolsets in the list."""
        self._watched: tuple[Path, str] | None = None
        """Shown file of the folder of packs, in the version that it had before it was read."""
        self._pack_area = QWidget()
        self._pack_rows = column(self._pack_area, spacing=16)
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
        whole.addWidget(self.findings)  # what to look at first, before lists that may be long
        whole.addWidget(self._pack_area)
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
        version = version_of(self._library.snapshot.settings, path)
        self._watched = (path, version) if version is not None else None
        read = partial(read_import_file, path, self._identity(), taken=taken, now=now)
        self._read(read, self.tr("Reading {0}…").format(path.name))

    def read_text(self, text: str, name: str) -> None:
        """Read a text, such as one that was dropped on the window."""
        self._watched = None
        taken, now = self._taken()
        self.show_found(_received(read_import_text(text, name, self._identity(), taken=taken, now=now)))

    def show_link(self, reading: ReadResult) -> None:
        """Show the source that a link offers."""
        self._watched = None
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
        self._scanning.cancel()
        for panel in self.packs.values():
            panel.stop()

    def _cancel_reading(self) -> None:
        self.stop_reading()
        self.state.setText(self.tr("Canceled"))
        self.reading_canceled.emit()

    async def _find(self, read: Callable[[], ImportOffer], title: str) -> None:
        try:
            with in_progress(self.work, title, self._cancel_reading):
                found = await in_thread(lambda: _received(read()))  # of a large pack, a part of a second
        except Exception as error:  # noqa: BLE001 - a file may hold anything; the user sees why it was not read
            self.state.hide()
            self.wrong.show_error(error)
        else:
            if _length(found) <= SHOWN_AT_ONCE:
                self.show_found(found)
            else:
                await self._show_long(found)

    # --- display

    def show_found(self, found: ImportOffer) -> None:
        """Show sources without duplicates, marking those that are there already, and toolsets with their notes."""
        self._show_sources(found)
        self.toolsets.show_toolsets(self._rows_of(found)())
        self._show_rest()

    async def _show_long(self, found: ImportOffer) -> None:
        """Show an offer part by part, so that the window goes on between them; nothing can be added before the end."""
        self._show_sources(found)
        self.toolsets.show_toolsets(await in_thread(self._rows_of(found)))
        await asyncio.sleep(0)
        self._show_rest()

    def _rows_of(self, found: ImportOffer) -> Callable[[], list[ToolsetRow]]:
        ids, catalogue = list(imported_server_ids(self._candidates)), self._library.snapshot.catalogue
        return partial(self.toolsets.rows_of, found.toolsets, catalogue, ids)

    def _show_sources(self, found: ImportOffer) -> None:
        existing = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        shown = merge_results(found.servers, existing if isinstance(existing, dict) else {})
        self._scanning.cancel()
        self._is_scanned = False
        self.add_button.setEnabled(False)
        self._found, self._candidates = found, shown.candidates
        self._problems = [*found.warnings, *shown.warnings]
        self.servers.show_candidates(shown.candidates, in_full=self.in_full)

    def _show_rest(self) -> None:
        found = self._found
        self._show_packs()
        self._show_warnings(self._problems)
        self._start_scan()
        if self._candidates or found.toolsets:
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
        """Offer the toolsets of a snapshot, and compare packs with its tools."""
        for panel in self.packs.values():
            panel.show_library()
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

    def _show_packs(self) -> None:
        """Show the packs, with their sources' names in the library."""
        empty(self._pack_rows)
        ids = imported_server_ids(self._candidates)
        names = {name: id for name, id in ids.items() if name != id}
        packs = [one for one in self._found.toolsets if is_pack(one.content)]
        contents = {one.name: rename_servers(one.content, names, ids.keys()) if names else one.content for one in packs}
        self.packs = {name: PackPanel(self._library, content, self.work) for name, content in contents.items()}
        for panel in self.packs.values():
            panel.changed.connect(self._refresh)
            panel.canceled.connect(self._cancel_reading)
            self._pack_rows.addWidget(panel)
        self._pack_area.setVisible(bool(packs))

    def _start_scan(self) -> None:
        """Scan the toolsets that are no packs, which scan themselves; nothing can be added before that is done."""
        texts = [one.content for one in self._found.toolsets if one.name not in self.packs]
        self._scanning.cancel()
        self._is_scanned = sum(len(json_text.dumps(one)) for one in texts) <= SCANNED_AT_ONCE
        catalogue = self._library.snapshot.catalogue
        self.findings.show_findings(_findings_in(texts, catalogue) if self._is_scanned else ())
        if not self._is_scanned:
            self._scanning.start(self._scan(texts))

    async def _scan(self, toolsets: Sequence[JsonObject]) -> None:
        turns = Turns()
        try:
            with in_progress(self.work, self.tr("Checking toolsets"), self._cancel_reading):
                found = await in_thread(_findings_in, toolsets, self._library.snapshot.catalogue, turns)
        finally:
            turns.stop()
        self._is_scanned = True
        self.findings.show_findings(found)
        self._refresh()

    def _show_warnings(self, problems: Sequence[Problem]) -> None:
        empty(self._warnings)
        lines = [messages.problem_text(problem) for problem in problems[:MOST_WARNINGS]]
        if len(problems) > MOST_WARNINGS:
            lines.append(self.tr("and %n more", "", len(problems) - MOST_WARNINGS))
        for line in lines:
            self._warnings.addWidget(FullTextLabel(line, "small"))

    def _refresh(self) -> None:
        count, sources = self.ticked(), len(self.servers.checked_keys())
        is_ready = self._is_scanned and all(one.is_ready for one in self.packs.values())
        self.add_button.setEnabled(count > 0 and is_ready)
        self.add_button.set_text(self.tr("Add %n", "", count) if count > 1 else self.tr("Add"))
        self.target.setVisible(sources > 0)
        self.changed.emit()

    # --- adding

    def edits(self) -> tuple[Edit, ...]:
        """Return the edits that add what is ticked."""
        return self._edits([plan() for plan in self._pack_plannings()])

    def _edits(self, plans: Sequence[PackPlan]) -> tuple[Edit, ...]:
        candidates = [replace(one, entry=self.secrets.without_secrets(one.entry)) for one in self._candidates]
        servers, target = self.servers.checked_keys(), self.target.toolset
        toolsets = [name for name in self.toolsets.checked_keys() if name not in self.packs]
        edits = folder_edits(self._found, candidates, servers, toolsets, disabled=self.in_full, collect=target)
        packs = [edit for one in plans for edit in one.edits]
        seen = self.seen_edit() if packs else None
        return (*edits, *packs, *([seen] if seen is not None else []))

    def seen_edit(self) -> SetFields | None:
        """Return the edit after which the shown file of the folder of packs is offered in another version only."""
        return seen_edit(self._library.snapshot.settings, *self._watched) if self._watched is not None else None

    def _pack_plannings(self) -> list[Callable[[], PackPlan]]:
        """Return what plans the imports of the ticked packs."""
        return [self.packs[name].planning() for name in self.toolsets.checked_keys() if name in self.packs]

    async def _pack_plans(self) -> list[PackPlan]:
        """Plan the imports of the ticked packs, those of large ones beside the window."""
        plannings = self._pack_plannings()
        if any(panel.is_large for panel in self.packs.values()):
            return await in_thread(lambda: [plan() for plan in plannings])
        return [plan() for plan in plannings]

    def add(self) -> None:
        """Add what is ticked, in one step that can be undone."""
        if not self._adding.is_running and self.ticked():
            self.wrong.hide()
            self._adding.start(self._add())

    async def _add(self) -> None:
        """Store the secrets first, so that the sources start with them."""
        chosen = self.servers.checked_keys()
        toolsets = [name for name in self.toolsets.checked_keys() if name not in self.packs]
        entries: dict[str, JsonObject] = {one.id: one.entry for one in self._candidates if one.id in chosen}
        try:
            with in_progress(self.work, self.tr("Importing tools"), self.secrets.cancel):
                await self.secrets.store(self, entries)
            plans = await self._pack_plans()
            self._library.submit(*self._edits(plans))
        except InterruptedError:
            pass  # the rows stay ticked
        except Exception as error:  # noqa: BLE001 - a keychain may fail with anything; the user sees why
            self.wrong.show_error(error)
        else:
            self.added.emit(tuple(chosen), (*toolsets, *(one.toolset for one in plans)))


def _findings_in(
    toolsets: Sequence[JsonObject], catalogue: Catalogue, between: Callable[[], object] = lambda: None
) -> tuple[Finding, ...]:
    return tuple(found for content in toolsets for found in pack_findings(content, catalogue, between))


def _length(offer: ImportOffer) -> int:
    lists = (one.content.get(key) for one in offer.toolsets for key in ("tools", "toolNotes"))
    entries = sum(len(one) for one in lists if isinstance(one, list))
    return entries + sum(len(reading.candidates) for reading in offer.servers)


def _received(found: ImportOffer) -> ImportOffer:
    """Return an offer with what is taken of its packs."""
    return replace(found, toolsets=tuple(map(_without_rename, found.toolsets)))


def _without_rename(toolset: ImportedToolset) -> ImportedToolset:
    """Return what is taken of a pack, without the note that it gets another name: its panel offers a choice instead."""
    if not is_pack(toolset.content):
        return toolset
    notes = [note for note in toolset.notes if note.code is not Code.TOOLSET_RENAMED]
    notes += beyond_limits(toolset.content, toolset.found_as)
    return replace(toolset, notes=tuple(notes), content=received_pack({**toolset.content, "name": toolset.found_as}))
