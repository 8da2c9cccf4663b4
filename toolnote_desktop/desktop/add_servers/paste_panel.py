"""Paste or command: shows what a pasted text was understood as, and asks for what it leaves open."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPlainTextEdit, QWidget

from toolnote_desktop.assistants.importing.candidates import Candidate, CandidateState, ReadResult, merge_results
from toolnote_desktop.assistants.importing.placeholders import Placeholder, fill_placeholders, find_placeholders
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.adding import SourceAdder, TargetToolset
from toolnote_desktop.desktop.add_servers.recognise_paste import recognise
from toolnote_desktop.desktop.add_servers.server_choices import describe_launch, setting_lines
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.dialog import with_texts_below
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore

LINES = 4
LONGEST = 200_000
"""Characters of a pasted text that are read."""


class PastePanel(QWidget):
    """See the module.

    Signals:
        added: the ids of the sources that were added.
    """

    added = Signal(object)

    def __init__(self, library: Library, store: SecretStore | None, identity: Callable[[], ToolnoteIdentity]) -> None:
        super().__init__()
        self._library, self._identity = library, identity
        self._candidates: tuple[Candidate, ...] = ()
        self.names: dict[str, QLineEdit] = {}
        self.fields: dict[tuple[str, str], QLineEdit] = {}
        """Fields of placeholders, by candidate and key."""
        self._placeholders: dict[str, tuple[Placeholder, ...]] = {}
        self.adder = SourceAdder(library, store, identity, self)
        self.adder.added.connect(self._clear_and_report)
        self.pasted = QPlainTextEdit()
        self.pasted.setProperty("kind", "field")
        self.pasted.setTabChangesFocus(True)
        self.pasted.setAccessibleName(self.tr("Command, address or settings"))
        self.pasted.setPlaceholderText(
            self.tr("Paste a command, an address or settings, such as\nuvx mcp-server-git --repository .")
        )
        self.pasted.setFixedHeight(QFontMetrics(self.pasted.font()).lineSpacing() * LINES + 24)
        self.pasted.textChanged.connect(self._recognise)
        self.wrong = Alert()
        self.adder.failed.connect(self.wrong.show_error)
        self.wrong.hide()
        found = QWidget()
        self._found = column(found, spacing=12)
        self.target = TargetToolset(self.tr("Add its tools to"), library.snapshot, max_menu_width=280)
        self.add_button = Button(self.tr("Add"), "primary", pressed=self.add)
        row = QHBoxLayout()
        row.addWidget(self.add_button)
        row.addStretch(1)
        whole = column(self, spacing=16)
        for widget in (self.pasted, self.wrong, found, self.target, self.adder.secrets.places):
            whole.addWidget(widget)
        whole.addLayout(row)
        self._recognise()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Offer the toolsets of a snapshot."""
        self.target.show_snapshot(snapshot)

    def _recognise(self) -> None:
        reading = recognise(self.pasted.toPlainText()[:LONGEST], self._identity())
        existing = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        shown = merge_results([reading], existing if isinstance(existing, dict) else {})
        self._candidates = shown.candidates
        self.names, self.fields, self._placeholders = {}, {}, {}
        empty(self._found)
        for candidate in shown.candidates:
            self._found.addWidget(self._box(candidate))
        self._show_warnings(shown)
        self.target.setVisible(bool(self.names))
        self.add_button.setVisible(bool(self.names))
        self._refresh()

    def _box(self, candidate: Candidate) -> QFrame:
        box = QFrame()
        box.setProperty("kind", "box")
        inside = column(box, (16, 12, 16, 12), 8)
        if candidate.state is CandidateState.PRESENT:
            inside.addWidget(label(candidate.id[:200], "heading", wraps=True))
            inside.addWidget(label(self.tr("Already added"), "second"))
        else:
            name = QLineEdit(candidate.id)
            name.setAccessibleName(self.tr("Name of the tool source"))
            name.textChanged.connect(lambda _text: self._refresh())
            caption = label(self.tr("Name"))
            caption.setBuddy(name)
            inside.addWidget(with_texts_below(caption, name))
            self.names[candidate.id] = name
        kind = self.tr("Connects to") if candidate.entry.get("url") else self.tr("Starts on this computer")
        inside.addWidget(label(kind, "small"))
        lines = [describe_launch(candidate.entry, in_full=False), *setting_lines(candidate.entry, in_full=False)]
        inside.addWidget(FullTextLabel("\n".join(lines), "name"))
        if candidate.id in self.names:
            self._placeholders[candidate.id] = find_placeholders(candidate.entry)
            for one in self._placeholders[candidate.id]:
                inside.addWidget(self._field(candidate.id, one))
        return box

    def _field(self, candidate: str, one: Placeholder) -> QWidget:
        field = QLineEdit()
        field.setAccessibleName(one.label)
        text = self.tr("Replaces {placeholder}. Required.").format(placeholder=one.text)
        field.setAccessibleDescription(text)
        if one.is_secret:
            field.setEchoMode(QLineEdit.EchoMode.Password)
        field.textChanged.connect(lambda _text: self._refresh())
        self.fields[candidate, one.key] = field
        caption = label(one.label)
        caption.setBuddy(field)
        return with_texts_below(caption, field, label(text, "small", wraps=True))

    def _show_warnings(self, reading: ReadResult) -> None:
        lines = []
        for problem in reading.warnings:
            reason = problem.parameters.get("reason")
            lines.append(reason[:1].upper() + reason[1:] + "." if reason else messages.problem_text(problem))
        self.wrong.setText("\n".join(lines))
        self.wrong.setVisible(bool(lines))

    def _refresh(self) -> None:
        named = all(name.text().strip() for name in self.names.values())
        filled = all(field.text().strip() for field in self.fields.values())
        self.add_button.setEnabled(bool(self.names) and named and filled)
        count = len(self.names)
        one = self.tr("Add {source}").format(source=next(iter(self.names.values())).text()) if count == 1 else ""
        self.add_button.set_text(one or self.tr("Add %n tool sources", "", count))

    def entries(self) -> dict[str, JsonObject]:
        """Return the entries with the fields' values, by the names that the user gave."""
        made = {}
        for candidate in self._candidates:
            if candidate.id in self.names:
                asked = self._placeholders[candidate.id]
                values = {one.key: self.fields[candidate.id, one.key].text().strip() for one in asked}
                made[self.names[candidate.id].text().strip()] = fill_placeholders(candidate.entry, values)
        return made

    def add(self) -> None:
        """Add what was understood."""
        self.wrong.hide()
        secret = frozenset(
            self.fields[candidate, one.key].text().strip()
            for candidate, asked in self._placeholders.items()
            for one in asked
            if one.is_secret
        )
        self.adder.add(self.entries(), self.target.toolset, secret - {""})

    def _clear_and_report(self, servers: object) -> None:
        self.pasted.clear()
        self.added.emit(servers)
