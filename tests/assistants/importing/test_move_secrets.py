"""What looks like a secret leaves a server's entry and is known again when the same server is found once more."""

from __future__ import annotations

from typing import Any

import pytest

from toolnote_desktop.assistants.importing.candidates import (
    Candidate,
    CandidateState,
    ReadResult,
    Source,
    merge_results,
)
from toolnote_desktop.assistants.importing.move_secrets import Secret, extract_secrets, store_secrets
from toolnote_desktop.model.problem import Code, ToolnoteError

MOVES: list[tuple[dict[str, Any], dict[str, Any], dict[str, str]]] = [
    (
        {"command": "x", "env": {"API_KEY": "s3cret-1", "LEVEL": "debug", "TOKEN": "${TOKEN}"}},
        {"command": "x", "env": {"API_KEY": "${secret:API_KEY}", "LEVEL": "debug", "TOKEN": "${TOKEN}"}},
        {"API_KEY": "s3cret-1"},
    ),
    (
        {"url": "https://a.b/mcp", "headers": {"Authorization": "Bearer s3cret-1", "X-Region": "eu"}},
        {"url": "https://a.b/mcp", "headers": {"Authorization": "Bearer ${secret:AUTHORIZATION}", "X-Region": "eu"}},
        {"AUTHORIZATION": "s3cret-1"},
    ),
    (
        {
            "args": [
                "--api-key",
                "s3cret-1",
                "--max-tokens",
                "4096",
                "--token=s3cret-2",
                "--header",
                "X-Token: s3cret-3",
            ]
        },
        {
            "args": [
                *("--api-key", "${secret:API_KEY}", "--max-tokens", "4096", "--token=${secret:TOKEN}"),
                *("--header", "X-Token: ${secret:X_TOKEN}"),
            ]
        },
        {"API_KEY": "s3cret-1", "TOKEN": "s3cret-2", "X_TOKEN": "s3cret-3"},
    ),
    (
        {"args": ["--header", "Authorization: Bearer s3cret-1", "run", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"]},
        {"args": ["--header", "Authorization: Bearer ${secret:AUTHORIZATION}", "run", "${secret:RUN}"]},
        {"AUTHORIZATION": "s3cret-1", "RUN": "ghp_16C7e42F292c6912E7710c838347Ae178B4a"},
    ),
    (
        {"url": "https://a.b/mcp?api_key=s3cret-1&x=1"},
        {"url": "https://a.b/mcp?api_key=${secret:API_KEY}&x=1"},
        {"API_KEY": "s3cret-1"},
    ),
    (
        {"args": ["--token", "s3cret-1", "--token", "s3cret-2", "--token", "s3cret-1"]},
        {"args": ["--token", "${secret:TOKEN}", "--token", "${secret:TOKEN_2}", "--token", "${secret:TOKEN}"]},
        {"TOKEN": "s3cret-1", "TOKEN_2": "s3cret-2"},
    ),
    (
        {"args": ["postgres://u:s3cret@h/db"], "env": {"DATABASE_URI": "postgres://u:s3cret@h/db"}},
        {"args": ["${secret:SECRET}"], "env": {"DATABASE_URI": "${secret:DATABASE_URI}"}},
        {"DATABASE_URI": "postgres://u:s3cret@h/db", "SECRET": "postgres://u:s3cret@h/db"},
    ),
    ({"command": "x", "args": [], "timeout": 3}, {"command": "x", "args": [], "timeout": 3}, {}),
]


@pytest.mark.parametrize(("entry", "without", "secrets"), MOVES)
def test_value_that_looks_secret_is_moved(
    entry: dict[str, Any], without: dict[str, Any], secrets: dict[str, str]
) -> None:
    outcome = extract_secrets(entry)
    assert outcome.entry == without
    assert {one.name: one.value for one in outcome.secrets} == secrets
    assert "s3cret" not in repr(outcome)


@pytest.mark.parametrize(("entry", "without", "secrets"), MOVES)
def test_server_is_recognised_again_after_its_secrets_moved(
    entry: dict[str, Any], without: dict[str, Any], secrets: dict[str, str]
) -> None:
    found = ReadResult((Candidate("a", "a", entry, (Source(None, "f", 1),)),))
    (again,) = merge_results([found], {"a": without}).candidates
    assert again.state is CandidateState.PRESENT
    other = {**entry, "args": ["quite", "another"], "url": "https://other.example", "command": "z"}
    (different,) = merge_results(
        [ReadResult((Candidate("a", "a", other, (Source(None, "f", 1),)),))], {"a": without}
    ).candidates
    assert different.state is CandidateState.RENAMED


def test_values_that_are_known_to_be_secret_are_moved_whatever_they_are_called() -> None:
    outcome = extract_secrets({"args": ["--db", "s3cret"], "headers": {"X-Db": "Token s3cret"}}, {"s3cret"})
    assert outcome.entry == {"args": ["--db", "${secret:DB}"], "headers": {"X-Db": "Token ${secret:X_DB}"}}


class Store:
    """As the store of secrets, with a lid that can be shut."""

    def __init__(self, room: int) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self._room = room

    def write(self, server: str, name: str, value: str) -> None:
        if len(self.kept) == self._room:
            raise ToolnoteError(Code.FILE_NOT_WRITTEN, file="keychain", reason="locked")
        self.kept[server, name] = value

    def remove(self, server: str, name: str) -> None:
        del self.kept[server, name]


def test_secrets_are_stored_all_or_none() -> None:
    secrets = {"a": (Secret("x", "1"), Secret("y", "2")), "b": (Secret("x", "3"),)}
    whole = Store(room=9)
    store_secrets(secrets, whole)
    assert whole.kept == {("a", "x"): "1", ("a", "y"): "2", ("b", "x"): "3"}
    small = Store(room=2)
    with pytest.raises(ToolnoteError):
        store_secrets(secrets, small)
    assert small.kept == {}
