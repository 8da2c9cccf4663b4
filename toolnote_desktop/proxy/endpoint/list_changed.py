"""``list_changed`` notifications: one for a burst of changes, and only to callers whose lists differ (contract 5)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from weakref import WeakKeyDictionary

from toolnote_desktop.proxy.aio.debounce import Debouncer
from toolnote_desktop.proxy.endpoint.sdk_loader import SdkLoader
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import PROMPTS, RESOURCES, TOOLS
from toolnote_desktop.proxy.routing.served_lists import ClientView

QUIET_SECONDS = 0.05
MAX_DELAY_SECONDS = 0.5
"""A notification waits for ``QUIET_SECONDS`` without a change, ``MAX_DELAY_SECONDS`` at most."""


class ListChangedNotifier:
    """Compares what each connected caller is served with what it was notified of last.

    Args:
        callers: returns the connected callers.
        announced: called after each round, also if no list has changed: a guide may have.
        list_changed: called with each caller whose list of tools has changed, its new view, and True if only notes
            of its own changed it.
    """

    def __init__(
        self,
        sdk: SdkLoader,
        view: Callable[[Principal], ClientView],
        callers: Callable[[], Iterable[Principal]],
        announced: Callable[[], None],
        list_changed: Callable[[Principal, ClientView, bool], None],
    ) -> None:
        self._sdk = sdk
        self._view = view
        self._callers = callers
        self._announced = announced
        self._list_changed = list_changed
        self._notified: dict[Principal, ClientView] = {}
        self._fetched: dict[Principal, ClientView] = {}
        self._up_to_date: dict[Principal, bool] = {}
        self._digests: WeakKeyDictionary[ClientView, dict[str, str]] = WeakKeyDictionary()
        self._changes: dict[Principal, int] = {}
        self._authors: set[str | None] = set()
        self._debouncer = Debouncer(QUIET_SECONDS, MAX_DELAY_SECONDS, self._announce)

    def refresh_callers(self) -> None:
        """Follow callers that have come or gone: new ones know the lists as they are now."""
        present = set(self._callers())
        for principal in present - set(self._notified):
            self._notified[principal] = self._view(principal)
        for principal in set(self._notified) - present:
            del self._notified[principal]
            self._fetched.pop(principal, None)
            self._up_to_date.pop(principal, None)
            self._changes.pop(principal, None)

    def record_fetched(self, principal: Principal, view: ClientView) -> None:
        """Record that a caller has fetched its list of tools."""
        self._fetched[principal] = view
        self._changes.pop(principal, None)

    def changes_behind(self, principal: Principal) -> int:
        """Return the number of changes of a caller's list since it fetched it; 0 if it is up to date."""
        return 0 if self.is_up_to_date(principal) else self._changes.get(principal, 0)

    def is_up_to_date(self, principal: Principal) -> bool:
        """Return True if the list that a caller fetched last equals the one that it would get now, except for notes
        that the caller itself has written since.

        While that one is being made, the last result counts; ``announced`` is called when it is known.
        """
        fetched, view = self._fetched.get(principal), self._view(principal)
        if view.listed.is_made:
            self._up_to_date[principal] = fetched is not None and _is_same_list(fetched, view)
        return self._up_to_date.get(principal, False)

    def digests(self, principal: Principal) -> dict[str, str]:
        """Return digests of the lists that a caller was notified of last, of those that are made."""
        view = self._notified.get(principal)
        return self.digests_of(view) if view is not None else {}

    def digests_of(self, view: ClientView) -> dict[str, str]:
        """Return digests of these lists, by kind, of those that are made."""
        if view not in self._digests:
            listed = [(PROMPTS, view.prompts_list), (RESOURCES, b"\n".join(view.resources_state))]
            if view.listed.is_made:
                listed.append((TOOLS, view.listed.at_once()))
            found = {kind: hashlib.sha256(text).hexdigest() for kind, text in listed}
            if not view.listed.is_made:
                return found
            self._digests[view] = found
        return self._digests[view]

    async def changed_since(self, principal: Principal, digests: Mapping[str, str]) -> list[str]:
        """Return the kinds of lists that differ from what a caller was notified of in an earlier run."""
        self.refresh_callers()
        view = self._notified.get(principal)
        if view is not None and TOOLS in digests:
            await view.listed.in_slices()
        now = self.digests(principal)
        return [kind for kind, digest in digests.items() if now.get(kind, digest) != digest]

    def changed(self, notes_of: str | None = None) -> None:
        """Announce a change soon. Called on the loop.

        Args:
            notes_of: the author if nothing but notes was changed: a caller knows the words of its own.
        """
        self._authors.add(notes_of)
        self._debouncer.trigger()

    async def _announce(self) -> None:
        authors, self._authors = self._authors, set()
        views = [(principal, notified, self._view(principal)) for principal, notified in self._notified.items()]
        for principal, notified, view in views:
            if view is notified:
                continue
            await notified.listed.in_slices()
            await view.listed.in_slices()
            if principal not in self._notified:
                continue  # disconnected meanwhile
            self._notified[principal] = view
            kinds = [
                kind
                for kind, same in (
                    (TOOLS, _is_same_list(notified, view)),
                    (PROMPTS, notified.prompts_list == view.prompts_list),
                    (RESOURCES, notified.resources_state == view.resources_state),
                )
                if not same
            ]
            if TOOLS in kinds:
                fetched = self._fetched.get(principal)
                is_own = (
                    principal.client is not None
                    and authors == {principal.author}
                    and fetched is not None
                    and _is_same_list(fetched, notified)
                )
                if is_own:
                    self._fetched[principal] = view
                else:
                    self._changes[principal] = self._changes.get(principal, 0) + 1
                self._list_changed(principal, view, is_own)
            for kind in kinds:
                await self._sdk.notify_list_changed(principal, kind)
        self._announced()

    async def run(self) -> None:
        """Announce changes until cancelled."""
        await self._debouncer.run()


def _is_same_list(one: ClientView, other: ClientView) -> bool:
    return one is other or one.listed.at_once() == other.listed.at_once()
