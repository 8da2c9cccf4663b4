"""The bench in the window: prompts, what a run takes, its verdict and plot, and a prompt from a failed call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.assistants_lab.scripted_model import Script
from tests.bench.reading_model import HELPS, REGIONS, ReadingModel, ScriptedModel
from tests.desktop.helpers import click
from tests.desktop.window.test_craft import cut_off, outside, settle
from toolnote_desktop.bench.bench_file import usable_prompts
from toolnote_desktop.bench.keys import OWNER, key_name
from toolnote_desktop.bench.statistics import Difference
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.activity.calls_model import CallNames
from toolnote_desktop.desktop.activity.details import CallContext, CallDetails
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.toolset_page.bench_page import BenchPage, _cells
from toolnote_desktop.desktop.toolset_page.bench_prompts import MADE_AT_ONCE
from toolnote_desktop.desktop.widgets.question import QuestionDialog
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.calls.outcome import Outcome
from toolnote_desktop.model.edits import SETTINGS, CreateDocument, SetFields, toolset_document
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import Scope, ToolReference
from toolnote_desktop.store.activity_database import Call as ActivityCall
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretLocation

CREATE = "Linear.create_issue"


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as made:
        made.script = ReadingModel(tool="create_issue")
        yield made


@pytest.fixture
def name(library: Library) -> str:
    shared = library.snapshot.settings.equipped_toolset
    assert shared is not None
    return shared


@pytest.fixture
def page(window: MainWindow, library: Library, model: ScriptedModel, name: str) -> BenchPage:
    prompts = [
        {"id": f"p{number}", "prompt": f"{city}: an issue", "tool": CREATE, "arguments": {"team": REGIONS[city]}}
        for number, city in enumerate(REGIONS)
    ]
    place = NoteTarget.in_toolset(name, ToolReference(namespaced_name=CREATE))
    library.submit(
        SetFields(toolset_document(name), {"prompts": prompts}),
        SetFields(SETTINGS, {"benchEndpoint": model.url, "benchModel": "fake-model"}),
        AddNote(place, {"name": "region", "note": HELPS}),
    )
    window.go(RowKey(Kind.BENCH, name))
    return window.pages.bench_page


def shown(page: BenchPage) -> str:
    return "\n".join(one.text() for one in page.findChildren(QLabel) if one.isVisibleTo(page))


def test_a_run_says_what_it_takes_asks_and_shows_the_verdict(
    qtbot: QtBot, window: MainWindow, page: BenchPage, model: ScriptedModel
) -> None:
    assert page.takes.text().startswith("36 requests, about ")
    page.repeats.menu.aboutToShow.emit()
    page.repeats.menu.actions()[0].trigger()
    assert page.takes.text().startswith("12 requests, about ")
    page.prices.setText("1000000 0")
    page.prices.save()
    qtbot.waitUntil(lambda: page.takes.text().endswith(".00 at your prices"))
    script = model.script
    assert isinstance(script, Script)
    assert script.requests == [], "it never runs by itself"
    click(page.run_button)
    (asked,) = window.findChildren(QuestionDialog)
    assert page.takes.text() in "\n".join(one.text() for one in asked.findChildren(QLabel))
    assert script.requests == []
    with qtbot.waitSignal(page.finished, timeout=20_000):
        asked._answer("run")
    assert page.verdict.text() == "Your notes help."
    said = shown(page)
    assert "0 %" in said
    assert "100 %" in said
    assert "Right call" in page.plot.accessibleName()
    assert page.plot.height() > 60
    for width in (900, 1360):
        window.resize(width, 800)
        settle()
        assert cut_off(window) + outside(window) == []
    assert "Bench" not in [one.title for one in window.work.items]


def test_cancel_stops_asking_and_a_failure_is_said(qtbot: QtBot, page: BenchPage, model: ScriptedModel) -> None:
    script = model.script
    assert isinstance(script, Script)
    page.run()
    qtbot.waitUntil(lambda: len(script.requests) >= 2, timeout=10_000)
    page.api.chosen.emit("openai")
    page.model.setText("another")
    page.model.save()
    assert page.takes.text().endswith(" of 36 answers"), "seen red: what a run takes stood there after each change"
    click(page.cancel_button)
    asked = len(script.requests)
    assert page.run_button.isEnabled()
    model.server_close()
    page.run()
    click(page.cancel_button)
    assert len(script.requests) <= asked + 1
    assert page.result.isHidden()


def test_cards_of_many_prompts_are_made_when_they_are_seen(
    qtbot: QtBot, window: MainWindow, page: BenchPage, library: Library, name: str
) -> None:
    prompts = [{"id": f"p{number}", "prompt": f"Issue {number}", "tool": CREATE} for number in range(300)]
    library.submit(SetFields(toolset_document(name), {"prompts": prompts}))
    settle()
    made = len(page.prompts.cards)
    assert MADE_AT_ONCE <= made < 100
    assert [card.text.text() for card in page.prompts.cards] == [f"Issue {number}" for number in range(made)]
    first, last = page.prompts.cards[0], page.prompts.cards[-1]
    last.forbidden.setFocus()
    QTest.keyClick(last.forbidden, Qt.Key.Key_Tab)
    settle()
    assert page.prompts.cards[made].text.editor.hasFocus(), "Tab goes to the next prompt, which has a card then"
    page.verticalScrollBar().setValue(page.verticalScrollBar().maximum())
    settle()
    assert page.prompts.cards[-1].text.text() == "Issue 299"
    assert len(page.prompts.cards) < 150
    page.prompts.cards[1].changed.emit(None)
    settle()
    assert page.prompts.cards[0] is first, "a prompt that is removed leaves the others as they are"
    assert [card.text.text() for card in page.prompts.cards[:2]] == ["Issue 0", "Issue 2"]
    window.changes.undo()
    settle()
    assert [card.text.text() for card in page.prompts.cards[:3]] == ["Issue 0", "Issue 1", "Issue 2"]


def test_prompts_are_edited_and_undone(qtbot: QtBot, window: MainWindow, page: BenchPage, name: str) -> None:
    library = page._library
    click(page.add_button)
    qtbot.waitUntil(lambda: len(page.prompts.cards) == len(REGIONS) + 1)
    card = page.prompts.cards[-1]
    card.text.editor.setFocus()
    card.text.editor.setPlainText("Which teams are there?")
    card.text.save()
    card.arguments.setText("nonsense")
    card.arguments.save()
    assert card.wrong.isVisibleTo(card)
    card.arguments.setText('{"limit": 5}')
    card.arguments.save()
    prompts = (library.raw(toolset_document(name)) or {})["prompts"]
    assert prompts[-1] == {"id": "prompt", "prompt": "Which teams are there?", "arguments": {"limit": 5}}
    card.changed.emit(None)
    assert len((library.raw(toolset_document(name)) or {})["prompts"]) == len(REGIONS)
    window.changes.undo()
    assert (library.raw(toolset_document(name)) or {})["prompts"][-1]["id"] == "prompt"


def test_tools_that_must_not_be_called_are_chosen(
    qtbot: QtBot, window: MainWindow, page: BenchPage, model: ScriptedModel, name: str
) -> None:
    """Seen red: only a file could have them."""
    library = page._library

    def prompt() -> dict[str, Any]:
        found: dict[str, Any] = (library.raw(toolset_document(name)) or {})["prompts"][0]
        return found

    def tick(tool: str) -> None:
        menu = page.prompts.cards[0].forbidden.menu
        menu.aboutToShow.emit()
        next(one for one in menu.actions() if one.text() == tool).trigger()

    offered = [str(one.value) for one in page.prompts.cards[0].forbidden._choices]
    assert CREATE not in offered, "seen red: the tool that should be called could be forbidden"
    other, third = offered[:2]
    tick(other)
    tick(third)
    assert prompt()["mustNotCall"] == [other, third]
    assert page.bench().prompts[0].forbidden == (other, third)
    assert page.prompts.cards[0].forbidden.text() == f"Must not call: {other}, {third}"
    menu = page.prompts.cards[0].tool.menu
    menu.aboutToShow.emit()
    next(one for one in menu.actions() if one.text() == other).trigger()
    assert (prompt()["tool"], prompt()["mustNotCall"]) == (other, [third])
    tick(CREATE)
    page.repeats.menu.aboutToShow.emit()
    page.repeats.menu.actions()[0].trigger()
    with qtbot.waitSignal(page.finished, timeout=20_000) as done:
        page.run()
    assert done.args[0].results[0].after[0].forbidden == (CREATE,)
    tick(CREATE)
    assert prompt()["mustNotCall"] == [third]
    window.undo()
    assert "mustNotCall" not in prompt()
    qtbot.waitUntil(lambda: page.prompts.cards[0].forbidden.ticked == ())
    for width in (900, 1360):
        window.resize(width, 800)
        settle()
        assert cut_off(window) + outside(window) == []


def test_a_version_of_a_note_is_compared(qtbot: QtBot, page: BenchPage) -> None:
    page.compared.menu.aboutToShow.emit()
    entry = next(one for one in page.compared.menu.actions() if one.text().endswith(": region"))
    entry.trigger()
    assert page.version.text() == HELPS
    page.version.editor.setPlainText("Say nothing of teams.")
    page.repeats.menu.aboutToShow.emit()
    page.repeats.menu.actions()[0].trigger()
    with qtbot.waitSignal(page.finished, timeout=20_000):
        page.run()
    assert page.verdict.text() == "The new text harms."
    assert page.regressions.text() == "Worse with them: p0, p1, p2, p3, p4 and p5"


def choose_version(page: BenchPage, ending: str) -> None:
    page.compared.menu.aboutToShow.emit()
    next(one for one in page.compared.menu.actions() if one.text().endswith(ending)).trigger()


def test_a_version_that_is_being_written_outlives_other_changes(
    qtbot: QtBot, library: Library, page: BenchPage
) -> None:
    """Seen red: any change of the library put the note's own text back, and a run compared it with itself."""
    choose_version(page, ": region")
    assert page.takes.text() == "Write another text for the note first."
    assert not page.run_button.isEnabled()
    page.version.editor.setPlainText("Say nothing of teams.")
    page.model.setFocus()
    library.submit(SetFields(SETTINGS, {"benchModel": "another"}))
    qtbot.waitUntil(lambda: page.model.text() == "another")
    assert page.version.text() == "Say nothing of teams."
    version = page.bench().version
    assert version is not None
    assert version.text == "Say nothing of teams."
    qtbot.waitUntil(page.run_button.isEnabled)
    page.version.editor.setPlainText("  ")
    qtbot.waitUntil(lambda: not page.run_button.isEnabled())


def test_a_version_of_a_note_for_every_toolset_can_be_compared(qtbot: QtBot, library: Library, page: BenchPage) -> None:
    """Seen red: only the toolset's own notes were offered."""
    library.submit(AddNote(NoteTarget.everywhere(Scope.TOOL, CREATE), {"name": "short", "note": "Keep titles short."}))
    qtbot.waitUntil(lambda: any(one.value == (CREATE, "short") for one in page.compared._choices))
    choose_version(page, ": short")
    assert page.version.text() == "Keep titles short."


def test_a_run_ends_with_the_page_of_its_toolset(
    qtbot: QtBot, window: MainWindow, library: Library, page: BenchPage, model: ScriptedModel
) -> None:
    """Seen red: its button to cancel stayed on the other toolset's page."""
    library.submit(CreateDocument(toolset_document("other"), {"name": "other", "tools": [], "toolNotes": []}))
    script = model.script
    assert isinstance(script, Script)
    page.run()
    qtbot.waitUntil(lambda: len(script.requests) >= 2, timeout=10_000)
    assert page.cancel_button.isVisible()
    window.go(RowKey(Kind.BENCH, "other"))
    assert not page.cancel_button.isVisible()
    assert not page._running.is_running


def test_figures_are_written_as_the_users_language_writes_them(
    page: BenchPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: *909.5* and *about 0.04* in German."""
    monkeypatch.setattr(messages, "QLocale", lambda: QLocale(QLocale.Language.German))
    found = Difference(before=1909.5, after=1909.1, low=-0.5, high=0.3)
    assert _cells(found, is_share=False) == ("1.909,5", "1.909,1", "-0,4 (-0,5 … +0,3)")
    assert _cells(found, is_share=True)[2] == "-40 % (-50 % … +30 %)"
    page._library.submit(SetFields(SETTINGS, {"benchPrice": [3, 15]}))
    page._show_takes()
    assert page.takes.text().endswith(" at your prices")
    assert re.search(r"about \d+,\d\d at", page.takes.text())


def test_a_failed_call_becomes_a_prompt_with_one_press(
    qtbot: QtBot, window: MainWindow, library: Library, name: str
) -> None:
    details = CallDetails(Actions(library, window.changes))
    qtbot.addWidget(details)
    details.show()
    call = ActivityCall(1.0, "cursor", "Linear", "create_issue", 0.1, "bad team", outcome=Outcome.FAILED)
    names = CallNames()
    names.show_snapshot(library.snapshot)
    row = names.row(call)
    details.show_call(library.snapshot, CallContext(row, worked={"team": "EMEA", "title": "Lamp"}))
    with qtbot.waitSignal(details.place_requested) as went:
        details.bench_button.click()
    assert went.args == [RowKey(Kind.BENCH, name)]
    (prompt,) = (library.raw(toolset_document(name)) or {})["prompts"]
    assert prompt == {
        "id": "create-issue",
        "prompt": "Creates a new issue in Linear (team: EMEA; title: Lamp)",
        "tool": CREATE,
        "arguments": {"team": "EMEA", "title": "Lamp"},
    }
    details.show_call(library.snapshot, CallContext(row, worked={"title": "Lamp", "text": "Long. " * 5_000}))
    details.bench_button.click()
    prompts = usable_prompts(library.raw(toolset_document(name)))
    assert len(prompts) == 2, "seen red: one of more than 20,000 characters was shown, and never asked"
    assert prompts[1].text.startswith("Creates a new issue in Linear (title: Lamp; text: Long. Long.")


def test_the_key_is_read_from_where_secrets_are(page: BenchPage, model: ScriptedModel, qtbot: QtBot) -> None:
    asked: list[str] = []
    page.key_requested.connect(asked.append)
    click(page.key_button)
    assert asked == [key_name(model.url)]
    page._secrets.write(OWNER, asked[0], "k-1234567", place=SecretLocation.RUN)
    page.repeats.menu.aboutToShow.emit()
    page.repeats.menu.actions()[0].trigger()
    with qtbot.waitSignal(page.finished, timeout=20_000):
        page.run()
