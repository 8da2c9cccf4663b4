"""Documentation: links, sections, files and tests that it names exist."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SOURCES = [
    *(path for folder in ("toolnote_desktop", "tests", "packaging") for path in (ROOT / folder).rglob("*.py")),
    ROOT / "pyproject.toml",
]

TEST = re.compile(r"`(tests/[\w/.]+\.py)::(test_\w+)`")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#([^)\s]+))?\)")
REFERENCE = re.compile(r"(docs/[\w-]+\.md)(?:,? (?:decision )?(\d+(?:\.\d+)?))?")
HEADING = re.compile(r"^#+ (?:(\d+)\. )?(.*)$", re.MULTILINE)
ROW = re.compile(r"^\| (\d+\.\d+) \|", re.MULTILINE)
FILE = re.compile(r"`((?:[\w.-]+/)+(?:[\w-]+\.(?:py|ts|toml|md|yml|txt|in))?)`")
"""Paths in backticks: files of source, and folders."""
CASE = re.compile(r"\bcase (C\d\d)\b")


@cache
def functions_of(file: str) -> frozenset[str]:
    """Return the names of the functions in a file of tests."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@cache
def numbers_of(page: str) -> frozenset[str]:
    """Return the numbers of a page's sections, decisions and rows."""
    text = (ROOT / page).read_text(encoding="utf-8")
    decisions = re.findall(r"^(\d+)\. ", text, re.MULTILINE)
    return frozenset([*(number for number, _ in HEADING.findall(text)), *ROW.findall(text), *decisions])


def anchor(heading: str) -> str:
    """Return the anchor that a heading gets in rendered Markdown."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_requirements_name_tests_that_exist() -> None:
    text = (ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")
    named = TEST.findall(text)
    assert len(named) > 100
    assert [
        f"{file}::{name}" for file, name in named if not (ROOT / file).is_file() or name not in functions_of(file)
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_something(page: Path) -> None:
    broken = []
    for target, fragment in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        file = (page.parent / target).resolve()
        if not file.exists():
            broken.append(target)
        elif fragment:
            headings = [
                f"{number}. {text}" if number else text for number, text in HEADING.findall(file.read_text("utf-8"))
            ]
            if fragment not in map(anchor, headings):
                broken.append(f"{target}#{fragment}")
    assert broken == []


def test_pages_name_files_that_exist() -> None:
    missing = []
    for page in PAGES:
        if page.name == "CHANGELOG.md":
            continue
        for path in FILE.findall(page.read_text(encoding="utf-8")):
            roots = [root for root in (ROOT, ROOT / "toolnote_desktop") if (root / path.partition("/")[0]).is_dir()]
            if roots and not any((root / path).exists() for root in roots):
                missing.append(f"{page.relative_to(ROOT)}: {path}")
    assert missing == []


def test_references_in_code_lead_to_a_section() -> None:
    broken = []
    for source in SOURCES:
        for page, number in REFERENCE.findall(source.read_text(encoding="utf-8")):
            if not (ROOT / page).is_file() or (number and number not in numbers_of(page)):
                broken.append(f"{source.relative_to(ROOT)}: {page} {number}")
    assert broken == []


def test_cases_in_code_are_in_the_table() -> None:
    table = tomllib.loads((ROOT / "tests" / "cases" / "cases.toml").read_text(encoding="utf-8"))
    known = {case["id"] for case in table["case"]}
    assert {case for source in SOURCES for case in CASE.findall(source.read_text(encoding="utf-8"))} <= known
