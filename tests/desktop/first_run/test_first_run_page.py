"""First run as a page: what is found is ticked, own copies are turned off, nothing found is no dead end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.desktop.first_run.test_first_run import ISSUES, NOTES, OURSELVES, files
from tests.desktop.helpers import click
from tests.file_keyring import TestKeychain
from toolnote_desktop.desktop.editing.default_toolset import make_my_tools
from toolnote_desktop.desktop.first_run.page import FirstRunPage
from toolnote_desktop.desktop.models.library_rows import HOME
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.widgets.diff_view import DiffView
from toolnote_desktop.desktop.widgets.page import Width
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, SetEntryFields
from toolnote_desktop.store.library import Library

__all__ = ["files"]

FOUND = ["issues", "notes"]


@pytest.fixture
def library(empty_library: Library) -> Library:
    make_my_tools(empty_library, "My tools")
    return empty_library


@pytest.fixture
def make_page(qtbot: QtBot, library: Library, link: ProxyLink, light_theme: Theme) -> Callable[[], FirstRunPage]:
    def make() -> FirstRunPage:
        page = FirstRunPage(library, link, lambda: OURSELVES)
        qtbot.addWidget(page)
        qtbot.addWidget(page.foot())
        page.resize(1100, 900)
        page.show()
        page.foot().show()
        page.show_page()
        return page

    return make


@pytest.fixture
def page(qtbot: QtBot, make_page: Callable[[], FirstRunPage], files: Mapping[str, Path]) -> FirstRunPage:
    made = make_page()
    qtbot.waitUntil(lambda: set(made.assistants.rows) == set(files), timeout=5000)
    return made


def test_findings_are_ticked_with_the_reason(page: FirstRunPage) -> None:
    assert page.sources.ticked() == FOUND
    assert page.sources.rows["issues"].second.text() == "From Claude Desktop and Cursor"
    assert sorted(page.assistants.ticked()) == ["claude-desktop", "cursor", "vscode"]
    assert page.assistants.rows["cursor"].second.text() == "Has 1 of these tool sources"
    assert page.assistants.rows["codex"].second.text() == "Has none of them"
    assert page.connect_button.text() == "Connect 3 assistants"
    assert page.switch_off.isChecked()
    assert not page.nothing.isVisible()


def test_own_copies_are_turned_off_unless_the_box_is_unticked(
    qtbot: QtBot, page: FirstRunPage, library: Library, files: Mapping[str, Path]
) -> None:
    """Red with the box unticked by default, as it was: each tool appeared twice, once without notes (F6)."""
    with qtbot.waitSignal(page.connected) as connected:
        click(page.connect_button)
    assert connected.args is not None
    assert sorted(client.id for client in connected.args[0]) == ["claude-desktop", "cursor", "vscode"]
    for client, key in (("claude-desktop", "mcpServers"), ("cursor", "mcpServers")):
        assert list(json.loads(files[client].read_text(encoding="utf-8"))[key]) == ["toolnote"]
    assert b"find_note" not in files["vscode"].read_bytes()
    assert sorted((library.raw(SERVERS) or {})[SERVER_ENTRIES]) == FOUND


def test_own_copies_stay_on_where_the_box_is_unticked(
    qtbot: QtBot, page: FirstRunPage, files: Mapping[str, Path]
) -> None:
    click(page.switch_off)
    qtbot.waitUntil(lambda: not page._preparing.is_running)
    with qtbot.waitSignal(page.connected):
        click(page.connect_button)
    assert sorted(json.loads(files["cursor"].read_text(encoding="utf-8"))["mcpServers"]) == ["issues", "toolnote"]


def test_only_what_is_ticked(qtbot: QtBot, page: FirstRunPage, library: Library, files: Mapping[str, Path]) -> None:
    QTest.mouseClick(page.sources.rows["notes"], Qt.MouseButton.LeftButton)  # anywhere in the row
    for client in ("cursor", "vscode"):
        page.assistants.rows[client].box.setChecked(False)
    before = {client: file.read_bytes() for client, file in files.items()}
    qtbot.waitUntil(lambda: not page._preparing.is_running)
    assert page.connect_button.text() == "Connect 1 assistant"
    with qtbot.waitSignal(page.added) as added:
        click(page.connect_button)
    assert added.args == [("issues",)]
    assert list(library.snapshot.clients) == ["claude-desktop"]
    assert [client for client, file in files.items() if file.read_bytes() != before[client]] == ["claude-desktop"]


def test_rows_report_progress_and_home_follows(qtbot: QtBot, page: FirstRunPage, library: Library) -> None:
    with qtbot.waitSignal(page.added):
        click(page.connect_button)
    assert page.sources.rows["issues"].second.text() == "Adding…"
    assert page.assistants.rows["cursor"].second.text() == "Set up"
    assert page.later_button.text() == "Done"
    for server in FOUND:  # the proxy of this test does not run: an entry that is off has settled
        library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, server, {"disabled": True}))
    with qtbot.waitSignal(page.place_requested, timeout=10_000) as went:
        page._show_progress()
    assert went.args == [HOME]


def test_failing_row_is_reported_and_the_others_are_connected(
    qtbot: QtBot, page: FirstRunPage, library: Library, files: Mapping[str, Path]
) -> None:
    theirs = files["cursor"].read_bytes() + b"\n"
    files["cursor"].write_bytes(theirs)
    with qtbot.waitSignal(page.connected):
        click(page.connect_button)
    assert "has changed since you looked" in page.wrong.text()
    assert files["cursor"].read_bytes() == theirs
    assert set(library.snapshot.clients) == {"claude-desktop", "vscode"}
    qtbot.waitUntil(lambda: page.assistants.ticked() == ["cursor"], timeout=5000)
    assert page.connect_button.text() == "Connect 1 assistant"
    with qtbot.waitSignal(page.place_requested, timeout=10_000) as went:
        click(page.connect_button)
    assert went.args == [HOME]
    assert set(library.snapshot.clients) == {"claude-desktop", "vscode", "cursor"}


def test_the_exact_change_is_shown(qtbot: QtBot, page: FirstRunPage, files: Mapping[str, Path]) -> None:
    assert not [one for one in page.findChildren(DiffView) if one.isVisible()], "no JSON before it is wanted"
    page.changes.open()

    def shown() -> str:
        diffs = {one.accessibleName(): one for one in page.changes.findChildren(DiffView) if one.isVisible()}
        return diffs["What changes in VS Code"].toPlainText() if "What changes in VS Code" in diffs else ""

    qtbot.waitUntil(lambda: "\n- " in shown())  # its own copy
    assert '"/opt/toolnote/toolnote"' in shown()
    click(page.switch_off)
    qtbot.waitUntil(lambda: bool(shown()) and not any(line.startswith("-") for line in shown().splitlines()))
    with qtbot.waitSignal(page.added):
        click(page.connect_button)
    assert b"// mine" in files["vscode"].read_bytes()


def test_with_the_keyboard_alone(qtbot: QtBot, page: FirstRunPage, library: Library) -> None:
    box = page.sources.rows["issues"].box
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert page.sources.ticked() == ["notes"]
    qtbot.waitUntil(lambda: not page._preparing.is_running)
    assert page.entrance() is page.connect_button
    with qtbot.waitSignal(page.added):
        QTest.keyClick(page.entrance(), Qt.Key.Key_Return)
    assert set(library.snapshot.clients) == {"claude-desktop", "cursor", "vscode"}


def test_a_locked_keychain_leaves_the_choice_to_the_user(
    qtbot: QtBot,
    make_page: Callable[[], FirstRunPage],
    library: Library,
    files: Mapping[str, Path],
    keychain: TestKeychain,
) -> None:
    entry = {"mcpServers": {"issues": {**ISSUES, "env": {"API_KEY": "s3cret-1"}}}}
    files["cursor"].write_text(json.dumps(entry), encoding="utf-8")
    keychain.mood = "locked"
    page = make_page()
    qtbot.waitUntil(lambda: set(page.assistants.rows) == set(files), timeout=5000)
    with_key = [row.second.text() for row in page.sources.rows.values() if "key" in row.second.text()]
    assert with_key == ["From Claude Desktop and Cursor. Its key moves to the keychain."]
    page.resize(1100, 400)
    page.changes.open()
    qtbot.waitUntil(lambda: page.verticalScrollBar().maximum() > 0)
    click(page.connect_button)
    qtbot.waitUntil(page.secrets.places.isVisible, timeout=5000)
    qtbot.waitUntil(lambda: not page.secrets.places.visibleRegion().isEmpty())  # red without scrolling to it
    assert page.wrong.text() == "Your keychain is locked. Unlock it, then try again."
    assert SERVER_ENTRIES not in (library.raw(SERVERS) or {})
    assert page.choices.isEnabled()
    assert set(page.sources.ticked()) == set(page.sources.rows)
    with qtbot.waitSignal(page.added):
        click(page.secrets.places.run_button)
    assert set(library.snapshot.clients) == {"claude-desktop", "cursor", "vscode"}
    assert all("s3cret" not in json.dumps(entry) for entry in (library.raw(SERVERS) or {})[SERVER_ENTRIES].values())


def test_without_a_keychain_no_word_promises_one(
    qtbot: QtBot, make_page: Callable[[], FirstRunPage], files: Mapping[str, Path]
) -> None:
    """The words of before promised a keychain, and asked for the key again."""
    entry = {"mcpServers": {"issues": {**ISSUES, "env": {"API_KEY": "s3cret-1"}}}}
    files["cursor"].write_text(json.dumps(entry), encoding="utf-8")
    page = make_page()
    qtbot.waitUntil(lambda: set(page.assistants.rows) == set(files), timeout=5000)
    assert page.sources.rows["issues"].second.text() == "From Claude Desktop and Cursor. Toolnote keeps its key."
    click(page.connect_button)
    qtbot.waitUntil(page.secrets.places.isVisible, timeout=5000)
    assert page.wrong.text() == "This computer has no keychain that Toolnote can use."


def test_enter_begins_once_the_search_has_ended(
    qtbot: QtBot, make_page: Callable[[], FirstRunPage], files: Mapping[str, Path]
) -> None:
    """Seen red without leading the focus: it stayed on *Not now*, the only button during the search."""
    page = make_page()
    page.later_button.setFocus()
    qtbot.waitUntil(lambda: set(page.assistants.rows) == set(files), timeout=5000)
    qtbot.waitUntil(lambda: page.foot().focusWidget() is page.connect_button)


def test_page_without_findings_leads_on(qtbot: QtBot, make_page: Callable[[], FirstRunPage], user_folder: Path) -> None:
    page = make_page()
    qtbot.waitUntil(page.nothing.isVisible, timeout=5000)
    texts = [one.text() for one in page.nothing.findChildren(QLabel)]
    assert "No assistants or tools found on this computer yet" in texts
    for button, signal in (
        (page.demo_card_button, page.demo_requested),
        (page.catalog_button, page.catalog_requested),
        (page.assistant_button, page.connect_requested),
    ):
        with qtbot.waitSignal(signal):
            click(button)
    assert page.again_button.isVisible()
    assert not page.connect_button.isVisible()
    with qtbot.waitSignal(page.place_requested) as went:
        click(page.later_button)
    assert went.args == [HOME]


def test_searching_again_finds_what_is_installed_meanwhile(
    qtbot: QtBot, make_page: Callable[[], FirstRunPage], user_folder: Path
) -> None:
    page = make_page()
    qtbot.waitUntil(page.nothing.isVisible, timeout=5000)
    file = Path.home() / ".cursor" / "mcp.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"mcpServers": {"notes": NOTES}}), encoding="utf-8")
    click(page.again_button)
    qtbot.waitUntil(lambda: page.sources.ticked() == ["notes"], timeout=5000)
    qtbot.waitUntil(lambda: not page.nothing.isVisible())


def test_columns_are_stacked_in_a_narrow_window(qtbot: QtBot, page: FirstRunPage) -> None:
    beside = page.sources_column.mapTo(page, page.sources_column.rect().topLeft())
    page.set_width_class(Width.SMALL)
    page.resize(600, 900)
    qtbot.waitUntil(
        lambda: page.sources_column.mapTo(page, page.sources_column.rect().topLeft()).y() > beside.y() + 100
    )
