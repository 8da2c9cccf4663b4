"""Long texts of others, through the real commands, cost what harmless ones of their length cost (red team H1)."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.proxy.oauth.authorization import oauth_server
from toolnote_desktop.paths import Home

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the processor time of a child is asked for")

MOST = 2.0
"""Times as long as with a harmless text. The patterns of that time took fifty times as long, and more."""


def command(home: Home, *words: str) -> tuple[subprocess.CompletedProcess[str], float]:
    """Run a command, and return what it printed and the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "toolnote_desktop", *words, "--home", str(home.root)],
        env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def costs_no_more(work: Callable[[str], float]) -> bool:
    """Return True if addresses take no longer than the same length of one letter, in the best of a few times."""
    hostile, harmless = work("a."), work("xx")
    for _ in range(3):
        if hostile <= MOST * harmless:
            break
        hostile, harmless = min(hostile, work("a.")), min(harmless, work("xx"))
    return hostile <= MOST * harmless


def test_an_argument_of_80_kb_in_an_imported_entry(home: Home) -> None:
    """It made ``servers list`` take 22.6 s."""
    imported = home.root.parent / "imported.json"

    def work(unit: str) -> float:
        entry = {"command": "x", "args": [unit * 40_000], "disabled": True}
        imported.write_text(json.dumps({"mcpServers": {"long": entry}}), encoding="utf-8")
        done, import_time = command(home, "servers", "import", str(imported))
        assert done.returncode == 0, done.stderr
        listed, list_time = command(home, "servers", "list")
        assert listed.returncode == 0, listed.stderr
        assert "long" in listed.stdout
        removed, _ = command(home, "servers", "remove", "long")
        assert removed.returncode == 0, removed.stderr
        return import_time + list_time

    assert costs_no_more(work)


def test_a_refusal_of_200_kb_by_an_authorization_server(home: Home) -> None:
    """It stopped the proxy for 45 s."""
    with oauth_server() as server:
        added, _ = command(home, "servers", "add", "far", "--url", server.url)
        assert added.returncode == 0, added.stderr

        def work(unit: str) -> float:
            server.set(refusal=unit)
            done, seconds = command(home, "servers", "sign-in", "far", "--not-encrypted")
            assert done.returncode == 1
            assert "invalid_client_metadata" in done.stderr
            assert len(done.stderr) < 2_000
            return seconds

        assert costs_no_more(work)
