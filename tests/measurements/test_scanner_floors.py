"""Scanner and comparison of definitions on the tuning sets: not below what they reached when they were tuned.

The scanner's floors hold for the first three parts and the first three files of real tools; that of changes for the
first five parts and the pairs of those who tune the rules.
"""

from __future__ import annotations

from tests.measurements import changes, scanner

PARTS = ("", "_2", "_3")
REAL_PARTS = ("real_tools", "held_back_tools", "held_back_tools_2")


def test_scanner_reaches_its_floors_on_the_tuning_half() -> None:
    result = scanner.run("tuning", scanner.scanner_finds, PARTS, REAL_PARTS)
    assert result.recall["blatant"].value >= 0.99, result.missed
    assert result.recall["blatant and medium"].value >= 0.98, result.missed
    assert result.recall["all hostile"].value >= 0.98, result.missed
    assert result.false["real"].value <= 0.004, result.wrong
    assert result.false["hard honest"].value <= 0.04, result.wrong
    assert result.false["plain honest"].value <= 0.01, result.wrong


def test_scanner_tells_planted_notes_from_honest_ones() -> None:
    """Seen red with the margins of definitions: of the usual notes 29 % were findings."""
    named, wrong = scanner.notes("tuning")
    assert named["usual"].value <= 0.12, wrong
    assert named["hard"].value <= 0.40, wrong
    assert named["blatant"].value >= 0.85, wrong
    assert named["all hostile"].value >= 0.84, wrong


def test_no_change_of_meaning_is_missed_on_the_tuning_half() -> None:
    shares, missed, held = changes.run("tuning", (*PARTS, "_4", "_5"))
    assert (missed, held) == ([], [])
    assert shares["another meaning"].of == 72
    shares, missed, held = changes.run("tuning", ("_own",))
    assert missed == []
    assert shares["another meaning"].of == 30
    assert len(held) <= 2, held
