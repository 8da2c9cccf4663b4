"""Files that could not be read and were set aside as ``NAME.bad-<time>`` (docs/contract.md 2), as long as they lie there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from toolnote_desktop.paths import Home

_BAD: Final = re.compile(r"(?P<name>.+)\.bad-(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d+Z)(?:-\d+)?")


class QuarantinedFile(Struct, frozen=True):
    """One such file.

    Attributes:
        name: what it was called in the home folder, such as ``toolsets/work.json``.
        kept: where it lies.
        backup: the state that was used instead, where that is still kept; None: it is not, or there was none.
    """

    name: str
    kept: Path
    backup: Path | None


def files_set_aside(home: Home) -> Iterator[QuarantinedFile]:
    """All of them, by their names.

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
    """The newest backup that was there at a time; both are named by theirs."""
    states = [path for path in folder.glob("*.json") if path.stem <= time] if folder.is_dir() else []
    return max(states, key=lambda path: path.stem, default=None)
