"""Marker file that exists while the window starts: the only trace of a start that was killed or aborted.

Only the owner of the home reads and writes it, so a marker that is found was left by a process that has ended. It is
valid within one boot of the computer, because a power cut is not the app's fault, and for the version that wrote it,
because a newer one may be fixed. One killed start is no evidence (an impatient user, or memory pressure); two in a row
are, and so is one fault of the interpreter itself.
"""

from __future__ import annotations

import logging
import time
from typing import NamedTuple

from toolnote_desktop import __version__
from toolnote_desktop.model import json_text
from toolnote_desktop.paths import Home, read_json
from toolnote_desktop.store.documents import reason_of
from toolnote_desktop.system.atomic_file import write_file

log = logging.getLogger(__name__)

_BY_CHANCE = 2
"""Number of killed starts in a row that is no coincidence."""


class _Left(NamedTuple):
    unfinished: int
    faults: int
    """Size of the fault log when the last of them began."""


class CrashMarker:
    """Crash marker of a home that this process owns."""

    def __init__(self, home: Home) -> None:
        self._file = home.run / "starting.json"
        self._faults = home.faults

    def indicates_crash(self) -> bool:
        """Return True if the last start failed in the interpreter, or the last two ended prematurely."""
        left = self._left()
        return left is not None and (left.unfinished >= _BY_CHANCE or self._size_of_faults() > left.faults)

    def write(self) -> None:
        """Write the marker. If that fails, a crash of this start will not be detected."""
        left = self._left()
        content = {
            "at": time.time(),
            "version": __version__,
            "unfinished": 1 + (left.unfinished if left is not None else 0),
            "faults": self._size_of_faults(),
        }
        try:
            write_file(self._file, json_text.dumps_pretty(content), durable=False, follow_links=False)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._file, reason_of(error))

    def _left(self) -> _Left | None:
        """Return the traces of unfinished starts; None: none that counts."""
        try:
            content = read_json(self._file)
            began, version = float(content["at"]), content["version"]
            left = _Left(int(content["unfinished"]), int(content["faults"]))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError) as error:
            log.warning("%s cannot be read: %s", self._file, type(error).__name__)
            return None
        import psutil  # only after an unfinished start: this takes a twentieth of the time to the first paint

        return left if version == __version__ and began >= psutil.boot_time() else None

    def _size_of_faults(self) -> int:
        try:
            return self._faults.stat().st_size
        except OSError:  # missing so far
            return 0

    def clear(self) -> None:
        """Remove the marker: the start is complete, or its failure was reported. Can be called repeatedly."""
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s cannot be removed: %s", self._file, reason_of(error))
