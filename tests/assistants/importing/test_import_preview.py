"""What was found, laid together and beside the servers that are here: one server each, and nothing written over."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.assistants.importing.test_candidates import entries
from tests.assistants.machines import OURSELVES
from tests.timing import compare
from toolnote_desktop.assistants.importing.candidates import (
    Candidate,
    CandidateState,
    ReadResult,
    Source,
    import_edits,
    merge_results,
    read_snippet,
)
from toolnote_desktop.assistants.toolset_file import strip_secrets
from toolnote_desktop.model.edits import SERVERS, apply_edits
from toolnote_desktop.model.json_text import JsonObject


def test_two_names_in_one_file_are_two_servers() -> None:
    def found(file: str, **servers: JsonObject) -> ReadResult:
        candidates = [Candidate(id, id, entry, (Source(None, file, 1, id),)) for id, entry in servers.items()]
        return ReadResult(tuple(candidates))

    plain: JsonObject = {"command": "x"}
    told: JsonObject = {"command": "x", "env": {"DEBUG": "1"}}
    mine = found("mine.json", plain=plain, again=plain, told=told)
    assert [one.id for one in merge_results([mine], {}).candidates] == ["plain", "again", "told"]
    reading = merge_results([mine, found("other.json", elsewhere=plain)], {})
    assert [[source.name for source in one.sources] for one in reading.candidates] == [
        ["plain", "elsewhere"],
        ["again"],
        ["told"],
    ]


def readings(*servers: dict[str, Any]) -> list[ReadResult]:
    return [read_snippet(json.dumps({"mcpServers": one}), OURSELVES, f"file {n}") for n, one in enumerate(servers)]


def test_server_in_several_clients_is_one_candidate() -> None:
    git = {"command": "uvx", "args": ["mcp-server-git"]}
    together = merge_results(
        readings(
            {"git": {**git, "disabled": True}, "x": {"url": "https://x"}},
            {"Git!": {**git, "type": "stdio", "env": {"A": "1"}}},
            {"x": {"type": "http", "url": "https://x", "headers": {"H": "1"}}},
        ),
        {},
    )
    assert [(one.id, len(one.sources), one.state) for one in together.candidates] == [
        ("git", 2, CandidateState.NEW),
        ("x", 2, CandidateState.NEW),
    ]
    assert together.candidates[0].entry == {**git, "type": "stdio", "env": {"A": "1"}}
    assert together.candidates[1].entry["headers"] == {"H": "1"}


def test_a_second_account_is_another_server() -> None:
    github = {"command": "docker", "args": ["run", "github"]}
    work, own = ({**github, "env": {"TOKEN": token}} for token in ("1", "2"))
    together = merge_results(readings({"github": work}, {"github": own}), {})
    assert entries(together) == {"github": work, "github-2": own}
    assert [one.state for one in together.candidates] == [CandidateState.NEW, CandidateState.RENAMED]
    apart = merge_results(readings({"g": {**github, "env": {"A": "1"}}}, {"g": {**github, "env": {"B": "2"}}}), {})
    assert len(apart.candidates) == 2


def test_library_entry_is_never_overwritten() -> None:
    existing = {
        "git": {"command": "uvx", "args": ["mcp-server-git"], "env": {"TOKEN": "kept"}, "toolnote": {"prefix": "g"}},
        "odd": [],
        "time": {"type": "stdio", "command": "uvx", "args": ["mcp-server-time"], "env": "odd"},
    }
    found = readings(
        {"git": {"command": "uvx", "args": ["mcp-server-git"]}, "time": {"command": "z"}, "odd": {"command": "q"}}
    )
    together = merge_results(found, existing)
    assert [(one.id, one.found_as, one.state) for one in together.candidates] == [
        ("git", "git", CandidateState.PRESENT),
        ("time-2", "time", CandidateState.RENAMED),
        ("odd-2", "odd", CandidateState.RENAMED),
    ]
    raw: Any = {"mcpServers": existing}
    for edit in import_edits(together.candidates, {"git", "time-2"}):
        assert edit.document == SERVERS
        raw, _ = edit.apply(raw)
    assert raw["mcpServers"] == {**existing, "time-2": {"command": "z"}}


HERE: dict[str, Any] = {
    "command": "uvx",
    "args": ["mcp-server-git", "--api-key", "sk-123456789", "--token=ghp_1234567890"],
    "env": {"GIT_TOKEN": "ghp_real", "LEVEL": "debug"},
    "toolnote": {"prefix": "g"},
}


REMOTE: dict[str, Any] = {
    "type": "http",
    "url": "https://mcp.example/mcp?key=real",
    "headers": {"Authorization": "Bearer real", "X-Team": "a"},
}


GIT = {"command": "uvx", "args": HERE["args"]}


@pytest.mark.parametrize(
    ("here", "given"),
    [
        (HERE, strip_secrets(HERE)),
        (REMOTE, strip_secrets(REMOTE)),
        (HERE, {**GIT, "env": {"GIT_TOKEN": "${GIT_TOKEN}"}}),
        (HERE, {**GIT, "env": {"GIT_TOKEN": "<your token>", "LEVEL": "debug"}}),
        (HERE, {**GIT, "env": {"GIT_TOKEN": "YOUR_TOKEN", "LEVEL": ""}}),
        (HERE, {**GIT, "args": ["mcp-server-git", "--api-key", "${input:key}", "--token=<token>"]}),
        (REMOTE, {"url": "https://mcp.example/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}),
    ],
)
def test_a_server_whose_secrets_were_left_out_is_the_one_that_is_here(here: JsonObject, given: JsonObject) -> None:
    (same,) = merge_results(readings({"git": given}), {"git": here}).candidates
    assert (same.id, same.state) == ("git", CandidateState.PRESENT)
    assert import_edits([same], {"git"}) == ()


@pytest.mark.parametrize(
    ("here", "given"),
    [
        (HERE, {**GIT, "env": {"GIT_TOKEN": "ghp_another"}}),
        (HERE, {**GIT, "env": {"GIT_TOKEN": "${GIT_TOKEN}", "LEVEL": "info"}}),
        (HERE, {**GIT, "env": {"NEW_TOKEN": "${NEW_TOKEN}"}}),
        (HERE, {**GIT, "args": [*HERE["args"], "--verbose"]}),
        (HERE, {**strip_secrets(HERE), "command": "npx"}),
        (REMOTE, {"url": "https://mcp.example/other"}),
        (REMOTE, {**strip_secrets(REMOTE), "headers": {"Authorization": "Token ${TOKEN}"}}),
        ([], {"command": "uvx"}),
    ],
)
def test_another_one_is_another_one(here: Any, given: JsonObject) -> None:
    (other,) = merge_results(readings({"git": given}), {"git": here}).candidates
    assert (other.id, other.state) == ("git-2", CandidateState.RENAMED)


def test_imported_server_can_be_switched_off_and_put_into_a_toolset() -> None:
    together = merge_results(readings({"a": {"command": "x", "toolnote": {"prefix": ""}}}), {})
    (edit,) = import_edits(together.candidates, ["a"], disabled=True, toolset="my-tools")
    assert edit.apply(None)[0] == {
        "mcpServers": {"a": {"command": "x", "toolnote": {"prefix": "", "toolset": "my-tools"}, "disabled": True}},
        "toolnote": {"inheritAll": []},
    }
    assert import_edits(together.candidates, []) == ()


@pytest.mark.parametrize("same", [True, False], ids=["one command", "different commands"])
def test_the_time_to_import_20000_servers_grows_with_their_number(same: bool) -> None:
    """Red team L5: no end within 20 s. Seen red: 4,000 took 29 s to compare, and adding them grew with the square."""

    def imported(count: int) -> None:
        listed = {f"s{number}": {"command": "x" if same else f"x{number}"} for number in range(count)}
        reading = read_snippet(json.dumps({"mcpServers": listed}), OURSELVES, "file")
        found = merge_results([reading], {})
        raw, inverse = apply_edits(import_edits(found.candidates, list(listed)), None)
        assert raw is not None
        assert list(raw["mcpServers"]) == list(listed)
        assert len(inverse) == len(listed)
        again = merge_results([reading], raw["mcpServers"])
        assert {candidate.state for candidate in again.candidates} == {CandidateState.PRESENT}

    many, few = compare(lambda: imported(20_000), lambda: imported(5_000), 8)
    assert many <= 8 * few
