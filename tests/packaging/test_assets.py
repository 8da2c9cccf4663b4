"""Resources are found in a checkout and in an installed wheel; test_frozen.py has the frozen build."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from toolnote_desktop import assets
from toolnote_desktop.desktop.shell import icons

CLONE = Path(__file__).parents[2]
RESOURCES = CLONE / "resources"


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what an installer unpacks from the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=CLONE, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def test_checkout() -> None:
    assert assets.folder() == RESOURCES
    assert assets.path("demo/library.json").is_file()


def test_missing_asset_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"no-such\.file"):
        assets.path("no-such.file")


def test_wheel_has_every_resource(installed: Path) -> None:
    assert files_below(installed / "toolnote_desktop" / "_resources") == files_below(RESOURCES)


def test_sdist_makes_the_same_wheel(installed: Path, tmp_path: Path) -> None:
    """What pipx and uv build from: everything is in it."""
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)]
    subprocess.run([*build, "-t", "sdist"], cwd=CLONE, check=True, capture_output=True, timeout=60)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.glob("*/pyproject.toml")
    subprocess.run([*build, "-t", "wheel"], cwd=source.parent, check=True, capture_output=True, timeout=60)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    assert files_below(tmp_path / "installed") == files_below(installed)


def test_wheel_finds_its_own(installed: Path, tmp_path: Path) -> None:
    """Also with the checkout behind it on the path, where the clone's own environments put it."""
    question = "from toolnote_desktop import assets; print(assets.path('icons'))"
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), str(CLONE)])}
    command = [sys.executable, "-c", question]
    done = subprocess.run(command, cwd=tmp_path, env=variables, check=True, capture_output=True, text=True, timeout=60)
    assert Path(done.stdout.strip()) == installed.resolve() / "toolnote_desktop" / "_resources" / "icons"


def test_icons_have_a_picture_for_each_size(qapp: QApplication) -> None:
    assert QSize(16, 16) in icons.app_icon().availableSizes()
    largest = 128 if sys.platform.startswith("linux") else 512
    assert max(size.width() for size in icons.app_icon().availableSizes()) == largest
    assert QSize(22, 22) in icons.tray_icon().availableSizes()
