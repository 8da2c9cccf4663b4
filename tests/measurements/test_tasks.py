"""The choice of tools for a task keeps its goal on the sets that its rules were tuned on."""

from __future__ import annotations

from tests.measurements.tasks import measure


def test_recall_of_english_and_german_at_half_the_tokens() -> None:
    assert measure(held_back=False).below == []
