"""Page of one toolset: its tools, what assistants are told about it, and its guide."""

from __future__ import annotations

import time
from enum import IntEnum
from functools import partial

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.tool_settings import ToolSettingsEditor
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey, entry_key
from toolnote_desktop.desktop.models.needs_you import count_notes_in
from toolnote_desktop.desktop.models.tool_view import ToolView, tool_view
from toolnote_desktop.desktop.models.toolset_tools import ToolRole, ToolsetTools
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.desktop.toolset_page.guide_view import GuideView
from toolnote_desktop.desktop.toolset_page.guidelines_form import GuidelinesForm
from toolnote_desktop.desktop.toolset_page.selection_bar import SelectionBar
from toolnote_desktop.desktop.toolset_page.tool_list import ToolList, ToolListHead
from toolnote_desktop.desktop.toolset_page.users import ToolsetUsers
from toolnote_desktop.desktop.widgets.banner import Notice
from toolnote_desktop.desktop.widgets.basics import Button, align_to_language, column, hairline, label
from toolnote_desktop.desktop.widgets.controls import IconButton, SearchField, Tabs
from toolnote_desktop.desktop.widgets.page import Page, Width
from toolnote_desktop.desktop.widgets.token_meter import ToolsetTokens
from toolnote_desktop.guidance.discovery import is_searched
from toolnote_desktop.guidance.limits import count_problems
from toolnote_desktop.guidance.relevance import SUGGESTION_DAYS, suggested_places
from toolnote_desktop.guidance.served_tools import is_available, resolve_toolset
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import BUILT_IN, enabled_built_in
from toolnote_desktop.model.tools.tool_records import Requirement
from toolnote_desktop.model.toolsets.tool_settings import is_asking_suggested
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.packs.fit import notes_to_mend

LONGEST_TITLE = 120
FILTER_WIDTH = 240
MOST_TO_MEND = 3
"""Tools whose notes no longer fit that are named."""


class PageTab(IntEnum):
    """Tabs of the page."""

    TOOLS = 0
    INSTRUCTIONS = 1
    GUIDE = 2


class TitleField(QLineEdit):
    """Title that is edited in place, as wide as its text; Escape brings back the text shown before."""

    def __init__(self) -> None:
        super().__init__()
        align_to_language(self)
        self.setProperty("kind", "title")
        self.setMaxLength(LONGEST_TITLE)
        self.setTextMargins(-3, 0, 0, 0)  # its words begin where a label's would
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._shown = ""
        self.textChanged.connect(lambda _text: self.updateGeometry())

    def show_title(self, text: str) -> None:
        """Show the stored title, unless the user is changing it."""
        if text != self.text() and (not self.hasFocus() or self.text() == self._shown):
            self.setText(text)
            self.setCursorPosition(0)
        self._shown = text

    def sizeHint(self) -> QSize:
        width = QFontMetrics(style_font("title")).horizontalAdvance(self.text() or "…")
        return QSize(width + 8, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, super().minimumSizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.setText(self._shown)
            self.clearFocus()
        else:
            super().keyPressEvent(event)


class ToolsetPage(Page):
    """Page of one toolset.

    Signals:
        removed: its name, after it was deleted.
        add_tools_requested: the user wants to add a tool source.
        connect_requested: the user wants to connect an assistant.
        export_requested: its name.
        undo_offered: the last step is one that the user may want to undo.
        dropped: its name, the ``RowKey``s dropped on its list, and the position before which they go.
        stepped: its name, the ``RowKey``s to move, and -1 or 1.
    """

    undo_offered = Signal()
    dropped = Signal(str, object, int)
    stepped = Signal(str, object, int)
    removed = Signal(str)
    add_tools_requested = Signal()
    connect_requested = Signal()
    export_requested = Signal(str)
    has_menu = True

    def __init__(self, actions: Actions, files: GuidanceFiles, settings: ToolSettingsEditor) -> None:
        super().__init__(self.tr("Toolset"))
        self._actions = actions
        self._files = files
        self._settings = settings
        self._snapshot: Snapshot | None = None
        self._toolset: Toolset | None = None
        self._tokens = 0
        self._undecided: list[RowKey] = []
        """Tools for which *Ask me first* is suggested."""
        self._counter = ToolsetTokens(self)
        self._counter.counted.connect(self._show_tokens)
        self._lay_out_head()
        self._lay_out_tabs()
        self.told = GuidelinesForm(files, settings)
        self.guide = GuideView(files)
        self._tools_part = QWidget()
        self._lay_out_tools()
        self.bar = SelectionBar(self)
        self.bar.turned.connect(self._turn)
        self.bar.asked.connect(self._ask_first)
        self.bar.needed.connect(self._need)
        self.bar.suggested.connect(self._suggest)
        self.bar.moved.connect(self._move)
        self.bar.removed.connect(lambda: self._take_out(self.list.ticked_rows()))
        self.bar.closed.connect(self.list.clearSelection)
        self.told.hide()
        self.guide.hide()
        self.add_table(self._tools_part)
        for part in (self.told, self.guide):
            self.body.addWidget(part)
        self.body.addStretch(1)
        rename = QShortcut(QKeySequence("F2"), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        rename.activated.connect(self.rename)

    # --- layout

    def _lay_out_head(self) -> None:
        self.title.hide()
        self.title_field = TitleField()
        self.title_field.setAccessibleName(self.tr("Title of the toolset"))
        self.title_field.editingFinished.connect(self._rename)
        self.rename_button = IconButton("pencil", self.tr("Rename"), pressed=self.rename)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.title_field)
        row.addWidget(self.rename_button)
        row.addStretch(1)
        self.titles.insertLayout(0, row)
        self.add_button = Button(
            self.tr("+  Add tools…"), "primary", name=self.tr("Add tools…"), pressed=self.open_picker
        )
        self.controls.addWidget(self.add_button)
        self.users = ToolsetUsers()
        self.users.place_requested.connect(self.place_requested)
        self.users.assigned.connect(self._give)
        self.users.connect_requested.connect(self.connect_requested)
        self.body.addSpacing(10)
        self.body.addWidget(self.users)
        self.body.addSpacing(6)

    def _lay_out_tabs(self) -> None:
        self.tabs = Tabs(self.tr("Views of the toolset"), (self.tr("Tools"), self.tr("Instructions"), self.tr("Guide")))
        self.tabs.currentChanged.connect(self._show_part)
        self.filter = SearchField(self.tr("Filter tools"))
        self._bar = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._bar.setSpacing(8)
        self._bar.addWidget(self.tabs)
        self._bar.addStretch(1)
        self._bar.addWidget(self.filter)
        self.body.addLayout(self._bar)
        self.body.addWidget(hairline())

    def _lay_out_tools(self) -> None:
        self.model = ToolsetTools(self)
        self.list = ToolList(self.model)
        self.list.setAccessibleName(self.tr("Tools of this toolset"))
        self.list.opened.connect(self._show_tool)
        self.list.switched.connect(self._switch)
        self.list.removed.connect(self._take_out)
        self.list.stepped.connect(self._step)
        self.list.dropped.connect(self._drop)
        self.list.ticks_changed.connect(self._show_ticks)
        self.list.row_reached.connect(lambda row: self.show_row(self.list, row))
        self.filter.textChanged.connect(self._filter)
        self.head = ToolListHead(self.list)
        self.nothing = label("", "second", wraps=True)
        self.empty = QWidget()
        inside = column(self.empty, (8, 24, 8, 0), 12)
        inside.addWidget(self.nothing)
        self.empty_button = Button("", "primary", pressed=self._fill_empty)
        inside.addWidget(self.empty_button, 0, Qt.AlignmentFlag.AlignLeading)
        tools = column(self._tools_part, spacing=0)
        tools.addWidget(self.head)
        tools.addWidget(self.list)
        tools.addWidget(self.empty)

    # --- what the frame shows

    def foot(self) -> QWidget | None:
        """Return the bar of actions while tools are ticked."""
        shown = self.tabs.currentIndex() == PageTab.TOOLS and self.list.selectionModel().hasSelection()
        return self.bar if shown else None

    def filter_field(self) -> QWidget | None:
        return self.filter if self.filter.isVisible() else None

    def fill_menu(self, menu: QMenu) -> None:
        toolset, snapshot = self._toolset, self._snapshot
        if toolset is None or snapshot is None:
            return
        menu.addAction(self.tr("Rename"), QKeySequence("F2"), self.rename)
        default = menu.addAction(self.tr("Give to new assistants by default"), self._use)
        default.setCheckable(True)
        is_default = snapshot.settings.equipped_toolset == toolset.name
        default.setChecked(is_default)
        default.setEnabled(not is_default)
        menu.addAction(self.tr("Share…"), lambda: self.export_requested.emit(toolset.name))
        menu.addAction(self.tr("Bench…"), lambda: self.place_requested.emit(RowKey(Kind.BENCH, toolset.name)))
        menu.addSeparator()
        menu.addAction(self.tr("Delete toolset"), self._delete)

    def set_width_class(self, width: Width) -> None:
        super().set_width_class(width)
        small = width is Width.SMALL
        direction = QBoxLayout.Direction.TopToBottom if small else QBoxLayout.Direction.LeftToRight
        self._bar.setDirection(direction)
        self.filter.setMaximumWidth(16_777_215 if small else round(FILTER_WIDTH * text_scale()))
        self.filter.setMinimumWidth(0 if small else round(FILTER_WIDTH * text_scale()))
        self.bar.set_width_class(width)

    # --- what is shown

    def show_toolset(self, snapshot: Snapshot, toolset: Toolset) -> None:
        """Show a toolset, or update it."""
        is_other = self._toolset is None or self._toolset.name != toolset.name
        if is_other:
            self.list.clearSelection()
            self.filter.clear()
        self._snapshot, self._toolset = snapshot, toolset
        self.title_field.show_title(toolset.title)
        self.users.show_users(snapshot, toolset)
        self.model.show_toolset(snapshot, toolset)
        self.list.viewport().update()
        self._show_empty()
        to_mend = self._to_mend(snapshot, toolset)
        self.show_notices([*self._suggestion(snapshot, toolset), *to_mend, *self._limits(snapshot, toolset)])
        self._show_ticks()
        self._counter.count(snapshot, toolset)
        if is_other:
            self._tokens = 0
        self._counter.resume()
        self._show_second()
        self.told.show_toolset(snapshot, toolset)
        self.guide.show_toolset(snapshot, toolset)
        if is_other:
            self.show_part("tools")
            self.verticalScrollBar().setValue(0)

    def _show_tokens(self, tokens: int) -> None:
        self._tokens = tokens
        self._show_second()

    def _show_second(self) -> None:
        toolset, snapshot = self._toolset, self._snapshot
        if toolset is None or snapshot is None:
            return
        parts = [messages.count_tools(len(toolset.tools))]
        notes = count_notes_in(snapshot, toolset)
        if notes:
            parts.append(messages.count_notes(notes))
        if self._tokens and toolset.tools:
            rounded = round(self._tokens, -1) if self._tokens > 1000 else self._tokens
            parts.append(self.tr("about {n} tokens").format(n=messages.number(rounded)))
        text = ", ".join(parts)
        allowed = snapshot.settings.toolset_tokens
        if allowed is not None and self._tokens > allowed:
            text = self.tr("{text}, more than the {most} that you allow").format(
                text=text, most=messages.number(allowed)
            )
        self.second.setText(text)

    def _show_empty(self) -> None:
        toolset, snapshot = self._toolset, self._snapshot
        if toolset is None or snapshot is None:
            return
        has_tools, shown = bool(toolset.tools), self.model.rowCount() > 0
        had_focus = self.list.hasFocus()
        self.head.setVisible(shown)
        self.list.setVisible(shown)
        self.empty.setVisible(not shown)
        self.add_button.setVisible(has_tools)
        self.filter.setVisible(has_tools and self.tabs.currentIndex() == PageTab.TOOLS)
        if shown:
            return
        if has_tools:
            self.nothing.setText(self.tr("No results for “{text}”.").format(text=self.filter.text().strip()))
            self.empty_button.setText(self.tr("Show all tools"))
        else:
            self.nothing.setText(self.tr("No tools in this toolset yet."))
            self.empty_button.setText(self.tr("Add tools…"))
        if had_focus:
            self.empty_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_empty(self) -> None:
        if self._toolset is not None and self._toolset.tools:
            self.filter.clear()
            self.filter.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.open_picker()

    def _filter(self, text: str) -> None:
        self.model.filter(text)
        self._show_empty()

    def _show_ticks(self) -> None:
        rows = self.list.ticked_rows()
        if rows and self._snapshot is not None and self._toolset is not None:
            indexes = [self.model.index(row) for row in rows]
            on = any(index.data(ToolRole.ON) for index in indexes)
            asks = all(index.data(ToolRole.ASKS) for index in indexes)
            self.bar.show_selection(self._snapshot, self._toolset.name, len(rows), on=on, asks=asks)
        self.chrome_changed.emit()

    def show_part(self, part: str) -> None:
        """Show a tab: ``tools``, ``instructions`` or ``guide``."""
        self.tabs.setCurrentIndex(PageTab[part.upper()])
        self._show_part(self.tabs.currentIndex())

    def _show_part(self, part: int) -> None:
        self._tools_part.setVisible(part == PageTab.TOOLS)
        self.told.setVisible(part == PageTab.INSTRUCTIONS)
        self.guide.setVisible(part == PageTab.GUIDE)
        self._show_empty()
        if part == PageTab.GUIDE:
            self.guide.open()
        self.chrome_changed.emit()

    def _limits(self, snapshot: Snapshot, toolset: Toolset) -> list[Notice]:
        """Return a warning about the assistants with this toolset that accept fewer tools than these."""
        settings = snapshot.settings
        resolved = (one.known for one in resolve_toolset(snapshot, toolset) if one.enabled)
        served = sum(1 for known in resolved if known is not None and is_available(snapshot, known))
        own = len(BUILT_IN.enabled(enabled_built_in(settings), {Requirement.OWN_CHOICE}))
        dialects = {}
        for id, client in snapshot.clients.items():
            dialect = self._files.dialect_of(id, client)
            if snapshot.toolset_of(id) is toolset and not is_searched(snapshot, client, toolset, dialect):
                dialects[dialect.name] = dialect
        problems = [problem for one in dialects.values() for problem in count_problems(own + served, one)]
        return [Notice(Mark.ATTENTION, messages.problem_text(problem)) for problem in problems]

    def _to_mend(self, snapshot: Snapshot, toolset: Toolset) -> list[Notice]:
        """Name the notes of an imported pack that mention parameters which their tools no longer have."""
        text = self.tr("{tool} has changed since this was written: {notes}")
        return [
            Notice(
                Mark.ATTENTION,
                text.format(tool=known.tool.title, notes=messages.joined(names)),
                self.tr("Open tool"),
                partial(self.place_requested.emit, RowKey(Kind.TOOL, *known.tool.key)),
            )
            for known, names in notes_to_mend(toolset, snapshot)[:MOST_TO_MEND]
        ]

    def _suggestion(self, snapshot: Snapshot, toolset: Toolset) -> list[Notice]:
        """Suggest *Ask me first* for the tools that are marked destructive and not decided on."""
        found = [
            (one.known, entry_key(toolset.name, one.entry))
            for one in resolve_toolset(snapshot, toolset)
            if one.known is not None and is_asking_suggested(one.known, snapshot.effective_entry(one.known, one.entry))
        ]
        self._undecided = [key for _, key in found]
        if not found:
            return []
        if len(found) == 1:
            text = self.tr("{tool} can delete data, and you aren’t asked before it runs.")
            text = text.format(tool=found[0][0].tool.title)
        else:
            text = self.tr("{n} tools can delete data, and you aren’t asked before they run.")
            text = text.format(n=messages.number(len(found)))
        return [Notice(Mark.ATTENTION, text, self.tr("Ask me first"), self._ask_before, self._ask_never)]

    def _ask_before(self) -> None:
        self._decide_on_asking(on=True)

    def _ask_never(self) -> None:
        self._decide_on_asking(on=False)

    def _decide_on_asking(self, *, on: bool) -> None:
        if self._toolset is not None and self._snapshot is not None:
            views = [view for key in self._undecided if (view := tool_view(self._snapshot, key)) is not None]
            self._settings.ask_first_for(views, on=on, place=RowKey(Kind.TOOLSET, self._toolset.name))
            self.undo_offered.emit()

    # --- actions on the toolset

    def open_picker(self) -> None:
        """Open the list of tools that can be added."""
        from toolnote_desktop.desktop.toolset_page.add_tools_dialog import AddToolsDialog

        if self._snapshot is None or self._toolset is None:
            return
        if not any(known.listed for known in self._snapshot.catalogue.tools.values()):
            self.add_tools_requested.emit()
            return
        dialog = AddToolsDialog(self._snapshot, self._toolset, self.window())
        dialog.chosen.connect(self._put_in)
        dialog.source_requested.connect(self.add_tools_requested)
        dialog.open()

    def rename(self) -> None:
        """Edit the title."""
        self.title_field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.title_field.selectAll()

    def _rename(self) -> None:
        toolset = self._toolset
        title = self.title_field.text().strip()
        if toolset is not None and title and title != toolset.title:
            self._actions.rename_toolset(toolset.name, title)
        elif toolset is not None:
            self.title_field.setText(toolset.title)

    def _put_in(self, tools: object) -> None:
        if self._toolset is not None:
            self._actions.add_tools(self._toolset.name, tools)  # type: ignore[arg-type]
            self.undo_offered.emit()

    def _use(self) -> None:
        if self._toolset is not None:
            self._actions.use_toolset(self._toolset.name)
            self.undo_offered.emit()

    def _delete(self) -> None:
        if self._toolset is not None and self._actions.delete_toolset(self._toolset.name):
            self.removed.emit(self._toolset.name)

    def _give(self, client: str, own: bool) -> None:
        if self._toolset is not None:
            self._actions.give_toolset(client, self._toolset.name if own else None)
            self.undo_offered.emit()

    # --- actions on its tools

    def _show_tool(self, index: QModelIndex) -> None:
        key = self.model.key_at(index)
        if key is not None:
            self.place_requested.emit(key)

    def _switch(self, rows: list[int]) -> None:
        found = self.model.entries_at(rows)
        if self._toolset is not None and found:
            on = not found[0].enabled
            self._actions.switch_tools(self._toolset.name, [one.entry for one in found], on=on)

    def _turn(self, on: bool) -> None:
        found = self.model.entries_at(self.list.ticked_rows())
        if self._toolset is not None and found:
            self._actions.switch_tools(self._toolset.name, [one.entry for one in found], on=on)
            self.undo_offered.emit()

    def _views(self) -> list[ToolView]:
        snapshot = self._snapshot
        keys = self.list.keys_of(self.list.ticked_rows())
        views = (tool_view(snapshot, key) for key in keys) if snapshot is not None else ()
        return [view for view in views if view is not None]

    def _ask_first(self, on: bool) -> None:
        if self._toolset is not None:
            self._settings.ask_first_for(self._views(), on=on, place=RowKey(Kind.TOOLSET, self._toolset.name))
            self.undo_offered.emit()

    def _need(self, need: str) -> None:
        if self._toolset is not None:
            place = RowKey(Kind.TOOLSET, self._toolset.name)
            self._settings.set_optionality_for(self._views(), need or None, place)
            self.undo_offered.emit()

    def _suggest(self) -> None:
        from toolnote_desktop.desktop.async_tasks import spawn

        spawn(self, self._set_suggested())

    async def _set_suggested(self) -> None:
        """Give the ticked tools the place in guides that their use in the last days suggests."""
        from toolnote_desktop.desktop.async_tasks import in_thread
        from toolnote_desktop.store.activity_queries import uses_of_tools

        views, toolset = self._views(), self._toolset
        since = time.time() - SUGGESTION_DAYS * 86_400
        uses = await in_thread(uses_of_tools, self._files.home, since)
        if toolset is None or self._toolset is None or toolset.name != self._toolset.name:
            return
        calls = {(use.server, use.tool): use.calls for use in uses}
        places = suggested_places(calls, [view.known.tool.key for view in views])
        chosen = [(view, places[view.known.tool.key]) for view in views]
        if self._settings.set_places(chosen, RowKey(Kind.TOOLSET, toolset.name)):
            self.undo_offered.emit()

    def _move(self, target: str) -> None:
        found = self.model.entries_at(self.list.ticked_rows())
        if self._toolset is not None and found:
            known = [one.known for one in found if one.known is not None]
            if self._actions.move_tools(self._toolset.name, [one.entry for one in found], known, target or None):
                self.undo_offered.emit()

    def _step(self, keys: list[RowKey], step: int) -> None:
        if self._toolset is not None:
            self.stepped.emit(self._toolset.name, keys, step)

    def _drop(self, keys: list[RowKey], row: int) -> None:
        if self._toolset is not None:
            self.dropped.emit(self._toolset.name, keys, row)

    def _take_out(self, rows: list[int]) -> None:
        found = self.model.entries_at(rows)
        if self._toolset is not None and found:
            self._actions.remove_tools(self._toolset.name, [one.entry for one in found])
            self.undo_offered.emit()

    def stop(self) -> None:
        """Stop counting tokens."""
        self._counter.stop()
