"""All that takes long is in one place, with its *Cancel*: sources that start, an export, a download."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.activity.page import Export
from toolnote_desktop.desktop.models.work import WorkList
from toolnote_desktop.desktop.sidebar.work_row import WorkRow
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.store.activity_database import Call


@pytest.fixture
def row(qtbot: QtBot) -> Iterator[tuple[WorkList, WorkRow]]:
    work, row = WorkList(), WorkRow()
    qtbot.addWidget(row)
    row.follow(work)
    row.resize(240, 28)
    row.show()
    yield work, row
    work.deleteLater()


def states(snapshot: Snapshot, **servers: ServerState) -> Snapshot:
    listings = {
        name: replace(listing, status=ServerStatus(servers.get(name, ServerState.READY)))
        for name, listing in snapshot.catalogue.servers.items()
    }
    return replace(snapshot, catalogue=replace(snapshot.catalogue, servers=listings))


def test_one_work_is_said_with_its_share_and_canceled(row: tuple[WorkList, WorkRow]) -> None:
    work, shown = row
    canceled: list[bool] = []
    one = work.begin("Exporting activity", lambda: canceled.append(True))
    assert shown.words.text() == "Exporting activity…"
    work.report(one, 1, 3)
    assert shown.words.text() == "Exporting activity 33 %…"
    assert shown.cancel_button.isVisible()
    shown.cancel_button.click()
    assert canceled == [True]
    work.finish(one)
    work.finish(one)
    assert not shown.isVisible()


def test_several_works_are_counted_and_in_a_menu(row: tuple[WorkList, WorkRow]) -> None:
    work, shown = row
    canceled: list[str] = []
    work.begin("One", lambda: canceled.append("one"))
    work.begin("Two")
    assert shown.words.text() == "2 things in progress"
    assert not shown.cancel_button.isVisible()
    shown.more_button.click()
    texts = [(action.text(), action.isEnabled()) for action in shown.menu.actions()]
    assert texts == [("One", False), ("Cancel", True), ("Two", False)]
    shown.menu.actions()[1].trigger()
    shown.menu.close()
    assert canceled == ["one"]


def test_a_source_that_starts_or_downloads_is_work_and_is_turned_off_by_cancel(
    qtbot: QtBot, window: MainWindow
) -> None:
    off: list[str] = []
    names = list(window.snapshot.catalogue.servers)
    first, second = names[0], names[1]
    work = window.work
    one = states(window.snapshot, **{first: ServerState.DOWNLOADING})
    work.show_sources(one, off.append, runs=True)
    assert [item.title for item in work.items] == [f"Downloading {first}"]
    both = states(window.snapshot, **{first: ServerState.STARTING, second: ServerState.STARTING})
    work.show_sources(both, off.append, runs=True)
    assert [item.title for item in work.items] == [f"Starting {first}", f"Starting {second}"]
    assert window.sidebar.work.isVisible()
    cancel = work.items[1].cancel
    assert cancel is not None
    cancel()
    assert off == [second]
    work.show_sources(both, off.append, runs=False)
    assert work.items == ()
    window._stop_starting(second)
    assert window.snapshot.servers[second].disabled
    window.undo()
    assert not window.snapshot.servers[second].disabled


def test_a_canceled_export_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "calls.csv"
    export: Any = None

    def calls() -> Iterator[Call]:
        yield Call(1.0, "a", "b", "c", 1.0)
        export.cancel()
        yield Call(2.0, "a", "b", "c", 1.0)

    export = Export(path, "csv", calls())
    assert not export.write()
    assert not path.exists()
    whole = Export(path, "json", [Call(1.0, "a", "b", "c", 1.0)])
    assert whole.write()
    assert path.exists()
