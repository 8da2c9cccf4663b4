"""Toolnote into a client's file and out again, on three systems: shown first, exact, and never more than our entry."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.assistants.generated import is_one_piece_more
from tests.assistants.machines import OURSELVES, USUAL, machine, machines, put, put_sample, sample, usual_file
from toolnote_desktop.assistants.client import KnownClient
from toolnote_desktop.assistants.client_entries import install_edits
from toolnote_desktop.assistants.clients import CLIENTS, known_client
from toolnote_desktop.assistants.find import all_server_entries, find_clients
from toolnote_desktop.assistants.installed import InstallRecords
from toolnote_desktop.assistants.installing import (
    Plan,
    apply,
    bridge_command,
    plan_install,
    plan_uninstall,
    records_of,
    undo,
)
from toolnote_desktop.assistants.own_entry import Ourselves
from toolnote_desktop.model.clients import parse_clients
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home, platform_config_folder
from toolnote_desktop.wording import english

CURSOR = known_client("cursor")
COMMAND = OURSELVES.command[0]


SPECIAL: dict[str, Callable[[list[str]], dict[str, Any]]] = {
    "vscode": lambda args: {"type": "stdio", "command": COMMAND, "args": args},
    "claude-code": lambda args: {"type": "stdio", "command": COMMAND, "args": args},
    "zed": lambda args: {"source": "custom", "command": COMMAND, "args": args, "env": {}},
    "copilot-cli": lambda args: {"type": "local", "command": COMMAND, "args": args, "tools": ["*"]},
    "opencode": lambda args: {"type": "local", "command": [COMMAND, *args], "enabled": True},
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
    return dict(all_server_entries(client, value)).get(client.servers_at, {})


def install(client: KnownClient, file: Path, home: Home, **options: Any) -> Plan:
    plan = plan_install(client, file, home, OURSELVES, **options)
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
        newest = max(records_of(client, home).folder.glob("*-*"))
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
    newer = Ourselves(command=("/opt/newer/toolnote",))
    install(client, file, home)
    apply(plan_install(client, file, home, newer), home)  # in the place of the older one
    for backup in records_of(client, home).folder.glob("*-*"):
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


def test_what_others_changed_since_stays_when_we_go(tmp_path: Path, home: Home) -> None:
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
    apply(plan_install(CURSOR, file, home, Ourselves(command=("/opt/toolnote-0.1/toolnote",))), home)
    plan = install(CURSOR, file, home)
    assert plan.notes == ()
    assert entries(CURSOR, file)["toolnote"]["command"] == COMMAND
    uninstall(CURSOR, file, home)
    assert file.read_bytes() == sample("cursor", "linux")


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
    ("env", lambda held: {"toolnote": {**held, "env": {"TOOLNOTE_LOG": "debug"}}}),
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


def test_an_entry_that_somebody_renamed_keeps_its_name(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    install(CURSOR, file, home)
    renamed = put(file, file.read_text().replace('"toolnote":', '"my notes":')).read_bytes()
    plan = install(CURSOR, file, home)
    assert (plan.changes, plan.notes, plan.name) == (False, (), "my notes")
    newer = Ourselves(command=("/opt/newer/toolnote",))
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
    newer = Ourselves(command=("/opt/newer/toolnote",))
    apply(plan_install(CURSOR, file, home, newer), home)
    assert entries(CURSOR, file)["toolnote"]["command"] == "/opt/newer/toolnote"


def test_after_an_edit_of_the_wrapper_kind_going_leaves_it(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    install(CURSOR, file, home)
    put(file, file.read_text().replace(COMMAND, "/home/ada/notes").replace('"bridge"', '"other"'))
    before = file.read_bytes()
    assert not uninstall(CURSOR, file, home).changes
    assert file.read_bytes() == before


def test_a_file_that_changed_since_the_preview_is_refused(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    plan = plan_install(CURSOR, file, home, OURSELVES)
    put(file, sample("cursor", "linux") + b"\n")
    with pytest.raises(ToolnoteError) as caught:
        apply(plan, home)
    assert caught.value.problem.code is Code.CLIENT_FILE_CHANGED
    assert file.read_bytes() == sample("cursor", "linux") + b"\n"
    assert not home.backups.exists()
    file.unlink()
    with pytest.raises(ToolnoteError) as caught:
        apply(plan, home)
    assert caught.value.problem.code is Code.CLIENT_FILE_CHANGED
    assert not file.exists()
    made = plan_install(CURSOR, file, home, OURSELVES)
    put(file, "{}")
    with pytest.raises(ToolnoteError):
        apply(made, home)
    assert file.read_text() == "{}"


def test_undo_is_refused_when_somebody_else_wrote_since(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    plan = install(CURSOR, file, home)
    changed = put(file, file.read_bytes() + b"\n").read_bytes()
    with pytest.raises(ToolnoteError) as caught:
        undo(plan, home)
    assert caught.value.problem.code is Code.CLIENT_FILE_CHANGED
    assert file.read_bytes() == changed


BROKEN = [
    (b'{"mcpServers": {', "line 1"),
    (b'{\n "mcpServers": []}', "line 2: mcpServers is not an object"),
    (b"[]", "the whole is not an object"),
    (b'{"a": "\xe4"}', "not UTF-8"),
]


@pytest.mark.parametrize(("data", "reason"), BROKEN)
def test_a_file_that_cannot_be_understood_is_refused_and_untouched(
    tmp_path: Path, home: Home, data: bytes, reason: str
) -> None:
    file = put(tmp_path / "mcp.json", data)
    with pytest.raises(ToolnoteError) as caught:
        plan_install(CURSOR, file, home, OURSELVES)
    assert caught.value.problem.code is Code.CLIENT_FILE_UNREADABLE
    assert reason in english(caught.value.problem)
    assert str(file) in english(caught.value.problem)
    assert file.read_bytes() == data
    assert not home.backups.exists()


def test_a_folder_in_the_place_of_the_file(tmp_path: Path, home: Home) -> None:
    for plan in (plan_install, plan_uninstall):
        with pytest.raises(ToolnoteError) as caught:
            plan(CURSOR, tmp_path, home, OURSELVES)
        assert caught.value.problem.parameters["reason"] == "not an ordinary file"


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]


@pytest.mark.parametrize(
    ("encoding", "end"), [*((encoding, "\r\n") for encoding in ENCODINGS), ("utf-8", "\n"), ("utf-16", "\r")]
)
def test_every_encoding_and_line_end_stays(tmp_path: Path, home: Home, encoding: str, end: str) -> None:
    text = '{\n\t"mcpServers": {\n\t\t"büro": {"command": "日本"} // é\n\t}\n}'.replace("\n", end)
    file = put(tmp_path / "mcp.json", text.encode(encoding))
    install(CURSOR, file, home)
    new = file.read_bytes().decode(encoding)
    assert new == text.replace("} // é", "}, // é").replace(
        "// é",
        '// é\n\t\t"toolnote": {\n\t\t\t"command": "%s",\n\t\t\t"args": [\n\t\t\t\t'.replace("\n", end) % COMMAND
        + f",{end}\t\t\t\t".join(json.dumps(word) for word in bridge_command("cursor", (), home))
        + "\n\t\t\t]\n\t\t}".replace("\n", end),
    )
    uninstall(CURSOR, file, home)
    assert file.read_bytes() == text.encode(encoding)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes and links")
def test_a_link_stays_a_link_and_the_mode_stays(tmp_path: Path, home: Home) -> None:
    real = put(tmp_path / "dotfiles" / "cursor.json", sample("cursor", "linux"))
    real.chmod(0o640)
    file = tmp_path / "mcp.json"
    file.symlink_to("dotfiles/cursor.json")
    install(CURSOR, file, home)
    assert os.readlink(file) == "dotfiles/cursor.json"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert "toolnote" in entries(CURSOR, real)
    uninstall(CURSOR, real, home)  # by its other name
    assert real.read_bytes() == sample("cursor", "linux")
    assert [path.name for path in real.parent.iterdir()] == ["cursor.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX links")
def test_a_link_to_nothing_is_filled(tmp_path: Path, home: Home) -> None:
    file = tmp_path / "mcp.json"
    file.symlink_to("dotfiles/cursor.json")
    install(CURSOR, file, home)
    assert "toolnote" in entries(CURSOR, tmp_path / "dotfiles" / "cursor.json")
    assert file.is_symlink()


def test_a_write_protected_file_is_left_alone(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    file.chmod(0o444)
    with pytest.raises(ToolnoteError) as caught:
        install(CURSOR, file, home)
    assert caught.value.problem.code is Code.FILE_NOT_WRITTEN
    assert file.read_bytes() == sample("cursor", "linux")
    file.chmod(0o644)
    assert install(CURSOR, file, home).changes


def test_a_folder_that_cannot_be_made(tmp_path: Path, home: Home) -> None:
    put(tmp_path / ".cursor", "a file")
    with pytest.raises(ToolnoteError) as caught:
        install(CURSOR, tmp_path / ".cursor" / "mcp.json", home)
    assert caught.value.problem.code is Code.FILE_NOT_WRITTEN


KILLED = """
import os, pathlib, shutil, signal, sys
from toolnote_desktop.assistants.clients import known_client
from toolnote_desktop.assistants.installing import apply, plan_install
from toolnote_desktop.assistants.own_entry import Ourselves
from toolnote_desktop.paths import Home
top, name, command = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
moment, killed = 0, True
while killed:
    folder = top / str(moment)
    folder.mkdir()
    file = pathlib.Path(shutil.copy(top / "mcp.json", folder))
    child = os.fork()
    if child == 0:
        left = moment
        def die(event, arguments):
            global left
            if event == name:
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
        home = Home(folder / "home")
        plan = plan_install(known_client("cursor"), file, home, Ourselves(command=(command,)))
        sys.addaudithook(die)
        apply(plan, home)
        os._exit(0)
    killed = os.waitpid(child, 0)[1] != 0
    moment += 1
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize("event", ["os.rename", "open"])
def test_killed_at_any_moment_the_file_is_the_old_or_the_new_one(tmp_path: Path, event: str) -> None:
    old = put(tmp_path / "mcp.json", sample("cursor", "linux")).read_bytes()
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), event, COMMAND], check=True)
    folders = sorted((path for path in tmp_path.iterdir() if path.is_dir()), key=lambda path: int(path.name))
    assert len(folders) > 3
    for folder in folders:
        file, home = folder / "mcp.json", Home(folder / "home")
        new = plan_install(CURSOR, put(folder / "whole.json", old), home, OURSELVES).after
        assert file.read_bytes() == new if folder is folders[-1] else file.read_bytes() in (old, new)
        fresh = plan_install(CURSOR, file, home, OURSELVES)
        assert fresh.notes == (), "nobody edited anything"
        assert fresh.after == new
        for part in folder.glob(".mcp.json.*"):
            os.utime(part, (0, 0))
        apply(fresh, home)
        uninstall(CURSOR, file, home)
        assert file.read_bytes() == old
        install(CURSOR, file, home)
        assert [path.name for path in folder.iterdir() if path.name.startswith(".mcp")] == []


def test_records_that_cannot_be_read_are_set_aside(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    broken = put(home.backups / "clients" / "cursor" / "installed.json", '{"installs": [')
    install(CURSOR, file, home)
    assert [path.read_text() for path in broken.parent.glob("installed.json.bad-*")] == ['{"installs": [']
    uninstall(CURSOR, file, home)
    assert file.read_bytes() == sample("cursor", "linux")


@pytest.mark.parametrize("records", ["[]", '{"installs": 3}', '{"installs": [1, {}, {"file": "x"}]}'])
def test_odd_records_count_for_nothing(home: Home, tmp_path: Path, records: str) -> None:
    put(home.backups / "clients" / "cursor" / "installed.json", records)
    assert InstallRecords(home.backups / "clients" / "cursor").read(tmp_path / "x") == ()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
def test_backups_are_for_the_owner_only(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    file.chmod(0o644)
    install(CURSOR, file, home)
    folder = records_of(CURSOR, home).folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_the_command_names_the_home_only_where_it_is_not_the_usual_one(home: Home) -> None:
    usual = Home(Path(platform_config_folder()))
    assert bridge_command("cursor", ("toolnote",), usual) == ["toolnote", "bridge", "--client", "cursor"]
    python = ("python3", "-m", "toolnote_desktop")
    words = [*python, "bridge", "--client", "vscode", "--home", str(home.root), "--toolset", "mine"]
    assert bridge_command("vscode", python, home, "mine") == words
    with pytest.raises(ValueError, match="command"):
        plan_install(CURSOR, home.root / "x", home, Ourselves())


def test_the_clients_document_gets_an_entry_once() -> None:
    (edit,) = install_edits(None, CURSOR.id, CURSOR.name)
    raw, _ = edit.apply(None)
    assert raw == {"clients": {"cursor": {"name": "Cursor", "toolset": None}}}
    assert install_edits(raw, CURSOR.id, CURSOR.name) == ()
    (edit,) = install_edits(raw, CURSOR.id, CURSOR.name, "mine")
    raw, inverse = edit.apply(raw)
    assert raw == {"clients": {"cursor": {"name": "Cursor", "toolset": "mine"}}}
    assert raw is not None
    assert parse_clients(raw, lambda place, reason: pytest.fail(f"{place}: {reason}"))["cursor"].toolset_assigned
    before, _ = inverse.apply(raw)
    assert before == {"clients": {"cursor": {"name": "Cursor", "toolset": None}}}
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


def test_every_client_says_what_to_do() -> None:
    for client in CLIENTS.values():
        for advice in (client.advice_after_install(), client.advice_after_change()):
            assert client.name in english(advice)
    assert CLIENTS["vscode"].advice_after_change().code is Code.CLIENT_FOLLOWS
    assert "Quit Claude Desktop completely" in english(CLIENTS["claude-desktop"].advice_after_change())


def test_a_place_that_changes_with_each_start_goes_into_no_file(tmp_path: Path, home: Home) -> None:
    """macOS runs an app that was downloaded and never moved from a folder of its own, another one each time."""
    program = "/private/var/folders/x/T/AppTranslocation/1B2C/d/Toolnote.app/Contents/MacOS/toolnote"
    with pytest.raises(ToolnoteError) as caught:
        plan_install(CURSOR, tmp_path / "mcp.json", home, Ourselves(command=(program,)))
    assert caught.value.problem.code is Code.APP_TRANSLOCATED
    assert "Applications" in english(caught.value.problem)
