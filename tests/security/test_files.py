"""Nobody else on the computer may read what we write: folders 0700, files 0600 (docs/contract.md 2)."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import permissions
from tests.endurance.test_quit import started
from tests.proxy.raw_client import RawClient
from tests.proxy.running import TOOLSET, raw_server
from tests.waiting import wait_until
from toolnote_desktop.cli import parser
from toolnote_desktop.commands import checks
from toolnote_desktop.model.edits import (
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    SetFields,
    toolset_document,
)
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import OPEN_FILE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="modes, and programs that are started to be ended")


@pytest.fixture
def nothing_taken_away() -> Iterator[None]:
    """A umask that takes nothing away: what is private was made so by us."""
    before = os.umask(0)
    yield
    os.umask(before)


def not_private(root: Path) -> list[str]:
    """What somebody else could read or enter."""
    return [str(path) for path in (root, *root.rglob("*")) if _open_to_others(path)]


def _open_to_others(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False  # a temporary file that has its name by now
    return (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and bool(stat.S_IMODE(mode) & 0o077)


def use(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Do what writes something: edits, a secret, a run, a call, a note. What was not private while it ran."""
    with Library.open(Home(root)) as library:
        library.submit(
            CreateDocument(toolset_document(TOOLSET), {"name": TOOLSET, "title": "Work", "tools": [], "toolNotes": []}),
            SetFields(SETTINGS, {"equippedToolset": TOOLSET}),
            AddEntry(SERVERS, SERVER_ENTRIES, "a", raw_server(stderr={"start": "hello\n"})),
        )
    monkeypatch.setattr(sys, "stdin", io.StringIO("a secret"))
    assert parser.run(["secret", "set", "a", "KEY", "--not-encrypted", "--home", str(root)]) == 0
    with started("serve", "--port", "0", "--home", str(root)) as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        client = RawClient(ready["url"], ready["token"])
        client.initialize()
        wait_until(lambda: any(tool["name"] == "a_fail" for tool in client.tools()))
        note = {"toolRef": {"namespacedName": "a.fail"}, "notes": [{"name": "n", "note": "text"}]}
        assert not client.call("add-tool-annotation", note).result.get("isError")
        assert client.call("a_fail", {"text": "fine"}).status == 200
        assert (root / "run" / "endpoint.json").exists()
        while_it_ran = not_private(root)
        process.terminate()
        process.communicate(timeout=60)
        assert process.returncode == 0
    return while_it_ran


def test_a_file_that_others_might_read_is_closed_to_them(user_folder: Path) -> None:
    home = Home(user_folder / "home")
    home.toolsets.mkdir(parents=True)
    written = {home.servers: {"mcpServers": {}}, home.toolset("work"): {"tools": []}, home.settings: {}}
    for file, document in written.items():
        file.write_text(json.dumps(document), encoding="utf-8")
        file.chmod(0o644)
    with Library.open(home):
        assert [oct(stat.S_IMODE(file.stat().st_mode)) for file in written] == ["0o600"] * len(written)


@pytest.mark.skipif(not permissions.BINDING, reason="this user may write everywhere")
def test_the_doctor_names_a_folder_that_cannot_be_written(user_folder: Path) -> None:
    home = Home(user_folder / "home")
    with Library.open(home) as library:
        assert not any(finding.wrong for finding in checks.check_files(library, home))
    home.toolsets.chmod(0o500)

    def found_wrong() -> list[str]:
        with Library.open(home) as library:
            return [finding.text for finding in checks.check_files(library, home) if finding.wrong]

    (wrong,) = permissions.run_bound(found_wrong)
    assert wrong.startswith(f"{home.toolsets} is not writable")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can give a folder away")
def test_the_doctor_names_a_run_folder_of_another_user(user_folder: Path) -> None:
    """Seen red: "no app is running; a client's bridge will start it", which the app refuses."""
    home = Home(user_folder / "home")
    home.run.mkdir(parents=True, mode=0o700)
    os.chown(home.run, 1, 1)
    with Library.open(home) as library:
        wrong = [finding.text for finding in checks.check_files(library, home) if finding.wrong]
    assert any(f"{home.run} belongs to another user" in text for text in wrong)


@pytest.mark.once
@pytest.mark.usefixtures("nothing_taken_away")
def test_written_files_are_private_to_the_user(user_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = user_folder / "config" / "new home"
    assert use(root, monkeypatch) == []
    assert not_private(root.parent) == []
    written = {path.name for path in root.rglob("*") if path.is_file()}
    assert {"servers.json", f"{TOOLSET}.json", "activity.db", "app.lock", "a.log", "catalog.json", OPEN_FILE} <= written
    assert any((root / "backups").rglob("*.json"))


@pytest.mark.once
def test_a_home_that_is_a_link_stays_one(user_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = user_folder / "synced"
    real.mkdir(mode=0o700)
    root = user_folder / "link"
    root.symlink_to(real, target_is_directory=True)
    assert use(root, monkeypatch) == []
    assert root.is_symlink()
    assert not_private(real) == []
    assert (real / "servers.json").exists()
    assert not (real / "run" / "endpoint.json").exists()


@pytest.mark.once
def test_a_home_that_others_might_enter_is_closed_to_them(
    nothing_taken_away: None, user_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = user_folder / "shared"
    root.mkdir(mode=0o755)
    assert use(root, monkeypatch) == []
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
