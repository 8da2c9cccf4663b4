"""Settings of the disk image, which dmgbuild reads by name: the app and, to drag it onto, the Applications folder."""

import os

application = defines["app"]  # type: ignore[name-defined]  # noqa: F821 - dmgbuild gives it
format = "ULFO"
filesystem = "HFS+"
files = [application]
symlinks = {"Applications": "/Applications"}
icon_locations = {os.path.basename(application): (140, 120), "Applications": (420, 120)}
window_rect = ((200, 200), (560, 320))
icon_size = 96
