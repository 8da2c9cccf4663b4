"""Floors of the search on a tuning file: what a change of words or weights must not lose unseen (docs/search.md)."""

from __future__ import annotations

from tests.measurements import search


def test_search_finds_as_much_as_it_did_and_says_as_often_that_nothing_fits() -> None:
    """Seen red: without the thesaurus (recall), and without the products in the decision that nothing fits."""
    below = {line.split(", ")[2].split(":")[0]: line for line in search.measure(False, "_2", with_model=False).below}
    found = {name: float(line.rpartition(": ")[2].split()[0]) for name, line in below.items()}
    assert found.get("recall@5", 1.0) >= 0.55, below
    assert found.get("recall@1", 1.0) >= 0.265, below
    assert found.keys() == {"recall@5", "recall@1"}, below  # the goals of "nothing fits" and of notes are met
