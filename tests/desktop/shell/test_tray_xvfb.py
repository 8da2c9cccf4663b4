"""The app on a desktop with a tray, on one that gets its tray late, and on one that loses it (case C66)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.product.person import person_at, virtual_display
from toolnote_desktop.paths import Home

HOST = Path(__file__).with_name("status_host.py")
PATIENCE = 60

pytestmark = [
    pytest.mark.xvfb,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed"),
    pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="dbus-daemon is not installed"),
]


@pytest.fixture
def desktop() -> Iterator[dict[str, str]]:
    """A display and a session bus; the variables that name them."""
    words = ["dbus-daemon", "--session", "--nofork", "--print-address"]
    with (
        virtual_display() as display,
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as bus,
    ):
        assert bus.stdout is not None
        try:
            address = bus.stdout.readline().strip()
            yield {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "DBUS_SESSION_BUS_ADDRESS": address}
        finally:
            bus.kill()


@contextmanager
def tray(desktop: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A tray, ready; it prints a line for each icon."""
    variables = {**os.environ, **desktop, "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen([sys.executable, str(HOST)], stdout=subprocess.PIPE, text=True, env=variables) as host:
        try:
            assert line_of(host) == "ready\n"
            yield host
        finally:
            host.kill()


def line_of(host: subprocess.Popen[str]) -> str:
    assert host.stdout is not None
    return host.stdout.readline()


def app(desktop: dict[str, str], *words: str) -> int:
    command = [sys.executable, "-m", "toolnote_desktop", "gui", *words]
    return subprocess.run(command, env={**os.environ, **desktop}, timeout=PATIENCE, check=False).returncode


def test_closing_hides_in_the_tray_and_the_window_comes_back(home: Home, desktop: dict[str, str]) -> None:
    with tray(desktop) as host, person_at(pictures="tray", **desktop) as person:
        person.presses("Not now")
        person.sees("Toolnote is on")
        assert line_of(host).startswith("icon ")
        person.closes_the_window()
        person.has_it_hidden()
        assert home.endpoint.exists()
        assert app(desktop) == 0
        person.has_it_in_front()
        person.closes_the_window()
        person.has_it_hidden()
        host.kill()  # the desktop's panel has crashed: nobody may be stranded in it
        person.has_it_in_front()
        assert app(desktop, "--quit") == 0
        assert person.waits_for_the_end() == 0


def test_a_tray_that_comes_late_is_used_and_no_window_is_needed(home: Home, desktop: dict[str, str]) -> None:
    with person_at("--background", **desktop) as person:
        person.has_it_hidden()
        with tray(desktop) as host:
            assert line_of(host).startswith("icon ")
            person.has_it_hidden()
            assert app(desktop) == 0
            person.has_it_in_front()
            assert app(desktop, "--quit") == 0
            assert person.waits_for_the_end() == 0
