"""What each toolset costs each assistant, in a page and as offers on Home, and tools that are never called."""

from __future__ import annotations

import time

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click
from toolnote_desktop.desktop.assistant_page.budget_page import BudgetPage
from toolnote_desktop.desktop.messages import number
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.needs_you import Need
from toolnote_desktop.desktop.window.list_offers import ListOffers
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.guidance.budgets import list_budget
from toolnote_desktop.model.edits import (
    CLIENT_ENTRIES,
    CLIENTS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    SetEntryFields,
    SetFields,
    toolset_document,
)
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.bundled_files import save_dialect
from toolnote_desktop.store.library import Library

SMALL = {"name": "small", "title": "Small", "clients": ["small"], "figures": {"contextTokens": {"value": 2000}}}
"""A client for which most lists are more than 5 % of its context."""


NEW = "list_issues"
"""Tool of the shared toolset that is on and never called."""


@pytest.fixture
def used(home: Home, library: Library, qtbot: QtBot) -> Library:
    """The library with a client of a small context; one call 40 days ago, one today."""
    save_dialect(home, SMALL)
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "small", {"name": "Small", "toolset": None}))
    log = ActivityLog(home)
    for days in (40, 0):
        log.record_call(Call(time.time() - days * 86_400, "small", "Linear", "create_issue", 0.1))
    log.close()
    return library


def budget_page(qtbot: QtBot, window: MainWindow) -> BudgetPage:
    window.go(RowKey(Kind.BUDGET))
    page = window.pages.budget_page
    qtbot.waitUntil(lambda: bool(page.cells) and not page._reading.is_running, timeout=10_000)
    return page


def toolset_of_small(library: Library) -> str | None:
    return library.snapshot.clients["small"].toolset


def test_matrix_has_the_cost_of_each_list_and_a_press_gives_it(qtbot: QtBot, used: Library, window: MainWindow) -> None:
    """Seen red: with the toolset in use taken for the shared one."""
    page = budget_page(qtbot, window)
    snapshot = used.snapshot
    assert {client for client, _ in page.cells} == set(snapshot.clients)
    assert {name for _, name in page.cells} == set(snapshot.toolsets)
    own = snapshot.shared_toolset
    assert own is not None
    dialect = page._files.dialect_of("small", snapshot.clients["small"])
    budget = list_budget(snapshot, snapshot.clients["small"], own, dialect)
    assert budget.is_over
    cell = page.cells["small", own.name]
    assert cell.text() == f"In use: {number(budget.list_tokens)} tokens, too many for it"
    assert not cell.isEnabled()
    qtbot.waitUntil(lambda: not page.cells["small", own.name].visibleRegion().isEmpty())
    other = next(name for name in snapshot.toolsets if name != own.name)
    click(page.cells["small", other])
    assert toolset_of_small(used) == other
    assert window.toast.isVisible()
    qtbot.waitUntil(lambda: page.cells["small", other].text().startswith("In use"), timeout=10_000)
    window.undo()
    assert toolset_of_small(used) is None
    page = budget_page(qtbot, window)
    qtbot.waitUntil(lambda: page.cells["small", own.name].text().startswith("In use"), timeout=10_000)


def test_matrix_of_many_assistants_and_toolsets_is_whole_and_kept_while_figures_change(
    qtbot: QtBot, used: Library, window: MainWindow
) -> None:
    """Seen red: 30 assistants and 12 toolsets were shown without a word on the others, not even those in use; each
    change of anything made all cells anew, which held the window for 0.75 s.
    """
    shared = used.snapshot.shared_toolset
    assert shared is not None
    tools = [{"namespacedName": entry.namespaced_name} for entry in shared.tools[:1]]

    def add_toolsets(numbers: range) -> None:
        for at in numbers:
            content = {"name": f"set-{at}", "title": f"Set {at}", "tools": tools, "toolNotes": []}
            used.submit(CreateDocument(toolset_document(f"set-{at}"), content))

    add_toolsets(range(20))
    for at in range(30):
        entry = {"name": f"Assistant {at}", "toolset": f"set-{at % 20}"}
        used.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, f"one-{at}", entry))
    page = budget_page(qtbot, window)
    snapshot = used.snapshot
    assert set(page.cells) == {(client, name) for client in snapshot.clients for name in snapshot.toolsets}
    assert page.cells["one-19", "set-19"].text().startswith("In use: ")
    cells = dict(page.cells)
    before = cells["one-19", "set-19"].text()
    used.submit(SetFields(SETTINGS, {"builtInInstructions": {"get-tool-guide": "Mind the words. " * 400}}))
    qtbot.waitUntil(lambda: page.cells["one-19", "set-19"].text() != before, timeout=10_000)
    assert page.cells == cells, "the same buttons"
    add_toolsets(range(20, 30))
    used.submit(SetEntryFields(CLIENTS, CLIENT_ENTRIES, "one-0", {"toolset": "set-29"}))
    qtbot.waitUntil(lambda: ("one-0", "set-29") in page.cells and not page._reading.is_running, timeout=10_000)
    left_out = len(used.snapshot.toolsets) - len({name for _, name in page.cells})
    assert any(f"{left_out} more rows" in one.text() for one in page.findChildren(QLabel))


def test_tools_that_are_never_called_are_turned_off_with_one_press_and_undo(
    qtbot: QtBot, used: Library, window: MainWindow
) -> None:
    """Seen red: with tools that were called among them."""
    page = budget_page(qtbot, window)
    shared = used.snapshot.shared_toolset
    assert shared is not None
    on = {entry.namespaced_name for entry in shared.tools if entry.enabled}
    click(page.offers[shared.name])
    now = {entry.namespaced_name for entry in used.snapshot.toolsets[shared.name].tools if entry.enabled}
    assert "Linear.create_issue" in now
    assert now < on
    qtbot.waitUntil(lambda: shared.name not in page.offers, timeout=10_000)
    window.undo()
    again = {entry.namespaced_name for entry in used.snapshot.toolsets[shared.name].tools if entry.enabled}
    assert again == on
    qtbot.waitUntil(lambda: not page._reading.is_running, timeout=10_000)


@pytest.mark.parametrize(("days", "is_offered"), [(1, False), (31, True)])
def test_a_tool_is_offered_to_be_turned_off_once_it_was_there_for_30_days(
    qtbot: QtBot, used: Library, window: MainWindow, days: int, is_offered: bool
) -> None:
    """Seen red: with all tools counted that have no call."""
    shared = used.snapshot.shared_toolset
    assert shared is not None
    catalogue = used.snapshot.catalogue
    linear = catalogue.servers["Linear"]
    seen = int(time.time()) - days * 86_400
    tools = tuple(replace(one, first_seen=seen) if one.tool.name == NEW else one for one in linear.tools)
    used.publish_catalogue(replace(catalogue, servers={**catalogue.servers, "Linear": replace(linear, tools=tools)}))
    page = budget_page(qtbot, window)
    click(page.offers[shared.name])
    off = {entry.namespaced_name for entry in used.snapshot.toolsets[shared.name].tools if not entry.enabled}
    assert (f"Linear.{NEW}" in off) is is_offered
    assert len(off) > 1, "others were never called"
    qtbot.waitUntil(lambda: not page._reading.is_running, timeout=10_000)


def test_home_offers_both_for_a_list_that_is_too_long(
    qtbot: QtBot, used: Library, window: MainWindow, home: Home
) -> None:
    """Seen red: with the offer made to clients that chose."""
    offers = ListOffers(window, used, home)

    def needs() -> dict[str, Need]:
        return {need.action: need for need in window.needs if need.action.startswith(("Let it", "Turn off these"))}

    try:
        offers.refresh()
        qtbot.waitUntil(lambda: len(needs()) == 2, timeout=10_000)
        assert needs()["Let it search"].text == "The list of tools is too long for Small"
        window._take_step(needs()["Let it search"])
        assert used.snapshot.clients["small"].discovery == "auto"
        qtbot.waitUntil(lambda: not needs(), timeout=10_000)  # its list is short now
        window.undo()
        offers.refresh()
        qtbot.waitUntil(lambda: len(needs()) == 2, timeout=10_000)
        used.submit(SetEntryFields(CLIENTS, CLIENT_ENTRIES, "small", {"discovery": "full"}))
        offers.refresh()
        qtbot.waitUntil(lambda: len(needs()) == 1, timeout=10_000)
        assert "Let it search" not in needs()
        # of one whose limits nobody knows, the user's budget for toolsets decides
        used.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "other", {"name": "Other", "discovery": "auto"}))
        offers.refresh()
        qtbot.waitUntil(lambda: not offers._reading.is_running, timeout=10_000)
        text = "The list of tools may be too long for Other"
        assert text not in {need.text for need in window.needs}
        used.submit(SetFields(SETTINGS, {"toolsetTokens": 50}))
        offers.refresh()
        qtbot.waitUntil(lambda: text in {need.text for need in window.needs}, timeout=10_000)
        window._take_step(next(need for need in window.needs if need.text == text))
        assert used.snapshot.clients["other"].discovery == "search"
        qtbot.waitUntil(lambda: text not in {need.text for need in window.needs}, timeout=10_000)
        window.undo()
        qtbot.waitUntil(lambda: text in {need.text for need in window.needs}, timeout=10_000)
    finally:
        offers.stop()


@pytest.mark.parametrize(
    ("client", "days", "is_offered"),
    [("", 0, True), ("", 8, False), ("small", 0, False)],
    ids=["used", "before", "none"],
)
def test_home_offers_search_for_the_token_of_the_run(
    qtbot: QtBot, library: Library, window: MainWindow, home: Home, client: str, days: int, is_offered: bool
) -> None:
    """Seen red: nothing was offered for the run's token, which has no entry to change."""
    save_dialect(home, SMALL)  # the smallest known context
    log = ActivityLog(home)
    log.record_call(Call(time.time() - days * 86_400, client, "Linear", "create_issue", 0.1))
    log.close()
    offers = ListOffers(window, library, home)

    def needs() -> list[Need]:
        return [need for need in window.needs if need.action == "Let all search"]

    def all_search() -> bool:
        return library.snapshot.settings.lazy_mode

    def refresh() -> None:
        offers.refresh()
        qtbot.waitUntil(lambda: not offers._reading.is_running, timeout=10_000)

    try:
        refresh()
        assert len(needs()) == is_offered
        if is_offered:
            window._take_step(needs()[0])
            assert all_search()
            refresh()
            assert not needs()
            window.undo()
            assert not all_search()
            refresh()
            assert len(needs()) == 1
    finally:
        offers.stop()
