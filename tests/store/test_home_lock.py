"""One window or one ``serve`` owns a home (docs/contract.md 2, ``run/``)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading

import psutil
import pytest

from toolnote_desktop import __version__
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import Home, start_ticks
from toolnote_desktop.store.home_lock import HomeOwner

OWNER = """
import sys
from pathlib import Path
from toolnote_desktop.paths import Home
from toolnote_desktop.store.home_lock import HomeOwner
owner = HomeOwner.acquire(Home(Path(sys.argv[1])), "serve")
owner.write_endpoint("http://127.0.0.1:1/mcp", "a secret")
print("owned", flush=True)
sys.stdin.read()
owner.release()
"""


def other_owner(home: Home) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(home.root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "owned\n"
    return process


def test_an_owner_that_is_introduced_later_is_named_to_who_waits(home: Home) -> None:
    owner = HomeOwner.acquire(home, "window", announced=False)
    introducing = threading.Timer(0.1, owner.announce)
    introducing.start()
    with pytest.raises(ToolnoteError) as raised:
        HomeOwner.acquire(home, "serve")
    introducing.join()
    owner.release()
    assert raised.value.problem.parameters["owner"] == "window"
    assert raised.value.problem.parameters["pid"] == str(os.getpid())


def test_the_endpoint_file_says_where_and_who_and_only_the_user_may_read_it(home: Home) -> None:
    owner = HomeOwner.acquire(home, "window")
    owner.write_endpoint("http://127.0.0.1:8377/mcp", "s3cret")
    told = json.loads(home.endpoint.read_text("utf-8"))
    assert told == {
        "url": "http://127.0.0.1:8377/mcp",
        "pid": os.getpid(),
        "startTime": pytest.approx(psutil.Process().create_time(), abs=0.01),
        "version": __version__,
        "bridgeSecret": "s3cret",
    } | ({"startTicks": start_ticks(os.getpid())} if sys.platform == "linux" else {})
    if sys.platform != "win32":
        assert stat.S_IMODE(home.run.stat().st_mode) == 0o700
        for path in home.run.iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    owner.release()
    assert not home.endpoint.exists()
    owner.release()


def test_another_process_is_told_who_owns_the_home(home: Home) -> None:
    with other_owner(home) as process:
        with pytest.raises(ToolnoteError) as refused:
            HomeOwner.acquire(home, "window")
        assert refused.value.problem.code is Code.HOME_OWNED
        assert refused.value.problem.parameters == {"home": str(home.root), "owner": "serve", "pid": str(process.pid)}
        assert home.endpoint.exists()
        process.communicate("")
    HomeOwner.acquire(home, "window").release()


def test_a_killed_owner_leaves_the_home_free_and_its_endpoint_is_removed(home: Home) -> None:
    with other_owner(home) as process:
        process.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        process.wait()
    assert home.endpoint.exists()
    owner = HomeOwner.acquire(home, "window")
    assert not home.endpoint.exists()
    owner.release()


def test_the_same_process_cannot_own_a_home_twice(home: Home) -> None:
    owner = HomeOwner.acquire(home, "window")
    with pytest.raises(ToolnoteError) as refused:
        HomeOwner.acquire(home, "serve")
    assert refused.value.problem.parameters["owner"] == "window"
    owner.release()


def test_a_place_that_cannot_be_written_is_named(home: Home) -> None:
    home.run.write_text("a file where the folder should be")
    with pytest.raises(ToolnoteError) as refused:
        HomeOwner.acquire(home, "window")
    assert refused.value.problem.code is Code.FILE_NOT_WRITTEN
    assert refused.value.problem.parameters["file"] == str(home.app_lock)


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be moved away there")
def test_a_home_that_another_folder_was_put_in_place_of_is_owned_all_the_same(home: Home) -> None:
    owner = HomeOwner.acquire(home, "window")
    owner.write_endpoint("http://127.0.0.1:8377/mcp", "s3cret")
    told = home.endpoint.read_bytes()
    away = home.root.with_name("away")
    home.root.rename(away)
    owner.restore()
    assert not home.root.exists()  # whoever moves it is not done
    shutil.copytree(away, home.root, ignore=shutil.ignore_patterns("run"))
    owner.restore()
    assert home.endpoint.read_bytes() == told
    for path in home.run.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    with pytest.raises(ToolnoteError) as refused:
        HomeOwner.acquire(home, "serve")
    assert refused.value.problem.parameters["owner"] == "window"
    home.endpoint.write_bytes(b"of another computer")
    owner.restore()
    assert home.endpoint.read_bytes() == told
    owner.release()
    assert not home.endpoint.exists()
    owner.restore()
    assert not home.endpoint.exists()
    HomeOwner.acquire(home, "serve").release()


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be moved away there")
def test_a_home_that_somebody_else_has_taken_over_is_left_to_them(home: Home) -> None:
    owner = HomeOwner.acquire(home, "window")
    owner.write_endpoint("http://127.0.0.1:8377/mcp", "s3cret")
    home.root.rename(home.root.with_name("away"))
    home.root.mkdir(mode=0o700)
    with other_owner(home) as process:
        theirs = home.endpoint.read_bytes()
        owner.restore()
        assert home.endpoint.read_bytes() == theirs
        owner.release()
        assert home.endpoint.read_bytes() == theirs
        process.communicate("")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="another user's folder, which root can make")
def test_run_folder_of_another_user_is_refused(home: Home) -> None:
    """Red team L3: it was accepted. Seen red without ``belongs_to_user``."""
    home.run.mkdir(parents=True)
    os.chown(home.run, 65534, 65534)
    with pytest.raises(ToolnoteError) as refused:
        HomeOwner.acquire(home, "serve")
    assert refused.value.problem.parameters["reason"] == "it belongs to another user"
    assert not list(home.run.iterdir())
