"""How odd values in documents are read stays as it is: people and other programs have written them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.model.builders import Reports
from tests.model.odd_documents import RECORD, cases, outcome, record_of, values_of
from toolnote_desktop.model.toolsets.notes import parse_everywhere
from toolnote_desktop.model.toolsets.notes_file import notes_document
from toolnote_desktop.model.toolsets.toolset import parse_toolset

CASES = tuple(cases())


@pytest.fixture(scope="module")
def record() -> dict[str, dict[str, list[str]]]:
    loaded: dict[str, dict[str, list[str]]] = json.loads(RECORD.read_text("utf-8"))
    return loaded


@pytest.mark.parametrize(("document", "field"), CASES)
def test_an_odd_value_is_read_as_it_was(document: str, field: str, record: Any) -> None:
    assert dict(record_of(document, field)) == record[f"{document}: {field}"]


@pytest.mark.parametrize(("document", "field"), CASES)
def test_an_odd_value_costs_no_neighbour_and_is_told_with_its_field(document: str, field: str) -> None:
    for text in values_of(field):
        found = outcome(document, field, text)
        assert found.neighbour, text
        for place, reason in found.reports:
            said = f"{place}: {reason}".lower()
            assert any(word in said for word in _named(field)), (text, said)


def _named(field: str) -> tuple[str, ...]:
    """A server without a url is one that needs a command."""
    return ("url", "command") if field == "url" else (field.rpartition(".")[2].lower(),)


def test_the_record_has_nothing_that_is_tried_no_more(record: Any) -> None:
    assert list(record) == [f"{document}: {field}" for document, field in CASES]


def test_a_note_is_as_long_as_its_characters_are_many() -> None:
    reports = Reports()
    raw = [{"name": "fits", "note": "😀" * 4000}, {"name": "long", "note": "😀" * 4001}]
    assert [note.name for note in parse_everywhere({"global": raw}, reports).everything] == ["fits"]
    ((place, reason),) = reports
    assert place == "global 2"
    assert "note" in reason


def test_an_unknown_key_of_a_note_is_at_hand() -> None:
    notes = [{"name": "n", "note": "t", "category": "Planning", "createdAt": None}]
    toolset = parse_toolset("work", {"toolNotes": [{"toolRef": {"refId": "ff", "x": 1}, "notes": notes}]}, Reports())
    assert notes_document(toolset)["toolNotes"] == [
        {"toolRef": {"refId": "ff"}, "notes": [{"name": "n", "note": "t", "category": "Planning"}]}
    ]
