"""Add tools: by hand, from other programs, from a file or link; the first start."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click
from tests.file_keyring import TestKeychain
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.add_servers.add_dialog import AddToolsDialog
from toolnote_desktop.desktop.add_servers.deep_link import read_link
from toolnote_desktop.desktop.add_servers.import_dialog import ImportDialog
from toolnote_desktop.desktop.connect.dialog import ConnectDialog
from toolnote_desktop.desktop.dialogs.crash_dialog import CrashDialog
from toolnote_desktop.desktop.editing.default_toolset import MY_TOOLS, is_first_run, make_my_tools
from toolnote_desktop.desktop.first_run.dialog import FirstRunDialog
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell.crash_reporter import crash_report
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.tools.catalogue import Catalogue, ServerListing
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretLocation, SecretStore

OURSELVES = ToolnoteIdentity()


@pytest.fixture
def library(empty_library: Library) -> Library:
    assert is_first_run(empty_library.snapshot)
    make_my_tools(empty_library, "My tools")
    assert not is_first_run(empty_library.snapshot)
    return empty_library


@pytest.fixture
def window(plain_window: QWidget) -> QWidget:
    return plain_window


@pytest.fixture
def adding(window: QWidget, library: Library, link: ProxyLink) -> AddToolsDialog:
    dialog = AddToolsDialog(library, link, OURSELVES, window)
    dialog.open()
    return dialog


def entries(library: Library) -> dict[str, object]:
    found = (library.raw(SERVERS) or {}).get(SERVER_ENTRIES, {})
    assert isinstance(found, dict)
    return found


def test_a_command_is_typed_and_added(qtbot: QtBot, adding: AddToolsDialog, library: Library) -> None:
    assert not adding.add_button.isEnabled()
    QTest.keyClicks(adding.pasted, "uvx mcp-server-git --repository .")
    with qtbot.waitSignal(adding.added) as added:
        click(adding.add_button)
    assert added.args == [("git",)]
    assert entries(library) == {
        "git": {
            "command": "uvx",
            "args": ["mcp-server-git", "--repository", "."],
            "toolnote": {"toolset": MY_TOOLS},
        }
    }


def test_its_tools_need_not_go_into_my_tools_and_it_gets_another_name(
    qtbot: QtBot, adding: AddToolsDialog, library: Library
) -> None:
    adding.pasted.setPlainText("https://mcp.linear.app/mcp")
    adding.names["linear"].setText("Planning")
    adding.collect.click()
    with qtbot.waitSignal(adding.added):
        click(adding.add_button)
    assert entries(library) == {"Planning": {"type": "http", "url": "https://mcp.linear.app/mcp"}}


def test_invalid_input_is_reported_and_kept(qtbot: QtBot, adding: AddToolsDialog, library: Library) -> None:
    adding.pasted.setPlainText('{"mcpServers": {"ok": {"command": "x"}, "bad": {"args": []}}}')
    assert adding.wrong.isVisible()
    assert "bad" in adding.wrong.text()
    with qtbot.waitSignal(adding.added):
        click(adding.add_button)
    assert list(entries(library)) == ["ok"]


def test_two_of_one_name_are_refused(qtbot: QtBot, adding: AddToolsDialog, library: Library) -> None:
    adding.pasted.setPlainText('{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}')
    adding.names["b"].setText("a")
    click(adding.add_button)
    assert "a" in adding.wrong.text()
    assert entries(library) == {}
    adding.names["b"].clear()
    assert not adding.add_button.isEnabled()


def test_source_that_exists_is_not_added_twice(qtbot: QtBot, adding: AddToolsDialog, library: Library) -> None:
    adding.pasted.setPlainText("uvx mcp-server-git")
    with qtbot.waitSignal(adding.added):
        click(adding.add_button)
    again = adding
    again.pasted.setPlainText("uvx  mcp-server-git")
    assert not again.names


def test_start_of_an_added_source_is_shown_live(
    qtbot: QtBot, adding: AddToolsDialog, library: Library, link: ProxyLink
) -> None:
    adding.pasted.setPlainText("uvx mcp-server-git")
    with qtbot.waitSignal(adding.added):
        click(adding.add_button)
    row = adding.progress.rows["git"]
    assert row.state.text() == "starting"
    problem = Problem(Code.PROGRAM_MISSING, {"server": "git", "program": "uvx", "path": "/bin"})
    with qtbot.waitSignal(link.changed):
        status = ServerStatus(ServerState.NEEDS_PROGRAM, problem)
        library.publish_catalogue(Catalogue(servers={"git": ServerListing(status)}))
    assert "uvx" in row.why.text()
    click(row.log_button)
    assert adding.progress.log.toPlainText() == "It has written nothing."
    with qtbot.waitSignal(link.changed):
        library.publish_catalogue(Catalogue(servers={"git": ServerListing(ServerStatus(ServerState.READY))}))
    assert row.state.text().startswith("ready, ")
    assert not row.again_button.isVisible()
    click(adding.add_button)
    assert not adding.isVisible()


def test_other_programs_servers_are_ticked_and_added(
    qtbot: QtBot, window: QWidget, library: Library, user_folder: Path
) -> None:
    claude = current_environment().program_data / "Claude" / "claude_desktop_config.json"
    claude.parent.mkdir(parents=True)
    servers = {"files": {"command": "npx", "env": {"KEY": "s3cret-1"}}, "time": {"command": "uvx", "args": ["t"]}}
    claude.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    dialog = ImportDialog(library, None, window)
    dialog.search_computer(current_environment(), OURSELVES)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.choices.checked_keys() == ["files", "time"], timeout=5000)
    box = dialog.choices.boxes["files"]
    assert "KEY=•••" in box.accessibleDescription()
    assert "Claude Desktop" in box.accessibleDescription()
    dialog.choices.boxes["time"].click()
    with qtbot.waitSignal(dialog.added) as added:
        click(dialog.add_button)
    assert added.args == [("files",)]
    assert entries(library) == {
        "files": {"command": "npx", "env": {"KEY": "s3cret-1"}, "toolnote": {"toolset": MY_TOOLS}}
    }


def test_a_file_from_elsewhere_is_shown_in_full_and_arrives_switched_off(
    qtbot: QtBot, window: QWidget, library: Library, link: ProxyLink, home: Home, tmp_path: Path
) -> None:
    file = tmp_path / "sent.json"
    file.write_text('{"mcpServers": {"x": {"command": "sh", "env": {"A": "in-full"}}}}', encoding="utf-8")
    dialogs = DialogOpener(window, library, link, home, lambda: None)
    dialogs.preview(str(file))
    dialog = dialogs.current
    assert isinstance(dialog, ImportDialog)
    qtbot.waitUntil(lambda: dialog.choices.checked_keys() == ["x"], timeout=5000)
    assert "A=in-full" in dialog.choices.boxes["x"].accessibleDescription()
    assert entries(library) == {}
    with qtbot.waitSignal(dialog.added):
        click(dialog.add_button)
    assert library.snapshot.servers["x"].disabled


def test_a_file_that_is_not_there_says_so(
    qtbot: QtBot, window: QWidget, library: Library, link: ProxyLink, home: Home, tmp_path: Path
) -> None:
    dialogs = DialogOpener(window, library, link, home, lambda: None)
    dialogs.preview(str(tmp_path / "none.json"))
    dialog = dialogs.current
    assert isinstance(dialog, ImportDialog)
    qtbot.waitUntil(lambda: "none.json" in dialog.warnings.text(), timeout=5000)
    assert not dialog.add_button.isEnabled()
    dialogs.close()


def test_links_offer_a_server_and_do_nothing() -> None:
    config = base64.urlsafe_b64encode(json.dumps({"command": "npx", "args": ["-y", "ü"]}).encode()).decode().rstrip("=")
    reading = read_link(f"toolnote://add-server?name=notes&config={config}", OURSELVES)
    assert [(one.id, one.entry) for one in reading.candidates] == [("notes", {"command": "npx", "args": ["-y", "ü"]})]
    plain = read_link("toolnote://add-server?url=https%3A%2F%2Fmcp.linear.app%2Fmcp", OURSELVES)
    assert [one.id for one in plain.candidates] == ["linear"]


@pytest.mark.parametrize(
    "link",
    [
        "toolnote://run?command=sh",
        "https://add-server?name=x",
        "toolnote://add-server",
        "toolnote://add-server?config=%%%",
        "toolnote://add-server?url=file:///etc/passwd",
        "toolnote://add-server?config=" + base64.b64encode(b"[1]").decode(),
        "toolnote://[",
        "toolnote://add-server?url=https://x/" + "y" * 8_200,
    ],
)
def test_links_that_offer_nothing_say_why(link: str) -> None:
    reading = read_link(link, OURSELVES)
    assert reading.candidates == ()
    assert reading.warnings != ()


def test_the_first_start_leads_on(qtbot: QtBot, window: QWidget, library: Library, link: ProxyLink, home: Home) -> None:
    demo: list[bool] = []
    dialogs = DialogOpener(window, library, link, home, lambda: demo.append(True))
    dialogs.first_run()
    first = dialogs.current
    assert isinstance(first, FirstRunDialog)
    assert first.title.text() == "Welcome to Toolnote"
    qtbot.waitUntil(lambda: first.nothing.text().startswith("No other program"), timeout=5000)
    click(first.demo_button)
    assert demo == [True]
    dialogs.first_run()
    again = dialogs.current
    assert isinstance(again, FirstRunDialog)
    click(again.paste_button)
    adding = dialogs.current
    assert isinstance(adding, AddToolsDialog)
    click(adding.import_button)
    imports = dialogs.current
    assert isinstance(imports, ImportDialog)
    dialogs.connect_assistant()
    connects = dialogs.current
    assert isinstance(connects, ConnectDialog)
    dialogs.close()


def test_an_error_of_our_own_is_shown_unless_something_is_open(
    window: QWidget, library: Library, link: ProxyLink, home: Home
) -> None:
    dialogs = DialogOpener(window, library, link, home, lambda: None)
    report = crash_report(ValueError("no such thing"), "", [])
    dialogs.add_tools()
    opened = dialogs.current
    dialogs.show_crash(report)
    assert dialogs.current is opened
    dialogs.close()
    dialogs.show_crash(report)
    shown = dialogs.current
    assert isinstance(shown, CrashDialog)
    assert "ValueError: no such thing" in shown.text.toPlainText()
    dialogs.close()


def secret_file(user_folder: Path) -> Path:
    claude = current_environment().program_data / "Claude" / "claude_desktop_config.json"
    claude.parent.mkdir(parents=True)
    files = {"command": "npx", "args": ["--token", "s3cret-2"], "env": {"API_KEY": "s3cret-1", "LEVEL": "debug"}}
    claude.write_text(json.dumps({"mcpServers": {"files": files}}), encoding="utf-8")
    return claude


def test_secrets_go_into_the_keychain(
    qtbot: QtBot, window: QWidget, library: Library, user_folder: Path, keychain: TestKeychain
) -> None:
    file = secret_file(user_folder)
    before = file.read_bytes()
    store = SecretStore.of(library)
    dialog = ImportDialog(library, store, window)
    dialog.search_computer(current_environment(), OURSELVES)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.choices.checked_keys() == ["files"], timeout=5000)
    assert dialog.store_secrets.text() == "Keep 2 secrets in the keychain, not in the settings"
    with qtbot.waitSignal(dialog.added):
        click(dialog.add_button)
    added = library.snapshot.servers["files"]
    assert (added.args, added.env["API_KEY"]) == (("--token", "${secret:TOKEN}"), "${secret:API_KEY}")
    assert (store.read("files", "TOKEN"), store.read("files", "API_KEY")) == ("s3cret-2", "s3cret-1")
    library.flush()
    assert b"s3cret" not in library.home.servers.read_bytes()
    assert file.read_bytes() == before


def test_add_tools_without_keychain_adds_only_once_storage_is_chosen(
    qtbot: QtBot, window: QWidget, library: Library, user_folder: Path, keychain: TestKeychain
) -> None:
    secret_file(user_folder)
    keychain.mood = "locked"
    dialog = ImportDialog(library, SecretStore.of(library), window)
    dialog.search_computer(current_environment(), OURSELVES)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.choices.checked_keys() == ["files"], timeout=5000)
    click(dialog.add_button)
    qtbot.waitUntil(dialog.wrong.isVisible, timeout=5000)
    assert "Nothing was added" in dialog.wrong.text()
    assert "s3cret" not in dialog.wrong.text()
    assert entries(library) == {}
    dialog.store_secrets.click()
    with qtbot.waitSignal(dialog.added):
        click(dialog.add_button)
    assert library.snapshot.servers["files"].env["API_KEY"] == "s3cret-1"


def test_a_pasted_secret_goes_into_the_keychain_too(
    qtbot: QtBot, adding: AddToolsDialog, library: Library, link: ProxyLink, keychain: TestKeychain
) -> None:
    assert not adding.store_secrets.isVisible()
    adding.pasted.setPlainText("API_KEY=s3cret-1 uvx notes")
    assert adding.store_secrets.text() == "Keep 1 secret in the keychain, not in the settings"
    with qtbot.waitSignal(adding.added):
        click(adding.add_button)
    assert library.snapshot.servers["notes"].env == {"API_KEY": "${secret:API_KEY}"}
    assert link.secrets.read("notes", "API_KEY") == "s3cret-1"


def test_hypertool_sources_are_found_with_their_toolsets(
    qtbot: QtBot, window: QWidget, library: Library, user_folder: Path
) -> None:
    folder = current_environment().home / ".toolprint" / "hypertool-mcp"
    folder.mkdir(parents=True)
    notes = {"toolRef": {"namespacedName": "git.log"}, "notes": [{"name": "short", "note": "Ten lines at most."}]}
    toolsets = {"toolsets": {"dev": {"tools": [{"namespacedName": "git.log"}], "toolNotes": [notes]}}}
    (folder / "config.json").write_text(json.dumps(toolsets), encoding="utf-8")
    (folder / "mcp.json").write_text('{"mcpServers": {"git": {"command": "uvx"}}}', encoding="utf-8")
    persona = folder / "personas" / "writer"
    persona.mkdir(parents=True)
    text = "name: writer\ntoolsets:\n- name: blog\n  toolIds: [git.show]\n"
    (persona / "persona.yaml").write_text(text, encoding="utf-8")
    dialog = ImportDialog(library, None, window)
    dialog.search_computer(current_environment(), OURSELVES)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.toolsets.checked_keys() == ["dev", "writer-blog"], timeout=5000)
    assert "Ten lines at most." in dialog.toolsets.boxes["dev"].accessibleDescription()
    assert dialog.add_button.text() == "Add 3"
    dialog.toolsets.boxes["writer-blog"].click()
    with qtbot.waitSignal(dialog.added):
        click(dialog.add_button)
    assert not library.snapshot.servers["git"].disabled
    assert set(library.snapshot.toolsets) == {MY_TOOLS, "dev"}
    dialog = ImportDialog(library, None, window)
    dialog.read_file(persona, OURSELVES)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.toolsets.checked_keys() == ["writer-blog"], timeout=5000)


@pytest.mark.parametrize("place", [SecretLocation.RUN, SecretLocation.FILE])
def test_with_no_keychain_at_all_the_person_chooses_where(
    qtbot: QtBot, window: QWidget, library: Library, user_folder: Path, place: SecretLocation
) -> None:
    secret_file(user_folder)
    store = SecretStore.of(library)
    dialog = ImportDialog(library, store, window)
    dialog.search_computer(current_environment(), OURSELVES)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.choices.checked_keys() == ["files"], timeout=5000)
    assert not dialog.store_secrets.places.isVisible()
    click(dialog.add_button)
    qtbot.waitUntil(dialog.store_secrets.places.isVisible, timeout=5000)
    assert "Nothing was added" in dialog.wrong.text()
    assert entries(library) == {}
    places = dialog.store_secrets.places
    with qtbot.waitSignal(dialog.added):
        click(places.run_button if place is SecretLocation.RUN else places.file_button)
    assert library.snapshot.servers["files"].env["API_KEY"] == "${secret:API_KEY}"
    assert store.names("files") == {"API_KEY": place, "TOKEN": place}
    assert store.read("files", "API_KEY") == "s3cret-1"
    assert library.snapshot.settings.secrets_without_keychain == place


def test_with_no_keychain_the_settings_are_a_choice_too(
    qtbot: QtBot, adding: AddToolsDialog, library: Library, link: ProxyLink
) -> None:
    adding.pasted.setPlainText("API_KEY=s3cret-1 uvx notes")
    click(adding.add_button)
    qtbot.waitUntil(adding.store_secrets.places.isVisible, timeout=5000)
    adding.store_secrets.click()
    assert not adding.store_secrets.places.isVisible()
    with qtbot.waitSignal(adding.added):
        click(adding.add_button)
    assert library.snapshot.servers["notes"].env == {"API_KEY": "s3cret-1"}
    assert link.secrets.names("notes") == {}


def test_pasted_secret_without_keychain_is_stored_where_the_user_chooses(
    qtbot: QtBot, adding: AddToolsDialog, library: Library, link: ProxyLink
) -> None:
    adding.pasted.setPlainText("API_KEY=s3cret-1 uvx notes")
    click(adding.add_button)
    qtbot.waitUntil(adding.store_secrets.places.isVisible, timeout=5000)
    with qtbot.waitSignal(adding.added):
        click(adding.store_secrets.places.run_button)
    assert library.snapshot.servers["notes"].env == {"API_KEY": "${secret:API_KEY}"}
    assert link.secrets.names("notes") == {"API_KEY": SecretLocation.RUN}
