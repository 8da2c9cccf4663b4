"""All that takes long is in one place, with its *Cancel*: sources that start, an import, an export."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tests.attacks.by_file import pack
from tests.file_keyring import TestKeychain
from toolnote_desktop.assistants.importing.hypertool import ImportOffer
from toolnote_desktop.assistants.importing.sources import read_import_file
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.activity.page import Export
from toolnote_desktop.desktop.add_servers import import_panel, pack_panel
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.work import WorkList
from toolnote_desktop.desktop.server_page import page as server_page
from toolnote_desktop.desktop.sidebar.work_row import WorkRow
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.activity_export import write_csv, write_json


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


def in_sidebar(window: MainWindow) -> list[str]:
    """Words of the menu of the work in progress."""
    row = window.sidebar.work
    row.more_button.click()
    texts = [action.text() for action in row.menu.actions()]
    row.menu.close()
    return texts


def cancel_in_sidebar(qtbot: QtBot, window: MainWindow, title: str) -> None:
    """Press Cancel below these words; other sources are starting at the same time."""
    qtbot.waitUntil(lambda: title in in_sidebar(window))
    actions = window.sidebar.work.menu.actions()
    at = [action.text() for action in actions].index(title)
    assert actions[at + 1].text() == "Cancel"
    actions[at + 1].trigger()


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """File with 30 tool sources, each with a secret."""
    entries = {f"many-{n}": {"command": "x", "env": {"API_KEY": f"s3cret-{n}-value"}} for n in range(30)}
    file = tmp_path / "many.json"
    file.write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
    return file


def test_a_file_that_is_read_is_work_and_cancel_leaves_its_page(
    qtbot: QtBot, window: MainWindow, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red where Cancel let the reading go on."""
    proceed = threading.Event()

    def slowly(*args: Any, **more: Any) -> ImportOffer:
        proceed.wait(20)
        return read_import_file(*args, **more)

    monkeypatch.setattr(import_panel, read_import_file.__name__, slowly)
    before = window.place
    window.go(RowKey(Kind.FILE, str(many)))
    cancel_in_sidebar(qtbot, window, "Reading many.json")
    qtbot.waitUntil(lambda: "Reading many.json" not in in_sidebar(window))
    assert window.place == before
    proceed.set()
    window.go(RowKey(Kind.FILE, str(many)))
    panel = window.pages.file_page.panel
    qtbot.waitUntil(lambda: len(panel.servers.checked_keys()) == 30)
    assert "Reading many.json" not in in_sidebar(window)


def test_the_scan_of_a_source_with_many_tools_is_work_that_can_be_canceled(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    proceed = threading.Event()
    monkeypatch.setattr(server_page, "_findings_in", lambda *_args: (proceed.wait(20), ())[1])
    monkeypatch.setattr(server_page, "_MANY_TOOLS", 0)
    source = next(name for name, listing in window.snapshot.catalogue.servers.items() if listing.tools)
    title = f"Checking {messages.source_name(source)}"
    window.go(RowKey(Kind.SERVER, source))
    cancel_in_sidebar(qtbot, window, title)
    qtbot.waitUntil(lambda: title not in in_sidebar(window))
    assert not window.pages.server_page._scanning.is_running
    proceed.set()


def test_the_scan_of_a_pack_is_work_and_cancel_leaves_its_page(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proceed = threading.Event()
    monkeypatch.setattr(pack_panel, "pack_findings", lambda *_args: (proceed.wait(20), ())[1])
    file = tmp_path / "team.toolnote"
    file.write_bytes(pack("team", 2, 1))
    before = window.place
    window.go(RowKey(Kind.FILE, str(file)))
    title = "Checking team"
    cancel_in_sidebar(qtbot, window, title)
    qtbot.waitUntil(lambda: title not in in_sidebar(window))
    assert window.place == before
    proceed.set()


def test_adding_from_a_paste_is_work_and_cancel_leaves_no_source_and_no_secret(
    qtbot: QtBot, window: MainWindow, keychain: TestKeychain
) -> None:
    """Seen red without its check after the last secret: the source was added all the same."""
    window.go(RowKey(Kind.ADD_TOOLS))
    page = window.pages.add_page
    page.show_page(window.snapshot, "paste")
    page.paste.pasted.setPlainText("API_KEY=s3cret-1 uvx notes")
    keychain.mood = "silent"
    page.paste.add_button.click()
    cancel_in_sidebar(qtbot, window, "Adding notes")
    keychain.mood = ""
    qtbot.waitUntil(lambda: "Adding notes" not in in_sidebar(window))
    assert "notes" not in window.snapshot.servers
    assert not any(keychain.entries().values())
    assert not page.paste.wrong.isVisible()
    with qtbot.waitSignal(page.paste.added, timeout=20_000):
        page.paste.add_button.click()
    assert window.snapshot.servers["notes"].env == {"API_KEY": "${secret:API_KEY}"}


def test_an_import_is_work_and_cancel_leaves_no_source_and_no_secret(
    qtbot: QtBot, window: MainWindow, keychain: TestKeychain, many: Path
) -> None:
    """Seen red where Cancel did nothing: all 30 were added."""
    existing = set(window.snapshot.servers)
    window.go(RowKey(Kind.FILE, str(many)))
    panel = window.pages.file_page.panel
    qtbot.waitUntil(lambda: len(panel.servers.checked_keys()) == 30)
    keychain.mood = "silent"
    panel.add_button.click()
    cancel_in_sidebar(qtbot, window, "Importing tools")
    keychain.mood = ""
    qtbot.waitUntil(lambda: "Importing tools" not in in_sidebar(window))
    assert set(window.snapshot.servers) == existing
    assert not any(keychain.entries().values())
    assert not panel.wrong.isVisible()
    with qtbot.waitSignal(panel.added, timeout=20_000):
        panel.add_button.click()
    assert set(window.snapshot.servers) - existing == {f"many-{n}" for n in range(30)}
    assert "Importing tools" not in in_sidebar(window)


def test_a_canceled_export_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "calls.csv"
    export: Any = None

    def calls() -> Iterator[Call]:
        yield Call(1.0, "a", "b", "c", 1.0)
        export.cancel()
        yield Call(2.0, "a", "b", "c", 1.0)

    export = Export(path, write_csv, calls())
    assert not export.write()
    assert not path.exists()
    whole = Export(path, write_json, [Call(1.0, "a", "b", "c", 1.0)])
    assert whole.write()
    assert path.exists()
