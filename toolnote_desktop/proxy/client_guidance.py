"""What each caller is told, and how: its dialect, and the guides, kept for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolnote_desktop.guidance.guide import Guides
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect, choose_dialect
from toolnote_desktop.model.toolsets.task_types import TaskType
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.store import bundled_files

_MOST_NAMES: Final = 16
"""Names that one caller's clients may have: a dialect is chosen by one."""


class ClientGuidance:
    """Dialects by caller, and guides. Read once: a file that is put into the home later counts from the next start."""

    def __init__(self, dialects: Mapping[str, Dialect], task_types: Mapping[str, TaskType]) -> None:
        self.task_types = task_types
        self.guides = Guides(task_types)
        self._dialects = dialects
        self._names: dict[Principal, set[str]] = {}

    @classmethod
    def of(cls, home: Home) -> ClientGuidance:
        """With the files of the app and of a home."""
        return cls(bundled_files.dialects(home), bundled_files.task_types(home))

    def introduce(self, principal: Principal, client_info: JsonObject) -> bool:
        """A client of this caller has said what it is; whether that is news."""
        name = client_info.get("name")
        names = self._names.setdefault(principal, set())
        if not isinstance(name, str) or name in names or len(names) >= _MOST_NAMES:
            return False
        names.add(name)
        return True

    def dialect(self, snapshot: Snapshot, principal: Principal) -> Dialect:
        """The dialect that a caller is served in."""
        client = snapshot.clients.get(principal.client) if principal.client is not None else None
        return choose_dialect(self._dialects, client, self._names.get(principal, ()), principal.client)
