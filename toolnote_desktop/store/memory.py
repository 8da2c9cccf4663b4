"""State of the library in memory: documents on disk, edits to write, and their snapshot.

``base`` is a document as it is on disk, ``pending`` the edits not written yet, ``raw`` both together. No method touches
a file. All are called with the library's mutex held and take microseconds to a few milliseconds.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.model.clients import is_lost
from toolnote_desktop.model.edits import (
    CATALOG,
    CLIENTS,
    NOTES,
    SERVERS,
    SETTINGS,
    TOOLS,
    DocumentId,
    DocumentKind,
    Edit,
    apply_edits,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import Server, ServerOptions
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import built_in_names, built_in_prefix
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.tools.catalogue_document import load_catalogue
from toolnote_desktop.model.toolsets.tool_settings import with_kept_decisions
from toolnote_desktop.store.disk import DiskState
from toolnote_desktop.store.documents import fault_in
from toolnote_desktop.store.parsed_views import ParsedViews

_KEPT_PROBLEMS: Final = 20

Raws = dict[DocumentId, JsonObject | None]


class Submission:
    """Edits that were submitted together; ``saved`` is done when the part of each document was written, or failed."""

    def __init__(self, parts: int) -> None:
        self.saved: Future[None] = Future()
        self.saved.set_running_or_notify_cancel()  # no waiting caller can cancel the write
        self._left = parts

    def finish_part(self, error: ToolnoteError | None = None) -> None:
        """Finish the part of one document. Called without the mutex, since it may run callbacks of ``saved``."""
        self._left -= 1
        if error is not None:
            self.fail(error)
        elif self._left == 0 and not self.saved.done():
            self.saved.set_result(None)

    def fail(self, error: ToolnoteError) -> None:
        """Fail with an error; the first one counts."""
        if not self.saved.done():
            self.saved.set_exception(error)


class Part(Struct, frozen=True, eq=False):
    """Edits of one submission to one document, and the time for a toolset's ``lastModified``."""

    submission: Submission
    edits: tuple[Edit, ...]
    moment: str

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, list[Edit]]:
        """Return the document with these edits, and the inverse of each, in their order.

        Raises:
            ToolnoteError: one of them does not fit; none is applied then.
        """
        raw, inverse = apply_edits(self.edits, raw)
        if raw is not None and self.edits[0].document.kind is DocumentKind.TOOLSET:
            raw = {**raw, "lastModified": self.moment}
        return raw, inverse


class MemoryDocument(Struct):
    """Document in memory."""

    base: DiskState
    raw: JsonObject | None
    pending: list[Part] = field(default_factory=list)
    set_aside: tuple[Problem, ...] = ()
    trouble: Problem | None = None
    """Reason why the file cannot be read or written at the moment."""


class LostEdits(Struct, frozen=True):
    """Edits that do not fit the document as another program changed it on disk."""

    part: Part
    error: ToolnoteError


class MemoryState:
    """Documents and the newest snapshot."""

    def __init__(self, states: dict[DocumentId, MemoryDocument]) -> None:
        self._held = states
        self._views = ParsedViews()
        self._misnamed: tuple[Problem, ...] = ()
        self._lost: deque[Problem] = deque(maxlen=_KEPT_PROBLEMS)
        self._catalogue: Catalogue | None = None  # set by the registry
        self._stored: tuple[tuple[object, ...], Catalogue] | None = None
        self._decided: tuple[object, Mapping[str, ServerOptions], Mapping[str, Server]] | None = None
        self.snapshot = self._build(0)

    def raw(self, document: DocumentId) -> JsonObject | None:
        """Return the document in memory."""
        held = self._held.get(document)
        return held.raw if held is not None else None

    def documents(self) -> tuple[DocumentId, ...]:
        """Return all documents in memory."""
        return tuple(self._held)

    def documents_to_write(self) -> tuple[DocumentId, ...]:
        """Return the documents with edits to write."""
        return tuple(document for document, held in self._held.items() if held.pending)

    def trouble(self, document: DocumentId) -> Problem | None:
        """Return the reason why a file cannot be read or written at the moment."""
        return self._held[document].trouble

    def known(self, document: DocumentId) -> DiskState | None:
        """Return the document as last seen on disk; None if it never was."""
        held = self._held.get(document)
        return held.base if held is not None else None

    def pending(self, document: DocumentId) -> tuple[tuple[Part, ...], JsonObject | None]:
        """Return the edits to write, and the document on disk with these edits."""
        held = self._held.get(document)
        return (tuple(held.pending), held.raw) if held is not None else ((), None)

    def submit(self, parts: dict[DocumentId, Part], edits: Sequence[Edit], moment: str) -> tuple[Edit, ...]:
        """Apply edits to memory, all or none, and schedule them for writing.

        Returns:
            Edits that undo them, in the order to submit.

        Raises:
            ToolnoteError: an edit does not fit, or a document could not be read again; nothing is changed.
        """
        raws: Raws = {}
        inverse: list[Edit] = []
        for document, run in itertools.groupby(edits, lambda edit: edit.document):
            before = raws[document] if document in raws else self.raw(document)
            raws[document], back = apply_edits(run, before)
            inverse += back
        for document, raw in raws.items():
            if raw is not None and (fault := fault_in(document, raw)):
                raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(document), reason=fault)
        for document, raw in raws.items():
            held = self._hold(document)
            held.raw = raw
            if raw is not None and document.kind is DocumentKind.TOOLSET:
                held.raw = {**raw, "lastModified": moment}
            held.pending.append(parts[document])
        self.snapshot = self._build(self.snapshot.revision + 1)
        return tuple(reversed(inverse))

    def settle(
        self, document: DocumentId, base: DiskState, written: int, *, changed: bool, lost: Iterable[LostEdits] = ()
    ) -> list[LostEdits]:
        """Record that the document on disk is ``base``, with the first ``written`` pending edits in it or in ``lost``.

        Args:
            changed: another program changed the document, so memory must be updated.

        Returns:
            ``lost``, and the later edits that do not fit ``base``.
        """
        held = self._hold(document)
        all_lost = list(lost)
        del held.pending[:written]
        if changed:
            raw, left = base.raw, []
            for part in held.pending:
                try:
                    raw, _ = part.apply(raw)
                    left.append(part)
                except ToolnoteError as error:
                    all_lost.append(LostEdits(part, no_longer_fits(document, error)))
            held.raw, held.pending = raw, left
        held.base = base
        held.trouble = None
        self._lost.extend(one.error.problem for one in all_lost)
        self._refresh()
        return all_lost

    def record_problem(self, document: DocumentId, problem: Problem) -> None:
        """Record that the file cannot be read or written now; memory stays unchanged."""
        held = self._hold(document)
        held.trouble = problem
        self._refresh()

    def set_misnamed(self, names: Iterable[str]) -> None:
        """Set the files among the toolsets whose names are invalid: they are reported and not touched."""
        self._misnamed = tuple(Problem(Code.TOOLSET_NAME_INVALID, {"name": name}) for name in names)
        self._refresh()

    def record_quarantined(self, document: DocumentId, problem: Problem) -> None:
        """Record a corrupt file that was set aside; it is reported until the library is closed."""
        held = self._hold(document)
        held.set_aside = (*held.set_aside, problem)
        self._refresh()

    def publish_catalogue(self, catalogue: Catalogue) -> None:
        """Set the registry's catalogue, which replaces the stored one."""
        self._catalogue = catalogue
        self._stored = None  # it is read until the registry has its own
        self.snapshot = replace(self.snapshot, revision=self.snapshot.revision + 1, catalogue=catalogue)

    def _hold(self, document: DocumentId) -> MemoryDocument:
        if document not in self._held:
            self._held[document] = MemoryDocument(DiskState(), None)
        return self._held[document]

    def _refresh(self) -> None:
        """Create a new snapshot if any part of it changed."""
        built = self._build(self.snapshot.revision + 1)
        if not _same(built, self.snapshot):
            self.snapshot = built

    def _build(self, revision: int) -> Snapshot:
        views = {document: self._views.view(document, held.raw) for document, held in self._held.items()}
        toolsets = {
            str(document.name): views[document].model
            for document, held in self._held.items()
            if document.kind is DocumentKind.TOOLSET and held.raw is not None
        }
        servers, settings = self._servers(views[SERVERS].model, views[TOOLS].model.sources), views[SETTINGS].model
        return Snapshot(
            revision=revision,
            servers=servers,
            toolsets=dict(sorted(toolsets.items())),
            settings=settings,
            clients=views[CLIENTS].model,
            notes=views[NOTES].model,
            tool_settings=views[TOOLS].model,
            catalogue=self._catalogue or self._stored_catalogue(servers, settings.tool_prefix, views[TOOLS].model),
            problems=tuple(self._problems(views)),
            catalogue_lost=is_lost(self.raw(CATALOG) or {}),
            servers_lost=is_lost(self.raw(SERVERS) or {}),
        )

    def _servers(self, parsed: Mapping[str, Server], sources: Mapping[str, ServerOptions]) -> Mapping[str, Server]:
        """Return the servers with the decisions kept of earlier entries; the same object for the same of both."""
        if not sources:
            return parsed
        if self._decided is None or self._decided[0] is not parsed or self._decided[1] != sources:
            self._decided = (parsed, sources, with_kept_decisions(parsed, self.raw(SERVERS), sources))
        return self._decided[2]

    def _stored_catalogue(self, servers: Any, tool_prefix: str, tools: Any) -> Catalogue:
        raw = self.raw(CATALOG)
        prefix = built_in_prefix(tool_prefix, os.environ.get("MCP_TOOL_PREFIX"))
        known = self._stored
        made_of = (id(raw), id(servers), id(tools), prefix)
        if known is None or known[0][0] != made_of:
            catalogue = load_catalogue(
                raw, servers, built_in_names(prefix), tools.review_decision, tools.prompt_decision
            )
            known = self._stored = ((made_of, raw, servers, tools), catalogue)  # held, so that no id is reused
        return known[1]

    def _problems(self, views: Any) -> Iterable[Problem]:
        for document, held in self._held.items():
            yield from held.set_aside
            yield from held.base.problems
            if held.trouble is not None:
                yield held.trouble
            yield from views[document].problems
        yield from self._misnamed
        yield from self._lost


def _same(one: Snapshot, other: Snapshot) -> bool:
    # By identity: a document is parsed again only if it was replaced.
    return (
        one.servers is other.servers
        and one.settings is other.settings
        and one.clients is other.clients
        and one.notes is other.notes
        and one.tool_settings is other.tool_settings
        and one.catalogue is other.catalogue
        and list(map(id, one.toolsets.values())) == list(map(id, other.toolsets.values()))
        and one.problems == other.problems
        and (one.catalogue_lost, one.servers_lost) == (other.catalogue_lost, other.servers_lost)
    )


def no_longer_fits(document: DocumentId, error: ToolnoteError) -> ToolnoteError:
    """Return the error of an edit that fitted memory but does not fit the file as changed by another program."""
    about = ", ".join(error.problem.parameters.values())
    what = f"{document}: {about}" if about and about != str(document) else str(document)
    wrapped = ToolnoteError(Code.EDIT_NO_LONGER_FITS, what=what, because=str(error.problem.code))
    wrapped.__cause__ = error
    return wrapped
