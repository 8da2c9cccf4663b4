"""Bench of a toolset: prompts, a model, and what the notes change (docs/bench.md). It never runs by itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from toolnote_desktop.bench.bench_file import PROMPTS, Bench, NoteVersion, usable_prompts
from toolnote_desktop.bench.keys import endpoint_of, key_name, read_key
from toolnote_desktop.bench.model_endpoint import ModelEndpoint, standard_endpoint
from toolnote_desktop.bench.run import (
    SHARES,
    OfferedTools,
    Report,
    bench_names,
    estimate,
    notes_to_compare,
    offers,
    run_bench,
)
from toolnote_desktop.bench.statistics import Difference, RunVerdict
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.work import WorkList, in_progress
from toolnote_desktop.desktop.toolset_page.bench_plot import BenchPlot
from toolnote_desktop.desktop.toolset_page.bench_prompts import PromptList
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.auto_save_fields import LineField, TextField
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton
from toolnote_desktop.desktop.widgets.form_rows import FormRow
from toolnote_desktop.desktop.widgets.page import Crumb, Page
from toolnote_desktop.desktop.widgets.question import QuestionDialog
from toolnote_desktop.guidance.served_tools import chosen_tools
from toolnote_desktop.model.edits import ABSENT, SETTINGS, SetFields, toolset_document
from toolnote_desktop.model.names import free_note_name
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore

REPEATS: Final = (1, 3, 5, 10)
STEPS: Final = (1, 2, 4, 8)
_WITHOUT: Final = ""


class BenchPage(Page):
    """See the module.

    Signals:
        key_requested: the name of the endpoint whose key the user wants to store.
        finished: the report of a run.
    """

    key_requested = Signal(str)
    finished = Signal(object)

    def __init__(self, library: Library, changes: UndoStack, secrets: SecretStore) -> None:
        super().__init__(self.tr("Bench"))
        self._library, self._changes, self._secrets = library, changes, secrets
        self._toolset: Toolset | None = None
        self._snapshot: Snapshot | None = None
        self._versions: dict[tuple[str, str], str] = {}
        self._shown_version: tuple[object, str] | None = None
        self.work: WorkList | None = None
        self._running = LatestTask(self)
        self.second.setText(
            self.tr(
                "Asks a model your prompts, with and without your notes. It calls no tool and never runs by itself."
            )
        )
        self.run_button = Button(self.tr("Run…"), "primary", pressed=self.ask_to_run)
        self.cancel_button = Button(self.tr("Cancel"), pressed=self._cancel)
        self.cancel_button.hide()
        self.controls.addWidget(self.cancel_button)
        self.controls.addWidget(self.run_button)
        self.takes = label("", "second", wraps=True)
        self.wrong = Alert()
        self.wrong.hide()
        self.body.addSpacing(12)
        for widget in (self.takes, self.wrong):
            self.body.addWidget(widget)
        self.result = QWidget()
        self.result.hide()
        self._add_result()
        self.body.addWidget(self.result)
        self._add_model()
        self.add_section(self.tr("Prompts"))
        self.prompts = PromptList()
        self.prompts.changed.connect(self._save_prompts)
        self.body.addWidget(self.prompts)
        self.add_button = Button(self.tr("Add a prompt"), "text", pressed=self._add_prompt)
        self.body.addSpacing(8)
        self.body.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeading)
        self.body.addStretch(1)

    def crumbs(self) -> Sequence[Crumb]:
        toolset = self._toolset
        return () if toolset is None else (Crumb(toolset.title, RowKey(Kind.TOOLSET, toolset.name)),)

    def entrance(self) -> QWidget:
        return self.run_button

    def _add_model(self) -> None:
        self.add_section(self.tr("Model"))
        self.api = MenuButton(self.tr("Kind of endpoint"), boxed=True)
        self.api.set_choices([Choice("OpenAI", "openai"), Choice("Anthropic", "anthropic")], "openai")
        self.api.chosen.connect(lambda api: self._set({"benchApi": api if api != "openai" else ABSENT}))
        self.address = LineField(self.tr("Address"))
        self.address.saves_on_leave = True
        self.address.saved.connect(lambda text: self._set({"benchEndpoint": text.strip() or ABSENT}))
        self.model = LineField(self.tr("Model"))
        self.model.saved.connect(lambda text: self._set({"benchModel": text.strip() or ABSENT}))
        self.prices = LineField(self.tr("Prices of a million tokens, in and out"))
        self.prices.setPlaceholderText("3 15")
        self.prices.saves_on_leave = True
        self.prices.saved.connect(self._set_prices)
        self.key_button = Button(self.tr("Set the key…"), pressed=self._ask_for_key)
        self.compared = MenuButton(self.tr("What is compared"), boxed=True)
        self.compared.chosen.connect(lambda _value: self._show_version())
        self.version = TextField(self.tr("New text of the note"))
        self.version.editor.typed.connect(lambda _text: self._show_takes())
        self.repeats = MenuButton(self.tr("Times"), boxed=True)
        self.repeats.set_choices([Choice(str(one), one) for one in REPEATS], 3)
        self.repeats.chosen.connect(lambda _value: self._show_takes())
        self.steps = MenuButton(self.tr("Answers of one conversation"), boxed=True)
        self.steps.set_choices([Choice(str(one), one) for one in STEPS], 1)
        self.steps.chosen.connect(lambda _value: self._show_takes())
        rows = (
            (self.tr("Endpoint"), (self.api, self.address, self.key_button)),
            (self.tr("Model"), (self.model,)),
            (self.tr("Prices of a million tokens, in and out"), (self.prices,)),
            (self.tr("What is compared"), (self.compared, self.version)),
            (self.tr("Repeat each prompt"), (self.repeats,)),
            (self.tr("Answers of one conversation"), (self.steps,)),
        )
        self._form = [FormRow(caption) for caption, _ in rows]
        for row, (_, widgets) in zip(self._form, rows, strict=True):
            for widget in widgets:
                side = Qt.AlignmentFlag.AlignLeading if isinstance(widget, Button) else Qt.AlignmentFlag(0)
                row.body.addWidget(widget, 0, side)
            self.body.addWidget(row)

    def _add_result(self) -> None:
        whole = column(self.result, (0, 12, 0, 0), spacing=8)
        self.verdict = label("", "section", wraps=True)
        self.plot = BenchPlot()
        self.table = QWidget()
        self._cells = QGridLayout(self.table)
        self._cells.setContentsMargins(0, 0, 0, 0)
        self._cells.setHorizontalSpacing(20)
        self.regressions = label("", "attention", wraps=True)
        self.cut = label("", "attention", wraps=True)
        for widget in (self.verdict, self.plot, self.table, self.regressions, self.cut):
            whole.addWidget(widget)

    # --- what is shown

    def show_toolset(self, snapshot: Snapshot, toolset: Toolset) -> None:
        """Show the bench of a toolset, or update it."""
        is_other = self._toolset is None or self._toolset.name != toolset.name
        self._snapshot, self._toolset = snapshot, toolset
        self.title.setText(self.tr("Bench of {0}").format(toolset.title))
        if is_other:
            self._running.cancel()
            self.cancel_button.hide()
            self.result.hide()
            self.wrong.hide()
            self.chrome_changed.emit()
        settings = snapshot.settings
        self.api.set_choices([Choice("OpenAI", "openai"), Choice("Anthropic", "anthropic")], settings.bench_api)
        self.address.setPlaceholderText(standard_endpoint(settings.bench_api))
        self.address.show_text(settings.bench_endpoint or "")
        self.model.show_text(settings.bench_model)
        self.prices.show_text(" ".join(f"{one:g}" for one in settings.bench_price or ()))
        self._versions = notes_to_compare(snapshot, toolset)
        notes = [Choice(f"{tool}: {note}", (tool, note)) for tool, note in self._versions]
        kept = self.compared.current if not is_other else _WITHOUT
        choices = [Choice(self.tr("With your notes and without"), _WITHOUT), *notes]
        self.compared.set_choices(choices, kept if kept in {one.value for one in choices} else _WITHOUT)
        names = list(bench_names([one.known.tool for one in chosen_tools(snapshot, toolset)]).values())
        listed = (self._library.raw(toolset_document(toolset.name)) or {}).get(PROMPTS)
        self.prompts.show_prompts(listed if isinstance(listed, list) else [], names)
        self._show_version()

    def set_width_class(self, width: Any) -> None:
        super().set_width_class(width)
        for row in self._form:
            row.set_narrow(self.width_class < 900)

    def _show_version(self) -> None:
        chosen = self.compared.current
        self.version.setVisible(isinstance(chosen, tuple))
        if isinstance(chosen, tuple):
            before, now = self._shown_version, (chosen, self._versions[chosen[0], chosen[1]])
            if before is None or before[0] != chosen or before[1] == self.version.text():
                self.version.show_text(now[1])
            self._shown_version = now
        self._show_takes()

    def bench(self) -> Bench:
        """Return what would be run."""
        assert self._toolset is not None
        name, chosen = self._toolset.name, self.compared.current
        version = (
            NoteVersion(str(chosen[0]), str(chosen[1]), self.version.text()) if isinstance(chosen, tuple) else None
        )
        return Bench(usable_prompts(self._library.raw(toolset_document(name))), name, version)

    def _show_takes(self) -> None:
        """Say what a run takes, or why it cannot run; while one runs, how far it is."""
        if self._snapshot is None or self._running.is_running:
            return
        bench, settings = self.bench(), self._snapshot.settings
        text, is_ready = "", False
        try:
            sides = offers(bench, self._snapshot)
            endpoint_of(settings)
            if not bench.prompts:
                text = self.tr("Add prompts first. About forty are needed to see a small effect.")
            elif not settings.bench_model:
                text = self.tr("Name a model first.")
            elif bench.version is not None and not self._is_new(bench.version):
                text = self.tr("Write another text for the note first.")
            else:
                text, is_ready = self._takes_text(bench, sides), True
        except ToolnoteError as error:
            text = messages.problem_text(error.problem)
        self.takes.setText(text)
        self.run_button.setEnabled(is_ready)

    def _is_new(self, version: NoteVersion) -> bool:
        return bool(version.text.strip()) and version.text != self._versions[version.tool, version.note]

    def _takes_text(self, bench: Bench, sides: tuple[OfferedTools, OfferedTools]) -> str:
        found = estimate(bench, sides, self._repeats(), self._steps())
        text = self.tr("{requests} requests, about {tokens} tokens").format(
            requests=messages.number(found.requests), tokens=messages.number(found.tokens_in + found.tokens_out)
        )
        price = self._library.snapshot.settings.bench_price
        if price is None:
            return text
        return self.tr("{tokens}, about {cost} at your prices").format(
            tokens=text, cost=messages.decimal(found.cost(*price), found.cost_places(*price))
        )

    def _repeats(self) -> int:
        return int(self.repeats.current) if isinstance(self.repeats.current, int) else REPEATS[0]

    def _steps(self) -> int:
        return int(self.steps.current) if isinstance(self.steps.current, int) else STEPS[0]

    # --- edits

    def _set(self, fields: dict[str, Any]) -> None:
        self._changes.submit(self.tr("Model of the bench changed"), SetFields(SETTINGS, fields), merge="bench-model")

    def _set_prices(self, text: str) -> None:
        """Save two numbers; an empty field removes them, and what is neither stays in the field."""
        words = text.replace(",", ".").split()
        try:
            prices = [float(one) for one in words]
        except ValueError:
            return
        if len(prices) in (0, 2) and all(one >= 0 and math.isfinite(one) for one in prices):
            self._set({"benchPrice": prices or ABSENT})

    def _save_prompts(self, prompts: list[Any]) -> None:
        if self._toolset is None:
            return
        name = self._toolset.name
        edit = SetFields(toolset_document(name), {PROMPTS: prompts or ABSENT})
        before = (self._library.raw(toolset_document(name)) or {}).get(PROMPTS)
        is_typing = isinstance(before, list) and len(before) == len(prompts)
        place, merge = RowKey(Kind.BENCH, name), ("prompts", name) if is_typing else None
        self._changes.submit(self.tr("Prompts of the bench changed"), edit, place=place, merge=merge)

    def _add_prompt(self) -> None:
        if self._toolset is None:
            return
        listed = (self._library.raw(toolset_document(self._toolset.name)) or {}).get(PROMPTS)
        prompts = listed if isinstance(listed, list) else []
        taken = [str(one.get("id")) for one in prompts if isinstance(one, dict)]
        made = {"id": free_note_name("prompt", taken), "prompt": self.tr("Describe what you want here")}
        self._save_prompts([*prompts, made])

    def _ask_for_key(self) -> None:
        try:
            self.key_requested.emit(key_name(endpoint_of(self._library.snapshot.settings)[0]))
        except ToolnoteError as error:
            self.wrong.show_error(error)

    # --- running

    def ask_to_run(self) -> None:
        """Say what a run takes, and run it if the user agrees."""
        asked = QuestionDialog(self.tr("Run the bench?"), self.takes.text(), [("run", self.tr("Run"))], self.window())
        asked.answered.connect(lambda _key: self.run())
        asked.open()

    def run(self) -> None:
        """Ask the model."""
        if self._snapshot is None or self._running.is_running:
            return
        self.wrong.hide()
        try:
            bench = self.bench()
            sides = offers(bench, self._snapshot)
        except ToolnoteError as error:
            self.wrong.show_error(error)
            return
        self.run_button.setEnabled(False)
        self.cancel_button.show()
        self._running.start(self._run(bench, sides))

    async def _run(self, bench: Bench, sides: tuple[OfferedTools, OfferedTools]) -> None:
        work = self.work
        try:
            with in_progress(work, self.tr("Bench"), self._cancel) as one:
                settings = self._library.snapshot.settings
                url, api = endpoint_of(settings)
                key = await in_thread(read_key, self._secrets, url)

                def said(done: int, of: int) -> None:
                    self.takes.setText(self.tr("{0} of {1} answers").format(done, of))
                    if work is not None and one is not None:
                        work.report(one, done, of)

                async with ModelEndpoint(url, api, settings.bench_model, key) as model:
                    report = await run_bench(
                        bench, sides, model, repeats=self._repeats(), steps=self._steps(), on_answer=said
                    )
        except Exception as error:  # noqa: BLE001 - an endpoint may fail with anything; the user sees why
            self.wrong.show_error(error)
            self._show_idle()
        else:
            self._show_idle()
            self.show_report(report, is_version=bench.version is not None)
            self.finished.emit(report)

    def _show_idle(self) -> None:
        self.cancel_button.hide()
        self._running = LatestTask(self)
        self._show_takes()

    def _cancel(self) -> None:
        self._running.cancel()
        self._show_idle()

    def stop(self) -> None:
        self._running.cancel()

    def show_report(self, report: Report, *, is_version: bool) -> None:
        """Show what a run found."""
        words = {
            RunVerdict.HELPS: self.tr("The new text helps.") if is_version else self.tr("Your notes help."),
            RunVerdict.HARMS: self.tr("The new text harms.") if is_version else self.tr("Your notes harm."),
            RunVerdict.NO_DIFFERENCE: self.tr("No difference seen."),
        }
        names = {
            "success": self.tr("Right call"),
            "right tool": self.tr("Right tool"),
            "right arguments": self.tr("Right arguments"),
            "extra calls": self.tr("Extra calls"),
            "tokens": self.tr("Tokens"),
        }
        self.verdict.setText(words[report.verdict])
        empty(self._cells)
        heads = (
            (self.tr("As it is"), self.tr("New text")) if is_version else (self.tr("Without"), self.tr("With notes"))
        )
        rows = [("", *heads, self.tr("Difference (95 % interval)"))]
        rows += [(names[name], *_cells(found, is_share=name in SHARES)) for name, found in report.figures.items()]
        for number, row in enumerate(rows):
            for place, text in enumerate(row):
                self._cells.addWidget(label(text, "group" if number == 0 else ""), number, place)
        self._cells.setColumnStretch(len(rows[0]), 1)
        self.plot.show_report(report, names, " ".join([words[report.verdict], *(", ".join(row) for row in rows[1:])]))
        worse = messages.joined(report.regressions[:10])
        self.regressions.setText(self.tr("Worse with them: {0}").format(worse))
        self.regressions.setVisible(bool(report.regressions))
        self.cut.setText(self.tr("Answers that the endpoint cut off or refused: {0}").format(report.cut))
        self.cut.setVisible(bool(report.cut))
        self.result.show()
        self.verticalScrollBar().setValue(0)


def _cells(found: Difference, *, is_share: bool) -> tuple[str, str, str]:
    def shown(value: float, *, sign: bool = False) -> str:
        if math.isinf(value):
            return "?"
        if is_share:
            return f"{messages.decimal(100 * value, 0, sign=sign)} %"
        return messages.decimal(value, sign=sign)

    change = f"{shown(found.value, sign=True)} ({shown(found.low, sign=True)} … {shown(found.high, sign=True)})"
    return shown(found.before), shown(found.after), change
