"""Hold the program's file open, first in a frozen build: an upgrade may replace it while it runs.

PyInstaller reads a module out of the program's file when it is imported, by the file's name. Once a package manager has
put another version there, each late import would read rubbish. On Linux the file that we were started from is held
open, and read by that: it stays whole until we end.
"""

import os
import sys

import pyimod02_importers  # type: ignore[import-not-found]  # there in a frozen build alone

if sys.platform.startswith("linux"):
    held = os.open(pyimod02_importers.pyz_archive._filename, os.O_RDONLY | os.O_CLOEXEC)
    pyimod02_importers.pyz_archive._filename = f"/proc/self/fd/{held}"
