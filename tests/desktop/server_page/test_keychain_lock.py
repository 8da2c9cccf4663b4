"""A locked keychain in the window: a real Secret Service (GNOME's) on a bus of its own, locked, dismissed, unlocked."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.servers.launch import raw_server_entry
from tests.store.secrets.test_secret_service import PROGRAMS, ended, secret_service
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry, RemoveEntry
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.store.library import Library

__all__ = ["secret_service"]

PATIENCE = 30_000
SOURCE = RowKey(Kind.SERVER, "a")
pytestmark = [
    pytest.mark.once,
    # keyring leaves its connection open where unlocking failed
    pytest.mark.filterwarnings("ignore:.*socket.socket:pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.skipif(
        not sys.platform.startswith("linux") or None in map(shutil.which, (*PROGRAMS, "dbus-monitor")),
        reason="needs dbus-daemon, dbus-monitor and gnome-keyring",
    ),
]


@pytest.fixture
def prompts(secret_service: object, tmp_path: Path) -> Iterator[Callable[[], int]]:
    """How often the keyring was asked to show its prompt, which takes mouse and keys."""
    seen = tmp_path / "calls"
    with seen.open("w") as file:
        command = ["dbus-monitor", "--session", "type='method_call',interface='org.freedesktop.Secret.Prompt'"]
        with ended(subprocess.Popen(command, stdout=file, text=True)):
            yield lambda: seen.read_text("utf-8").count("member=Prompt\n")


def lock() -> None:
    import secretstorage

    with closing(secretstorage.dbus_init()) as bus:
        secretstorage.get_default_collection(bus).lock()


def unlock() -> None:
    """Unlock the keyring with its password, as its owner does elsewhere."""
    import secretstorage
    from jeepney import DBusAddress, new_method_call  # type: ignore[import-untyped]
    from secretstorage.util import format_secret, open_session

    with closing(secretstorage.dbus_init()) as bus:
        collection = secretstorage.get_default_collection(bus)
        secret = format_secret(open_session(bus), b"the password", "text/plain")
        address = DBusAddress(
            "/org/freedesktop/secrets",
            bus_name="org.freedesktop.secrets",
            interface="org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface",
        )
        call = new_method_call(address, "UnlockWithMasterPassword", "o(oayays)", (collection.collection_path, secret))
        bus.send_and_get_reply(call)
        assert not collection.is_locked()


def test_a_locked_keychain_is_unlocked_on_the_button_only(
    qtbot: QtBot, prompts: Callable[[], int], window: MainWindow, library: Library, link: ProxyLink
) -> None:
    """F3: a locked keyring showed a prompt each second, which took mouse and keys; now one for each press.

    Red with ``may_prompt`` left out of ``Keychain.read``.
    """
    page = window.pages.server_page

    def status() -> ServerStatus:
        return library.snapshot.catalogue.servers["a"].status

    def is_locked() -> bool:
        known = library.snapshot.catalogue.servers.get("a")
        problem = known.status.problem if known is not None else None
        return problem is not None and problem.code is Code.KEYCHAIN_LOCKED

    link.secrets.write("a", "KEY", "sk-live-0123456789")
    lock()
    library.submit(
        *(RemoveEntry(SERVERS, SERVER_ENTRIES, known) for known in library.snapshot.servers),
        AddEntry(SERVERS, SERVER_ENTRIES, "a", {**raw_server_entry(), "env": {"KEY": "${secret:KEY}"}}),
    )
    link.start()
    qtbot.waitUntil(is_locked, timeout=PATIENCE)
    window.go(SOURCE)
    qtbot.waitUntil(lambda: page.state_box.title.text() == "Your keychain is locked", timeout=PATIENCE)
    assert page.state_box.button.text() == "Unlock…"
    needs = ["Your keychain is locked"]
    qtbot.waitUntil(lambda: [need.text for need in window.needs if need.target == SOURCE] == needs)
    assert prompts() == 0
    # the prompt cannot be shown on this bus, which is the same to us as one that the user cancels
    QTest.mouseClick(page.state_box.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: prompts() == 1, timeout=PATIENCE)
    qtbot.waitUntil(lambda: not page.access._unlocking.is_running, timeout=PATIENCE)
    with qtbot.waitSignal(link.changed, timeout=PATIENCE):
        link.restart_server("a")
    qtbot.waitUntil(is_locked, timeout=PATIENCE)
    window.go(RowKey(Kind.TOOLSET, "my-tools"))
    window.go(SOURCE)
    qtbot.waitUntil(lambda: not page.access._checking.is_running, timeout=PATIENCE)
    assert prompts() == 1
    unlock()
    QTest.mouseClick(page.state_box.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: status().state is ServerState.READY, timeout=PATIENCE)
    qtbot.waitUntil(lambda: not page.state_box.isVisible(), timeout=PATIENCE)
    assert prompts() == 1
    link.stop()
