"""A mark that stands while the window starts: a start that was killed or aborted leaves no exception, only that.

It is read and written by the owner of the home alone, so one that is found was left by a process that has ended: a
second start at the same time is no owner. It counts within one run of the computer, because a power cut says nothing of
the app, and for the version that left it, because a newer one may have mended what ended it.
"""

from __future__ import annotations

import json
import logging

import psutil

from toolnote_desktop import __version__
from toolnote_desktop.model import jsontext
from toolnote_desktop.paths import Home
from toolnote_desktop.store.documents import reason_of, write_file

log = logging.getLogger(__name__)

_SAME_BOOT_SECONDS = 30.0
"""By how much the time that the computer was started at may be told differently, when its clock is set meanwhile."""


class StartMark:
    """The mark of a home that this process owns."""

    def __init__(self, home: Home) -> None:
        self._file = home.run / "starting.json"

    def is_left(self) -> bool:
        """Whether an earlier start ended before it was through."""
        try:
            told = json.loads(self._file.read_bytes())
            booted, version = float(told["bootTime"]), told["version"]
        except FileNotFoundError:
            return False
        except (OSError, ValueError, TypeError, KeyError) as error:
            log.warning("%s is not looked at: %s", self._file, type(error).__name__)
            return False
        return version == __version__ and abs(booted - psutil.boot_time()) < _SAME_BOOT_SECONDS

    def put(self) -> None:
        """A start begins. Where that cannot be written, its end will not be noticed."""
        told = {"bootTime": psutil.boot_time(), "version": __version__}
        try:
            write_file(self._file, jsontext.dumps_pretty(told), durable=False)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._file, reason_of(error))

    def take_away(self) -> None:
        """The start is through, or its end was told. Taking it away twice is allowed."""
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s cannot be removed: %s", self._file, reason_of(error))
