"""Page of a tool source: state, next step and actions."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.server_page.log_view import ServerLogView
from toolnote_desktop.desktop.server_page.secrets_and_sign_in import SecretsAndSignIn
from toolnote_desktop.desktop.server_page.state_texts import NextStep, StateText, state_text, withheld_variables
from toolnote_desktop.desktop.widgets.banner import Notice
from toolnote_desktop.desktop.widgets.basics import Button, card, label, open_web_page
from toolnote_desktop.desktop.widgets.controls import Switch
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.desktop.widgets.page import Page
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import Server, ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool, ServerListing


class ServerPage(Page):
    """Page of one tool source.

    Signals:
        restart_requested, edit_requested: its id.
        removed: its id, after it was removed.
        duplicate_requested: its id.
    """

    restart_requested = Signal(str)
    edit_requested = Signal(str)
    removed = Signal(str)
    duplicate_requested = Signal(str)

    def __init__(self, actions: Actions, log_of: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__(self.tr("Tool source"))
        self._actions = actions
        self._server: str | None = None
        self._outside: tuple[KnownTool, ...] = ()
        self._toolset: str | None = None
        self.switch = Switch(self.tr("On"), self.tr("Off"), self.tr("Tool source is on"))
        self.switch.toggled.connect(self._switch)
        self.controls.addWidget(self.switch)
        self.restart_button = Button(self.tr("Restart"), pressed=self._restart)
        self.edit_button = Button(self.tr("Edit"), pressed=self._edit)
        self.duplicate_button = Button(
            self.tr("Duplicate"), name=self.tr("Make a copy, turned off"), pressed=self._duplicate
        )
        self.remove_button = Button(self.tr("Remove"), pressed=self._remove)
        buttons = QWidget()
        flow = FlowLayout(buttons)
        for button in (self.restart_button, self.edit_button, self.duplicate_button, self.remove_button):
            flow.addWidget(button)
        self.body.addSpacing(16)
        self.body.addWidget(buttons)
        self.access = SecretsAndSignIn()
        self.body.addWidget(self.access)
        self.add_section(self.tr("Tools"))
        self._lay_out_tools()
        self.add_section(self.tr("Connection"))
        self.address = label("", "second", wraps=True, can_be_copied=True)
        self.body.addWidget(self.address)
        self.log = ServerLogView(log_of)
        self.body.addSpacing(8)
        self.body.addWidget(self.log)
        self.body.addStretch(1)

    def _lay_out_tools(self) -> None:
        box = card("quiet-card")
        row = QHBoxLayout(box)
        row.setContentsMargins(16, 10, 10, 10)
        row.setSpacing(12)
        self.offers = label("", wraps=True)
        self.add_button = Button("", pressed=self._add_all)
        row.addWidget(self.offers, 1)
        row.addWidget(self.add_button)
        self.body.addWidget(box)

    def show_server(self, snapshot: Snapshot, server: str, listing: ServerListing) -> None:
        """Show a tool source, or update it."""
        if server != self._server:
            self.verticalScrollBar().setValue(0)
        self.log.show_server(server)
        self._server = server
        entry = snapshot.servers.get(server)
        state = listing.status.state
        self.title.setText(server)
        self.second.setText(self._kind(entry))
        self.switch.setAccessibleName(self.tr("{source} is on").format(source=server))
        self.switch.show_state(state is not ServerState.DISABLED)
        self.switch.setVisible(entry is not None)
        self.edit_button.setVisible(entry is not None)
        self.show_notices([self._notice(listing), *self._withheld(listing), *self._small_problems(listing)])
        once = state_text(listing).step is NextStep.START_AGAIN  # the notice has that button already
        self.restart_button.setVisible(state is not ServerState.DISABLED and not once)
        self.address.setText(_address(entry))
        self.access.show_server(server, entry, state)
        self._show_offers(snapshot, listing)

    def _kind(self, entry: Server | None) -> str:
        if entry is None:
            return self.tr("Tool source")
        if entry.type == "stdio":
            return self.tr("Runs on this computer")
        return self.tr("At {host}").format(host=urlsplit(entry.url or "").hostname or "?")

    def _notice(self, listing: ServerListing) -> Notice:
        now = state_text(listing)
        return Notice(now.mark, now.text, now.action, lambda: self._run_next_step(now))

    def _run_next_step(self, now: StateText) -> None:
        """Carry out the next step of a state."""
        match now.step:
            case NextStep.LOG:
                self.log.open_log()
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
        return [Notice(Mark.ATTENTION, text, self.tr("Pass on"), lambda: self._pass_on(names))]

    def _pass_on(self, names: tuple[str, ...]) -> None:
        if self._server is not None:
            self._actions.pass_on(self._server, names)

    def _small_problems(self, listing: ServerListing) -> list[Notice]:
        shown = [self._small_problem(problem) for problem in listing.status.problems[:3]]
        left = len(listing.status.problems) - len(shown)
        if left > 0:
            shown.append(Notice(Mark.ATTENTION, self.tr("and %n more", "", left)))
        return shown

    def _small_problem(self, problem: Problem) -> Notice:
        text = messages.problem_text(problem)
        if problem.code is Code.MORE_RIGHTS_WANTED:
            return Notice(Mark.ATTENTION, text, self.tr("Sign in"), self.access.sign_in)
        return Notice(Mark.ATTENTION, text)

    def _show_offers(self, snapshot: Snapshot, listing: ServerListing) -> None:
        tools = [known for known in listing.tools if known.listed]
        toolset = snapshot.shared_toolset
        self._toolset = toolset.name if toolset is not None else None
        count = messages.count_tools(len(tools))
        if toolset is None or not tools:
            self._outside = ()
            self.offers.setText(count if tools else self._no_tools(listing))
        else:
            inside = {one.namespaced_name for one in toolset.tools}
            self._outside = tuple(known for known in tools if known.tool.namespaced_name not in inside)
            if not self._outside:
                text = self.tr("{tools}, all of them in “{toolset}”")
            else:
                text = self.tr("{tools}, {inside} of them in “{toolset}”")
            number = messages.number(len(tools) - len(self._outside))
            self.offers.setText(text.format(tools=count, toolset=toolset.title, inside=number))
            self.add_button.set_text(self.tr("Add the others"))
        self.add_button.setVisible(bool(self._outside))

    def _no_tools(self, listing: ServerListing) -> str:
        if listing.status.state is ServerState.READY:
            return self.tr("No tools yet. Restart it or check its log.")
        if state_text(listing).mark is Mark.WAITING:
            return self.tr("Its tools appear here when it answers.")
        return self.tr("No tools yet. Fix the problem above first.")

    def _switch(self, on: bool) -> None:
        if self._server is not None:
            self._actions.switch_server(self._server, on=on)

    def _restart(self) -> None:
        if self._server is not None:
            self.restart_requested.emit(self._server)
            self.log.open_log()

    def _edit(self) -> None:
        if self._server is not None:
            self.edit_requested.emit(self._server)

    def _duplicate(self) -> None:
        if self._server is not None:
            self.duplicate_requested.emit(self._server)

    def _remove(self) -> None:
        if self._server is not None and self._actions.remove_server(self._server):
            self.removed.emit(self._server)

    def _add_all(self) -> None:
        if self._toolset is not None and self._outside:
            self._actions.add_tools(self._toolset, self._outside)

    def stop(self) -> None:
        """Stop updating."""
        self.log.close_log()


def _address(entry: Server | None) -> str:
    """Return the command or the address, without what may be secret (docs/contract.md 4: url queries)."""
    if entry is None:
        return ""
    if entry.type == "stdio":
        return " ".join((entry.command or "", *entry.args))
    parts = urlsplit(entry.url or "")
    return f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"
