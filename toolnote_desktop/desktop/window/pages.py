"""Pages of the window, made when first shown, and the page that belongs to a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.tool_settings import ToolSettingsEditor
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.library_rows import (
    Kind,
    RowKey,
    all_problems,
    entry_key,
    listing_of,
    lost_notes,
)
from toolnote_desktop.desktop.models.tool_view import ToolView, tool_view
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.widgets.auto_save_fields import save_fields
from toolnote_desktop.desktop.widgets.page import Page
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import IN_REVIEW, KnownTool
from toolnote_desktop.model.toolsets.toolset import ToolEntry
from toolnote_desktop.paths import DEFAULT_PORT
from toolnote_desktop.store.library import Library

if TYPE_CHECKING:
    from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
    from toolnote_desktop.desktop.activity.page import ActivityPage
    from toolnote_desktop.desktop.add_servers.page import AddToolsPage, FilePage
    from toolnote_desktop.desktop.assistant_page.budget_page import BudgetPage
    from toolnote_desktop.desktop.assistant_page.choose_page import ChooseAssistantPage
    from toolnote_desktop.desktop.assistant_page.page import AssistantPage
    from toolnote_desktop.desktop.first_run.page import FirstRunPage
    from toolnote_desktop.desktop.home.page import HomePage
    from toolnote_desktop.desktop.server_page.page import ServerPage
    from toolnote_desktop.desktop.tool_page.change_review import ChangeReviewPage
    from toolnote_desktop.desktop.tool_page.lost_notes_page import LostNotesPage
    from toolnote_desktop.desktop.tool_page.message_pages import MissingToolPage, ProblemsPage
    from toolnote_desktop.desktop.tool_page.page import ToolPage
    from toolnote_desktop.desktop.toolset_page.bench_page import BenchPage
    from toolnote_desktop.desktop.toolset_page.page import ToolsetPage
    from toolnote_desktop.public_registry.client import RegistryClient

AnyPage = TypeVar("AnyPage", bound=Page)


class Pages(QObject):
    """Pages by the kind of their place. A page is imported and created when it is first shown.

    Signals:
        place_requested: the ``RowKey`` to show instead.
        made: a page was created, so that its signals can be connected: the name of its property, and the page.
    """

    place_requested = Signal(object)
    made = Signal(str, object)

    def __init__(
        self,
        actions: Actions,
        changes: UndoStack,
        library: Library,
        link: ProxyLink,
        files: GuidanceFiles,
        settings: ToolSettingsEditor,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._actions, self._changes, self._library, self._link = actions, changes, library, link
        self._files, self._settings = files, settings
        self._registry: RegistryClient | None = None
        self._all: list[Page] = []
        self.page: Page | None = None
        """Current page."""

    def _added(self, name: str, page: AnyPage) -> AnyPage:
        self._all.append(page)
        page.place_requested.connect(self.place_requested)
        self.made.emit(name, page)
        return page

    @cached_property
    def home_page(self) -> HomePage:
        """Page *Home*; the window shows its state."""
        from toolnote_desktop.desktop.home.page import HomePage

        return self._added("home_page", HomePage())

    @cached_property
    def activity_page(self) -> ActivityPage:
        """Page *Activity*."""
        from toolnote_desktop.desktop.activity.page import ActivityPage

        return self._added("activity_page", ActivityPage(self._actions, self._link))

    @cached_property
    def tool_page(self) -> ToolPage:
        """Page of a tool."""
        from toolnote_desktop.desktop.tool_page.page import ToolPage

        made = ToolPage(self._actions, self._changes, self._files, self._settings, self._link)
        return self._added("tool_page", made)

    @cached_property
    def server_page(self) -> ServerPage:
        """Page of a tool source."""
        from toolnote_desktop.desktop.editing.assistant_settings import AssistantSettings
        from toolnote_desktop.desktop.server_page.page import ServerPage

        settings = AssistantSettings(self._library, self._changes)
        return self._added("server_page", ServerPage(self._actions, self._changes, settings, self._link))

    @cached_property
    def toolset_page(self) -> ToolsetPage:
        """Page of a toolset."""
        from toolnote_desktop.desktop.toolset_page.page import ToolsetPage

        return self._added("toolset_page", ToolsetPage(self._actions, self._files, self._settings))

    @cached_property
    def bench_page(self) -> BenchPage:
        """Page of a toolset's bench."""
        from toolnote_desktop.desktop.toolset_page.bench_page import BenchPage

        return self._added("bench_page", BenchPage(self._library, self._changes, self._link.secrets))

    @cached_property
    def lost_notes_page(self) -> LostNotesPage:
        """Page of notes on missing tools."""
        from toolnote_desktop.desktop.tool_page.lost_notes_page import LostNotesPage

        return self._added("lost_notes_page", LostNotesPage(self._actions))

    @cached_property
    def problems_page(self) -> ProblemsPage:
        """Page of the problems of documents."""
        from toolnote_desktop.desktop.tool_page.message_pages import ProblemsPage

        return self._added("problems_page", ProblemsPage())

    @cached_property
    def missing_page(self) -> MissingToolPage:
        """Page of a toolset's entry whose tool is missing."""
        from toolnote_desktop.desktop.tool_page.message_pages import MissingToolPage

        return self._added("missing_page", MissingToolPage(self._actions))

    @cached_property
    def assistant_page(self) -> AssistantPage:
        """Page of an assistant."""
        from toolnote_desktop.desktop.assistant_page.page import AssistantPage
        from toolnote_desktop.desktop.editing.assistant_settings import AssistantSettings

        settings = AssistantSettings(self._library, self._changes)
        page = AssistantPage(self._library, self._link, self._actions, self._files, self.identity, settings)
        return self._added("assistant_page", page)

    @cached_property
    def budget_page(self) -> BudgetPage:
        """Page of what the toolsets cost the assistants."""
        from toolnote_desktop.desktop.assistant_page.budget_page import BudgetPage

        return self._added("budget_page", BudgetPage(self._actions, self._files, self._link.home))

    @cached_property
    def choose_page(self) -> ChooseAssistantPage:
        """Page of the assistants that can be connected."""
        from toolnote_desktop.desktop.assistant_page.choose_page import ChooseAssistantPage

        return self._added("choose_page", ChooseAssistantPage(self._library, self._link, self.identity))

    @cached_property
    def add_page(self) -> AddToolsPage:
        """Page that adds tool sources."""
        from toolnote_desktop.desktop.add_servers.page import AddToolsPage

        page = AddToolsPage(self._library, self._link.secrets, self.identity, self.registry)
        return self._added("add_page", page)

    @cached_property
    def file_page(self) -> FilePage:
        """Page of a file or link, before anything of it is added."""
        from toolnote_desktop.desktop.add_servers.page import FilePage

        return self._added("file_page", FilePage(self._library, self._link.secrets, self.identity))

    @cached_property
    def first_run_page(self) -> FirstRunPage:
        """Page of the first run."""
        from toolnote_desktop.desktop.first_run.page import FirstRunPage

        return self._added("first_run_page", FirstRunPage(self._library, self._link, self.identity))

    @cached_property
    def review_page(self) -> ChangeReviewPage:
        """Page of a tool or prompt that its server changed."""
        from toolnote_desktop.desktop.tool_page.change_review import ChangeReviewPage

        return self._added("review_page", ChangeReviewPage(self._actions, self._settings))

    def registry(self) -> RegistryClient:
        """Return the client of the public registry."""
        from toolnote_desktop.public_registry.client import RegistryClient

        if self._registry is None:
            self._registry = RegistryClient()
        return self._registry

    def identity(self) -> ToolnoteIdentity:
        """Return what identifies this Toolnote, so that it is never added to itself."""
        from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
        from toolnote_desktop.system.program import toolnote_command

        settings, endpoint = self._library.snapshot.settings, self._link.endpoint
        port = settings.port or DEFAULT_PORT
        ports = {DEFAULT_PORT, port, endpoint.port if endpoint is not None else port}
        return ToolnoteIdentity(ports=frozenset(ports), command=tuple(toolnote_command()))

    def make_pages(self) -> None:
        """Create the pages that are not made yet, so that showing one later takes no time."""
        _ = self.home_page, self.tool_page, self.server_page, self.toolset_page, self.activity_page
        _ = self.lost_notes_page, self.problems_page

    @property
    def view(self) -> ToolView | None:
        """The tool that is shown; None on another page."""
        return self.tool_page.view if self._is_made("tool_page") and self.page is self.tool_page else None

    def _is_made(self, name: str) -> bool:
        return name in self.__dict__

    def show_place(self, snapshot: Snapshot, place: RowKey | None) -> Page:
        """Update the page of a place, make it the current one and return it."""
        page = self._page_for(snapshot, place)
        if page is not self.page:
            self.leave()
            self.page = page
        return page

    def leave(self) -> None:
        """Submit what is being typed."""
        if self._is_made("tool_page"):
            self.tool_page.notes.leave()
        if self.page is not None:
            save_fields(self.page)
            self.page.leave()

    def flush(self) -> None:
        """Submit what is being typed and keep the focus."""
        if self._is_made("tool_page"):
            self.tool_page.notes.flush()
        if self.page is not None:
            save_fields(self.page)
            self.page.flush()

    def close_pages(self) -> None:
        """Submit what is being typed and stop updating, because the window closes."""
        self.leave()
        for page in self._all:
            page.stop()

    def _page_for(self, snapshot: Snapshot, place: RowKey | None) -> Page:
        if place is None:
            return self.home_page
        match place.kind:
            case Kind.ACTIVITY:
                self.activity_page.show_snapshot(snapshot)
                return self.activity_page
            case Kind.ASSISTANT if place.owner:
                self.assistant_page.show_assistant(snapshot, place.owner)
                return self.assistant_page
            case Kind.ASSISTANT:
                return self._shown(self.choose_page, self.choose_page.show_page)
            case Kind.ADD_TOOLS:
                self.add_page.show_page(snapshot, place.owner if self.page is not self.add_page else "")
                return self.add_page
            case Kind.FIRST_RUN:
                self.first_run_page.show_page()
                return self.first_run_page
            case Kind.FILE:
                self.file_page.show_target(place.owner)
                self.file_page.panel.show_snapshot(snapshot)
                return self.file_page
            case Kind.SERVER if place.owner in snapshot.servers:
                self.server_page.show_server(snapshot, place.owner, listing_of(snapshot, place.owner))
                return self.server_page
            case Kind.TOOLSET if place.owner in snapshot.toolsets:
                self.toolset_page.show_toolset(snapshot, snapshot.toolsets[place.owner])
                return self.toolset_page
            case Kind.BENCH if place.owner in snapshot.toolsets:
                self.bench_page.show_toolset(snapshot, snapshot.toolsets[place.owner])
                return self.bench_page
            case Kind.CHANGED if (known := snapshot.catalogue.tools.get((place.owner, place.name))) is not None:
                if known.review in IN_REVIEW:
                    self.review_page.show_tool(snapshot, known)
                    return self.review_page
            case Kind.CHANGED_PROMPT if (prompt := changed_prompt(snapshot, place)) is not None:
                self.review_page.show_prompt(snapshot, prompt)
                return self.review_page
            case Kind.BUDGET:
                self.budget_page.show_snapshot(snapshot)
                return self.budget_page
            case Kind.LOST_NOTES:
                self.lost_notes_page.show_snapshot(snapshot)
                return self.lost_notes_page
            case Kind.PROBLEMS:
                self.problems_page.show_snapshot(snapshot)
                return self.problems_page
        view = tool_view(snapshot, place)
        if view is not None:
            self.tool_page.show_view(snapshot, view)
            return self.tool_page
        return self._missing(snapshot, place) or self.home_page

    def _shown(self, page: AnyPage, show: Callable[[], None]) -> AnyPage:
        """Show a page that does not change with the library, unless it is the current one."""
        if self.page is not page:
            show()
        return page

    def _missing(self, snapshot: Snapshot, place: RowKey) -> Page | None:
        entry = missing_entry(snapshot, place)
        if entry is None:
            return None
        self.missing_page.show_entry(snapshot, snapshot.toolsets[place.owner], entry)
        return self.missing_page


def missing_entry(snapshot: Snapshot, place: RowKey) -> ToolEntry | None:
    """Return the toolset's entry at a place."""
    toolset = snapshot.toolsets.get(place.owner) if place.kind is Kind.ENTRY else None
    if toolset is None:
        return None
    return next((one for one in toolset.tools if entry_key(toolset.name, one) == place), None)


def changed_prompt(snapshot: Snapshot, place: RowKey) -> KnownTool | None:
    """Return the prompt at a place while its change is not accepted."""
    known = snapshot.catalogue.prompts.get((place.owner, place.name))
    return known if known is not None and known.review in IN_REVIEW else None


def exists(snapshot: Snapshot, place: RowKey, assistants: Iterable[str] = ()) -> bool:
    """Return True if a place can be shown. ``assistants``: ids of connected ones."""
    match place.kind:
        case Kind.SERVER | Kind.ALL_TOOLS:
            return place.owner in snapshot.servers
        case Kind.TOOLSET | Kind.BENCH:
            return place.owner in snapshot.toolsets
        case Kind.TOOL | Kind.CHANGED:
            return place.owner in snapshot.servers and (place.owner, place.name) in snapshot.catalogue.tools
        case Kind.CHANGED_PROMPT:
            return changed_prompt(snapshot, place) is not None
        case Kind.ENTRY:
            return missing_entry(snapshot, place) is not None
        case Kind.ASSISTANT:
            from toolnote_desktop.assistants.registry import CLIENTS  # not before the first paint

            return place.owner in ("", *assistants) or place.owner in snapshot.clients or place.owner in CLIENTS
        case Kind.LOST_NOTES:
            return bool(lost_notes(snapshot))
        case Kind.PROBLEMS:
            return bool(all_problems(snapshot))
        case Kind.GROUP | Kind.WAY:
            return False
    return True
