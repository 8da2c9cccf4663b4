"""README's pictures, from a run of the story: ``python -m tests.product.readme_pictures``. Look at them afterwards.

They are drawn with Inter where it is installed (``fonts-inter`` on Debian), else with the system's own font.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.product.person import PICTURES

CLONE = Path(__file__).parents[2]
FOLDER = CLONE / "docs" / "pictures"
TAKEN = {
    "notes": "window-light.png",
    "seen-by": "as-an-assistant-sees-it.png",
    "toolset": "toolset.png",
    "notes-dark": "window-dark.png",
}
"""Pictures of the story, and what they are called in README."""

_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <match target="pattern">
    <test name="family" compare="not_eq" qual="all"><string>monospace</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit>
  </match>
</fontconfig>
"""


def picture_of(step: str) -> Path:
    """Screenshot of a step of the story."""
    (found,) = PICTURES.glob(f"offscreen-??-{step}.png")
    return found


def main() -> int:
    """Play the story and take its pictures; 0 if it went well."""
    with tempfile.TemporaryDirectory(prefix="fonts-") as folder:
        fonts = Path(folder) / "fonts.conf"
        fonts.write_text(_FONTS, encoding="utf-8")
        for old in PICTURES.glob("offscreen-*.png"):
            old.unlink()
        command = [sys.executable, "-m", "pytest", "-q", "tests/product/test_story.py"]
        look = {"QT_QPA_PLATFORM": "offscreen", "FONTCONFIG_FILE": str(fonts), "LC_ALL": "en_US.UTF-8"}
        status = subprocess.call(command, cwd=CLONE, env={**os.environ, **look})
    if status == 0:
        for step, name in TAKEN.items():
            shutil.copyfile(picture_of(step), FOLDER / name)
    return status


if __name__ == "__main__":
    sys.exit(main())
