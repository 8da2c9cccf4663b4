"""The home's files with anything in them: the library opens, says what is wrong, takes an edit, and keeps it."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.inputs import json_texts, mutated, spoilt
from tests.fuzz.profiles import examples
from toolnote_desktop.cli import parser
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.store import disk
from toolnote_desktop.store.library import Library

TOOL = {
    "name": "t",
    "description": "Does it",
    "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}},
}
SAMPLES: dict[str, Any] = {
    "servers.json": {
        "mcpServers": {
            "a": {"command": "never-started", "args": ["x"], "env": {"K": "v"}, "toolnote": {"prefix": "p"}},
            "b": {
                "type": "http",
                "url": "http://127.0.0.1:9/mcp",
                "headers": {"H": "v"},
                "timeout": 5,
                "disabled": True,
            },
        }
    },
    "settings.json": {"equippedToolset": "work", "port": 8400, "theme": "dark", "sessionIdle": 60, "language": None},
    "clients.json": {"clients": {"x": {"name": "X", "tokenHash": "0" * 64, "toolset": "work", "dialect": "cursor"}}},
    "notes.json": {
        "global": [{"name": "g", "note": "G"}],
        "servers": {"a": [{"name": "s", "note": "S", "enabled": False}]},
        "tools": {"a.t": [{"name": "n", "note": "N", "author": "user", "createdAt": "2026-01-01T00:00:00Z"}]},
    },
    "catalog.json": {"servers": {"a": {"tools": [{"definition": TOOL, "accepted": TOOL, "listed": True}]}}},
    "toolsets/work.json": {
        "name": "work",
        "title": "Work",
        "version": "1.0.0",
        "tools": [{"namespacedName": "a.t", "alias": "tee", "hints": {"readOnlyHint": True}, "hiddenArguments": ["x"]}],
        "toolNotes": [{"toolRef": {"namespacedName": "a.t"}, "notes": [{"name": "n", "note": "N"}]}],
        "guidelines": "G",
        "taskTypes": {"build": {"triggers": ["b"]}},
    },
}
COMMANDS = (
    ["servers", "list", "--json"],
    ["toolset", "list"],
    ["toolset", "show", "work"],
    ["note", "list", "a.t"],
    ["guide"],
    ["clients", "list"],
)


@pytest.fixture(autouse=True)
def no_editor_is_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bad file may be one that an editor is just writing, and is looked at again after a while: none is, here."""
    monkeypatch.setattr(disk, "RECHECK_SECONDS", 0.0)
    monkeypatch.setattr(disk, "UNCHANGED_SECONDS", 0.0)


def command(*words: str) -> int:
    """A command's status; it may refuse, and may not be surprised."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = parser.run(list(words))
    err.seek(0)
    told = err.read()
    assert status in (0, 1, 2), words
    assert "unexpected error" not in told, (words, told)
    assert "Traceback" not in told, (words, told)
    return status


def fill(home: Home, files: dict[str, bytes]) -> None:
    """An otherwise empty home with these files."""
    shutil.rmtree(home.root)
    home.toolsets.mkdir(parents=True)
    for name, data in files.items():
        (home.root / name).write_bytes(data)


def works(home: Home) -> None:
    """What is to be true whatever stands in the files."""
    with Library.open(home, watch=False) as library:
        try:
            edit = library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "fresh", {"command": "x"}))
        except ToolnoteError:  # there is something in its place that is no object, which is not ours to replace
            edit = None
        library.flush()
        if edit is not None:
            edit.saved.result(30)
    for words in COMMANDS:
        command(*words)
    if edit is not None:
        with Library.open(home, watch=False) as library:
            assert "fresh" in library.snapshot.servers


@pytest.mark.once
def test_nearly_right_documents(home: Home) -> None:
    @examples(12)
    @given(st.fixed_dictionaries({name: json_texts(mutated(sample)) for name, sample in SAMPLES.items()}))
    def check(files: dict[str, bytes]) -> None:
        fill(home, files)
        works(home)

    check()


@pytest.mark.once
def test_any_bytes(home: Home) -> None:
    @examples(8)
    @given(st.dictionaries(st.sampled_from(sorted(SAMPLES)), st.binary(max_size=200) | spoilt(st.just(b"{}"))))
    def check(files: dict[str, bytes]) -> None:
        fill(home, files)
        works(home)

    check()


@pytest.mark.once
def test_documents_cut_at_each_twentieth_byte(home: Home) -> None:
    whole = {name: json.dumps(sample, indent=2).encode() for name, sample in SAMPLES.items()}
    for at in range(0, max(map(len, whole.values())), 20):
        fill(home, {name: data[:at] for name, data in whole.items() if at < len(data)})
        works(home)
