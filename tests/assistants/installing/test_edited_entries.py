"""Entries of ours that are there already: older ones, others of our name, and what somebody edited."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.assistants.installing.test_install import COMMAND, CURSOR, entries, install, uninstall
from tests.assistants.machines import OURSELVES, machine, put, put_sample, sample
from toolnote_desktop.assistants.installing.client_tokens import DirectAccess
from toolnote_desktop.assistants.installing.plan import (
    InstallOptions,
    apply,
    plan_install,
)
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.problem import Code
from toolnote_desktop.paths import Home

OLD_ENTRIES = """{
  "mcpServers": {
    "tool-notes": {
      "command": "/old/place/toolnote",
      "args": ["bridge", "--client", "cursor"]
    },
    "other": {"command": "npx", "args": ["-y", "server"]}, // mine
    "Toolnote": {
      "url": "http://localhost:8123/mcp"
    },
    "last": {"url": "http://127.0.0.1:3000/mcp"}
  }
}
"""


def test_of_old_entries_one_remains_and_none_after_going(tmp_path: Path, home: Home) -> None:
    file = put(tmp_path / "mcp.json", OLD_ENTRIES)
    plan = install(CURSOR, file, home)
    assert list(entries(CURSOR, file)) == ["other", "last", "toolnote"]
    assert sorted(note.parameters["entry"] for note in plan.notes) == ["Toolnote", "tool-notes"]
    assert "earlier Toolnote entry" in english(plan.notes[0])
    uninstall(CURSOR, file, home)
    assert file.read_text() == (
        '{\n  "mcpServers": {\n    "other": {"command": "npx", "args": ["-y", "server"]}, // mine\n'
        '    "last": {"url": "http://127.0.0.1:3000/mcp"}\n  }\n}\n'
    )


def test_our_key_twice_becomes_one(tmp_path: Path, home: Home) -> None:
    own = '"toolnote": {"command": "toolnote", "args": ["bridge"]}'
    file = put(tmp_path / "mcp.json", f'{{"mcpServers": {{{own}, "a": {{"command": "x"}}, {own}}}}}')
    install(CURSOR, file, home)
    assert file.read_text().count('"toolnote":') == 1
    assert list(entries(CURSOR, file)) == ["a", "toolnote"]


def test_another_server_of_our_name_is_left_alone(tmp_path: Path, home: Home) -> None:
    before = '{"mcpServers": {"toolnote": {"command": "npx", "args": ["some-notes"]}}}'
    file = put(tmp_path / "mcp.json", before)
    plan = install(CURSOR, file, home)
    assert [note.code for note in plan.notes] == [Code.CLIENT_ENTRY_RENAMED]
    assert list(entries(CURSOR, file)) == ["toolnote", "toolnote-2"]
    assert not plan_install(CURSOR, file, home, OURSELVES).changes
    uninstall(CURSOR, file, home)
    assert file.read_text() == before


EDITS: list[tuple[str, Any]] = [
    ("args", lambda held: {"toolnote": {**held, "args": [*held["args"], "--toolset", "mine"]}}),
    ("wrapper", lambda held: {"toolnote": {"command": "/home/ada/bin/with-notes.sh"}}),
]


@pytest.mark.parametrize(("what", "change"), EDITS, ids=[name for name, _ in EDITS])
def test_an_entry_that_somebody_edited_is_left_alone_unless_asked(
    tmp_path: Path, home: Home, what: str, change: Any
) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    install(CURSOR, file, home)
    raw = json.loads(file.read_text())
    raw["mcpServers"] |= change(raw["mcpServers"].pop("toolnote"))
    edited = put(file, json.dumps(raw, indent=4)).read_bytes()
    plan = install(CURSOR, file, home)
    assert [note.code for note in plan.notes] == [Code.CLIENT_ENTRY_EDITED]
    assert file.read_bytes() == edited
    install(CURSOR, file, home, replace_edited=True)
    assert list(entries(CURSOR, file)) == ["linear", "context7", "git", "toolnote"]
    assert entries(CURSOR, file)["toolnote"]["command"] == COMMAND
    assert what
    uninstall(CURSOR, file, home)
    assert list(entries(CURSOR, file)) == ["linear", "context7", "git"]


def test_keys_of_the_users_own_in_our_entry_are_kept(tmp_path: Path, home: Home) -> None:
    """Red where an added key counts as an edit, or where the entry is written anew without it."""
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    install(CURSOR, file, home)
    raw = json.loads(file.read_text())
    added = {"timeout": 60, "alwaysLoad": True, "env": {"TOOLNOTE_LOG": "debug"}}
    raw["mcpServers"]["toolnote"] |= added
    put(file, json.dumps(raw, indent=2))
    plan = install(CURSOR, file, home)
    assert (plan.changes, plan.notes) == (False, ())
    for command in ("/opt/newer/toolnote", "/opt/newest/toolnote"):
        plan = plan_install(CURSOR, file, home, ToolnoteIdentity(command=(command,)))
        assert plan.notes == ()
        apply(plan, home)
        assert entries(CURSOR, file)["toolnote"] == {
            "command": command,
            "args": raw["mcpServers"]["toolnote"]["args"],
            **added,
        }
    raw = json.loads(file.read_text())
    del raw["mcpServers"]["toolnote"]["timeout"]
    put(file, json.dumps(raw))
    assert plan_install(CURSOR, file, home, OURSELVES).notes == ()
    raw["mcpServers"]["toolnote"]["args"].append("--toolset")
    put(file, json.dumps(raw))
    assert [note.code for note in install(CURSOR, file, home).notes] == [Code.CLIENT_ENTRY_EDITED]
    install(CURSOR, file, home, replace_edited=True)
    assert entries(CURSOR, file)["toolnote"]["alwaysLoad"] is True
    direct = InstallOptions(direct=DirectAccess("http://127.0.0.1:8377/mcp", "t"))
    apply(plan_install(CURSOR, file, home, OURSELVES, direct), home)
    entry = entries(CURSOR, file)["toolnote"]
    assert list(entry) == ["url", "headers", "alwaysLoad", "env"]
    uninstall(CURSOR, file, home)
    assert list(entries(CURSOR, file)) == ["linear", "context7", "git"]


def test_an_entry_that_somebody_renamed_keeps_its_name(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    install(CURSOR, file, home)
    renamed = put(file, file.read_text().replace('"toolnote":', '"my notes":')).read_bytes()
    plan = install(CURSOR, file, home)
    assert (plan.changes, plan.notes, plan.name) == (False, (), "my notes")
    newer = ToolnoteIdentity(command=("/opt/newer/toolnote",))
    plan = plan_install(CURSOR, file, home, newer)
    assert [note.code for note in plan.notes] == [Code.CLIENT_ENTRY_EDITED]
    assert file.read_bytes() == renamed
    uninstall(CURSOR, file, home)
    assert file.read_bytes() == sample("cursor", "linux")


def test_a_client_that_writes_its_file_anew_does_not_count_as_an_edit(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    install(CURSOR, file, home)
    raw = json.loads(file.read_text())
    entry = raw["mcpServers"]["toolnote"]
    raw["mcpServers"]["toolnote"] = {key: entry[key] for key in sorted(entry)}
    put(file, json.dumps(raw))
    newer = ToolnoteIdentity(command=("/opt/newer/toolnote",))
    apply(plan_install(CURSOR, file, home, newer), home)
    assert entries(CURSOR, file)["toolnote"]["command"] == "/opt/newer/toolnote"


def test_after_an_edit_of_the_wrapper_kind_going_leaves_it(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    install(CURSOR, file, home)
    put(file, file.read_text().replace(COMMAND, "/home/ada/notes").replace('"bridge"', '"other"'))
    before = file.read_bytes()
    assert not uninstall(CURSOR, file, home).changes
    assert file.read_bytes() == before
