"""Search in the public MCP registry, or in the bundled list where there is no network."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity, is_own
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.progress import ServerProgress
from toolnote_desktop.desktop.add_servers.registry_page import RegistryPage
from toolnote_desktop.desktop.add_servers.store_secrets import StoreSecrets
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.connect.assistant_list import KEY, AssistantList
from toolnote_desktop.desktop.editing.default_toolset import collecting_toolset
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.debouncer import Debouncer
from toolnote_desktop.desktop.widgets.dialog import Dialog, scrolled
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.public_registry.bundled import search_bundled
from toolnote_desktop.public_registry.client import RegistryClient
from toolnote_desktop.public_registry.records import Published, RegistryResults
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore

TYPING_MS = 350
"""Delay of the search after typing, in milliseconds."""

MORE = "\x00more"
"""Key of the row that loads more results."""


class RegistryDialog(Dialog):
    """Search results on the left; details and fields of the selected server on the right.

    Signals:
        added: the ids of the servers that were added.
    """

    added = Signal(object)

    def __init__(
        self,
        library: Library,
        link: ProxyLink,
        identity: ToolnoteIdentity,
        client: RegistryClient,
        secrets: SecretStore | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("registry")
        self.introduce(
            self.tr("Find tools"),
            self.tr("Anybody can publish in the public list of tool sources: look at who made it before you add it."),
        )
        self._library = library
        self._identity = identity
        self._client = client
        self._servers: dict[str, Published] = {}
        self._cursor = ""
        self._search = LatestTask(self)
        self._adding = LatestTask(self)
        self._typing = Debouncer(self, TYPING_MS, self.search_now)
        self.add_button = Button(self.tr("Add"), "primary")
        self.store_secrets = StoreSecrets(library, secrets)
        self.store_secrets.location_chosen.connect(self.add)
        self.pages = QStackedWidget()
        self.pages.addWidget(self._browser())
        self.progress = ServerProgress(library, link)
        self._added = scrolled(self.progress)
        self.pages.addWidget(self._added)
        self.body.addWidget(self.pages, 1)
        self.wrong = Alert()
        self.wrong.hide()
        self.body.addWidget(self.wrong)
        self.body.addWidget(self.store_secrets.places)
        toolset = collecting_toolset(library.snapshot)
        self._toolset = toolset.name if toolset is not None else None
        title = toolset.title.replace("&", "&&") if toolset is not None else ""
        self.collect = CheckBox(self.tr("Put its tools into “{0}”").format(title))
        self.collect.setChecked(toolset is not None)
        self.collect.setVisible(toolset is not None)
        self.close_button = Button(self.tr("Cancel"))
        self.close_button.clicked.connect(self.reject)
        self.add_button.setAutoDefault(False)  # Enter in the search field searches
        self.add_button.setDefault(False)
        self.add_button.clicked.connect(self._add_or_finish)
        ticks = QVBoxLayout()
        ticks.setSpacing(2)
        ticks.addWidget(self.collect)
        ticks.addWidget(self.store_secrets)
        self.buttons.addLayout(ticks)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.close_button)
        self.buttons.addWidget(self.add_button)
        self.resize(round(920 * text_scale()), round(620 * text_scale()))
        self._refresh()
        self.search.setFocus()
        self.search_now()

    def _browser(self) -> QWidget:
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search by name"))
        self.search.setAccessibleName(self.tr("Search by name"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(lambda _text: self._typing.trigger())
        self.search.returnPressed.connect(self.search_now)
        self.list = AssistantList()
        self.list.setAccessibleName(self.tr("Tool sources that were found"))
        self.list.chosen.connect(self._choose)
        self.state = label("", "small", wraps=True)
        left = QWidget()
        left.setFixedWidth(round(270 * text_scale()))
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (self.search, self.list, self.state):
            column.addWidget(widget)
        self.page = RegistryPage()
        self.page.changed.connect(self._refresh)
        self.detail = scrolled(self.page)
        self.detail.hide()
        self.clear_button = Button(self.tr("Show everything"))
        self.clear_button.clicked.connect(self._show_everything)
        self.empty = QWidget()
        nothing = QVBoxLayout(self.empty)
        nothing.setContentsMargins(0, 4, 0, 0)
        nothing.addWidget(
            label(self.tr("Nothing is called that. Search for a part of the name."), "second", wraps=True)
        )
        nothing.addWidget(self.clear_button, 0, Qt.AlignmentFlag.AlignLeading)
        nothing.addStretch(1)
        self.empty.hide()
        browser = QWidget()
        row = QHBoxLayout(browser)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(20)
        row.addWidget(left)
        row.addWidget(self.detail, 1)
        row.addWidget(self.empty, 1)
        return browser

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pass up and down to the list while the search field has the focus (Qt)."""
        if self.search.hasFocus() and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            QCoreApplication.sendEvent(self.list, event)
        else:
            super().keyPressEvent(event)

    # --- the list

    def _show_everything(self) -> None:
        self.search.clear()
        self.search.setFocus()
        self.search_now()

    def search_now(self) -> None:
        """Search for what is typed; a search that is running is cancelled."""
        self._typing.cancel()
        self._servers = {}
        self._request_page("")

    def _request_page(self, cursor: str) -> None:
        self.state.setText(self.tr("Searching…"))
        self._search.start(self._show_page(self.search.text(), cursor))

    async def _show_page(self, text: str, cursor: str) -> None:
        try:
            page = await in_thread(self._client.page, text, cursor)
        except Exception as error:  # noqa: BLE001 - whatever the registry answers, the bundled list is shown
            self._show_bundled(text, error)
        else:
            self._show_results(page, first=not cursor)

    def _show_results(self, page: RegistryResults, *, first: bool) -> None:
        self._show_rows(page.servers, first=first)
        self._cursor = page.next_cursor
        if page.next_cursor:
            self.list.set_row(MORE, self.tr("Show more"), self.tr("there are more of this name"))
        self.state.setText(self.tr("From the public list of tool sources"))

    def _show_bundled(self, text: str, error: Exception) -> None:
        self._cursor = ""
        self._show_rows(search_bundled(text), first=True)
        if isinstance(error, ToolnoteError) and error.problem.code is Code.REGISTRY_UNREACHABLE:
            self.state.setText(self.tr("No network: showing the list of this release."))
            return
        why = messages.problem_text(error.problem) if isinstance(error, ToolnoteError) else str(error)
        self.state.setText(self.tr("{0} This is the list of this release.").format(why))

    def _show_rows(self, servers: Sequence[Published], *, first: bool) -> None:
        row = self.list.currentRow()
        if first:
            self.list.clear()
        self.list.remove_row(MORE)
        for server in servers:
            self._servers[server.name] = server
            self.list.set_row(server.name, server.title, server.description or server.name)
        found = self.list.count() > 0
        if first and found:
            self.list.setCurrentRow(0)
        elif found:
            self.list.setCurrentRow(min(row, self.list.count() - 1))
        self.list.setEnabled(found)
        self.detail.setVisible(found)
        self.empty.setVisible(not found)
        self._refresh()

    def _choose(self, key: str) -> None:
        if key == MORE:
            self._request_page(self._cursor)
            return
        server = self._servers.get(key)
        if server is not None:
            self.wrong.hide()
            self.page.show_server(server)
            self.detail.verticalScrollBar().setValue(0)
        self._refresh()

    def _refresh(self) -> None:
        item = self.list.currentItem()
        chosen = item is not None and item.data(KEY) in self._servers
        if self.pages.currentWidget() is not self._added:
            self.add_button.setEnabled(chosen and self.page.can_be_added)
            known = self.page.secrets()
            self.store_secrets.show_for([self.page.entry_so_far()] if chosen else [], known)

    # --- adding

    def _add_or_finish(self) -> None:
        if self.pages.currentWidget() is self._added:
            self.accept()
        else:
            self.add()

    def add(self) -> None:
        """Add the server that is shown, in one step that can be undone, and show how it starts."""
        if self._adding.is_running:
            return
        name, entry = self.page.name.text().strip(), self.page.entry()
        if entry is None:
            self._show_message(self.tr("Something is missing still."))
            return
        if is_own(name, entry, self._identity):
            self._show_error(ToolnoteError(Code.SERVER_IS_TOOLNOTE, server=name))
            return
        if name in ((self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES) or {}):
            self._show_error(ToolnoteError(Code.SERVER_EXISTS, server=name))  # before its secrets are written over
            return
        self.wrong.hide()
        known = self.page.secrets()
        added = self.store_secrets.without_secrets(entry, known)
        self._adding.start(self._store_and_submit(name, entry, added, known))

    async def _store_and_submit(
        self, name: str, entry: JsonObject, without_secrets: JsonObject, known: Collection[str]
    ) -> None:
        try:
            await self.store_secrets.store(self, {name: entry}, known)
        except Exception as error:  # noqa: BLE001 - a keychain may fail with anything; the user sees why
            self._show_error(error)
        else:
            self._submit(name, without_secrets)

    def _submit(self, name: str, entry: JsonObject) -> None:
        if self.collect.isChecked() and self._toolset is not None:
            entry = {**entry, "toolnote": {"toolset": self._toolset}}
        try:
            self._library.submit(AddEntry(SERVERS, SERVER_ENTRIES, name, entry))
        except ToolnoteError as error:
            self._show_error(error)
            return
        self.introduce(self.tr("Added"), self.tr("You can close this; it goes on in the background."))
        self.progress.watch([name])
        self.pages.setCurrentWidget(self._added)
        for widget in (self.collect, self.store_secrets, self.close_button):
            widget.hide()
        self.add_button.setText(self.tr("Done"))
        self.add_button.setFocus()
        self.added.emit((name,))

    def _show_error(self, error: Exception) -> None:
        self._show_message(messages.problem_text(error.problem) if isinstance(error, ToolnoteError) else str(error))

    def _show_message(self, text: str) -> None:
        self.wrong.setText(text)
        self.wrong.show()
