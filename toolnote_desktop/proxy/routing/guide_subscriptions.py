"""Who wants to hear that the tool guide has changed: those who subscribed to ``toolnote://guide``, in both eras."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from toolnote_desktop.model import json_text
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.guide_resource import GUIDE_URI

PARAMS: Final = json_text.dumps({"uri": GUIDE_URI})
"""Of ``notifications/resources/updated`` (2025-06-18, resources, subscriptions)."""


class GuideSubscriptions:
    """Holds the wishes, and compares the guide that each caller would read with the one that it was told of last.

    Args:
        text: the guide of a caller; None where it has none.
        tell: tells one holder.
    """

    def __init__(self, text: Callable[[Principal], str | None], tell: Callable[[object, Principal], None]) -> None:
        self._text = text
        self._tell = tell
        self._held: dict[object, Principal] = {}
        self._sent: dict[Principal, str | None] = {}

    def add(self, holder: object, principal: Principal) -> None:
        """A session or stream wants to hear of the guide of its caller."""
        self._held[holder] = principal
        self._sent.setdefault(principal, self._text(principal))

    def remove(self, holder: object) -> None:
        """It does not want to any more, or is gone."""
        principal = self._held.pop(holder, None)
        if principal is not None and principal not in self._held.values():
            self._sent.pop(principal, None)

    def changed(self) -> None:
        """Something that guides are made of may be another: tell whoever would read another one now."""
        for principal, told in list(self._sent.items()):
            now = self._text(principal)
            if now == told:
                continue
            self._sent[principal] = now
            if now is not None:  # that it is gone is told by the list of resources
                for holder in [one for one, of in self._held.items() if of == principal]:
                    self._tell(holder, principal)
