"""Row of an assistant's page: where it reads the user's notes, with a switch for each file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.assistant_page.guidance_rows import fill_rows
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button, empty, label
from toolnote_desktop.desktop.widgets.controls import Switch
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.diff_view import DiffView
from toolnote_desktop.desktop.widgets.form_rows import FormRow
from toolnote_desktop.model.audit import AuditEntry, AuditKind
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.notes import USER
from toolnote_desktop.publishing.places import install_command
from toolnote_desktop.publishing.plan import PublishPlan, apply
from toolnote_desktop.publishing.publisher import CarrierState, Publisher
from toolnote_desktop.publishing.records import Carrier, Publication
from toolnote_desktop.store.library import Library
from toolnote_desktop.system.program import toolnote_command

_AROUND = 16
"""Pixels that a dialog's style adds around a text."""


class PreviewDialog(Dialog):
    """Files that publishing or removing changes, before it does."""

    def __init__(self, plan: PublishPlan, *, removes: bool, parent: QWidget) -> None:
        super().__init__(parent)
        name = _short(plan.publication.path)
        if removes:
            self.introduce(self.tr("Remove your notes from {0}?").format(name))
        else:
            lead = self.tr("They follow your notes from then on. Everything else in a file stays as it is.")
            self.introduce(self.tr("Write your notes into {0}?").format(name), lead)
        self.diffs: list[DiffView] = []
        for change in plan.changes:
            self.body.addWidget(label(_short(str(change.path)), "name", wraps=True))
            diff = DiffView(fits=True)
            diff.setAccessibleName(self.tr("Change of {0}").format(change.path.name))
            diff.show_diff(change.diff(), colours(self.palette()))
            diff.setFixedHeight(diff.height() + _AROUND)
            self.body.addWidget(diff)
            self.diffs.append(diff)
        for note in plan.notes:
            self.body.addWidget(label(messages.problem_text(note), "attention", wraps=True))
        self.buttons.addStretch(1)
        self.buttons.addWidget(Button(self.tr("Cancel"), pressed=self.reject))
        self.write_button = Button(self.tr("Remove") if removes else self.tr("Write"), "primary", pressed=self.accept)
        self.buttons.addWidget(self.write_button)
        self.write_button.setFocus()
        self.setMinimumWidth(round(640 * text_scale()))


class CarrierRow(FormRow):
    """See the module.

    Signals:
        done: a sentence for the toast, and a function that undoes it.
        failed: an exception.
        shown: the files have been read and are shown.
    """

    done = Signal(str, object)
    failed = Signal(object)
    shown = Signal()

    def __init__(self, library: Library, files: GuidanceFiles) -> None:
        super().__init__(self.tr("Where it reads your notes"))
        self._library, self._home, self._files = library, library.home, files
        self._snapshot: Snapshot | None = None
        self._client, self._name = "", ""
        self._toolset: str | None = None
        self._read_of: object = None
        self._read, self._write = LatestTask(self), LatestTask(self)
        self.dialog: PreviewDialog | None = None
        text = self.tr("Tool descriptions and instructions, while it is connected. Also, if you like:")
        self.body.addWidget(label(text, "small", wraps=True))
        self._column = QVBoxLayout()
        self._column.setSpacing(6)
        self.body.addLayout(self._column)
        self.switches: dict[Publication, Switch] = {}
        self.texts: dict[Publication, str] = {}
        self.file_button = Button(self.tr("The rules of a project…"), "link", pressed=self._choose_file)
        fill_rows(self.body, self.file_button)

    def show_assistant(self, snapshot: Snapshot, client: str, name: str, toolset: str | None) -> None:
        """Show an assistant's carriers, read in a thread; nothing for one that is not set up."""
        self.setVisible(client in snapshot.clients)
        key = (client, toolset, snapshot.revision)
        self._snapshot, self._client, self._name, self._toolset = snapshot, client, name, toolset
        if key != self._read_of and client in snapshot.clients:
            self._read_of = key
            self._refresh()

    def _publisher(self) -> Publisher:
        return Publisher(self._home, self._files.dialects, toolnote_command())

    def _refresh(self) -> None:
        snapshot, client, toolset, publisher = self._snapshot, self._client, self._toolset, self._publisher()
        assert snapshot is not None
        self._read.start(self._show_states(lambda: publisher.states(snapshot, client, toolset, current_environment())))

    async def _show_states(self, read: Callable[[], Sequence[CarrierState]]) -> None:
        states = await in_thread(read)
        at = self.window().focusWidget()
        focused = next((publication for publication, switch in self.switches.items() if switch is at), None)
        empty(self._column)
        self.switches, self.texts = {}, {}
        for state in states:
            publication = state.publication
            text = self._title(state)
            switch = Switch(text, text, text, flush=True)
            switch.show_state(state.is_on)
            switch.toggled.connect(partial(self._turn, publication))
            self.switches[publication] = switch
            words = [_short(publication.path)]
            if state.is_on and publication.toolset != self._toolset:
                other = self._snapshot.toolsets.get(publication.toolset) if self._snapshot is not None else None
                title = other.title if other is not None else publication.toolset
                words.append(self.tr("Notes of {0}.").format(title))
            if state.problem is not None:
                words.append(messages.problem_text(state.problem))
            elif state.is_on and publication.carrier is Carrier.PLUGIN:
                install = install_command(publication)
                if install:
                    words.append(self.tr("Install it with: {0}").format(install))
                elif publication.client != "cursor":
                    words.append(self.tr("Install it in {0} from this folder.").format(self._name))
            below = self.texts[publication] = "\n".join(words)
            kind: Literal["attention", "small"] = "attention" if state.problem is not None else "small"
            fill_rows(self._column, switch, label(below, kind, wraps=True, can_be_copied=True))
        self.file_button.setEnabled(self._toolset is not None)
        if focused in self.switches:
            self.switches[focused].show()  # a hidden widget does not take the focus
            self.switches[focused].setFocus()
        self.shown.emit()

    def _title(self, state: CarrierState) -> str:
        match state.publication.carrier:
            case Carrier.SKILL:
                return self.tr("A skill")
            case Carrier.PLUGIN:
                return self.tr("A plugin")
            case _:
                return self.tr("Rules for all projects") if state.is_usual else self.tr("Rules of a project")

    def _turn(self, publication: Publication, on: bool) -> None:
        snapshot, publisher = self._snapshot, self._publisher()
        assert snapshot is not None
        plan = publisher.plan if on else publisher.plan_removal
        self._write.start(self._preview(lambda: plan(snapshot, publication), removes=not on))

    def _choose_file(self) -> None:
        text = self.tr("File with rules, such as CLAUDE.md or AGENTS.md")
        options = QFileDialog.Option.DontConfirmOverwrite
        path, _ = QFileDialog.getSaveFileName(self, text, "AGENTS.md", options=options)
        if path:
            self.publish_rules(Path(path))

    def publish_rules(self, file: Path) -> None:
        """Show what would be written into a file of rules."""
        if self._toolset is not None:
            self._turn(Publication(Carrier.RULES, str(file), self._toolset, self._client), True)

    async def _preview(self, make_plan: Callable[[], PublishPlan], *, removes: bool) -> None:
        try:
            plan = await in_thread(make_plan)
        except Exception as error:  # noqa: BLE001 - another program's file may hold anything
            self.failed.emit(error)
            self._refresh()
            return
        if not plan.changes:
            await self._apply(plan, removes=removes)
            return
        dialog = self.dialog = PreviewDialog(plan, removes=removes, parent=self.window())
        dialog.accepted.connect(lambda: self._write.start(self._apply(plan, removes=removes)))
        dialog.rejected.connect(self._refresh)
        dialog.open()

    async def _apply(self, plan: PublishPlan, *, removes: bool) -> None:
        name = _short(plan.publication.path)
        try:
            inverse = await in_thread(apply, plan, self._home)
        except Exception as error:  # noqa: BLE001 - another program's file may hold anything
            self.failed.emit(error)
        else:
            self._record(plan, removes=removes)
            words = self.tr("Notes removed from {0}") if removes else self.tr("Notes written into {0}")
            self.done.emit(words.format(name), lambda: self._write.start(self._undo(inverse)))
        self._refresh()

    def _record(self, plan: PublishPlan, *, removes: bool) -> None:
        publication = plan.publication
        action, detail = "removed" if removes else "published", publication.detail()
        self._library.audit.record(AuditEntry(USER, AuditKind.PUBLICATION, action, publication.toolset, detail))

    async def _undo(self, inverse: PublishPlan) -> None:
        try:
            await in_thread(apply, inverse, self._home)
            self._record(inverse, removes=inverse.record is None)
        except Exception as error:  # noqa: BLE001 - another program's file may hold anything
            self.failed.emit(error)
        self._refresh()


def _short(path: str) -> str:
    """Return a path with ``~`` for the user's folder."""
    try:
        return f"~/{Path(path).relative_to(Path.home()).as_posix()}"
    except ValueError:
        return path
