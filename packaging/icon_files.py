"""Write the app's icon files for Windows and macOS, all sizes in one, from the PNG files in resources/icons.

    python packaging/icon_files.py FOLDER    gives FOLDER/toolnote.ico and FOLDER/toolnote.icns

Both formats hold whole PNG files behind a small table, so that no library for pictures is needed.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

ICONS = Path(__file__).resolve().parent.parent / "resources" / "icons"

ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)

# Apple's name of each size: once as itself, once as half of it on a screen of twice the density.
ICNS_TYPES = {
    "icp4": 16, "ic11": 32, "icp5": 32, "ic12": 64, "ic07": 128, "ic13": 256, "ic08": 256, "ic14": 512, "ic09": 512,
}  # fmt: skip


def main(folder: Path) -> None:
    """Write both files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "toolnote.ico").write_bytes(ico())
    (folder / "toolnote.icns").write_bytes(icns())


def picture(size: int) -> bytes:
    """Return the PNG file of that size."""
    return (ICONS / f"app-{size}.png").read_bytes()


def ico() -> bytes:
    """Return a Windows icon: a directory of 16 bytes an image, with 0 for 256 pixels, and the images."""
    table, pictures = b"", b""
    offset = 6 + 16 * len(ICO_SIZES)
    for size in ICO_SIZES:
        data = picture(size)
        table += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), offset + len(pictures))
        pictures += data
    return struct.pack("<HHH", 0, 1, len(ICO_SIZES)) + table + pictures


def icns() -> bytes:
    """Return a macOS icon: images one after the other, behind their names and lengths."""
    parts = b"".join(
        kind.encode() + struct.pack(">I", 8 + len(picture(size))) + picture(size) for kind, size in ICNS_TYPES.items()
    )
    return b"icns" + struct.pack(">I", 8 + len(parts)) + parts


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
