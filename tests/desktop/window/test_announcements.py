"""What changes without being in focus is said to screen readers (``announcements.py``, over AT-SPI)."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.desktop.display import needs_display, run_on_display

LAUNCHERS = [Path("/usr/libexec/at-spi-bus-launcher"), Path("/usr/lib/at-spi2-core/at-spi-bus-launcher")]
LAUNCHER = next((one for one in LAUNCHERS if one.exists()), None)


@contextmanager
def session_bus() -> Iterator[str]:
    """A session bus of its own; its address."""
    words = ["dbus-daemon", "--session", "--nofork", "--print-address"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as bus:
        assert bus.stdout is not None
        try:
            yield bus.stdout.readline().strip()
        finally:
            bus.kill()


@needs_display
@pytest.mark.skipif(LAUNCHER is None, reason="at-spi2-core is not installed")
def test_a_screen_reader_hears_what_happens() -> None:
    assert LAUNCHER is not None
    with session_bus() as bus, tempfile.TemporaryDirectory(prefix="a11y-") as cache:
        variables = {"DBUS_SESSION_BUS_ADDRESS": bus, "XDG_CACHE_HOME": cache, "XDG_RUNTIME_DIR": cache}
        command = [str(LAUNCHER), "--launch-immediately"]
        with subprocess.Popen(command, env={**os.environ, **variables}, stderr=subprocess.DEVNULL) as launcher:
            try:
                run_on_display("window/announcements.py", QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", **variables)
            finally:
                launcher.terminate()
