"""Packages of the operating system that Qt and the tests need. Standard library only."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from console import SetupError, say

# Packages of Debian and Ubuntu: for Qt's libraries, its plugin for X11, and one font.
QT_PACKAGES = [
    "fonts-dejavu-core", "libdbus-1-3", "libegl1", "libfontconfig1", "libfreetype6", "libgl1", "libglib2.0-0",
    "libx11-xcb1", "libxcb-cursor0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1", "libxcb-randr0",
    "libxcb-render-util0", "libxcb-shape0", "libxcb-shm0", "libxcb-sync1", "libxcb-xfixes0", "libxcb-xinerama0",
    "libxcb-xkb1", "libxkbcommon-x11-0", "libxkbcommon0",
]  # fmt: skip

PROGRAM_PACKAGES = {
    "git": "git",
    "Xvfb": "xvfb",
    "objdump": "binutils",
    "dbus-daemon": "dbus",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
    "gnome-keyring-daemon": "gnome-keyring",
    "strip": "binutils",
    "patchelf": "patchelf",
    "debootstrap": "debootstrap",
    "lintian": "lintian",
    "desktop-file-validate": "desktop-file-utils",
    "appstreamcli": "appstream",
    "rpm": "rpm",
    "openbox": "openbox",
}

FOR_TESTS = ("git", "Xvfb", "dbus-daemon", "gnome-keyring-daemon", "/usr/libexec/at-spi-bus-launcher")

# Status 0 if a window can be made, Qt's plugin for X11 can be loaded (Linux), and a font is there.
QT_CHECK = """
import ctypes, pathlib, sys
import PySide6
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication
application = QApplication([])
if sys.platform.startswith("linux"):
    plugin = pathlib.Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"
    ctypes.CDLL(str(plugin))
    if not QFontDatabase.families():
        sys.exit("no fonts")
"""


def make_qt_work(python: str, fonts: str = "") -> None:
    """Check that this Python can use Qt, with the fonts of a fontconfig file, and install what it lacks."""
    problem = qt_problem(python, fonts)
    if problem:
        say(f"Qt does not work yet: {problem}")
        install(QT_PACKAGES)
        problem = qt_problem(python, fonts)
    if problem:
        raise SetupError(f"Qt does not work: {problem}")


def qt_problem(python: str, fonts: str = "") -> str:
    """Return the last line that Qt's failure printed; empty if it works."""
    variables = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    if fonts:
        variables["FONTCONFIG_FILE"] = fonts
    command = [python, "-c", QT_CHECK]
    done = subprocess.run(
        command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False
    )
    lines = done.stdout.decode(errors="replace").strip().splitlines() or [f"status {done.returncode}"]
    return lines[-1] if done.returncode else ""


# Status 0 if Python's shared library can be loaded, which a frozen build includes.
LINK_CHECK = """
import ctypes, sys, sysconfig
if sys.platform.startswith("linux"):
    ctypes.CDLL(sysconfig.get_config_var("INSTSONAME"))
"""


def make_python_linkable(python: str, version: str) -> None:
    """Check that this Python has its shared library, and install it where Debian left it out."""
    if subprocess.call([python, "-c", LINK_CHECK], stderr=subprocess.DEVNULL) != 0:
        install([f"libpython{version}"])
        if subprocess.call([python, "-c", LINK_CHECK]) != 0:
            raise SetupError(f"{python} was built without its shared library: no frozen build can be made of it")


def missing_programs(programs: list[str]) -> list[str]:
    """Return the packages of those programs that are not on the PATH."""
    if not sys.platform.startswith("linux"):
        return []
    return sorted({PROGRAM_PACKAGES[program] for program in programs if shutil.which(program) is None})


def install(packages: list[str]) -> None:
    """Install packages as root on Debian or Ubuntu; else raise SetupError with the command to run."""
    if not packages:
        return
    if not shutil.which("apt-get"):
        raise SetupError("system packages are missing; on Debian and Ubuntu they are called: " + " ".join(packages))
    if not is_root():
        raise SetupError("please run: sudo apt-get install --no-install-recommends " + " ".join(packages))
    say("apt-get install " + " ".join(packages))
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        subprocess.run(["apt-get", "-qq", *command], env=variables, check=True, stdout=subprocess.DEVNULL)


def is_root() -> bool:
    """Return True if this process may install packages."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
