"""Work that takes long, in one list: what is done, how far it is, and how it is canceled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct
from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot


class Work(Struct, eq=False):
    """Work in progress.

    Attributes:
        cancel: stops it; None if it cannot be stopped.
        done, total: how far it is; ``total`` 0 if that is not known.
    """

    title: str
    cancel: Callable[[], object] | None = None
    done: int = 0
    total: int = 0

    @property
    def words(self) -> str:
        """Title, and the share that is done where it is known."""
        if not self.total:
            return self.title
        text = translate("work", "{title} {percent} %")
        return text.format(title=self.title, percent=min(100, 100 * self.done // self.total))


class WorkList(QObject):
    """List of all work in progress of the window.

    Signals:
        changed: something has begun, gone on or finished.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._begun: list[Work] = []
        self._sources: dict[str, Work] = {}

    @property
    def items(self) -> tuple[Work, ...]:
        """Work in progress: what the user began first, then sources that start."""
        return (*self._begun, *self._sources.values())

    def begin(self, title: str, cancel: Callable[[], object] | None = None) -> Work:
        """Add work that has begun."""
        work = Work(title, cancel)
        self._begun.append(work)
        self.changed.emit()
        return work

    def report(self, work: Work, done: int, total: int) -> None:
        """Record how far a work is."""
        before = work.words
        work.done, work.total = done, total
        if work.words != before:
            self.changed.emit()

    def finish(self, work: Work) -> None:
        """Remove work that has ended, in whatever way."""
        if work in self._begun:
            self._begun.remove(work)
            if isValid(self):  # work is cancelled with its window, too
                self.changed.emit()

    def show_sources(self, snapshot: Snapshot, turn_off: Callable[[str], object], *, runs: bool) -> None:
        """Follow the sources that start or download their program; canceling turns a source off."""
        texts: dict[str, str] = {}
        for server, listing in snapshot.catalogue.servers.items() if runs else ():
            if listing.status.state is ServerState.DOWNLOADING:
                texts[server] = translate("work", "Downloading {source}").format(source=messages.source_name(server))
            elif listing.status.state is ServerState.STARTING:
                texts[server] = translate("work", "Starting {source}").format(source=messages.source_name(server))
        if texts == {server: work.title for server, work in self._sources.items()}:
            return

        def canceling(server: str) -> Callable[[], object]:
            return lambda: turn_off(server)

        self._sources = {server: Work(text, canceling(server)) for server, text in texts.items()}
        self.changed.emit()


@contextmanager
def in_progress(work: WorkList | None, title: str, cancel: Callable[[], object] | None = None) -> Iterator[Work | None]:
    """Add work to a list, if there is one, for as long as the block takes."""
    one = work.begin(title, cancel) if work is not None else None
    try:
        yield one
    finally:
        if work is not None and one is not None:
            work.finish(one)
