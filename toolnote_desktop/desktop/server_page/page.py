"""Page of a tool source: its state with one button, notes on all its tools, its tools and its log."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QMenu, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.assistant_settings import AssistantSettings
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.source_state import NextStep, SourceState, source_state, withheld_variables
from toolnote_desktop.desktop.models.work import WorkList, in_progress
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.server_page.inspector import ServerInspector
from toolnote_desktop.desktop.server_page.log_view import ServerLogView
from toolnote_desktop.desktop.server_page.secrets_and_sign_in import SecretsAndSignIn
from toolnote_desktop.desktop.server_page.source_notes import SourceNotes
from toolnote_desktop.desktop.server_page.source_tools import SourceToolList, SourceTools, source_tools
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.banner import Dot, Notice
from toolnote_desktop.desktop.widgets.basics import Button, hairline, label, open_web_page, restyle, without_mnemonics
from toolnote_desktop.desktop.widgets.controls import Menu, Switch, popup_below
from toolnote_desktop.desktop.widgets.page import Page, Width
from toolnote_desktop.desktop.widgets.server_instructions import ServerInstructions, instructions_of
from toolnote_desktop.model.containers import RUNTIMES, usual_image
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import Server, ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import IN_REVIEW, KnownTool, ServerListing
from toolnote_desktop.model.tools.valid_entries import BULLETS_FOUND, HEADING_FOUND
from toolnote_desktop.store.activity_queries import server_calls

if TYPE_CHECKING:
    from toolnote_desktop.guidance.scanner import Finding

_MOST_FINDINGS: Final = 3
_MANY_TOOLS: Final = 100  # checking so many takes about a fifth of a second
WEEK_SECONDS: Final = 7 * 24 * 3600
_BOXES: Final = {Mark.WRONG: "wrong-box", Mark.ATTENTION: "attention-box"}


def _findings_in(server: str, listing: ServerListing) -> tuple[Finding, ...]:
    from toolnote_desktop.guidance.scanner import scan_listing  # not before the first paint

    return tuple(scan_listing(server, listing))


def _is_heading(problem: Problem) -> bool:
    return HEADING_FOUND in problem.parameters.get("reason", "")


def _is_imitation(problem: Problem) -> bool:
    """Return True if the scanner finds what a problem says: the user's notes imitated by a tool or prompt."""
    is_scanned = problem.parameters.get("kind", "tool") in ("tool", "prompt")
    return is_scanned and (_is_heading(problem) or BULLETS_FOUND in problem.parameters.get("reason", ""))


class StateBox(QFrame):
    """Box with a state's sign, its sentence, what it means, and one button; hidden for a source that works.

    Signals:
        pressed: the button was pressed.
    """

    pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.state = SourceState(Mark.NONE, "")
        self.sign = Dot()
        self.title = label("", "heading", wraps=True)
        self.reason = label("", wraps=True, can_be_copied=True)
        self.button = Button("", "primary", pressed=self.pressed.emit)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.title, 1)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addLayout(head)
        words.addWidget(self.reason)
        self.reason.setContentsMargins(*((0, 0, 18, 0) if self.isRightToLeft() else (18, 0, 0, 0)))
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(16, 12, 16, 12)
        self._row.setSpacing(16)
        self._row.addLayout(words, 1)
        self._row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.hide()

    def show_state(self, state: SourceState) -> None:
        """Show a state."""
        self.state = state
        self.setVisible(bool(state.title))
        restyle(self, kind=_BOXES.get(state.mark, "box"))
        self.sign.show_mark(state.mark)
        self.title.setText(state.title)
        self.reason.setText(f"{state.reason} {state.since}".rstrip())
        self.button.setText(state.action)
        self.button.setVisible(bool(state.action))

    def set_narrow(self, narrow: bool) -> None:
        """Put the button below the words where they would be squeezed."""
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._row.setDirection(direction)
        self._row.setAlignment(self.button, Qt.AlignmentFlag.AlignLeading if narrow else Qt.AlignmentFlag.AlignVCenter)


class ServerPage(Page):
    """Page of one tool source.

    Signals:
        restart_requested, edit_requested: its id.
        removed: its id, after it was removed.
        duplicate_requested: its id.
        undo_offered: the last step is one that the user may want to undo.
    """

    restart_requested = Signal(str)
    edit_requested = Signal(str)
    removed = Signal(str)
    duplicate_requested = Signal(str)
    undo_offered = Signal()
    has_menu = True

    def __init__(self, actions: Actions, changes: UndoStack, settings: AssistantSettings, link: ProxyLink) -> None:
        super().__init__(self.tr("Tool source"))
        self._actions, self._settings = actions, settings
        self._home = link.home
        self._snapshot: Snapshot | None = None
        self._listing: ServerListing | None = None
        self._server: str | None = None
        self._reading = LatestTask(self)
        self._scanning = LatestTask(self)
        self.work: WorkList | None = None
        self._scanned: tuple[tuple[KnownTool, ...], tuple[Finding, ...]] | None = None
        self.switch = Switch(self.tr("On"), self.tr("Off"), self.tr("Tool source is on"))
        self.switch.toggled.connect(self._switch)
        self.controls.addWidget(self.switch)
        self.state_box = StateBox()
        self.state_box.pressed.connect(self._take_step)
        self.body.addSpacing(16)
        self.body.addWidget(self.state_box)
        self.side = ServerInspector()
        self.side.setParent(self)
        self.side.hide()
        self.side.place_requested.connect(self.place_requested)
        self.side.edit_requested.connect(self._edit)
        self.side.changes_chosen.connect(lambda policy: settings.treat_changes(self.server, str(policy)))
        self.access = SecretsAndSignIn(self.side.secrets)
        self.body.addWidget(self.access)
        self._lay_out_notes(changes)
        self._lay_out_instructions(settings)
        self._lay_out_tools()
        self.log = ServerLogView(link.server_log)
        self.body.addSpacing(16)
        self.body.addWidget(self.log)
        self.body.addStretch(1)

    def _lay_out_notes(self, changes: UndoStack) -> None:
        self.notes = SourceNotes(self._actions, changes)
        self.notes.undo_offered.connect(self.undo_offered)
        self.add_note_button = Button(self.tr("Add a note"), "link", pressed=self.add_note)
        self.notes.emptied.connect(self._show_no_notes)
        self.notes_heading = self._add_head(self.add_note_button)
        self.no_notes = label(self.tr("Assistants read a note here with each of these tools."), "second", wraps=True)
        self.body.addWidget(self.no_notes)
        self.body.addWidget(self.notes)

    def _lay_out_instructions(self, settings: AssistantSettings) -> None:
        self.instructions = ServerInstructions()
        self.instructions.switched.connect(lambda on: settings.send_instructions(str(self._server), on=on))
        self.instructions.note_saved.connect(lambda text: settings.note_instructions(str(self._server), text))
        self.instructions.decided.connect(lambda one, text: settings.review_instructions(str(self._server), one, text))
        self.instructions_heading = self._add_head(None)
        self.instructions_heading.setText(self.tr("Instructions"))
        self.body.addWidget(self.instructions)

    def _show_no_notes(self) -> None:
        self.no_notes.show()
        self.add_note_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out_tools(self) -> None:
        self.menu = Menu(self)
        self.add_button = Button(self.tr("Add all to a toolset…"), "link", pressed=self._open_toolsets)
        self.tools_heading = self._add_head(self.add_button)
        self.tools_heading.setText(self.tr("Tools"))
        self.nothing = label("", "second", wraps=True)
        self.body.addWidget(self.nothing)
        self.line = hairline()
        self.body.addWidget(self.line)
        self.model = SourceTools(self)
        self.list = SourceToolList(self.model)
        self.list.setAccessibleName(self.tr("Tools of this source"))
        self.list.opened.connect(self.place_requested)
        self.list.row_reached.connect(lambda row: self.show_row(self.list, row))
        self.add_table(self.list)

    def _add_head(self, button: Button | None) -> QLabel:
        heading = label("", "heading", wraps=True)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(heading, 1)
        if button is not None:
            row.addWidget(button)
        row.setContentsMargins(0, 16, 0, 0)
        whole = QWidget()
        whole.setLayout(row)
        whole.setMinimumHeight(16 + round(32 * text_scale()))
        self.body.addWidget(whole)
        return heading

    @property
    def server(self) -> str:
        """Id of the tool source that is shown."""
        return self._server or ""

    # --- what the frame shows

    def inspector(self) -> QWidget:
        return self.side

    def fill_menu(self, menu: QMenu) -> None:
        server, snapshot = self._server, self._snapshot
        if server is None or snapshot is None:
            return
        if not snapshot.servers[server].disabled:
            menu.addAction(self.tr("Restart"), self._restart)
        menu.addAction(self.tr("Edit…"), self._edit)
        menu.addAction(self.tr("Duplicate"), lambda: self.duplicate_requested.emit(server))
        if (found := _container_of(snapshot.servers[server])) is not None:
            menu.addAction(self.tr("Run in a container"), partial(self._actions.contain, server, *found))
        menu.addSeparator()
        menu.addAction(self.tr("Remove tool source"), self._remove)

    def set_width_class(self, width: Width) -> None:
        super().set_width_class(width)
        self.state_box.set_narrow(width is Width.SMALL)

    def leave(self) -> None:
        self.notes.leave()

    def flush(self) -> None:
        self.notes.flush()

    def stop(self) -> None:
        """Stop updating."""
        self.log.close_log()
        self._reading.cancel()
        self._scanning.cancel()

    # --- what is shown

    def show_server(self, snapshot: Snapshot, server: str, listing: ServerListing) -> None:
        """Show a tool source, or update it."""
        is_other = server != self._server
        self._snapshot, self._server, self._listing = snapshot, server, listing
        entry = snapshot.servers.get(server)
        state = listing.status.state
        now = source_state(snapshot, server)
        self.title.setText(messages.source_name(server))
        self.switch.setAccessibleName(self.tr("{source} is on").format(source=messages.source_name(server)))
        self.switch.show_state(state is not ServerState.DISABLED)
        self.state_box.show_state(now)
        self._show_all_notices()
        if self._scanned is None or self._scanned[0] is not listing.tools:
            self._scanned = (listing.tools, ())
            self._scanning.start(self._scan(server, listing))
        self.access.show_server(server, entry, state)
        self.notes_heading.setText(self.tr("Notes on all {source} tools").format(source=messages.source_name(server)))
        self.notes.show_source(snapshot, server)
        self.no_notes.setVisible(not self.notes.cards)
        self._show_instructions(snapshot, server)
        rows = source_tools(snapshot, listing)
        self.model.show_rows(rows)
        count = sum(row.notes for row in rows) + len(snapshot.notes.servers.get(server, ()))
        parts = [messages.count_tools(len(rows))] if rows else [self.tr("No tools yet")]
        self.second.setText(", ".join([*parts, *([messages.count_notes(count)] if count else [])]))
        for widget in (self.list, self.line, self.add_button):
            widget.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        self.nothing.setText(self._no_tools(now, state))
        self.log.show_server(server, has_fault=now.mark in (Mark.WRONG, Mark.ATTENTION))
        self.side.show_source(snapshot, entry, listing)
        if is_other:
            self.verticalScrollBar().setValue(0)
            self.side.show_calls(None)
            self._reading.start(self._show_calls(server))
            self.chrome_changed.emit()

    def _show_all_notices(self) -> None:
        listing = self._listing
        if listing is None:
            return
        entry = self._snapshot.servers.get(self._server or "") if self._snapshot is not None else None
        found = [
            *self._withheld(listing),
            *self._changed_prompts(listing),
            *self._heading(entry, listing),
            *self._suspicious(listing),
        ]
        self.show_notices([*found, *self._small_problems(listing)])

    async def _scan(self, server: str, listing: ServerListing) -> None:
        """Scan what the source wrote, in a thread: some have hundreds of tools."""
        work = self.work if len(listing.tools) > _MANY_TOOLS else None
        title = self.tr("Checking {source}").format(source=messages.source_name(server))
        with in_progress(work, title, self._scanning.cancel):
            found = await in_thread(_findings_in, server, listing)
        if server == self._server:
            self._scanned = (listing.tools, found)
            self._show_all_notices()

    def _changed_prompts(self, listing: ServerListing) -> list[Notice]:
        """Lead to the prompts that the source changed, also to those whose old text the user keeps."""
        found = []
        for known in listing.prompts:
            if known.listed and known.review in IN_REVIEW:
                text = (
                    self.tr("The prompt {0} has changed.")
                    if known.changed
                    else self.tr("The change of the prompt {0} is not served.")
                )
                show = partial(self.place_requested.emit, RowKey(Kind.CHANGED_PROMPT, *known.tool.key))
                found.append(Notice(Mark.ATTENTION, text.format(known.tool.title), self.tr("Review change"), show))
        return found

    def _suspicious(self, listing: ServerListing) -> list[Notice]:
        """Return what the scanner found in the tools shown; of tools that have the heading ``_heading`` says it."""
        if self._scanned is None or self._scanned[0] is not listing.tools:
            return []
        said = {known.tool.name for known in listing.tools if any(map(_is_heading, known.problems))}
        found = [one for one in self._scanned[1] if one.kind != "imitates-notes" or one.tool not in said]
        shown = [self._finding(one) for one in found[:_MOST_FINDINGS]]
        if len(found) > len(shown):
            shown.append(Notice(Mark.WRONG, self.tr("and %n more", "", len(found) - len(shown))))
        return shown

    def _finding(self, one: Finding) -> Notice:
        text = messages.finding_text(one.kind, ".".join(part for part in (one.tool, one.field) if part), one.excerpt)
        key = RowKey(Kind.TOOL, one.server, one.tool)
        if one.tool and self._snapshot is not None and (one.server, one.tool) in self._snapshot.catalogue.tools:
            return Notice(Mark.WRONG, text, self.tr("Show tool"), lambda: self.place_requested.emit(key))
        return Notice(Mark.WRONG, text)

    def _show_instructions(self, snapshot: Snapshot, server: str) -> None:
        shown = instructions_of(snapshot, server)
        self.instructions.setVisible(not shown.is_empty)
        heading = self.instructions_heading.parentWidget()
        if heading is not None:
            heading.setVisible(not shown.is_empty)
        if not shown.is_empty:
            self.instructions.show_instructions(shown)

    async def _show_calls(self, server: str) -> None:
        calls = await in_thread(server_calls, self._home, server, time.time() - WEEK_SECONDS)
        if server == self._server:
            self.side.show_calls(calls)

    def _no_tools(self, now: SourceState, state: ServerState) -> str:
        if state is ServerState.READY:
            return self.tr("It has no tools. Restart it, or check its log.")
        if now.mark is Mark.WAITING:
            return self.tr("Its tools appear here when it answers.")
        return self.tr("No tools yet. Fix the problem above first.")

    def _small_problems(self, listing: ServerListing) -> list[Notice]:
        problems = [one for one in listing.status.problems if not _is_imitation(one)]
        shown = [self._small_problem(problem) for problem in problems[:3]]
        left = len(problems) - len(shown)
        if left > 0:
            shown.append(Notice(Mark.ATTENTION, self.tr("and %n more", "", left)))
        return shown

    def _heading(self, entry: Server | None, listing: ServerListing) -> list[Notice]:
        """Say that the source imitates the user's notes, and let the user decide what assistants read."""
        problems = [problem for known in listing.tools if known.listed for problem in known.problems]
        if entry is None or not any(map(_is_heading, problems)):
            return []
        if entry.toolnote.keeps_heading:
            text = self.tr("Its tools have a heading like that of your notes, and assistants read it as it is.")
            return [Notice(Mark.ATTENTION, text, self.tr("Replace it"), self._replace_heading)]
        text = self.tr("Its tools have a heading like that of your notes. Assistants read another one in its place.")
        return [Notice(Mark.ATTENTION, text, self.tr("Let it stay"), self._keep_heading)]

    def _keep_heading(self) -> None:
        self._settings.keep_heading(self.server, kept=True)

    def _replace_heading(self) -> None:
        self._settings.keep_heading(self.server, kept=False)

    def _small_problem(self, problem: Problem) -> Notice:
        text = messages.problem_text(problem)
        if problem.code is Code.MORE_RIGHTS_WANTED:
            return Notice(Mark.ATTENTION, text, self.tr("Sign in"), self.access.sign_in)
        return Notice(Mark.ATTENTION, text)

    # --- actions

    def add_note(self) -> None:
        """Add a note on all tools."""
        self.no_notes.hide()
        self.notes.add_note()

    def _take_step(self) -> None:
        """Carry out the next step of the state."""
        now = self.state_box.state
        match now.step:
            case NextStep.LOG:
                self.log.open_log()
                self.ensureWidgetVisible(self.log)
            case NextStep.START_AGAIN:
                self._restart()
            case NextStep.EDIT:
                self._edit()
            case NextStep.GET_PROGRAM:
                open_web_page(now.link)
            case NextStep.SWITCH_ON:
                self._switch(True)
            case NextStep.SIGN_IN:
                self.access.sign_in()
            case NextStep.GIVE_SECRET:
                self.access.request_secret(now.secret)
            case NextStep.UNLOCK:
                self.access.unlock(now.secret)

    def _withheld(self, listing: ServerListing) -> list[Notice]:
        """Offer the variables that a failed start went without."""
        names = withheld_variables(listing)
        if not names:
            return []
        text = self.tr("It was started without {variables}, which may be why.").format(variables=", ".join(names))
        return [Notice(Mark.ATTENTION, text, self.tr("Pass on"), partial(self._pass_on, names))]

    def _pass_on(self, names: tuple[str, ...]) -> None:
        if self._server is not None:
            self._actions.pass_on(self._server, names)

    def _outside(self, toolset: str) -> Sequence[KnownTool]:
        """Return the source's tools that are not in a toolset."""
        snapshot, listing = self._snapshot, self._listing
        if snapshot is None or listing is None:
            return ()
        inside = {entry.namespaced_name for entry in snapshot.toolsets[toolset].tools}
        return tuple(one for one in listing.tools if one.listed and one.tool.namespaced_name not in inside)

    def _open_toolsets(self) -> None:
        self.fill_toolsets()
        popup_below(self.add_button, self.menu, at_end=True)

    def fill_toolsets(self) -> None:
        """Fill the menu of toolsets that all tools can be added to."""
        snapshot, listing = self._snapshot, self._listing
        self.menu.clear()
        if snapshot is None or listing is None:
            return
        for name, toolset in snapshot.toolsets.items():
            tools = self._outside(name)
            action = self.menu.addAction(without_mnemonics(toolset.title), partial(self._add_all, name))
            action.setCheckable(True)
            action.setChecked(not tools)  # all of them are in it
            action.setEnabled(bool(tools))
        if not self.menu.isEmpty():
            self.menu.addSeparator()
        self.menu.addAction(self.tr("New toolset"), self._make_toolset)

    def _add_all(self, toolset: str) -> None:
        if self._actions.add_tools(toolset, self._outside(toolset)) is not None:
            self.undo_offered.emit()

    def _make_toolset(self) -> None:
        listing = self._listing
        if self._server is None or listing is None:
            return
        name = self._actions.make_toolset(self._server, [one for one in listing.tools if one.listed])
        if name is not None:
            self.place_requested.emit(RowKey(Kind.TOOLSET, name))

    def _switch(self, on: bool) -> None:
        if self._server is not None:
            self._actions.switch_server(self._server, on=on)

    def _restart(self) -> None:
        if self._server is not None:
            self.restart_requested.emit(self._server)

    def _edit(self) -> None:
        if self._server is not None:
            self.edit_requested.emit(self._server)

    def _remove(self) -> None:
        if self._server is not None and self._actions.remove_server(self._server):
            self.removed.emit(self._server)


def _container_of(entry: Server) -> tuple[str, str] | None:
    """Return the runtime and image of a container for a server; None where it needs files or there is no runtime."""
    image = usual_image(entry.command or "") if entry.type == "stdio" else None
    if image is None or any(os.path.isabs(word) for word in entry.args):
        return None
    runtime = next((one for one in RUNTIMES if shutil.which(one)), None)
    return (runtime, image) if runtime is not None else None
