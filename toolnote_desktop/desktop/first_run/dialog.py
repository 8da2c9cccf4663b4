"""First-run dialog: servers of other programs, assistants to connect, or the demo."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.importing.hypertool import ImportOffer
from toolnote_desktop.assistants.installing.connect import RawDocuments
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.import_dialog import ImportDialog
from toolnote_desktop.desktop.async_tasks import LatestTask, disabled, in_thread
from toolnote_desktop.desktop.first_run.assistant_choices import (
    AssistantChoices,
    ConnectResult,
    PreparedAssistant,
    connect_all,
    prepare_assistants,
)
from toolnote_desktop.desktop.theme.colours import Colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button, restyle
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.sections import Sections
from toolnote_desktop.model.edits import CLIENTS, SERVERS
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore


class FirstRunDialog(ImportDialog):
    """Import of other programs' servers, with assistants to connect, the demo, and adding by hand.

    Signals:
        demo_requested: add the demo library.
        paste_requested: add tools by hand.
        connected: the assistants that are connected now, as a tuple of ``Ready``.
    """

    demo_requested = Signal()
    paste_requested = Signal()
    connected = Signal(object)

    def __init__(
        self,
        library: Library,
        home: Home,
        url: str,
        secrets: SecretStore | None = None,
        parent: QWidget | None = None,
    ) -> None:
        self.assistants = AssistantChoices()
        super().__init__(library, secrets, parent)
        self.setObjectName("first-run")
        self._home = home
        self._url = url
        self._environment: Environment | None = None
        self._identity = ToolnoteIdentity()
        self._preparing = LatestTask(self)
        self.demo_button = Button(self.tr("Try it with a demo"), "link")
        self.demo_button.clicked.connect(lambda: self._close_for(self.demo_requested))
        self.paste_button = Button(self.tr("Add tools by hand…"), "link")
        self.paste_button.clicked.connect(lambda: self._close_for(self.paste_requested))
        self.buttons.setSpacing(14)
        self.buttons.insertWidget(0, self.demo_button)
        self.buttons.insertWidget(1, self.paste_button)
        self.cancel_button.setText(self.tr("Later"))
        self.switch_off = CheckBox(self.tr("Switch off in the assistants what comes through Toolnote"))
        self.switch_off.toggled.connect(lambda _on: self._prepare_assistants())
        self.switch_off.hide()
        self.body.insertWidget(self.body.indexOf(self.store_secrets) + 1, self.switch_off)
        self.choices.changed.connect(self._chosen_servers_changed)
        self.assistants.changed.connect(self._refresh)
        self.beside = Sections(headed=True)
        self.beside.add(self.tr("Assistants to connect"), self.assistants)
        self.beside.hide()
        self.columns.addWidget(self.beside, 1, Qt.AlignmentFlag.AlignTop)
        self.setMinimumWidth(round(860 * text_scale()))

    def _is_wide(self) -> bool:
        return True

    def apply_colours(self, scheme: Colours) -> None:
        """Colour the lines of the diffs."""
        self.assistants.set_colours(scheme)

    def introduce(self, title: str, lead: str = "") -> None:
        """Show the welcome text."""
        super().introduce(
            self.tr("Welcome to Toolnote"),
            self.tr(
                "Your assistants use tools. Here you write notes on those tools, in your own words, and every "
                "assistant reads them. Which tools and which assistants shall it be?"
            ),
        )

    def search_computer(self, environment: Environment, identity: ToolnoteIdentity) -> None:
        """Search other programs on this computer, and the assistants among them."""
        self._environment, self._identity = environment, identity
        super().search_computer(environment, identity)

    def show_found(self, found: ImportOffer) -> None:
        """Show what was found; without anything, the other ways to begin."""
        super().show_found(found)
        anything = not self.nothing.isVisibleTo(self)
        self.nothing.setText(self.tr("No other program on this computer has tools to take over."))
        self.collect.setVisible(anything and self._toolset is not None)
        self._prepare_assistants()

    def _chosen_servers_changed(self) -> None:
        if self.switch_off.isChecked():
            self._prepare_assistants()

    def _prepare_assistants(self) -> None:
        """Plan the assistants' changes for the servers that are checked now."""
        environment, identity, home, url = self._environment, self._identity, self._home, self._url
        if environment is None:
            return
        documents, switch_off = self._documents_then(), self.switch_off.isChecked()
        self._preparing.start(
            self._prepare(
                lambda: prepare_assistants(environment, identity, home, documents, url, switch_off=switch_off)
            )
        )

    async def _prepare(self, plan: Callable[[], tuple[PreparedAssistant, ...]]) -> None:
        try:
            ready = await in_thread(plan)
        except Exception as error:  # noqa: BLE001 - other programs' files may hold anything
            self._show_error(error)
        else:
            self._show_assistants(ready)

    def _documents_then(self) -> RawDocuments:
        """Return the documents as they will be with the checked servers added."""
        servers = self._library.raw(SERVERS)
        for edit in self.edits():
            if edit.document == SERVERS:
                servers, _ = edit.apply(servers)
        return RawDocuments(self._library.raw(CLIENTS), servers)

    def _show_assistants(self, ready: tuple[PreparedAssistant, ...]) -> None:
        self.assistants.show_assistants(ready, self.assistants.unticked())
        self.beside.show_part(self.assistants, bool(ready))
        self.switch_off.setVisible(self.assistants.can_connect() and bool(self._candidates))
        self._refresh()
        QTimer.singleShot(0, self, self.fit)
        if not self.add_button.isVisibleTo(self):
            restyle(self.paste_button, kind="primary")
            self.buttons.removeWidget(self.paste_button)
            self.buttons.addWidget(self.paste_button)
            self.paste_button.setFocus()

    async def submit(self) -> None:
        """Add the checked tools, then connect the checked assistants; each can be undone."""
        chosen = self.assistants.chosen()
        servers = self.choices.checked_keys()
        edits = self.edits()
        try:
            if edits:
                self._library.submit(*edits)
        except ToolnoteError as error:
            self._show_error(error)
            return
        try:
            with disabled(self):
                connecting = await in_thread(connect_all, chosen, self._home)
        except Exception as error:  # noqa: BLE001 - other programs' files may hold anything
            self._show_error(error)
        else:
            self._finish(servers, connecting)

    def _finish(self, servers: list[str], connecting: ConnectResult) -> None:
        for one in connecting.done:
            if one.prepared is not None and one.prepared.edits:
                self._library.submit(*one.prepared.edits)
        self.connected.emit(connecting.done)
        if connecting.problems:
            self._show_problems(connecting)
            return
        self.accept()
        self.added.emit(tuple(servers))

    def _show_problems(self, connecting: ConnectResult) -> None:
        """Show the problems; the user can try again or leave."""
        self.wrong.setText("\n".join(messages.problem_text(problem) for problem in connecting.problems))
        self.wrong.show()
        self.show_found(self._found)

    def _refresh(self) -> None:
        super()._refresh()
        tools = len(self.choices.checked_keys()) + len(self.toolsets.checked_keys())
        assistants = len(self.assistants.chosen())
        words = {
            (True, True): self.tr("Add and connect"),
            (True, False): self.tr("Add"),
            (False, True): self.tr("Connect"),
        }
        self.add_button.setText(words.get((tools > 0, assistants > 0), self.tr("Add")))
        self.add_button.setEnabled(tools > 0 or assistants > 0)
        self.add_button.setVisible(bool(self._candidates or self._found.toolsets) or self.assistants.can_connect())

    def _close_for(self, signal: SignalInstance) -> None:
        self.reject()
        signal.emit()
