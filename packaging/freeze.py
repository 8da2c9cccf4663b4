"""Make the frozen build: `python packaging/freeze.py FOLDER` gives FOLDER/toolnote with the two programs in it.

Run by an environment that holds packaging/locks/build.txt and nothing else (`packaging/dev.py build`): whatever else is
installed ends up in the bundle. Two builds of one commit are the same, byte by byte.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import icon_files
import notices

PACKAGING = Path(__file__).resolve().parent
sys.path.append(str(PACKAGING / "windows"))
import version_resource  # noqa: E402

CLONE = PACKAGING.parent


def main(folder: Path) -> int:
    """Build into ``folder`` and return the exit status."""
    variables = {**os.environ, "PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": str(commit_time())}
    with tempfile.TemporaryDirectory(prefix="toolnote-build-") as work:
        variables["TOOLNOTE_BUILD_FACTS"] = str(facts(Path(work, "facts")))
        variables["TOOLNOTE_BUILD_LOOKS"] = str(looks(Path(work, "looks")))
        variables["TOOLNOTE_BUILD_VERSION"] = version()
        # Modules as they are: unpacking them takes time at every start, and what packs the whole packs them better.
        variables["PYINSTALLER_ZLIB_COMPRESSION_LEVEL"] = "0"
        variables["PYINSTALLER_CONFIG_DIR"] = str(Path(work, "cache"))
        command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
        command += ["--distpath", str(folder), "--workpath", work, str(PACKAGING / "toolnote.spec")]
        subprocess.run(command, env=variables, cwd=CLONE, check=True)
    built = folder / "toolnote"
    if sys.platform.startswith("linux"):
        (built / "toolnote-desktop").symlink_to("toolnote")  # packaging/program_linux.py
    strip(built)
    dangling = [path for path in built.rglob("*") if path.is_symlink() and not path.exists()]
    if dangling:
        print("links that lead nowhere:", *dangling, sep="\n  ", file=sys.stderr)
        return 1
    print(built)
    return 0


def commit_time() -> int:
    """Return the commit's time in seconds since the epoch; a fixed time outside of a clone."""
    command = ["git", "log", "-1", "--format=%ct"]
    try:
        return int(subprocess.run(command, cwd=CLONE, check=True, stdout=subprocess.PIPE).stdout)
    except (OSError, subprocess.CalledProcessError):
        return 1_700_000_000


def version() -> str:
    """Return the app's version without importing it."""
    found = re.search(
        r'^__version__ = "(.+)"$', (CLONE / "toolnote_desktop/__init__.py").read_text("utf-8"), re.MULTILINE
    )
    assert found is not None
    return found[1]


def facts(folder: Path) -> Path:
    """Write the facts that only a build knows of itself, `build/` among its resources, and return their folder."""
    folder.mkdir(parents=True)
    notices.main(folder / "third-party-notices.txt")
    shutil.copy(CLONE / "LICENSE", folder / "licence.txt")
    _, heading, changes = (CLONE / "CHANGELOG.md").read_text(encoding="utf-8").partition("## ")
    (folder / "changelog.md").write_text(heading + changes, encoding="utf-8")
    # Who brings its updates: packages.py and the installers' scripts put another word there.
    (folder / "channel").write_text("folder\n", encoding="utf-8")
    return folder


def looks(folder: Path) -> Path:
    """Write the icons and the version resource that Windows and macOS show, and return their folder."""
    icon_files.main(folder)
    version_resource.write(version(), folder / "version.txt")
    return folder


def strip(built: Path) -> None:
    """Remove debug symbols from libraries, and from Python's the path that it was built for (Linux).

    Python as it was built here and most wheels have symbols; the path may be another user's on another machine.
    """
    if not sys.platform.startswith("linux"):
        return
    inside = built / "_internal"
    libraries = [path for path in inside.rglob("*.so*") if path.is_file() and not path.is_symlink()]
    of_python = [path for path in libraries if "lib-dynload" in path.parts or path.name.startswith("libpython")]
    subprocess.run(["patchelf", "--remove-rpath", *map(str, of_python)], check=True)
    subprocess.run(["strip", "--strip-unneeded", *map(str, libraries)], check=True)
    for path in libraries:
        path.chmod(0o644)  # read, never run


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        sys.exit(print(version()))
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve()))
