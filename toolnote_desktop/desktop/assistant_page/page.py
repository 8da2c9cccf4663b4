"""Page of one assistant: state, toolset, its own copies of tool sources, and the change to its settings file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.installing.client_entries import forget_edits, revoke_edits
from toolnote_desktop.assistants.installing.connect import (
    ConnectAction,
    ConnectOptions,
    PreparedChange,
    RawDocuments,
)
from toolnote_desktop.assistants.known_client import FollowsChanges
from toolnote_desktop.assistants.registry import CLIENTS as KNOWN
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.assistant_page.carriers import CarrierRow
from toolnote_desktop.desktop.assistant_page.guidance_rows import GuidanceFacts, GuidanceRows, read_guidance
from toolnote_desktop.desktop.assistant_page.inspector import AssistantFacts, AssistantInspector, read_facts
from toolnote_desktop.desktop.assistant_page.reading import (
    AssistantReading,
    Surroundings,
    apply_change,
    plan_removal,
    read_assistant,
    revert_change,
)
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.assistant_settings import AssistantSettings
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey, initials_of
from toolnote_desktop.desktop.models.needs_you import count_notes_in, unread_words
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label, without_mnemonics
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton, Tile
from toolnote_desktop.desktop.widgets.diff_view import DiffView
from toolnote_desktop.desktop.widgets.form_rows import FormRow
from toolnote_desktop.desktop.widgets.page import Page, Width
from toolnote_desktop.desktop.widgets.question import QuestionDialog
from toolnote_desktop.guidance.served_tools import is_available, resolve_toolset
from toolnote_desktop.model.clients import Client
from toolnote_desktop.model.edits import CLIENTS, SERVERS, Edit
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.store.activity_queries import last_seen
from toolnote_desktop.store.library import Library

SHARED = ""
"""Value of the menu's entry for the default toolset."""


class AssistantPage(Page):
    """See the module.

    Signals:
        done: a sentence for the toast, and a function that undoes it.
        connection_read: the id of an assistant, and True if its settings file has Toolnote's entry.
        own_tools_requested: choose which of Toolnote's own tools are served.
    """

    done = Signal(str, object)
    connection_read = Signal(str, bool)
    own_tools_requested = Signal()
    has_menu = True

    def __init__(
        self,
        library: Library,
        link: ProxyLink,
        actions: Actions,
        files: GuidanceFiles,
        identity: Callable[[], ToolnoteIdentity],
        settings: AssistantSettings,
    ) -> None:
        super().__init__(self.tr("Assistant"))
        self._library, self._link, self._actions, self._files = library, link, actions, files
        self._identity = identity
        self.guidance = GuidanceRows(files, settings)
        self.guidance.reread.connect(self._count_again)
        self.carriers = CarrierRow(library, files)
        self.carriers.done.connect(self.done)
        self.carriers.failed.connect(self._show_error)
        self._client = ""
        self._reading: AssistantReading | None = None
        self._file: Path | None = None
        self._seen: dict[str, float] = {}
        self._read = LatestTask(self)
        self._count = LatestTask(self)
        self._write = LatestTask(self)
        self._counted: object = None
        self.side = AssistantInspector()
        self.side.own_tools_requested.connect(self.own_tools_requested)
        self.side.budget_requested.connect(lambda: self.place_requested.emit(RowKey(Kind.BUDGET)))
        self.side.calls_requested.connect(lambda: self.place_requested.emit(RowKey(Kind.ACTIVITY)))
        self.tile = Tile(size=40)
        self.top.insertWidget(0, self.tile)
        self.second.hide()
        self._lay_out()
        link.clients_changed.connect(lambda _clients: self._show_state())

    # --- what the frame shows

    def inspector(self) -> AssistantInspector:
        return self.side

    def fill_menu(self, menu: QMenu) -> None:
        """Add what is rarely needed."""
        reading = self._reading
        if reading is None:
            return
        state = reading.state
        if reading.found is None and self._client in self._library.snapshot.clients:
            menu.addAction(self.tr("Remove from list"), self._forget)
        if reading.found is not None and reading.found.client.by_url is not None and reading.is_connected:
            by_address = menu.addAction(self.tr("Connect by address"))
            by_address.setCheckable(True)
            by_address.setChecked(state.direct is not None)
            by_address.triggered.connect(self._set_by_address)
        if state.direct is not None and state.token_is_valid:
            menu.addAction(self.tr("New token"), lambda: self._change(ConnectAction.RENEW, self.tr("Token renewed")))
            menu.addAction(self.tr("Revoke token"), self._revoke)
        if reading.is_edited:
            words = self.tr("Replace the edited entry")
            menu.addAction(words, lambda: self._change(ConnectAction.REPLACE, self.tr("Entry replaced")))
        if menu.isEmpty():
            menu.addAction(self.tr("Read the settings file again"), self.refresh)

    def set_width_class(self, width: Width) -> None:
        """Put captions above their controls in a narrow window."""
        super().set_width_class(width)
        for row in self._rows:
            row.set_narrow(width < Width.NARROW)

    # --- layout

    def _lay_out(self) -> None:
        self.line = label("", "second", wraps=True)
        self.body.addWidget(self.line)
        self.body.addSpacing(16)
        self.box = QFrame()
        self.box.setProperty("kind", "attention-box")
        inside = QHBoxLayout(self.box)
        inside.setContentsMargins(16, 12, 16, 12)
        signs = QVBoxLayout()
        signs.addWidget(Dot(Mark.ATTENTION))
        signs.addStretch(1)
        inside.addLayout(signs)
        words = QVBoxLayout()
        words.setSpacing(4)
        self.box_title = label("", "heading", wraps=True)
        self.box_text = label("", wraps=True)
        words.addWidget(self.box_title)
        words.addWidget(self.box_text)
        inside.addLayout(words, 1)
        self.body.addWidget(self.box)
        self.wrong = Alert()
        self.wrong.hide()
        self.body.addWidget(self.wrong)
        self.toolset_row = FormRow(self.tr("Toolset"))
        choice = QHBoxLayout()
        choice.setSpacing(16)
        self.toolset = MenuButton(self.tr("Toolset"), boxed=True)
        self.toolset.setMinimumWidth(200)
        self.toolset.setMaximumWidth(280)
        self.toolset.chosen.connect(self._assign)
        self.open_toolset = Button("", "link", pressed=self._open_toolset)
        choice.addWidget(self.toolset, 1)
        choice.addWidget(self.open_toolset)
        choice.addStretch(1)
        self.toolset_row.body.addLayout(choice)
        self.toolset_counts = label("", "small", wraps=True)
        self.toolset_row.body.addWidget(self.toolset_counts)
        self.copies_row = FormRow(self.tr("Its own copies"))
        self._copies = QWidget()
        self._copies_column = column(self._copies, spacing=4)
        self.copies_text = label("", "small", wraps=True)
        self.copies_row.body.addWidget(self._copies)
        self.copies_row.body.addWidget(self.copies_text)
        self.boxes: dict[str, CheckBox] = {}
        self.file_row = FormRow(self.tr("Settings file"))
        self.change = Collapsible(self.tr("Show the change to its settings file"), flat=True)
        self.change.body.setContentsMargins(0, 4, 0, 8)
        self.diff = DiffView(fits=True)
        self.diff.setAccessibleName(self.tr("Change to its settings file"))
        self.change.body.addWidget(self.diff)
        self.which = MenuButton(self.tr("Settings file"), boxed=True)
        self.which.chosen.connect(self._choose_file)
        self.path = label("", "small", wraps=True, can_be_copied=True)
        self.notes = label("", "small", wraps=True)
        for widget in (self.change, self.which, self.path, self.notes):
            self.file_row.body.addWidget(widget)
        self.end_row = FormRow("", line=False)
        buttons = QHBoxLayout()
        self.connect_button = Button(self.tr("Connect"), "primary", pressed=self._connect)
        self.disconnect_button = Button(self.tr("Disconnect…"), "destructive", pressed=self._ask_to_disconnect)
        buttons.addWidget(self.connect_button)
        buttons.addWidget(self.disconnect_button)
        buttons.addStretch(1)
        self.end_row.body.addLayout(buttons)
        self.end_text = label("", "small", wraps=True)
        self.end_row.body.addWidget(self.end_text)
        self._rows = (self.toolset_row, self.copies_row, self.guidance, self.carriers, self.file_row, self.end_row)
        for row in self._rows:
            self.body.addWidget(row)
        self.body.addStretch(1)

    # --- display

    @property
    def name(self) -> str:
        """Name of the assistant."""
        known = KNOWN.get(self._client)
        return known.name if known is not None else messages.author_name(self._library.snapshot, self._client)

    @property
    def client(self) -> str:
        """Id of the assistant that is shown."""
        return self._client

    def show_assistant(self, snapshot: Snapshot, client: str) -> None:
        """Show an assistant, or update it."""
        is_other = client != self._client
        self._client = client
        self.title.setText(self.name)
        self.tile.show_initials(self._initials(snapshot))
        self.setAccessibleName(self.name)
        self._show_toolset(snapshot)
        self.guidance.show_settings(snapshot, client, self.name)
        toolset = self._toolset_of(snapshot)
        self.carriers.show_assistant(snapshot, client, self.name, toolset.name if toolset is not None else None)
        if is_other:
            self.verticalScrollBar().setValue(0)
            self._reading, self._file = None, None
            self.wrong.hide()
            self.side.show_facts(self.name, None)
            self._show_reading()
            self.refresh()
        else:
            self._show_state()
        self._count_facts(snapshot)

    def _initials(self, snapshot: Snapshot) -> str:
        """Return the initials that the sidebar shows, too: no two assistants have the same."""
        found: dict[str, str] = {}
        for one in snapshot.clients:
            found[one] = initials_of(messages.author_name(snapshot, one), found.values())
        return found.get(self._client) or initials_of(self.name, found.values())

    def refresh(self) -> None:
        """Read the assistant's settings file anew."""
        client, around, file = self._client, self._surroundings(), self._file
        self._read.start(self._show_read(lambda: (read_assistant(client, around, None, file), last_seen(around.home))))

    async def _show_read(self, read: Callable[[], tuple[AssistantReading, dict[str, float]]]) -> None:
        try:
            reading, self._seen = await in_thread(read)
        except Exception as error:  # noqa: BLE001 - another program's file may hold anything
            self._show_error(error)
            return
        self._reading = reading
        self._show_reading()
        self.chrome_changed.emit()
        if reading.found is not None and reading.file is not None:
            self.connection_read.emit(reading.client, reading.is_connected)

    def _show_toolset(self, snapshot: Snapshot) -> None:
        entry = snapshot.clients.get(self._client)
        own = entry.toolset if entry is not None else None
        shared = snapshot.shared_toolset
        title = shared.title if shared is not None else self.tr("none")
        choices = [Choice(self.tr("Default toolset ({0})").format(title), SHARED)]
        choices += [Choice(one.title, name) for name, one in snapshot.toolsets.items()]
        self.toolset.set_choices(choices, own if own in snapshot.toolsets else SHARED)
        toolset = self._toolset_of(snapshot)
        self.open_toolset.setVisible(toolset is not None)
        if toolset is not None:
            self.open_toolset.set_text(self.tr("Open {0}").format(toolset.title))
            self.toolset_counts.setText(counts_text(snapshot, toolset))
        else:
            self.toolset_counts.setText(self.tr("No toolset yet, so {0} gets none of your tools.").format(self.name))

    def _toolset_of(self, snapshot: Snapshot) -> Toolset | None:
        entry = snapshot.clients.get(self._client)
        own = snapshot.toolsets.get(entry.toolset or "") if entry is not None else None
        return own or snapshot.shared_toolset

    def _show_reading(self) -> None:
        reading = self._reading
        is_read = reading is not None
        connected = reading is not None and reading.is_connected
        change = reading.change if reading is not None else None
        self._show_state()
        self._show_copies(reading)
        file = reading.file if reading is not None else None
        self.file_row.setVisible(file is not None)
        self.diff.show_diff(reading.diff if reading is not None else "", colours(self.palette()))
        self.change.setVisible(bool(reading is not None and reading.diff))
        self.path.setText(_short(file) if file is not None else "")
        files = reading.files if reading is not None else ()
        self.which.setVisible(len(files) > 1 and not connected)
        self.which.set_choices([Choice(_short(one), str(one)) for one in files], str(file))
        notes = [one for one in reading.notes if connected or one.code is not Code.CLIENT_SERVER_OFF] if reading else []
        self.notes.setText("\n".join(messages.problem_text(note) for note in notes))
        self.notes.setVisible(bool(notes))
        can_connect = change is not None and change.plan.changes and not (reading is not None and reading.is_edited)
        had_focus = self.window().focusWidget() in (self.connect_button, self.disconnect_button)
        self.connect_button.setVisible(can_connect)
        self.connect_button.set_text(self.tr("Update its entry") if connected else self.tr("Connect"))
        self.disconnect_button.setVisible(connected)
        self.end_row.setVisible(is_read and (connected or can_connect))
        if had_focus and is_read:
            (self.disconnect_button if connected else self.connect_button).setFocus()
        if connected:
            words = self.tr("Takes Toolnote out of {0} and restores its settings file as it was.")
        else:
            words = self.tr("Adds one entry to {0}’s settings file. A copy of the file as it is now is kept.")
        self.end_text.setText(words.format(self.name))
        problem = reading.problem if reading is not None else None
        if problem is not None and problem.code is not Code.CLIENT_NOT_INSTALLED:
            self._show_error(ToolnoteError(problem.code, **problem.parameters))
        elif is_read:
            self.wrong.hide()

    def _show_copies(self, reading: AssistantReading | None) -> None:
        empty(self._copies_column)
        self.boxes = {}
        state = reading.state if reading is not None else None
        names = list(dict.fromkeys([*state.off, *state.duplicates])) if state is not None else []
        for name in names:
            box = CheckBox(without_mnemonics(name))
            box.setChecked(state is not None and (name in state.off or not state.connected))
            box.toggled.connect(lambda on, name=name: self._turn_copy(name, off=on))
            self._copies_column.addWidget(box)
            self.boxes[name] = box
        self.copies_row.setVisible(bool(names))
        if state is not None and state.connected:
            text = self.tr(
                "Turned off in {0}, so that each tool appears there only once. Turned back on when you disconnect."
            )
        else:
            text = self.tr(
                "Connecting turns these off in {0}, so that each tool appears there only once. Disconnecting turns "
                "them back on."
            )
        self.copies_text.setText(text.format(self.name))

    def _show_state(self) -> None:
        """Show the state in a line, or in the box where something is to do."""
        if not self._client:
            return
        here = [one for one in self._link.clients() if one.id == self._client]
        known = KNOWN.get(self._client)
        is_behind = bool(here) and not all(one.up_to_date for one in here)
        needs_restart = is_behind and (known is None or known.follows is FollowsChanges.RESTART)
        self.box.setVisible(needs_restart)
        if needs_restart:
            behind = max(one.changes_behind for one in here)
            self.box_title.setText(unread_words(self.name, behind))
            advice = messages.problem_text(known.advice_after_change()) if known is not None else ""
            self.box_text.setText(advice)
            self.box_text.setVisible(bool(advice))
        self.line.setText("" if needs_restart else self._state_line(running=bool(here)))
        self.line.setVisible(not needs_restart)
        seen = self._seen.get(self._client)
        when = self.tr("Now") if here else _capital(messages.how_long_ago(_iso(seen))) if seen is not None else ""
        version = here[0].version if here else ""
        self.side.show_connection({self.tr("Last active"): when, self.tr("Version"): version})

    def _state_line(self, *, running: bool) -> str:
        reading = self._reading
        if running:
            known = KNOWN.get(self._client)
            keeps_some = known is not None and known.after_change is not Code.CLIENT_FOLLOWS
            if known is not None and keeps_some and known.follows is not FollowsChanges.RESTART:
                return f"{self.tr('Running')}. {messages.problem_text(known.advice_after_change())}"
            return self.tr("Running")
        if reading is None:
            return self.tr("Reading its settings…") if self._client in KNOWN else self.tr("Set up")
        if reading.is_edited:
            return self.tr("Set up. Its entry was edited by hand and stays as it is.")
        if reading.is_connected or reading.found is None:
            known = KNOWN.get(self._client)
            if known is not None and self._client not in self._seen:
                set_up = self.tr("Set up.")
                return f"{set_up} {messages.problem_text(known.advice_after_install())}"
            return self.tr("Set up")
        if reading.file is None:
            return self.tr("{0} isn’t on this computer.").format(self.name)
        return self.tr("Not connected yet")

    def _count_again(self) -> None:
        self._counted = None
        self._count_facts(self._library.snapshot)

    def _count_facts(self, snapshot: Snapshot) -> None:
        key = (self._client, snapshot.revision)
        if key == self._counted:
            return
        self._counted = key
        toolset, client, home = self._toolset_of(snapshot), self._client, self._link.home
        entry = snapshot.clients.get(client)
        dialect = self._files.dialect_of(client, entry if entry is not None else Client())

        def read() -> tuple[AssistantFacts, GuidanceFacts]:
            return (
                read_facts(snapshot, toolset, dialect, home, client),
                read_guidance(snapshot, toolset, dialect, client),
            )

        self._count.start(self._show_facts(snapshot, read))

    async def _show_facts(self, snapshot: Snapshot, read: Callable[[], tuple[AssistantFacts, GuidanceFacts]]) -> None:
        facts, guidance = await in_thread(read)
        self.side.show_facts(self.name, facts)
        self.guidance.show_facts(snapshot, guidance)

    # --- actions

    def _surroundings(self) -> Surroundings:
        documents = RawDocuments(self._library.raw(CLIENTS), self._library.raw(SERVERS))
        return Surroundings(current_environment(), self._identity(), self._link.home, documents, self._link.url)

    def _assign(self, toolset: object) -> None:
        name = str(toolset) if toolset != SHARED else None
        self._actions.give_toolset(self._client, name)

    def _open_toolset(self) -> None:
        toolset = self._toolset_of(self._library.snapshot)
        if toolset is not None:
            self.place_requested.emit(RowKey(Kind.TOOLSET, toolset.name))

    def _choose_file(self, file: object) -> None:
        self._file = Path(str(file))
        self.refresh()

    def _off(self) -> frozenset[str]:
        return frozenset(name for name, box in self.boxes.items() if box.isChecked())

    def _turn_copy(self, name: str, *, off: bool) -> None:
        reading = self._reading
        if reading is None:
            return
        if reading.is_connected:
            words = self.tr("{copy} turned off in {assistant}") if off else self.tr("{copy} turned on in {assistant}")
            self._change(ConnectAction.CONNECT, words.format(copy=name, assistant=self.name))
        else:
            self._replan()

    def _replan(self) -> None:
        """Plan the change anew for the copies that are ticked; nothing is written."""
        client, around, file, options = self._client, self._surroundings(), self._file, self._options()
        self._read.start(self._show_plan(lambda: read_assistant(client, around, options, file)))

    async def _show_plan(self, read: Callable[[], AssistantReading]) -> None:
        reading = await in_thread(read)
        self._reading = reading
        self.diff.show_diff(reading.diff, colours(self.palette()))

    def _options(self, action: ConnectAction = ConnectAction.CONNECT) -> ConnectOptions:
        by_address = self._reading is not None and self._reading.state.direct is not None
        return ConnectOptions(action, by_address, self._off(), None)

    def _set_by_address(self, by_address: bool) -> None:
        options = ConnectOptions(ConnectAction.CONNECT, by_address, self._off(), None)
        self._change(ConnectAction.CONNECT, self.tr("{0} reconnected").format(self.name), options)

    def _connect(self) -> None:
        self._change(ConnectAction.CONNECT, self.tr("{0} connected").format(self.name))

    def _change(self, action: ConnectAction, words: str, options: ConnectOptions | None = None) -> None:
        """Write a change to the assistant's settings file."""
        client, around, file = self._client, self._surroundings(), self._file
        wanted = options or self._options(action)

        def carry_out() -> PreparedChange:
            reading = read_assistant(client, around, wanted, file)
            if reading.change is None:
                problem = reading.problem
                raise ToolnoteError(problem.code if problem is not None else Code.CLIENT_NOT_INSTALLED, client=client)
            apply_change(reading.change, around.home)
            return reading.change

        self._run(carry_out, words)

    def _ask_to_disconnect(self) -> None:
        title = self.tr("Disconnect {0}?").format(self.name)
        text = self.tr("Takes Toolnote out of {0} and restores its settings file as it was.").format(self.name)
        question = QuestionDialog(title, text, [("disconnect", self.tr("Disconnect"))], self.window())
        question.answered.connect(lambda _answer: self.disconnect_assistant())
        question.open()

    def disconnect_assistant(self) -> None:
        """Take Toolnote out of the assistant's settings file."""
        reading, around = self._reading, self._surroundings()
        if reading is None:
            return

        def carry_out() -> PreparedChange:
            change = plan_removal(reading, around)
            apply_change(change, around.home)
            return change

        self._run(carry_out, self.tr("{0} disconnected").format(self.name))

    def _run(self, carry_out: Callable[[], PreparedChange], words: str) -> None:
        if not self._write.is_running:
            self._write.start(self._carry_out(carry_out, words))

    async def _carry_out(self, carry_out: Callable[[], PreparedChange], words: str) -> None:
        client = self._client
        try:
            change = await in_thread(carry_out)
            inverse = self._submit(change.edits)
        except Exception as error:  # noqa: BLE001 - another program's file may hold anything
            self.refresh()
            self._show_error(error)
            return

        def undo() -> None:
            self._write.start(self._undo(client, change, inverse))

        self.done.emit(words, undo)
        self.refresh()

    async def _undo(self, client: str, change: PreparedChange, inverse: tuple[Edit, ...]) -> None:
        try:
            await in_thread(revert_change, change, self._link.home)
            self._submit(inverse)
        except Exception as error:  # noqa: BLE001 - another program's file may hold anything
            self._show_error(error)
        if client == self._client:
            self.refresh()

    def _revoke(self) -> None:
        self._submit(revoke_edits(self._library.raw(CLIENTS), self._client))
        self.refresh()

    def _forget(self) -> None:
        self._submit(forget_edits(self._library.raw(CLIENTS), self._client))
        self.place_requested.emit(RowKey(Kind.HOME))

    def _submit(self, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        return self._library.submit(*edits).inverse if edits else ()

    def _show_error(self, error: Exception) -> None:
        text = messages.error_text(error)
        self.wrong.setText(text)
        self.wrong.show()


def counts_text(snapshot: Snapshot, toolset: Toolset) -> str:
    """Return how many tools and notes an assistant with this toolset gets, in words."""
    resolved = [one for one in resolve_toolset(snapshot, toolset) if one.enabled and one.known is not None]
    known = {one.known.tool.key for one in resolved if one.known is not None and is_available(snapshot, one.known)}
    return f"{messages.count_tools(len(known))}, {messages.count_notes(count_notes_in(snapshot, toolset))}"


def _short(file: Path) -> str:
    """Return a path with ``~`` for the user's folder."""
    try:
        return f"~/{file.relative_to(Path.home()).as_posix()}"
    except ValueError:
        return str(file)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
