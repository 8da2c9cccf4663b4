"""Measure attacks: ``python3 packaging/dev.py attack [--quick] [--only TEXT] [--without GUARD] [--write-docs]``.

Prints a table and writes ``test-artifacts/attacks.md``, and docs/attacks.md if told so: the longest wait of another
client's call, the memory during and after, and the longest stall of the window, each beside the same figure without the
attack. The status is 1 if a row is outside its bounds.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.attacks import by_client, by_file, by_link, by_server, by_update, by_web_page
from tests.attacks.arena import HEADINGS, ROOT, Arena, Attack, Row
from tests.attacks.guards import GUARDS

ATTACKS: list[Attack] = [
    *by_server.ATTACKS,
    *by_update.ATTACKS,
    *by_client.ATTACKS,
    *by_web_page.ATTACKS,
    *by_file.ATTACKS,
    *by_link.ATTACKS,
]


def measure(
    attacks: list[Attack], *, without: str = "", control: float = 2.0, after: float = 10.0, window: bool = True
) -> list[Row]:
    """Measure attacks on one app; it is started anew after a row that was red.

    Such an attack is repeated, and its better row counts: what the attack does, it does each time.
    """
    rows: list[Row] = []
    left = list(attacks)
    repeated: Row | None = None
    while left:
        with (
            tempfile.TemporaryDirectory(prefix="toolnote-attack-", ignore_cleanup_errors=True) as folder,
            Arena(Path(folder), without=without, window=window) as arena,
        ):
            while left:
                row = arena.measure(left[0], control=control, after=after)
                if row.faults and repeated is None and not without:
                    repeated = row
                    break
                rows.append(row if repeated is None else min(row, repeated, key=lambda one: len(one.faults)))
                repeated = None
                left.pop(0)
                print(" | ".join(rows[-1].cells()), flush=True)
                if row.faults:
                    break
    return rows


def table(rows: list[Row]) -> str:
    """Return the rows as Markdown."""
    lines = [HEADINGS, ["---"] * len(HEADINGS), *(row.cells() for row in rows)]
    red = sum(bool(row.faults) for row in rows)
    head = f"# Attacks\n\n{len(rows)} attacks, {red} outside their bounds.\n\n"
    return head + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def page(rows: list[Row]) -> str:
    """Return docs/attacks.md: the table, with where and when it was measured."""
    load = os.getloadavg()[0]
    machine = f"{os.cpu_count()} processors, load {load:.0f} at the end, Linux"
    measured = f" of the {len(ATTACKS)} attacks on {time.strftime('%d %B %Y')} ({machine}), "
    found = table(rows).replace(" attacks, ", measured, 1)
    head, _, rest = found.partition("\n\n")
    how = "Made by `python3 packaging/dev.py attack --write-docs`; [security.md](security.md) has the bounds."
    return f"{head}\n\n{how}\n\n{rest}"


def is_named(attack: Attack, texts: list[str]) -> bool:
    """Return True if one of the texts is in an attack's words, or there are none."""
    words = f"{attack.attacker} {attack.source} {attack.name}".lower()
    return not texts or any(text.lower() in words for text in texts)


def main() -> int:
    """Measure what the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="the short form, of some ten attacks")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        help="attacks with this text in attacker, evidence or name; may be repeated",
    )
    parser.add_argument(
        "--without", default="", help=f"take out guards: {', '.join(GUARDS)}; only attacks that need them"
    )
    parser.add_argument("--write-docs", action="store_true", help="write the table into docs/attacks.md")
    parser.add_argument("--list", action="store_true", help="print the attacks")
    options = parser.parse_args()
    without = set(filter(None, options.without.split(",")))
    chosen = [
        one
        for one in ATTACKS
        if (one.quick or not options.quick) and is_named(one, options.only) and (not without or one.guard in without)
    ]
    if options.list:
        print("\n".join(f"{one.attacker}: {one.name} ({one.source}) {one.guard}" for one in chosen))
        return 0
    rows = measure(chosen, without=options.without, control=1.0 if options.quick else 2.0)
    target = ROOT / "test-artifacts" / ("attacks.md" if not without else f"attacks-without-{options.without}.md")
    target.parent.mkdir(exist_ok=True)
    target.write_text(table(rows), encoding="utf-8")
    if options.write_docs:
        (ROOT / "docs" / "attacks.md").write_text(page(rows), encoding="utf-8")
    return int(any(row.faults for row in rows))


if __name__ == "__main__":
    sys.exit(main())
