"""The same story on a virtual X display: real windows, real focus, pictures of the whole screen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.product.person import virtual_display
from tests.product.test_story import claude_file, cursor_file, play, repository
from toolnote_desktop.paths import Home

__all__ = ["claude_file", "cursor_file", "repository"]

pytestmark = [
    pytest.mark.xvfb,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed"),
    pytest.mark.skipif(shutil.which("git") is None, reason="the server from PyPI needs git"),
]


def test_the_story_on_a_display(repository: Path, claude_file: Path, cursor_file: None, home: Home) -> None:
    with virtual_display() as display:
        play(repository, claude_file, home, "xvfb", QT_QPA_PLATFORM="xcb", DISPLAY=display)
