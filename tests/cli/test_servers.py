"""``toolnote servers``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.servers.launch import raw_server_command
from toolnote_desktop.paths import Home


def entries(home: Home) -> Any:
    return json.loads(home.servers.read_text(encoding="utf-8"))["mcpServers"]


@pytest.mark.parametrize(
    ("words", "entry"),
    [
        (["--command", "npx", "-y", "@x/y"], {"type": "stdio", "command": "npx", "args": ["-y", "@x/y"]}),
        (["--command=npx", "-y", "z"], {"type": "stdio", "command": "npx", "args": ["-y", "z"]}),
        (
            ["--command", "npx", "-y", "@x/y", "--env", "K=V", "--env=EMPTY=", "--cwd", "/w"],
            {"type": "stdio", "command": "npx", "args": ["-y", "@x/y"], "env": {"K": "V", "EMPTY": ""}, "cwd": "/w"},
        ),
        (["--env", "A=b=c", "--command", "x"], {"type": "stdio", "command": "x", "args": [], "env": {"A": "b=c"}}),
        (
            ["--command", "npx", "--", "mcp-remote", "http://h", "--header", "A: b", "--env", "--"],
            {"type": "stdio", "command": "npx", "args": ["mcp-remote", "http://h", "--header", "A: b", "--env", "--"]},
        ),
        (
            ["--command", "--", "npx", "--json"],
            {"type": "stdio", "command": "npx", "args": ["--json"]},
        ),
        (
            ["--command", "x", "${HOME}/a", "日本 語"],
            {"type": "stdio", "command": "x", "args": ["${HOME}/a", "日本 語"]},
        ),
        (["--command", "x", "--cwd", "${HOME}"], {"type": "stdio", "command": "x", "args": [], "cwd": "${HOME}"}),
        (["--url", "https://h/mcp"], {"type": "http", "url": "https://h/mcp"}),
        (["--url", "https://h/sse", "--type", "sse"], {"type": "sse", "url": "https://h/sse"}),
        (
            ["--url", "https://h/mcp", "--header", "Authorization: Bearer a=b", "--header", "X=y:z"],
            {"type": "http", "url": "https://h/mcp", "headers": {"Authorization": "Bearer a=b", "X": "y:z"}},
        ),
    ],
)
def test_add(run: Run, home: Home, words: list[str], entry: dict[str, Any]) -> None:
    run("servers", "add", "an id", *words)
    assert entries(home) == {"an id": entry}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--header", "X: a\r\nY: b"], "headers.X: its value has a line break"),
        (["--header", "X: a\nb"], "its value has a line break"),
        (["--header", "X: a\x00b"], "its value has a control character"),
        (["--header", "X: ${TOKEN:-\x7f}"], "its value has a control character"),
        (["--header", "X: naïve"], "its value has a letter that is not ASCII"),
        (["--header", "X Y: a"], "headers.X Y: a header's name is made of letters, digits and -"),
        (["--header", "X\nY: a"], "headers.X Y: a header's name is made of"),
        (["--header", "Ü: a"], "a header's name is made of"),
        (["--url", "http://h/\r\nX: y"], "--url cannot be used: it has a line break"),
        (["--url", "http://${HOST}/\n"], "--url cannot be used: it has a line break"),
        (["--url", "http://"], "--url cannot be used: not an http or https url"),
        (["--url", "http://two words/"], "the name of its host has a space"),
        (["--url", "http://h:port/"], "its port is no number from 1 to 65535"),
        (["--url", "http://[::1/"], "--url cannot be used: it is not a URL"),
    ],
)
def test_header_values_that_http_cannot_carry_are_wrong_use(run: Run, home: Home, words: list[str], told: str) -> None:
    outcome = run("servers", "add", "x", "--url", "http://h/", *words, status=2)
    assert told in outcome.err
    assert outcome.err.count("\n") == 1
    assert not home.servers.exists()


@pytest.mark.parametrize("value", ["", "Bearer a.b-c", "tab\tin it", "${secret:TOKEN}", "${A:-x y}"])
def test_header_values_that_http_can_carry(run: Run, home: Home, value: str) -> None:
    run("servers", "add", "x", "--url", "https://${HOST}:${PORT}/mcp", "--header", f"X-Y.z_1: {value}")
    assert entries(home)["x"]["headers"] == {"X-Y.z_1": value}


def test_a_broken_header_of_the_file_is_that_servers_own_trouble(run: Run, home: Home) -> None:
    bad = {"url": "http://127.0.0.1:9/mcp", "headers": {"X": "a\r\nY: s3cret"}}
    home.servers.write_text(json.dumps({"mcpServers": {"bad": bad}}), encoding="utf-8")
    outcome = run("servers", "test", "bad", status=1)
    assert outcome.err == 'toolnote: server "bad": headers.X: its value has a line break\n'


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"env": {"A": "s3cret\x00"}}, "env.A: it has a null character"),
        ({"env": {"A=B": "s3cret"}}, "env.A=B: the name of a variable is not empty and has no ="),
        ({"env": {"": "s3cret"}}, "env.: the name of a variable is not empty and has no ="),
        ({"args": ["fine", "a\x00"]}, "args[1]: it has a null character"),
        ({"args": ["\ud800"]}, "args[0]: it has broken characters, which are no Unicode"),
        ({"cwd": "/\x00"}, "cwd: it has a null character"),
        ({"command": "x\x00y"}, "command: it has a null character"),
    ],
)
def test_values_no_program_can_be_given_are_named(run: Run, home: Home, entry: dict[str, Any], told: str) -> None:
    home.servers.write_text(json.dumps({"mcpServers": {"a": {"command": "true", **entry}}}), encoding="utf-8")
    assert run("servers", "test", "a", status=1).err == f'toolnote: server "a": {told}\n'


def test_a_name_of_two_lines_is_one_row(run: Run) -> None:
    run("servers", "add", "a\nb\tc", "--command", "x")
    assert run("servers", "list").out == "a\\x0ab\\x09c  on  0 tools  x\n"


def test_a_long_command_line_is_cut_in_the_table_and_whole_as_json(run: Run, home: Home) -> None:
    """Seen red: a row had the whole command line."""
    long: dict[str, dict[str, Any]] = {
        "a": {"command": "x", "args": ["y" * 5_000]},
        "b": {"url": f"https://example.com/{'z' * 5_000}"},
    }
    home.servers.write_text(json.dumps({"mcpServers": long}), encoding="utf-8")
    rows = run("servers", "list").out.splitlines()
    assert [len(row) for row in rows] == [len("a  on  0 tools  ") + 160] * 2
    assert all(row.endswith("…") for row in rows)
    first, second = run("servers", "list", "--json").json["servers"]
    assert (first["args"], second["url"]) == (long["a"]["args"], long["b"]["url"])


def test_add_keeps_what_is_there(run: Run, home: Home) -> None:
    home.servers.write_text('{"mcpServers": {"a": {"command": "x", "mine": 1}}, "more": [1]}', encoding="utf-8")
    run("servers", "add", "b", "--command", "y")
    raw = json.loads(home.servers.read_text(encoding="utf-8"))
    assert raw["more"] == [1]
    assert list(raw["mcpServers"]) == ["a", "b"]
    assert raw["mcpServers"]["a"] == {"command": "x", "mine": 1}


def test_duplicate_id_is_refused(run: Run, home: Home) -> None:
    run("servers", "add", "a", "--command", "x")
    assert "already" in run("servers", "add", "a", "--command", "y", status=1).err
    assert entries(home)["a"]["command"] == "x"


def test_toolnote_is_never_its_own_server(run: Run, home: Home) -> None:
    for words in (["--command", "toolnote", "bridge"], ["--url", "http://localhost:8377/mcp"]):
        assert "Toolnote itself" in run("servers", "add", "me", *words, status=1).err
    assert not home.servers.exists()


def test_a_toolset_that_the_tools_join(run: Run, home: Home) -> None:
    assert "no toolset" in run("servers", "add", "a", "--command", "x", "--toolset", "work", status=1).err
    run("toolset", "create", "work")
    run("servers", "add", "a", "--command", "x", "--toolset", "work")
    assert entries(home)["a"]["toolnote"] == {"toolset": "work"}


def test_switch_off_and_on_and_remove(run: Run, home: Home) -> None:
    run("servers", "add", "a", "--command", "x")
    run("servers", "disable", "a")
    assert entries(home)["a"]["disabled"] is True
    assert " off " in run("servers", "list").out
    run("servers", "enable", "a")
    assert "disabled" not in entries(home)["a"]
    run("servers", "remove", "a")
    assert entries(home) == {}
    for action in ("remove", "enable", "disable", "test"):
        assert 'no server "a"' in run("servers", action, "a", status=1).err


def test_no_secret_is_listed(run: Run, home: Home) -> None:
    run("servers", "add", "a", "--command", "x", "--api-key", "s3cret-1", "--env", "TOKEN=s3cret-2")
    run("servers", "add", "b", "--url", "https://u:s3cret-3@h/mcp?key=s3cret-4", "--header", "Authorization=s3cret-5")
    home_text = home.servers.read_text(encoding="utf-8")
    assert home_text.count("s3cret") == 5
    for outcome in (run("servers", "list"), run("servers", "list", "--json")):
        assert "s3cret" not in outcome.out + outcome.err
        assert "TOKEN" in outcome.out or "x --api-key" in outcome.out


def test_list_as_json(run: Run, catalogued: Home) -> None:
    listed = run("servers", "list", "--json").json["servers"]
    assert [(server["id"], server["tools"]) for server in listed] == [("git", 2), ("a", 1), ("a.b", 1)]
    assert listed[0] == {
        "id": "git",
        "usable": True,
        "type": "stdio",
        "disabled": False,
        "command": "never-started",
        "args": [],
        "env": [],
        "headers": [],
        "tools": 2,
    }


def test_an_entry_that_cannot_be_used_is_listed_with_its_reason(run: Run, home: Home) -> None:
    home.servers.write_text('{"mcpServers": {"bad": {"command": 5}, "good": {"command": "x"}}}', encoding="utf-8")
    told = run("servers", "list").out
    assert "bad" in told
    assert "unusable" in told
    assert "command" in told
    assert "good" in told


@pytest.fixture
def cursor_file(tmp_path: Path) -> Path:
    file = tmp_path / "mcp.json"
    servers = {
        "git": {"command": "uvx", "args": ["mcp-server-git"], "env": {"TOKEN": "s3cret"}},
        "web": {"url": "https://h/mcp?k=s3cret"},
        "us": {"command": "toolnote", "args": ["bridge"]},
        "odd": {"command": 7},
    }
    file.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    return file


def test_a_dry_run_writes_nothing(run: Run, home: Home, cursor_file: Path) -> None:
    outcome = run("servers", "import", str(cursor_file), "--dry-run")
    assert "git" in outcome.out
    assert "web" in outcome.out
    assert "s3cret" not in outcome.out + outcome.err
    assert not home.servers.exists()


def test_imported_servers_are_switched_off_until_looked_at(run: Run, home: Home, cursor_file: Path) -> None:
    before = cursor_file.read_bytes()
    outcome = run("servers", "import", str(cursor_file))
    assert cursor_file.read_bytes() == before
    found = entries(home)
    assert set(found) == {"git", "web"}
    assert all(entry["disabled"] is True for entry in found.values())
    assert found["git"]["env"] == {"TOKEN": "s3cret"}
    assert "Toolnote itself" in outcome.err
    assert "odd" in outcome.err
    assert "is already here" in run("servers", "import", str(cursor_file)).out
    assert set(entries(home)) == {"git", "web"}


def test_a_clients_own_file_is_read_with_its_habits(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for folder in (tmp_path, tmp_path / "project"):
        file = folder / ".gemini" / "settings.json"
        file.parent.mkdir(parents=True)
        file.write_text(
            json.dumps({"mcpServers": {folder.name: {"url": f"https://{folder.name}/sse"}}}), encoding="utf-8"
        )
        run("servers", "import", str(file))
    listed = run("servers", "list", "--json").json["servers"]
    assert [server["type"] for server in listed] == ["sse", "sse"]


def test_an_import_never_replaces_a_server(run: Run, home: Home, cursor_file: Path) -> None:
    run("servers", "add", "git", "--command", "mine")
    outcome = run("servers", "import", str(cursor_file), "--json").json
    states = {server["foundAs"]: (server["id"], server["state"]) for server in outcome["servers"]}
    assert states["git"] == ("git-2", "renamed")
    assert entries(home)["git"] == {"type": "stdio", "command": "mine", "args": []}


@pytest.mark.parametrize("content", [None, "{", "[]", "{}"])
def test_a_file_that_gives_nothing(run: Run, tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "x.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    assert str(file) in run("servers", "import", str(file), status=1).err


RUNTIME = """#!{python}
import os, sys
words = sys.argv[1:]
at = words.index({image!r})
passed = [words[place + 1] for place in range(at) if words[place] == "-e"]
inside = {{name.split("=")[0]: name.split("=", 1)[1] if "=" in name else os.environ[name] for name in passed}}
os.execve(words[at + 1], words[at + 1:], inside)
"""


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a ``podman`` on the path, and nothing else: it runs a command with the variables that it is told to pass."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "podman"
    program.write_text(RUNTIME.format(python=sys.executable, image="example/files:1"), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return program


def test_server_in_a_container_has_its_variables_and_no_more(
    run: Run, home: Home, runtime: Path, tmp_path: Path
) -> None:
    command = raw_server_command(tools=[{"name": "echo", "inputSchema": {"type": "object"}}])
    options = (
        "--container",
        "example/files:1",
        "--mount",
        str(tmp_path),
        "--no-network",
        "--env",
        "KEY=a-secret-value",
    )
    run("servers", "add", "files", *options, "--command", *command)
    entry = json.loads(home.servers.read_bytes())["mcpServers"]["files"]
    assert (entry["command"], entry["args"][0], entry["env"]) == ("podman", "run", {"KEY": "a-secret-value"})
    words = entry["args"]
    assert "a-secret-value" not in words, "not in the list of processes"
    for option, value in (
        ("-e", "KEY"),
        ("--cap-drop", "ALL"),
        ("--network", "none"),
        ("-v", f"{tmp_path}:{tmp_path}"),
    ):
        places = [place for place, word in enumerate(words) if word == option]
        assert value in [words[place + 1] for place in places], option
    assert "--read-only" in words
    assert words[-len(command) - 1 :] == ["example/files:1", *command]
    assert "1 tool" in run("servers", "test", "files").out


def test_container_gets_folders_that_are_there_alone(run: Run, home: Home, runtime: Path, tmp_path: Path) -> None:
    """Seen red: the runtime would have made the folder as root, mounted the whole disk, or failed at each start."""
    (tmp_path / "a:ro").mkdir()
    for folder, reason in (
        (str(tmp_path / "none"), "is no folder"),
        (str(tmp_path / "a:ro"), "it has a colon"),
        ("/", "the whole disk"),
    ):
        options = ("--container", "auto", "--mount", folder, "--command", "npx", "x")
        assert reason in run("servers", "add", "x", *options, status=2).err
    assert "no image" in run("servers", "add", "x", "--container=--privileged", "--command", "npx", "x", status=2).err
    options = ("--container", "auto", "--mount", f"{tmp_path}/bin/..", "--command", "npx", "x")
    run("servers", "add", "files", *options)
    assert f"{tmp_path}:{tmp_path}" in json.loads(home.servers.read_bytes())["mcpServers"]["files"]["args"]


def test_container_of_a_known_program_and_where_there_is_none(
    run: Run, home: Home, runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("servers", "add", "web", "--container", "auto", "--command", "npx", "-y", "some-server", "--network", "x")
    words = json.loads(home.servers.read_bytes())["mcpServers"]["web"]["args"]
    assert words[-6:] == ["node:22-slim", "npx", "-y", "some-server", "--network", "x"]
    assert (
        "knows no image for make"
        in run("servers", "add", "x", "--container", "auto", "--command", "make", status=2).err
    )
    assert "belong to --container" in run("servers", "add", "x", "--mount", "/", "--command", "npx", status=2).err
    runtime.unlink()
    refused = run("servers", "add", "x", "--container", "auto", "--command", "npx", "-y", "x", status=2)
    assert "needs docker or podman" in refused.err


def test_a_title_is_removed_beside_servers_without_one(run: Run, home: Home) -> None:
    """Seen red: an empty title was taken for that of the other server, which has none."""
    for server in ("git", "web"):
        run("servers", "add", server, "--command", "x")
    run("servers", "rename", "git", "Code")
    assert run("servers", "rename", "git").out == "Code\n"
    assert "there is a server" in run("servers", "rename", "web", "code", status=1).err
    run("servers", "rename", "git", "")
    assert run("servers", "rename", "git").out == "git\n"
    assert "title" not in json.loads(home.servers.read_bytes())["mcpServers"]["git"]["toolnote"]


def test_what_is_printed_of_one_setting_is_json_too(run: Run) -> None:
    """Seen red: these four had no ``--json``, and a text that was removed was said to be served."""
    run("servers", "add", "git", "--command", "x")
    run("toolset", "create", "work")
    cases = (
        (("servers", "describe", "git"), "for code", "about", ""),
        (("toolset", "describe", "work"), "for code", "description", ""),
        (("servers", "rename", "git"), "Code", "title", "git"),
        (("review", "policy", "git"), "hold", "changes", "hold"),
    )
    for words, text, key, without in cases:
        assert run(*words, text, "--json").json[key] == text
        assert run(*words, "--json").json[key] == text
        if key != "changes":
            assert run(*words, "", "--json").json[key] == without
    assert "no longer says what work is for" in run("toolset", "describe", "work", "").out
