"""Settings for an assistant that is not in the list: JSON or TOML, or an address with a token."""

from __future__ import annotations

import json
import tomllib

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.assistant_page.manual_setup import ManualSetup, SettingsFormat
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.store.library import Library

OURSELVES = ToolnoteIdentity(command=("/opt/toolnote/toolnote",))


@pytest.fixture
def library(empty_library: Library) -> Library:
    return empty_library


@pytest.fixture
def setup(qtbot: QtBot, library: Library, link: ProxyLink) -> ManualSetup:
    made = ManualSetup(library, link, OURSELVES, lambda: "http://127.0.0.1:8377/mcp")
    qtbot.addWidget(made)
    made.show()
    return made


def pick(setup: ManualSetup, shape: SettingsFormat) -> None:
    """As with the keyboard: from row to row."""
    setup.shapes.setFocus()
    QTest.keyClick(setup.shapes, Qt.Key.Key_Home)
    while setup.shapes.currentData() != shape:
        row = setup.shapes.currentIndex()
        QTest.keyClick(setup.shapes, Qt.Key.Key_Down)
        assert setup.shapes.currentIndex() != row


def test_any_other_assistant_gets_something_to_copy(setup: ManualSetup) -> None:
    setup.name.setText("Our Agent")
    click(setup.copy_button)
    copied = json.loads(QGuiApplication.clipboard().text())
    assert copied["mcpServers"]["toolnote"]["args"][:3] == ["bridge", "--client", "our-agent"]


def test_in_toml_it_is_what_codex_would_read(setup: ManualSetup) -> None:
    pick(setup, SettingsFormat.STARTS_TOML)
    click(setup.copy_button)
    entry = tomllib.loads(QGuiApplication.clipboard().text())["mcp_servers"]["toolnote"]
    assert entry["args"][:3] == ["bridge", "--client", "my-assistant"]


def test_an_address_comes_with_a_token_of_which_only_the_hash_is_stored(setup: ManualSetup, library: Library) -> None:
    pick(setup, SettingsFormat.ADDRESS)
    setup.name.setText("Our Agent")
    assert not setup.copy_button.isVisible()
    click(setup.token_button)
    click(setup.copy_button)
    entry = json.loads(QGuiApplication.clipboard().text())["mcpServers"]["toolnote"]
    token = entry["headers"]["Authorization"].removeprefix("Bearer ")
    assert entry["url"] == "http://127.0.0.1:8377/mcp"
    assert library.snapshot.clients["our-agent"].token_hash == hash_token(token)
