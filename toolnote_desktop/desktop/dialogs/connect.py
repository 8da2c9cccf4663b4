"""Connect an assistant: which one, exactly what changes in its file, done or undone, and what to do next.

The one place where another program's file is changed, and so the one that asks first (CONTRACT 4, ``clients install``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from toolnote_desktop.assistants import installing
from toolnote_desktop.assistants.client import KnownClient, Standing
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.find import FoundClient, find_clients
from toolnote_desktop.assistants.installing import Plan
from toolnote_desktop.assistants.own_entry import Ourselves
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.dialogs.assistant_list import KEY, AssistantList
from toolnote_desktop.desktop.dialogs.choice import Choice
from toolnote_desktop.desktop.dialogs.diff_view import DiffView
from toolnote_desktop.desktop.dialogs.frame import Dialog, button, label, set_kind
from toolnote_desktop.desktop.dialogs.snippet import Snippet
from toolnote_desktop.desktop.task import run_task
from toolnote_desktop.desktop.theme import Colours, colours, text_scale
from toolnote_desktop.model.edits import CLIENTS, Edit
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

OTHER = ""
"""The row of assistants that are not in the list."""


@dataclass(frozen=True, slots=True)
class _Done:
    """A plan that was carried out here, so that it can be undone."""

    plan: Plan
    inverse: tuple[Edit, ...]


class ConnectDialog(Dialog):
    """Puts Toolnote into an assistant's own settings file, and takes it out.

    Signals:
        changed: the id of the assistant whose file was changed.
    """

    changed = Signal(str)

    def __init__(
        self,
        library: Library,
        home: Home,
        environment: Environment,
        ourselves: Ourselves,
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
        self._home = home
        self._environment = environment
        self._ourselves = ourselves
        self._wanted = client
        self._found: dict[str, FoundClient] = {}
        self._plan: Plan | None = None
        self._done: dict[str, _Done] = {}
        self._removing = False
        self._build()
        self.resize(round(880 * text_scale()), round(560 * text_scale()))
        run_task(self, lambda: find_clients(environment, ourselves), self._show_found, self._show_error)

    def dressed(self, scheme: Colours) -> None:
        """The difference colours its own lines."""
        self.diff.dress(scheme)

    def _build(self) -> None:
        self.assistants = AssistantList()
        self.assistants.setAccessibleName(self.tr("Assistants"))
        self.assistants.setFixedWidth(round(220 * text_scale()))
        self.assistants.chosen.connect(self._choose)
        self.state = label("", "heading")
        self.advice = label("", "second")
        self.file = label("", "small")
        self.files = Choice()
        self.files.setAccessibleName(self.tr("Which file"))
        self.files.chosen.connect(lambda _place: self._make_plan())
        self.notes = label("", "second")
        self.diff = DiffView()
        self.diff.setAccessibleName(self.tr("What changes in the file"))
        self.wrong = label("", "wrong")
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (self.state, self.advice, self.file, self.files, self.notes, self.wrong):
            column.addWidget(widget)
        column.addWidget(self.diff, 1)
        self.snippet = Snippet(self._home, self._ourselves)
        self.pages = QStackedWidget()
        self.pages.addWidget(page)
        self.pages.addWidget(self.snippet)
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addWidget(self.assistants)
        row.addWidget(self.pages, 1)
        self.body.addLayout(row)
        self.second_button = button("", "link")
        self.second_button.clicked.connect(self._second)
        self.first_button = button(self.tr("Connect"), "primary")
        self.first_button.clicked.connect(self._first)
        self.close_button = button(self.tr("Close"))
        self.close_button.clicked.connect(self.reject)
        self.buttons.addWidget(self.second_button)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.close_button)
        self.buttons.addWidget(self.first_button)
        self._enable(None)

    def _show_found(self, found: tuple[FoundClient, ...]) -> None:
        self._found = {one.client.id: one for one in sorted(found, key=lambda one: not one.installed)}
        for one in self._found.values():
            if one.installed:
                self._put_row(one)
        self.assistants.put(OTHER, self.tr("Another assistant"), self.tr("copy what it needs"))
        for one in self._found.values():
            if not one.installed:
                self._put_row(one)
        self.assistants.choose(self._wanted or next(iter(self._found), OTHER))
        self.assistants.setFocus()

    def _put_row(self, one: FoundClient) -> None:
        if one.connected:
            self.assistants.put(one.client.id, one.client.name, self.tr("connected"), good=True)
        else:
            second = self.tr("not connected") if one.installed else self.tr("not found on this computer")
            self.assistants.put(one.client.id, one.client.name, second)

    def _look_again(self, client: KnownClient) -> None:
        one = find_clients(self._environment, self._ourselves, [client])[0]
        self._found[client.id] = one
        self._put_row(one)

    def _choose(self, key: str) -> None:
        self._removing = False
        self.pages.setCurrentIndex(1 if key == OTHER else 0)
        if key == OTHER:
            self._enable(None)
            return
        one = self._found[key]
        live = [file.place for file in one.files if file.place.standing is Standing.LIVE]
        self.files.clear()
        for place in live:
            self.files.addItem(f"{place.file} ({place.label})" if place.label else str(place.file), place)
        self.files.setVisible(len(live) > 1)
        self._make_plan()

    def _make_plan(self) -> None:
        """What would be done to the chosen assistant's file, or what has been."""
        one = self._current()
        if one is None:
            return
        self._plan = None
        self.wrong.hide()
        place = self.files.currentData()
        if place is None:
            self._say(self.tr("{0} was not found on this computer.").format(one.client.name))
            self._show_plan()
            return
        try:
            if self._removing:
                self._plan = installing.plan_uninstall(one.client, place.file, self._home, self._ourselves)
            else:
                self._plan = installing.plan_install(one.client, place.file, self._home, self._ourselves)
        except ToolnoteError as error:
            self._say(self.tr("{0} cannot be connected now.").format(one.client.name))
            self._show_error(error)
        else:
            self._describe(one, self._plan)
        self._show_plan()

    def _describe(self, one: FoundClient, plan: Plan) -> None:
        name = one.client.name
        if one.client.id in self._done:
            done = self._done[one.client.id].plan
            if done.name is None:
                self._say(self.tr("{0} is no longer connected.").format(name), good=True)
            else:
                advice = messages.problem_text(one.client.advice_after_install())
                self._say(self.tr("{0} is connected.").format(name), advice, good=True)
        elif self._removing:
            self._say(
                self.tr("This takes Toolnote out of {0}.").format(name), self.tr("Its other settings stay as they are.")
            )
        elif not plan.changes and plan.notes:
            self._say(self.tr("Toolnote is in {0}, changed by somebody.").format(name))
        elif not plan.changes:
            self._say(
                self.tr("{0} is connected.").format(name),
                messages.problem_text(one.client.advice_after_change()),
                good=True,
            )
        else:
            self._say(
                self.tr("This is added to {0}’s settings.").format(name),
                self.tr("The green lines are new. A copy of the file as it is now is kept."),
            )

    def _say(self, state: str, advice: str = "", *, good: bool = False) -> None:
        self.state.setText(state)
        set_kind(self.state, "good" if good else "heading")
        self.advice.setText(advice)
        self.advice.setVisible(bool(advice))

    def _show_plan(self) -> None:
        one, plan = self._current(), self._plan
        done = self._done.get(one.client.id) if one is not None else None
        shown = done.plan if done is not None else plan
        place = self.files.currentData()
        self.file.setText(str(place.file) if place is not None else "")
        self.file.setVisible(place is not None and not self.files.isVisibleTo(self))
        notes = shown.notes if shown is not None else ()
        self.notes.setText("\n".join(messages.problem_text(note) for note in notes))
        self.notes.setVisible(bool(notes))
        diff = shown.diff() if shown is not None else ""
        self.diff.setVisible(bool(diff))
        self.diff.show_diff(diff, colours(self.palette()))
        self._enable(plan)

    def _enable(self, plan: Plan | None) -> None:
        one = self._current()
        done = one is not None and one.client.id in self._done
        connected = one is not None and one.connected
        self.first_button.setText(self.tr("Disconnect") if self._removing else self.tr("Connect"))
        self.first_button.setVisible(plan is not None and plan.changes and not done)
        self.first_button.setDefault(self.first_button.isVisibleTo(self))
        if done:
            self.second_button.setText(self.tr("Undo"))
        else:
            self.second_button.setText(self.tr("Keep it connected") if self._removing else self.tr("Disconnect…"))
        self.second_button.setVisible(done or connected)

    def _first(self) -> None:
        """Carry the plan out."""
        one, plan = self._current(), self._plan
        if one is None or plan is None:
            return
        inverse: tuple[Edit, ...] = ()

        def carry_out() -> None:
            nonlocal inverse
            installing.apply(plan, self._home)
            if plan.name is not None:
                edits = installing.client_edits(self._library.raw(CLIENTS), one.client)
                inverse = self._library.submit(*edits).inverse if edits else ()

        if self._attempt(carry_out):
            self._done[one.client.id] = _Done(plan, inverse)
            self._after(one.client)

    def _second(self) -> None:
        """Undo what was done here; else ask for the way out, or back from it."""
        one = self._current()
        if one is None:
            return
        done = self._done.get(one.client.id)
        if done is None:
            self._removing = not self._removing
            self._make_plan()
            return

        def take_back() -> None:
            installing.undo(done.plan, self._home)
            if done.inverse:
                self._library.submit(*done.inverse)

        if self._attempt(take_back):
            del self._done[one.client.id]
            self._after(one.client)

    def _after(self, client: KnownClient) -> None:
        self._removing = False
        self._look_again(client)
        self._make_plan()
        self.close_button.setText(self.tr("Done") if self._done else self.tr("Close"))
        self.close_button.setFocus()
        self.changed.emit(client.id)

    def _attempt(self, action: Callable[[], None]) -> bool:
        try:
            action()
        except ToolnoteError as error:
            self._make_plan()  # of the file as it is now
            self._show_error(error)
            return False
        return True

    def _show_error(self, error: Exception) -> None:
        text = messages.problem_text(error.problem) if isinstance(error, ToolnoteError) else str(error)
        self.wrong.setText(text)
        self.wrong.show()

    def _current(self) -> FoundClient | None:
        item = self.assistants.currentItem()
        return self._found.get(item.data(KEY)) if item is not None else None
