"""Note templates: our starters, what a file may say, and placeholders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnote_desktop.model.names import is_note_text
from toolnote_desktop.model.toolsets.templates import (
    NoteCategory,
    TemplateError,
    fill,
    missing,
    parse_template,
    placeholders,
)

FOLDER = Path(__file__).parents[3] / "resources" / "note-templates"
FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}


@pytest.mark.parametrize("name", FILES)
def test_starters_can_be_filled(name: str) -> None:
    template = parse_template(FILES[name])
    assert template.name == name
    assert set(template.hints) == set(placeholders(template.text))
    filled = fill(template.text, template.hints)
    assert is_note_text(filled)
    assert missing(template.text, template.hints) == ()
    assert not any(f"{{{placeholder}}}" in filled for placeholder in template.hints)


def test_there_is_a_starter_of_each_category() -> None:
    assert {parse_template(raw).category for raw in FILES.values()} == set(NoteCategory)


def test_placeholders_and_other_braces() -> None:
    text = 'Ask {who}, {{not this}}, {"json": 1}, {}, {who} and {the team}.'
    assert placeholders(text) == ("who", "the team")
    assert fill(text, {"who": "Ann {x}"}) == 'Ask Ann {x}, {not this}, {"json": 1}, {}, Ann {x} and {the team}.'
    assert missing(text, {"who": "Ann", "the team": " "}) == ("the team",)


@pytest.mark.parametrize(
    "raw",
    [
        None,
        {},
        {"name": "No", "text": "x", "category": "usage"},
        {"name": "a", "text": "", "category": "usage"},
        {"name": "a", "text": "x", "category": "other"},
        {"name": "a", "text": "x", "category": "usage", "placeholders": {"x": 1}},
    ],
)
def test_a_file_that_cannot_be_used_says_why(raw: Any) -> None:
    with pytest.raises(TemplateError, match=r"\w"):
        parse_template(raw)


@given(st.text(alphabet="{}ab \n", max_size=30))
def test_filling_everything_leaves_nothing_open(text: str) -> None:
    values = dict.fromkeys(placeholders(text), "v")
    assert missing(text, values) == ()
    assert fill(text, values).count("v") >= len(values)
