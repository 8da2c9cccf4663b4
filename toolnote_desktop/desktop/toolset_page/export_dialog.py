"""Export of a toolset to a ``FILE.toolnote`` (docs/contract.md 3), shown in full before it is written."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPlainTextEdit, QSizePolicy, QWidget

from toolnote_desktop.assistants.config_file import reason_of, write_bytes
from toolnote_desktop.assistants.toolset_file import TOOLSET_SUFFIX, export_toolset, toolset_servers
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.server_choices import expanded_names
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.alert import announce
from toolnote_desktop.desktop.widgets.basics import Button, label, restyle
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.diff_view import DiffView
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, TOOLS, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.toolsets.carry import with_settings
from toolnote_desktop.packs.folder import written_edit
from toolnote_desktop.packs.pack_file import export_pack
from toolnote_desktop.store.library import Library

FILE_MODE = 0o644
"""File mode: the file is meant to be shared."""


class ExportDialog(Dialog):
    """Dialog that shows the file's content and writes it where the user chooses."""

    def __init__(self, library: Library, toolset: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hand-on")
        self.introduce(
            self.tr("Share a toolset"),
            self.tr("Its tools and your notes on them, as a file. The person who opens it sees all of it first."),
        )
        self._library = library
        snapshot = library.snapshot
        self.choice = ComboBox()
        self.choice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.choice.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for name, one in snapshot.toolsets.items():
            self.choice.addItem(one.title, name)
        self.choice.setCurrentIndex(max(self.choice.findData(toolset or snapshot.settings.equipped_toolset), 0))
        self.choice.chosen.connect(lambda _name: self._show())
        caption = label(self.tr("Toolset"))
        caption.setBuddy(self.choice)
        self.choice.setAccessibleName(caption.text())
        row = QHBoxLayout()
        row.setSpacing(14)
        row.addWidget(caption)
        row.addWidget(self.choice, 1)
        self.as_pack = CheckBox(self.tr("As a pack: others see which tools have changed since you wrote your notes"))
        self.as_pack.toggled.connect(lambda _on: self._show())
        self.with_servers = CheckBox("")
        self.with_servers.toggled.connect(lambda _on: self._show())
        self.to_fill = label("", "small", wraps=True)
        self.text = DiffView()
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setAccessibleName(self.tr("What is in the file"))
        self.said = label("", "second", wraps=True)
        self.said.hide()
        self.body.addLayout(row)
        self.left_out = label("", "attention", wraps=True)
        for widget in (self.as_pack, self.with_servers, self.to_fill, self.left_out):
            self.body.addWidget(widget)
        self.body.addWidget(self.text, 1)
        self.body.addWidget(self.said)
        self.copy_button = Button(self.tr("Copy"))
        self.copy_button.clicked.connect(self._copy)
        self.close_button = Button(self.tr("Close"))
        self.close_button.clicked.connect(self.reject)
        self.save_button = Button(self.tr("Save as a file…"), "primary")
        self.save_button.clicked.connect(self._ask_where)
        self.buttons.addWidget(self.copy_button)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.close_button)
        self.buttons.addWidget(self.save_button)
        self.resize(round(720 * text_scale()), round(560 * text_scale()))
        self._show()

    def save(self, file: Path) -> bool:
        """Write the file. Return False and show the reason if it cannot be written."""
        try:
            write_bytes(file, self._data(), mode=FILE_MODE)
        except OSError as error:
            problem = Problem(Code.FILE_NOT_WRITTEN, {"file": str(file), "reason": reason_of(error)})
            self._say(messages.problem_text(problem), "wrong")
            return False
        if self.as_pack.isChecked() and (seen := written_edit(self._library.snapshot.settings, file)) is not None:
            self._library.submit(seen)
        self._say(self.tr("Saved as {0}").format(file), "good")
        self.close_button.setFocus()
        return True

    def _show(self) -> None:
        name = self._name()
        toolset = self._library.snapshot.toolsets.get(name)
        servers = toolset_servers(self._library.snapshot, toolset) if toolset is not None else ()
        self.with_servers.setVisible(bool(servers))
        self.with_servers.setText(self._with_servers_in_words(servers))
        content = self._content()
        held = content.get(SERVER_ENTRIES)
        entries = held.values() if isinstance(held, dict) else ()
        places = list(dict.fromkeys(place for entry in entries for place in expanded_names(entry)))
        text = self.tr("Your secrets stay here. The person who opens the file enters these values: {0}").format(
            messages.joined(places)
        )
        self.to_fill.setText(text if places else self.tr("The file has no secrets."))
        self.to_fill.setVisible(bool(entries))
        self.left_out.setText("\n".join(messages.problem_text(problem) for problem in self._left_out))
        self.left_out.setVisible(bool(self._left_out))
        self.text.setPlainText(self._data().decode("utf-8").rstrip())
        self.said.hide()
        for one in (self.save_button, self.copy_button):
            one.setEnabled(toolset is not None)

    def _with_servers_in_words(self, servers: tuple[str, ...]) -> str:
        names = messages.joined(servers if len(servers) <= 4 else (*servers[:3], "…")).replace("&", "&&")
        return self.tr("With its tool sources, without their secrets: {0}").format(names)

    def _content(self) -> JsonObject:
        raw = self._library.raw(toolset_document(self._name())) or {}
        toolset = self._library.snapshot.toolsets.get(self._name())
        entries = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        wanted = toolset is not None and self.with_servers.isChecked() and isinstance(entries, dict)
        servers = toolset_servers(self._library.snapshot, toolset) if wanted and toolset is not None else ()
        self._left_out: tuple[Problem, ...] = ()
        if self.as_pack.isChecked() and toolset is not None:
            documents = {"toolset": raw, "tools": self._library.raw(TOOLS), "servers": self._library.raw(SERVERS)}
            pack = export_pack(self._library.snapshot, toolset, documents, servers)
            self._left_out = pack.problems
            return pack.content
        content = with_settings(raw, self._library.snapshot)
        return export_toolset(content, entries if isinstance(entries, dict) else {}, servers)

    def _data(self) -> bytes:
        return json_text.dumps_pretty(self._content())

    def _name(self) -> str:
        return str(self.choice.currentData() or "")

    def _ask_where(self) -> None:
        chooser = QFileDialog(self, self.tr("Save the toolset"), f"{self._name()}{TOOLSET_SUFFIX}")
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setDefaultSuffix(TOOLSET_SUFFIX.removeprefix("."))
        chooser.setNameFilter(self.tr("Toolnote toolsets ({0})").format(f"*{TOOLSET_SUFFIX}"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.selectFile(f"{self._name()}{TOOLSET_SUFFIX}")
        chooser.fileSelected.connect(lambda file: self.save(Path(file)))
        chooser.open()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._data().decode("utf-8"))
        self._say(self.tr("Copied"), "good")

    def _say(self, text: str, kind: str) -> None:
        self.said.setText(text)
        restyle(self.said, kind=kind)
        self.said.show()
        announce(self.said, text)
