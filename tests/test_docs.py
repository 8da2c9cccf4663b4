"""Documentation: its links and paths lead to something, and docs/contract.md has all settings and commands.

``packaging/style_lint.py`` checks references to sections and tests.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolnote_desktop.cli.parser import new_parser
from toolnote_desktop.desktop.shell.close_policy import SETTING
from toolnote_desktop.model.settings import Settings

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
PATH = re.compile(r"`((?:[\w.-]+/)+(?:[\w-]+\.(?:py|ts|toml|md|yml|txt|in|json))?)`")


def anchor(heading: str) -> str:
    """Return the anchor that a heading gets in rendered Markdown."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_a_file_and_a_heading(page: Path) -> None:
    broken = []
    for target, fragment in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        file = (page.parent / target).resolve() if target else page
        if not file.exists():
            broken.append(target)
        elif fragment and fragment not in map(anchor, HEADING.findall(file.read_text(encoding="utf-8"))):
            broken.append(f"{target}#{fragment}")
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_paths_in_backticks_exist(page: Path) -> None:
    """A path may begin at the repository or at its package; one in a folder that neither has (``run/``) is a user's.

    What commands write to ``test-artifacts`` need not be there.
    """
    missing = []
    for path in PATH.findall(page.read_text(encoding="utf-8")):
        if path.startswith("test-artifacts/"):
            continue
        roots = [root for root in (ROOT, ROOT / "toolnote_desktop") if (root / path.partition("/")[0]).is_dir()]
        if roots and not any((root / path).exists() for root in roots):
            missing.append(path)
    assert missing == []


def test_dependencies_are_on_their_page() -> None:
    """Red without the line of a package, as it was for httpcore2."""
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    for file in sorted((ROOT / "packaging" / "locks").glob("*.in")):
        packages += [line for line in file.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    names = {re.split(r"[^\w.-]", package)[0] for package in packages}
    names |= json.loads((ROOT / "packaging" / "node" / "package.json").read_text(encoding="utf-8"))[
        "dependencies"
    ].keys()
    rows = re.findall(r"^\| ([^|]+) \|", (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert names - {name for row in rows for name in row.split(", ")} == set()


def section(number: int) -> str:
    """Return one section of the contract."""
    text = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
    return text.partition(f"\n## {number}. ")[2].partition("\n## ")[0]


def commands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the commands that have no commands of their own."""
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not below:
        yield parser
    for action in below:
        for command in action.choices.values():
            yield from commands(command)


def test_contract_names_every_setting() -> None:
    table = section(2).partition("| key | default |")[2]
    named = {key for row in re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE) for key in re.findall(r"`(\w+)`", row)}
    assert named == {*Settings.__struct_encode_fields__, SETTING} - {"extra", "unusable", "rulesLost"}


def test_contract_names_every_command_and_option() -> None:
    text = section(4)
    words = set(re.findall(r"[\w-]+", text))
    missing = []
    for command in commands(new_parser("")):
        name = command.prog.split()[-1]
        options = [
            option
            for action in command._actions
            for option in action.option_strings
            if option.startswith("--") and action.help != argparse.SUPPRESS and option != "--help"
        ]
        missing += [f"{command.prog} {word}" for word in (name, *options) if word not in words]
    assert missing == []
