"""Add tools: catalog, other apps, pasted text; and the page of a file or link, before anything of it is added."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.add_servers.catalog_inspector import CatalogInspector
from toolnote_desktop.desktop.add_servers.catalog_panel import CatalogPanel
from toolnote_desktop.desktop.add_servers.deep_link import read_link
from toolnote_desktop.desktop.add_servers.import_panel import ImportPanel
from toolnote_desktop.desktop.add_servers.paste_panel import PastePanel
from toolnote_desktop.desktop.models.library_rows import HOME, Kind, RowKey
from toolnote_desktop.desktop.models.work import WorkList
from toolnote_desktop.desktop.widgets.basics import Button, column
from toolnote_desktop.desktop.widgets.controls import Tabs
from toolnote_desktop.desktop.widgets.page import Foot, Page
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.packs.folder import is_in_folder
from toolnote_desktop.public_registry.client import RegistryClient
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore


class AddTab(IntEnum):
    """Tabs of the page; its place is ``RowKey(Kind.ADD_TOOLS, name)`` with the tab's name in lower case."""

    CATALOG = 0
    APP = 1
    PASTE = 2


class AddToolsPage(Page):
    """Page with three ways to add tool sources. After adding, the source's page is shown."""

    def __init__(
        self,
        library: Library,
        store: SecretStore | None,
        identity: Callable[[], ToolnoteIdentity],
        registry: Callable[[], RegistryClient] = RegistryClient,
    ) -> None:
        super().__init__(self.tr("Add tools"))
        self._library = library
        self._is_searched = False
        self.title.setText(self.tr("Add tools"))
        self.second.setText(self.tr("Anyone can publish in the catalog. Check the publisher before you add."))
        self.tabs = Tabs(
            self.tr("Add tools"), [self.tr("Catalog"), self.tr("From another app"), self.tr("Paste or command")]
        )
        self.tabs.currentChanged.connect(self._show_tab)
        self.side = CatalogInspector(library, store, identity)
        self.side.added.connect(self._show_added)
        self.catalog = CatalogPanel(registry, self._existing)
        self.catalog.chosen.connect(self._choose)
        self.apps = ImportPanel(library, store, identity)
        self.apps.added.connect(self._show_added)
        self.apps.reading_canceled.connect(self._search_later)
        row = QHBoxLayout()
        row.addWidget(self.apps.add_button)
        row.addStretch(1)
        apps = QWidget()
        column(apps, spacing=16).addWidget(self.apps)
        layout = apps.layout()
        if isinstance(layout, QVBoxLayout):
            layout.addLayout(row)
        self.paste = PastePanel(library, store, identity)
        self.paste.added.connect(self._show_added)
        self.panels: tuple[QWidget, ...] = (self.catalog, apps, self.paste)
        self.body.addSpacing(12)
        self.body.addWidget(self.tabs)
        self.body.addSpacing(16)
        for panel in self.panels:
            self.body.addWidget(panel)
        self.body.addStretch(1)
        if self.catalog.current is not None:
            self._choose(self.catalog.current)
        self._show_tab(AddTab.CATALOG)

    def follow(self, work: WorkList) -> None:
        """Show what takes long among the work in progress, with its cancel."""
        self.apps.work = self.side.adder.work = self.paste.adder.work = work

    def inspector(self) -> CatalogInspector | None:
        return self.side if self.tabs.currentIndex() == AddTab.CATALOG else None

    def filter_field(self) -> QWidget:
        return self.catalog.search

    def entrance(self) -> QWidget:
        """Field of the tab that is shown."""
        if self.tabs.currentIndex() == AddTab.PASTE:
            return self.paste.pasted
        return self.catalog.search if self.tabs.currentIndex() == AddTab.CATALOG else self.tabs

    def show_page(self, snapshot: Snapshot, tab: str = "") -> None:
        """Show the page, or update it; ``tab`` is a tab's name in lower case, "" keeps the current one."""
        if tab.upper() in AddTab.__members__:
            self.tabs.setCurrentIndex(AddTab[tab.upper()])
        for panel in (self.side, self.apps, self.paste):
            panel.show_snapshot(snapshot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.catalog.set_columns(self.viewport().width())

    def _existing(self) -> set[str]:
        """Return the names, case-folded, and the addresses of the sources that are there."""
        servers = self._library.snapshot.servers
        addresses = {entry.url.rstrip("/") for entry in servers.values() if entry.url}
        return {name.casefold() for name in servers} | addresses

    def _show_tab(self, tab: int) -> None:
        for number, panel in enumerate(self.panels):
            panel.setVisible(number == tab)
        if tab == AddTab.APP and not self._is_searched:
            self._is_searched = True
            self.apps.search_computer()
        self.chrome_changed.emit()

    def _search_later(self) -> None:
        """Search other apps when their tab is opened the next time."""
        self._is_searched = False

    def _choose(self, server: object) -> None:
        self.side.show_server(server)  # type: ignore[arg-type]
        self.chrome_changed.emit()

    def _show_added(self, servers: object, toolsets: object = ()) -> None:
        self._is_searched = False
        self.said.emit(*added_text(self, servers, toolsets))
        self.place_requested.emit(place_of_added(servers, toolsets))


class FilePage(Page):
    """Page of a file, folder, text or link: its tool sources and toolsets with all notes, before anything is added.

    Signals:
        canceled: nothing is to be added; show the place from which the user came.
    """

    canceled = Signal()

    def __init__(self, library: Library, store: SecretStore | None, identity: Callable[[], ToolnoteIdentity]) -> None:
        super().__init__(self.tr("File"))
        self._library, self._store, self._identity = library, store, identity
        self._shown = ""
        self.panel = self._make_panel()
        self.second.setText(
            self.tr(
                "Nothing is added yet. A tool source runs a program on this computer or sends what you do to an "
                "address, and your assistants read these notes. Check them first. Tool sources are added turned off."
            )
        )
        self.body.addSpacing(16)
        self.body.addWidget(self.panel)
        self.body.addStretch(1)
        self._foot = Foot()
        self._foot.row.addStretch(1)
        self.cancel_button = Button(self.tr("Cancel"), pressed=self._cancel)
        self.skip_button = Button(self.tr("Skip this version"), pressed=self._skip)
        self.skip_button.hide()
        self._foot.row.addWidget(self.cancel_button)
        self._foot.row.addWidget(self.skip_button)
        self._foot.row.addWidget(self.panel.add_button)

    def _make_panel(self) -> ImportPanel:
        panel = ImportPanel(self._library, self._store, self._identity, in_full=True)
        panel.added.connect(self._show_added)
        panel.reading_canceled.connect(self._show_canceled)
        return panel

    def foot(self) -> QWidget:
        return self._foot

    def entrance(self) -> QWidget:
        return self.cancel_button

    def show_target(self, target: str) -> None:
        """Show a file, folder or link, unless it is shown already."""
        shown = target
        if "://" not in target and (file := Path(target)).is_file():
            shown = f"{target}\n{file.stat().st_mtime_ns}"  # a file that has changed is read again
        if not target or shown == self._shown:
            return
        self._begin(shown)
        self.skip_button.setVisible(is_in_folder(self._library.snapshot.settings, Path(target)))
        if target.lower().startswith("file:"):
            target = QUrl(target).toLocalFile()
        if "://" in target:
            self.title.setText(self.tr("Add tools from a link"))
            self.panel.show_link(read_link(target, self._identity()))
        else:
            self.title.setText(self.tr("Add tools from {0}").format(Path(target).name))
            self.panel.read_file(Path(target))

    def show_text(self, text: str, name: str) -> None:
        """Show a text that was dropped on the window."""
        self.skip_button.hide()
        self._begin(f"{name}\n{text}")
        self.title.setText(self.tr("Add tools from {0}").format(name))
        self.panel.read_text(text, name)

    def _cancel(self) -> None:
        self._shown = ""
        self.panel.stop_reading()
        self.canceled.emit()

    def _skip(self) -> None:
        """Leave a pack of the watched folder as it is, and offer it no more until its file changes."""
        if (edit := self.panel.seen_edit()) is not None:
            self._library.submit(edit)
        self._cancel()

    def _show_canceled(self) -> None:
        """Leave the page whose file is not read any more, or let it be read when it is opened again."""
        self._shown = ""
        if self.isVisible():
            self.canceled.emit()

    def _begin(self, shown: str) -> None:
        self._shown = shown
        self.panel.wrong.hide()
        self.panel.secrets.places.hide()
        self.verticalScrollBar().setValue(0)

    def _show_added(self, servers: object, toolsets: object) -> None:
        self._shown = ""
        self.said.emit(*added_text(self, servers, toolsets))
        self.place_requested.emit(place_of_added(servers, toolsets))


def added_text(page: Page, servers: object, toolsets: object) -> tuple[str, bool]:
    """Return the toast after adding, and True: it can be undone."""
    names = [*_names(servers), *_names(toolsets)]
    if len(names) == 1:
        return page.tr("{source} added").format(source=names[0]), True
    return page.tr("%n added", "", len(names)), True


def place_of_added(servers: object, toolsets: object) -> RowKey:
    """Return the place to show after adding: the toolset that came with a file, else the first source."""
    for kind, names in ((Kind.TOOLSET, _names(toolsets)), (Kind.SERVER, _names(servers))):
        if names:
            return RowKey(kind, names[0])
    return HOME


def _names(names: object) -> list[str]:
    return [str(name) for name in names] if isinstance(names, (tuple, list)) else []
