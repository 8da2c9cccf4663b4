"""Publications kept up to date while the app runs: after a change of notes or tools their text is written anew.

Own thread, so that neither the window nor the proxy waits for a disk. What the user has removed, or changed between the
marks, is left alone and logged.
"""

from __future__ import annotations

import logging
import operator
import threading
from typing import TYPE_CHECKING, Final

from toolnote_desktop.error_messages import english
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.store import bundled_files
from toolnote_desktop.store.library import Change, Library
from toolnote_desktop.system.program import toolnote_command

if TYPE_CHECKING:  # imported with the first publication
    from toolnote_desktop.publishing.publisher import Publisher
    from toolnote_desktop.publishing.records import Record

QUIET_SECONDS: Final = 1.0
"""Time without a change before files are written: a note that is being typed is saved often."""

logger = logging.getLogger(__name__)


class PublicationKeeper:
    """Keeper of the publications of one home; used by the process that owns it."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._changed = threading.Event()
        self._stopped = threading.Event()
        self._reported: dict[str, str] = {}  # file or toolset -> text of the last problem with it
        self._seen: tuple[object, ...] = ()
        self._thread = threading.Thread(target=self._run, name="publications", daemon=True)
        self._unsubscribe = library.subscribe(self._note)

    def start(self) -> None:
        """Start, with a first look at all publications."""
        self._changed.set()
        self._thread.start()

    def stop(self, timeout: float = 1.0) -> None:
        """Stop; a write that is under way is finished."""
        self._unsubscribe()
        self._stopped.set()
        self._changed.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _note(self, change: Change) -> None:
        del change
        self._changed.set()

    def _run(self) -> None:
        publisher: Publisher | None = None
        while True:
            self._changed.wait()
            while self._changed.is_set() and not self._stopped.is_set():
                self._changed.clear()
                self._stopped.wait(QUIET_SECONDS)
            if self._stopped.is_set():
                return
            snapshot = self._library.snapshot
            names = ("toolsets", "notes", "tool_settings", "catalogue", "servers", "clients", "settings")
            parts = tuple(getattr(snapshot, name) for name in names)
            if len(parts) == len(self._seen) and all(map(operator.is_, parts, self._seen)):
                continue
            self._seen = parts
            home = self._library.home
            if not home.published.is_dir():
                continue
            from toolnote_desktop.publishing.publisher import Publisher
            from toolnote_desktop.publishing.records import Records

            for record in Records(home).all():
                publisher = publisher or Publisher(home, bundled_files.dialects(home), toolnote_command())
                self._refresh(publisher, snapshot, record)

    def _refresh(self, publisher: Publisher, snapshot: Snapshot, record: Record) -> None:
        from toolnote_desktop.publishing.plan import apply

        publication = record.publication
        try:
            plan = publisher.plan(snapshot, publication)
            if plan.changes and not plan.is_edited and not plan.is_gone:
                apply(plan, self._library.home)
                logger.info("brought the %s of %s up to date", publication.carrier, publication.toolset)
            self._reported.pop(publication.path, None)
        except ToolnoteError as error:
            text = english(error.problem)
            if self._reported.get(publication.path) != text:
                self._reported[publication.path] = text
                logger.warning("the %s of %s is not up to date: %s", publication.carrier, publication.toolset, text)
        except Exception:  # the boundary of the thread: the other publications go on
            logger.exception("the %s of %s is not up to date", publication.carrier, publication.toolset)
