"""``toolnote clients``, and folders of hypertool-mcp as commands take them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call

GIT = {"command": "never-started", "type": "stdio"}


@pytest.fixture
def cursor(catalogued: Home, user_folder: Path) -> Path:
    """Cursor's file, with a server in it that Toolnote has too."""
    file = user_folder / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"mcpServers": {"git": GIT, "own": {"command": "x"}}}, indent=2))
    return file


def servers_in(file: Path) -> dict[str, dict[str, object]]:
    entries: dict[str, dict[str, object]] = json.loads(file.read_text())["mcpServers"]
    return entries


def test_servers_that_come_twice_are_named_and_switched_off_on_request(run: Run, cursor: Path) -> None:
    before = cursor.read_bytes()
    told = run("clients", "install", "cursor", "--dry-run")
    assert "Toolnote provides too: git" in told.err
    assert "--switch-off" in told.err
    assert cursor.read_bytes() == before
    done = run("clients", "install", "cursor", "--switch-off")
    assert '"git" is switched off there' in done.err
    assert list(servers_in(cursor)) == ["own", "toolnote"]
    cursor.write_text(cursor.read_text() + "\n")
    run("clients", "uninstall", "--all")
    assert servers_in(cursor) == {"own": {"command": "x"}, "git": GIT}


def test_an_address_with_a_token_of_its_own(run: Run, cursor: Path, catalogued: Home) -> None:
    def token() -> str:
        entry = servers_in(cursor)["toolnote"]
        assert entry["url"] == "http://127.0.0.1:8377/mcp"
        headers = entry["headers"]
        assert isinstance(headers, dict)
        return str(headers["Authorization"]).removeprefix("Bearer ")

    def kept() -> str | None:
        hashed: str | None = json.loads(catalogued.clients.read_text())["clients"]["cursor"].get("tokenHash")
        return hashed

    shown = run("clients", "install", "cursor", "--url")
    first = token()
    assert first not in shown.out + shown.err
    assert kept() == hash_token(first)
    assert run("clients", "list", "--json").json["clients"][2]["hasToken"] is True
    run("clients", "install", "cursor", "--url")
    assert token() != first
    assert kept() == hash_token(token())
    run("clients", "install", "cursor", "--url", "--dry-run")
    assert kept() == hash_token(token())
    assert "Revoked the token of Cursor" in run("clients", "revoke", "cursor").out
    assert kept() is None
    assert "has no token" in run("clients", "revoke", "cursor").out
    run("clients", "install", "cursor", "--url")
    run("clients", "uninstall", "cursor")
    assert kept() is None
    assert (
        "does not connect to an address" in run("clients", "install", "junie", "--url", "--config", "x", status=1).err
    )


def test_an_edited_entry_is_replaced_only_on_request(run: Run, cursor: Path) -> None:
    run("clients", "install", "cursor")
    cursor.write_text(cursor.read_text().replace('"bridge"', '"bridge", "--toolset", "mine"'))
    assert "--replace" in run("clients", "install", "cursor", status=1).err
    run("clients", "install", "cursor", "--replace")
    assert "mine" not in cursor.read_text()


def test_a_toolset_for_an_installed_assistant_is_said(run: Run, cursor: Path) -> None:
    run("toolset", "create", "mine")
    run("clients", "install", "cursor")
    assert "would be set" in run("clients", "install", "cursor", "--toolset", "mine", "--dry-run").out
    said = run("clients", "install", "cursor", "--toolset", "mine")
    assert "The toolset mine for Cursor (before: the shared one) is set." in said.out
    assert "switch toolnote off and on" in said.err
    assert "The toolset" not in run("clients", "install", "cursor", "--toolset", "mine").out


PERSONA = "name: web-dev\ntoolsets:\n- name: review\n  toolIds: [git.diff, shop.find]\n"


def test_a_persona_is_imported_whole_and_its_servers_are_off(run: Run, catalogued: Home, tmp_path: Path) -> None:
    folder = tmp_path / "persona"
    folder.mkdir()
    (folder / "persona.yaml").write_text(PERSONA)
    servers = {"git": {"command": "other-git"}, "shop": {"command": "shop-mcp"}}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
    for named in (folder, folder / "persona.yaml"):
        assert "shop: shop-mcp: would be imported" in run("servers", "import", str(named), "--dry-run").out
    outcome = run("toolset", "import", str(folder))
    assert "Imported web-dev-review with 2 tools." in outcome.out
    assert "git-2 (found as git): other-git: imported, switched off" in outcome.out
    shown = json.loads(catalogued.servers.read_text())["mcpServers"]
    assert shown["shop"] == {"command": "shop-mcp", "disabled": True}
    assert shown["git"]["command"] == "never-started"
    review = json.loads((catalogued.root / "toolsets" / "web-dev-review.json").read_text())
    assert review["tools"] == [{"namespacedName": "git-2.diff"}, {"namespacedName": "shop.find"}]
    (folder / "persona.yaml").write_text("name: web-dev\ntoolsets:\n  - name: [\n")
    for named in (folder, folder / "persona.yaml"):
        told = run("toolset", "import", str(named), status=1).err
        assert told.startswith(f"toolnote: {folder / 'persona.yaml'}, line 4: ")
        assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: it is not a persona"),
        ("- a\n", "line 1: it is not a persona"),
        ("name: x\ntoolsets: 5\n", "line 2: toolsets is not a list"),
        ("name: x\ntoolsets:\n  - name: a\n   toolIds: [git.log]\n", "line 4: expected <block end>"),
        ("name: x\ntoolsets:\n  - name: a\n\ttoolIds: [git.log]\n", "line 4: found character '\\t'"),
        ("name: x\ntoolsets:\n  - toolIds: [git.log]\n", "line 3: toolset 1 was left out: it has no name"),
    ],
)
def test_a_persona_that_gives_no_toolset_says_where_and_why(
    run: Run, home: Home, tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "persona.yml").write_text(text)
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"shop": {"command": "shop-mcp"}}}))
    outcome = run("toolset", "import", str(tmp_path), status=1)
    assert outcome.err.startswith(f"toolnote: {tmp_path / 'persona.yml'}, {told}")
    assert outcome.err.count("\n") == 1
    assert not home.servers.exists()


def test_persona_parts_left_out_are_named_by_line(run: Run, home: Home, tmp_path: Path) -> None:
    text = "name: x\ntoolsets:\n  - name: a\n    toolIds: 5\n  - name: b\n    toolIds: [git.log, 5]\n  - 7\n"
    (tmp_path / "persona.yml").write_text(text)
    outcome = run("toolset", "import", str(tmp_path / "persona.yml"))
    assert outcome.out == "Imported x-a with 0 tools.\nImported x-b with 1 tool.\n"
    assert [line.partition(", line ")[2] for line in outcome.err.splitlines()] == [
        '3: the toolset "a" has no list of toolIds',
        '6: a tool of the toolset "b" was left out: its id is not text',
        "7: toolset 3 was left out: it has no name",
    ]


def test_uninstall_without_an_entry_says_so(run: Run, home: Home) -> None:
    assert run("clients", "uninstall", "--all").out == "Toolnote is not installed in any assistant.\n"


@pytest.mark.parametrize("command", ["install", "uninstall", "revoke"])
@pytest.mark.parametrize("name", ["nope", "Cursor", "two\nlines", ""])
def test_a_name_that_nobody_has_is_wrong_use(run: Run, home: Home, command: str, name: str) -> None:
    outcome = run("clients", command, name, status=2)
    assert "there are: claude-desktop, claude-code, cursor, vscode" in outcome.err
    assert "opencode" in outcome.err
    assert outcome.err.count("\n") == 1


def test_discovery_is_set_for_a_client_that_is_there(run: Run, cursor: Path, catalogued: Home) -> None:
    def discovery() -> object:
        return {one["id"]: one["discovery"] for one in run("clients", "list", "--json").json["clients"]}["cursor"]

    assert "there is no client" in run("clients", "set", "cursor", "--discovery", "search", status=1).err
    assert discovery() is None
    run("clients", "install", "cursor")
    assert discovery() == "auto"
    run("clients", "set", "cursor", "--discovery", "search")
    assert discovery() == "search"
    served = [tool["name"] for tool in run("tools", "--client", "cursor", "--json").json["tools"]]
    assert served[-2:] == ["search-tools", "call-tool"]
    run("toolset", "create", "work", "git.log", "git.diff")
    run("toolset", "equip", "work")
    run("tool", "set", "git.diff", "--hint", "alwaysLoad=true")  # seen red: the command knew no such hint
    served = [tool["name"] for tool in run("tools", "--client", "cursor", "--json").json["tools"]]
    assert served[-3:] == ["search-tools", "call-tool", "git_diff"]
    assert "name at least one setting" in run("clients", "set", "cursor", status=2).err
    words = ("--may-write-notes", "no", "--may-choose-toolset", "no")
    text = "cursor may not write notes.\ncursor may not choose and build toolsets.\n"
    assert run("clients", "set", "cursor", *words).out == text
    names = {tool["name"] for tool in run("tools", "--client", "cursor", "--json").json["tools"]}
    assert not names & {"add-tool-annotation", "build-toolset", "equip-toolset", "delete-toolset"}
    assert run("clients", "set", "cursor", "--may-write-notes", "yes").out == "cursor may write notes.\n"
    assert "add-tool-annotation" in {
        tool["name"] for tool in run("tools", "--client", "cursor", "--json").json["tools"]
    }
    assert "invalid choice" in run("clients", "set", "cursor", "--discovery", "some", status=2).err


def test_a_client_that_is_connected_anew_is_automatic_and_one_that_was_connected_is_not(
    run: Run, home: Home, cursor: Path, catalogued: Home
) -> None:
    """Seen red: a toolset that was given before the connection made it one that was connected before."""

    def entry(**fields: object) -> dict[str, Any]:
        if fields:
            home.clients.write_text(json.dumps({"clients": {"cursor": {"name": "Cursor", **fields}}}))
        found: dict[str, Any] = json.loads(home.clients.read_text(encoding="utf-8"))["clients"]["cursor"]
        return found

    run("toolset", "create", "work", "git.log")
    entry(toolset="work")
    run("clients", "install", "cursor")
    assert entry() == {"name": "Cursor", "toolset": "work", "discovery": "auto"}
    entry(toolset="work")
    run("clients", "install", "cursor", "--toolset", "work")
    assert "discovery" not in entry()
    run("clients", "uninstall", "cursor")
    entry(toolset=None, discovery="full")
    run("clients", "install", "cursor")
    assert entry()["discovery"] == "full"


def test_budget_of_each_assistant_and_toolset(run: Run, cursor: Path, catalogued: Home) -> None:
    run("toolset", "create", "work", "git.log", "git.diff")
    run("toolset", "equip", "work")
    run("clients", "install", "cursor")
    run("clients", "set", "cursor", "--discovery", "search")
    lists = {one["toolset"]: one for one in run("budget", "--json").json["lists"]}
    work = lists["work"]
    assert (work["client"], work["inUse"], work["searched"], work["listed"]) == ("cursor", True, True, 0)
    whole = run("tools", "--toolset", "work", "--json").json["tools"]
    names = {tool["name"] for tool in whole}
    assert {"git_log", "git_diff"} <= names
    assert work["tools"] == 2
    assert work["tokensOfAll"] > work["tokens"] == 0
    run("clients", "set", "cursor", "--discovery", "full")
    (full,) = (one for one in run("budget", "--json").json["lists"] if one["toolset"] == "work")
    assert (full["listed"], full["tokens"]) == (full["tools"], full["tokensOfAll"])
    assert run("budget", "--json").json["unused"] is None  # nothing is recorded that long
    assert "work (in use)" in run("budget").out
    claude = {"name": "Claude", "toolset": None}
    home_clients = json.loads(catalogued.clients.read_text(encoding="utf-8"))
    home_clients["clients"] |= {"claude-desktop": claude, "vscode": claude}
    catalogued.clients.write_text(json.dumps(home_clients), encoding="utf-8")
    said = {line.split()[0]: line for line in run("budget").out.splitlines() if "work (in use)" in line}
    assert f"{full['tokens'] + full['ownTokens']:,} of 10,000 tokens" in said["claude-desktop"]
    assert f"{2 + full['ownTools']} of 128 tools" in said["vscode"]  # seen red: limits were in the JSON alone


def test_a_tool_that_was_added_yesterday_is_not_unused_yet(run: Run, catalogued: Home) -> None:
    """Seen red: with all tools counted that have no call."""
    run("toolset", "create", "work", "git.log", "git.diff")
    log = ActivityLog(catalogued)
    log.record_call(Call(time.time() - 40 * 86_400, "cursor", "github", "create_issue", 0.1))
    log.close()
    document = json.loads(catalogued.catalog.read_text(encoding="utf-8"))
    (diff,) = (one for one in document["servers"]["git"]["tools"] if one["definition"]["name"] == "diff")
    for days, unused in ((1, ["git.log"]), (31, ["git.log", "git.diff"])):
        diff["firstSeen"] = int(time.time()) - days * 86_400
        catalogued.catalog.write_text(json.dumps(document), encoding="utf-8")
        assert run("budget", "--json").json["unused"]["work"]["tools"] == unused
    command = run("budget").out.splitlines()[-1].split()
    assert command[:2] == ["toolnote", "tool"]
    run(*command[1:])  # what it prints can be run
    assert run("budget", "--json").json["unused"]["work"]["tools"] == []
