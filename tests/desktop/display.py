"""Tests that need what the offscreen platform lacks: run by pytest in a process of its own, on a virtual display."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.product.person import virtual_display


def needs_display(test: Callable[[], None]) -> Callable[[], None]:
    """Marks a test that calls :func:`run_on_display`."""
    marks = pytest.mark
    for mark in (marks.xvfb, marks.timeout(240), marks.skipif(shutil.which("Xvfb") is None, reason="there is no Xvfb")):
        test = mark(test)
    return test


def run_on_display(file: str, **variables: str) -> None:
    """Run the tests in a file of this folder (not named ``test_…``, so that nobody else does). All must pass."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(Path(__file__).parent / file)]
    with virtual_display() as display:
        environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", **variables}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout
