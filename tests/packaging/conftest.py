"""The modules beside packaging/dev.py import each other by their bare names, as a script's neighbours do.

A frozen build takes half a minute: one is made for all tests that need it, whichever process they run in.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from filelock import FileLock

CLONE = Path(__file__).parents[2]
PACKAGING = CLONE / "packaging"
BUILD_PYTHON = (
    "TOOLNOTE_BUILD_PYTHON"  # set by packaging/dev.py: one that has packaging/locks/build.txt and nothing else
)

sys.path.append(str(PACKAGING))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Several processes take whole files in this order (packaging/dev.py): what takes minutes first, so that no process
    is at it alone in the end; then, as they do by themselves, files with many tests.
    """
    if hasattr(config, "workerinput"):
        tests = Counter(item.path for item in items)
        slow = {item.path for item in items if item.get_closest_marker("frozen")}
        items.sort(key=lambda item: (item.path not in slow, -tests[item.path]))


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all processes of this run."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def bundle(shared: Path) -> Path:
    """The frozen build: the folder with both programs."""
    made_once(shared, "freeze.py")
    return shared / "built" / "toolnote"


@pytest.fixture(scope="session")
def built(shared: Path, bundle: Path) -> Path:
    """The folder that holds the frozen build, and on Linux its packages beside it (`packaging/dev.py packages`)."""
    if sys.platform.startswith("linux"):
        made_once(shared, "packages.py")
    return bundle.parent


def made_once(shared: Path, script: str) -> None:
    """What a script makes of ``shared / "built"``, made by the first process that wants it; the others wait for it."""
    done = shared / f"{script}-done"
    with FileLock(f"{done}.lock"):
        if not done.exists():
            run_script(script, str(shared / "built"))
            done.touch()


def run_script(name: str, *arguments: str) -> None:
    """One of packaging/'s scripts, in the environment that builds are made in."""
    command = [os.environ[BUILD_PYTHON], str(PACKAGING / name), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
