"""Running the conformance suite, and its outcome scenario by scenario."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path

from tests.node_tools import program

_STAMP = re.compile(r"-\d{4}-\d\d-\d\dT[\d-]+Z$")


@dataclass(frozen=True)
class Suite:
    """One version of the suite with the scenarios that it is to run."""

    title: str
    package: str
    options: tuple[str, ...]

    def run(self, node: str, url: str) -> dict[str, Outcome]:
        """Every scenario against the server at ``url``."""
        script = str(program(self.package, "conformance"))
        with tempfile.TemporaryDirectory() as folder:
            command = [node, script, "server", "--url", url, *self.options, "-o", folder]
            done = subprocess.run(command, capture_output=True, timeout=240, check=False)
            found = {_name(path.parent): _outcome(path) for path in Path(folder).glob("*/checks.json")}
        assert found, done.stdout[-2000:] + done.stderr[-2000:]
        return found


SUITES = (
    Suite("0.1.16, all scenarios", "@modelcontextprotocol/conformance", ("--suite", "all")),
    Suite("0.2.0-alpha.12, 2025-11-25", "conformance-next", ("--suite", "all", "--spec-version", "2025-11-25")),
    Suite("0.2.0-alpha.12, 2026-07-28", "conformance-next", ("--requirements", "2026-07-28")),
)


@dataclass(frozen=True)
class Outcome:
    """One scenario: how many of its checks passed, failed, were warned of, and only said something."""

    passed: int
    failed: int
    warned: int
    said: int
    reasons: tuple[str, ...]

    def is_worse_than(self, other: Outcome) -> bool:
        """Whether more fails here, or less was looked at: a check that only says something (INFO) is no fault."""
        looked_at = self.passed + self.failed + self.warned + self.said
        return self.failed > other.failed or self.warned > other.warned or not (looked_at or other == ABSENT)

    def __str__(self) -> str:
        return f"{self.passed}/{self.failed}" + (f" ({self.warned} warnings)" if self.warned else "")


ABSENT = Outcome(0, 0, 0, 0, ())


def _name(folder: Path) -> str:
    return _STAMP.sub("", folder.name).removeprefix("server-") or folder.name


def _outcome(path: Path) -> Outcome:
    checks = json.loads(path.read_text(encoding="utf-8"))
    statuses = Counter(check["status"] for check in checks)
    bad = [check for check in checks if check["status"] in ("FAILURE", "WARNING")]
    return Outcome(
        statuses["SUCCESS"],
        statuses["FAILURE"],
        statuses["WARNING"],
        statuses["INFO"],
        tuple(f"{check['id']}: {check.get('errorMessage')}" for check in bad),
    )


def worse(direct: Mapping[str, Outcome], through: Mapping[str, Outcome], but_for: Set[str]) -> list[str]:
    """What goes worse through the proxy, with the suite's own words."""
    lines = []
    for scenario, outcome in direct.items():
        if scenario in but_for:
            continue
        other = through.get(scenario, ABSENT)
        if other.is_worse_than(outcome):
            lines.append(f"{scenario}: direct {outcome}, through {other}: {'; '.join(other.reasons)}")
    return lines


def total(outcomes: Mapping[str, Outcome]) -> str:
    """``passed/failed`` of all scenarios."""
    passed = sum(outcome.passed for outcome in outcomes.values())
    return f"{passed}/{sum(outcome.failed for outcome in outcomes.values())}"
