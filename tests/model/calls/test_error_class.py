"""Classes of errors hold no content, and the schema's own words say which argument was refused."""

from __future__ import annotations

from typing import Any

import pytest

from toolnote_desktop.model.calls.error_class import ErrorKind, Refused, argument_in, error_class, kind_of
from toolnote_desktop.model.calls.refused_arguments import refused_arguments


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ('Validation failed: tag "v1.2.3" already exists', "Validation failed: tag <value> already exists"),
        ("issue 4711 of 12 not found", "issue <n> of <n> not found"),
        ("no file /home/anna/report.txt", "no file <path>"),
        (r"no file C:\Users\anna\x.txt here", "no file <path> here"),
        ("GET https://api.example.com/x?token=abc: 404", "GET <url> 404"),
        ("user 3f2504e0-4f89-11d3-9a0c-0305e82c3301 and anna@example.com", "user <id> and <address>"),
        ("HTTP 429 after 30 s", "HTTP 429 after <n> s"),
        ("commit 9fceb02d0ae598e95dc970b74767f19372d61af8 is gone", "commit <id> is gone"),
        ("'priority' is a required property", "priority is a required property"),
        ("two\n  lines", "two lines"),
    ],
)  # fmt: skip
def test_values_are_left_out_of_a_class(message: str, expected: str) -> None:
    assert error_class(message, ["priority"]) == expected


def test_a_hostile_message_costs_no_time_and_no_room() -> None:
    for text in ("'" * 100_000, "/" * 100_000, "a1" * 50_000, "://" * 50_000, "@" * 100_000, '"a' * 50_000):
        assert len(error_class(text)) <= 160


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("priority must be one of 1, 2, 3, 4", ErrorKind.ENUM),
        ("Invalid option: expected one of \"open\"|\"closed\"", ErrorKind.ENUM),
        ("'title' is a required property", ErrorKind.REQUIRED),
        ("Missing required parameter: owner", ErrorKind.REQUIRED),
        ("'3' is not of type 'number'", ErrorKind.TYPE),
        ("Input should be a valid integer", ErrorKind.TYPE),
        ("Additional properties are not allowed ('foo' was unexpected)", ErrorKind.UNKNOWN),
        ("Unrecognized key: \"foo\"", ErrorKind.UNKNOWN),
        ("got an unexpected keyword argument 'foo'", ErrorKind.UNKNOWN),
        ("Input should be less than or equal to 100", ErrorKind.RANGE),
        ("page is out of range", ErrorKind.RANGE),
        ("Invalid date", ErrorKind.FORMAT),
        ("'x' does not match '^[a-z]{3}$'", ErrorKind.FORMAT),
        ("Issue not found", ErrorKind.NOT_FOUND),
        ("ENOENT: no such file or directory, open '/x'", ErrorKind.NOT_FOUND),
        ("403 Forbidden", ErrorKind.PERMISSION),
        ("Permission denied", ErrorKind.PERMISSION),
        ("Payload too large", ErrorKind.TOO_LARGE),
        ("API rate limit exceeded", ErrorKind.RATE_LIMIT),
        ("Too Many Requests", ErrorKind.RATE_LIMIT),
        ("Request timed out", ErrorKind.TIMEOUT),
        ("something else", ErrorKind.OTHER),
    ],
)  # fmt: skip
def test_messages_of_usual_servers_have_a_kind(message: str, kind: ErrorKind) -> None:
    assert kind_of(error_class(message)) is kind


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "priority": {"type": "integer", "minimum": 1, "maximum": 4},
        "state": {"enum": ["open", "closed"]},
        "due": {"type": "string", "format": "date"},
        "labels": {"type": "array", "items": {"$ref": "#/$defs/label"}, "maxItems": 2},
        "filter": {"type": "object", "properties": {"team": {"type": "string", "minLength": 2}}},
        "parent": {"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}]},
    },
    "required": ["priority"],
    "additionalProperties": False,
    "$defs": {"label": {"type": "string", "maxLength": 5}},
}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"priority": 1}, []),
        ({}, ["/priority required"]),
        ({"priority": 9}, ["/priority maximum"]),
        ({"priority": 0}, ["/priority minimum"]),
        ({"priority": "1"}, ["/priority type"]),
        ({"priority": True}, ["/priority type"]),
        ({"priority": 2.0, "state": "gone"}, ["/state enum"]),
        ({"priority": 2, "due": "tomorrow"}, ["/due format"]),
        ({"priority": 2, "labels": ["a", "b", "c"]}, ["/labels maxItems"]),
        ({"priority": 2, "labels": ["far too long"]}, ["/labels/* maxLength"]),
        ({"priority": 2, "filter": {"team": "x"}}, ["/filter/team minLength"]),
        ({"priority": 2, "parent": "x"}, ["/parent format"]),
        ({"priority": 2, "parent": 3}, ["/parent type"]),
        ({"priority": 2, "parent": None}, []),
        ({"priority": 2, "foo": 1}, ["/foo additionalProperties"]),
        ([], [" type"]),
    ],
)  # fmt: skip
def test_refused_arguments_are_named_by_path_and_keyword(arguments: Any, expected: list[str]) -> None:
    assert [str(one) for one in refused_arguments(SCHEMA, arguments)] == expected


def test_hostile_schemas_end() -> None:
    endless: dict[str, Any] = {"$ref": "#"}
    assert refused_arguments(endless, {}) == ()
    wide: dict[str, Any] = {"anyOf": [{"allOf": [{"$ref": "#"}, {"$ref": "#"}]}, {"$ref": "#"}]}
    assert refused_arguments(wide, {}) == ()
    assert (
        refused_arguments({"type": 3, "enum": 4, "required": {"a": 1}, "properties": [], "items": 7}, {"a": []}) == ()
    )
    nan = refused_arguments({"type": "integer"}, float("nan"))
    assert [str(one) for one in nan] == [" type"]


def test_what_the_schema_refuses_decides_the_kind() -> None:
    assert kind_of("<value> is bad", [Refused("/priority", "enum")]) is ErrorKind.ENUM
    assert argument_in("priority is bad", ["priority", "prior"]) == "priority"
    assert argument_in("a and priority or title", ["priority", "title"]) is None
