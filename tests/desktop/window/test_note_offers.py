"""The activity log speaks where the user is: effects at the notes and on Home, offers on Home and the tool's page."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.home.page import Activity
from toolnote_desktop.desktop.models.library_rows import HOME, Kind, RowKey
from toolnote_desktop.desktop.models.note_offers import effect_words, read_effects, read_offers
from toolnote_desktop.desktop.window.home_activity import read_activity
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.guidance.effects import effect_of
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.model.calls.effect import Rate
from toolnote_desktop.model.calls.outcome import ReadNote, read_note
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call

KEY = ("Linear", "create_issue")
PLACE = RowKey(Kind.TOOL, *KEY)

Record = Callable[..., None]


@pytest.fixture
def record(home: Home) -> Iterator[Record]:
    with closing(ActivityLog(home)) as log:

        def one(*made: Call) -> None:
            for call in made:
                log.record_call(call)
            assert log.flush()

        yield one


def call(error: str | None = None, *refused: str, notes: tuple[ReadNote, ...] | None = None) -> Call:
    return Call(time.time(), "cursor", *KEY, 0.2, error, refused=refused, notes=notes)


def notes_of(window: MainWindow) -> tuple[ReadNote, ...]:
    """The notes on the tool, as a session in the shared toolset reads them."""
    snapshot = window.snapshot
    known = snapshot.catalogue.tools[KEY]
    index = NoteIndex(snapshot.shared_toolset, snapshot.notes, snapshot.catalogue)
    return tuple(read_note(one) for one in index.applied(known.tool))


def test_a_failing_argument_is_offered_as_a_note_on_the_tools_page_and_goes_once_taken(
    qtbot: QtBot, window: MainWindow, home: Home, record: Record
) -> None:
    record(*[call("bad", "/priority maximum")] * 14)
    window.go(PLACE)
    page = window.pages.tool_page
    qtbot.waitUntil(lambda: bool(page.offers.buttons))
    assert page.offers.offers[0].text.startswith("“priority” ")
    assert "14 times" in page.offers.offers[0].text
    assert "last sent" not in page.offers.offers[0].text, "arguments are not kept"
    page.offers.buttons[0].click()
    assert window.toast.sentence.text() == "Note “priority-range” added"
    qtbot.waitUntil(lambda: "priority-range" in [card.draft.name for card in page.notes.cards])
    qtbot.waitUntil(lambda: not page.offers.isVisible())
    window.undo()
    assert "priority-range" not in [note.name for note in notes_of(window)]
    qtbot.waitUntil(lambda: page._reading is not None and not page._reading.is_running)


def test_home_adds_an_offered_note_with_one_press_names_the_value_sent_and_undoes_it(
    qtbot: QtBot, window: MainWindow, home: Home, record: Record
) -> None:
    sent = replace(call("bad", "/priority maximum"), arguments='{"title": "x", "priority": 7}', kept_days=7)
    record(*[call("bad", "/priority maximum")] * 13, sent)
    window.go(HOME)
    page = window.pages.home_page
    page.show_activity(read_activity(home, window.snapshot))
    (offer,) = page._activity.offers
    assert offer.text == "“priority” did not fit 14 times (last sent: 7); the schema wants from 0 to 4"
    page.offers.buttons[0].click()
    assert window.toast.sentence.text() == "Note “priority-range” added"
    assert "priority-range" in [note.name for note in notes_of(window)]
    page.show_activity(read_activity(home, window.snapshot))
    assert not page.offers.isVisible()
    window.toast.action_button.click()
    assert "priority-range" not in [note.name for note in notes_of(window)]


def test_fewer_failures_and_those_without_a_rule_are_not_offered(
    qtbot: QtBot, window: MainWindow, home: Home, record: Record
) -> None:
    record(*[call("bad", "/priority maximum")] * 2, *[call("strange")] * 9)
    assert read_offers(home, window.snapshot) == ()
    record(call("bad", "/priority maximum"))
    (offer,) = read_offers(home, window.snapshot)
    assert (offer.key, offer.note.name) == (KEY, "priority-range")


def test_a_note_shows_what_it_changed(qtbot: QtBot, window: MainWindow, home: Home, record: Record) -> None:
    notes = notes_of(window)
    assert notes
    record(*[call("bad")] * 10, *[call(notes=notes)] * 12)
    window.go(PLACE)
    page = window.pages.tool_page
    qtbot.waitUntil(lambda: page._reading is not None and not page._reading.is_running)
    shown = [card.effect.text() for card in page.notes.cards if card.effect.isVisibleTo(card)]
    assert shown
    assert set(shown) == {"Since this note 0 of 12 calls failed. Before, 10 of 10. It helps."}


def test_home_lists_notes_that_helped_and_those_that_made_it_worse(
    qtbot: QtBot, window: MainWindow, home: Home, record: Record
) -> None:
    window.go(HOME)
    page = window.pages.home_page
    assert not page.effects.isVisible()
    record(*[call()] * 20, *[call("bad", "/priority maximum", notes=notes_of(window))] * 20)
    page.show_activity(read_activity(home, window.snapshot))
    assert page.effects.isVisible()
    assert page.effects.heading.text() == "Notes that made it worse"
    assert page.offers.isVisible()
    with qtbot.waitSignal(page.place_requested) as went:
        page.offers.place_requested.emit(PLACE)
    assert went.args == [PLACE]
    page.show_activity(Activity())
    assert not page.effects.isVisible()
    assert not page.offers.isVisible()


def test_the_words_of_an_effect() -> None:
    note = (ReadNote("toolset", "team", "1"),)

    def words(before: Rate, since: Rate) -> str:
        return effect_words(effect_of(KEY, note, before, since, {}, 0.0))

    assert words(Rate(9, 40), Rate(1, 9)) == ""
    assert words(Rate(9, 40), Rate(1, 32)).endswith("Before, 9 of 40. Too few calls to say whether it helps.")
    assert words(Rate(0, 40), Rate(20, 20)).endswith("It makes things worse.")
    assert words(Rate(9, 40), Rate(20, 90)).endswith("No difference is certain.")
    assert words(Rate(0, 0), Rate(0, 12)).startswith("Since this note 0 of 12 calls failed. Too few")


def test_effects_are_read_for_one_tool_alone(window: MainWindow, home: Home, record: Record) -> None:
    record(call("bad"), call(notes=notes_of(window)), replace(call(), tool="other"))
    assert {one.tool for one in read_effects(home, window.snapshot, KEY)} == {"create_issue"}
    assert read_effects(home, window.snapshot, ("Linear", "other")) == ()
