"""Toolnote into a client's file and out again, on three systems: shown first, exact, and never more than our entry."""

from __future__ import annotations

import json
import re
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.assistants.formats.generated import is_one_piece_more
from tests.assistants.machines import OURSELVES, USUAL, machine, machines, put, put_sample, sample, usual_file
from toolnote_desktop.assistants.discovery import find_clients, server_entries
from toolnote_desktop.assistants.installing.client_entries import install_edits
from toolnote_desktop.assistants.installing.plan import (
    InstallOptions,
    Plan,
    apply,
    bridge_command,
    install_log_of,
    plan_install,
    plan_uninstall,
    undo,
)
from toolnote_desktop.assistants.known_client import FollowsChanges, KnownClient
from toolnote_desktop.assistants.registry import CLIENTS, known_client
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.clients import parse_clients
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home, platform_config_folder

CURSOR = known_client("cursor")


COMMAND = OURSELVES.command[0]


SPECIAL: dict[str, Callable[[list[str]], dict[str, Any]]] = {
    "vscode": lambda args: {"type": "stdio", "command": COMMAND, "args": args},
    "claude-code": lambda args: {"type": "stdio", "command": COMMAND, "args": args},
    "zed": lambda args: {"source": "custom", "command": COMMAND, "args": args, "env": {}},
    "copilot-cli": lambda args: {"type": "local", "command": COMMAND, "args": args, "tools": ["*"]},
    "opencode": lambda args: {"type": "local", "command": [COMMAND, *args], "enabled": True},
    "kilo-code": lambda args: {"type": "local", "command": [COMMAND, *args], "enabled": True},
    "crush": lambda args: {"type": "stdio", "command": COMMAND, "args": args},
    "droid": lambda args: {"type": "stdio", "command": COMMAND, "args": args},
    "jan": lambda args: {"active": True, "command": COMMAND, "args": args, "env": {}},
    "continue": lambda args: {"type": "stdio", "command": COMMAND, "args": args},
    "goose": lambda args: {
        "enabled": True,
        "name": "toolnote",
        "description": "Your tools, with your notes on them",
        "type": "stdio",
        "cmd": COMMAND,
        "args": args,
        "envs": {},
        "env_keys": [],
        "timeout": 300,
    },
}


def entries(client: KnownClient, file: Path) -> dict[str, Any]:
    value = client.format.value(file.read_bytes().decode("utf-8-sig"))
    return dict(server_entries(client, value)).get(client.servers_at, {})


def install(client: KnownClient, file: Path, home: Home, **options: Any) -> Plan:
    plan = plan_install(client, file, home, OURSELVES, InstallOptions(**options))
    apply(plan, home)
    return plan


def uninstall(client: KnownClient, file: Path, home: Home) -> Plan:
    plan = plan_uninstall(client, file, home, OURSELVES)
    apply(plan, home)
    return plan


def is_json(client: KnownClient) -> bool:
    return client.format is CURSOR.format


@pytest.mark.parametrize("client_id", USUAL)
def test_in_and_out_again_on_three_systems(tmp_path: Path, home: Home, client_id: str) -> None:
    client = known_client(client_id)
    for environment in machines(tmp_path):
        original = sample(client_id, environment.platform)
        file = put_sample(environment, client_id)
        before = entries(client, file)
        plan = plan_install(client, file, home, OURSELVES)
        assert file.read_bytes() == original, "a plan writes nothing"
        apply(plan, home)
        args = ["bridge", "--client", client_id, "--home", str(home.root)]
        plain = {"command": COMMAND, "args": args}
        wanted = SPECIAL[client_id](args) if client_id in SPECIAL else plain
        assert entries(client, file) == {**before, "toolnote": wanted}
        assert next(one for one in find_clients(environment, OURSELVES) if one.client.id == client_id).connected
        newest = max(install_log_of(client, home).folder.glob("*-*"))
        assert newest.read_bytes() == original
        installed = file.read_bytes()
        undo(plan, home)
        assert file.read_bytes() == original
        undo(plan.inverse(), home)
        assert file.read_bytes() == installed
        uninstall(client, file, home)
        assert file.read_bytes() == original
        demand_only_ours_is_new(client, original.decode("utf-8"), installed.decode("utf-8"))


def demand_only_ours_is_new(client: KnownClient, old: str, new: str) -> None:
    """What was there stands there in its order, every space and comma of it, and our entry in one place between."""
    mark = "\ufeff" if old.startswith("\ufeff") else ""
    old, new = old.removeprefix(mark), new.removeprefix(mark)
    if not is_json(client):
        assert is_one_piece_more(old, new)
        return
    root = client.format.parse(new).root
    node = root.at(client.servers_at) if root else None
    assert node is not None
    ours = node.members[-1]
    assert re.sub(r"[\s,]", "", new[: ours.start] + new[ours.node.end :]) == re.sub(r"[\s,]", "", old)
    rest = iter(new)
    assert all(character in rest for character in old)
    if "\r\n" in old:
        assert new.count("\r\n") == new.count("\n")


@pytest.mark.parametrize("client_id", USUAL)
def test_a_client_without_a_file_gets_one_and_loses_it_again(tmp_path: Path, home: Home, client_id: str) -> None:
    client, file = known_client(client_id), usual_file(machine(tmp_path, "linux"), client_id)
    plan = plan_install(client, file, home, OURSELVES)
    assert "(no file)" in plan.diff()
    apply(plan, home)
    assert list(entries(client, file)) == ["toolnote"]
    assert file.read_text().startswith(client.new_file)
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    uninstall(client, file, home)
    assert not file.exists()
    undo(plan_install(client, file, home, OURSELVES).inverse(), home)  # plan, and do it
    undo(Plan(client, file, None, file.read_bytes()), home)
    assert not file.exists()


@pytest.mark.parametrize("client_id", USUAL)
def test_without_the_bytes_from_before_only_our_entry_goes(tmp_path: Path, home: Home, client_id: str) -> None:
    client = known_client(client_id)
    file = put_sample(machine(tmp_path, "linux"), client_id)
    newer = ToolnoteIdentity(command=("/opt/newer/toolnote",))
    install(client, file, home)
    apply(plan_install(client, file, home, newer), home)  # in the place of the older one
    for backup in install_log_of(client, home).folder.glob("*-*"):
        backup.write_text("planted")
    uninstall(client, file, home)
    assert file.read_bytes() == sample(client_id, "linux")


def test_the_file_that_we_made_stays_when_a_client_put_something_in_it(tmp_path: Path, home: Home) -> None:
    file = tmp_path / "mcp.json"
    install(CURSOR, file, home)
    text = file.read_text()
    put(file, CURSOR.format.with_member(text, ["mcpServers", "other"], {"command": "x"}))
    uninstall(CURSOR, file, home)
    assert entries(CURSOR, file) == {"other": {"command": "x"}}


def test_the_object_that_we_made_goes_with_our_entry(tmp_path: Path, home: Home) -> None:
    file = put(tmp_path / "c.json", '{\n  "theme": "dark"\n}\n')
    install(CURSOR, file, home)
    changed = file.read_text().replace('"dark"', '"light"')
    put(file, changed)
    uninstall(CURSOR, file, home)
    assert file.read_text() == '{\n  "theme": "light"\n}\n'
    untouched = put(tmp_path / "d.json", '{\n  "mcpServers": {},\n  "theme": "dark"\n}\n')
    install(CURSOR, untouched, home)
    put(untouched, untouched.read_text().replace('"dark"', '"light"'))
    uninstall(CURSOR, untouched, home)
    assert untouched.read_text() == '{\n  "mcpServers": {},\n  "theme": "light"\n}\n'


def test_uninstall_keeps_later_changes_of_others(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "vscode")
    client = known_client("vscode")
    install(client, file, home)
    mine = file.read_bytes().replace(b"// Servers for every", b"// Servers, and notes, for every")
    put(file, mine)
    uninstall(client, file, home)
    assert file.read_bytes() == sample("vscode", "linux").replace(
        b"Servers for every", b"Servers, and notes, for every"
    )


def test_the_preview_shows_the_change_and_no_secret(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "darwin"), "cursor")
    plan = plan_install(CURSOR, file, home, OURSELVES)
    assert "hunter2" not in plan.diff()
    assert f'"command":"{COMMAND}"' in plan.diff()
    long = json.dumps({"mcpServers": {f"server-{n}": {"command": "x", "env": {"K": "hidden"}} for n in range(20)}})
    plan = plan_install(CURSOR, put(file, long), home, OURSELVES)
    assert f'+      "command": "{COMMAND}",' in plan.diff()
    assert "hidden" not in plan.diff()
    assert len(plan.diff().splitlines()) < 30
    file = put_sample(machine(tmp_path, "win32"), "vscode")
    plan = plan_install(known_client("vscode"), file, home, OURSELVES)
    assert f'+            "command": "{COMMAND}",' in plan.diff()
    assert str(file) in plan.diff()
    for client_id in USUAL:
        file = put_sample(machine(tmp_path, "linux"), client_id)
        plan = plan_install(known_client(client_id), file, home, OURSELVES)
        assert plan.changes
        assert plan.diff()
        for shown in (plan.diff(), repr(plan), plan.inverse().diff()):
            assert "secret" not in shown


def test_the_same_again_changes_nothing(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    install(CURSOR, file, home)
    before = file.stat().st_mtime_ns
    plan = install(CURSOR, file, home)
    assert not plan.changes
    assert plan.diff() == ""
    assert file.stat().st_mtime_ns == before
    assert not plan_uninstall(CURSOR, tmp_path / "none.json", home, OURSELVES).changes


def test_a_newer_command_takes_the_place_of_the_older_one_and_the_first_bytes_come_back(
    tmp_path: Path, home: Home
) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    apply(plan_install(CURSOR, file, home, ToolnoteIdentity(command=("/opt/toolnote-0.1/toolnote",))), home)
    plan = install(CURSOR, file, home)
    assert plan.notes == ()
    assert entries(CURSOR, file)["toolnote"]["command"] == COMMAND
    uninstall(CURSOR, file, home)
    assert file.read_bytes() == sample("cursor", "linux")


def test_the_command_names_the_home_only_where_it_is_not_the_usual_one(home: Home) -> None:
    usual = Home(Path(platform_config_folder()))
    assert bridge_command("cursor", ("toolnote",), usual) == ["toolnote", "bridge", "--client", "cursor"]
    python = ("python3", "-m", "toolnote_desktop")
    words = [*python, "bridge", "--client", "vscode", "--home", str(home.root), "--toolset", "mine"]
    assert bridge_command("vscode", python, home, "mine") == words
    with pytest.raises(ValueError, match="command"):
        plan_install(CURSOR, home.root / "x", home, ToolnoteIdentity())


def test_the_clients_document_gets_an_entry_once() -> None:
    (edit,) = install_edits(None, CURSOR.id, CURSOR.name)
    raw, _ = edit.apply(None)
    assert raw == {"clients": {"cursor": {"name": "Cursor", "toolset": None, "discovery": "auto"}}}
    assert install_edits(raw, CURSOR.id, CURSOR.name) == ()
    (edit,) = install_edits(raw, CURSOR.id, CURSOR.name, "mine")
    raw, inverse = edit.apply(raw)
    assert raw == {"clients": {"cursor": {"name": "Cursor", "toolset": "mine", "discovery": "auto"}}}
    assert raw is not None
    assert parse_clients(raw, lambda place, reason: pytest.fail(f"{place}: {reason}"))["cursor"].toolset_assigned
    before, _ = inverse.apply(raw)
    assert before == {"clients": {"cursor": {"name": "Cursor", "toolset": None, "discovery": "auto"}}}
    chosen = {"clients": {"cursor": {"name": "Cursor", "toolset": "its-own", "toolsetChosenBy": "client"}}}
    (edit,) = install_edits(chosen, CURSOR.id, CURSOR.name, "mine")
    assert edit.apply(chosen)[0] == {"clients": {"cursor": {"name": "Cursor", "toolset": "mine"}}}
    (edit,) = install_edits({"clients": {"cursor": {"tokenHash": "ab"}}}, CURSOR.id, CURSOR.name)
    assert edit.apply({"clients": {"cursor": {"tokenHash": "ab"}}})[0] == {
        "clients": {"cursor": {"tokenHash": "ab", "name": "Cursor"}}
    }


def test_entries_of_ours_in_single_projects_go_too(tmp_path: Path, home: Home) -> None:
    client = known_client("claude-code")
    environment = machine(tmp_path, "linux")
    file = put_sample(environment, "claude-code")
    text = client.format.with_member(
        file.read_text(),
        ["projects", "/home/ada/shop", "mcpServers", "notes"],
        {"command": "toolnote", "args": ["bridge"]},
    )
    put(file, text)
    assert next(one for one in find_clients(environment, OURSELVES) if one.client is client).connected
    install(client, file, home)
    uninstall(client, file, home)
    assert file.read_bytes() == sample("claude-code", "linux")


def test_next_steps_exist_for_all_clients() -> None:
    for client in CLIENTS.values():
        for advice in (client.advice_after_install(), client.advice_after_change()):
            assert client.name in english(advice)
    assert CLIENTS["vscode"].advice_after_change().code is Code.CLIENT_FOLLOWS
    assert "trusts" in english(CLIENTS["gemini-cli"].advice_after_install())
    assert "list of the last one" in english(CLIENTS["copilot-cli"].advice_after_change())
    assert "/clear" in english(CLIENTS["claude-code"].advice_after_change())


def test_follows_changes_as_seen_in_the_lab() -> None:
    """Versions and dates: docs/assistants.md."""
    seen = {
        FollowsChanges.FOLLOWS: {"vscode", "gemini-cli", "opencode", "copilot-cli"},
        FollowsChanges.UNSEEN: {"claude-code"},
    }
    for follows, clients in seen.items():
        assert {client.id for client in CLIENTS.values() if client.follows is follows} == clients
    assert CLIENTS["codex"].follows is FollowsChanges.RESTART


def test_an_app_has_to_be_quit() -> None:
    assert "Quit Claude Desktop completely" in english(CLIENTS["claude-desktop"].advice_after_change())


def test_a_place_that_changes_with_each_start_goes_into_no_file(tmp_path: Path, home: Home) -> None:
    """macOS runs an app that was downloaded and never moved from a folder of its own, another one each time."""
    program = "/private/var/folders/x/T/AppTranslocation/1B2C/d/Toolnote.app/Contents/MacOS/toolnote"
    with pytest.raises(ToolnoteError) as caught:
        plan_install(CURSOR, tmp_path / "mcp.json", home, ToolnoteIdentity(command=(program,)))
    assert caught.value.problem.code is Code.APP_TRANSLOCATED
    assert "Applications" in english(caught.value.problem)
