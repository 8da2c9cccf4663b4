"""Files that come with the app and are no code: icons, styles, the demo library; and where they are.

In a checkout they are in ``resources/`` beside the package; an installed wheel (hatchling's force-include) and a frozen
build (PyInstaller's datas) have them inside the package, as ``_resources``.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder() -> Path:
    """The folder of all resources."""
    inside = _PACKAGE / "_resources"
    return inside if inside.is_dir() else _PACKAGE.parent / "resources"


def path(name: str) -> Path:
    """The file or folder called ``name``, a path below ``resources/`` with ``/`` on every system.

    Raises:
        FileNotFoundError: there is none; the app is not installed whole.
    """
    found = folder() / name
    if not found.exists():
        raise FileNotFoundError(f"{found} is missing: Toolnote is not installed completely")
    return found
