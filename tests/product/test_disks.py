"""Commands and ``serve`` on a disk that is really full, and on one that is read-only (issue 15 item 10, U15, L6)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.product.test_cli import PATIENCE
from tests.servers.launch import raw_server_entry
from toolnote_desktop.paths import Home

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mount namespaces")

# A file system of one megabyte over the home, for this process and its children only.
OWN_DISK = """
set -e
cp -a "$TOOLNOTE_HOME" "$TOOLNOTE_HOME.before"
mount -t tmpfs -o size=1m,mode=700 tmpfs "$TOOLNOTE_HOME"
cp -a "$TOOLNOTE_HOME.before/." "$TOOLNOTE_HOME"
"""
FULL = OWN_DISK + 'cat /dev/zero > "$TOOLNOTE_HOME/filling" 2> /dev/null || true\n'
ONE_FILE_FITS = 'truncate --size=-4096 "$TOOLNOTE_HOME/filling"\n'
READ_ONLY = OWN_DISK + 'mount -o remount,ro "$TOOLNOTE_HOME"\n'

ENTRY = {"mcpServers": {"raw": raw_server_entry()}}


@contextmanager
def started(home: Home, disk: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command of Toolnote on a disk of its own."""
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    script = f'{disk}exec "$@"'
    with subprocess.Popen(
        ["unshare", "--mount", *user, "sh", "-c", script, "sh", sys.executable, "-m", "toolnote_desktop", *words],
        env={**os.environ, "TOOLNOTE_HOME": str(home.root)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def said(home: Home, disk: str, *words: str) -> tuple[int, str]:
    """Return the status of a command, and its output."""
    with started(home, disk, *words) as process:
        out, errors = process.communicate(timeout=PATIENCE)
        return process.returncode, out + errors


@pytest.fixture
def used(home: Home) -> Home:
    """Home with a server, as the app leaves it."""
    home.servers.write_text(json.dumps(ENTRY), "utf-8")
    for folder in (home.run, home.logs, home.toolsets, home.backups):
        folder.mkdir(exist_ok=True)
    (home.run / "app.lock").touch()
    return home


@pytest.mark.parametrize(("disk", "reason"), [(FULL, "No space left on device"), (READ_ONLY, "Read-only file system")])
def test_doctor_says_that_nothing_can_be_saved(used: Home, disk: str, reason: str) -> None:
    """Seen red without ``_write_problem``: "Nothing is wrong" on a full disk."""
    status, text = said(used, disk, "doctor")
    assert status == 1
    assert f"{used.root} cannot be written: {reason}; changes will not be saved" in text
    assert 'server "raw" is ready with' in text


@pytest.mark.parametrize("disk", [FULL, READ_ONLY])
def test_what_is_there_can_be_read(used: Home, disk: str) -> None:
    status, text = said(used, disk, "servers", "list")
    assert status == 0
    assert text.startswith("raw ")


@pytest.mark.parametrize(("disk", "reason"), [(FULL, "No space left on device"), (READ_ONLY, "Read-only file system")])
def test_change_is_refused_in_one_line(used: Home, disk: str, reason: str) -> None:
    status, text = said(used, disk, "servers", "disable", "raw")
    assert status != 0
    assert text == f"toolnote: servers.json could not be written: {reason}\n"


def test_serve_whose_endpoint_file_does_not_fit_serves(used: Home) -> None:
    """Seen red with an endpoint file that had to be written: it neither became ready nor ended."""
    with started(used, FULL + ONE_FILE_FITS, "serve", "--port", "0") as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["event"] == "ready"


@pytest.mark.parametrize(("disk", "reason"), [(FULL, "No space left on device"), (READ_ONLY, "Read-only file system")])
def test_serve_that_cannot_begin_ends_with_the_reason(home: Home, disk: str, reason: str) -> None:
    status, text = said(home, disk, "serve", "--port", "0")
    assert status != 0
    assert text.count("\n") == 1
    assert text.endswith(f"could not be written: {reason}\n")


@pytest.mark.parametrize(("disk", "reason"), [(FULL, "No space left on device"), (READ_ONLY, "Read-only file system")])
def test_server_can_be_tested(used: Home, disk: str, reason: str) -> None:
    """Seen red where a catalogue that could not be saved hid the result."""
    status, text = said(used, disk, "servers", "test", "raw")
    assert status == 0
    assert text.startswith("raw is ready: ")
    assert f"toolnote: catalog.json could not be written: {reason}\n" in text


FILLS_UP = """
import os, sys
from pathlib import Path
from toolnote_desktop.model.audit import AuditEntry, AuditKind
from toolnote_desktop.paths import Home
from toolnote_desktop.store.audit import AuditFilter, check_chain, read_entries
from toolnote_desktop.store.library import Library

home = Home(Path(os.environ["TOOLNOTE_HOME"]))
library = Library.open(home, watch=False)
library.audit.record(AuditEntry("user", AuditKind.NOTE, "added", "before"))
library.audit.flush()
with open(home.root / "filling", "wb") as filling:
    try:
        while True:
            filling.write(bytes(4096))
            filling.flush()
    except OSError:
        pass
for number in range(1000):
    library.audit.record(AuditEntry("cursor", AuditKind.APPROVAL, "allowed", f"git.tool-{number}", {"for": "once"}))
library.audit.flush()
library.close()
os.unlink(home.root / "filling")
print(len(read_entries(home, 9999, AuditFilter())), check_chain(home))
"""


def test_audit_of_a_run_is_written_where_the_disk_is_full_at_its_end(home: Home) -> None:
    """Seen red: what was decided after the disk was full was lost."""
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    disk = OWN_DISK.replace("size=1m", "size=16m")
    done = subprocess.run(
        ["unshare", "--mount", *user, "sh", "-c", f'{disk}exec "$@"', "sh", sys.executable, "-c", FILLS_UP],
        env={**os.environ, "TOOLNOTE_HOME": str(home.root)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout == "1001 (1001, None)\n", done.stderr
