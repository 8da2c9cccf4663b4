"""Which toolset each caller has (docs/contract.md 5 and 7)."""

from __future__ import annotations

from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, SETTINGS, PutEntry, SetFields
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.store.library import Library, Origin, Submitted

NO_TOOLSET = ""
"""What ``clients.json`` holds for a client that chose to have none; null there means the shared one."""


class ToolsetSelector:
    """The client's own, else the bridge's ``--toolset``, else ``serve --toolset``, else the shared one."""

    def __init__(self, library: Library, run_toolset: str | None = None) -> None:
        self._library = library
        self._run_toolset = run_toolset

    def toolset_name(self, principal: Principal, snapshot: Snapshot) -> str | None:
        """The name of the toolset in use for a caller, whether there is one of that name or not."""
        client = snapshot.clients.get(principal.client) if principal.client is not None else None
        if client is not None and client.toolset is not None:
            return client.toolset or None
        return principal.bridge_toolset or self._run_toolset or snapshot.settings.equipped_toolset

    def choose(self, principal: Principal, name: str | None) -> Submitted:
        """A caller equips ``name`` or, with None, takes its toolset off: its own choice, or the shared one."""
        origin = Origin(principal.author)
        if principal.client is None:
            self._run_toolset = None
            return self._library.submit(SetFields(SETTINGS, {"equippedToolset": name}), origin=origin)
        entries = (self._library.raw(CLIENTS) or {}).get(CLIENT_ENTRIES, {})
        entry = entries.get(principal.client) or {"name": principal.client}
        chosen = {**entry, "toolset": NO_TOOLSET if name is None else name, "toolsetChosenBy": "client"}
        return self._library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, principal.client, chosen), origin=origin)
