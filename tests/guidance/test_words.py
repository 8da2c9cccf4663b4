"""Thesaurus of the search: everyday words and phrases in two languages, and the words of tools that they may mean."""

from __future__ import annotations

import json

import pytest

from tests.guidance.test_search import first, index
from toolnote_desktop import assets
from toolnote_desktop.guidance import search as search_module
from toolnote_desktop.guidance.words import Thesaurus, stems_of, thesaurus

TOOLS = {
    "sky.get_forecast": "Returns the forecast of a place",
    "ledger.list_outstanding": "Lists outstanding invoices",
    "files.disk_usage": "Returns the usage of a disk",
    "shop.umbrella": "Orders an umbrella",
}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("is it going to be sunny?", "sky.get_forecast"),
        ("what is on the hard drive?", "files.disk_usage"),  # a phrase
        ("reicht der Speicherplatz?", "files.disk_usage"),  # another language
        ("who has not paid yet", "ledger.list_outstanding"),
    ],
)
def test_everyday_words_find_tools(query: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: without the thesaurus, as below."""
    assert first(index(tools=TOOLS), query) == expected
    monkeypatch.setattr(search_module, "thesaurus", lambda: Thesaurus({}))
    assert first(index(tools=TOOLS), query) != expected


def test_word_itself_comes_before_what_it_may_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: with a weight above 1 for words of the thesaurus."""
    tools = {"sky.get_forecast": "Forecast", "shop.get_umbrella": "Umbrella"}
    monkeypatch.setattr(search_module, "thesaurus", lambda: Thesaurus({"forecast": ("umbrella", "")}))
    assert [hit.place for hit in index(tools=tools).search("umbrella", 5)] == [1, 0]


def test_phrases_and_compounds_are_found_by_their_stems() -> None:
    made = Thesaurus({"disk": ("hard drives, running out of space", "Festplatte, Platz"), "export": ("", "Ausfuhr")})
    assert [(phrase, word) for phrase, word, _ in made.phrases_in(stems_of("is my hard drive full"))] == [
        (("hard", "driv"), "disk")
    ]
    assert [word for _, word, _ in made.phrases_in(stems_of("space: we are running out"))] == ["disk"]
    assert list(made.phrases_in(stems_of("a hard problem"))) == []
    assert made.parts_of(stems_of("Festplattenausfuhr")[0]) == (*stems_of("Festplatte"), *stems_of("Ausfuhr"))
    assert made.parts_of(stems_of("Platz")[0]) == ()
    assert dict(made.words_from("disk")).keys() == {*stems_of("Festplatte"), *stems_of("Platz")}


def test_bundled_thesaurus_is_read_whole() -> None:
    entries = json.loads(assets.path("search/thesaurus.json").read_text("utf-8"))["words"]
    assert len(entries) > 2_500
    for word, lists in entries.items():
        assert stems_of(word), word
        phrases = [one for text in lists for one in text.split(", ") if one]
        assert phrases, word
        for phrase in phrases:
            assert 0 < len(stems_of(phrase)) <= 4, (word, phrase)
    assert dict(thesaurus().words_for(*stems_of("Regenschirm")))
