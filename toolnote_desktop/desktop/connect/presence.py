"""Presence of an assistant: connected now, or last seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Protocol

from toolnote_desktop.assistants.known_client import FollowsChanges
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate


class Connected(Protocol):
    """Connected client, such as ``proxy.events.ConnectedClient``."""

    @property
    def id(self) -> str:
        """Id in ``clients.json``."""

    @property
    def up_to_date(self) -> bool:
        """True if it has fetched the newest list of tools."""


def presence(client: str, connected: Iterable[Connected], last_seen: Mapping[str, float]) -> str:
    """Return a sentence without its full stop; "" for an assistant never seen.

    Args:
        client: its id.
        last_seen: id -> seconds since the epoch.
    """
    here = [one for one in connected if one.id == client]
    known = CLIENTS.get(client)
    if here and all(one.up_to_date for one in here):
        if known is not None and known.follows is FollowsChanges.UNSEEN:
            return translate(
                "presence", "It is here now; tools that it has used keep their old notes until /clear or a new session"
            )
        return translate("presence", "It is here now and knows your newest notes")
    if here:
        return translate("presence", "It is here now and has not seen your last change")
    if client in last_seen:
        moment = datetime.fromtimestamp(last_seen[client], UTC).isoformat()
        return translate("presence", "It was last here {0}").format(messages.how_long_ago(moment))
    return ""
