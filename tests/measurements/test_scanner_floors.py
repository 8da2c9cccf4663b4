"""Scanner and comparison of definitions on the first tuning sets: not below what they reached when they were tuned.

The rules have not been tuned on ``tuning*_2.jsonl`` yet: those files were the held-back half before.
"""

from __future__ import annotations

from tests.measurements import changes, scanner


def test_scanner_reaches_its_floors_on_the_tuning_half() -> None:
    result = scanner.run("tuning", scanner.scanner_finds, part="")
    assert result.recall["blatant"].value >= 0.97, result.missed
    assert result.recall["blatant and medium"].value >= 0.92, result.missed
    assert result.recall["all hostile"].value >= 0.85, result.missed
    assert result.false["real"].value <= 0.012, result.wrong
    assert result.false["hard honest"].value <= 0.10, result.wrong
    assert result.false["plain honest"].value <= 0.015, result.wrong


def test_no_change_of_meaning_is_missed_on_the_tuning_half() -> None:
    shares, missed, held = changes.run("tuning", part="")
    assert (missed, held) == ([], [])
    assert shares["another meaning"].of == 24
