"""Settings to copy into an assistant that is not in the list."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from toolnote_desktop.assistants.installing.client_entries import install_edits
from toolnote_desktop.assistants.installing.client_tokens import new_token
from toolnote_desktop.assistants.installing.plan import bridge_command
from toolnote_desktop.assistants.known_client import stdio_entry, url_entry
from toolnote_desktop.assistants.toolnote_entry import ENTRY_NAME, ToolnoteIdentity
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.widgets.alert import announce
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.dialog import GAP
from toolnote_desktop.desktop.widgets.diff_view import DiffView
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import CLIENTS
from toolnote_desktop.model.names import slug
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.store.library import Library


class SettingsFormat(StrEnum):
    """Format of the assistant's settings."""

    STARTS = "starts"
    STARTS_TOML = "starts-toml"
    ADDRESS = "address"


class ManualSetup(QWidget):
    """Entry to copy: the bridge in JSON or TOML, or the address with a token."""

    def __init__(
        self,
        library: Library,
        link: ProxyLink,
        identity: ToolnoteIdentity,
        address: Callable[[], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._link = link
        self._identity = identity
        self._address = address
        self._tokens: dict[str, str] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(
            label(self.tr("Advanced: any other assistant that can use MCP servers"), "heading", wraps=True)
        )
        column.addWidget(
            label(
                self.tr("Copy this into its settings where it lists MCP servers. The name tells you here who it is."),
                "second",
                wraps=True,
            )
        )
        rows = QGridLayout()
        rows.setHorizontalSpacing(14)
        rows.setVerticalSpacing(8)
        rows.setColumnStretch(1, 1)
        self.name = QLineEdit("my-assistant")
        self.name.textChanged.connect(self._refresh)
        self.shapes = ComboBox()
        self.shapes.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.shapes.addItem(self.tr("JSON: it starts Toolnote’s own program"), SettingsFormat.STARTS)
        self.shapes.addItem(self.tr("TOML: it starts Toolnote’s own program"), SettingsFormat.STARTS_TOML)
        self.shapes.addItem(self.tr("JSON: an address, and a token of its own"), SettingsFormat.ADDRESS)
        self.shapes.chosen.connect(lambda _shape: self._refresh())
        for row, (caption, field) in enumerate(
            [(self.tr("Its name"), self.name), (self.tr("How it connects"), self.shapes)]
        ):
            said = label(caption)
            said.setBuddy(field)
            field.setAccessibleName(caption)
            rows.addWidget(said, row, 0)
            rows.addWidget(field, row, 1)
        column.addLayout(rows)
        self.text = DiffView()
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setAccessibleName(self.tr("What to copy"))
        column.addWidget(self.text, 1)
        self.hint = label("", "second", wraps=True)
        column.addWidget(self.hint)
        self.copy_button = Button(self.tr("Copy"))
        self.copy_button.clicked.connect(self._copy)
        self.token_button = Button(self.tr("Make its token"))
        self.token_button.clicked.connect(self._make_token)
        bottom = QHBoxLayout()
        bottom.setSpacing(8)
        for one in (self.copy_button, self.token_button):
            bottom.addWidget(one, 0, Qt.AlignmentFlag.AlignLeading)
        bottom.addStretch(1)
        column.addLayout(bottom)
        self._refresh()

    @property
    def client(self) -> str:
        """Client id derived from the name."""
        return slug(self.name.text(), fallback="assistant")

    def _refresh(self) -> None:
        shape = SettingsFormat(self.shapes.currentData())
        token = self._tokens.get(self.client)
        command = bridge_command(self.client, self._identity.command or ("toolnote",), self._link.home)
        if shape is SettingsFormat.STARTS_TOML:
            text = _toml(command)
        elif shape is SettingsFormat.STARTS:
            text = _json({"mcpServers": {ENTRY_NAME: stdio_entry(command)}})
        else:
            entry = url_entry(self._address(), {"Authorization": f"Bearer {token or '…'}"})
            text = _json({"mcpServers": {ENTRY_NAME: entry}})
        self.text.setPlainText(text)
        needs_token = shape is SettingsFormat.ADDRESS
        self.token_button.setVisible(needs_token and token is None)
        self.copy_button.setVisible(not needs_token or token is not None)
        self.copy_button.setText(self.tr("Copy"))
        self.hint.setVisible(needs_token)
        known = self.client in self._library.snapshot.clients
        if token is not None:
            self.hint.setText(self.tr("The token is shown only now. Anyone who has it can use your tools."))
        elif known:
            self.hint.setText(self.tr("There is an assistant of this name. With a new token its old one ends."))
        else:
            self.hint.setText(self.tr("It needs a token of its own, which you can revoke."))

    def _make_token(self) -> None:
        """Create a token for this name; only its hash is stored."""
        token = new_token()
        name = self.name.text().strip() or self.client
        try:
            self._library.submit(*install_edits(self._library.raw(CLIENTS), self.client, name, token=token))
        except ToolnoteError as error:
            self.hint.setText(messages.problem_text(error.problem))
            announce(self.hint, self.hint.text())
            return
        self._tokens[self.client] = token
        self._refresh()
        self.copy_button.setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copy_button.setText(self.tr("Copied"))


def _json(entry: json_text.JsonObject) -> str:
    return json_text.dumps_pretty(entry).decode("utf-8").rstrip()


def _toml(command: list[str]) -> str:
    words = [json.dumps(word, ensure_ascii=False) for word in command]
    return f"[mcp_servers.{ENTRY_NAME}]\ncommand = {words[0]}\nargs = [{', '.join(words[1:])}]"
