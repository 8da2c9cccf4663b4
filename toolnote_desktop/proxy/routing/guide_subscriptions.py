"""Subscriptions to the tool guide, ``toolnote://guide``, in both eras."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from toolnote_desktop.model import json_text
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.guide_resource import GUIDE_URI

PARAMS: Final = json_text.dumps({"uri": GUIDE_URI})
"""Params of ``notifications/resources/updated`` (2025-06-18, resources, subscriptions)."""


class GuideSubscriptions:
    """Subscriptions, and the guide of each caller as announced last.

    Args:
        text: returns the guide of a caller, or None.
        notify: notifies one holder.
    """

    def __init__(self, text: Callable[[Principal], str | None], notify: Callable[[object, Principal], None]) -> None:
        self._text = text
        self._notify = notify
        self._held: dict[object, Principal] = {}
        self._sent: dict[Principal, str | None] = {}

    def add(self, holder: object, principal: Principal) -> None:
        """Subscribe a session or stream to the guide of its caller."""
        self._held[holder] = principal
        self._sent.setdefault(principal, self._text(principal))

    def holds(self, holder: object) -> bool:
        """Return True if a session or stream is subscribed."""
        return holder in self._held

    def remove(self, holder: object) -> None:
        """Unsubscribe a session or stream."""
        principal = self._held.pop(holder, None)
        if principal is not None and principal not in self._held.values():
            self._sent.pop(principal, None)

    def changed(self) -> None:
        """Notify the holders whose guide has changed."""
        for principal, sent in list(self._sent.items()):
            now = self._text(principal)
            if now == sent:
                continue
            self._sent[principal] = now
            if now is not None:  # the list of resources announces its removal
                for holder in [one for one, of in self._held.items() if of == principal]:
                    self._notify(holder, principal)
