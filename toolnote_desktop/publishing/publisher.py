"""Publishing of a toolset from a snapshot: the text for its reader, and the plan of what changes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect, choose_dialect
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.paths import Home, platform_config_folder
from toolnote_desktop.publishing.places import usual_place
from toolnote_desktop.publishing.plan import PublishPlan, Wanted, plan_publish, plan_remove
from toolnote_desktop.publishing.records import Carrier, Publication, Records
from toolnote_desktop.publishing.text import carried_text
from toolnote_desktop.system.program import CONSOLE_PROGRAM


class CarrierState(Struct, frozen=True):
    """Carrier of one assistant.

    Attributes:
        is_on: it is published there.
        problem: why it is not up to date.
        is_usual: the place that the assistant reads for all projects.
    """

    publication: Publication
    is_on: bool = False
    problem: Problem | None = None
    is_usual: bool = True


class Publisher:
    """Publishing in one home."""

    def __init__(self, home: Home, dialects: Mapping[str, Dialect], command: Sequence[str]) -> None:
        self._home = home
        self._dialects = dialects
        self._command = tuple(command)
        found = shutil.which(CONSOLE_PROGRAM)
        self._on_path = found is not None and os.path.realpath(found) == os.path.realpath(command[0])

    def plan(self, snapshot: Snapshot, publication: Publication) -> PublishPlan:
        """Plan the writing of a publication.

        Raises:
            ToolnoteError: ``toolset-not-found``; as ``plan.plan_publish``.
        """
        toolset = snapshot.toolsets.get(publication.toolset)
        if toolset is None:
            raise ToolnoteError(Code.TOOLSET_NOT_FOUND, name=publication.toolset)
        return plan_publish(publication, self._wanted(snapshot, toolset, publication), self._home)

    def plan_removal(self, snapshot: Snapshot, publication: Publication) -> PublishPlan:
        """Plan the removal of a publication, also of a toolset that is gone.

        Raises:
            ToolnoteError: as ``plan.plan_remove``.
        """
        toolset = snapshot.toolsets.get(publication.toolset) or Toolset(publication.toolset, publication.toolset)
        return plan_remove(publication, self._wanted(snapshot, toolset, publication), self._home)

    def states(
        self, snapshot: Snapshot, client: str, toolset: str | None, environment: Environment
    ) -> tuple[CarrierState, ...]:
        """Return the carriers of an assistant: those at its usual places, then others that were published for it."""
        held = [one.publication for one in Records(self._home).all() if one.publication.client == client]
        found: dict[Publication, bool] = {}
        for carrier in Carrier:
            path = usual_place(environment, client, carrier, toolset or "", self._home)
            if path is None:
                continue
            found.update((one, True) for one in held if Path(one.path) == path and one.carrier is carrier)
            if toolset is not None:
                found[Publication(carrier, str(path), toolset, client)] = True
        found.update((one, False) for one in held if one not in found)
        return tuple(
            self.state(snapshot, one, is_usual=usual) if one in held else CarrierState(one, is_usual=usual)
            for one, usual in found.items()
        )

    def state(self, snapshot: Snapshot, publication: Publication, *, is_usual: bool = False) -> CarrierState:
        """Return the state of something that was published."""
        try:
            plan = self.plan(snapshot, publication)
        except ToolnoteError as error:
            return CarrierState(publication, True, error.problem, is_usual)
        edited = next((note for note in plan.notes if note.code is Code.CARRIER_EDITED), None)
        return CarrierState(publication, not plan.is_gone, edited, is_usual)

    def _wanted(self, snapshot: Snapshot, toolset: Toolset, publication: Publication) -> Wanted:
        client = publication.client
        entry = snapshot.clients.get(client) if client is not None else None
        dialect = choose_dialect(self._dialects, entry, (), client)
        words = [*self._command, "bridge", *(["--client", client] if client is not None else [])]
        if str(self._home.root) != platform_config_folder():
            words += ["--home", str(self._home.root)]
        bridge = (*words, "--toolset", toolset.name)
        return Wanted(carried_text(snapshot, toolset, dialect), bridge, self._on_path, self._home.plugins)
