"""Fit of a pack to the tools that are here, what the scanner finds in it, and the choice of how it is imported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.findings import MOST_LINES, FindingsBox
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.models.work import WorkList, in_progress
from toolnote_desktop.desktop.widgets.basics import column, empty, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel
from toolnote_desktop.model.edits import toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.packs import plan
from toolnote_desktop.packs.fit import Fit, ToolFit, likely_tools, pack_findings, tool_fits
from toolnote_desktop.packs.pack_file import PROMPTS, with_tools_renamed
from toolnote_desktop.packs.plan import Here, PackPlan, pack_name, plan_pack
from toolnote_desktop.store.library import Library
from toolnote_desktop.system.threads import Turns

COMPARED_AT_ONCE: Final = 200
"""Tools and notes of a pack that is compared with the library at once; a larger one is compared in a thread."""


class PackPanel(QWidget):
    """Panel of one pack, before it is imported: of what ``received_pack`` took of it.

    Attributes:
        is_large: it is scanned, compared and planned beside the window.

    Signals:
        changed: the user made another choice.
        canceled: the user does not want to wait for the scan.
    """

    changed = Signal()
    canceled = Signal()

    def __init__(self, library: Library, content: JsonObject, work: WorkList | None = None) -> None:
        super().__init__()
        self._library, self._content = library, content
        notes = sum(len(group["notes"]) for group in content["toolNotes"])
        self.is_large = len(content["tools"]) + notes > COMPARED_AT_ONCE
        self._compared: tuple[object, ...] | None = None
        self._likely: dict[str, str] = {}
        self.choice = MenuButton(self.tr("How to import it"), boxed=True)
        self.choice.chosen.connect(lambda _value: self._plan_again())
        self.use_likely = CheckBox(self.tr("Put the notes of missing tools on the likely ones"))
        self.use_likely.toggled.connect(self._plan_again)
        self.outcome = label("", "second", wraps=True)
        self.tools = QWidget()
        self._tools = column(self.tools, spacing=4)
        self.findings = FindingsBox(self.tr("This pack may try to mislead assistants. Read these texts:"))
        self._scanning = LatestTask(self)
        self._comparing = LatestTask(self)
        self._is_scanned = self._is_planned = False
        self._work = work
        whole = column(self, spacing=8)
        for widget in (label(self.tr("Its tools here"), "heading"), self.tools, self.use_likely, self.findings):
            whole.addWidget(widget)
        whole.addWidget(self.choice)
        whole.addWidget(self.outcome)
        self.show_library()
        self._scanning.start(self._scan())

    @property
    def is_ready(self) -> bool:
        """True once the pack is scanned, and what its import does is shown."""
        return self._is_scanned and self._is_planned

    async def _scan(self) -> None:
        """Scan the texts in a thread: those of a large pack take seconds. Nothing can be added before that is done."""
        title = self.tr("Checking {pack}").format(pack=pack_name(self._content))
        turns = Turns()
        try:
            with in_progress(self._work, title, self.canceled.emit):
                found = await in_thread(pack_findings, self._content, self._library.snapshot.catalogue, turns)
        finally:
            turns.stop()
        self._is_scanned = True
        self.findings.show_findings(found)
        self.changed.emit()

    def stop(self) -> None:
        """Stop scanning and comparing."""
        self._scanning.cancel()
        self._comparing.cancel()

    def show_library(self) -> None:
        """Compare the pack with the library as it is now, if that has changed."""
        snapshot = self._library.snapshot
        compared = (snapshot.catalogue.tools, self._raw(), snapshot.notes, snapshot.tool_settings)
        if self._compared is not None and all(one is two for one, two in zip(compared, self._compared, strict=True)):
            return
        self._compared = compared
        if self.is_large:
            self._is_planned = False
            self._comparing.start(self._compare(snapshot))
        else:
            self._show_comparison(tool_fits(self._content, snapshot))

    async def _compare(self, snapshot: Snapshot) -> None:
        turns = Turns()
        try:
            fits = await in_thread(tool_fits, self._content, snapshot, turns)
        finally:
            turns.stop()
        self._show_comparison(fits)

    def _show_comparison(self, fits: Sequence[ToolFit]) -> None:
        self._likely = likely_tools(fits)
        self._show_fits(fits)
        self.use_likely.setVisible(bool(self._likely))
        if self.choice.current is None:
            name, toolsets = pack_name(self._content), self._library.snapshot.toolsets
            title = toolsets[name].title if name in toolsets else name
            choices = [
                Choice(self.tr("Merge into {0}").format(title), plan.MergeChoice.MERGE),
                Choice(self.tr("Keep both"), plan.MergeChoice.BOTH),
                Choice(self.tr("Replace {0} with the pack").format(title), plan.MergeChoice.THEIRS),
            ]
            self.choice.set_choices(choices, plan.MergeChoice.MERGE)
        self.choice.setVisible(self._raw() is not None)
        self._plan_again()

    def plan(self) -> PackPlan:
        """Return the import as chosen."""
        return self.planning()()

    def planning(self) -> Callable[[], PackPlan]:
        """Return the function that plans the import as chosen; it may run in a thread."""
        choice = self.choice.current
        name, taken = pack_name(self._content), self._library.snapshot.toolsets
        likely = self._likely if self.use_likely.isChecked() else {}
        here = Here.of(self._library.raw, name, taken)
        chosen = choice if isinstance(choice, plan.MergeChoice) else plan.MergeChoice.MERGE
        return partial(_plan, self._content, likely, here, chosen)

    def _raw(self) -> JsonObject | None:
        return self._library.raw(toolset_document(pack_name(self._content)))

    def _show_fits(self, fits: Sequence[ToolFit]) -> None:
        empty(self._tools)
        matching = sum(one.fit is Fit.MATCHES for one in fits)
        self._tools.addWidget(
            label(self.tr("{0} of {1} match").format(matching, messages.count_tools(len(fits))), "second")
        )
        others = [one for one in fits if one.fit is not Fit.MATCHES]
        for needs_check, alike in groupby(others[:MOST_LINES], lambda one: bool(one.notes)):
            lines = "\n".join(map(self.fit_text, alike))  # few labels, as in FindingsBox
            self._tools.addWidget(FullTextLabel(lines, "attention" if needs_check else "small"))
        if len(others) > MOST_LINES:
            self._tools.addWidget(label("…", "small"))

    def fit_text(self, one: ToolFit) -> str:
        """Return the fit of one tool in words."""
        name = one.tool.label
        if one.fit is Fit.LIKELY and one.known is not None:
            return self.tr("{0}: missing, likely {1}").format(name, one.known.tool.namespaced_name)
        if one.fit is Fit.MISSING:
            return self.tr("{0}: missing. Its notes are kept until a tool source offers it.").format(name)
        said = [self.tr("{0}: changed since.").format(name)]
        if one.removed:
            said.append(self.tr("It no longer has {0}.").format(messages.joined(one.removed)))
        if one.added:
            said.append(self.tr("It has {0} now.").format(messages.joined(one.added)))
        if one.notes:
            said.append(self.tr("Check these notes: {0}.").format(messages.joined(one.notes)))
        return " ".join(said)

    def _plan_again(self) -> None:
        """Show what the import does, as it is chosen now."""
        if self.is_large:
            self._is_planned = False
            self.changed.emit()
            self._comparing.start(self._plan_beside())
        else:
            self._show_outcome(self.plan())

    async def _plan_beside(self) -> None:
        self._show_outcome(await in_thread(self.planning()))

    def _show_outcome(self, found: PackPlan) -> None:
        self._is_planned = True
        if not found.edits:
            text = self.tr("You have all of it already.")
        else:
            tools, notes = messages.count_tools(found.tools), messages.count_notes(len(found.added))
            said = [self.tr("New: {0}, {1}.").format(tools, notes)]
            is_replaced = self.choice.current is plan.MergeChoice.THEIRS and self._raw() is not None
            if found.differing and is_replaced:
                said.append(self.tr("Replaced: {0}.").format(_names(found.differing)))
            elif found.differing:
                said.append(self.tr("Yours are kept: {0}.").format(_names(found.differing)))
            if found.removed:
                said.append(self.tr("Removed: {0}.").format(_names(found.removed)))
            words = {
                plan.SETTINGS: self.tr("settings of tools"),
                "guidelines": self.tr("guidelines"),
                "taskTypes": self.tr("kinds of work"),
                PROMPTS: self.tr("prompts of the bench"),
            }
            if parts := [words[one] for one in plan.other_parts(found)]:
                said.append(self.tr("With them: {0}.").format(messages.joined(parts)))
            text = " ".join(said)
        self.outcome.setText(text)
        self.changed.emit()


def _plan(content: JsonObject, likely: dict[str, str], here: Here, choice: plan.MergeChoice) -> PackPlan:
    """Plan an import, with the likely tools in place of missing ones."""
    return plan_pack(with_tools_renamed(content, likely) if likely else content, here, choice)


def _names(notes: Sequence[tuple[str, str]]) -> str:
    shown = [f"{tool} {name}" for tool, name in notes[:5]]
    return messages.joined((*shown, "…") if len(notes) > 5 else shown)
