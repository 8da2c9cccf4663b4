"""Page of one tool: its name and switch, the user's notes, and its own description."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QMenu, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.tool_settings import ToolSettingsEditor
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.argument_rows import ArgumentRow, Shape
from toolnote_desktop.desktop.models.library_rows import ACTIVITY, Kind, Mark, RowKey
from toolnote_desktop.desktop.models.note_offers import read_effects, read_offers
from toolnote_desktop.desktop.models.source_state import source_state
from toolnote_desktop.desktop.models.tool_document import (
    ServedTools,
    ToolDocument,
    Viewer,
    first_viewer,
    tool_document,
    viewer_toolset,
    viewers,
)
from toolnote_desktop.desktop.models.tool_view import ToolView, view_in, what_changed
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.tool_page.document import DocumentText, DocumentView
from toolnote_desktop.desktop.tool_page.exact_data import TAB_HEIGHT, ExactData
from toolnote_desktop.desktop.tool_page.inspector import ToolInspector
from toolnote_desktop.desktop.tool_page.notes_list import NotesList
from toolnote_desktop.desktop.tool_page.offers import ToolOffers
from toolnote_desktop.desktop.tool_page.parameters import ParametersTable
from toolnote_desktop.desktop.widgets.auto_save_fields import save_fields
from toolnote_desktop.desktop.widgets.banner import Notice
from toolnote_desktop.desktop.widgets.basics import Button, column, label, without_mnemonics
from toolnote_desktop.desktop.widgets.controls import Choice, Menu, MenuButton, Switch, Tabs
from toolnote_desktop.desktop.widgets.page import Crumb, Inspector, Page, Width
from toolnote_desktop.guidance.served_tools import served_problems
from toolnote_desktop.model.hidden_characters import count_hidden
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.tools.hints import ALWAYS_LOAD
from toolnote_desktop.model.toolsets.tool_settings import is_asking_suggested
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.store.activity_queries import CallFilter, recent_calls

if TYPE_CHECKING:
    from toolnote_desktop.desktop.async_tasks import LatestTask
    from toolnote_desktop.desktop.tool_page.try_inspector import TryInspector
    from toolnote_desktop.guidance.scanner import Finding
    from toolnote_desktop.model.tools.catalogue import KnownTool
    from toolnote_desktop.model.tools.tool import Tool

_LAST_CALLS: Final = 3
_MOST_FINDINGS: Final = 3
_SHOWN_ELSEWHERE: Final = frozenset(
    {Code.HINTS_CONTRADICT, Code.HINTS_LOOK_WRONG, Code.DIALECT_NOTES_FIRST, Code.DIALECT_DESCRIPTION_CUT}
)
"""Problems of a served tool that the inspector or the document shows."""
_REFRESH_MS: Final = 10_000
_EARLY_MS: Final = 100
"""Milliseconds between two readings of the last calls while the page is visible."""


class ToolPage(Page):
    """Page that shows a :class:`ToolView`."""

    takes_details = True
    has_menu = True

    def __init__(
        self, actions: Actions, changes: UndoStack, files: GuidanceFiles, settings: ToolSettingsEditor, link: ProxyLink
    ) -> None:
        super().__init__(self.tr("Tool and your notes on it"))
        self._link = link
        self.trial: TryInspector | None = None
        """Form that is shown in the place of the details."""
        self._details_were_shown = True
        self._actions = actions
        self._files = files
        self._settings = settings
        self._snapshot: Snapshot | None = None
        self._view: ToolView | None = None
        self._viewer: Viewer | None = None
        self._served = ServedTools()
        self._hosted = False
        self._reading: LatestTask | None = None
        self._scanned: tuple[Tool, Mapping[ToolKey, KnownTool], tuple[Finding, ...]] | None = None
        self._timer = QTimer(self, interval=_REFRESH_MS)
        self._timer.timeout.connect(self.refresh_calls)
        self.document: ToolDocument | None = None
        self.second.setProperty("kind", "name")
        self.switch = Switch(self.tr("On"), self.tr("Off"), self.tr("On in this toolset"))
        self.switch.toggled.connect(self._switch)
        ask = self.tr("Ask me first")
        self.ask_switch = Switch(ask, ask, ask)
        self.ask_switch.toggled.connect(self._ask_first)
        self.try_button = Button(self.tr("Try it…"), "plain", pressed=self.try_tool)
        for control in (self.switch, self.ask_switch, self.try_button):
            self.controls.addWidget(control)
        self.toolsets_menu = Menu(self, self.tr("Toolsets"))
        self.tabs = Tabs(self.tr("Views of the tool"), (self.tr("Text"), self.tr("Exact data"), self.tr("Details")))
        self.tabs.currentChanged.connect(self._show_tab)
        self.viewer_button = MenuButton(self.tr("Viewing as"))
        self.viewer_button.chosen.connect(self._choose_viewer)
        self._bar = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._bar.setSpacing(8)
        self._bar.addWidget(self.tabs)
        self._bar.addStretch(1)
        self._bar.addWidget(label(self.tr("Viewing as"), "second"))
        self._bar.addWidget(self.viewer_button)
        self.body.addSpacing(12)
        self.body.addLayout(self._bar)
        self.body.addWidget(_Rule())
        self.notes = NotesList(actions, changes, files)
        self.absent = QFrame()
        self.absent.setProperty("kind", "box")
        inside = column(self.absent, (16, 12, 16, 12), 8)
        self.absent_text = label("", wraps=True)
        self.add_button = Button("", "plain", pressed=self._add_to_toolset)
        inside.addWidget(self.absent_text)
        inside.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.on_demand = QFrame()
        self.on_demand.setProperty("kind", "box")
        inside = column(self.on_demand, (16, 10, 16, 10), 4)
        self.on_demand_text = label("", wraps=True)
        self.load_button = Button(self.tr("Load at once"), "link", pressed=lambda: self._load_at_once(on=True))
        self.leave_button = Button(self.tr("Leave it"), "link", pressed=lambda: self._load_at_once(on=False))
        links = QHBoxLayout()
        links.setSpacing(16)
        links.addWidget(self.load_button)
        links.addWidget(self.leave_button)
        links.addStretch(1)
        inside.addWidget(self.on_demand_text)
        inside.addLayout(links)
        self.text = DocumentView(self.notes)
        self.text.when.saved.connect(partial(self._set_text, "whenToUse"))
        self.text.instructions.saved.connect(partial(self._set_text, "instructions"))
        self.text.own.muted.connect(self._mute)
        self.notes.when_requested.connect(self.text.when.start_writing)
        self.parameters = ParametersTable()
        self.parameters.shaped.connect(self._shape)
        self.parameters.noted.connect(self._note_parameter)
        self.parameters.limited.connect(self._limit_parameter)
        self._text_tab = QWidget()
        text_tab = column(self._text_tab, spacing=0)
        self.offers = ToolOffers(actions)
        self.offers.added.connect(self._note_added)
        for widget in (self.absent, self.offers, self.on_demand, self.text, self.parameters):
            text_tab.addWidget(widget)
        self.exact = ExactData()
        self.details = ToolInspector(settings)
        self.details.given.connect(self._give)
        self.details.answered.connect(self._answer)
        self.details.hints_set.connect(self._set_hints)
        self.details.category_wanted.connect(self._name_category)
        self.details.calls_wanted.connect(lambda: self.place_requested.emit(ACTIVITY))
        self.details.category_set.connect(partial(self._set_text, "category"))
        self.details.review_wanted.connect(self._review)
        self._details_tab = QWidget()
        self._details_column = column(self._details_tab, spacing=0)
        self._details_tab.setMinimumHeight(round(TAB_HEIGHT * text_scale()))
        self._details_column.addWidget(self.details)
        for tab in (self._text_tab, self.exact, self._details_tab):
            self.body.addWidget(tab)
        self.body.addStretch(1)
        self._show_tab(0)

    @property
    def description(self) -> DocumentText:
        """The server's own words, as far as the assistant reads them."""
        return self.text.own.read

    @property
    def view(self) -> ToolView | None:
        """Shown view."""
        return self._view

    def show_view(self, snapshot: Snapshot, view: ToolView) -> None:
        """Show a tool, or update it, as the chosen assistant is served it."""
        is_other = self._view is None or self._view.key != view.key
        if is_other:
            self._close_trial()
            save_fields(self.details)
            self.text.flush()
            self.parameters.flush()
        toolset = view.toolset.name if view.toolset is not None else None
        if is_other or self._viewer not in viewers(snapshot, toolset):
            self._viewer = first_viewer(snapshot, toolset)
        assert self._viewer is not None
        shown = viewer_toolset(snapshot, self._viewer)
        if shown is not view.toolset:
            view = view_in(snapshot, view, shown)
        self._snapshot, self._view = snapshot, view
        tool = view.known.tool
        self.title.setText(tool.title)
        self._fill_toolsets(snapshot, view)
        self.try_button.setEnabled(view.available)
        self._show_switches(view)
        self._show_viewers(snapshot, toolset)
        self.notes.show_view(snapshot, view)
        self._show_document(snapshot, view)
        self.show_notices(self._notices_on(snapshot, view))
        self.chrome_changed.emit()
        if is_other:
            self.verticalScrollBar().setValue(0)
            self.refresh_calls()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh_calls()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _show_document(self, snapshot: Snapshot, view: ToolView) -> None:
        viewer = self._viewer
        assert viewer is not None
        tool = view.known.tool
        document = self.document = tool_document(
            snapshot, viewer, tool.key, self._dialect(snapshot, viewer), self._served
        )
        reader = self._reader(snapshot, viewer)
        name = document.served.name if document.served is not None else view.exposed_name
        self.second.setText(name)
        self._show_absent(document, reader)
        self._show_on_demand(view, document, reader)
        self.text.show_document(document, tool.server, reader)
        self.parameters.show_document(document, view.effective)
        self.exact.show_document(document, reader)
        self.details.show_tool(snapshot, view, document, self._link.clients())

    def _show_absent(self, document: ToolDocument, reader: str) -> None:
        toolset = document.toolset
        self.absent.setVisible(document.served is None)
        view = self._view
        if document.served is not None or view is None:
            return
        text = self.tr("{assistant} doesn’t get this tool.").format(assistant=reader)
        if toolset is None:
            why = self.tr("No toolset is chosen for it.")
        elif view.entry is None:
            why = self.tr("{toolset} doesn’t include it.").format(toolset=toolset.title)
            self.add_button.set_text(self.tr("Add it to {toolset}").format(toolset=toolset.title))
        else:
            why = self.tr("It is off, or its tool source doesn’t offer it now.")
        self.add_button.setVisible(toolset is not None and view.entry is None)
        self.absent_text.setText(f"{text} {why}")

    def _show_on_demand(self, view: ToolView, document: ToolDocument, reader: str) -> None:
        """Offer to load a tool with notes at once, where the reader would have to find it before it reads them."""
        is_needed = document.dialect.loads_on_demand and bool(document.dialect.meta_switches)
        has_notes = any(one.note.enabled for one in view.notes)
        is_offered = document.served is not None and has_notes and ALWAYS_LOAD not in view.effective.hints
        self.on_demand.setVisible(is_needed and is_offered)
        text = self.tr("{assistant} loads tools on demand: it reads your notes only once it has found this tool.")
        self.on_demand_text.setText(text.format(assistant=reader))

    def _load_at_once(self, *, on: bool) -> None:
        if self._view is not None:
            self._settings.set_hints(self._view, {ALWAYS_LOAD: on})

    def _dialect(self, snapshot: Snapshot, viewer: Viewer) -> Dialect:
        client = snapshot.clients.get(viewer.client or "")
        if client is None or viewer.client is None:
            return self._files.plain
        return self._files.dialect_of(viewer.client, client)

    def _reader(self, snapshot: Snapshot, viewer: Viewer) -> str:
        return self.tr("Any assistant") if viewer.client is None else messages.author_name(snapshot, viewer.client)

    def _show_viewers(self, snapshot: Snapshot, toolset: str | None) -> None:
        choices = []
        for viewer in viewers(snapshot, toolset):
            shown = viewer_toolset(snapshot, viewer)
            title = shown.title if shown is not None else self.tr("no toolset")
            choices.append(Choice(f"{self._reader(snapshot, viewer)} · {title}", viewer))
        self.viewer_button.set_choices(choices, self._viewer)

    def _choose_viewer(self, viewer: Viewer) -> None:
        if self._snapshot is not None and self._view is not None:
            self.notes.leave()
            self.text.flush()
            self._viewer = viewer
            self.show_view(self._snapshot, view_in(self._snapshot, self._view, self._home_toolset()))

    def _home_toolset(self) -> Toolset | None:
        """Return the toolset of the place that is shown: that of the entry, else the shared one."""
        assert self._snapshot is not None
        assert self._view is not None
        key = self._view.key
        return self._snapshot.toolsets.get(key.owner) if key.kind is Kind.ENTRY else self._snapshot.shared_toolset

    def _show_switches(self, view: ToolView) -> None:
        self.switch.setVisible(view.entry is not None)
        if view.entry is not None and view.toolset is not None:
            self.switch.show_state(view.effective.enabled)
            name = self.tr("{tool} is on in {toolset}").format(tool=view.known.tool.title, toolset=view.toolset.title)
            self.switch.setAccessibleName(name)
            self.switch.setToolTip(self.tr("Assistants with this toolset get the tool"))
        self.ask_switch.show_state(view.effective.approval == "ask")
        own = view.entry.approval if view.entry is not None else None
        exception = self.tr("Set in {toolset} only").format(toolset=view.toolset.title) if view.toolset else ""
        self.ask_switch.setToolTip(exception if own is not None else self.tr("In every toolset"))

    def _show_tab(self, tab: int) -> None:
        for place, widget in enumerate((self._text_tab, self.exact, self._details_tab)):
            widget.setVisible(place == tab)

    # --- what the frame shows

    def crumbs(self) -> Sequence[Crumb]:
        """Return the tool's source, or the toolset that it is shown in."""
        view = self._view
        if view is None:
            return ()
        if view.key.kind is Kind.ENTRY and view.toolset is not None:
            return (Crumb(view.toolset.title, RowKey(Kind.TOOLSET, view.key.owner)),)
        server = view.known.tool.server
        return (Crumb(messages.source_name(server), RowKey(Kind.SERVER, server)),)

    def inspector(self) -> QWidget | None:
        """Return the details; the frame shows them beside the page from then on."""
        self._hosted = True
        self._arrange_details()
        return self._beside

    def fill_menu(self, menu: QMenu) -> None:
        """Add the choice of toolsets and the templates."""
        menu.addMenu(self.toolsets_menu)
        menu.addAction(self.tr("Add a note from a template…"), self.notes.open_templates)

    def set_width_class(self, width: Width) -> None:
        """Stack the tables, and show the details as a tab, in a narrow window."""
        super().set_width_class(width)
        is_narrow = width < Width.NARROW
        self._bar.setDirection(QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight)
        self.parameters.arrange(stacked=is_narrow)
        self._arrange_details()

    @property
    def _beside(self) -> Inspector:
        return self.trial or self.details

    def _arrange_details(self) -> None:
        here = not self._hosted or self.width_class < Width.MEDIUM
        self.tabs.setTabVisible(2, here)
        if here and self._beside.parentWidget() is not self._details_tab:
            self._details_column.addWidget(self._beside)
        self._beside.set_inline(here)
        if here:
            self.details.setVisible(self._beside is self.details)
            self._beside.show()
        if not here and self.tabs.currentIndex() == 2:
            self.tabs.setCurrentIndex(0)

    def leave(self) -> None:
        self.notes.leave()
        self.text.flush()
        self.parameters.flush()
        self._close_trial()

    def flush(self) -> None:
        self.notes.flush()
        self.text.flush()
        self.parameters.flush()

    def stop(self) -> None:
        self.details.counter.stop()
        self._close_trial()

    # --- changes

    def _ask_first(self, on: bool) -> None:
        if self._view is not None:
            self._settings.ask_first(self._view, on=on)

    def _set_text(self, key: str, text: str) -> None:
        if self._view is not None:
            self._settings.set_text(self._view, key, text)

    def _set_hints(self, hints: Mapping[str, object]) -> None:
        if self._view is not None and hints:
            self._settings.set_hints(self._view, hints)

    def _answer(self, question: str, answer: bool | None) -> None:
        if self._view is not None:
            self._settings.set_answer(self._view, question, answer)

    def _name_category(self) -> None:
        from toolnote_desktop.desktop.widgets.line_prompt import LinePrompt  # not before the first paint

        lead = self.tr("What the guide lists this tool under.")
        name, verb = self.tr("Category"), self.tr("Set category")
        dialog = LinePrompt(self.tr("New category"), lead, name, verb, parent=self.window())
        dialog.answered.connect(partial(self._set_text, "category"))
        dialog.open()

    def refresh_calls(self) -> None:
        """Read the last calls of the tool that is shown."""
        view = self._view
        if "qasync" not in sys.modules:  # nothing can be read before the first paint
            QTimer.singleShot(_EARLY_MS, self, self.refresh_calls)
        elif view is not None and self.isVisible():
            from toolnote_desktop.desktop.async_tasks import LatestTask  # not before the first paint

            self._reading = self._reading or LatestTask(self)
            self._reading.start(self._show_calls(view.known.tool.key))

    async def _show_calls(self, tool: ToolKey) -> None:
        from toolnote_desktop.desktop.async_tasks import in_thread

        if self._snapshot is None:
            return
        home = self._link.home
        calls = await in_thread(recent_calls, home, _LAST_CALLS, CallFilter(tool=tool))
        effects = await in_thread(read_effects, home, self._snapshot, tool)
        offers = await in_thread(read_offers, home, self._snapshot, tool)
        if self._snapshot is not None and self._view is not None and self._view.known.tool.key == tool:
            self.details.show_calls(self._snapshot, calls)
            self.notes.show_effects(effects)
            toolset = self._view.toolset.name if self._view.toolset is not None else None
            self.offers.show_offers(self._snapshot, tool, toolset, offers, self._link.worked_example(tool))

    def _note_added(self, name: str) -> None:
        self.said.emit(self.tr("Note “{name}” added").format(name=name), True)
        self.refresh_calls()

    def refresh_assistants(self) -> None:
        """Show the current state of the assistants, and the last calls."""
        if self._snapshot is not None and self._view is not None and self.document is not None:
            self.details.show_tool(self._snapshot, self._view, self.document, self._link.clients())
        self.refresh_calls()

    def _shape(self, row: ArgumentRow, shape: Shape, value: object) -> None:
        if self._view is not None:
            hidden = shape in (Shape.FIXED, Shape.HIDDEN)
            self._settings.shape_argument(self._view, row.name, hidden=hidden, value=value)

    def _mute(self, paragraph: str, on: bool) -> None:
        if self._view is not None:
            self._settings.mute(self._view, paragraph, on=on)

    def _note_parameter(self, row: ArgumentRow, text: str) -> None:
        if self._view is not None:
            self._settings.note_parameter(self._view, row.name, text)

    def _limit_parameter(self, row: ArgumentRow, rule: object) -> None:
        if self._view is not None:
            self._settings.limit_argument(self._view, row.name, rule)

    def _give(self, client: str, gets: bool) -> None:
        """Put the tool into the toolset of an assistant, or out of it, and say who is affected."""
        snapshot = self._snapshot
        toolset = snapshot.toolset_of(client) if snapshot is not None else None
        if snapshot is None or toolset is None:
            return
        self._put_in(toolset.name, inside=gets)
        names = [
            messages.author_name(snapshot, one)
            for one in snapshot.clients
            if (other := snapshot.toolset_of(one)) is not None and other.name == toolset.name
        ]
        text = (
            self.tr("Added to {toolset}: for {assistants}")
            if gets
            else self.tr("Removed from {toolset}: for {assistants}")
        )
        self.said.emit(text.format(toolset=toolset.title, assistants=messages.joined(names)), True)

    def _ask_before(self) -> None:
        self._ask_first(True)

    def _ask_never(self) -> None:
        self._ask_first(False)

    def _notices_on(self, snapshot: Snapshot, view: ToolView) -> list[Notice]:
        tool = view.known.tool
        found: list[Notice] = []
        if view.known.changed and view.known.listed:
            found.append(Notice(Mark.ATTENTION, self._change_words(view), self.tr("Review…"), self._review))
        if is_asking_suggested(view.known, view.effective):
            text = self.tr("This tool can delete data, and you aren’t asked before it runs.")
            found.append(Notice(Mark.ATTENTION, text, self.tr("Ask me first"), self._ask_before, self._ask_never))
        hidden = count_hidden(f"{tool.title}{tool.description}")
        if hidden:
            text = self.tr("This tool has {count} invisible characters that assistants read. See Exact data.")
            found.append(Notice(Mark.WRONG, text.format(count=messages.number(hidden))))
        found += [
            Notice(Mark.WRONG, messages.finding_text(one.kind, one.field, one.excerpt))
            for one in self._findings(snapshot, view)[:_MOST_FINDINGS]
            if one.kind != "hidden-characters" or not hidden
        ]
        if not view.known.listed:
            text = self.tr("{source} no longer offers this tool. Your notes are kept and come back with it.")
            found.append(Notice(Mark.ATTENTION, text.format(source=messages.source_name(tool.server))))
        if view.toolset is None:
            text = self.tr("There is no default toolset, so assistants don’t get this tool.")
            found.append(Notice(Mark.ATTENTION, text, *self._way_to_a_toolset(snapshot)))
        if self.document is not None and self.document.served is not None:
            found += [
                Notice(Mark.ATTENTION, messages.problem_text(one))
                for one in served_problems(self.document.served, self.document.dialect)
                if one.code not in _SHOWN_ELSEWHERE
            ]
        found += self._on_server(snapshot, tool.server)
        problems = self.document.problems if self.document is not None else ()
        found += [Notice(Mark.ATTENTION, messages.problem_text(one)) for one in problems]
        return found

    def _findings(self, snapshot: Snapshot, view: ToolView) -> tuple[Finding, ...]:
        """Return what the scanner finds in the tool, and in notes of assistants that the user has not kept.

        The tool is scanned again when its definition or the catalogue changes.
        """
        from toolnote_desktop.guidance.scanner import scan_note, scan_tool  # not before the first paint

        known, notes = view.known, [one.note for one in view.notes if not one.note.confirmed]
        tools = snapshot.catalogue.tools
        if self._scanned is None or self._scanned[0] is not known.newest or self._scanned[1] is not tools:
            self._scanned = (known.newest, tools, scan_tool(snapshot, known))
        of = known.newest.definition
        in_notes = [scan_note(note.note, note.author, "", note.name, of) for note in notes]
        return (*self._scanned[2], *chain.from_iterable(in_notes))

    def _on_server(self, snapshot: Snapshot, server: str) -> list[Notice]:
        listing = snapshot.catalogue.servers.get(server)
        if listing is None:
            return []
        state = listing.status.state
        show = self.tr("Show {source}").format(source=messages.source_name(server))
        key = RowKey(Kind.SERVER, server)
        if state is ServerState.DISABLED:
            text = self.tr("{source} is off, so assistants don’t get its tools.").format(
                source=messages.source_name(server)
            )
            return [Notice(Mark.OFF, text, self.tr("Turn on"), lambda: self._actions.switch_server(server, on=True))]
        if state in (ServerState.READY, ServerState.STARTING, ServerState.DOWNLOADING, ServerState.RECONNECTING):
            return []
        now = source_state(snapshot, server)
        return [Notice(now.mark, now.sentence, show, lambda: self.place_requested.emit(key))]

    def _way_to_a_toolset(self, snapshot: Snapshot) -> tuple[str, Callable[[], object] | None]:
        first = next(iter(snapshot.toolsets.values()), None)
        if first is None:
            return self.tr("Create a toolset with this tool"), self._make_toolset
        name = first.name
        return self.tr("Use {toolset} by default").format(toolset=first.title), lambda: self._actions.use_toolset(name)

    def _change_words(self, view: ToolView) -> str:
        words = {
            "description": self.tr("its description"),
            "inputSchema": self.tr("its parameters"),
            "outputSchema": self.tr("its results"),
            "annotations": self.tr("its behavior"),
            "title": self.tr("its title"),
        }
        keys = what_changed(view.known)
        changed = list(dict.fromkeys(words.get(key, self.tr("other details")) for key in keys))
        text = self.tr("{source} changed this tool: {what}. Check that your notes still fit.")
        return text.format(source=messages.source_name(view.known.tool.server), what=messages.joined(changed))

    def _fill_toolsets(self, snapshot: Snapshot, view: ToolView) -> None:
        """Fill the menu with checkable toolsets. It may be open while others change them."""
        menu = self.toolsets_menu
        menu.clear()
        inside = {toolset.name for toolset in view.toolsets}
        for name, toolset in snapshot.toolsets.items():
            action = menu.addAction(without_mnemonics(toolset.title))
            action.setCheckable(True)
            action.setChecked(name in inside)
            action.triggered.connect(lambda checked, name=name: self._put_in(name, inside=checked))
        menu.addSeparator()
        menu.addAction(self.tr("New toolset with this tool"), self._make_toolset_with_it)

    def _put_in(self, toolset: str, *, inside: bool) -> None:
        view = self._view
        if view is None:
            return
        if inside:
            self._actions.add_tools(toolset, [view.known])
            return
        entry = view.entries.get(toolset)
        if entry is not None:
            self._actions.remove_tools(toolset, [entry], view.key)

    def _make_toolset_with_it(self) -> None:
        if self._view is not None:
            name = self._actions.make_toolset(self.tr("New toolset"), [self._view.known])
            if name is not None:
                self.place_requested.emit(RowKey(Kind.TOOLSET, name))

    def _switch(self, on: bool) -> None:
        view = self._view
        if view is not None and view.toolset is not None and view.entry is not None:
            self._settings.switch(view, on=on)

    def try_tool(self) -> None:
        """Show the form of the tool in the place of the details (Ctrl+T)."""
        if self._view is None or not self._view.available:
            return
        if self.trial is None:
            from toolnote_desktop.desktop.tool_page.try_inspector import TryInspector  # not before the first paint

            self._details_were_shown = self.details.isVisible()
            self.trial = TryInspector(self._view, self._link)
            self.trial.closed.connect(self._close_trial)
            self._arrange_details()
            self.chrome_changed.emit()
        self.inspector_requested.emit(True)
        if self.tabs.isTabVisible(2):
            self.tabs.setCurrentIndex(2)
        self.trial.start_writing()

    def show_exact_data(self) -> None:
        """Show the exact data, or the text again (Ctrl+E)."""
        self.tabs.setCurrentIndex(0 if self.tabs.currentIndex() == 1 else 1)

    def _close_trial(self) -> None:
        """Stop a running call and show the details again."""
        trial, self.trial = self.trial, None
        if trial is None:
            return
        had_focus = trial.isAncestorOf(self.focusWidget() or self)
        trial.stop()
        self._arrange_details()
        if not self._details_were_shown:
            self.inspector_requested.emit(False)
        self.chrome_changed.emit()
        trial.deleteLater()
        if had_focus:
            self.try_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _review(self) -> None:
        if self._view is not None:
            self.place_requested.emit(RowKey(Kind.CHANGED, *self._view.known.tool.key))

    def _add_to_toolset(self) -> None:
        view = self._view
        if view is not None and view.toolset is not None:
            self._actions.add_tools(view.toolset.name, [view.known])

    def _make_toolset(self) -> None:
        if self._view is not None:
            name = self._actions.make_toolset(self.tr("My tools"), [self._view.known])
            if name is not None:
                self._actions.use_toolset(name)


class _Rule(QWidget):
    """Hairline below the tabs."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(colours(self.palette()).line))
