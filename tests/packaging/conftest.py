"""Fixtures of the packaging tests: one frozen build for all tests and processes, because it takes half a minute.

The modules beside packaging/dev.py import each other by their bare names, as a script's neighbours do.
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
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of all processes of this run."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def bundle(shared: Path) -> Path:
    """Return the frozen build: the folder with both programs."""
    made_once(shared, "freeze.py")
    return shared / "built" / "toolnote"


@pytest.fixture(scope="session")
def built(shared: Path, bundle: Path) -> Path:
    """Return the folder of the frozen build and, on Linux, its packages (`packaging/dev.py packages`)."""
    if sys.platform.startswith("linux"):
        made_once(shared, "packages.py")
    return bundle.parent


def made_once(shared: Path, script: str) -> None:
    """Run a script on ``shared / "built"`` in the first process that needs it; the others wait for it."""
    done = shared / f"{script}-done"
    with FileLock(f"{done}.lock"):
        if not done.exists():
            run_script(script, str(shared / "built"))
            done.touch()


def run_script(name: str, *arguments: str) -> None:
    """Run one of packaging/'s scripts in the environment that builds are made in."""
    command = [os.environ[BUILD_PYTHON], str(PACKAGING / name), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
