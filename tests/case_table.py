"""The table of cases: which tests show each reported fault to be impossible here, and how they ended in this run.

The cases stand in ``cases/cases.toml``. A run that came upon tests of every one of them writes
``test-artifacts/cases.md``, one row a case; ``python3 packaging/dev.py cases`` (``pytest -m case``) fails where a row
does not pass. A row that could only be seen on another system is no failure where the table names the system.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

CASES_FILE = Path(__file__).parent / "cases" / "cases.toml"
REPORT = Path(__file__).parent.parent / "test-artifacts" / "cases.md"
PROPERTY = "case"
"""The key in a report's ``user_properties``: what crosses from pytest-xdist's processes to the one that writes."""


@dataclass
class Case:
    """Reported fault."""

    id: str
    seen_in: str
    area: str
    wrong: str
    input: str
    outcome: str
    platform: str = ""
    open: str = ""
    tests: list[str] = field(default_factory=list)


def read_cases(path: Path = CASES_FILE) -> dict[str, Case]:
    """Return the cases by their ids, in their order."""
    cases = [Case(**raw) for raw in tomllib.loads(path.read_text(encoding="utf-8"))["case"]]
    return {case.id: case for case in cases}


@dataclass
class Row:
    """Results of a case: its tests by their outcome."""

    case: Case
    passed: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def seen(self) -> bool:
        """Return True if any of its tests was run or skipped."""
        return bool(self.passed or self.failed or self.skipped)

    @property
    def good(self) -> bool:
        """Return True if it passes, or could only be seen on another system."""
        if self.failed or self.case.open:
            return False
        return bool(self.passed) or bool(self.skipped and self.case.platform)

    @property
    def state(self) -> str:
        """Return the text of the table's last column."""
        if self.failed:
            return f"**FAILS**: {', '.join(sorted(_words(test) for test in self.failed))}"
        if self.case.open:
            return f"**open**: {self.case.open}"
        if not self.seen:
            return "**no test**"
        reasons = "; ".join(sorted(set(self.skipped.values())))
        if not self.passed:
            needs = self.case.platform
            return f"skipped: needs {needs} ({reasons})" if needs else f"**skipped**: {reasons}"
        elsewhere = f"; {len(self.skipped)} more on {self.case.platform or 'another system'}: {reasons}"
        return "passes" + (elsewhere if self.skipped else "")


def _words(test: str) -> str:
    """Return the words of a test's name, without the ids in it."""
    name = test.rpartition("::")[2].partition("[")[0].removeprefix("test_")
    return re.sub(r"^(c\d\d_)+", "", name).replace("_", " ")


def table(rows: dict[str, Row]) -> str:
    """Return the table as Markdown."""
    lines = [
        "# Cases from reports about other programs",
        "",
        f"{sum(row.good for row in rows.values())} of {len(rows)} pass here.",
        "",
        "| case | seen in | area | what went wrong | what is shown | here |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows.values():
        case = row.case
        tests = sorted({_words(test) for test in (*row.passed, *row.failed, *row.skipped)})
        cells = (case.id, case.seen_in, case.area, case.wrong, f"{case.outcome}: {', '.join(tests) or '-'}", row.state)
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join([*lines, ""])


class CaseTable:
    """The pytest plugin (registered by ``conftest.py``)."""

    def __init__(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "case(id): shows one of the cases in tests/cases/cases.toml")
        self._only_cases = config.getoption("markexpr", "") == "case" and not config.getoption("keyword", "")
        self._writes = not hasattr(config, "workerinput")
        self._cases = read_cases()
        self._rows = {name: Row(case) for name, case in self._cases.items()}
        self._told = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Mark the tests that the table names, and add the cases that they show to their reports."""
        named: dict[str, list[str]] = {}
        for case in self._cases.values():
            for test in case.tests:
                named.setdefault(test, []).append(case.id)
        for item in items:
            for case_id in named.get(item.nodeid.partition("[")[0], ()):
                item.add_marker(pytest.mark.case(case_id))
            item.user_properties.extend((PROPERTY, case_id) for case_id in cases_of(item))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the outcome of a test from any process."""
        for key, case_id in report.user_properties:
            if key != PROPERTY or case_id not in self._rows:
                continue
            row = self._rows[str(case_id)]
            if report.failed:
                row.failed.add(report.nodeid)
            elif report.skipped:
                row.skipped[report.nodeid] = _reason(report.longrepr)
            elif report.when == "call":
                row.passed.add(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the table, and fail a run that is about the cases alone."""
        rows = self._rows.values()
        whole = all(row.seen or row.case.open for row in rows)
        if not self._writes or not (whole or self._only_cases) or session.config.getoption("collectonly"):
            return
        REPORT.parent.mkdir(exist_ok=True)
        REPORT.write_text(table(self._rows), encoding="utf-8")
        bad = [row for row in rows if not row.good]
        self._told = f"{len(self._rows) - len(bad)} of {len(self._rows)} cases pass here: {REPORT}"
        for row in bad:
            self._told += f"\n{row.case.id} {row.state}"
        if bad and self._only_cases and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the table's path and the cases that do not pass."""
        if self._told:
            terminalreporter.section("cases")
            terminalreporter.write_line(self._told)


def cases_of(item: pytest.Item) -> Iterator[str]:
    """Yield the ids in a test's marks."""
    for mark in item.iter_markers("case"):
        yield from mark.args


def _reason(longrepr: object) -> str:
    """Return the reason for which a test was skipped."""
    text = str(longrepr[2]) if isinstance(longrepr, tuple | list) else str(longrepr)
    return text.removeprefix("Skipped: ")
