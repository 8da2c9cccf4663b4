"""Toolsets with their servers, handed from one home to another (docs/contract.md 3), and where secrets of a file go."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.file_keyring import TestKeychain
from toolnote_desktop.paths import Home
from toolnote_desktop.store.secrets.store import SecretStore

TOKEN = "ghp_0123456789abcdefghij0123456789abcdef"

HANDED_ON: dict[str, Any] = {
    "name": "work",
    "tools": [{"namespacedName": "git.log", "argumentDefaults": {"n": 1.0, "big": 12345678901234567890}}],
    "toolNotes": [{"toolRef": {"namespacedName": "git.log"}, "notes": [{"name": "n", "note": "Look."}]}],
    "theirs": {"kept": [1e300, "é"]},
    "mcpServers": {"git": {"type": "stdio", "command": "${GIT:-git-mcp}", "env": {"TOKEN": "${TOKEN}"}}},
}


def servers(home: Home) -> dict[str, Any]:
    found = json.loads(home.servers.read_text(encoding="utf-8"))["mcpServers"]
    assert isinstance(found, dict)
    return found


def toolset(home: Home, name: str) -> Any:
    return json.loads(home.toolset(name).read_text(encoding="utf-8"))


def test_servers_come_with_their_toolset_switched_off(run: Run, home: Home, tmp_path: Path) -> None:
    file = tmp_path / "x.toolnote"
    file.write_text(json.dumps(HANDED_ON), encoding="utf-8")
    shown = run("toolset", "import", str(file), "--dry-run")
    assert "Would import work with 1 tool." in shown.out
    told = run("toolset", "import", str(file), "--dry-run", "--json").json
    assert (told["dryRun"], told["toolsets"]) == (True, [{"name": "work", "foundAs": "work", "tools": 1}])
    assert [(one["id"], one["state"]) for one in told["servers"]] == [("git", "new")]
    assert not home.servers.exists()
    outcome = run("toolset", "import", str(file))
    assert "git: '${GIT:-git-mcp}' [TOKEN]: imported, switched off" in outcome.out
    assert outcome.err == ""
    assert servers(home) == {"git": {**HANDED_ON["mcpServers"]["git"], "disabled": True}}
    here = toolset(home, "work")
    assert "mcpServers" not in here
    assert here["theirs"] == HANDED_ON["theirs"]
    (tool,) = HANDED_ON["tools"]
    values = {name: {"default": one, "imported": True} for name, one in tool["argumentDefaults"].items()}
    assert here["tools"] == [{"namespacedName": "git.log", "parameters": values}]
    assert '"default": 1.0' in home.toolset("work").read_text(encoding="utf-8")


def test_a_server_whose_name_is_taken_gets_its_own(run: Run, catalogued: Home, tmp_path: Path) -> None:
    before = servers(catalogued)["git"]
    file = tmp_path / "x.toolnote"
    file.write_text(json.dumps(HANDED_ON), encoding="utf-8")
    run("toolset", "import", str(file))
    assert servers(catalogued)["git"] == before
    assert servers(catalogued)["git-2"]["disabled"] is True
    here = toolset(catalogued, "work")
    assert here["tools"][0]["namespacedName"] == "git-2.log"
    assert here["toolNotes"][0]["toolRef"] == {"namespacedName": "git-2.log"}


def test_out_to_stdout_and_in_from_stdin(
    run: Run, catalogued: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run("servers", "add", "own", "--env", f"GITHUB_TOKEN={TOKEN}", "--command", "gh-mcp", "--token", TOKEN)
    run("toolset", "create", "work", "own.x", "git.log")
    plain = run("toolset", "export", "work", "-")
    assert run("toolset", "export", "work", "--json").out == plain.out
    assert run("note", "export", "--toolset", "work", "--json").json
    assert "mcpServers" not in plain.json
    handed = run("toolset", "export", "work", "--with-servers")
    assert TOKEN not in handed.out
    assert handed.json["mcpServers"]["own"]["env"] == {"GITHUB_TOKEN": "${GITHUB_TOKEN}"}
    assert set(handed.json["mcpServers"]) == {"own", "git"}

    def type_in(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    other = ("--home", str(tmp_path / "other"))
    type_in(b"\xef\xbb\xbf" + handed.out.encode())
    assert "Imported work with 2 tools." in run("toolset", "import", "-", *other).out
    assert servers(Home(tmp_path / "other"))["own"]["disabled"] is True
    for wrong in (b"", b"{", b"\xff\xfe", b"[]", b'{"name": "x", "tools": ['):
        type_in(wrong)
        refused = run("toolset", "import", "-", *other, status=1)
        assert refused.err.startswith("toolnote: standard input")
        assert len(refused.err.splitlines()) == 1
    assert "line 1: the text ends where a value is expected" in refused.err


def test_imported_toolset_finds_its_servers(run: Run, catalogued: Home, tmp_path: Path) -> None:
    """Secrets are left out of what is handed on: that makes no other server of it."""
    run("servers", "add", "own", "--env", f"GITHUB_TOKEN={TOKEN}", "--command", "gh-mcp", "--token", TOKEN)
    run("servers", "add", "far", "--url", f"https://mcp.example/mcp?key={TOKEN}", "--header", f"X-Api-Key={TOKEN}")
    run("toolset", "create", "work", "own.x", "far.y")
    file = tmp_path / "work.toolnote"
    run("toolset", "export", "work", str(file), "--with-servers")
    run("toolset", "delete", "work")
    before = servers(catalogued)
    run("toolset", "import", str(file))
    assert servers(catalogued) == before
    assert [tool["namespacedName"] for tool in toolset(catalogued, "work")["tools"]] == ["own.x", "far.y"]


def test_secrets_of_a_file_go_where_the_person_says(
    run: Run, home: Home, keychain: TestKeychain, tmp_path: Path
) -> None:
    file = tmp_path / "mcp.json"
    entry = {"command": "gh-mcp", "args": ["--token", TOKEN], "env": {"GITHUB_TOKEN": TOKEN, "MODE": "fast"}}
    file.write_text(json.dumps({"mcpServers": {"gh": entry}}), encoding="utf-8")
    assert "2 values in them look like secrets and would stay in servers.json" in (
        run("servers", "import", str(file), "--dry-run").out
    )
    run("servers", "import", str(file), "--dry-run", "--secrets", "keychain")
    assert not home.servers.exists()
    assert not any(keychain.entries().values())
    outcome = run("servers", "import", str(file), "--secrets", "keychain")
    assert "were kept in the keychain" in outcome.out
    kept = servers(home)["gh"]
    assert TOKEN not in home.servers.read_text(encoding="utf-8")
    assert (kept["env"]["MODE"], kept["disabled"]) == ("fast", True)
    store = SecretStore(home)
    assert store.read("gh", kept["env"]["GITHUB_TOKEN"][len("${secret:") : -1]) == TOKEN
    assert store.read("gh", kept["args"][1][len("${secret:") : -1]) == TOKEN
    assert "is already here" in run("servers", "import", str(file), "--secrets", "keychain").out


def test_secrets_that_cannot_be_kept_bring_no_server(
    run: Run, home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"gh": {"command": "x", "env": {"API_KEY": TOKEN}}}}), encoding="utf-8")
    refused = run("servers", "import", str(file), "--secrets", "keychain", status=1)
    assert len(refused.err.splitlines()) == 1
    assert TOKEN not in refused.err
    assert not home.servers.exists()
    assert "NOT ENCRYPTED" in run("servers", "import", str(file), "--secrets", "file").out
    assert TOKEN not in home.servers.read_text(encoding="utf-8")


def test_what_restricts_a_tool_everywhere_goes_along(run: Run, catalogued: Home, tmp_path: Path) -> None:
    """Seen red: a tool that is asked about in every toolset ran unasked in the home that its toolset was handed to."""
    run("toolset", "create", "work", "git.log", "git.diff")
    limit = ("--approval", "ask", "--fix", 'branch="main"', "--allow", 'path={"under": "/work"}', "--when", "Before.")
    run("tool", "set", "git.log", *limit, "--consent", "GO")
    run("tool", "set", "git.log", "--toolset", "work", "--default", 'branch="next"', "--category", "Code")
    run("tool", "set", "git.diff", "--off", "--approval", "off")
    file = tmp_path / "work.toolnote"
    run("toolset", "export", "work", str(file))
    log, diff = json.loads(file.read_text("utf-8"))["tools"]
    assert (log["approval"], log["whenToUse"], log["category"]) == ("ask", "Before.", "Code")
    assert log["consent"] == {"literal": "GO", "reason": ""}
    assert log["parameters"]["path"]["allowed"] == {"under": "/work"}
    assert log["parameters"]["branch"]["default"] == "next"
    assert "fixed" not in log["parameters"]["branch"]
    assert (diff["enabled"], "approval" in diff) == (False, False)
    other = Home(tmp_path / "other")
    run("toolset", "import", str(file), "--home", str(other.root))
    assert json.loads(other.toolset("work").read_text("utf-8"))["tools"][0]["approval"] == "ask"
