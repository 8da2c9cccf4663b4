"""The commands as a person or a script runs them: real processes, a home of their own, docs/contract.md only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from toolnote_desktop.paths import Home

PATIENCE = 60


def toolnote(*words: str, status: int = 0, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run one command to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "toolnote_desktop", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, **variables},
    )
    assert done.returncode == status, done
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done


def said(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stdout.decode("utf-8")


def document(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_a_toolset_with_notes_is_plain_json(home: Home) -> None:
    toolnote("toolset", "create", "linear-work", "linear.create_issue", "--title", "Linear work")
    toolnote("toolset", "equip", "linear-work")
    toolnote("note", "add", "linear.create_issue", "team-selection", "Ask which team first. • 日本語")
    content = document(home.toolset("linear-work"))
    assert (content["name"], content["title"]) == ("linear-work", "Linear work")
    assert content["tools"] == [{"namespacedName": "linear.create_issue"}]
    (group,) = content["toolNotes"]
    assert group["toolRef"]["namespacedName"] == "linear.create_issue"
    (note,) = group["notes"]
    assert (note["name"], note["note"], note["author"]) == (
        "team-selection",
        "Ask which team first. • 日本語",
        "user",
    )
    assert document(home.settings)["equippedToolset"] == "linear-work"
    assert "unresolved" in said(toolnote("toolset", "show", "linear-work"))
    if sys.platform != "win32":
        assert home.toolset("linear-work").stat().st_mode & 0o777 == 0o600
        assert home.root.stat().st_mode & 0o077 == 0


def test_notes_written_by_many_processes_at_once_are_all_kept(home: Home) -> None:
    toolnote("toolset", "create", "work", "a.b")
    toolnote("toolset", "equip", "work")
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: toolnote("note", "add", "a.b", f"note-{number}", f"Text {number}."), range(6)))
    (group,) = document(home.toolset("work"))["toolNotes"]
    assert sorted(note["name"] for note in group["notes"]) == [f"note-{number}" for number in range(6)]


def test_unknown_keys_are_kept(home: Home) -> None:
    home.toolsets.mkdir()
    theirs = {
        "name": "work",
        "guidelines": "x",
        "tools": [{"namespacedName": "a.b", "alias": "c", "own": [1]}],
        "own": {},
    }
    home.toolset("work").write_text(json.dumps(theirs), encoding="utf-8")
    toolnote("note", "add", "a.b", "n", "x", "--toolset", "work")
    content = document(home.toolset("work"))
    assert {key: content[key] for key in theirs} == theirs


def test_only_the_built_in_tools_without_a_toolset() -> None:
    result = json.loads(toolnote("tools", "--json").stdout)
    assert list(result) == ["tools"]
    names = [tool["name"] for tool in result["tools"]]
    assert names[:8] == [
        "list-available-tools",
        "build-toolset",
        "list-saved-toolsets",
        "equip-toolset",
        "delete-toolset",
        "unequip-toolset",
        "get-active-toolset",
        "add-tool-annotation",
    ]
    assert all(tool["inputSchema"]["type"] == "object" for tool in result["tools"])
    prefixed = json.loads(toolnote("tools", "--json", MCP_TOOL_PREFIX="my_").stdout)
    assert next(tool["name"] for tool in prefixed["tools"]) == "my_list-available-tools"


def test_a_home_given_wins_over_the_environments(home: Home, tmp_path: Path) -> None:
    toolnote("toolset", "create", "work", "--home", str(tmp_path / "one"))
    toolnote("--home", str(tmp_path / "two"), "toolset", "create", "work")
    toolnote("toolset", "create", "work", TOOLNOTE_HOME=str(tmp_path / "three"))
    assert all((tmp_path / name / "toolsets" / "work.json").is_file() for name in ("one", "two", "three"))
    assert not home.toolset("work").exists()


@pytest.mark.parametrize(
    "variables", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}]
)
def test_output_is_utf8_whatever_the_locale_says(
    home: Home, variables: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    home.toolsets.mkdir()
    home.toolset("work").write_text(json.dumps({"title": "Größe 日本 • \ud800"}), encoding="utf-8")
    assert "Größe 日本 • \\ud800" in said(toolnote("toolset", "list"))


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is told otherwise there")
def test_a_reader_that_goes_is_no_error(home: Home) -> None:
    command = [sys.executable, "-m", "toolnote_desktop", "tools", "--json"]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    finally:
        os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 1


def test_wrong_use_and_what_cannot_be_done_have_their_status() -> None:
    assert toolnote("toolset", "nonsense", status=2).stderr.count(b"\n") == 1
    assert toolnote("toolset", "show", "gone", status=1).stderr == b'toolnote: there is no toolset "gone"\n'
    assert toolnote("tools", "--toolset", "gone", status=1).stderr.count(b"\n") == 1


def test_traces_go_to_stderr_where_they_are_wanted(home: Home) -> None:
    home.servers.write_text("{", encoding="utf-8")
    quiet, loud = toolnote("toolset", "list"), toolnote("toolset", "list", TOOLNOTE_LOG="debug")
    assert quiet.stderr.count(b"\n") == 1
    assert loud.stdout == quiet.stdout


def test_a_clients_file_gets_toolnote_and_is_as_before_after(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    before = b'{\n\t// mine\n\t"mcpServers": {"x": {"command": "y", "env": {"T": "s3cret-value"}}},\n}\r\n'
    file.write_bytes(before)
    dry = toolnote("clients", "install", "cursor", "--config", str(file), "--dry-run")
    assert "bridge" in said(dry)
    assert b"s3cret" not in dry.stdout + dry.stderr
    assert file.read_bytes() == before
    done = toolnote("clients", "install", "cursor", "--config", str(file))
    assert b"s3cret" not in done.stdout + done.stderr
    assert b'"bridge"' in file.read_bytes()
    assert before[:60] in file.read_bytes()
    assert "Toolnote is already installed in" in said(toolnote("clients", "install", "cursor", "--config", str(file)))
    assert document(home.clients)["clients"]["cursor"]["toolset"] is None
    assert any(path.is_file() and path.read_bytes() == before for path in home.backups.rglob("*"))
    toolnote("clients", "uninstall", "cursor", "--config", str(file), "--dry-run")
    assert b'"bridge"' in file.read_bytes()
    toolnote("clients", "uninstall", "cursor", "--config", str(file))
    assert file.read_bytes() == before


def test_a_clients_file_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_bytes(b'{"mcpServers": {"x": ')
    done = toolnote("clients", "install", "cursor", "--config", str(file), status=1)
    assert str(file).encode() in done.stderr
    assert file.read_bytes() == b'{"mcpServers": {"x": '
    assert b"no client" in toolnote("clients", "install", "nonsense", status=2).stderr


def test_clients_are_listed_and_taken_out_together(home: Home, user_folder: Path) -> None:
    (user_folder / ".cursor").mkdir()
    listed = {client["id"]: client for client in json.loads(toolnote("clients", "list", "--json").stdout)["clients"]}
    assert {"claude-desktop", "cursor", "vscode"} <= set(listed)
    assert not listed["cursor"]["connected"]
    toolnote("toolset", "create", "work")
    toolnote("clients", "install", "cursor", "--toolset", "work")
    assert document(home.clients)["clients"]["cursor"]["toolset"] == "work"
    entry = document(user_folder / ".cursor" / "mcp.json")["mcpServers"]["toolnote"]
    assert entry["args"][-4:] == ["--client", "cursor", "--home", str(home.root)]
    listed = {client["id"]: client for client in json.loads(toolnote("clients", "list", "--json").stdout)["clients"]}
    assert listed["cursor"]["connected"]
    toolnote("clients", "uninstall", "--all")
    assert not (user_folder / ".cursor" / "mcp.json").exists()
