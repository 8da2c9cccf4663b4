"""Make an AppImage of a frozen build: `python packaging/linux/appimage.py FOLDER`, on the public CI only.

Needs `mksquashfs`, and in the variable APPIMAGE_RUNTIME the path of the AppImage project's run-time: the program in
front of the packed folder, which mounts it and starts AppRun. packaging/release.yml gets it and compares its hash.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from freeze import commit_time, version
from packages import ID, LINUX, copy_app, copy_desktop_files, machine


def main(folder: Path) -> int:
    """Make it and return the exit status."""
    with tempfile.TemporaryDirectory(prefix="toolnote-appimage-") as name:
        root = Path(name, "Toolnote.AppDir")
        copy_app(folder / "toolnote", root / "usr/lib/toolnote", "appimage")
        copy_desktop_files(root / "usr/share")
        shutil.copy(LINUX / "AppRun", root / "AppRun")
        shutil.copy(LINUX / f"{ID}.desktop", root / f"{ID}.desktop")
        shutil.copy(root / f"usr/share/icons/hicolor/256x256/apps/{ID}.png", root / f"{ID}.png")
        (root / ".DirIcon").symlink_to(f"{ID}.png")
        packed = Path(name, "content.squashfs")
        command = [
            "mksquashfs",
            str(root),
            str(packed),
            "-root-owned",
            "-noappend",
            "-no-xattrs",
            "-comp",
            "zstd",
            "-quiet",
        ]
        variables = {**os.environ, "SOURCE_DATE_EPOCH": str(commit_time())}
        subprocess.run([*command, "-all-time", str(commit_time())], env=variables, check=True)
        target = folder / f"Toolnote-{version()}-{machine()}.AppImage"
        target.write_bytes(Path(os.environ["APPIMAGE_RUNTIME"]).read_bytes() + packed.read_bytes())
        target.chmod(0o755)
    print(target)
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve()))
