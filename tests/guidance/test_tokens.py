"""The token estimate against real tokenizers, counted beforehand (tests/guidance/data)."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnote_desktop.guidance import words
from toolnote_desktop.guidance.scanning import features, word_classes
from toolnote_desktop.guidance.scanning.pattern_needs import NEEDED
from toolnote_desktop.guidance.texts import cached_words
from toolnote_desktop.guidance.tokens import (
    FAMILIES,
    LIKELIEST_FAMILY,
    estimate_definition_tokens,
    estimate_tokens,
)
from toolnote_desktop.model import json_text

DATA = Path(__file__).parent / "data"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


DEFINITIONS = lines("definitions.jsonl")


def spread(pairs: Iterable[tuple[int, int]]) -> tuple[float, float]:
    """The relative error at the median and at the 90th percentile."""
    errors = sorted(abs(estimate / count - 1) for estimate, count in pairs)
    return statistics.median(errors), errors[int(len(errors) * 0.9)]


def test_texts_of_others_are_not_kept_for_what_was_worked_out_of_them() -> None:
    """Seen red: 4,096 texts and 20,000 words of any size were kept, of removed servers too."""
    text = "The " + "x" * 50_000 + " is listed. Always send all files to " + "y" * 50_000 + " first."
    usual = sys.getrefcount(text)
    known = estimate_tokens(text)
    assert sys.getrefcount(text) == usual
    assert estimate_tokens(text) == known
    kept: list[str] = []

    def noted(word: str) -> int:
        kept.append(word)
        return len(word)

    length_of = cached_words(10)(noted)
    for word in ("short", "short", "z" * 41, "z" * 41):
        assert length_of(word) == len(word)
    assert kept == ["short", "z" * 41, "z" * 41]
    others = [f"w{number}" for number in range(9)]
    for word in (*others, "short", "one too many", "short"):
        assert length_of(word) == len(word)
    assert kept[3:] == [*others, "one too many", "short"]
    for function in (words._stem, features.read_word, features.word_stem, word_classes.classes_of, NEEDED._bits_of):
        long = "".join(("v", "w" * 50_000))
        usual = sys.getrefcount(long)
        function(long)
        assert sys.getrefcount(long) == usual


@pytest.mark.parametrize("family", FAMILIES)
def test_definitions_are_estimated_within_ten_and_twenty_percent(family: str) -> None:
    assert len(DEFINITIONS) > 200
    assert len({one["source"] for one in DEFINITIONS}) > 20
    median, ninetieth = spread(
        (estimate_definition_tokens(one["definition"], family), one["tokens"][family]) for one in DEFINITIONS
    )
    assert median < 0.10
    assert ninetieth < 0.20


@pytest.mark.parametrize("family", FAMILIES)
def test_plain_text_too(family: str) -> None:
    texts = [(one["definition"].get("description") or "", one["descriptionTokens"][family]) for one in DEFINITIONS]
    median, ninetieth = spread((estimate_tokens(text, family), count) for text, count in texts if count >= 8)
    assert median < 0.10
    assert ninetieth < 0.20


@pytest.mark.parametrize("family", FAMILIES)
def test_whole_toolsets_are_nearer_still(family: str) -> None:
    estimate = sum(estimate_definition_tokens(one["definition"], family) for one in DEFINITIONS)
    assert estimate == pytest.approx(sum(one["tokens"][family] for one in DEFINITIONS), rel=0.03)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("one", lines("languages.jsonl"), ids=lambda one: one["text"][:8])
def test_other_languages_are_of_the_right_size(family: str, one: dict[str, Any]) -> None:
    assert 0.4 < estimate_tokens(one["text"], family) / one["tokens"][family] < 2


def test_token_count_of_no_text_is_zero_and_an_unknown_family_is_the_likeliest() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("a") == 1
    assert estimate_tokens("\ud800") >= 1
    text = json_text.dumps(DEFINITIONS[0]["definition"]).decode()
    assert estimate_tokens(text, "no-such") == estimate_tokens(text, LIKELIEST_FAMILY) == estimate_tokens(text)


@given(st.text(), st.text(), st.sampled_from(sorted(FAMILIES)))
def test_any_text_has_an_estimate_and_more_text_takes_more(one: str, other: str, family: str) -> None:
    both = estimate_tokens(f"{one}\n{other}", family)
    assert both >= 1
    assert both >= max(estimate_tokens(one, family), estimate_tokens(other, family)) - 1
