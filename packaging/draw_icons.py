"""Draw the PNG icons in resources/icons from the SVG ones: `.venv/bin/python packaging/draw_icons.py`.

The app reads the PNGs alone, so that it needs no SVG plugin, which desktops and frozen builds do not always have.
"""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ICONS = Path(__file__).resolve().parent.parent / "resources" / "icons"
TRAY_SIZES = (16, 22, 32, 44, 64)
SIZES = {"app": (16, 24, 32, 48, 64, 128, 256, 512), "tray-dark": TRAY_SIZES, "tray-light": TRAY_SIZES}
LIGHT, DARK = "#f4f6fa", "#1c2026"


def main() -> None:
    """Draw all icons in all sizes; the light tray icon is the dark one in the other colour."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication([])
    dark = (ICONS / "tray-dark.svg").read_text(encoding="utf-8")
    (ICONS / "tray-light.svg").write_text(dark.replace(DARK, LIGHT), encoding="utf-8")
    for name, sizes in SIZES.items():
        renderer = QSvgRenderer(str(ICONS / f"{name}.svg"))
        renderer.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
        for size in sizes:
            image = QImage(size, size, QImage.Format.Format_ARGB32)
            image.fill(Qt.GlobalColor.transparent)
            painter = QPainter(image)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            renderer.render(painter)
            painter.end()
            image.save(str(ICONS / f"{name}-{size}.png"))
    del application


if __name__ == "__main__":
    main()
