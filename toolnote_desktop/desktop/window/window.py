"""Main window: library, notes and preview, with a message bar and a status line below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.row_actions import RowActions
from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.editing.undo import Step, UndoStack
from toolnote_desktop.desktop.library.context_menu import LibraryMenu
from toolnote_desktop.desktop.library.pane import LibraryPane
from toolnote_desktop.desktop.library.tree_view import LibraryView
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.status import Assistant, Serving, StatusAction, StatusTarget
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.preview.pane import PreviewPane
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.widgets.basics import column
from toolnote_desktop.desktop.window.command_palette import CommandPalette
from toolnote_desktop.desktop.window.menu import WindowActions, WindowMenu
from toolnote_desktop.desktop.window.message_bar import MessageBar
from toolnote_desktop.desktop.window.page_pane import PagePane
from toolnote_desktop.desktop.window.pane_focus import pane_to_pane
from toolnote_desktop.desktop.window.saved_state import WindowState
from toolnote_desktop.desktop.window.server_announcements import ServerStateAnnouncer
from toolnote_desktop.desktop.window.splitter import PaneSplitter
from toolnote_desktop.desktop.window.status_line import StatusLine
from toolnote_desktop.model.problem import Problem, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.store.library import Change, Library

if TYPE_CHECKING:
    from toolnote_desktop.desktop.server_page.page import ServerPage
    from toolnote_desktop.desktop.toolset_page.page import ToolsetPage


class MainWindow(QMainWindow):
    """Main window on one library.

    Signals:
        add_tools_requested: the user wants to add tools.
        connect_requested: … to connect an assistant: its id, or "" for any.
        edit_server_requested: … to change a tool source: its id.
        secret_requested: … to set a secret: a tool source's id and the secret's name.
        settings_requested, quit_requested: from the menu.
    """

    add_tools_requested = Signal()
    connect_requested = Signal(str)
    edit_server_requested = Signal(str)
    secret_requested = Signal(str, str)
    settings_requested = Signal()
    quit_requested = Signal()

    def __init__(self, library: Library, link: ProxyLink, *, fresh: bool = False, has_settings: bool = False) -> None:
        """Create the window.

        Args:
            fresh: ignore the saved state of the window.
            has_settings: ``settings_requested`` is connected, so the menu offers the settings.
        """
        super().__init__()
        self._library = library
        self._link = link
        self._state = WindowState(link.home, fresh=fresh)
        self._serving = Serving(url=link.endpoint.url if link.endpoint is not None else None)
        self.changes = UndoStack(library, self)
        self.actions_ = Actions(library, self.changes)
        self.library_pane = LibraryPane()
        files, settings = GuidanceFiles(link.home), ToolSettings(library, self.changes)
        self.notes_pane = PagePane(self.actions_, self.changes, link.server_log, files, settings)
        self.preview_pane = PreviewPane(files, settings)
        self.message_bar = MessageBar()
        self.status_line = StatusLine()
        shows_preview = self._state.is_on("preview", True)
        self.panes = PaneSplitter(self.library_pane, self.notes_pane, self.preview_pane, shows_preview=shows_preview)
        row_actions = RowActions(library, self.changes, self.actions_)
        self.row_menu = LibraryMenu(self, row_actions, files)
        self.library_pane.view.may_drop = row_actions.may_drop
        self._announcer = ServerStateAnnouncer(self, self.snapshot)
        self.command_palette = CommandPalette(self, self.go, self.actions_.use_toolset)
        self.menu = WindowMenu(self, self._window_actions())
        self.menu.settings.setVisible(has_settings)
        self.preview_pane.find_requested.connect(self._find_tool)
        self.setWindowTitle("Toolnote")
        self.setObjectName("toolnote")
        self._lay_out()
        self._connect()
        self._restore()

    @property
    def snapshot(self) -> Snapshot:
        """Current snapshot of the library."""
        return self._library.snapshot

    def _window_actions(self) -> WindowActions:
        return WindowActions(
            find=self.library_pane.focus_search,
            add_note=self.add_note,
            make_toolset=self.make_toolset,
            undo=self.undo,
            redo=self.redo,
            add_tools=self.add_tools_requested.emit,
            connect=lambda: self.connect_requested.emit(""),
            go_to=self.open_palette,
            show_preview=self.panes.show_preview,
            next_pane=lambda: self._to_pane(1),
            previous_pane=lambda: self._to_pane(-1),
            use_toolset=self.actions_.use_toolset,
            pause_notes=lambda paused: self.actions_.pause_notes(paused=paused),
            settings=self.settings_requested.emit,
            quit=self.quit_requested.emit,
        )

    def _lay_out(self) -> None:
        central = QWidget()
        whole = column(central, spacing=0)
        whole.addWidget(self.panes, 1)
        whole.addWidget(self.message_bar)  # below the panes, so that showing it moves no text
        whole.addWidget(self.status_line)
        self.setCentralWidget(central)
        self.setMinimumSize(640, 420)
        room = self.screen().availableGeometry().size()
        self.resize(QSize(1360, 840).boundedTo(room * 0.92))

    def _connect(self) -> None:
        library, notes = self.library_pane, self.notes_pane
        library.chosen.connect(self._show_chosen)
        library.opened.connect(self._open_row)
        library.add_tools_requested.connect(self.add_tools_requested)
        library.new_toolset_requested.connect(self.make_toolset)
        library.connect_requested.connect(lambda: self.connect_requested.emit(""))
        library.menu_requested.connect(self._open_menu)
        self._connect_rows(library.view, self.row_menu)
        notes.server_page_made.connect(self._connect_server_page)
        notes.toolset_page_made.connect(self._connect_toolset_page)
        notes.go.connect(self.go)
        notes.typed.connect(self._show_preview_of_typed)
        notes.tool_page.accepted.connect(self._link.accept_tool)
        notes.tool_page.try_requested.connect(self._try_tool)
        notes.tool_page.notes.undo_offered.connect(self._offer_undo)
        self._link.secret_failed.connect(self.show_error)
        notes.empty_page.add_tools_requested.connect(self.add_tools_requested)
        self.changes.failed.connect(self._show_problem)
        self.changes.save_settled.connect(self._saved)
        self.changes.stack_changed.connect(self._show_undo)
        self.changes.undone.connect(self._show_undone)
        self.changes.done_by_assistant.connect(self._show_assistant_change)
        self.panes.arranged.connect(self.menu.preview.setChecked)
        self.status_line.pressed.connect(self._handle_status_action)
        self._link.changed.connect(self._changed)
        self._link.clients_changed.connect(self._clients_changed)
        self._link.endpoint_changed.connect(self._endpoint_changed)
        self._link.proxy_failed.connect(self._proxy_failed)

    def _connect_server_page(self, page: ServerPage) -> None:
        page.restart_requested.connect(self._link.restart_server)
        page.edit_requested.connect(self.edit_server_requested)
        page.access.connect_link(self._link)
        page.access.secret_requested.connect(self.secret_requested)
        page.duplicate_requested.connect(self.row_menu.duplicate)
        page.removed.connect(self._offer_undo)

    def _connect_toolset_page(self, page: ToolsetPage) -> None:
        page.dropped.connect(self.row_menu.drop_into)
        page.stepped.connect(self.row_menu.step_in)
        page.removed.connect(self._offer_undo)
        page.add_tools_requested.connect(self.add_tools_requested)
        page.find_requested.connect(self._find_tool)
        page.connect_requested.connect(lambda: self.connect_requested.emit(""))

    def _connect_rows(self, view: LibraryView, menu: LibraryMenu) -> None:
        view.menu_requested.connect(lambda place: menu.open(view.selected_keys(), place))
        view.toggled.connect(lambda: menu.toggle(view.selected_keys()))
        view.removal_requested.connect(lambda: menu.remove_rows(view.selected_keys()))
        view.stepped.connect(lambda step: menu.step(view.selected_keys(), step))
        view.dropped.connect(menu.drop)
        menu.go.connect(self._go_to_new)
        menu.undo_offered.connect(self._offer_undo)
        menu.use_requested.connect(self.actions_.use_toolset)
        menu.restart_requested.connect(self._link.restart_server)
        menu.edit_requested.connect(self.edit_server_requested)

    def _restore(self) -> None:
        geometry = self._state.bytes_of("geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
        for name, splitter in (("outer", self.panes.outer), ("inner", self.panes.inner)):
            state = self._state.bytes_of(name)
            if state is not None:
                splitter.restoreState(state)
        self.library_pane.show_snapshot(self.snapshot)
        opened = self._state.opened()
        if opened is not None:
            self.library_pane.view.open_keys(opened)
        chosen = self._state.chosen()
        self.go(chosen if chosen is not None and self.library_pane.holds(chosen) else self._first_row())
        self.panes.arrange()
        self._show_status()
        self._show_undo()
        self.library_pane.view.setFocus()

    def _first_row(self) -> RowKey | None:
        """Return the row for a new user: the first tool with a note, or None for the empty page."""
        for key in self.snapshot.catalogue.tools:
            if self.library_pane.has_notes(RowKey(Kind.TOOL, *key)):
                return RowKey(Kind.TOOL, *key)
        return None

    # --- selection

    def go(self, key: RowKey | None) -> None:
        """Select a row of the library and show its page."""
        self.library_pane.select(key)
        self._show_page()

    def _show_chosen(self, key: RowKey) -> None:
        self._show_page()

    def _open_row(self, key: RowKey) -> None:
        """Focus a tool's first note, or the button that adds one (Enter in the library)."""
        if self.notes_pane.view is not None:
            cards = self.notes_pane.tool_page.notes.cards
            self._show_tab(preview=False)
            if cards:
                cards[0].start_writing()
            else:
                self.notes_pane.tool_page.notes.add_button.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_page(self) -> None:
        self.notes_pane.show_row(self.snapshot, self.library_pane.selected)

    def _show_preview_of_typed(self) -> None:
        notes = self.notes_pane.tool_page.notes.current_notes() if self.notes_pane.view is not None else ()
        self.preview_pane.show_view(self.snapshot, self.notes_pane.view, notes)

    def _changed(self, change: Change) -> None:
        self.library_pane.show_snapshot(self.snapshot)
        chosen = self.library_pane.selected
        if chosen is not None and not self.library_pane.holds(chosen):
            self.library_pane.select(self._fallback_for(chosen))
        self._show_page()
        self._show_status()
        self._announcer.update(self.snapshot)

    def _fallback_for(self, key: RowKey) -> RowKey | None:
        """Return the row to show in place of a removed one."""
        nearest = {
            Kind.ENTRY: RowKey(Kind.TOOLSET, key.owner),
            Kind.CHANGED: RowKey(Kind.TOOL, key.owner, key.name),
            Kind.TOOL: RowKey(Kind.SERVER, key.owner),
        }.get(key.kind)
        return nearest if nearest is not None and self.library_pane.holds(nearest) else None

    # --- the status line

    def _assistants(self) -> Sequence[Assistant]:
        return self._link.clients()

    def _show_status(self) -> None:
        self.menu.pause_notes.setChecked(self.snapshot.settings.notes_paused)
        self.status_line.show_state(self.snapshot, self._assistants(), self._serving)

    def _clients_changed(self, clients: object) -> None:
        self._show_status()

    def _endpoint_changed(self, endpoint: object) -> None:
        found = self._link.endpoint
        if found is not None:
            self._serving = Serving(url=found.url, problem=found.problem)
        self._show_status()

    def _proxy_failed(self, problem: Problem) -> None:
        self._serving = Serving(problem=problem)
        self._show_status()

    def _handle_status_action(self, attention: StatusAction) -> None:
        match attention.target:
            case RowKey():
                self.go(attention.target)
            case StatusTarget.CONNECT:
                self.connect_requested.emit("")
            case StatusTarget.RESUME_NOTES:
                self.actions_.pause_notes(paused=False)
            case StatusTarget.EXPLAIN_RESTART:
                text = self.tr(
                    "{assistant} reads its tools when it starts: quit it and open it again to show it your change."
                )
                self.message_bar.show_message(text.format(assistant=attention.about))

    # --- actions

    def show_safe_mode(self, start_normally: Callable[[], object]) -> None:
        """Show that the app runs in safe mode, with a button to start normally."""
        text = self.tr(
            "Safe mode: no tool source is started, and assistants get nothing until Toolnote starts normally."
        )
        self.message_bar.show_message(text, self.tr("Start normally"), start_normally, mark=Mark.ATTENTION)
        self._serving = Serving(is_safe_mode=True)
        self._show_status()

    def add_note(self) -> None:
        """Add a note to the tool that is shown."""
        if self.notes_pane.view is not None:
            self._show_tab(preview=False)
            self.notes_pane.tool_page.notes.add_note()

    def make_toolset(self) -> None:
        """Create a toolset and focus its title."""
        name = self.actions_.make_toolset(self.tr("New toolset"))
        if name is not None:
            self.library_pane.show_snapshot(self.snapshot)
            self.go(RowKey(Kind.TOOLSET, name))
            field = self.notes_pane.toolset_page.title_field
            field.setFocus(Qt.FocusReason.OtherFocusReason)
            field.selectAll()

    def undo(self) -> None:
        """Submit what is being typed, then undo the last step."""
        self.notes_pane.flush()
        self.changes.undo()

    def redo(self) -> None:
        """Redo the step that was undone last."""
        self.changes.redo()

    def _show_undone(self, step: Step, again: bool) -> None:
        if self.message_bar.about is step:
            self.message_bar.dismiss()
        self.library_pane.show_snapshot(self.snapshot)
        if step.place is not None and self.library_pane.holds(step.place):
            self.library_pane.select(step.place)
        self._show_page()

    def _go_to_new(self, key: RowKey) -> None:
        """Show a row that was created just now and is not in the library's view yet."""
        self.library_pane.show_snapshot(self.snapshot)
        self.go(key)

    def _try_tool(self, view: ToolView) -> None:
        from toolnote_desktop.desktop.tool_page.try_tool_dialog import TryToolDialog

        TryToolDialog(view, self._link, self).open()

    def _offer_undo(self, name: str = "") -> None:
        """Offer to undo the last step, a removal that needed no confirmation."""
        step = self.changes.next_undo
        if step is not None:
            text = step.words[:1].upper() + step.words[1:] + "."
            self.message_bar.show_message(text, self.tr("Undo"), lambda: self.changes.undo_step(step), about=step)

    def _show_assistant_change(self, step: Step) -> None:
        name = messages.author_name(self.snapshot, step.author)
        text = self.tr("{assistant}: {what}.").format(assistant=name, what=step.words)
        self.message_bar.show_message(
            text, self.tr("Undo"), lambda: self.changes.undo_step(step), mark=Mark.IN_USE, about=step
        )

    def _saved(self, submitted: object, problem: Problem | None) -> None:
        if problem is not None:
            self._show_problem(problem)

    def _show_problem(self, problem: Problem) -> None:
        self.message_bar.show_message(messages.problem_text(problem), mark=Mark.ATTENTION, about=problem)

    def show_error(self, error: Exception) -> None:
        """Show an error in the message bar."""
        if isinstance(error, ToolnoteError):
            self._show_problem(error.problem)
        else:
            self.message_bar.show_message(str(error), mark=Mark.ATTENTION)

    def _show_undo(self) -> None:
        undo, redo = self.changes.next_undo, self.changes.next_redo
        self.menu.set_undo_texts(undo.words if undo else None, redo.words if redo else None)

    def _open_menu(self) -> None:
        self.library_pane.menu_button.open_menu(self.menu.fill(self.snapshot))

    def open_palette(self) -> None:
        """Open the command palette."""
        self.command_palette.open(self.snapshot, self.menu.offered())

    def _find_tool(self) -> None:
        self.command_palette.open(self.snapshot, None)

    # --- panes

    def _show_tab(self, *, preview: bool) -> None:
        self.panes.show_tab(preview=preview)

    def _to_pane(self, step: int) -> None:
        panes = (self.library_pane, self.notes_pane, self.preview_pane)
        pane_to_pane(panes, self.focusWidget(), step, {self.library_pane: self.library_pane.view})

    # --- closing

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.notes_pane.flush()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.notes_pane.close_pages()
        self.preview_pane.meter.counter.stop()
        self._announcer.stop()
        self.changes.close()
        self._state.save(
            states={
                "geometry": self.saveGeometry(),
                "outer": self.panes.outer.saveState(),
                "inner": self.panes.inner.saveState(),
            },
            chosen=self.library_pane.selected,
            opened=self.library_pane.view.open_rows(),
            preview=self.panes.shows_preview or self.panes.is_narrow,
        )
