"""Print how often the figure of a note's effect finds a fall from 20 to 5 % failures, and how often it claims a fall
that is not there. Every history is looked at after every call (docs/effect.md).

    python3 packaging/effect_power.py [--histories N]
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from toolnote_desktop.model.calls.effect import Rate, Verdict, verdict

LOOKS = (20, 50, 100, 200, 400)


def claims(source: random.Random, before: Rate, rate: float) -> dict[int, bool]:
    """Return for each number of calls since the note whether anything was claimed by then."""
    failed, claimed = 0, False
    found = {}
    for number in range(1, LOOKS[-1] + 1):
        failed += source.random() < rate
        claimed = claimed or verdict(before, Rate(failed, number)) in (Verdict.HELPS, Verdict.WORSE)
        if number in LOOKS:
            found[number] = claimed
    return found


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=1000)
    histories = parser.parse_args().histories
    source = random.Random(1)
    for title, first, second in (("power, 20 -> 5 %", 0.2, 0.05), ("false claims, 20 -> 20 %", 0.2, 0.2)):
        print(f"{title}: share of {histories} histories that claimed an effect by then")
        print("calls before" + "".join(f"{look:>8}" for look in LOOKS) + "  calls since")
        for calls in LOOKS:
            total = dict.fromkeys(LOOKS, 0)
            for _ in range(histories):
                before = Rate(sum(source.random() < first for _ in range(calls)), calls)
                for look, claimed in claims(source, before, second).items():
                    total[look] += claimed
            print(f"{calls:>12}" + "".join(f"{total[look] / histories:>8.0%}" for look in LOOKS))
        print()


if __name__ == "__main__":
    main()
