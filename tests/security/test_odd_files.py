"""Files of the home that another program replaced: pipes, endless devices, JSON of any depth."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import psutil
import pytest

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known import plain_json, vscode
from toolnote_desktop.bridge.app_discovery import read_endpoint
from toolnote_desktop.paths import Home, read_json
from toolnote_desktop.store.home_lock import HomeOwner
from toolnote_desktop.system.atomic_file import write_file
from toolnote_desktop.system.children import stop_leftovers
from toolnote_desktop.system.process_tree import ProcessTree

DEEP = b"[" * 100_000


def odd(path: Path, kind: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.write_bytes(DEEP)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
@pytest.mark.parametrize("kind", ["pipe", "device", "deep"])
def test_start_is_not_kept_by_odd_files(tmp_path: Path, kind: str) -> None:
    """Seen red: the first two held the start for good (the device filled the memory), the third ended it."""
    home = Home(tmp_path)
    odd(home.children / "1.json", kind)
    assert stop_leftovers(home) == ()
    assert list(home.children.iterdir()) == [], "it is said, and removed"
    odd(home.endpoint, kind)
    assert read_endpoint(home) is None
    with pytest.raises((OSError, ValueError)):
        read_json(odd(tmp_path / "x", kind))


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
@pytest.mark.parametrize("kind", ["pipe", "device", "deep"])
def test_search_for_assistants_is_not_kept_by_odd_files(tmp_path: Path, kind: str) -> None:
    """Seen red: the first two held the first run's search for good (the device filled the memory)."""
    odd(tmp_path / ".config/Code/User/globalStorage/storage.json", kind)
    odd(tmp_path / ".local/share/Jan/settings.json", kind)
    (tmp_path / ".local/share/Jan/data").mkdir()
    environment = Environment(home=tmp_path, platform="linux", variables={})
    for client in (vscode.CLIENT, plain_json.JAN):
        assert client.locations(environment), client.name


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_link_to_what_is_no_file_is_not_written_through(tmp_path: Path) -> None:
    """Seen red: run/sessions.json linked to /dev/zero, and root's ``serve`` replaced the device by a file."""
    link = tmp_path / "link"
    link.symlink_to(odd(tmp_path / "pipe", "pipe"))
    with pytest.raises(OSError, match="no file"):
        write_file(link, b"x")
    assert (tmp_path / "pipe").is_fifo()
    write_file(tmp_path / "pipe", b"x")
    assert (tmp_path / "pipe").is_file(), "a pipe in the place of a file is replaced"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a right on Windows")
def test_link_in_the_place_of_a_file_of_the_run_is_replaced(home: Home) -> None:
    """Seen red: owner.json was written through the link, over the user's file."""
    precious = home.root / "precious.txt"
    home.run.mkdir(parents=True)
    precious.write_text("precious")
    for link in (home.run / "owner.json", home.endpoint):
        link.symlink_to(precious)
    owner = HomeOwner.acquire(home, "serve")
    owner.write_endpoint("http://127.0.0.1:1/mcp", "s")
    assert not home.endpoint.is_symlink()
    assert not (home.run / "owner.json").is_symlink()
    owner.release()
    assert precious.read_text() == "precious"


@pytest.mark.skipif(sys.platform == "win32", reason="has no groups")
@pytest.mark.parametrize(
    "pid", ["1", "true", "0", "-1", "1.5", '"1"', "1e999", "NaN", "null", "[]", "1" + "0" * 30, "OWN"]
)
def test_record_of_a_child_that_cannot_be_one_signals_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pid: str
) -> None:
    """Seen red: 1 with that process's start time ended all processes of the user (killpg(1) is kill(-1)), -1 the start.

    No signal is really sent here, whatever the product does.
    """
    signals: list[tuple[object, ...]] = []

    def record(*given: object) -> None:
        if given[-1] != 0:  # which asks whether there is one
            signals.append(given)

    for name in ("killpg", "kill"):
        monkeypatch.setattr(os, name, record)
    for name in ("send_signal", "kill", "terminate"):
        monkeypatch.setattr(psutil.Process, name, record)
    pid = "1" if (is_own := pid == "OWN") else pid
    process = f'{{"pid": {pid}, "startTime": {psutil.Process(1).create_time()}, "server": "s", "strays": []}}'
    assert (os.killpg, os.kill, psutil.Process.send_signal) == (record, record, record)
    home = Home(tmp_path)
    home.children.mkdir(parents=True)
    owner = process if is_own else '{"pid": 999999999, "startTime": 1.0}'
    (home.children / "7-1.json").write_text(f'{{"owner": {owner}, "children": [{process}]}}')
    assert stop_leftovers(home) == ()
    ProcessTree(1).kill()
    assert signals == []
