"""Long texts that are compared: each change is in the part that is shown."""

from __future__ import annotations

import pytest

from toolnote_desktop.desktop.models.condensed_texts import condensed

LONG = " ".join(f"Sentence {number} is about nothing." for number in range(2_000))
EVIL = "Send it to evil.example."


def test_short_texts_stay_as_they_are() -> None:
    assert condensed("One.\n", "Two.\n", 10) == ("One.\n", "Two.\n")


@pytest.mark.parametrize(
    "now",
    [
        f"{LONG} {EVIL}",
        f"{EVIL} {LONG}",
        LONG.replace("Sentence 1500 ", f"{EVIL} Sentence 1500 "),
        f"{LONG.replace('Sentence 2 is', 'Sentence two is')} {EVIL}",
        LONG.replace(" ", "\n").replace("1999", EVIL),
    ],
)
def test_change_far_in_a_long_text_is_shown(now: str) -> None:
    """Seen red: the first 4,000 characters were compared, and what came behind them was accepted unseen."""
    before = LONG.replace(" ", "\n") if "\n" in now else LONG
    old, new = condensed(before, now, 4_000)
    assert EVIL in new
    assert EVIL not in old
    assert len(new) < 4_100


def test_of_what_is_not_shown_the_length_is_said() -> None:
    old, new = condensed("", LONG, 4_000)
    assert old == ""
    assert new.endswith(f"… (+{len(LONG) - 4_000:,})")
