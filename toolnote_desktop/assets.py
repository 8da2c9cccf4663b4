"""Resource files of the app: icons, styles, the demo library.

In a checkout they are in ``resources/`` beside the package; an installed wheel (hatchling's force-include) and a frozen
build (PyInstaller's datas) contain them in the package, as ``_resources``.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder() -> Path:
    """Return the folder of all resources."""
    inside = _PACKAGE / "_resources"
    return inside if inside.is_dir() else _PACKAGE.parent / "resources"


def path(name: str) -> Path:
    """Return the path of the file or folder ``name``, a path below ``resources/`` with ``/`` on all systems.

    Raises:
        FileNotFoundError: it does not exist; the installation is incomplete.
    """
    found = folder() / name
    if not found.exists():
        raise FileNotFoundError(f"{found} is missing: Toolnote is not installed completely")
    return found
