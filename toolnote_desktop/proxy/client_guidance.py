"""Guidance for clients: the dialect of each caller, and the guides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolnote_desktop.guidance.guide import Guides
from toolnote_desktop.meaning.client import Meaning
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect, choose_dialect
from toolnote_desktop.model.toolsets.task_types import TaskType
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.experience import Experience
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.store import bundled_files

_MAX_NAMES: Final = 16
"""Maximum number of client names, and of versions, of one caller; a dialect is chosen by them."""


class ClientGuidance:
    """Dialects by caller, and guides. Task types of the home are read once, dialects anew when told."""

    def __init__(
        self,
        dialects: Mapping[str, Dialect],
        task_types: Mapping[str, TaskType],
        experience: Experience,
        meaning: Meaning | None = None,
    ) -> None:
        self.experience = experience
        self.task_types = task_types
        self.guides = Guides(task_types)
        self.meaning = meaning
        self._dialects = dialects
        self._home: Home | None = None
        self._names: dict[Principal, set[str]] = {}
        self._versions: dict[Principal, set[str]] = {}

    @classmethod
    def of(cls, home: Home) -> ClientGuidance:
        """Load the files of the app and of a home."""
        made = cls(bundled_files.dialects(home), bundled_files.task_types(home), Experience(home), Meaning(home))
        made._home = home
        return made

    def close(self) -> None:
        """Store what was learned, and end the model's process. Blocks."""
        self.experience.close()
        if self.meaning is not None:
            self.meaning.close()

    def read_dialects(self) -> bool:
        """Read the dialects anew; return True if one has changed. For any thread."""
        if self._home is None:
            return False
        before, self._dialects = self._dialects, bundled_files.dialects(self._home)
        return before != self._dialects

    def introduce(self, principal: Principal, client_info: JsonObject) -> bool:
        """Record the ``clientInfo`` of a caller; return True if its name or version is new."""
        new_name = _add(self._names.setdefault(principal, set()), client_info.get("name"))
        new_version = _add(self._versions.setdefault(principal, set()), client_info.get("version"))
        return new_name or new_version

    def introduce_as(self, principal: Principal, known: Principal) -> None:
        """Take the names and versions of a known caller for another."""
        self._names[principal] = set(self._names.get(known, ()))
        self._versions[principal] = set(self._versions.get(known, ()))

    def introduced(self) -> JsonObject:
        """Return client -> names and versions that it gave; "" is the run's own token."""
        return {
            principal.client or "": {"names": sorted(names), "versions": sorted(self._versions.get(principal, ()))}
            for principal, names in self._names.items()
        }

    def dialect(self, snapshot: Snapshot, principal: Principal) -> Dialect:
        """Return the dialect for a caller."""
        client = snapshot.clients.get(principal.client) if principal.client is not None else None
        names, versions = self._names.get(principal, ()), self._versions.get(principal, ())
        return choose_dialect(self._dialects, client, names, principal.client, versions)


def _add(known: set[str], value: object) -> bool:
    if not isinstance(value, str) or value in known or len(known) >= _MAX_NAMES:
        return False
    known.add(value)
    return True
