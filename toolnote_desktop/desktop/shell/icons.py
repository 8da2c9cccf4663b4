"""Icons of the app and the tray, from images drawn for each size."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QIcon

from toolnote_desktop import assets


def app_icon() -> QIcon:
    """Return the coloured icon of the app and its windows.

    On Linux without the largest images: with X11 all go to the window manager when a window is shown, which is
    8 ms of the 12 that showing an empty one takes, and lists of windows show none larger than 128 pixels.
    """
    return _load_images("app", largest=128 if sys.platform.startswith("linux") else None)


def tray_icon() -> QIcon:
    """Return the monochrome tray icon, dark on a light desktop and light on a dark one.

    On macOS it is a template image, which the menu bar itself colours (also on a dark wallpaper, and when pressed).
    """
    if sys.platform == "darwin":
        icon = _load_images("tray-dark")
        icon.setIsMask(True)
        return icon
    is_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return _load_images("tray-light" if is_dark else "tray-dark")


def _load_images(name: str, *, largest: int | None = None) -> QIcon:
    """Return an icon of the images up to ``largest`` pixels; None: of any size."""
    icon = QIcon()
    for image in sorted(assets.path("icons").glob(f"{name}-*.png")):
        if largest is None or int(image.stem.rpartition("-")[2]) <= largest:
            icon.addFile(str(image))
    return icon
