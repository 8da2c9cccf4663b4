"""New versions, from the line in the message bar to the installation after the end; and one put in our place."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.updates.test_updates import NAME, ReleaseServer, releases
from toolnote_desktop.desktop.dialogs.about import NOTICES, AboutDialog
from toolnote_desktop.desktop.dialogs.update_dialog import UpdateDialog
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell import updater
from toolnote_desktop.desktop.shell.updater import Updater
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener
from toolnote_desktop.desktop.window.update_messages import UpdateNotices
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.updates.build import Build

__all__ = ["releases"]

NOBODY = Build("", "", "")


class Desk:
    """A window, and what tells it of new versions."""

    def __init__(self, build: Build, library: Library, home: Home, qtbot: QtBot) -> None:
        self.link = ProxyLink(library, home, None)
        self.window = MainWindow(library, self.link)
        self.dialogs = DialogOpener(self.window, library, self.link, home, lambda: None)
        self.updates = Updater(build, library, home)
        self.notices = UpdateNotices(self.updates, self.window, self.dialogs, library, home)
        self.window.show()
        qtbot.waitExposed(self.window)

    def check_now(self, qtbot: QtBot) -> None:
        """Check for a new version as the user, and wait until the outcome is shown."""
        self.window.toast.dismiss()
        self.notices.check_now()
        qtbot.waitUntil(self.window.toast.isVisible)

    def close(self) -> None:
        self.updates.stop()
        self.updates.deleteLater()
        self.dialogs.close()
        self.window.close()
        self.window.deleteLater()
        self.link.stop()


@pytest.fixture
def library(empty_library: Library) -> Library:
    return empty_library


@pytest.fixture
def desk(releases: ReleaseServer, library: Library, home: Home, qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(releases.build, library, home, qtbot)
    yield desk
    desk.close()


def a_release_that_says_it_was_installed(releases: ReleaseServer, folder: Path) -> Path:
    """A .tar.gz as ours; its script leaves a mark."""
    mark = folder / "installed"
    source = folder / "toolnote-9.9.9-linux"
    source.mkdir()
    script = source / "install.sh"
    script.write_text(f"#!/bin/sh\necho done > '{mark}'\n")
    script.chmod(0o755)
    subprocess.run(["tar", "-czf", str(releases.folder / NAME), "-C", str(folder), source.name], check=True)
    releases.publish("9.9.9")
    return mark


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="installs a .tar.gz")
def test_from_the_line_to_the_installation(desk: Desk, releases: ReleaseServer, tmp_path: Path, qtbot: QtBot) -> None:
    mark = a_release_that_says_it_was_installed(releases, tmp_path)
    with qtbot.waitSignal(desk.updates.found):
        desk.updates.check_if_due()
    assert "9.9.9" in desk.window.toast.sentence.text()
    QTest.mouseClick(desk.window.toast.action_button, Qt.MouseButton.LeftButton)
    dialog = desk.dialogs.current
    assert isinstance(dialog, UpdateDialog)
    assert dialog.notes.toPlainText()
    with qtbot.waitSignal(dialog.ready):
        QTest.mouseClick(dialog.download_button, Qt.MouseButton.LeftButton)
    assert "when you quit" in dialog.state.text()
    assert not mark.exists()
    installer = desk.updates.install()
    assert installer is not None
    assert installer.wait(timeout=60) == 0
    assert mark.exists()


def test_a_download_is_work_and_goes_on_where_it_was_canceled(
    desk: Desk, releases: ReleaseServer, qtbot: QtBot
) -> None:
    """Seen red where Cancel did nothing: the download was ready."""
    releases.offer()
    desk.check_now(qtbot)
    QTest.mouseClick(desk.window.toast.action_button, Qt.MouseButton.LeftButton)
    dialog = desk.dialogs.current
    assert isinstance(dialog, UpdateDialog)
    row = desk.window.sidebar.work
    shown: list[str] = []

    def cancel() -> None:
        if row.isVisibleTo(desk.window.sidebar) and not shown:
            shown.append(row.words.text())
            row.cancel_button.click()

    desk.window.work.changed.connect(cancel)
    QTest.mouseClick(dialog.download_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(shown) and not desk.window.work.items)
    assert shown == ["Downloading Toolnote 9.9.9…"]
    assert dialog.download_button.isEnabled()
    assert not dialog.state.isVisible()
    with qtbot.waitSignal(dialog.ready):
        QTest.mouseClick(dialog.download_button, Qt.MouseButton.LeftButton)
    assert desk.window.work.items == ()


def test_updater_checks_once_a_day(desk: Desk, releases: ReleaseServer, qtbot: QtBot) -> None:
    releases.offer()
    with qtbot.waitSignal(desk.updates.found):
        desk.updates.check_if_due()
    asked = len(releases.asked)
    desk.updates.check_if_due()
    desk.check_now(qtbot)
    assert "9.9.9" in desk.window.toast.sentence.text()
    assert len(releases.asked) == asked + 2  # the feed and its signature, for the one who asked


def test_updater_is_switched_off_with_one_click(
    desk: Desk, releases: ReleaseServer, library: Library, qtbot: QtBot
) -> None:
    releases.offer()
    desk.check_now(qtbot)
    QTest.mouseClick(desk.window.toast.action_button, Qt.MouseButton.LeftButton)
    dialog = desk.dialogs.current
    assert isinstance(dialog, UpdateDialog)
    dialog.checks_box.click()
    assert library.snapshot.settings.look_for_updates is False
    os.utime(desk.updates.stamp_file, (0, 0))
    releases.asked.clear()
    desk.updates.check_if_due()
    desk.check_now(qtbot)  # to ask is still possible
    assert len(releases.asked) == 2


def test_a_tampered_file_can_be_tried_again_and_is_not_installed(
    desk: Desk, releases: ReleaseServer, qtbot: QtBot
) -> None:
    releases.offer()
    desk.check_now(qtbot)
    (releases.folder / NAME).write_bytes(b"!" * (releases.folder / NAME).stat().st_size)
    QTest.mouseClick(desk.window.toast.action_button, Qt.MouseButton.LeftButton)
    dialog = desk.dialogs.current
    assert isinstance(dialog, UpdateDialog)
    QTest.mouseClick(dialog.download_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.download_button.text() == "Try again")
    assert "not the file" in dialog.state.text()
    assert dialog.download_button.isEnabled()


def test_update_check_on_request_reports_no_update_or_no_answer(
    desk: Desk, releases: ReleaseServer, qtbot: QtBot
) -> None:
    releases.offer("0.0.1")
    desk.check_now(qtbot)
    assert "newest" in desk.window.toast.sentence.text()
    (releases.folder / "feed.json").unlink()
    desk.check_now(qtbot)
    assert "404" in desk.window.toast.sentence.text()


def test_about(desk: Desk, qtbot: QtBot) -> None:
    desk.window.menu.about.trigger()
    dialog = desk.dialogs.current
    assert isinstance(dialog, AboutDialog)
    dialog.show_page(NOTICES)
    assert "runs from source" in dialog.text.toPlainText()
    assert "Check for updates" in [one.text() for one in dialog.findChildren(QPushButton)]
    dialog.reject()
    desk.updates.build = NOBODY
    desk.window.menu.about.trigger()
    assert isinstance(desk.dialogs.current, AboutDialog)
    assert "Check for updates" not in [one.text() for one in desk.dialogs.current.findChildren(QPushButton)]


def test_a_version_put_in_our_place_is_in_use_after_a_restart(
    library: Library, home: Home, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a package manager does: another file under the same name. It is told once nobody is at it any more."""
    program = tmp_path / "toolnote-desktop"
    program.write_text("one")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(updater, "_REPLACED_MS", 5)
    seen: list[object] = []
    desk = Desk(NOBODY, library, home, qtbot)
    desk.notices.restart_requested.connect(lambda: seen.append(None))
    desk.updates.start()
    new = tmp_path / "new"
    new.write_text("another")
    with qtbot.waitSignal(desk.updates.replaced):
        os.replace(new, program)
    assert desk.window.toast.sentence.text() == "A new version of Toolnote is installed. Restart to use it."
    assert not seen
    QTest.mouseClick(desk.window.toast.action_button, Qt.MouseButton.LeftButton)
    assert seen == [None]
    desk.close()


def test_updater_restarts_by_itself_without_a_window(desk: Desk, qtbot: QtBot) -> None:
    desk.window.hide()
    with qtbot.waitSignal(desk.notices.restart_requested):
        desk.updates.replaced.emit()


def test_updater_removes_installed_downloads(desk: Desk, home: Home) -> None:
    home.updates.mkdir(parents=True)
    for name in ("looked", "old.tar.gz", "new.tar.gz.part"):
        (home.updates / name).write_text("x")
    (home.updates / "unpacked-1").mkdir()
    desk.updates.start()
    assert sorted(path.name for path in home.updates.iterdir()) == ["looked", "new.tar.gz.part"]
