"""Library changes and proxy events arrive in the window's thread; bursts as one."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.proxy_link import ProxyLink, merged
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.store.library import REGISTRY_ORIGIN, USER_ORIGIN, Change, Library, Origin


@pytest.fixture
def library(empty_library: Library) -> Library:
    return empty_library


def test_changes_of_any_thread_arrive_in_the_windows_thread(qtbot: QtBot, library: Library, link: ProxyLink) -> None:
    threads: list[QThread] = []
    link.changed.connect(lambda _change: threads.append(QThread.currentThread()))
    here = QThread.currentThread()
    with qtbot.waitSignal(link.changed, timeout=5000) as changed:
        worker = threading.Thread(target=lambda: library.submit(SetFields(SETTINGS, {"theme": "dark"})))
        worker.start()
        worker.join()
    assert threads == [here]
    assert changed.args is not None
    assert changed.args[0].snapshot.settings.theme == "dark"


def test_a_change_is_never_delivered_inside_submit(qtbot: QtBot, library: Library, link: ProxyLink) -> None:
    came: list[Change] = []
    link.changed.connect(came.append)
    library.submit(SetFields(SETTINGS, {"theme": "dark"}))
    assert came == []
    qtbot.waitUntil(lambda: len(came) == 1, timeout=5000)


def test_a_flood_from_the_registry_is_a_few_changes_and_ends_with_the_newest(
    qtbot: QtBot, library: Library, link: ProxyLink
) -> None:
    came: list[Change] = []
    link.changed.connect(came.append)

    def flood() -> None:
        for _ in range(500):
            library.publish_catalogue(library.snapshot.catalogue)

    worker = threading.Thread(target=flood)
    worker.start()
    qtbot.waitUntil(
        lambda: bool(came) and came[-1].snapshot is library.snapshot and not worker.is_alive(), timeout=20000
    )
    worker.join()
    revisions = [change.snapshot.revision for change in came]
    assert revisions == sorted(revisions)
    assert len(came) < 250


def test_neighbours_of_one_origin_are_merged_and_can_be_taken_back_together() -> None:
    snapshots = [Snapshot(revision=number) for number in range(5)]
    edits = [SetFields(SETTINGS, {"theme": str(number)}) for number in range(4)]
    backs = [SetFields(SETTINGS, {"theme": f"back {number}"}) for number in range(4)]
    origins = [USER_ORIGIN, USER_ORIGIN, REGISTRY_ORIGIN, Origin("cursor")]
    changes = [
        Change(snapshots[number + 1], snapshots[number], origins[number], (edits[number],), (backs[number],))
        for number in range(4)
    ]
    result = merged([changes[1], changes[0], changes[3], changes[2]])
    assert [change.origin.author for change in result] == ["user", "registry", "cursor"]
    assert result[0].previous is snapshots[0]
    assert result[0].snapshot is snapshots[2]
    assert result[0].edits == (edits[0], edits[1])
    assert result[0].inverse == (backs[1], backs[0])


def test_link_delivers_nothing_after_stop(qtbot: QtBot, library: Library, link: ProxyLink) -> None:
    came: list[Change] = []
    link.changed.connect(came.append)
    link.stop()
    library.submit(SetFields(SETTINGS, {"theme": "dark"}))
    with qtbot.assertNotEmitted(link.changed, wait=100):
        pass
    assert came == []


def test_before_the_start_there_is_nobody_and_nothing(link: ProxyLink) -> None:
    assert link.clients() == ()
    assert link.server_log("x") == ()
    assert link.endpoint is None
    link.restart_server("x")
