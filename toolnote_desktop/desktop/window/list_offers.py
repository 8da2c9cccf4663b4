"""Offers on Home where an assistant's list is too large: to search for tools, or to turn off those never called."""

from __future__ import annotations

import time
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.assistant_page.budget_page import read_budgets, turn_off_words, unused_words
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.editing.assistant_settings import AssistantSettings
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.models.needs_you import Need
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.guidance.budgets import ListBudget, list_budget
from toolnote_desktop.guidance.discovery import CONTEXT_SHARE
from toolnote_desktop.model.clients import Discovery
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_queries import last_seen
from toolnote_desktop.store.library import Change, Library

QUIET_MS: Final = 2_000
"""Pause after the last change, so that a burst is computed once."""
_LATELY: Final = 7 * 86_400
"""Seconds within which the run's token must have been used."""


class ListOffers(QObject):
    """Computes the costs in a thread after changes of tools, notes, toolsets and assistants. Changes nothing itself."""

    _changed = Signal()

    def __init__(self, window: MainWindow, library: Library, home: Home) -> None:
        super().__init__(window)
        self._window, self._library, self._home = window, library, home
        self._files = GuidanceFiles(home)
        self._settings = AssistantSettings(library, window.changes)
        self._shown: set[str] = set()
        self._reading = LatestTask(self)
        self._timer = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._timer.timeout.connect(self.refresh)
        self._changed.connect(self._timer.start)
        self._unsubscribe = library.subscribe(self._note_change)
        self._timer.start()

    def stop(self) -> None:
        """Stop computing."""
        self._unsubscribe()
        self._timer.stop()
        self._reading.cancel()

    def refresh(self) -> None:
        """Compute the offers, in a thread of its own."""
        self._reading.start(self._read(self._library.snapshot))

    def _note_change(self, change: Change) -> None:
        self._changed.emit()

    async def _read(self, snapshot: Snapshot) -> None:
        found = await in_thread(read_budgets, snapshot, self._files, self._home, in_use=True)
        unnamed = await in_thread(_list_of_run, snapshot, self._files, self._home)
        offers: dict[str, tuple[Need, partial[None]]] = {}
        if unnamed is not None:
            offers["list:"] = (_search_of_all_offer(unnamed), partial(self._do, partial(self._let_all_search)))
        for client, entry in snapshot.clients.items():
            toolset = snapshot.toolset_of(client)
            budget = found.lists.get((client, toolset.name)) if toolset is not None else None
            if toolset is None or budget is None or budget.is_searched:
                continue
            is_long = budget.is_long(snapshot.settings.toolset_tokens)
            if not budget.is_over and not is_long:
                continue
            if entry.discovery is None or (is_long and entry.discovery == "auto"):
                need = _search_offer(messages.author_name(snapshot, client), budget)
                offers[f"list:{client}"] = (need, partial(self._set, client, "search" if is_long else "auto"))
            unused = found.unused.get(toolset.name)
            if unused is not None and unused.entries:
                text = self.tr("They are turned off in this toolset alone. You can undo it.")
                need = Need(Mark.ATTENTION, unused_words(toolset.title, unused), text, turn_off_words(unused))
                switch = partial(self._window.actions_.switch_tools, toolset.name, unused.entries, on=False)
                offers[f"unused:{toolset.name}"] = (need, partial(self._do, switch))
        for name in self._shown - offers.keys():
            self._window.drop_need(name)
        for name, (need, pressed) in offers.items():
            self._window.show_need(name, need, pressed)
        self._shown = set(offers)

    def _set(self, client: str, discovery: Discovery) -> None:
        self._do(partial(self._settings.set_discovery, client, discovery))

    def _let_all_search(self) -> None:
        words = messages.translate("actions", "All assistants search for their tools")
        self._window.changes.submit(words, SetFields(SETTINGS, {"lazyMode": True}))

    def _do(self, change: partial[None]) -> None:
        change()
        self._window.offer_undo()
        self.refresh()


def _list_of_run(snapshot: Snapshot, files: GuidanceFiles, home: Home) -> ListBudget | None:
    """Return the cost of the list of the run's token, which has no entry, where it was used lately and is too long.

    Its context is not known: the smallest known one counts. For a thread: estimates each tool.
    """
    contexts = [one.context_tokens for one in files.dialects.values() if one.context_tokens is not None]
    toolset = snapshot.shared_toolset
    if toolset is None or snapshot.settings.lazy_mode or not contexts:
        return None
    if last_seen(home).get("", 0.0) < time.time() - _LATELY:
        return None
    budget = list_budget(snapshot, None, toolset, files.plain)
    return budget if budget.list_tokens > CONTEXT_SHARE * min(contexts) else None


def _search_of_all_offer(budget: ListBudget) -> Need:
    text = messages.translate("needs", "The list of tools may be too long for assistants without a name")
    reason = messages.translate(
        "needs",
        "{tokens} tokens in {tools} for those that connect with Toolnote’s own token. All assistants can search for "
        "tools instead; Settings has the choice.",
    )
    reason = reason.format(tokens=messages.number(budget.list_tokens), tools=messages.count_tools(budget.tools))
    return Need(Mark.ATTENTION, text, reason, messages.translate("needs", "Let all search"))


def _search_offer(name: str, budget: ListBudget) -> Need:
    if budget.is_over:
        text = messages.translate("needs", "The list of tools is too long for {assistant}")
        reason = messages.translate(
            "needs", "{tokens} tokens in {tools}. It can search for them instead; its page has the choice."
        )
    else:
        text = messages.translate("needs", "The list of tools may be too long for {assistant}")
        reason = messages.translate(
            "needs",
            "{tokens} tokens in {tools}. It isn’t known how many it takes. It can search for them instead; "
            "its page has the choice.",
        )
    text = text.format(assistant=name)
    reason = reason.format(tokens=messages.number(budget.list_tokens), tools=messages.count_tools(budget.tools))
    return Need(Mark.ATTENTION, text, reason, messages.translate("needs", "Let it search"))
