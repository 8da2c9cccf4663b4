"""Ready sentences for the usual failures, in English and German, that name the argument and what its schema wants."""

from __future__ import annotations

import re
from typing import Any

import pytest

from toolnote_desktop.guidance import failure_notes
from toolnote_desktop.guidance.failure_notes import example_lesson, failure_of, failure_text, lesson
from toolnote_desktop.model.calls.error_class import ErrorKind, error_class

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 80},
        "priority": {"type": "integer", "minimum": 1, "maximum": 4},
        "state": {"type": "string", "enum": ["open", "closed"]},
        "due": {"type": "string", "format": "date"},
        "labels": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": ["string", "null"]}}}},
    },
    "required": ["title"],
}


def sentences(error: str, *refused: str, language: str = "en", count: int = 14) -> tuple[str, str, str]:
    failure = failure_of(error, refused, SCHEMA, "Linear")
    found = lesson(failure, language)
    assert found is not None
    return failure_text(failure, count, language), found.name, found.text


@pytest.mark.parametrize(
    ("error", "refused", "said", "name", "note"),
    [
        ("bad", "/state enum", "“state” did not fit 14 times; allowed: open, closed", "state-values",
         "For “state” use exactly one of: open, closed."),
        ("bad", "/title required", "“title” was missing 14 times", "title-required", "Always give “title”."),
        ("bad", "/priority type", "“priority” had the wrong type 14 times; wanted: a whole number", "priority-type",
         "Give “priority” as a whole number."),
        ("bad", "/labels/*/id type", "“labels.id” had the wrong type 14 times; wanted: text or null", "labels-id-type",
         "Give “labels.id” as text or null."),
        ("bad", "/urgent additionalProperties", "“urgent” was sent 14 times, but there is no such parameter",
         "urgent-no-such-parameter",
         "Don’t send “urgent”: this tool has no such parameter. It takes title, priority, state, due, labels."),
        ("bad", "/priority maximum", "“priority” did not fit 14 times; the schema wants from 1 to 4", "priority-range",
         "“priority” must be from 1 to 4."),
        ("bad", "/due format", "“due” had the wrong form 14 times", "due-form", "Write “due” like this: 2026-03-01."),
        ("bad", "/title maxLength", "“title” was too large 14 times", "title-size",
         "Keep “title” short: at most 80 characters."),
        ("state <value> not found", "", "“state” was not found 14 times", "state-look-up-first",
         "Look up the exact value of “state” first. Don’t guess it."),
        ("Issue not found", "", "Something that doesn’t exist was asked for 14 times", "look-up-first",
         "Search for the exact name or ID first. Don’t guess it."),
        ("403 Forbidden", "", "Linear did not permit it 14 times", "permission",
         "Linear doesn’t permit everything here. If it refuses, tell the user instead of trying again."),
        ("Payload too large", "", "It was too large for Linear 14 times", "size",
         "Send or request less at once: Linear refuses what is too large."),
        ("429 too many requests", "", "Linear was called too often 14 times", "not-too-often",
         "Don’t call this tool many times in a row. After a refusal, wait a minute before the next call."),
        ("toolnote:call-timed-out", "", "It took too long 14 times", "ask-for-less",
         "Request less at once: a narrow search, or page by page. Large requests take too long."),
        ("<value> must be one of the following", "", "A value that isn’t allowed was sent 14 times", "values",
         "Use only the values that the parameters allow, spelled exactly as they are listed there."),
    ],
)  # fmt: skip
def test_each_usual_failure_has_a_sentence_and_a_note(
    error: str, refused: str, said: str, name: str, note: str
) -> None:
    assert sentences(error, *([refused] if refused else [])) == (said, name, note)


def test_german() -> None:
    assert sentences("bad", "/state enum", language="de-AT", count=1) == (
        "„state“ hat einmal nicht gepasst; erlaubt: open, closed",
        "state-values",
        "Für „state“ genau einen dieser Werte nehmen: open, closed.",
    )
    assert sentences("bad", "/priority maximum", language="de")[0] == (
        "„priority“ hat 14-mal nicht gepasst; verlangt: von 1 bis 4"
    )


def test_both_languages_say_the_same_things() -> None:
    for texts in (failure_notes._NOTES, failure_notes._FAILURES, failure_notes._TYPES):
        assert texts["en"].keys() == texts["de"].keys()
        for key, text in texts["en"].items():
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", texts["de"][key]))
    kinds = {key.removesuffix("-unknown").removesuffix("-argument") for key in failure_notes._NOTES["en"]}
    assert {kind.value for kind in ErrorKind} - kinds == {"other"}


def test_what_no_rule_fits_has_no_note() -> None:
    failure = failure_of(error_class("tag_name already exists"), (), SCHEMA, "GitHub")
    assert lesson(failure) is None
    assert failure_text(failure, 2) == "It failed 2 times for the same reason"
    odd = failure_of("bad", ("/x enum", "no-space"), {"properties": 3}, "x")
    found = lesson(odd)
    assert found is not None
    assert found.text == "For “x” use only the values that its description allows.", "without a schema too"


def test_arguments_that_worked_are_an_example() -> None:
    found = example_lesson({"title": "x", "priority": 2})
    assert found is not None
    assert (found.name, found.text) == ("what-worked", 'This worked: {"title":"x","priority":2}')
    assert example_lesson({}) is None
    assert example_lesson({"text": "x" * 5000}) is None
