"""Corrupt files that were set aside as ``NAME.bad-<time>`` (docs/contract.md 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from toolnote_desktop.paths import Home

_BAD: Final = re.compile(r"(?P<name>.+)\.bad-(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d+Z)(?:-\d+)?")


class QuarantinedFile(Struct, frozen=True):
    """Corrupt file that was set aside.

    Attributes:
        name: its original name in the home folder, such as ``toolsets/work.json``.
        kept: its path now.
        backup: the state that replaced it, if it still exists; None: removed, or there was none.
    """

    name: str
    kept: Path
    backup: Path | None


def quarantined_files(home: Home) -> Iterator[QuarantinedFile]:
    """Return all of them, by name.

    Raises:
        OSError: a folder cannot be read.
    """
    for folder in (home.root, home.toolsets):
        for kept in sorted(folder.iterdir()) if folder.is_dir() else ():
            found = _BAD.fullmatch(kept.name)
            if found is not None and kept.is_file():
                name = (folder / found["name"]).relative_to(home.root).as_posix()
                yield QuarantinedFile(name, kept, _newest_before(home.backups / name, found["time"]))


def _newest_before(folder: Path, time: str) -> Path | None:
    """Return the newest backup that existed at a time; both are named by their times."""
    states = [path for path in folder.glob("*.json") if path.stem <= time] if folder.is_dir() else []
    return max(states, key=lambda path: path.stem, default=None)
