"""Running the conformance suite, and its outcome scenario by scenario."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.node_tools import program

_AT_ONCE = 4
_STAMP = re.compile(r"-\d{4}-\d\d-\d\dT[\d-]+Z$")


@dataclass(frozen=True)
class Suite:
    """Version of the suite with the scenarios to run: by options, or one by one.

    Attributes:
        scenarios: scenarios of extensions, which no other option selects.
    """

    title: str
    package: str
    options: tuple[str, ...]
    scenarios: tuple[str, ...] = ()

    def run(self, node: str, url: str) -> dict[str, Outcome]:
        """Run the scenarios against the server at ``url``."""
        if not self.scenarios:
            return self._run(node, url, self.options)
        with ThreadPoolExecutor(_AT_ONCE) as pool:  # they mostly wait
            runs = pool.map(lambda scenario: self._run(node, url, ("--scenario", scenario)), self.scenarios)
            return {name: outcome for run in runs for name, outcome in run.items()}

    def _run(self, node: str, url: str, options: tuple[str, ...]) -> dict[str, Outcome]:
        script = str(program(self.package, "conformance"))
        with tempfile.TemporaryDirectory() as folder:
            command = [node, script, "server", "--url", url, *options, "-o", folder]
            done = subprocess.run(command, capture_output=True, timeout=240, check=False)
            found = {_name(path.parent): _outcome(path) for path in Path(folder).glob("*/checks.json")}
        assert found, done.stdout[-2000:] + done.stderr[-2000:]
        return found


SUITES = (
    Suite("0.1.16, all scenarios", "@modelcontextprotocol/conformance", ("--suite", "all")),
    Suite("0.2.0-alpha.12, 2025-11-25", "conformance-next", ("--suite", "all", "--spec-version", "2025-11-25")),
    Suite("0.2.0-alpha.12, 2026-07-28", "conformance-next", ("--requirements", "2026-07-28")),
)


EXTENSIONS = Suite(
    "0.2.0-alpha.12, extensions",
    "conformance-next",
    (),
    (
        "sep-2640-skills-directory",
        "sep-2640-skills-enumeration",
        "sep-2640-skills-manifest",
        "tasks-lifecycle",
        "tasks-capability-negotiation",
        "tasks-wire-fields",
        "tasks-request-state-removal",
        "tasks-mrtr-input",
        "tasks-request-headers",
        "tasks-dispatch-and-envelope",
        "tasks-required-task-error",
        "tasks-mrtr-composition",
    ),
)


@dataclass(frozen=True)
class Outcome:
    """Result of a scenario: the numbers of its checks that passed, failed, warned, and informed."""

    passed: int
    failed: int
    warned: int
    said: int
    reasons: tuple[str, ...]
    checks: Mapping[str, str] = field(default_factory=dict)

    def is_worse_than(self, other: Outcome) -> bool:
        """Return True if more fails here, or a check of the other's is worse or missing.

        A check that only says something (INFO) is no fault: the suite reports what is optional in the protocol as that.
        """
        if self.failed > other.failed or self.warned > other.warned:
            return True
        if _ANSWERED_IN_JSON in self.checks:
            return False
        return any(
            _RANK[self.checks.get(check, _ABSENT)] > _RANK[status]
            for check, status in other.checks.items()
            if status != "INFO"
        )

    def __str__(self) -> str:
        return f"{self.passed}/{self.failed}" + (f" ({self.warned} warnings)" if self.warned else "")


ABSENT = Outcome(0, 0, 0, 0, ())

_ANSWERED_IN_JSON = "server-sse-content-type"
"""The suite's own remark that a POST was answered in JSON, so that what it checks of event streams does not apply: a
server answers in either, as it likes (2025-11-25, transports)."""

_ABSENT = ""
_RANK = {"SUCCESS": 0, "INFO": 0, "SKIPPED": 0, _ABSENT: 1, "WARNING": 1, "FAILURE": 2}


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
        _worst(checks),
    )


def _worst(checks: list[dict[str, Any]]) -> Mapping[str, str]:
    """Return the checks by name, with their worst result."""
    return {check["id"]: check["status"] for check in sorted(checks, key=lambda check: _RANK[check["status"]])}


def worse(direct: Mapping[str, Outcome], through: Mapping[str, Outcome], but_for: Set[str]) -> list[str]:
    """Return the checks that are worse through the proxy, in the suite's words."""
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
