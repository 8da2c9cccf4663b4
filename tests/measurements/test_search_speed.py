"""Time of a search: what it does once, what it does while it waits, and that the measurement of it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.measurements import search_speed
from tests.measurements.search import LIMIT, served
from tests.timing import compare
from toolnote_desktop.guidance.search import Cosines, SearchIndex
from toolnote_desktop.model.preferences import Preferences

QUESTIONS = (
    "Order me a pizza with extra cheese for tonight",
    "book a table for four at the Italian place on Friday",
    "paint the fence of my garden green",
    "Bestell mir bitte zwei Karten für das Konzert am Samstag",
)
"""Nothing fits them: not only the order of tools is worked out, but also the decision, and which are nearest."""


@pytest.fixture(scope="module")
def index() -> SearchIndex:
    return SearchIndex(served({}))


def test_question_that_nothing_fits_is_ranked_once(index: SearchIndex) -> None:
    """Ratio of processor times of one run. Seen red: tools were ranked again for the nearest ones, 2.4 times."""

    def whole() -> None:
        for question in QUESTIONS:
            answer = index.answer(Preferences(), question, LIMIT)
            assert answer.nearest
            assert not answer.hits

    def ranked() -> None:
        for question in QUESTIONS:
            index.rank(question)

    longer, shorter = compare(whole, ranked, 1.7)
    assert longer <= 1.7 * shorter


def test_joining_with_the_model_takes_little_beside_the_words(index: SearchIndex) -> None:
    """Ratio of processor times of one run. Seen red: tools were ranked again for the nearest ones, 2.6 times."""
    cosines = [0.5 - place % 997 / 997 for place in range(len(index.tools))]

    def joined() -> None:
        for question in QUESTIONS:
            assert index.answer(Preferences(), question, LIMIT, lambda texts, asked: lambda: cosines)

    def words() -> None:
        for question in QUESTIONS:
            index.answer(Preferences(), question, LIMIT)

    longer, shorter = compare(joined, words, 2)
    assert longer <= 2 * shorter


def test_words_are_compared_while_the_model_works(index: SearchIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: the answer was waited for before the words were looked at."""
    done: list[str] = []
    rank = SearchIndex.rank

    def noted(self: SearchIndex, query: str, limit: int) -> object:
        done.append("words compared")
        return rank(self, query, limit)

    def ask(texts: Sequence[str], question: str) -> Callable[[], Cosines | None]:
        done.append("asked")

        def wait() -> None:
            done.append("waited")

        return wait

    monkeypatch.setattr(SearchIndex, "rank", noted)
    index.answer(Preferences(), QUESTIONS[0], LIMIT, ask)
    assert done == ["asked", "words compared", "waited"]


def test_measurement_of_the_speed_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(search_speed, "TOOLS", 40)
    monkeypatch.setattr(search_speed, "QUESTIONS", 20)
    monkeypatch.setattr(search_speed, "HOME", tmp_path)
    measured = search_speed.measure(False)
    rows = [line for line in measured.text.splitlines() if line.startswith(("| words", "| model", "| control"))]
    assert len(rows) == 5, measured.text
    assert "40 tools, 20 questions" in measured.text
