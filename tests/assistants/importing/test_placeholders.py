"""Placeholders of pasted instructions become fields (issue 17, item 6); values and paths are no placeholders."""

from __future__ import annotations

from typing import Any

import pytest

from tests.timing import compare
from toolnote_desktop.assistants.importing.placeholders import fill_placeholders, find_placeholders

ASKED: list[tuple[dict[str, Any], list[tuple[str, bool, bool]]]] = [
    ({"env": {"GITHUB_TOKEN": "<YOUR_TOKEN>"}}, [("GITHUB_TOKEN", True, False)]),
    ({"env": {"OPENAI_API_KEY": "sk-..."}}, [("OPENAI_API_KEY", True, False)]),
    ({"env": {"OPENAI_API_KEY": "sk-…"}}, [("OPENAI_API_KEY", True, False)]),
    ({"env": {"KEY": "xxxxxxxx"}}, [("KEY", True, False)]),
    ({"env": {"TOKEN": "${input:github_token}"}}, [("TOKEN", True, False)]),
    ({"headers": {"Authorization": "Bearer YOUR_API_KEY"}}, [("Authorization", True, False)]),
    ({"url": "https://x.example/mcp?key=your-api-key-here"}, [("api key", True, False)]),
    ({"args": ["--api-key", "{{api_key}}"]}, [("api key", True, False)]),
    ({"args": ["server", "/path/to/allowed/files"]}, [("allowed files", False, True)]),
    ({"args": ["--project=<project name>"]}, [("project name", False, False)]),
    ({"env": {"SITE": "[Your site]"}}, [("SITE", False, False)]),
]
NOT_ASKED: list[dict[str, Any]] = [
    {"env": {"TOKEN": "ghp_16C7e42F292c6912E7710c838347Ae178B4a"}},
    {"env": {"MEMORY_FILE_PATH": "/home/anna/memory.json"}},
    {"env": {"HOME_FOLDER": "${HOME}/notes", "MODE": "fast", "RANGE": "1...5"}},
    {"args": ["-y", "@scope/server", "sh", "-c", "a < b > c"]},
    {"url": "https://mcp.linear.app/mcp"},
    {"env": {"TOKEN": "${secret:TOKEN}"}},
]


@pytest.mark.parametrize(("entry", "asked"), ASKED)
def test_a_placeholder_becomes_a_field(entry: dict[str, Any], asked: list[tuple[str, bool, bool]]) -> None:
    found = find_placeholders(entry)
    assert [(one.label, one.is_secret, one.is_path) for one in found] == asked
    filled = fill_placeholders(entry, {one.key: "v4lue" for one in found})
    assert find_placeholders(filled) == ()
    assert "v4lue" in repr(filled)
    assert fill_placeholders(entry, {}) == entry


@pytest.mark.parametrize("entry", NOT_ASKED)
def test_a_value_is_no_placeholder(entry: dict[str, Any]) -> None:
    assert find_placeholders(entry) == ()


def test_two_placeholders_of_one_text_are_two_fields() -> None:
    entry = {"args": ["postgres://<USER>:<PASSWORD>@localhost/db"]}
    found = find_placeholders(entry)
    assert [(one.label, one.is_secret) for one in found] == [("user", False), ("password", True)]
    filled = fill_placeholders(entry, {found[0].key: "anna", found[1].key: "s3cret"})
    assert filled == {"args": ["postgres://anna:s3cret@localhost/db"]}


@pytest.mark.parametrize("unit", ["<", "your-", "x", "{{", "sk-" + "." * 40])
def test_the_time_of_a_hostile_text_grows_with_its_length(unit: str) -> None:
    def find(count: int) -> None:
        text = unit * count
        find_placeholders({"args": [text], "env": {"A": text}})

    twice, once = compare(lambda: find(40_000), lambda: find(20_000), 3)
    assert twice <= 3 * once
