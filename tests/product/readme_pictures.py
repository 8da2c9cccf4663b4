"""README's pictures: ``python -m tests.product.readme_pictures``. Look at them afterwards.

They are drawn as the sheets of ``dev.py look`` are, with Inter where it is installed (``fonts-inter`` on Debian), else
with the system's own font.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.desktop import look

CLONE = Path(__file__).parents[2]
FOLDER = CLONE / "docs" / "pictures"
PICTURES = {
    "window-light.png": ("tool", "light"),
    "window-dark.png": ("tool", "dark"),
    "as-an-assistant-sees-it.png": ("tool-exact-data", "light"),
    "toolset.png": ("toolset", "light"),
}
"""Name in README -> page and variant."""


def main() -> int:
    """Draw them; return 1 if one could not be drawn."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    for name, (page, variant) in PICTURES.items():
        code = f"from tests.desktop.look import *; draw({page!r}, {variant!r})"
        if subprocess.run([sys.executable, "-c", code], env=environment, cwd=CLONE, check=False).returncode:
            return 1
        shutil.copyfile(look.FOLDER / page / f"{variant}.png", FOLDER / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
