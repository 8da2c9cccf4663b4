"""Choice of the toolset of each caller (docs/contract.md 5 and 7)."""

from __future__ import annotations

from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, SETTINGS, PutEntry, SetFields
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.store.library import Library, Origin, Submitted

NO_TOOLSET = ""
"""Value in ``clients.json`` for a client that chose to have none; null there means the shared one."""


_REMEMBERED = 512


class ToolsetSelector:
    """Selector of toolsets: the client's own, else the bridge's ``--toolset``, ``serve --toolset``, the shared one.

    A toolset that the client chose itself gives way to the bridge's, which is the user's choice.
    """

    def __init__(self, library: Library, run_toolset: str | None = None) -> None:
        self._library = library
        self.run_toolset = run_toolset
        """Value of ``serve --toolset``, until the run's own token chooses another."""
        self.bridge_toolsets: dict[str, str] = {}
        """Client -> toolset that the user gave it with ``bridge --toolset``, of this run."""

    def toolset_name(self, principal: Principal, snapshot: Snapshot) -> str | None:
        """Return the name of a caller's toolset, which need not exist."""
        client = snapshot.clients.get(principal.client) if principal.client is not None else None
        if principal.client is not None and principal.bridge_toolset is not None:
            self._remember(principal.client, principal.bridge_toolset)
        own_choice = client is not None and not client.toolset_assigned and principal.bridge_toolset is not None
        if client is not None and client.toolset is not None and not own_choice:
            return client.toolset or None
        return principal.bridge_toolset or self.run_toolset or snapshot.settings.equipped_toolset

    def _remember(self, client: str, toolset: str) -> None:
        if self.bridge_toolsets.get(client) != toolset:
            while len(self.bridge_toolsets) >= _REMEMBERED:
                del self.bridge_toolsets[next(iter(self.bridge_toolsets))]
            self.bridge_toolsets[client] = toolset

    def choose(self, principal: Principal, name: str | None) -> Submitted:
        """Equip ``name`` for a caller, or no toolset with None: as its own choice, or as the shared one."""
        origin = Origin(principal.author)
        if principal.client is None:
            self.run_toolset = None
            return self._library.submit(SetFields(SETTINGS, {"equippedToolset": name}), origin=origin)
        entries = (self._library.raw(CLIENTS) or {}).get(CLIENT_ENTRIES, {})
        entry = entries.get(principal.client) or {"name": principal.client}
        chosen = {**entry, "toolset": NO_TOOLSET if name is None else name, "toolsetChosenBy": "client"}
        return self._library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, principal.client, chosen), origin=origin)
