"""Dialog *Connect an assistant*: shows the change to the assistant's file, and makes or undoes it.

Another program's file is changed here, so the change is shown first (docs/contract.md 4, ``clients install``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QWidget

from toolnote_desktop.assistants.config_file import is_large
from toolnote_desktop.assistants.discovery import FoundClient, find_clients
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.installing import client_entries
from toolnote_desktop.assistants.installing import plan as installing
from toolnote_desktop.assistants.installing.connect import ConnectAction, InstallState, PreparedChange, RawDocuments
from toolnote_desktop.assistants.known_client import FileRole, KnownClient
from toolnote_desktop.assistants.registry import CLIENTS as KNOWN
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread, spawn
from toolnote_desktop.desktop.connect import texts
from toolnote_desktop.desktop.connect.assistant_list import KEY, AssistantList
from toolnote_desktop.desktop.connect.assistant_page import AssistantPage
from toolnote_desktop.desktop.connect.manual_setup import ManualSetup
from toolnote_desktop.desktop.connect.planning import CompletedChange, PlannedChange, PlanRequest, plan_change
from toolnote_desktop.desktop.connect.presence import presence
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.colours import Colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.model.edits import CLIENTS, SERVERS, Edit
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import DEFAULT_PORT, endpoint_url
from toolnote_desktop.store.activity import last_seen
from toolnote_desktop.store.library import Library

OTHER = ""
"""The row of assistants that are not in the list."""


class ConnectDialog(Dialog):
    """Adds Toolnote to an assistant's own settings file, and removes it.

    Signals:
        changed: the id of the assistant whose file was changed.
    """

    changed = Signal(str)

    def __init__(
        self,
        library: Library,
        link: ProxyLink,
        environment: Environment,
        identity: ToolnoteIdentity,
        client: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.introduce(
            self.tr("Connect an assistant"),
            self.tr(
                "Toolnote adds one entry to the assistant’s own settings file. You see it here first, and can undo it."
            ),
        )
        self.setObjectName("connect")
        self._library = library
        self._link = link
        self._environment = environment
        self._identity = identity
        self._wanted = client
        self._found: dict[str, FoundClient] = {}
        self._seen: Mapping[str, float] = {}
        self._install_state = InstallState()
        self._prepared: PreparedChange | None = None
        self._done: dict[str, CompletedChange] = {}
        self._action = ConnectAction.CONNECT
        self._planning = LatestTask(self)
        self._build()
        self.resize(round(920 * text_scale()), round(620 * text_scale()))
        spawn(self, self._find_assistants())
        link.clients_changed.connect(self._show_presence)

    def apply_colours(self, scheme: Colours) -> None:
        """Colour the lines of the diff."""
        self.page.diff.set_colours(scheme)

    def _build(self) -> None:
        self.assistants = AssistantList()
        self.assistants.setAccessibleName(self.tr("Assistants"))
        self.assistants.setFixedWidth(round(220 * text_scale()))
        self.assistants.chosen.connect(self._choose)
        self.page = AssistantPage()
        self.page.options_changed.connect(self._plan)
        self.page.gets.chosen.connect(self._assign_toolset)
        scrolled = QScrollArea()
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setWidgetResizable(True)
        scrolled.setWidget(self.page)
        self.snippet = ManualSetup(self._library, self._link, self._identity, self._url)
        self.pages = QStackedWidget()
        self.pages.addWidget(scrolled)
        self.pages.addWidget(self.snippet)
        looking = label(self.tr("Looking for the assistants on this computer…"), "second", wraps=True)
        looking.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        self.pages.addWidget(looking)
        self.pages.setCurrentWidget(looking)
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addWidget(self.assistants)
        row.addWidget(self.pages, 1)
        self.body.addLayout(row)
        self.second_button = Button("", "link")
        self.second_button.clicked.connect(self._undo_or_switch)
        self.replace_button = Button(self.tr("Put a new entry in its place…"), "link")
        self.replace_button.clicked.connect(lambda: self._select_action(ConnectAction.REPLACE))
        self.renew_button = Button(self.tr("New token…"), "link")
        self.renew_button.clicked.connect(lambda: self._select_action(ConnectAction.RENEW))
        self.revoke_button = Button(self.tr("Take its token away"), "link")
        self.revoke_button.clicked.connect(self._revoke)
        self.first_button = Button(self.tr("Connect"), "primary")
        self.first_button.clicked.connect(self._apply_change)
        self.close_button = Button(self.tr("Close"))
        self.close_button.clicked.connect(self.reject)
        self.buttons.setSpacing(14)
        for one in (self.second_button, self.replace_button, self.renew_button, self.revoke_button):
            self.buttons.addWidget(one)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.close_button)
        self.buttons.addWidget(self.first_button)
        self._enable()

    # --- the list

    async def _find_assistants(self) -> None:
        try:
            clients = await in_thread(find_clients, self._environment, self._identity)
            self._seen = await in_thread(last_seen, self._link.home)
        except Exception as error:  # noqa: BLE001 - other programs' files may hold anything
            self._show_error(error)
        else:
            self._show_found(clients)

    def _show_found(self, clients: Sequence[FoundClient]) -> None:
        self._found = {one.client.id: one for one in sorted(clients, key=lambda one: not one.installed)}
        for one in self._found.values():
            if one.installed:
                self._set_row(one)
        for client, entry in self._library.snapshot.clients.items():
            if client not in KNOWN:
                self.assistants.set_row(client, entry.name or client, self.tr("connected by hand"))
        self.assistants.set_row(OTHER, self.tr("Another assistant"), self.tr("copy what it needs"))
        for one in self._found.values():
            if not one.installed:
                self._set_row(one)
        self.assistants.choose(self._wanted or next(iter(self._found), OTHER))
        self.assistants.setFocus()

    def _set_row(self, one: FoundClient) -> None:
        if one.connected:
            self.assistants.set_row(one.client.id, one.client.name, self.tr("connected"), good=True)
        else:
            second = self.tr("not connected") if one.installed else self.tr("not found on this computer")
            self.assistants.set_row(one.client.id, one.client.name, second)

    def _update_row(self, client: KnownClient) -> None:
        one = find_clients(self._environment, self._identity, [client])[0]
        self._found[client.id] = one
        self._set_row(one)

    def _choose(self, key: str) -> None:
        self._action = ConnectAction.CONNECT
        self._planning.cancel()
        self.pages.setCurrentIndex(1 if key == OTHER else 0)
        self._prepared = None
        if key == OTHER:
            self._enable()
            return
        entry = self._library.snapshot.clients.get(key)
        self.page.gets.show_choice(self._library.snapshot, entry.toolset if entry is not None else None)
        one = self._found.get(key)
        files = one.files if one is not None else ()
        self.page.show_files([file.location for file in files if file.location.role is FileRole.LIVE])
        self._refresh()

    def _refresh(self) -> None:
        """Read the assistant's file, and show its options and the planned change."""
        self._plan(refresh=True)

    # --- the plan

    def _plan(self, *, refresh: bool = False) -> None:
        """Show the planned or completed change to the file; ``refresh`` reads the file's state anew."""
        key, one, place = self._key(), self._current(), self.page.place()
        self._prepared = None
        self._planning.cancel()
        self.page.show_wrong("")
        if one is None or place is None:
            self._show_without_a_file(key, one)
            return
        home, identity, documents = self._link.home, self._identity, self._documents()
        request = PlanRequest(
            one.client,
            place.file,
            self._action,
            self._url(),
            None if refresh else self._install_state,
            self.page.by_address(),
            self.page.off(),
            self.page.gets.current(),
            self._done.get(key),
        )

        if is_large(place.file):
            self.page.show_state(self.tr("Reading {0}’s settings…").format(one.client.name))
            self.page.show_plan(None, "")
            self._enable()
            self._planning.start(
                self._plan_in_thread(one, lambda: plan_change(request, home, identity, documents), refresh=refresh)
            )
        else:
            self._show_planned(one, plan_change(request, home, identity, documents), refresh=refresh)

    async def _plan_in_thread(self, one: FoundClient, plan: Callable[[], PlannedChange], *, refresh: bool) -> None:
        try:
            planned = await in_thread(plan)
        except Exception as error:  # noqa: BLE001 - another program's file may hold anything
            self._show_error(error)
        else:
            self._show_planned(one, planned, refresh=refresh)

    def _show_without_a_file(self, key: str, one: FoundClient | None) -> None:
        self._install_state = InstallState()
        self.page.show_install_state(self._install_state, has_address=False)
        if one is None:
            self.page.show_state(self.tr("It was connected by hand."), self._presence(key))
        else:
            self.page.show_state(
                self.tr("{0} was not found on this computer.").format(one.client.name), self._presence(key)
            )
            if one.problem is not None and one.problem.code is not Code.CLIENT_NOT_INSTALLED:
                self.page.show_state(self.tr("{0} cannot be connected now.").format(one.client.name))
                self.page.show_wrong(messages.problem_text(one.problem))
        self.page.show_plan(None, "", one.notes if one is not None else ())
        self._enable()

    def _show_planned(self, one: FoundClient, planned: PlannedChange, *, refresh: bool) -> None:
        self._install_state, self._prepared = planned.install_state, planned.prepared
        if refresh:
            self.page.show_install_state(planned.install_state, has_address=one.client.by_url is not None)
        if planned.prepared is None:
            self.page.show_state(self.tr("{0} cannot be connected now.").format(one.client.name))
        else:
            self._describe(one, planned.prepared)
        if planned.error is not None:
            self._show_error(planned.error)
        done = self._done.get(one.client.id)
        shown = done.prepared if done is not None else planned.prepared
        self.page.show_plan(shown.plan if shown is not None else None, planned.diff, one.notes)
        self._enable()

    def _describe(self, one: FoundClient, prepared: PreparedChange) -> None:
        done = self._done.get(one.client.id)
        if done is not None:
            words = texts.describe_completed(one.client, done.action)
        else:
            words = texts.describe_planned(one.client, self._action, self._install_state, prepared.plan)
        self.page.show_state(words.state, self._presence(one.client.id), words.advice, good=words.good)

    def _enable(self) -> None:
        key, one = self._key(), self._current()
        done = key in self._done
        connected = one is not None and one.connected
        by_hand = key != OTHER and one is None and key in self._library.snapshot.clients
        plan = self._prepared.plan if self._prepared is not None else None
        self.page.show_choices(self._action is not ConnectAction.REMOVE and (plan is not None or by_hand))
        words = {ConnectAction.REMOVE: self.tr("Disconnect"), ConnectAction.RENEW: self.tr("Give it the new token")}
        update = self.tr("Change it") if self._install_state.connected else self.tr("Connect")
        self.first_button.setText(words.get(self._action, update))
        self.first_button.setVisible(plan is not None and plan.changes and not done)
        self.first_button.setDefault(self.first_button.isVisibleTo(self))
        if done:
            self.second_button.setText(self.tr("Undo"))
        elif by_hand:
            self.second_button.setText(self.tr("Forget it"))
        else:
            intended = self._action is not ConnectAction.CONNECT
            self.second_button.setText(self.tr("Keep it as it is") if intended else self.tr("Disconnect…"))
        self.second_button.setVisible(done or connected or by_hand)
        settled = connected and not done and self._action is ConnectAction.CONNECT
        has_token = self._install_state.direct is not None and self._install_state.token_is_valid
        self.replace_button.setVisible(settled and plan is not None and texts.is_edited(plan))
        self.renew_button.setVisible(settled and has_token)
        self.revoke_button.setVisible(settled and has_token)

    # --- actions

    def _select_action(self, action: ConnectAction) -> None:
        self._action = action
        self._plan()

    def _apply_change(self) -> None:
        """Apply the planned change."""
        one, prepared = self._current(), self._prepared
        if one is None or prepared is None:
            return
        inverse: tuple[Edit, ...] = ()

        def carry_out() -> None:
            nonlocal inverse
            installing.apply(prepared.plan, self._link.home)
            inverse = self._submit(prepared.edits)

        if self._attempt(carry_out):
            self._done[one.client.id] = CompletedChange(prepared, inverse, self._action)
            self._finish_change(one.client)

    def _undo_or_switch(self) -> None:
        """Undo the change made here; else switch between connecting and disconnecting."""
        key, one = self._key(), self._current()
        if one is None:
            self._forget(key)
            return
        done = self._done.get(key)
        if done is None:
            self._select_action(
                ConnectAction.CONNECT if self._action is not ConnectAction.CONNECT else ConnectAction.REMOVE
            )
            return

        def revert() -> None:
            installing.undo(done.prepared.plan, self._link.home)
            self._submit(done.inverse)

        if self._attempt(revert):
            del self._done[key]
            self._finish_change(one.client)

    def _revoke(self) -> None:
        """Revoke the assistant's token; its file stays unchanged."""
        edits = client_entries.revoke_edits(self._library.raw(CLIENTS), self._key())
        if self._attempt(lambda: self._submit(edits)):
            self._refresh()

    def _forget(self, client: str) -> None:
        edits = client_entries.forget_edits(self._library.raw(CLIENTS), client)
        if self._attempt(lambda: self._submit(edits)):
            self.assistants.remove_row(client)

    def _assign_toolset(self, toolset: str | None) -> None:
        """Assign a toolset: at once to a connected assistant, else with the planned change."""
        key, one = self._key(), self._current()
        if one is not None and not one.connected:
            self._plan()
            return
        name = one.client.name if one is not None else key
        edits = client_entries.toolset_edits(self._library.raw(CLIENTS), key, name, toolset)
        self._attempt(lambda: self._submit(edits))

    def _submit(self, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        return self._library.submit(*edits).inverse if edits else ()

    def _finish_change(self, client: KnownClient) -> None:
        self._action = ConnectAction.CONNECT
        self._update_row(client)
        self._refresh()
        self.close_button.setText(self.tr("Done") if self._done else self.tr("Close"))
        self.close_button.setFocus()
        self.changed.emit(client.id)

    def _attempt(self, action: Callable[[], object]) -> bool:
        try:
            action()
        except ToolnoteError as error:
            self._plan()  # from the file's current state
            self._show_error(error)
            return False
        return True

    def _show_error(self, error: Exception) -> None:
        self.pages.setCurrentIndex(0)
        self.page.show_wrong(messages.problem_text(error.problem) if isinstance(error, ToolnoteError) else str(error))

    # --- state

    def _show_presence(self, _clients: object = None) -> None:
        text = self._presence(self._key())
        self.page.presence.setText(text)
        self.page.presence.setVisible(bool(text))

    def _presence(self, client: str) -> str:
        text = presence(client, self._link.clients(), self._seen)
        return f"{text}." if text else ""

    def _documents(self) -> RawDocuments:
        return RawDocuments(self._library.raw(CLIENTS), self._library.raw(SERVERS))

    def _url(self) -> str:
        if self._link.endpoint is not None:
            return self._link.endpoint.url
        return endpoint_url(self._library.snapshot.settings.port or DEFAULT_PORT)

    def _key(self) -> str:
        item = self.assistants.currentItem()
        return str(item.data(KEY)) if item is not None else OTHER

    def _current(self) -> FoundClient | None:
        return self._found.get(self._key())
