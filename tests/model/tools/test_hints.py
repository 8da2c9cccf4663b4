"""Hints (docs/requirements.md 2): defaults, sparse overrides, three plain questions, contradictions."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.builders import Reports, definition
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.tools.hints import (
    DESTRUCTIVE_TOOL,
    HINT_KEYS,
    IDEMPOTENT_UPDATE_TOOL,
    QUERY_TOOL,
    READONLY_TOOL,
    TEMPLATES,
    PlainAnswers,
    ToolHints,
    answers_as_hints,
    apply_template,
    approval_effects,
    effective_hints,
    hint_problems,
    hints_as_answers,
    read_hints,
    with_answers,
    with_hints,
    writing_word,
)

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def test_hints_have_the_required_defaults() -> None:
    assert ToolHints().to_dict() == {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
        "title": None,
        "audience": ["assistant"],
        "priority": 0.5,
        "examples": [],
    }
    assert list(ToolHints().to_dict()) == list(HINT_KEYS)
    assert list(inspect.signature(ToolHints).parameters) == [
        "read_only_hint",
        "destructive_hint",
        "idempotent_hint",
        "open_world_hint",
        "audience",
        "priority",
        "title",
        "examples",
    ]


def test_hints_of_the_example() -> None:
    examples = [{"input": {"document_id": "doc-123"}, "output": {"success": True, "message": "Document deleted"}}]
    hints = ToolHints(
        read_only_hint=False,
        destructive_hint=True,
        idempotent_hint=True,
        open_world_hint=True,
        audience=["assistant"],
        priority=0.3,
        title="Delete Document",
        examples=[dict(example) for example in examples],
    )
    assert hints.to_dict()["examples"] == examples
    assert hints.to_dict()["title"] == "Delete Document"


@pytest.mark.parametrize(
    ("given_priority", "kept"), [(-1, 0.0), (0, 0.0), (0.3, 0.3), (1, 1.0), (7.5, 1.0), (float("inf"), 1.0)]
)
def test_priority_is_clamped(given_priority: float, kept: float) -> None:
    assert ToolHints(priority=given_priority).priority == kept


def test_an_empty_audience_is_the_assistant() -> None:
    assert ToolHints(audience=[]).audience == ["assistant"]
    assert ToolHints(audience=["user"]).audience == ["user"]


def test_the_four_templates() -> None:
    def row(hints: ToolHints) -> tuple[Any, ...]:
        sent = hints.to_dict()
        return tuple(sent[key] for key in (*HINT_KEYS[:4], "priority", "title"))

    assert row(READONLY_TOOL) == (True, False, True, False, 0.8, "Read-Only Tool")
    assert row(QUERY_TOOL) == (True, False, True, True, 0.7, "Query Tool")
    assert row(DESTRUCTIVE_TOOL) == (False, True, False, True, 0.3, "Destructive Tool")
    assert row(IDEMPOTENT_UPDATE_TOOL) == (False, False, True, False, 0.5, "Idempotent Update Tool")


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
def test_applying_a_template_never_sets_a_title(template: ToolHints) -> None:
    assert "title" not in apply_template({}, template)
    before = {"title": "Mine", "audience": ["user"], "examples": [{"input": {}}], "priority": 0.1}
    after = apply_template(before, template)
    assert {key: after[key] for key in ("title", "audience", "examples")} == {
        "title": "Mine",
        "audience": ["user"],
        "examples": [{"input": {}}],
    }
    assert after["readOnlyHint"] == template.read_only_hint
    assert after["priority"] == template.priority


def test_only_what_the_user_set_overrides_the_server() -> None:
    sent = definition("x", annotations={"readOnlyHint": True, "title": "Theirs", "vendor": 1}, _meta={"v": 2})
    before = copy.deepcopy(sent)
    served = with_hints(sent, {"destructiveHint": False, "priority": 0.9})
    assert sent == before
    assert served["annotations"] == {
        "readOnlyHint": True,
        "title": "Theirs",
        "vendor": 1,
        "destructiveHint": False,
        "priority": 0.9,
    }
    assert served["_meta"] == {"v": 2, "toolnote/hints": {"destructiveHint": False, "priority": 0.9}}
    assert "title" not in served
    assert with_hints(sent, {"title": "Mine"})["title"] == "Mine"
    assert with_hints(sent, {}) is sent


def test_invalid_hints_are_reported_and_left_out() -> None:
    reports = Reports()
    raw = {
        "readOnlyHint": "yes",
        "destructiveHint": False,
        "title": " ",
        "audience": ["robot"],
        "priority": 9,
        "examples": [1],
        "idempotentHint": None,
        "unknown": 1,
    }
    assert read_hints(raw, "tools 1", reports) == {"destructiveHint": False, "priority": 1.0}
    assert [reason.partition(":")[0] for _, reason in reports] == [
        "hints.readOnlyHint",
        "hints.title",
        "hints.audience",
        "hints.examples",
    ]


@given(JSON)
def test_reading_never_fails_and_gives_only_the_eight(raw: Any) -> None:
    hints = read_hints(raw, "x", Reports())
    assert set(hints) <= set(HINT_KEYS)
    assert read_hints(hints, "x", Reports()) == hints
    effective_hints(raw, hints)
    approval_effects(raw, hints)


@given(st.dictionaries(st.sampled_from(HINT_KEYS), JSON))
def test_parsed_hints_are_served(raw: dict[str, Any]) -> None:
    hints = read_hints(raw, "x", Reports())
    served = with_hints(definition("x"), hints)
    assert served.get("annotations", {}) == hints
    assert served.get("_meta", {}).get("toolnote/hints", {}) == hints


ANSWERS = st.builds(PlainAnswers, *[st.sampled_from([None, True, False])] * 3)


@given(ANSWERS)
def test_the_three_questions_come_back(answers: PlainAnswers) -> None:
    back = hints_as_answers(answers_as_hints(answers))
    assert (back.changes, back.outside) == (answers.changes, answers.outside)
    if answers.changes is not False:
        assert back.undoable == answers.undoable
    kept = {"title": "T", "readOnlyHint": True}
    assert with_answers(kept, answers) == {"title": "T", **answers_as_hints(answers)}


def test_the_three_questions_as_hints() -> None:
    assert answers_as_hints(PlainAnswers(changes=False, undoable=False, outside=True)) == {
        "readOnlyHint": True,
        "destructiveHint": False,
        "openWorldHint": True,
    }
    assert answers_as_hints(PlainAnswers(changes=True, undoable=False)) == {
        "readOnlyHint": False,
        "destructiveHint": True,
    }
    assert answers_as_hints(PlainAnswers()) == {}


@pytest.mark.parametrize(
    ("annotations", "hints", "code"),
    [
        (None, {}, Code.HINTS_ABSENT),
        ({"title": "x"}, {"priority": 1.0}, Code.HINTS_ABSENT),
        ({"readOnlyHint": True}, {}, Code.HINTS_READ_ONLY),
        ({"readOnlyHint": True}, {"readOnlyHint": False}, Code.HINTS_DESTRUCTIVE),
        ({}, {"readOnlyHint": False, "destructiveHint": False}, Code.HINTS_CHANGING),
    ],
)
def test_hints_decide_approval_dialogs(annotations: Any, hints: dict[str, Any], code: Code) -> None:
    assert [problem.code for problem in approval_effects(annotations, hints)] == [code]


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("create_issue", "create"),
        ("deleteFile", "delete"),
        ("API-post-page", "post"),
        ("get_post", None),
        ("list_set_values", None),
        ("searchAndReplace", None),
        ("issues", None),
        ("bulk-update", "update"),
        ("", None),
    ],
)
def test_names_that_sound_like_writing(name: str, word: str | None) -> None:
    assert writing_word(name) == word


def test_contradictions_are_pointed_out() -> None:
    def codes(name: str, annotations: Any, hints: dict[str, Any]) -> list[Code]:
        return [problem.code for problem in hint_problems(name, annotations, hints)]

    assert codes("create_issue", None, {"readOnlyHint": True}) == [Code.HINTS_LOOK_WRONG]
    assert codes("get_issue", {"destructiveHint": True}, {"readOnlyHint": True}) == [Code.HINTS_CONTRADICT]
    assert codes("drop_table", {"readOnlyHint": True, "destructiveHint": True}, {}) == [
        Code.HINTS_CONTRADICT,
        Code.HINTS_LOOK_WRONG,
    ]
    assert codes("drop_table", {"readOnlyHint": True}, {"readOnlyHint": False}) == []
    assert codes("get_issue", {"readOnlyHint": True}, {}) == []
