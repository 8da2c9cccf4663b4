"""Pictures of the window are drawn, kept among the test's artifacts, and hold what they are of."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from tests.desktop.pictures import FOLDER, PICTURES
from toolnote_desktop.desktop.theme.colours import DARK, HIGH_DARK, LIGHT


@pytest.mark.parametrize("name", ["light", "dark-200", "high-contrast-dark", "long", "empty", "narrow", "full"])
def test_a_picture_of_the_window(name: str) -> None:
    theme, scale, _, _ = PICTURES[name]
    code = f"from tests.desktop.pictures import *; draw({name!r}, FOLDER)"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=root, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    picture = QImage(str(FOLDER / f"{name}.png"))
    factor = int(scale)
    width, height = (900, 700) if name == "narrow" else (1360, 840)
    assert (picture.width(), picture.height()) == (width * factor, height * factor)
    scheme = {"light": LIGHT, "dark": DARK, "dark more": HIGH_DARK}[theme]
    # the page's ground in its margin, the sidebar's, and some words on it
    assert picture.pixelColor(280 * factor, 500 * factor) == QColor(scheme.ground)
    assert picture.pixelColor(4 * factor, (height - 60) * factor) == QColor(scheme.side)
    colours = {picture.pixel(x, y) for x in range(0, 280 * factor, 2) for y in range(50 * factor, 120 * factor)}
    assert len(colours) > 10
