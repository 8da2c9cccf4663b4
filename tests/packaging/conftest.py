"""The modules beside packaging/dev.py import each other by their bare names, as a script's neighbours do."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "packaging"))
