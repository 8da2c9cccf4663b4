"""Sheets of the pages are drawn, kept among the test's artifacts, and show what they are of."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from PySide6.QtGui import QColor, QImage

from tests.desktop.look import FOLDER, ROOT, VARIANTS
from toolnote_desktop.desktop.theme.colours import DARK, HIGH_DARK, LIGHT


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("tool", "light"),
        ("home", "dark"),
        ("tool", "high-contrast-dark"),
        ("tool", "200"),
        ("home", "empty"),
        ("tool", "right-to-left"),
        ("home", "full"),
    ],
)
def test_a_picture_of_a_page(page: str, name: str) -> None:
    variant = VARIANTS[name]
    code = f"from tests.desktop.look import *; draw({page!r}, {name!r})"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": variant.scale}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    picture = QImage(str(FOLDER / page / f"{name}.png"))
    factor = int(variant.scale)
    width, height = variant.size
    assert (picture.width(), picture.height()) == (width * factor, height * factor)
    scheme = {"light": LIGHT, "dark": DARK, "dark more": HIGH_DARK}[variant.theme]
    narrow, mirrored = width < 900, variant.language == "he"
    # the page's ground in its margin, the sidebar's at the foot, and words below the top bar
    margin = 4 if narrow else 280
    assert picture.pixelColor((width - margin if mirrored else margin) * factor, (height - 250) * factor) == QColor(
        scheme.ground
    )
    if not narrow:
        assert picture.pixelColor(width - 4 if mirrored else 4, height - 60) == QColor(scheme.side)
    wide = range(0, width * factor, 2)
    colours = {picture.pixel(x, y) for x in wide for y in range(50 * factor, 120 * factor)}
    assert len(colours) > 10
