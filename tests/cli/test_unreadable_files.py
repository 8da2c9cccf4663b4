"""The doctor tells of files that were set aside, as long as they lie there (docs/contract.md 2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolnote_desktop.commands import checks
from toolnote_desktop.commands.checks import ReportLine
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library


def told(home: Home) -> list[ReportLine]:
    """What the doctor says of files that could not be read."""
    with Library.open(home, watch=False) as library:
        return [one for one in checks.check_files(library, home) if one.code == "file-unreadable"]


def saved(home: Home, **fields: Any) -> None:
    with Library.open(home, watch=False) as library:
        library.submit(SetFields(SETTINGS, fields)).saved.result(20)


def test_first_it_is_wrong_and_then_worth_knowing_until_it_is_gone(home: Home) -> None:
    saved(home, a=1)
    saved(home, a=2)
    home.settings.write_text("{", encoding="utf-8")
    (found,) = told(home)
    assert found.wrong
    (kept,) = home.root.glob("settings.json.bad-*")
    saved(home, a=3)  # a later state is not what was used
    (backup,) = [one for one in (home.backups / "settings.json").iterdir() if json.loads(one.read_text())["a"] == 2]
    for _ in range(2):
        (found,) = told(home)
        assert not found.wrong
        assert f"settings.json was unreadable and was set aside as {kept}" in found.text
        assert f"{backup} was used instead" in found.text
    kept.unlink()
    assert told(home) == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("toolsets/work.json.bad-2026-01-02T03-04-05.678901Z", "toolsets/work.json"),
        ("activity.db.bad-2026-01-02T03-04-05.678901Z", "activity.db"),
        ("servers.json.bad-2026-01-02T03-04-05.678901Z-2", "servers.json"),
    ],
)
def test_quarantined_files_of_all_kinds_are_named(home: Home, name: str, shown: str) -> None:
    (home.root / name).parent.mkdir(parents=True, exist_ok=True)
    (home.root / name).write_bytes(b"\xff")
    (found,) = told(home)
    assert not found.wrong
    assert found.text.startswith(f"{shown} was unreadable and was set aside as {home.root / name}, ")
    assert found.text.endswith("there is no backup of it")


def test_other_files_are_none_of_them(home: Home) -> None:
    home.toolsets.mkdir(parents=True)
    for name in ("settings.json.bad-", "x.bad-yesterday", "my.bad-notes.json"):
        (home.root / name).write_text("", encoding="utf-8")
    assert told(home) == []
