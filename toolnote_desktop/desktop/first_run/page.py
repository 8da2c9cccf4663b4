"""First run: assistants to connect and tool sources to bring in, on one page; nothing found is no dead end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.importing.candidates import Candidate, CandidateState, merge_results
from toolnote_desktop.assistants.importing.hypertool import ImportOffer, folder_edits
from toolnote_desktop.assistants.importing.move_secrets import extract_secrets
from toolnote_desktop.assistants.importing.sources import scan_machine
from toolnote_desktop.assistants.installing.connect import RawDocuments
from toolnote_desktop.assistants.registry import CLIENTS as KNOWN
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.store_secrets import StoreSecrets
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.editing.default_toolset import collecting_toolset
from toolnote_desktop.desktop.first_run.assistant_choices import (
    ConnectResult,
    PreparedAssistant,
    connect_all,
    prepare_assistants,
)
from toolnote_desktop.desktop.models.library_rows import HOME, Mark
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell.icons import app_icon
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.desktop.widgets.diff_view import DiffView
from toolnote_desktop.desktop.widgets.page import BLEED, Foot, Page, Width
from toolnote_desktop.desktop.widgets.pick_list import PickList
from toolnote_desktop.model.edits import CLIENTS, SERVER_ENTRIES, SERVERS, Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretLocation

LOGO = 36
CARD_MARGIN = 17
"""Pixels around a card's content: its margin and border."""
WIDEST = 880
SHOW_RESULT_MS = 1_500
"""Milliseconds for which the results are shown before Home; nothing waits where all is quick."""

_TOOLSET = "toolset:"
_UNSETTLED = (ServerState.STARTING, ServerState.DOWNLOADING, ServerState.RECONNECTING)


class FirstRunPage(Page):
    """See the module.

    Signals:
        demo_requested: add the demo.
        add_requested: add tools by hand.
        catalog_requested: browse the catalog.
        connect_requested: choose an assistant to connect.
        connected: the assistants that were connected, as a tuple of ``KnownClient``.
        added: the ids of the tool sources that were added.
    """

    demo_requested = Signal()
    add_requested = Signal()
    catalog_requested = Signal()
    connect_requested = Signal()
    is_alone = True
    connected = Signal(object)
    added = Signal(object)

    def __init__(self, library: Library, link: ProxyLink, identity: Callable[[], ToolnoteIdentity]) -> None:
        super().__init__(self.tr("First run"))
        self._library, self._link, self._identity = library, link, identity
        self._found = ImportOffer()
        self._candidates: Mapping[str, Candidate] = {}
        self._ready: Mapping[str, PreparedAssistant] = {}
        self._running: tuple[str, ...] = ()
        self._searching = LatestTask(self)
        self._preparing = LatestTask(self)
        self._adding = LatestTask(self)
        self._is_searched = self._is_led = False
        self._key_goes_to: SecretLocation | None = None
        toolset = collecting_toolset(library.snapshot)
        self._toolset = toolset.name if toolset is not None else None
        held = self.body.parentWidget()
        if held is not None:
            held.setMaximumWidth(round(WIDEST * text_scale()) + 2 * BLEED)
        self._lay_out_head()
        self._lay_out_choices()
        self._lay_out_nothing()
        self.body.addStretch(1)
        self._foot = self._make_foot()
        self._show_parts()
        link.changed.connect(lambda _change: self._show_progress())

    def foot(self) -> QWidget:
        return self._foot

    def entrance(self) -> QWidget:
        """The primary button, so that Enter begins."""
        return self.connect_button if self.connect_button.isVisible() else self.demo_card_button

    def set_width_class(self, width: Width) -> None:
        """Put the columns below each other in a narrow window."""
        super().set_width_class(width)
        narrow = width < Width.NARROW
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._columns.setDirection(direction)
        self._arrange_cards()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the cards for the new width."""
        super().resizeEvent(event)
        self._arrange_cards()

    def _arrange_cards(self) -> None:
        """Put the cards beside each other where the words of their buttons have room."""
        buttons = (self.demo_card_button, self.catalog_button, self.assistant_button)
        widest = max(button.sizeHint().width() for button in buttons) + 2 * CARD_MARGIN
        margins = self.body.contentsMargins()
        room = min(self.viewport().width(), round(WIDEST * text_scale())) - margins.left() - margins.right()
        fits = len(buttons) * widest + (len(buttons) - 1) * self._cards.spacing() <= room
        self._cards.setDirection(QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom)

    # --- layout

    def _lay_out_head(self) -> None:
        logo = QLabel()
        logo.setPixmap(app_icon().pixmap(QSize(LOGO, LOGO)))
        logo.setAccessibleName("Toolnote")
        self.body.insertSpacing(0, 32)
        self.body.insertWidget(1, logo)
        self.body.insertSpacing(2, 20)
        self.title.setText(self.tr("Tell your assistants how to use their tools"))
        self.second.setText(
            self.tr(
                "You write notes on tools, and every assistant you connect reads them. Nothing leaves this computer "
                "that didn’t leave it before."
            )
        )
        self.body.addSpacing(24)
        self.searching = label(self.tr("Searching this computer…"), "second")
        self.body.addWidget(self.searching)

    def _lay_out_choices(self) -> None:
        self.choices = QWidget()
        whole = column(self.choices, spacing=12)
        self._columns = QHBoxLayout()
        self._columns.setSpacing(32)
        self.assistants = PickList(has_tiles=True)
        self.assistants.changed.connect(self._assistants_picked)
        self.sources = PickList()
        self.sources.changed.connect(self._sources_picked)
        self.assistants_column = self._titled(self.tr("Connect these assistants"), self.assistants)
        self.sources_column = self._titled(self.tr("Bring in these tool sources"), self.sources)
        self._columns.addWidget(self.assistants_column, 1)
        self._columns.addWidget(self.sources_column, 1)
        whole.addLayout(self._columns)
        whole.addSpacing(12)
        self.copies = QWidget()
        copies = column(self.copies, spacing=2)
        self.switch_off = CheckBox(self.tr("Turn off the assistants’ own copies of these"))
        self.switch_off.setChecked(True)
        self.switch_off.toggled.connect(lambda _on: self._prepare())
        why = self.tr("So that each tool appears only once. They are turned back on when you disconnect.")
        self.switch_off.setAccessibleDescription(why)
        copies.addWidget(self.switch_off)
        reason = label(why, "small", wraps=True)
        reason.setContentsMargins(28, 0, 0, 0)
        copies.addWidget(reason)
        whole.addWidget(self.copies)
        self.changes = Collapsible(self.tr("Show what changes in their settings files"), flat=True)
        self._diffs = QVBoxLayout()
        self.changes.body.addLayout(self._diffs)
        whole.addWidget(self.changes)
        self.wrong = Alert()
        self.wrong.hide()
        whole.addWidget(self.wrong)
        self.secrets = StoreSecrets(self._library, self._link.secrets, self.choices)
        self.secrets.location_chosen.connect(self.start)
        whole.addWidget(self.secrets.places)
        self.body.addWidget(self.choices)

    def _titled(self, text: str, below: PickList) -> QWidget:
        held = QWidget()
        below.setAccessibleName(text)
        inside = column(held, spacing=8)
        inside.addWidget(label(text, "heading"))
        inside.addWidget(below)
        inside.addStretch(1)
        return held

    def _lay_out_nothing(self) -> None:
        self.nothing = QWidget()
        whole = column(self.nothing, spacing=16)
        whole.addWidget(label(self.tr("No assistants or tools found on this computer yet"), "heading"))
        self._cards = QHBoxLayout()
        self._cards.setSpacing(16)
        demo = self.tr("Two small tool sources with notes, ready to play with. Remove them any time.")
        catalog = self.tr("Linear, GitHub, Notion, your own files and many more.")
        names = self.tr("{names} and {n} more. Install one first if you have none.")
        first = [KNOWN[one].name for one in ("claude-desktop", "cursor", "vscode")]
        assistants = names.format(names=", ".join(first), n=messages.number(len(KNOWN) - len(first)))
        self.demo_card_button = Button(self.tr("Try the demo"), "primary", pressed=self.demo_requested.emit)
        self.catalog_button = Button(self.tr("Browse the catalog"), pressed=self.catalog_requested.emit)
        self.assistant_button = Button(self.tr("Connect an assistant…"), pressed=self.connect_requested.emit)
        for text, button in (
            (demo, self.demo_card_button),
            (catalog, self.catalog_button),
            (assistants, self.assistant_button),
        ):
            self._cards.addWidget(_card(text, button), 1)
        whole.addLayout(self._cards)
        self.body.addWidget(self.nothing)

    def _make_foot(self) -> QWidget:
        bar = Foot(WIDEST)
        row = bar.row
        self.demo_button = Button(self.tr("Try the demo"), "link", pressed=self.demo_requested.emit)
        self.manual_button = Button(self.tr("Add tools manually…"), "link", pressed=self.add_requested.emit)
        self.again_button = Button(self.tr("Search this computer again"), "link", pressed=self.search)
        self.later_button = Button(self.tr("Not now"), pressed=lambda: self.place_requested.emit(HOME))
        self.connect_button = Button(self.tr("Connect"), "primary", pressed=self.start)
        links = QHBoxLayout()
        links.setSpacing(24)
        for one in (self.demo_button, self.manual_button, self.again_button):
            links.addWidget(one)
        row.addLayout(links)
        row.addStretch(1)
        row.addWidget(self.later_button)
        row.addWidget(self.connect_button)
        return bar

    # --- what is found

    def show_page(self) -> None:
        """Show the page; the first time, search this computer."""
        if not self._is_searched:
            self.search()

    def search(self) -> None:
        """Search other programs on this computer for tool sources, and the assistants among them."""
        self._is_searched = True
        self.searching.show()
        environment, identity = current_environment(), self._identity()
        taken, now = list(self._library.snapshot.toolsets), iso_utc(datetime.now(UTC))
        self._searching.start(self._find(lambda: scan_machine(environment, identity, taken=taken, now=now)))

    async def _find(self, read: Callable[[], ImportOffer]) -> None:
        try:
            found = await in_thread(read)
            self._key_goes_to = await in_thread(self._link.secrets.next_location)
        except Exception as error:  # noqa: BLE001 - other programs' files may hold anything
            self._show_error(error)
            return
        self._found = found
        existing = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        merged = merge_results(found.servers, existing if isinstance(existing, dict) else {})
        self._candidates = {one.id: one for one in merged.candidates}
        rows = {one.id: (one.id, self._source_text(one)) for one in merged.candidates}
        for toolset in found.toolsets:
            rows[f"{_TOOLSET}{toolset.name}"] = (str(toolset.content.get("title") or toolset.name), self.tr("Toolset"))
        present = {one.id for one in merged.candidates if one.state is CandidateState.PRESENT}
        self.sources.show_rows(rows, self.sources.unticked(), present)
        self._prepare()

    def _source_text(self, candidate: Candidate) -> str:
        names = dict.fromkeys(KNOWN[source.client].name for source in candidate.sources if source.client)
        parts = [self.tr("From {0}").format(messages.joined(list(names)))] if names else []
        if candidate.state is CandidateState.PRESENT:
            parts.append(self.tr("Already added"))
        elif extract_secrets(candidate.entry).secrets:
            moves, stays = self.tr("Its key moves to the keychain."), self.tr("Toolnote keeps its key.")
            parts.append(moves if self._key_goes_to is SecretLocation.KEYCHAIN else stays)
        elif candidate.entry.get("url") and not candidate.entry.get("headers"):
            parts.append(self.tr("Asks you to sign in again."))
        return ". ".join(part.rstrip(".") for part in parts) + ("." if len(parts) > 1 else "")

    def _prepare(self) -> None:
        """Plan the assistants' changes for the sources that are ticked now."""
        environment, identity, home = current_environment(), self._identity(), self._link.home
        documents, url, switch_off = self._documents_then(), self._link.url, self.switch_off.isChecked()
        self._preparing.start(
            self._show_prepared(
                lambda: prepare_assistants(environment, identity, home, documents, url, switch_off=switch_off)
            )
        )

    async def _show_prepared(self, plan: Callable[[], Sequence[PreparedAssistant]]) -> None:
        try:
            ready = await in_thread(plan)
        except Exception as error:  # noqa: BLE001 - other programs' files may hold anything
            self._show_error(error)
            return
        first = not self._ready
        self._ready = {one.found.client.id: one for one in ready}
        rows = {key: (one.found.client.name, self._assistant_text(one)) for key, one in self._ready.items()}
        disabled = {key for key, one in self._ready.items() if one.prepared is None or not one.prepared.plan.changes}
        none = {key for key in self._ready if not self._sources_of(key)}
        has_any = any(key not in none and key not in disabled for key in self._ready)
        unticked = (none if has_any else set()) if first else self.assistants.unticked()
        self.assistants.show_rows(rows, unticked, disabled)
        self._show_diffs()
        self._show_parts()
        if not self._is_led and self._foot.window().focusWidget() in (self.later_button, self.again_button):
            self.entrance().setFocus()  # while nothing was found yet, no other button could have it
        self._is_led = True

    def _sources_of(self, client: str) -> int:
        """Return how many of the found sources an assistant has itself."""
        return sum(any(source.client == client for source in one.sources) for one in self._candidates.values())

    def _assistant_text(self, one: PreparedAssistant) -> str:
        if one.problem is not None:
            return messages.problem_text(one.problem)
        if one.prepared is not None and not one.prepared.plan.changes:
            return self.tr("Set up")
        if not self._candidates:
            return ""
        count = self._sources_of(one.found.client.id)
        if count == 0:
            return self.tr("Has none of them")
        return self.tr("Has %n of these tool sources", "", count)

    def _documents_then(self) -> RawDocuments:
        """Return the documents as they will be with the ticked sources added."""
        servers = self._library.raw(SERVERS)
        for edit in self._edits():
            if edit.document == SERVERS:
                servers, _ = edit.apply(servers)
        return RawDocuments(self._library.raw(CLIENTS), servers)

    def _picked_sources(self) -> list[str]:
        return [key for key in self.sources.ticked() if not key.startswith(_TOOLSET)]

    def _edits(self) -> tuple[Edit, ...]:
        toolsets = [key.removeprefix(_TOOLSET) for key in self.sources.ticked() if key.startswith(_TOOLSET)]
        candidates = [replace(one, entry=self.secrets.without_secrets(one.entry)) for one in self._candidates.values()]
        return folder_edits(self._found, candidates, self._picked_sources(), toolsets, collect=self._toolset)

    def _assistants_picked(self) -> None:
        self._show_diffs()
        self._show_button()

    def _sources_picked(self) -> None:
        self._show_button()
        self._prepare()

    # --- display

    def _show_parts(self) -> None:
        anything = bool(self.assistants.rows or self.sources.rows)
        is_searching = self._searching.is_running or not self._is_searched
        self.searching.setVisible(is_searching and not anything)
        self.choices.setVisible(anything)
        self.assistants_column.setVisible(bool(self.assistants.rows))
        self.sources_column.setVisible(bool(self.sources.rows))
        self.nothing.setVisible(not anything and not self.searching.isVisibleTo(self))
        self.copies.setVisible(bool(self.assistants.rows and self._candidates))
        for button in (self.demo_button, self.manual_button):
            button.setVisible(anything)
        self.again_button.setVisible(not anything)
        self._show_button()

    def _show_button(self) -> None:
        assistants, sources = len(self.assistants.ticked()), len(self.sources.ticked())
        if assistants:
            one, more = self.tr("Connect 1 assistant"), self.tr("Connect %n assistants", "", assistants)
            text = one if assistants == 1 else more
        else:
            one, more = self.tr("Add 1 tool source"), self.tr("Add %n tool sources", "", sources)
            text = one if sources == 1 else more
        self.connect_button.set_text(text)
        self.connect_button.setVisible(assistants + sources > 0)

    def _show_diffs(self) -> None:
        empty(self._diffs)
        scheme = colours(self.palette())
        shown = [self._ready[key] for key in self.assistants.ticked() if key in self._ready]
        for one in shown:
            name = one.found.client.name
            self._diffs.addWidget(label(name, "heading"))
            diff = DiffView(fits=True)
            diff.setAccessibleName(self.tr("What changes in {0}").format(name))
            diff.show_diff(one.diff, scheme)
            self._diffs.addWidget(diff)
        self.changes.setVisible(bool(shown))

    def _show_error(self, error: Exception) -> None:
        self._show_texts([messages.error_text(error)])

    def _show_texts(self, texts: Sequence[str]) -> None:
        self.wrong.setText("\n".join(texts))
        self.wrong.setVisible(bool(texts))

    # --- adding and connecting

    def start(self) -> None:
        """Bring in the ticked sources, then connect the ticked assistants."""
        if not self._adding.is_running:
            self._show_texts([])
            self._adding.start(self._add())

    async def _add(self) -> None:
        sources = self._picked_sources()
        chosen = [self._ready[key] for key in self.assistants.ticked() if key in self._ready]
        entries: dict[str, JsonObject] = {one: self._candidates[one].entry for one in sources}
        try:
            await self.secrets.store(self.choices, entries)
            if edits := self._edits():
                self._library.submit(*edits)
            for key in sources:
                self.sources.rows[key].say(self.tr("Adding…"), Mark.WAITING)
            result = await in_thread(connect_all, chosen, self._link.home)
        except Exception as error:  # noqa: BLE001 - a keychain and other programs' files may fail with anything
            self._show_error(error)
            return
        for one in result.done:
            if one.prepared is not None and one.prepared.edits:
                self._library.submit(*one.prepared.edits)
        self._finish(tuple(sources), result)

    def _finish(self, sources: tuple[str, ...], result: ConnectResult) -> None:
        self._running = sources
        for row in (*self.assistants.rows.values(), *self.sources.rows.values()):
            row.box.setEnabled(False)
        for one in result.done:
            self.assistants.rows[one.found.client.id].say(self.tr("Set up"), Mark.GOOD)
        self.added.emit(sources)
        self.connected.emit(tuple(one.found.client for one in result.done))
        self.connect_button.hide()
        self.later_button.setText(self.tr("Done"))
        self._show_progress()
        if result.problems:
            self._show_problems(result.problems)
        elif not sources:
            self._leave_soon()

    def _show_problems(self, problems: Sequence[Problem]) -> None:
        self._show_texts([messages.problem_text(problem) for problem in problems])
        self._running = ()
        self.later_button.setText(self.tr("Not now"))
        self._searching.start(self._find(lambda: self._found))

    def _show_progress(self) -> None:
        """Show in each row what has become of its source; when all have settled, lead to Home."""
        if not self._running or not self.sources.rows:
            return
        settled = True
        for server in self._running:
            row, listing = self.sources.rows.get(server), self._library.snapshot.catalogue.servers.get(server)
            if row is None or listing is None:
                settled = settled and row is None
                continue
            state = listing.status.state
            tools = len([known for known in listing.tools if known.listed])
            if state is ServerState.READY:
                row.say(self.tr("Added {tools}").format(tools=messages.count_tools(tools)), Mark.GOOD)
            elif state in _UNSETTLED:
                settled = False
                row.say(self.tr("Adding…"), Mark.WAITING)
            else:
                row.say(messages.state_word(state), Mark.ATTENTION)
        if settled:
            self._running = ()
            self._leave_soon()

    def _leave_soon(self) -> None:
        QTimer.singleShot(SHOW_RESULT_MS, self, self._leave_for_home)

    def _leave_for_home(self) -> None:
        if self.isVisible():
            self.place_requested.emit(HOME)


def _card(text: str, button: Button) -> QFrame:
    card = QFrame()
    card.setProperty("kind", "box")
    inside = column(card, (16, 16, 16, 16), 16)
    words = label(text, "second", wraps=True)
    words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
    inside.addWidget(words, 1)
    row = QHBoxLayout()
    row.addWidget(button)
    row.addStretch(1)
    inside.addLayout(row)
    return card
