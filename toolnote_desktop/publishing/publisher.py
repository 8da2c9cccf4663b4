"""Publishing of a toolset from a snapshot: the text for its reader, and the plan of what changes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence

from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect, choose_dialect
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.paths import Home, platform_config_folder
from toolnote_desktop.publishing.plan import PublishPlan, Wanted, plan_publish, plan_remove
from toolnote_desktop.publishing.records import Publication
from toolnote_desktop.publishing.text import carried_text
from toolnote_desktop.system.program import CONSOLE_PROGRAM


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

    def _wanted(self, snapshot: Snapshot, toolset: Toolset, publication: Publication) -> Wanted:
        client = publication.client
        entry = snapshot.clients.get(client) if client is not None else None
        dialect = choose_dialect(self._dialects, entry, (), client)
        words = [*self._command, "bridge", *(["--client", client] if client is not None else [])]
        if str(self._home.root) != platform_config_folder():
            words += ["--home", str(self._home.root)]
        bridge = (*words, "--toolset", toolset.name)
        return Wanted(carried_text(snapshot, toolset, dialect), bridge, self._on_path)
