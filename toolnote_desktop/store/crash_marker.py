"""A mark that stands while the window starts: a start that was killed or aborted leaves no exception, only that.

It is read and written by the owner of the home alone, so one that is found was left by a process that has ended: a
second start at the same time is no owner. It counts within one run of the computer, because a power cut says nothing of
the app, and for the version that left it, because a newer one may have mended what ended it. One start that was killed
says nothing either (somebody was impatient, or short of memory); two in a row do, and so does one in which the
interpreter itself failed.
"""

from __future__ import annotations

import json
import logging
import time
from typing import NamedTuple

from toolnote_desktop import __version__
from toolnote_desktop.model import json_text
from toolnote_desktop.paths import Home
from toolnote_desktop.store.documents import reason_of
from toolnote_desktop.system.atomic_file import write_file

log = logging.getLogger(__name__)

_BY_CHANCE = 2
"""So many starts in a row are not killed by chance."""


class _Left(NamedTuple):
    unfinished: int
    faults: int
    """The size of the file of faults as the last of them began."""


class CrashMarker:
    """The mark of a home that this process owns."""

    def __init__(self, home: Home) -> None:
        self._file = home.run / "starting.json"
        self._faults = home.faults

    def tells_of_trouble(self) -> bool:
        """Whether the last start failed in the interpreter, or the last two ended before they were through."""
        left = self._left()
        return left is not None and (left.unfinished >= _BY_CHANCE or self._size_of_faults() > left.faults)

    def put(self) -> None:
        """A start begins. Where that cannot be written, its end will not be noticed."""
        left = self._left()
        told = {
            "at": time.time(),
            "version": __version__,
            "unfinished": 1 + (left.unfinished if left is not None else 0),
            "faults": self._size_of_faults(),
        }
        try:
            write_file(self._file, json_text.dumps_pretty(told), durable=False)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._file, reason_of(error))

    def _left(self) -> _Left | None:
        """What starts that were not through have left; None: nothing that counts."""
        try:
            told = json.loads(self._file.read_bytes())
            began, version = float(told["at"]), told["version"]
            left = _Left(int(told["unfinished"]), int(told["faults"]))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError) as error:
            log.warning("%s is not looked at: %s", self._file, type(error).__name__)
            return None
        import psutil  # only where a start was not through: it takes a twentieth of the time to the first picture

        return left if version == __version__ and began >= psutil.boot_time() else None

    def _size_of_faults(self) -> int:
        try:
            return self._faults.stat().st_size
        except OSError:  # there was none yet
            return 0

    def take_away(self) -> None:
        """The start is through, or its end was told. Taking it away twice is allowed."""
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s cannot be removed: %s", self._file, reason_of(error))
