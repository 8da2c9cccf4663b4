"""Variables in the form of one client become those of Toolnote (issue 15, item 12; case U18)."""

from __future__ import annotations

import json

import pytest

from toolnote_desktop.assistants.entry_parser import NO_CONVENTIONS, read_entry
from toolnote_desktop.assistants.formats.jsonc_editor import JSON
from toolnote_desktop.assistants.registry import CLIENTS


@pytest.mark.parametrize("client", ["opencode", "kilo-code"])
def test_braced_variables_are_expanded(client: str) -> None:
    entry = {
        "command": "x",
        "args": ["{env:A}", "${env:B}", "{env:}"],
        "env": {"KEY": "Bearer {env:MY_KEY}", "F": "{file:~/key}"},
    }
    root = JSON.parse(json.dumps(entry)).root
    assert root is not None
    read, warnings = read_entry("s", root, CLIENTS[client].conventions)
    assert read is not None
    assert read["args"] == ["${A}", "${env:B}", "{env:}"]
    assert read["env"]["KEY"] == "Bearer ${MY_KEY}"
    assert [warning.reason for warning in warnings if "file" in warning.reason] == [
        'server "s": "env.F" has the content of a file, which only the client reads'
    ]


def test_braces_stay_where_a_client_has_no_such_form() -> None:
    root = JSON.parse('{"command":"x","args":["{env:A}"]}').root
    assert root is not None
    read, warnings = read_entry("s", root, NO_CONVENTIONS)
    assert read is not None
    assert read["args"] == ["{env:A}"]
    assert [warning.reason for warning in warnings] == [
        'server "s": "args[0]" keeps {env:A} as it is; a variable is written ${A}'
    ]


def test_file_cannot_let_its_server_have_the_users_agent() -> None:
    """Seen red: ``inherit`` of an imported file was added unseen, with the agent, the session bus and passwords."""
    own = {"prefix": "p", "inherit": ["SSH_AUTH_SOCK"], "changes": "accept", "about": "Trust it."}
    root = JSON.parse(json.dumps({"command": "x", "toolnote": own})).root
    assert root is not None
    read, warnings = read_entry("s", root, NO_CONVENTIONS)
    assert read is not None
    assert read["toolnote"] == {"prefix": "p"}
    assert [warning.reason for warning in warnings] == [
        f'server "s": "toolnote.{key}" is left out, because only you decide on it'
        for key in ("inherit", "changes", "about")
    ]


def test_value_that_only_a_client_knows_is_named_by_its_field() -> None:
    """As where it is missing at launch (case C45): the field with its place, and the value as it is written."""
    root = JSON.parse('{"command":"x","args":["-k","${input:key}"],"env":{"T":"${input:t}"}}').root
    assert root is not None
    _, warnings = read_entry("s", root, NO_CONVENTIONS)
    assert [warning.reason for warning in warnings] == [
        'server "s": "args[1]" needs a value that only the client knows: ${input:key}',
        'server "s": "env.T" needs a value that only the client knows: ${input:t}',
    ]
