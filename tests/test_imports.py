"""Import of each module, by the Python that runs the tests: an older one has another syntax, typing and library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "toolnote_desktop"
OF_OTHER_SYSTEMS = {"win32": "macos posix_process linux", "darwin": "windows linux", "linux": "windows macos"}


def test_each_module_can_be_imported() -> None:
    skipped = {"__main__", *OF_OTHER_SYSTEMS[sys.platform].split()}
    files = [path for path in sorted(PACKAGE.rglob("*.py")) if path.stem not in skipped]
    names = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in files]
    code = "import importlib, sys\nfor name in sys.stdin.read().split(): importlib.import_module(name)"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        input="\n".join(name.removesuffix(".__init__") for name in names),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
