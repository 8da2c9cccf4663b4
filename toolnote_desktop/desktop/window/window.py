"""Main window: sidebar, top bar, page, inspector and toast on one library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.row_actions import RowActions
from toolnote_desktop.desktop.editing.tool_settings import ToolSettingsEditor
from toolnote_desktop.desktop.editing.undo import Step, UndoStack
from toolnote_desktop.desktop.models import needs_you
from toolnote_desktop.desktop.models.library_rows import ACTIVITY, HOME, Kind, Mark, RowKey
from toolnote_desktop.desktop.models.needs_you import Assistant, EndpointState, Need
from toolnote_desktop.desktop.models.note_offers import Offer
from toolnote_desktop.desktop.models.work import WorkList
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.sidebar.context_menu import LibraryMenu
from toolnote_desktop.desktop.sidebar.sidebar import Sidebar
from toolnote_desktop.desktop.sidebar.view import SidebarView
from toolnote_desktop.desktop.widgets.basics import column
from toolnote_desktop.desktop.window.frame import Frame
from toolnote_desktop.desktop.window.menu import WindowActions, WindowMenu
from toolnote_desktop.desktop.window.navigator import Navigator
from toolnote_desktop.desktop.window.pages import Pages, exists
from toolnote_desktop.desktop.window.pane_focus import first_control, pane_to_pane
from toolnote_desktop.desktop.window.saved_state import WindowState
from toolnote_desktop.desktop.window.search import Search
from toolnote_desktop.desktop.window.server_announcements import ServerStateAnnouncer
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.notes import USER
from toolnote_desktop.store.library import Change, Library

if TYPE_CHECKING:
    import asyncio

    from toolnote_desktop.desktop.home.page import HomePage
    from toolnote_desktop.desktop.models.search_results import Entry
    from toolnote_desktop.desktop.server_page.page import ServerPage
    from toolnote_desktop.desktop.tool_page.page import ToolPage
    from toolnote_desktop.desktop.toolset_page.page import ToolsetPage


class MainWindow(QMainWindow):
    """Main window on one library.

    Signals:
        add_tools_requested: the user wants to add tools.
        connect_requested: … to connect an assistant: its id, or "" for any.
        edit_server_requested: … to change a tool source: its id.
        secret_requested: … to set a secret: a tool source's id and the secret's name.
        setting_requested: … to change a setting: its key, or "" for any.
        demo_requested: … to try the demo.
        settings_requested, quit_requested: from the menu.
        shown_changed: another place is shown: its ``RowKey``.
    """

    add_tools_requested = Signal()
    connect_requested = Signal(str)
    edit_server_requested = Signal(str)
    secret_requested = Signal(str, str)
    setting_requested = Signal(str)
    demo_requested = Signal()
    settings_requested = Signal()
    quit_requested = Signal()
    shown_changed = Signal(object)

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
        self._serving = EndpointState(url=link.endpoint.url if link.endpoint is not None else None)
        self._power: asyncio.Task[None] | None = None
        """Stopping of the proxy."""
        self._unconnected: frozenset[str] = frozenset()
        self._own_needs: dict[str, tuple[tuple[Need, ...], Callable[[], object]]] = {}
        self._is_outdated = False
        self._refreshing = QTimer(self, singleShot=True, interval=0)
        self._refreshing.timeout.connect(self._refresh_outdated)
        self.needs: tuple[Need, ...] = ()
        """What needs the user, worst first."""
        self.changes = UndoStack(library, self)
        self.actions_ = Actions(library, self.changes)
        self.settings_ = ToolSettingsEditor(library, self.changes)
        self.navigator = Navigator(self._exists, self)
        self.work = WorkList(self)
        """All work in progress."""
        self.sidebar = Sidebar()
        self.sidebar.work.follow(self.work)
        files = GuidanceFiles(link.home, link.read_dialects)
        self.pages = Pages(self.actions_, self.changes, library, link, files, self.settings_, self)
        self.frame = Frame(
            self.sidebar,
            shows_inspector=self._state.is_on("inspector", True),
            shows_sidebar=self._state.is_on("sidebar", True),
        )
        self.toast = self.frame.toast
        row_actions = RowActions(library, self.changes, self.actions_)
        self.row_menu = LibraryMenu(self, row_actions, files)
        self.sidebar.view.may_drop = row_actions.may_drop
        self.sidebar.settings_button.setVisible(has_settings)
        self._announcer = ServerStateAnnouncer(self, self.snapshot)
        self.search = Search(self, self.go, self.actions_.use_toolset)
        self.menu = WindowMenu(self, self._window_actions())
        self.menu.settings.setVisible(has_settings)
        self.setWindowTitle("Toolnote")
        self.setObjectName("toolnote")
        self._lay_out()
        self._connect()
        self._restore()

    @property
    def snapshot(self) -> Snapshot:
        """Current snapshot of the library."""
        return self._library.snapshot

    @property
    def place(self) -> RowKey | None:
        """Place that is shown."""
        return self.navigator.current

    def _window_actions(self) -> WindowActions:
        return WindowActions(
            find=self.filter_page,
            add_note=self.add_note,
            try_tool=self.try_tool,
            exact_data=self.show_exact_data,
            make_toolset=self.make_toolset,
            undo=self.undo,
            redo=self.redo,
            add_tools=self.add_tools_requested.emit,
            demo=self.demo_requested.emit,
            connect=lambda: self.connect_requested.emit(""),
            show_costs=lambda: self.go(RowKey(Kind.BUDGET)),
            go_to=self.open_search,
            show_inspector=self.frame.toggle_inspector,
            toggle_sidebar=self.frame.toggle_sidebar,
            back=self.navigator.back,
            forward=self.navigator.forward,
            home=lambda: self.go(HOME),
            focus_toast=self.toast.take_focus,
            next_pane=lambda: self._to_pane(1),
            previous_pane=lambda: self._to_pane(-1),
            use_toolset=self.actions_.use_toolset,
            turn_off=self.turn_off,
            turn_on=self.turn_on,
            pause_notes=lambda paused: self.actions_.pause_notes(paused=paused),
            settings=self.settings_requested.emit,
            quit=self.quit_requested.emit,
        )

    def _lay_out(self) -> None:
        central = QWidget()
        column(central, spacing=0).addWidget(self.frame)
        self.setCentralWidget(central)
        self.setMinimumSize(640, 420)
        room = self.screen().availableGeometry().size()
        self.resize(QSize(1360, 840).boundedTo(room * 0.92))

    def _connect(self) -> None:
        sidebar, bar = self.sidebar, self.frame.top_bar
        sidebar.chosen.connect(self.go)
        sidebar.opened.connect(self._open_row)
        sidebar.search_requested.connect(self.open_search)
        sidebar.menu_requested.connect(self._open_menu)
        sidebar.settings_requested.connect(self.settings_requested)
        sidebar.add_tools_requested.connect(self.add_tools_requested)
        sidebar.new_toolset_requested.connect(self.make_toolset)
        sidebar.connect_requested.connect(lambda: self.connect_requested.emit(""))
        self._connect_rows(sidebar.view, self.row_menu)
        bar.back_pressed.connect(self.navigator.back)
        bar.forward_pressed.connect(self.navigator.forward)
        bar.search_pressed.connect(self.open_search)
        bar.needs_pressed.connect(lambda: self.go(HOME))
        bar.crumb_pressed.connect(self.go)
        self.navigator.opened.connect(self._show_place)
        self.navigator.history_changed.connect(self._show_history)
        self.pages.made.connect(self._connect_page)
        self.pages.place_requested.connect(self.go)
        self._link.secret_failed.connect(self.show_error)
        self.changes.failed.connect(self._show_problem)
        self.changes.save_settled.connect(self._saved)
        self.changes.stack_changed.connect(self._show_undo)
        self.changes.undone.connect(self._show_undone)
        self.changes.done_by_assistant.connect(self._show_assistant_change)
        self._link.changed.connect(self._changed)
        self._link.clients_changed.connect(self._clients_changed)
        self._link.endpoint_changed.connect(self._endpoint_changed)
        self._link.proxy_failed.connect(self._proxy_failed)

    def _connect_page(self, name: str, page: Any) -> None:
        self.frame.add_page(page)
        page.chrome_changed.connect(self.frame.update_chrome)
        page.inspector_requested.connect(self.frame.show_inspector)
        page.said.connect(self._say)
        match name:
            case "home_page":
                self._connect_home(page)
            case "activity_page":
                self._link.clients_changed.connect(page.refresh)
                page.done.connect(self._offer_to_undo)
                page.work = self.work
                page.details_requested.connect(lambda: self.frame.show_inspector(True))
            case "tool_page":
                self._connect_tool_page(page)
            case "server_page":
                self._connect_server_page(page)
            case "toolset_page":
                self._connect_toolset_page(page)
            case "file_page":
                page.canceled.connect(self.leave_place)
                page.panel.work = self.work
            case "bench_page":
                page.work = self.work
            case "add_page":
                page.follow(self.work)
            case "budget_page":
                page.done.connect(self.offer_undo)
            case "assistant_page":
                page.side.calls_requested.connect(lambda: self.pages.activity_page.show_assistant(page.client))
                page.done.connect(self._offer_to_undo)
                page.own_tools_requested.connect(self.settings_requested)
                page.connection_read.connect(self._connection_read)

    def _offer_to_undo(self, text: str, undo: Callable[[], object]) -> None:
        """Show what was done outside the library, with its Undo."""
        self.toast.show_message(text, self.tr("Undo"), undo)

    def _connect_home(self, page: HomePage) -> None:
        page.need_pressed.connect(self._take_step)
        page.connect_requested.connect(lambda: self.connect_requested.emit(""))
        page.add_tools_requested.connect(self.add_tools_requested)
        page.day_requested.connect(self._show_day)
        page.offer_taken.connect(self._take_offer)

    def _take_offer(self, offer: Offer) -> None:
        """Add a note that Home offers, with its Undo."""
        known = self.snapshot.catalogue.tools.get(offer.key)
        name = self.actions_.take_offer(known, offer.note) if known is not None else None
        if name is not None:
            self._say(self.tr("Note “{name}” added").format(name=name), True)
            self.shown_changed.emit(self.place)  # the offers are read anew

    def _connect_tool_page(self, page: ToolPage) -> None:
        page.details.calls_wanted.connect(lambda: self._show_calls_of(page))
        self._link.clients_changed.connect(page.refresh_assistants)
        page.notes.undo_offered.connect(self.offer_undo)

    def _show_calls_of(self, page: ToolPage) -> None:
        if page.view is not None:
            self.pages.activity_page.show_tool(page.view.known.tool.key)

    def _show_calls_of_source(self, server: str) -> None:
        self.pages.activity_page.show_source(server)
        self.go(ACTIVITY)

    def _connect_server_page(self, page: ServerPage) -> None:
        page.work = self.work
        page.side.calls_requested.connect(lambda: self._show_calls_of_source(page.server))
        page.restart_requested.connect(self._link.restart_server)
        page.edit_requested.connect(self.edit_server_requested)
        page.access.connect_link(self._link)
        page.access.secret_requested.connect(self.secret_requested)
        page.duplicate_requested.connect(self.row_menu.duplicate)
        page.undo_offered.connect(self.offer_undo)
        page.removed.connect(self.offer_undo)

    def _connect_toolset_page(self, page: ToolsetPage) -> None:
        page.dropped.connect(self.row_menu.drop_into)
        page.stepped.connect(self.row_menu.step_in)
        page.removed.connect(self.offer_undo)
        page.add_tools_requested.connect(self.add_tools_requested)
        page.undo_offered.connect(self.offer_undo)
        page.connect_requested.connect(lambda: self.connect_requested.emit(""))

    def _connect_rows(self, view: SidebarView, menu: LibraryMenu) -> None:
        view.menu_requested.connect(lambda place: menu.open(view.selected_keys(), place))
        view.toggled.connect(lambda: menu.toggle(view.selected_keys()))
        view.removal_requested.connect(lambda: menu.remove_rows(view.selected_keys()))
        view.dropped.connect(menu.drop)
        menu.place_requested.connect(self._go_to_new)
        menu.undo_offered.connect(self.offer_undo)
        menu.use_requested.connect(self.actions_.use_toolset)
        menu.restart_requested.connect(self._link.restart_server)
        menu.edit_requested.connect(self.edit_server_requested)

    def _restore(self) -> None:
        geometry = self._state.bytes_of("geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self._update_state()
        opened = self._state.opened()
        if opened is not None:
            self.sidebar.view.open_keys(opened)
        chosen = self._state.chosen()
        passing = (Kind.FILE, Kind.FIRST_RUN)
        can_open = chosen is not None and chosen.kind not in passing and self._exists(chosen)
        self.go(chosen if can_open else HOME)
        self._show_history()
        self._show_undo()
        self.sidebar.view.setFocus()

    # --- places

    def go(self, place: RowKey | None) -> None:
        """Show a place; None is Home."""
        place = HOME if place is None else place.row if place.kind is Kind.ALL_TOOLS else place
        self.navigator.open(place)

    def leave_place(self) -> None:
        """Show the place from which the user came, in the place of the current one."""
        before = self.navigator.recent
        self.navigator.open(before[0] if before else HOME, replace=True)

    def _exists(self, place: RowKey) -> bool:
        return exists(self.snapshot, place, [one.id or one.name for one in self._assistants()])

    def _show_place(self, place: RowKey) -> None:
        self.frame.close_drawer()
        self.sidebar.select(place)
        self._show_page()
        self.shown_changed.emit(place)

    def _open_row(self, key: RowKey) -> None:
        """Focus a tool's first note, or the first control of a page (Enter in the sidebar)."""
        if key != self.place:
            self.go(key)
        if self.pages.view is not None:
            notes = self.pages.tool_page.notes
            if notes.cards:
                notes.cards[0].start_writing()
            else:
                notes.add_button.setFocus(Qt.FocusReason.TabFocusReason)
        elif self.pages.page is not None:
            entrance = self.pages.page.entrance() or first_control(self.frame.pages)
            if entrance is not None:
                entrance.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_page(self) -> None:
        page = self.pages.show_place(self.snapshot, self.place)
        if self.place == HOME:
            self._show_home()
        self.frame.show_page(page)
        self.menu.show_tool_actions(self.pages.view is not None)

    def _show_home(self) -> None:
        self.pages.home_page.show_state(self.snapshot, self._assistants(), self.needs)

    def _show_day(self, day: date) -> None:
        self.pages.activity_page.show_day(day)
        self.go(ACTIVITY)

    def _show_history(self) -> None:
        back, forward = self.navigator.can_go_back, self.navigator.can_go_forward
        self.frame.top_bar.show_history(back=back, forward=forward)
        self.menu.back.setEnabled(back)
        self.menu.forward.setEnabled(forward)

    def _changed(self, change: Change) -> None:
        self._update_state()
        place = self.place
        if place is not None and not self._exists(place):
            self.navigator.open(self._fallback_for(place), replace=True)
        else:
            self._show_page()
        self._show_history()
        self._announcer.update(self.snapshot)

    def _fallback_for(self, place: RowKey) -> RowKey:
        """Return the place to show instead of one that is gone."""
        nearest = {
            Kind.ENTRY: RowKey(Kind.TOOLSET, place.owner),
            Kind.CHANGED: RowKey(Kind.TOOL, place.owner, place.name),
            Kind.TOOL: RowKey(Kind.SERVER, place.owner),
            Kind.CHANGED_PROMPT: RowKey(Kind.SERVER, place.owner),
        }.get(place.kind)
        return nearest if nearest is not None and self._exists(nearest) else HOME

    # --- state

    def _stop_starting(self, server: str) -> None:
        self.actions_.switch_server(server, on=False)
        self.offer_undo()

    def _assistants(self) -> Sequence[Assistant]:
        return (*self._link.clients(), *(needs_you.Unconnected(one) for one in sorted(self._unconnected)))

    def show_unconnected(self, clients: frozenset[str]) -> None:
        """Say of these assistants that they are not connected."""
        if clients != self._unconnected:
            self._unconnected = clients
            self._refresh()

    def _connection_read(self, client: str, connected: bool) -> None:
        self.show_unconnected(self._unconnected - {client} if connected else self._unconnected | {client})

    def _update_state(self) -> None:
        """Show the state of everything in the sidebar and top bar."""
        snapshot, assistants = self.snapshot, self._assistants()
        own = tuple(need for needs, _ in self._own_needs.values() for need in needs)
        self.needs = (*own, *needs_you.needs_you(snapshot, assistants, self._serving))
        self.menu.pause_notes.setChecked(snapshot.settings.notes_paused)
        self.sidebar.show_state(snapshot, assistants, len(self.needs), is_running=self._serving.runs_sources)
        self.work.show_sources(snapshot, self._stop_starting, runs=self._serving.runs_sources)
        self.menu.show_power(self._serving)
        self.sidebar.show_own_state(*needs_you.state_of_toolnote(snapshot, self._serving))
        count = len(self.needs)
        self.frame.top_bar.show_needs(
            count, self.tr("1 needs you") if count == 1 else self.tr("%n need you", "", count)
        )

    def _refresh(self) -> None:
        self._update_state()
        if self.place == HOME:
            self._show_home()

    def _refresh_soon(self) -> None:
        """Refresh now, and once for all that comes with it: many calls may begin and end to wait at once."""
        if self._refreshing.isActive():
            self._is_outdated = True
        else:
            self._refreshing.start()
            self._refresh()

    def _refresh_outdated(self) -> None:
        if self._is_outdated:
            self._is_outdated = False
            self._refresh_soon()

    def _clients_changed(self, clients: object) -> None:
        self._refresh_soon()

    def _endpoint_changed(self, endpoint: object) -> None:
        found = self._link.endpoint
        if found is not None:
            self._serving = EndpointState(url=found.url, problem=found.problem)
        self._refresh()

    def turn_off(self) -> None:
        """Stop the tool sources and serve no tools until the user turns Toolnote on, or it starts again."""
        from toolnote_desktop.desktop.async_tasks import spawn  # not before the first paint

        if self._serving.runs_sources:
            self._serving = EndpointState(is_off=True)
            self._refresh()
            self.toast.show_message(self.tr("Toolnote turned off"), self.tr("Turn on"), self.turn_on)
            self._power = spawn(self, self._stop_after(self._power))

    def turn_on(self) -> None:
        """Start the tool sources and serve tools again."""
        from toolnote_desktop.desktop.async_tasks import spawn

        if self._serving.is_off:
            self._serving = EndpointState()
            self._refresh()
            self._power = spawn(self, self._start_again(self._power))

    async def _stop_after(self, starting: asyncio.Task[None] | None) -> None:
        if starting is not None:
            await starting
        await self._link.turn_off()

    async def _start_again(self, stopping: asyncio.Task[None] | None) -> None:
        if stopping is not None:
            await stopping
        self._link.start()

    def _proxy_failed(self, problem: Problem) -> None:
        self._serving = EndpointState(problem=problem)
        self._refresh()

    def _take_step(self, need: Need) -> None:
        for own, pressed in self._own_needs.values():
            if need in own:
                pressed()
                return
        if isinstance(need.target, RowKey):
            self.go(need.target)
        elif need.target is needs_you.NeedAction.RESUME_NOTES:
            self.actions_.pause_notes(paused=False)
        elif isinstance(need.target, needs_you.NeedAction) and need.target in needs_you.LOST_DOCUMENTS:
            self.actions_.drop_lost_rules(needs_you.LOST_DOCUMENTS[need.target])
        elif need.target is needs_you.NeedAction.TURN_ON:
            self.turn_on()

    def show_need(self, name: str, need: Need, pressed: Callable[[], object]) -> None:
        """Show something of the app's own under *Needs you*; ``pressed`` is what its button does."""
        self.show_needs(name, [need], pressed)

    def show_needs(self, name: str, needs: Sequence[Need], pressed: Callable[[], object]) -> None:
        """Show several of a kind, in place of those that were shown under this name."""
        if not needs:
            self.drop_need(name)
            return
        shown, _ = self._own_needs.get(name, ((), pressed))
        self._own_needs[name] = (tuple(needs), pressed)
        if shown != tuple(needs):
            self._refresh_soon()

    def drop_need(self, name: str) -> None:
        """Remove what was shown under a name."""
        if self._own_needs.pop(name, None) is not None:
            self._refresh_soon()

    # --- actions

    def show_safe_mode(self, start_normally: Callable[[], object]) -> None:
        """Show that the app runs in safe mode, with a button to start normally."""
        self._serving = EndpointState(is_safe_mode=True)
        catalogue = self.snapshot.catalogue
        stopped = {
            server: replace(
                listing, status=replace(listing.status, problem=Problem(Code.SAFE_MODE, {"server": server}))
            )
            for server, listing in catalogue.servers.items()
            if listing.status.state is ServerState.STARTING
        }
        self._library.publish_catalogue(replace(catalogue, servers={**catalogue.servers, **stopped}))
        need = Need(
            Mark.ATTENTION,
            self.tr("Toolnote is in safe mode"),
            self.tr("No tool source runs, and assistants get no tools until Toolnote starts normally."),
            self.tr("Start normally"),
        )
        self.show_need("safe-mode", need, start_normally)
        self.go(HOME)

    def add_note(self) -> None:
        """Add a note to the tool that is shown."""
        if self.pages.view is not None:
            self.pages.tool_page.notes.add_note()

    def try_tool(self) -> None:
        """Show the form that runs the tool that is shown."""
        if self.pages.view is not None:
            self.pages.tool_page.try_tool()

    def show_exact_data(self) -> None:
        """Show the exact data of the tool that is shown."""
        if self.pages.view is not None:
            self.pages.tool_page.show_exact_data()

    def make_toolset(self) -> None:
        """Create a toolset and focus its title."""
        name = self.actions_.make_toolset(self.tr("New toolset"))
        if name is not None:
            self._go_to_new(RowKey(Kind.TOOLSET, name))
            field = self.pages.toolset_page.title_field
            field.setFocus(Qt.FocusReason.OtherFocusReason)
            field.selectAll()

    def undo(self) -> None:
        """Submit what is being typed, then undo the last step."""
        self.pages.flush()
        self.changes.undo()

    def redo(self) -> None:
        """Redo the step that was undone last."""
        self.changes.redo()

    def _show_undone(self, step: Step, again: bool) -> None:
        if self.toast.about is step:
            self.toast.dismiss()
        self._update_state()
        if step.place is not None and step.place != self.place and self._exists(step.place):
            self.navigator.open(step.place)
        elif self.place is not None and not self._exists(self.place):
            self.navigator.open(self._fallback_for(self.place), replace=True)
        else:
            self._show_page()

    def _go_to_new(self, key: RowKey) -> None:
        """Show a place that was created just now."""
        self._update_state()
        self.go(key)

    def offer_undo(self, name: str = "") -> None:
        """Show the last step with its Undo."""
        step = self.changes.next_undo
        if step is not None:
            text = step.words[:1].upper() + step.words[1:]
            self.toast.show_message(text, self.tr("Undo"), lambda: self.changes.undo_step(step), about=step)

    def _say(self, text: str, undoable: bool) -> None:
        step = self.changes.next_undo if undoable else None
        if step is not None:
            text = text or step.words[:1].upper() + step.words[1:]
            self.toast.show_message(text, self.tr("Undo"), lambda: self.changes.undo_step(step), about=step)
        else:
            self.toast.show_message(text)

    def _show_assistant_change(self, step: Step) -> None:
        name = messages.author_name(self.snapshot, step.author)
        text = self.tr("{assistant}: {what}").format(assistant=name, what=step.words)
        written = step.written
        keep = (
            (self.tr("Keep"), lambda: self.actions_.keep_note(written.place, written.name, step.place))
            if written is not None
            else None
        )
        undo = partial(self.changes.undo_step, step)
        self.toast.show_message(text, self.tr("Undo"), undo, mark=Mark.IN_USE, about=step, other=keep)

    def _saved(self, submitted: object, problem: Problem | None) -> None:
        if problem is not None:
            self._show_problem(problem)

    def _show_problem(self, problem: Problem) -> None:
        self.toast.show_message(messages.problem_text(problem), mark=Mark.ATTENTION, about=problem)

    def show_error(self, error: Exception) -> None:
        """Show an error as a toast."""
        if isinstance(error, ToolnoteError):
            self._show_problem(error.problem)
        else:
            self.toast.show_message(str(error), mark=Mark.ATTENTION)

    def _show_undo(self) -> None:
        undo, redo = self.changes.next_undo, self.changes.next_redo
        about = self.toast.about
        if isinstance(about, Step) and about.author == USER and about is not undo:
            self.toast.dismiss()  # its Undo would be of a step that is not the last any more
        self.menu.set_undo_texts(undo.action_name if undo else None, redo.action_name if redo else None)

    def _open_menu(self) -> None:
        menu, button = self.menu.fill(self.snapshot), self.sidebar.state_button
        above = button.mapToGlobal(button.rect().topLeft())
        above.setY(above.y() - menu.sizeHint().height() - 2)
        menu.popup(above)

    def open_search(self) -> None:
        """Open the search (Ctrl+K)."""
        entries = [*self._note_entries(), *self._row_entries()]
        self.search.open(
            *(self.snapshot, self.menu.offered(), self.navigator.recent, self._assistants(), entries),
            settings=self._setting_entries() if self.menu.settings.isVisible() else (),
        )

    def _note_entries(self) -> list[Entry]:
        """Return the actions on the note that has the focus."""
        from toolnote_desktop.desktop.models.search_results import Entry

        notes = self.pages.tool_page.notes if self.pages.view is not None else None
        card = notes.focused_card if notes is not None else None
        if notes is None or card is None:
            return []
        keys = card.REMOVE_KEYS.toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ")
        return [Entry(self.tr("Delete this note"), card.draft.name, partial(notes.remove, card), keys, "arrow")]

    def _setting_entries(self) -> list[Entry]:
        from toolnote_desktop.desktop.dialogs.setting_registry import SETTINGS
        from toolnote_desktop.desktop.models.search_results import Entry

        return [
            Entry(title, sentence, partial(self.setting_requested.emit, one.key), icon="settings")
            for one in SETTINGS
            for title, sentence in (one.texts(),)
        ]

    def _row_entries(self) -> list[Entry]:
        """Return the actions on single sources and assistants that the search offers."""
        from toolnote_desktop.desktop.models.search_results import Entry

        remove, disconnect = self.tr("Remove {source}…"), self.tr("Disconnect {assistant}…")
        return [
            *(
                Entry(
                    remove.format(source=messages.source_name(server)),
                    target=partial(self.row_menu.remove_rows, [RowKey(Kind.SERVER, server)]),
                    icon="arrow",
                )
                for server in self.snapshot.servers
            ),
            *(
                Entry(disconnect.format(assistant=one.name), target=RowKey(Kind.ASSISTANT, one.id), icon="arrow")
                for one in needs_you.assistant_states(self.snapshot, self._assistants())
            ),
        ]

    def filter_page(self) -> None:
        """Focus the field that filters the page, or open the search where it has none (Ctrl+F)."""
        field = self.pages.page.filter_field() if self.pages.page is not None else None
        if field is not None:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self.open_search()

    # --- keyboard

    def _to_pane(self, step: int) -> None:
        frame, page = self.frame, self.pages.page
        entrances: dict[QWidget, QWidget] = {frame.sidebar_panel: self.sidebar.view}
        entrance = page.entrance() if page is not None else None
        if entrance is not None:
            entrances[frame.pages] = entrance
        panes = (frame.sidebar_panel, frame.top_bar, frame.pages, frame.feet, frame.inspector_panel)
        pane_to_pane(panes, self.focusWidget(), step, entrances)

    # --- closing

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.pages.flush()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.pages.close_pages()
        self._announcer.stop()
        self.toast.dismiss()
        self.changes.close()
        self._state.save(
            states={"geometry": self.saveGeometry()},
            chosen=self.place,
            opened=self.sidebar.view.open_rows(),
            inspector=self.frame.shows_inspector,
            sidebar=self.frame.shows_sidebar,
        )
