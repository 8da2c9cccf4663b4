"""Makes the frozen build: `python packaging/freeze.py FOLDER` gives FOLDER/toolnote with the two programs in it.

Run by an environment that holds packaging/locks/build.txt and nothing else (`packaging/dev.py build`): whatever else is
installed ends up in the bundle. Two builds of one commit are the same, byte by byte.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent


def main(folder: Path) -> int:
    """Builds into ``folder``; the exit status."""
    variables = {**os.environ, "PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": str(commit_time())}
    with tempfile.TemporaryDirectory(prefix="toolnote-build-") as work:
        variables["PYINSTALLER_CONFIG_DIR"] = str(Path(work, "cache"))
        command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
        command += ["--distpath", str(folder), "--workpath", work, str(PACKAGING / "toolnote.spec")]
        subprocess.run(command, env=variables, cwd=PACKAGING.parent, check=True)
    built = folder / "toolnote"
    strip(built)
    dangling = [path for path in built.rglob("*") if path.is_symlink() and not path.exists()]
    if dangling:
        print("links that lead nowhere:", *dangling, sep="\n  ", file=sys.stderr)
        return 1
    print(built)
    return 0


def commit_time() -> int:
    """When the commit was made, in seconds since the epoch; a fixed time outside of a clone."""
    command = ["git", "log", "-1", "--format=%ct"]
    try:
        return int(subprocess.run(command, cwd=PACKAGING.parent, check=True, stdout=subprocess.PIPE).stdout)
    except (OSError, subprocess.CalledProcessError):
        return 1_700_000_000


def strip(built: Path) -> None:
    """Takes the debug symbols out of Python's own library, where it brought them (Qt's wheels are stripped already)."""
    program = shutil.which("strip") if sys.platform.startswith("linux") else None
    libraries = [str(path) for path in (built / "_internal").glob("libpython*") if not path.is_symlink()]
    if program and libraries:
        subprocess.run([program, "--strip-unneeded", *libraries], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve()))
