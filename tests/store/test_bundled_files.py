"""Starters: ours from the resources, the user's beside them, bad files told and left out."""

from __future__ import annotations

import json
from typing import Any

from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.paths import Home
from toolnote_desktop.store.bundled_files import dialects, note_templates, task_types


def put(home: Home, kind: str, file: str, content: Any) -> None:
    folder = home.root / kind
    folder.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / file).write_text(text, encoding="utf-8")


def test_ours_are_there(home: Home) -> None:
    reports: list[Problem] = []
    assert "claude-code" in dialects(home, reports.append)
    assert list(task_types(home, reports.append)) == ["build", "debug", "plan", "research", "write"]
    assert "team-selection" in note_templates(home, reports.append)
    assert reports == []


def test_the_users_own_come_beside_ours_and_replace_them(home: Home) -> None:
    put(home, "dialects", "a.json", {"name": "mine", "notes": "before"})
    put(home, "dialects", "b.json", {"name": "cursor", "title": "My Cursor"})
    put(home, "task-types", "a.json", {"name": "party", "words": ["celebrate"]})
    put(home, "note-templates", "a.json", {"name": "hi", "text": "Hi {who}", "category": "usage"})
    found = dialects(home)
    assert found["mine"].notes == "before"
    assert found["cursor"].title == "My Cursor"
    assert "claude-code" in found
    assert task_types(home)["party"].words == ("celebrate",)
    assert note_templates(home)["hi"].text == "Hi {who}"


def test_bad_files_are_told_and_left_out(home: Home) -> None:
    put(home, "dialects", "broken.json", "{")
    put(home, "dialects", "wrong.json", {"name": "x", "figures": {"nameLimit": {"value": -1}}})
    put(home, "task-types", "nameless.json", {"words": []})
    put(home, "task-types", "wrong.json", {"name": "x", "words": 5})
    put(home, "note-templates", "list.json", [])
    (home.root / "note-templates" / "bytes.json").write_bytes(b"\xff\xfe\x00")
    (home.root / "dialects" / "huge.json").write_text(" " * 300_000, encoding="utf-8")
    (home.root / "dialects" / "notes.txt").write_text("not one", encoding="utf-8")
    reports: list[Problem] = []
    ours = len(dialects(home, reports.append)), len(task_types(home, reports.append))
    note_templates(home, reports.append)
    assert {problem.code for problem in reports} == {Code.STARTER_INVALID}
    names = sorted(problem.parameters["file"].rpartition("/")[2].rpartition("\\")[2] for problem in reports)
    assert names == ["broken.json", "bytes.json", "huge.json", "list.json", "nameless.json", "wrong.json", "wrong.json"]
    assert ours == (17, 5)
