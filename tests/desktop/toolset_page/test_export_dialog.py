"""A toolset handed on from one person's window to another's: shown in full, without secrets, switched off at first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from tests import permissions
from tests.desktop.helpers import click
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.assistants.toolset_file import strip_secrets
from toolnote_desktop.desktop.add_servers.page import FilePage
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.toolset_page.export_dialog import ExportDialog
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener
from toolnote_desktop.model.edits import (
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    SetFields,
    toolset_document,
)
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

PLANNING = {
    "name": "planning",
    "title": "Planning & more",
    "tools": [{"namespacedName": "linear.create_issue"}, {"namespacedName": "gone.x"}],
    "toolNotes": [
        {
            "toolRef": {"namespacedName": "linear.create_issue"},
            "notes": [{"name": "team", "note": "Ask which team first."}],
        }
    ],
}
LINEAR = {
    "command": "npx",
    "args": ["linear", "--api-key", "s3cret-1", "--level=3", "https://ada:s3cret-2@a.example/x?key=s3cret-3"],
    "env": {"LINEAR_KEY": "s3cret-4", "OTHER": "${OTHER}"},
    "headers": {"Authorization": "Bearer s3cret-5"},
    "disabled": True,
    "timeout": 9,
    "toolnote": {"toolset": "planning", "prefix": "li"},
}


@pytest.fixture
def library(empty_library: Library) -> Library:
    empty_library.submit(
        CreateDocument(toolset_document("planning"), PLANNING),
        CreateDocument(toolset_document("other"), {"name": "other", "tools": []}),
        AddEntry(SERVERS, SERVER_ENTRIES, "linear", LINEAR),
        SetFields(SETTINGS, {"equippedToolset": "planning"}),
    )
    return empty_library


@pytest.fixture
def window(plain_window: QWidget) -> QWidget:
    return plain_window


@pytest.fixture
def dialogs(qtbot: QtBot, library: Library, home: Home, window: QWidget) -> Iterator[DialogOpener]:
    link = ProxyLink(library, home)
    dialogs = DialogOpener(window, library, link, home, lambda: None)
    yield dialogs
    dialogs.close()
    link.stop()


def handing_on(dialogs: DialogOpener) -> ExportDialog:
    dialogs.export()
    dialog = dialogs.current
    assert isinstance(dialog, ExportDialog)
    return dialog


@pytest.fixture
def file_page(qtbot: QtBot, library: Library) -> FilePage:
    page = FilePage(library, None, ToolnoteIdentity)
    qtbot.addWidget(page)
    qtbot.addWidget(page.foot())
    page.show()
    page.foot().show()
    return page


def test_the_file_is_shown_and_saved(dialogs: DialogOpener, tmp_path: Path) -> None:
    dialog = handing_on(dialogs)
    assert dialog.choice.currentText() == "Planning & more"
    assert "mcpServers" not in dialog.text.toPlainText()
    click(dialog.save_button)
    chooser = dialog.findChild(QFileDialog)
    assert chooser is not None
    chooser.selectFile(str(tmp_path / "Week"))
    chooser.accept()
    saved = tmp_path / "Week.toolnote"
    written = json.loads(saved.read_bytes())
    assert {key: written[key] for key in PLANNING} == PLANNING
    assert str(saved) in dialog.said.text()


@pytest.mark.skipif(not permissions.BINDING, reason="nothing is refused to this user")
def test_unwritable_target_says_so(dialogs: DialogOpener, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    dialog = handing_on(dialogs)
    with permissions.binding():
        assert not dialog.save(tmp_path / "x.toolnote")
    assert "x.toolnote" in dialog.said.text()
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_is_said(dialogs: DialogOpener, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    dialog = handing_on(dialogs)
    assert not dialog.save(tmp_path / "file" / "x.toolnote")
    assert "x.toolnote" in dialog.said.text()


def test_its_servers_go_with_it_without_their_secrets(dialogs: DialogOpener) -> None:
    dialog = handing_on(dialogs)
    click(dialog.with_servers)
    assert "LINEAR_KEY" in dialog.to_fill.text()
    click(dialog.copy_button)
    text = QGuiApplication.clipboard().text()
    assert "s3cret" not in text
    assert json.loads(text)["mcpServers"]["linear"] == {
        "command": "npx",
        "args": ["linear", "--api-key", "${API_KEY}", "--level=3", "https://${HTTPS}@a.example/x?${HTTPS}"],
        "env": {"LINEAR_KEY": "${LINEAR_KEY}", "OTHER": "${OTHER}"},
        "headers": {"Authorization": "Bearer ${AUTHORIZATION}"},
        "timeout": 9,
        "toolnote": {"prefix": "li"},
    }


@pytest.mark.parametrize(
    ("entry", "handed"),
    [
        ({"url": "https://u:p@a.example/mcp?key=s3cret"}, {"url": "https://a.example/mcp"}),
        ({"url": "https://[s3cret"}, {"url": "${URL}"}),
        ({"env": {"1 b": "x", "K": "${K:-s3cret}"}}, {"env": {"1 b": "${VALUE_1_B}", "K": "${K}"}}),
        ({"headers": {"A": "Bearer ${T}", "B": "${secret:B}"}}, {"headers": {"A": "Bearer ${T}", "B": "${secret:B}"}}),
        ({"args": ["--token=s3cret"], "x-own": "s3cret"}, {"args": ["--token=${TOKEN}"]}),
    ],
)
def test_possible_secret_becomes_a_place_to_fill(entry: dict[str, Any], handed: dict[str, Any]) -> None:
    assert strip_secrets(entry) == handed


def test_exported_toolset_arrives_as_a_preview_and_then_switched_off(
    qtbot: QtBot, dialogs: DialogOpener, file_page: FilePage, library: Library, tmp_path: Path
) -> None:
    dialog = handing_on(dialogs)
    click(dialog.with_servers)
    file = tmp_path / "Week.toolnote"
    assert dialog.save(file)
    sent = json.loads(file.read_bytes())
    sent["name"], sent["mcpServers"]["linear"]["command"] = "Our Week!", "bunx"
    file.write_text(json.dumps(sent), encoding="utf-8")
    file_page.show_target(QUrl.fromLocalFile(str(file)).toString())
    preview = file_page.panel
    qtbot.waitUntil(lambda: preview.toolsets.checked_keys() == ["our-week"], timeout=5000)
    said = preview.toolsets.boxes["our-week"].accessibleDescription()
    assert "Ask which team first." in said
    assert "linear.create_issue (comes with its tool source)" in said
    assert "gone.x (not here" in said
    assert "“Our Week!” is called “our-week” here" in said
    described = preview.servers.boxes["linear-2"].accessibleDescription()
    assert "bunx linear --api-key '${API_KEY}'" in described
    assert "it reads these values: API_KEY" in described
    assert "our-week" not in library.snapshot.toolsets
    click(preview.add_button)
    qtbot.waitUntil(lambda: "linear-2" in library.snapshot.servers)
    assert library.snapshot.servers["linear-2"].disabled
    assert library.snapshot.servers["linear-2"].env["LINEAR_KEY"] == "${LINEAR_KEY}"
    arrived = library.snapshot.toolsets["our-week"]
    assert [entry.namespaced_name for entry in arrived.tools] == ["linear-2.create_issue", "gone.x"]
    assert "mcpServers" not in (library.raw(toolset_document("our-week")) or {})


def test_a_toolset_alone_says_nothing_of_servers(qtbot: QtBot, file_page: FilePage, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps({"tools": ["a.b"], "guidelines": "Be brief."}), encoding="utf-8")
    file_page.show_target(str(file))
    preview = file_page.panel
    qtbot.waitUntil(lambda: bool(preview.toolsets.checked_keys()), timeout=5000)
    assert not preview.warnings.isVisible()
    assert "read these notes" in file_page.second.text()
    assert not preview.target.isVisible()


def drop(window: QWidget, data: QMimeData) -> bool:
    """Drag something onto the window and let go; whether the window takes it."""
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(window, entering)
    if entering.isAccepted():
        QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, left, none))
    else:
        QApplication.sendEvent(window, QDragLeaveEvent())
    return entering.isAccepted()


@pytest.mark.filterwarnings("ignore:.*QDragEnterEvent:DeprecationWarning")  # there is no other way to make one
def test_dropped_file_is_previewed(
    qtbot: QtBot, dialogs: DialogOpener, file_page: FilePage, window: QWidget, library: Library, tmp_path: Path
) -> None:
    file = tmp_path / "readme.json"
    file.write_text('{"mcpServers": {"x": {"command": "sh"}}}', encoding="utf-8")
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(file))])
    dialogs.file_chosen.connect(file_page.show_target)
    dialogs.text_dropped.connect(lambda text: file_page.show_text(text, "a text"))
    ticked = file_page.panel.servers.checked_keys
    assert drop(window, dropped)
    qtbot.waitUntil(lambda: ticked() == ["x"], timeout=5000)
    snippet = QMimeData()
    snippet.setText('"y": {"command": "sh", "args": ["-c", "${HOME}"]},')
    assert drop(window, snippet)
    assert ticked() == ["y"]
    link = QMimeData()
    link.setText("toolnote://add-server?url=https%3A%2F%2Fmcp.linear.app%2Fmcp")
    assert drop(window, link)
    assert ticked() == ["linear-2"]
    assert list(library.snapshot.servers) == ["linear"]
    nothing = QMimeData()
    nothing.setText("just words")
    assert not drop(window, nothing)
