"""Files that are odd, in the way or written by others, and writers that are killed: installing leaves them whole."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.assistants.installing.test_install import COMMAND, CURSOR, entries, install, uninstall
from tests.assistants.machines import OURSELVES, machine, put, put_sample, sample
from toolnote_desktop.assistants.installing.install_log import InstallLog
from toolnote_desktop.assistants.installing.plan import (
    apply,
    bridge_command,
    install_log_of,
    plan_install,
    plan_uninstall,
    undo,
)
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home


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
def test_encodings_and_line_ends_are_kept(tmp_path: Path, home: Home, encoding: str, end: str) -> None:
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
from toolnote_desktop.assistants.registry import known_client
from toolnote_desktop.assistants.installing.plan import apply, plan_install
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
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
        plan = plan_install(known_client("cursor"), file, home, ToolnoteIdentity(command=(command,)))
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
    assert InstallLog(home.backups / "clients" / "cursor").read(tmp_path / "x") == ()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
def test_backups_are_for_the_owner_only(tmp_path: Path, home: Home) -> None:
    file = put_sample(machine(tmp_path, "linux"), "cursor")
    file.chmod(0o644)
    install(CURSOR, file, home)
    folder = install_log_of(CURSOR, home).folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
