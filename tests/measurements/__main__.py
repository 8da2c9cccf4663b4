"""Measure on labelled sets: ``python3 packaging/dev.py measure [NAME …] [--held-back] [--strict]``.

Prints the tables and writes them to ``test-artifacts/measurements.md``. Each module of this folder that has a function
``measure(held_back: bool) -> Measured`` is one measurement, by its name. Rules are tuned on one half of a set; the
other half, written by an author who did not know the rules, is read with ``--held-back`` only.

A goal is what is wanted, not what is promised: a figure below it is printed, and the status is 0 as long as everything
was measured. With ``--strict`` it is 1 if a figure is below its goal. What must not get worse is in the tests.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import tests.measurements
from tests.measurements.figures import Measured

ROOT = Path(__file__).parents[2]


def measurements() -> dict[str, Callable[[bool], Measured]]:
    """Return the measurements by name."""
    found = {}
    for module in pkgutil.iter_modules(tests.measurements.__path__):
        if module.name.startswith(("__", "test_")):
            continue
        run = getattr(importlib.import_module(f"tests.measurements.{module.name}"), "measure", None)
        if run is not None:
            found[module.name.replace("_", "-")] = run
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named measurements, or all; return 1 with ``--strict`` if a figure is below its goal."""
    known = measurements()
    parser = argparse.ArgumentParser(prog="dev.py measure", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}; default: all")
    parser.add_argument("--held-back", action="store_true", help="measure on the held-back half")
    parser.add_argument("--strict", action="store_true", help="status 1 if a figure is below its goal")
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.names) - known.keys()):
        parser.error(f"no measurement is named {', '.join(unknown)}")
    results = [known[name](options.held_back) for name in options.names or known]
    below = [f"below the goal: {line}" for result in results for line in result.below]
    text = "\n\n".join([*(result.text for result in results), *below]) + "\n"
    print(text)
    (ROOT / "test-artifacts").mkdir(exist_ok=True)
    (ROOT / "test-artifacts" / "measurements.md").write_text(text, encoding="utf-8")
    return 1 if options.strict and below else 0


if __name__ == "__main__":
    sys.exit(main())
