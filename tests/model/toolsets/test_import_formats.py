"""Imported toolsets and notes: errors by file and field, and nothing lost."""

from __future__ import annotations

from typing import Any

import pytest

from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.toolsets.import_formats import HypertoolConfigFormat, ToolsetFormat, field_errors
from toolnote_desktop.model.toolsets.notes_file import plan_notes_import
from toolnote_desktop.model.toolsets.toolset import parse_toolset
from toolnote_desktop.model.toolsets.toolset_import import ToolsetsInFile, parse_toolsets

NOW = "2026-01-01T00:00:00Z"


def parsed(raw: object) -> ToolsetsInFile:
    return parse_toolsets(raw, file="f.toolnote", file_name="f", taken=(), now=NOW)


def words(problems: tuple[Problem, ...]) -> list[tuple[str, str]]:
    assert {one.parameters["file"] for one in problems if one.code is Code.FILE_ENTRY_INVALID} <= {"f.toolnote"}
    return [(p.parameters["entry"], p.parameters["reason"]) for p in problems if p.code is Code.FILE_ENTRY_INVALID]


def test_import_names_file_and_field_and_keeps_the_rest() -> None:
    raw = {
        "name": "work",
        "title": 7,
        "guidelines": ["x"],
        "theirs": {"kept": True},
        "tools": ["git.log", {"namespacedName": "git.show", "mine": 1}],
        "toolNotes": [],
    }
    (toolset,) = parsed(raw).toolsets
    assert words(toolset.notes) == [
        ("guidelines", "not a text"),
        ("title", "Input should be a valid string"),
    ]
    assert toolset.content["title"] == "work", "what cannot be used has its default"
    assert toolset.content["theirs"] == {"kept": True}
    assert toolset.content["tools"] == [{"namespacedName": "git.log"}, {"namespacedName": "git.show", "mine": 1}]


def test_import_makes_no_assistant_the_owner_of_a_toolset() -> None:
    (toolset,) = parsed({"name": "work", "tools": ["git.log"], "createdBy": "cursor"}).toolsets
    assert "createdBy" not in toolset.content


def test_import_reports_a_bad_entry_and_keeps_the_others() -> None:
    raw = {"name": "work", "tools": [{"namespacedName": "git.log", "argumentDefaults": 3}, "git.show", 5]}
    (toolset,) = parsed(raw).toolsets
    assert [entry for entry, _ in words(toolset.notes)] == ["tools 1", "tools 3"]
    assert toolset.content["tools"] == [raw["tools"][0], {"namespacedName": "git.show"}, 5], "all stay in the file"
    read = parse_toolset("work", toolset.content, lambda entry, reason: None)
    assert [tool.namespaced_name for tool in read.tools] == ["git.show"]


def test_import_of_lists_that_are_none() -> None:
    """Seen red: notes that are no list made a toolset that was set aside at the next start."""
    (toolset,) = parsed({"tools": [{"namespacedName": "git.log"}, 5], "toolNotes": {"x": 1}}).toolsets
    assert (toolset.content["toolNotes"], toolset.tools) == ([], 1)
    assert [entry for entry, _ in words(toolset.notes)] == ["toolNotes", "tools 2"]
    (toolset,) = parsed({"tools": {"x": 1}, "toolNotes": [], "guidelines": 5}).toolsets
    assert [entry for entry, _ in words(toolset.notes)] == ["tools", "guidelines"]


def test_import_reports_toolsets_that_are_left_out() -> None:
    found = parsed({"toolsets": {"good": {"tools": ["a.b"]}, "bad": 3}})
    assert [toolset.name for toolset in found.toolsets] == ["good"]
    assert words(found.problems) == [("toolsets", "bad: Input should be an object")]

    found = parsed({"toolsets": [{"name": "one", "toolIds": ["a.b", 4]}, {"toolIds": ["c.d"]}, 5]})
    assert [toolset.name for toolset in found.toolsets] == ["f-one"]
    assert [entry for entry, _ in words(found.problems)] == ["toolsets 1", "toolsets 2", "toolsets 3"]
    assert words(found.problems)[0][1] == "toolIds.2: Input should be a valid string"
    assert words(found.problems)[1][1] == "name: Field required"


@pytest.mark.parametrize("raw", [None, [], "x", 3, {}, {"toolsets": 3}, {"tools": {}}])
def test_import_of_other_files_finds_nothing(raw: object) -> None:
    assert parsed(raw) == ToolsetsInFile()


def test_errors_show_no_value() -> None:
    secret = "sk-1234567890"
    raw: dict[str, Any] = {
        "title": [secret],
        "tools": [{"namespacedName": [secret], "optionality": secret, "consent": secret}],
        "toolNotes": [{"toolRef": secret, "notes": [{"name": secret + "!", "note": 3}]}],
        "mcpServers": {"a": secret},
    }
    errors = list(field_errors(ToolsetFormat, raw))
    assert len(errors) >= 6
    assert secret not in str(errors)
    assert list(field_errors(HypertoolConfigFormat, secret))


def test_notes_import_names_the_field() -> None:
    raw = {
        "kind": "toolnote-notes",
        "version": [1],
        "toolNotes": [{"toolRef": {"namespacedName": "git.log"}, "notes": [{"name": "n", "note": "text"}]}],
    }
    toolset = parse_toolset("work", {}, lambda entry, reason: None)
    found = plan_notes_import(raw, toolset, file="f.toolnote", now=NOW)
    assert found.added == (("git.log", "n"),)
    assert {entry for entry, _ in words(found.problems)} == {"version"}


def test_a_valid_name_is_not_taken_by_a_renamed_one() -> None:
    """Seen red: the toolset that has the name was imported as "dev-tools-2"."""
    named: dict[str, Any] = {name: {"name": name, "tools": []} for name in ("Dev Tools", "dev-tools", "DEV tools")}
    names = {one.found_as: one.name for one in parsed({"toolsets": named}).toolsets}
    assert names == {"Dev Tools": "dev-tools-2", "dev-tools": "dev-tools", "DEV tools": "dev-tools-3"}


def test_an_imported_toolset_allows_nothing() -> None:
    """Seen red: a file from elsewhere turned off the questions before its tools, which packs could not."""
    allowing = {"approval": "off", "consent": False, "allowedCalls": [{}]}
    strict = {"namespacedName": "git.show", "approval": "ask", "consent": True, "mine": 1}
    raw = {"name": "work", "tools": [{"namespacedName": "git.log", **allowing, "category": "C"}, strict]}
    (toolset,) = parsed(raw).toolsets
    assert toolset.content["tools"] == [{"namespacedName": "git.log", "category": "C"}, strict]
    assert [entry for entry, _ in words(toolset.notes)] == [f"{key} of tools 1" for key in allowing]
