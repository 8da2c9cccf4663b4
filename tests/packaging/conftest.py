"""The modules beside packaging/dev.py import each other by their bare names, as a script's neighbours do.

A frozen build takes half a minute: one is made for all tests that need it, whichever process they run in.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

CLONE = Path(__file__).parents[2]
PACKAGING = CLONE / "packaging"
BUILD_PYTHON = (
    "TOOLNOTE_BUILD_PYTHON"  # set by packaging/dev.py: one that has packaging/locks/build.txt and nothing else
)

sys.path.append(str(PACKAGING))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the frozen build, and on Linux its packages beside it (`packaging/dev.py packages`)."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, done = shared / "built", shared / "built-whole"
    with FileLock(shared / "built.lock"):
        if not done.exists():
            run_script("freeze.py", str(folder))
            if sys.platform.startswith("linux"):
                run_script("packages.py", str(folder))
            done.touch()
    return folder


@pytest.fixture(scope="session")
def bundle(built: Path) -> Path:
    """The folder with both programs."""
    return built / "toolnote"


def run_script(name: str, *arguments: str) -> None:
    """One of packaging/'s scripts, in the environment that builds are made in."""
    command = [os.environ[BUILD_PYTHON], str(PACKAGING / name), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
