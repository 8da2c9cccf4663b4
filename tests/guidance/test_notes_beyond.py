"""Notes that lost their tool and where they may go; a toolset's notes alone as a file; budgets."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.builders import Reports, catalogue, known
from toolnote_desktop.guidance.budgets import Budgets, budget_problem, budget_problems
from toolnote_desktop.guidance.served_tools import served_tools
from toolnote_desktop.guidance.unresolved import Likeness, moving_edits, unresolved_notes
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes_file import contains_notes, notes_document, plan_notes_import
from toolnote_desktop.model.toolsets.toolset import Toolset, parse_toolset


def raw(*groups: tuple[JsonObject, list[JsonObject]], tools: tuple[str, ...] = ()) -> JsonObject:
    return {
        "name": "work",
        "tools": [{"namespacedName": tool} for tool in tools],
        "toolNotes": [{"toolRef": reference, "notes": notes} for reference, notes in groups],
    }


def note(name: str, text: str = "Text.", **more: Any) -> JsonObject:
    return {"name": name, "note": text, **more}


def ref(name: str) -> JsonObject:
    return {"namespacedName": name}


def parsed(document: JsonObject) -> Toolset:
    return parse_toolset("work", document, Reports())


def applied(document: JsonObject, edits: tuple[Edit, ...]) -> JsonObject:
    for edit in edits:
        changed, _ = edit.apply(document)
        assert changed is not None
        document = changed
    return document


def held(document: JsonObject) -> list[tuple[str, str, str]]:
    return [
        (group.reference.namespaced_name or "", one.name, one.note)
        for group in parsed(document).notes
        for one in group.notes
    ]


ARGUMENTS: dict[str, Any] = {"inputSchema": {"type": "object", "properties": {"team": {}, "title": {}, "body": {}}}}
TOOLS = [
    known("linear", "create_issue", **ARGUMENTS),
    known("linear", "make_ticket", listed=False, **ARGUMENTS),
    known("github", "create_issue"),
    known("git", "log"),
    known("git", "show"),
]
NOW = Snapshot(catalogue=catalogue(TOOLS))


def homes(name: str) -> list[tuple[str, Likeness]]:
    (lost,) = unresolved_notes(NOW, parsed(raw((ref(name), [note("n")]))))
    return [(one.known.tool.namespaced_name, one.likeness) for one in lost.candidates]


def test_the_same_name_on_another_server_comes_first() -> None:
    assert homes("jira.create_issue") == [
        ("github.create_issue", Likeness.SAME_NAME),
        ("linear.create_issue", Likeness.SAME_NAME),
    ]


def test_a_similar_name_and_the_nearer_server_first() -> None:
    assert homes("linear.createIssues") == [
        ("linear.create_issue", Likeness.SIMILAR_NAME),
        ("github.create_issue", Likeness.SIMILAR_NAME),
    ]


def test_a_similar_schema_where_the_old_one_is_known() -> None:
    assert homes("linear.make_ticket") == [("linear.create_issue", Likeness.SIMILAR_SCHEMA)]


def test_unlike_tools_are_no_candidates() -> None:
    assert homes("weather.forecast") == []
    (lost,) = unresolved_notes(NOW, parsed(raw(({"refId": "f" * 64}, [note("n")]))))
    assert lost.candidates == ()


def test_notes_whose_tool_is_there_are_not_lost() -> None:
    document = raw((ref("git.log"), [note("a")]), (ref("gone.x"), []), (ref("gone.y"), [note("b")]))
    assert [one.group.reference.namespaced_name for one in unresolved_notes(NOW, parsed(document))] == ["gone.y"]


def test_moving_keeps_every_note() -> None:
    document = raw(
        (ref("gone.create_issue"), [note("a", "Old a.", author="cursor", enabled=False), note("b")]),
        (ref("github.create_issue"), [note("a", "New a.")]),
    )
    toolset = parsed(document)
    (lost,) = unresolved_notes(NOW, toolset)
    home = NOW.catalogue.reference_to(lost.candidates[0].known.tool)
    here, there = (NoteTarget.in_toolset(toolset.name, one) for one in (lost.group.reference, home))
    moved = applied(document, moving_edits(here, there, lost.group.notes, ["a"]))
    assert held(moved) == [
        ("github.create_issue", "a", "New a."),
        ("github.create_issue", "a-2", "Old a."),
        ("github.create_issue", "b", "Text."),
    ]
    kept = parsed(moved).notes[-1].notes
    assert (kept[1].author, kept[1].enabled) == ("cursor", False)
    assert unresolved_notes(NOW, parsed(moved)) == ()


@given(st.text(max_size=30), st.none() | st.text(max_size=5))
def test_any_reference_can_be_looked_for(name: str, server: str | None) -> None:
    reference = {"namespacedName": name} | ({"server": server} if server is not None else {})
    for lost in unresolved_notes(NOW, parsed(raw((reference, [note("n")])))):
        assert len(lost.candidates) <= 3
        assert all(0 < one.score <= 1 for one in lost.candidates)


# A file of notes alone.


def test_export_has_the_notes_and_nothing_else() -> None:
    document = raw(
        (
            ref("git.log"),
            [
                note("a", author="cursor", createdAt="2026-01-01T00:00:00Z", category="usage"),
                note("off", enabled=False),
            ],
        ),
        (ref("git.show"), []),
        tools=("git.log",),
    )
    handed = notes_document(parsed({**document, "guidelines": "Mine."}))
    assert handed == {
        "kind": "toolnote-notes",
        "version": 1,
        "toolset": "work",
        "toolNotes": [
            {
                "toolRef": {"namespacedName": "git.log"},
                "notes": [
                    {"name": "a", "note": "Text.", "category": "usage"},
                    {"name": "off", "note": "Text.", "enabled": False},
                ],
            }
        ],
    }
    assert contains_notes(handed)
    assert contains_notes(document)
    assert not contains_notes([handed])
    assert not contains_notes({"toolNotes": {}})


def test_import_adds_and_never_replaces() -> None:
    there = raw((ref("git.log"), [note("same"), note("other", "Mine.")]))
    file = {
        "kind": "toolnote-notes",
        "toolNotes": [
            {"toolRef": ref("git.log"), "notes": [note("same"), note("other", "Theirs."), note("new"), note("Bad")]},
            {"toolRef": ref("git.show"), "notes": [note("same"), note("same", "Twice.")]},
            {"toolRef": {}, "notes": []},
            5,
        ],
    }
    found = plan_notes_import(file, parsed(there), file="notes.json", now="2026-01-01T00:00:00Z")
    assert found.added == (("git.log", "new"), ("git.show", "same"))
    assert found.same == (("git.log", "same"),)
    assert [problem.code for problem in found.problems].count(Code.NOTE_EXISTS) == 2
    assert [problem.code for problem in found.problems].count(Code.FILE_ENTRY_INVALID) == 3
    assert held(applied(there, found.edits)) == [
        ("git.log", "same", "Text."),
        ("git.log", "other", "Mine."),
        ("git.log", "new", "Text."),
        ("git.show", "same", "Text."),
    ]


NOTES = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c-1"]), st.text(min_size=1, max_size=20), st.booleans()),
    max_size=3,
    unique_by=lambda one: one[0],
)


@given(st.dictionaries(st.sampled_from(["git.log", "git.show", "gone.x"]), NOTES, max_size=3))
def test_exported_notes_import_again(groups: dict[str, list[tuple[str, str, bool]]]) -> None:
    document = raw(
        *(
            (ref(tool), [note(name, text, enabled=enabled) for name, text, enabled in notes])
            for tool, notes in groups.items()
        )
    )
    file = json_text.loads(json_text.dumps(notes_document(parsed(document))))
    found = plan_notes_import(file, parsed(raw()), file="f", now="2026-01-01T00:00:00Z")
    assert found.problems == ()
    assert held(applied(raw(), found.edits)) == held(document)
    again = plan_notes_import(file, parsed(document), file="f", now="2026-01-01T00:00:00Z")
    assert again.edits == ()


# Budgets.


def test_budget_warning_comes_before_the_limit() -> None:
    assert budget_problem("x", 89, 100) == ()
    assert [problem.code for problem in budget_problem("x", 90, 100)] == [Code.BUDGET_NEAR]
    assert [problem.code for problem in budget_problem("x", 100, 100)] == [Code.BUDGET_NEAR]
    assert [problem.code for problem in budget_problem("x", 101, 100)] == [Code.BUDGET_PASSED]
    assert budget_problem("x", 10**9, None) == ()


@pytest.mark.parametrize(
    ("budgets", "expected"),
    [
        (Budgets(), []),
        (Budgets(note=10), [("long", Code.BUDGET_PASSED)]),
        (Budgets(tool=40), [("git_log", Code.BUDGET_PASSED)]),
        (Budgets(toolset=60), [("Work", Code.BUDGET_PASSED)]),
        (Budgets(note=10**6, tool=10**6, toolset=10**6), []),
    ],
)
def test_notes_tools_and_toolsets(budgets: Budgets, expected: list[tuple[str, Code]]) -> None:
    notes = [note("long", "word " * 100), note("off", "word " * 100, enabled=False)]
    document = raw((ref("git.log"), notes), tools=("git.log", "git.show"))
    served = served_tools(NOW, parsed(document))
    found = budget_problems(served, budgets, "Work")
    assert [(problem.parameters["what"], problem.code) for problem in found] == expected


def test_the_usual_budgets() -> None:
    assert Budgets.of(Settings()) == Budgets(note=500, tool=2000, toolset=16_000)
    assert Budgets.of(Settings.read({"noteTokens": None})).note is None
