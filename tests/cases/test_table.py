"""The table of cases itself: each case has a test, and each test that it names is there."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.case_table import Case, Row, read_cases, table

ROOT = Path(__file__).parent.parent.parent


@cache
def functions_of(file: str) -> frozenset[str]:
    """The names of the test functions in a file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def marked() -> set[str]:
    """The ids in marks of tests."""
    found: set[str] = set()
    for file in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.case":
                found |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}  # type: ignore[misc]
    return found


def test_cases_are_complete_and_in_order() -> None:
    assert list(read_cases()) == [f"C{number:02}" for number in range(1, 114)]


def test_cases_name_tests_that_exist() -> None:
    cases, marks = read_cases(), marked()
    assert marks <= set(cases), "marked with a case that the table does not have"
    without = [case.id for case in cases.values() if not case.open and not case.tests and case.id not in marks]
    assert not without, "no test shows these"
    lost = [test for case in cases.values() for test in case.tests if not _is_there(test)]
    assert not lost, "the table names tests that are not there; were they renamed?"


def _is_there(test: str) -> bool:
    file, _, name = test.partition("::")
    return (ROOT / file).is_file() and name in functions_of(file)


CASE = Case("C00", "somewhere#1", "an area", "it broke", "an input", "it does not | ever")
ON_WINDOWS = replace(CASE, platform="Windows")
NOT_BUILT = replace(CASE, open="not built yet")


@pytest.mark.parametrize(
    ("row", "good", "state"),
    [
        (Row(CASE), False, "**no test**"),
        (Row(CASE, passed={"a::test_c01_it_works[1]"}), True, "passes"),
        (Row(CASE, passed={"a::test_one"}, failed={"a::test_c01_c02_it_works[1]"}), False, "**FAILS**: it works"),
        (Row(CASE, skipped={"a::test_one": "no Node"}), False, "**skipped**: no Node"),
        (Row(CASE, passed={"a::t"}, skipped={"a::u": "cmd.exe"}), True, "passes; 1 more on another system: cmd.exe"),
        (Row(ON_WINDOWS, skipped={"a::test_one": "cmd.exe"}), True, "skipped: needs Windows (cmd.exe)"),
        (Row(NOT_BUILT, passed={"a::t"}), False, "**open**: not built yet"),
    ],
)
def test_row_text(row: Row, good: bool, state: str) -> None:
    assert (row.good, row.state) == (good, state)
    assert table({"C00": row}).splitlines()[-1].endswith(f"| {state} |")


def test_a_run_of_the_cases_alone_is_red_while_one_has_no_test(tmp_path: Path) -> None:
    """A whole run of pytest in a process of its own, over one file that shows one case."""
    (tmp_path / "conftest.py").write_text(
        "import tests.case_table as table, pathlib\n"
        f"table.REPORT = pathlib.Path({str(tmp_path)!r}) / 'artifacts' / 'cases.md'\n"
        "def pytest_configure(config): config.pluginmanager.register(table.CaseTable(config))\n",
        encoding="utf-8",
    )
    (tmp_path / "test_one.py").write_text(
        "import pytest\n@pytest.mark.case('C03')\ndef test_both_are_there(): pass\n"
        "def test_of_no_case(): raise SystemExit('not selected')\n",
        encoding="utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "case", "--rootdir", str(tmp_path), str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert f"1 of {len(read_cases())} cases pass here" in ran.stdout
    report = (tmp_path / "artifacts" / "cases.md").read_text(encoding="utf-8").splitlines()
    assert next(line for line in report if line.startswith("| C03 ")).endswith("both are there | passes |")
    assert next(line for line in report if line.startswith("| C04 ")).endswith("| **no test** |")
