"""Middle pane with the page of the row selected in the library."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey, entry_key, listing_of
from toolnote_desktop.desktop.models.tool_view import ToolView, tool_view
from toolnote_desktop.desktop.tool_page.message_pages import EmptyPage, MissingToolPage, ProblemsPage
from toolnote_desktop.desktop.tool_page.page import ToolPage
from toolnote_desktop.desktop.widgets.auto_save_fields import save_fields
from toolnote_desktop.desktop.widgets.basics import column
from toolnote_desktop.model.snapshot import Snapshot

if TYPE_CHECKING:
    from toolnote_desktop.desktop.server_page.page import ServerPage
    from toolnote_desktop.desktop.tool_page.lost_notes_page import LostNotesPage
    from toolnote_desktop.desktop.toolset_page.page import ToolsetPage

Page = TypeVar("Page", EmptyPage, ToolPage, ProblemsPage, MissingToolPage, "LostNotesPage", "ServerPage", "ToolsetPage")


class PagePane(QWidget):
    """Stack of pages. Most windows open with a tool: the pages of a source, of a toolset and of lost notes are
    imported and created when first shown, or after the first paint.

    Signals:
        go: the ``RowKey`` to show instead.
        typed: the text of an editor has changed.
        server_page_made, toolset_page_made: the page was created, so that its signals can be connected.
    """

    go = Signal(object)
    typed = Signal()
    server_page_made = Signal(object)
    toolset_page_made = Signal(object)

    def __init__(
        self,
        actions: Actions,
        changes: UndoStack,
        log_of: Callable[[str], tuple[str, ...]],
        files: GuidanceFiles,
        settings: ToolSettings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("notesPane")
        self._actions, self._log_of, self._files, self._settings = actions, log_of, files, settings
        self._stack = QStackedWidget()
        self.empty_page = self._added(EmptyPage())
        self.tool_page = self._added(ToolPage(actions, changes, files, settings))
        self.problems_page = self._added(ProblemsPage())
        self.missing_page = self._added(MissingToolPage(actions))
        column(self, spacing=0).addWidget(self._stack)
        self.tool_page.notes.typed.connect(self.typed)

    def _added(self, page: Page) -> Page:
        self._stack.addWidget(page)
        page.go.connect(self.go)
        return page

    @cached_property
    def server_page(self) -> ServerPage:
        """Page of a tool source."""
        from toolnote_desktop.desktop.server_page.page import ServerPage

        page = self._added(ServerPage(self._actions, self._log_of))
        self.server_page_made.emit(page)
        return page

    @cached_property
    def toolset_page(self) -> ToolsetPage:
        """Page of a toolset."""
        from toolnote_desktop.desktop.toolset_page.page import ToolsetPage

        page = self._added(ToolsetPage(self._actions, self._files, self._settings))
        self.toolset_page_made.emit(page)
        return page

    @cached_property
    def lost_notes_page(self) -> LostNotesPage:
        """Page of notes on missing tools."""
        from toolnote_desktop.desktop.tool_page.lost_notes_page import LostNotesPage

        return self._added(LostNotesPage(self._actions))

    def make_pages(self) -> None:
        """Create the remaining pages, so that showing one later takes no time."""
        _ = self.server_page, self.toolset_page, self.lost_notes_page

    @property
    def view(self) -> ToolView | None:
        """The tool that is shown; None on another page."""
        return self.tool_page.view if self._stack.currentWidget() is self.tool_page else None

    @property
    def page(self) -> QWidget:
        """The current page."""
        return self._stack.currentWidget() or self.empty_page

    def show_row(self, snapshot: Snapshot, key: RowKey | None) -> None:
        """Show the page of a row, or update it."""
        page = self._page_for(snapshot, key)
        if page is not self._stack.currentWidget():
            self.leave()
            self._stack.setCurrentWidget(page)
        self.typed.emit()

    def leave(self) -> None:
        """Submit what is being typed."""
        self.tool_page.notes.leave()
        save_fields(self)

    def close_pages(self) -> None:
        """Submit what is being typed and stop updating, because the window closes."""
        self.leave()
        if "server_page" in self.__dict__:
            self.server_page.stop()

    def flush(self) -> None:
        """Submit what is being typed and keep the focus."""
        self.tool_page.notes.flush()
        save_fields(self)

    def _page_for(self, snapshot: Snapshot, key: RowKey | None) -> QWidget:
        if key is None:
            return self._show_empty(snapshot)
        match key.kind:
            case Kind.SERVER if key.owner in snapshot.servers:
                self.server_page.show_server(snapshot, key.owner, listing_of(snapshot, key.owner))
                return self.server_page
            case Kind.TOOLSET if key.owner in snapshot.toolsets:
                self.toolset_page.show_toolset(snapshot, snapshot.toolsets[key.owner])
                return self.toolset_page
            case Kind.LOST_NOTES:
                self.lost_notes_page.show_snapshot(snapshot)
                return self.lost_notes_page
            case Kind.PROBLEMS:
                self.problems_page.show_snapshot(snapshot)
                return self.problems_page
        view = tool_view(snapshot, key)
        if view is not None:
            self.tool_page.show_view(snapshot, view)
            return self.tool_page
        return self._show_missing(snapshot, key) or self._show_empty(snapshot)

    def _show_missing(self, snapshot: Snapshot, key: RowKey) -> QWidget | None:
        toolset = snapshot.toolsets.get(key.owner) if key.kind is Kind.ENTRY else None
        if toolset is None:
            return None
        entry = next((one for one in toolset.tools if entry_key(toolset.name, one) == key), None)
        if entry is None:
            return None
        self.missing_page.show_entry(snapshot, toolset, entry)
        return self.missing_page

    def _show_empty(self, snapshot: Snapshot) -> QWidget:
        self.empty_page.show_snapshot(snapshot)
        return self.empty_page
