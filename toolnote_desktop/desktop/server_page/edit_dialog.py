"""Dialog for the settings of a tool source: program or address, and values."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFileDialog, QGridLayout, QLineEdit, QPlainTextEdit, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.recognise_paste import split_command
from toolnote_desktop.desktop.async_tasks import LatestTask, disabled
from toolnote_desktop.desktop.theme.fonts import fixed_font, text_font, text_scale
from toolnote_desktop.desktop.widgets.alert import Alert, announce
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.model.document import parse_entry
from toolnote_desktop.model.edits import ABSENT, OWN_KEY, SERVER_ENTRIES, SERVERS, SetEntryFields
from toolnote_desktop.model.names import is_web_address
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.secrets.url_checks import first_header_problem
from toolnote_desktop.model.servers import SOURCE_TITLE_LIMIT, Server, ServerState, ServerStatus
from toolnote_desktop.store.library import Library

LINES = 4

TryServer = Callable[[str, Server], Awaitable[tuple[ServerStatus, int]]]


class EditServerDialog(Dialog):
    """Form for a server's entry; keys that the form does not know are kept.

    Args:
        try_server: connects by an entry and returns its status and number of tools; None: no *Test*.
    """

    def __init__(
        self, library: Library, server: str, parent: QWidget | None = None, try_server: TryServer | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("edit-server")
        self.introduce(
            self.tr("Edit {0}").format(messages.source_name(server)),
            self.tr("The tool source restarts if you change more than its name."),
        )
        self._library = library
        self._server = server
        entries = (library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        entry = entries.get(server) if isinstance(entries, dict) else None
        self._entry: Mapping[str, Any] = entry if isinstance(entry, dict) else {}
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(14)
        self._rows.setVerticalSpacing(10)
        self._rows.setColumnStretch(1, 1)
        self.body.addLayout(self._rows)
        title = self._options().get("title")
        self.name = self._line(self.tr("Name"), title if isinstance(title, str) and title else server)
        self.name.setFont(text_font())
        self.name.setMaxLength(max(SOURCE_TITLE_LIMIT, len(server)))
        self.name_hint = label(
            self.tr("Assistants and commands go on using “{id}”.").format(id=server), "small", wraps=True
        )
        self.name_hint.setVisible(bool(title))
        self.name.textChanged.connect(lambda text: self.name_hint.setVisible(_line_of(text) not in ("", server)))
        self._rows.addWidget(self.name_hint, self._rows.rowCount(), 1, 1, 2)
        if self._entry.get("url") and not self._entry.get("command"):
            self.target = self._line(self.tr("Address"), str(self._entry["url"]))
            self.values = self._lines(self.tr("Headers"), "headers", ": ", self.tr("Name: value, one on each line"))
            self.folder: QLineEdit | None = None
            sign_in = self._options().get("signIn")
            known = sign_in.get("clientId") if isinstance(sign_in, dict) else None
            self.sign_in_id = self._line(self.tr("Sign-in ID"), known if isinstance(known, str) else "")
            self.sign_in_id.setPlaceholderText(self.tr("Only if you registered Toolnote there yourself (optional)"))
        else:
            words = [str(self._entry.get("command", "")), *(str(word) for word in self._entry.get("args") or ())]
            self.target = self._line(self.tr("Command"), shlex.join(words))
            self.values = self._lines(self.tr("Variables"), "env", "=", self.tr("NAME=value, one on each line"))
            self.folder = self._line(self.tr("Folder"), str(self._entry.get("cwd") or ""))
            self.folder.setPlaceholderText(self.tr("Folder to start in (optional)"))
            self.browse_button = Button(self.tr("Browse…"), name=self.tr("Browse for a folder"), pressed=self._browse)
            row = self._rows.rowCount() - 1
            self._rows.removeWidget(self.folder)
            self._rows.addWidget(self.folder, row, 1)
            self._rows.addWidget(self.browse_button, row, 2)
        self.wrong = Alert()
        self.wrong.hide()
        self.body.addWidget(self.wrong)
        self.outcome = label("", "second", wraps=True)
        self.outcome.hide()
        self.body.addWidget(self.outcome)
        self.body.addStretch(1)
        cancel = Button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.save_button = Button(self.tr("Save"), "primary")
        self.save_button.clicked.connect(self.save)
        self._try_server, self._testing = try_server, LatestTask(self)
        self.test_button = Button(self.tr("Test"), pressed=self._test)
        self.test_button.setVisible(try_server is not None)
        self.buttons.addWidget(self.test_button)
        self.buttons.addStretch(1)
        self.buttons.addWidget(cancel)
        self.buttons.addWidget(self.save_button)
        self.setMinimumWidth(round(620 * text_scale()))
        self.target.setFocus()

    def save(self) -> None:
        """Save the entry in one step that can be undone, unless a value is invalid."""
        try:
            fields, _ = self._checked()
            self._library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, self._server, fields))
        except ToolnoteError as error:
            self._show_message(messages.problem_text(error.problem))
        except ValueError as error:
            self._show_message(str(error))
        else:
            self.accept()

    def _checked(self) -> tuple[dict[str, Any], Server]:
        """Return the values of the form by key, and the server with them.

        Raises:
            ValueError: in words for the user.
        """
        fields = self._fields()
        changed = {key: value for key, value in {**self._entry, **fields}.items() if value is not ABSENT}
        wrong: list[str] = []
        server = parse_entry(Server, changed, "", lambda _place, reason: wrong.append(reason))
        if server is None:
            raise ValueError(wrong[0])
        if self.folder is None and (bad := first_header_problem(changed.get("headers") or {})) is not None:
            raise ValueError(f"{bad[0]}: {bad[1]}")
        return fields, server

    def _test(self) -> None:
        """Connect with the values of the form, which are not saved."""
        try:
            _, server = self._checked()
        except ValueError as error:
            self._show_message(str(error))
        else:
            self._testing.start(self._connect(server))

    async def _connect(self, server: Server) -> None:
        assert self._try_server is not None
        self._show_result(self.tr("Connecting…"))
        with disabled(self.test_button):
            status, tools = await self._try_server(self._server, server)
        if status.state is ServerState.READY:
            self._show_result(self.tr("It works: {tools}.").format(tools=messages.count_tools(tools)))
        else:
            problem = status.problem
            self._show_message(messages.problem_text(problem) if problem else messages.state_word(status.state))

    def _browse(self) -> None:
        chooser = QFileDialog(self, self.tr("Folder to start in"))
        chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.folder is not None:
            chooser.setDirectory(self.folder.text().strip())
            chooser.fileSelected.connect(self.folder.setText)
        chooser.open()

    def _fields(self) -> dict[str, Any]:
        """Return the values of the form by key.

        Raises:
            ValueError: in words for the user.
        """
        text = self.target.text().strip()
        if self.folder is None:
            if not is_web_address(text):
                raise ValueError(self.tr("An address begins with http:// or https://."))
            headers = self._pairs("headers", ":", self.tr("Headers"))
            return {"url": text, "headers": headers, **self._own_fields(self._sign_in_fields())}
        words = split_command(text)
        if not words:
            raise ValueError(self.tr("Enter a command."))
        return {
            "command": words[0],
            "args": words[1:],
            "env": self._pairs("env", "=", self.tr("Variables")),
            "cwd": self.folder.text().strip() or ABSENT,
            **self._own_fields({}),
        }

    def _own_fields(self, changed: dict[str, Any]) -> dict[str, Any]:
        """Return Toolnote's own keys with what changed of them and the name; nothing if they are as they were.

        Raises:
            ValueError: another tool source has the name.
        """
        title = _line_of(self.name.text())[:SOURCE_TITLE_LIMIT]
        if title == self._server[:SOURCE_TITLE_LIMIT]:
            title = ""
        taken = {messages.source_name(one).casefold() for one in self._library.snapshot.servers if one != self._server}
        taken |= {one.casefold() for one in self._library.snapshot.servers if one != self._server}
        if title.casefold() in taken:
            raise ValueError(self.tr("There is a tool source {0} already: choose another name.").format(title))
        before = self._options()
        if title == (before.get("title") or "") and not changed:
            return {}
        own = {**before, **changed, "title": title or ABSENT}
        return {OWN_KEY: {key: value for key, value in own.items() if value is not ABSENT} or ABSENT}

    def _options(self) -> Mapping[str, Any]:
        """Return Toolnote's own keys in the entry."""
        options = self._entry.get(OWN_KEY)
        return options if isinstance(options, dict) else {}

    def _sign_in_fields(self) -> dict[str, Any]:
        """Return the sign-in with the id that was registered by hand; nothing if it is as it was."""
        held = self._options().get("signIn")
        before = held if isinstance(held, dict) else {}
        text = self.sign_in_id.text().strip()
        if text == (before.get("clientId") or ""):
            return {}
        after = {key: value for key, value in before.items() if key != "clientId"} | (
            {"clientId": text} if text else {}
        )
        return {"signIn": after or ABSENT}

    def _pairs(self, key: str, between: str, title: str) -> Any:
        pairs: dict[str, str] = {}
        for line in self.values.toPlainText().splitlines():
            name, found, value = line.partition(between)
            if line.strip() and not (found and name.strip()):
                raise ValueError(self.tr("{0}: “{1}” has no value.").format(title, name.strip()[:20]))
            if name.strip():
                pairs[name.strip()] = value.strip() if between == ":" else value
        return pairs if pairs or key in self._entry else ABSENT

    def _line(self, caption: str, text: str) -> QLineEdit:
        field = QLineEdit(text)
        field.setFont(fixed_font(text_font().pixelSize()))
        field.setCursorPosition(0)
        self._add(caption, field)
        return field

    def _lines(self, caption: str, key: str, between: str, hint: str) -> QPlainTextEdit:
        field = QPlainTextEdit()
        field.setProperty("kind", "field")
        field.setTabChangesFocus(True)
        field.setFont(fixed_font(text_font().pixelSize()))
        field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        field.setPlaceholderText(hint)
        values = self._entry.get(key)
        pairs = values.items() if isinstance(values, dict) else ()
        field.setPlainText("\n".join(f"{name}{between}{value}" for name, value in pairs))
        field.setFixedHeight(QFontMetrics(field.font()).lineSpacing() * LINES + 24)
        self._add(caption, field)
        return field

    def _add(self, caption: str, field: QWidget) -> None:
        row = self._rows.rowCount()
        said = label(caption)
        said.setBuddy(field)
        said.setContentsMargins(0, 7, 0, 0)
        field.setAccessibleName(caption)
        self._rows.addWidget(said, row, 0, Qt.AlignmentFlag.AlignTop)
        self._rows.addWidget(field, row, 1, 1, 2)

    def _show_message(self, text: str) -> None:
        self.outcome.hide()
        self.wrong.setText(text)
        self.wrong.show()

    def _show_result(self, text: str) -> None:
        self.wrong.hide()
        self.outcome.setText(text)
        self.outcome.show()
        announce(self.outcome, text)


def _line_of(text: str) -> str:
    """Return a text as one line."""
    return " ".join(text.split())
