"""Dialog *Add tools*: recognises a pasted command, address or piece of settings, adds it and shows how it starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from toolnote_desktop.assistants.importing.candidates import (
    Candidate,
    CandidateState,
    ReadResult,
    import_edits,
    merge_results,
)
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.progress import ServerProgress
from toolnote_desktop.desktop.add_servers.recognise_paste import recognise
from toolnote_desktop.desktop.add_servers.server_choices import describe_launch, setting_lines
from toolnote_desktop.desktop.add_servers.store_secrets import StoreSecrets
from toolnote_desktop.desktop.async_tasks import LatestTask
from toolnote_desktop.desktop.editing.default_toolset import collecting_toolset
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.dialog import Dialog, scrolled
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.store.library import Library

LINES = 4


class AddToolsDialog(Dialog):
    """Dialog to add pasted tool sources.

    Signals:
        import_requested: import from other programs instead.
        find_requested: search the public registry instead.
        added: the ids of the servers that were added.
    """

    import_requested = Signal()
    find_requested = Signal()
    added = Signal(object)

    def __init__(
        self, library: Library, link: ProxyLink, identity: ToolnoteIdentity, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("add-tools")
        self.introduce(self.tr("Add tools"), self.tr("Paste what the tool source’s instructions tell you to use."))
        self._library = library
        self._link = link
        self._identity = identity
        self._candidates: Sequence[Candidate] = ()
        self.names: dict[str, QLineEdit] = {}
        self._adding = LatestTask(self)
        self.pages = QStackedWidget()
        self.progress = ServerProgress(library, link)
        self.pages.addWidget(self._form())
        self._added = scrolled(self.progress)
        self.pages.addWidget(self._added)
        self.body.addWidget(self.pages, 1)
        self.import_button = Button(self.tr("From other programs…"), "link")
        self.import_button.clicked.connect(self._import_instead)
        self.cancel_button = Button(self.tr("Cancel"))
        self.cancel_button.clicked.connect(self.reject)
        self.add_button = Button(self.tr("Add"), "primary")
        self.add_button.clicked.connect(self._add_or_finish)
        self.find_button = Button(self.tr("From the public list…"), "link")
        self.find_button.clicked.connect(self._find_instead)
        self.buttons.setSpacing(14)
        self.buttons.addWidget(self.import_button)
        self.buttons.addWidget(self.find_button)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.cancel_button)
        self.buttons.addWidget(self.add_button)
        self.resize(round(680 * text_scale()), round(440 * text_scale()))
        self._recognise()
        self.pasted.setFocus()

    def _form(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        self.pasted = QPlainTextEdit()
        self.pasted.setProperty("kind", "field")
        self.pasted.setTabChangesFocus(True)
        self.pasted.setAccessibleName(self.tr("A command, a web address, or a piece of settings"))
        self.pasted.setPlaceholderText(
            self.tr("A command, a web address, or a piece of settings, such as\nuvx mcp-server-git --repository .")
        )
        height = QFontMetrics(self.pasted.font()).lineSpacing() * LINES
        self.pasted.setFixedHeight(height + 24)
        self.pasted.textChanged.connect(self._recognise)
        column.addWidget(self.pasted)
        inside = QWidget()
        self._panels = QVBoxLayout(inside)
        self._panels.setContentsMargins(0, 0, 0, 0)
        self._panels.setSpacing(8)
        found = scrolled(inside)
        self.wrong = Alert()
        self.store_secrets = StoreSecrets(self._library, self._link.secrets)
        self.store_secrets.location_chosen.connect(self.add)
        column.addWidget(self.wrong)
        column.addWidget(self.store_secrets.places)
        toolset = collecting_toolset(self._library.snapshot)
        self._toolset = toolset.name if toolset is not None else None
        title = toolset.title.replace("&", "&&") if toolset is not None else ""
        self.collect = CheckBox(self.tr("Put its tools into “{0}”").format(title))
        self.collect.setChecked(toolset is not None)
        self.collect.setVisible(toolset is not None)
        column.addWidget(self.collect)
        column.addWidget(self.store_secrets)
        column.addWidget(found, 1)
        return page

    def _recognise(self) -> None:
        """Show what the pasted text is recognised as."""
        reading = recognise(self.pasted.toPlainText(), self._identity)
        existing = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        shown = merge_results([reading], existing if isinstance(existing, dict) else {})
        self._candidates = shown.candidates
        self.names = {}
        while (item := self._panels.takeAt(0)) is not None:
            panel = item.widget()
            if panel is not None:
                panel.deleteLater()
        for candidate in shown.candidates:
            self._panels.addWidget(self._panel(candidate))
        self._panels.addStretch(1)
        self._show_warnings(shown)
        new = [one for one in shown.candidates if one.state is not CandidateState.PRESENT]
        self.add_button.setEnabled(bool(new))
        self.store_secrets.show_for(one.entry for one in new)

    def _panel(self, candidate: Candidate) -> QFrame:
        panel = QFrame()
        panel.setProperty("kind", "panel")
        rows = QGridLayout(panel)
        rows.setContentsMargins(14, 12, 14, 12)
        rows.setVerticalSpacing(6)
        rows.setHorizontalSpacing(14)
        rows.setColumnStretch(1, 1)
        lines = [describe_launch(candidate.entry, in_full=True), *setting_lines(candidate.entry, in_full=True)]
        what = FullTextLabel("\n".join(lines), "name")
        if candidate.state is CandidateState.PRESENT:
            rows.addWidget(label(self.tr("In your library")), 0, 0)
            rows.addWidget(label(candidate.id, "heading", wraps=True), 0, 1)
        else:
            caption = label(self.tr("Name"))
            name = QLineEdit(candidate.id)
            name.setAccessibleName(self.tr("Name of the tool source"))
            name.textChanged.connect(self._check_names)
            caption.setBuddy(name)
            self.names[candidate.id] = name
            rows.addWidget(caption, 0, 0)
            rows.addWidget(name, 0, 1)
        kind = self.tr("Connects to") if candidate.entry.get("url") else self.tr("Starts")
        rows.addWidget(label(kind), 1, 0, Qt.AlignmentFlag.AlignTop)
        rows.addWidget(what, 1, 1)
        return panel

    def _show_warnings(self, reading: ReadResult) -> None:
        lines = []
        for problem in reading.warnings:
            reason = problem.parameters.get("reason")
            lines.append(reason[:1].upper() + reason[1:] + "." if reason else messages.problem_text(problem))
        self.wrong.setText("\n".join(lines))
        self.wrong.setVisible(bool(lines))

    def _check_names(self) -> None:
        self.add_button.setEnabled(all(name.text().strip() for name in self.names.values()))
        self.wrong.hide()

    def _add_or_finish(self) -> None:
        if self.pages.currentWidget() is self._added:
            self.accept()
        else:
            self.add()

    def add(self) -> None:
        """Add what was recognised, in one step that can be undone, and show how it starts."""
        if self._adding.is_running:
            return
        named = {
            self.names[candidate.id].text().strip(): candidate
            for candidate in self._candidates
            if candidate.id in self.names
        }
        there = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES) or {}
        taken = next((name for name in named if name in there), None)
        if taken is not None or len(named) < len(self.names):
            same = taken or next(name.text().strip() for name in self.names.values())
            self._show_error(ToolnoteError(Code.SERVER_EXISTS, server=same))  # before secrets are written over
            return
        self.wrong.hide()
        entries = {name: candidate.entry for name, candidate in named.items()}
        candidates = [
            replace(candidate, id=name, entry=self.store_secrets.without_secrets(candidate.entry))
            for name, candidate in named.items()
        ]
        self._adding.start(self._store_and_submit(entries, candidates))

    async def _store_and_submit(self, entries: Mapping[str, JsonObject], candidates: Sequence[Candidate]) -> None:
        try:
            await self.store_secrets.store(self, entries)
        except Exception as error:  # noqa: BLE001 - a keychain may fail with anything; the user sees why
            self._show_error(error)
        else:
            self._submit(candidates)

    def _show_error(self, error: Exception) -> None:
        self.wrong.setText(messages.problem_text(error.problem) if isinstance(error, ToolnoteError) else str(error))
        self.wrong.show()

    def _submit(self, candidates: Sequence[Candidate]) -> None:
        names = [candidate.id for candidate in candidates]
        toolset = self._toolset if self.collect.isChecked() else None
        try:
            self._library.submit(*import_edits(candidates, names, toolset=toolset))
        except ToolnoteError as error:
            self._show_error(error)
            return
        self.introduce(self.tr("Added"), self.tr("You can close this; it goes on in the background."))
        self.progress.watch(names)
        self.pages.setCurrentWidget(self._added)
        self.import_button.hide()
        self.find_button.hide()
        self.cancel_button.hide()
        self.add_button.setText(self.tr("Done"))
        self.add_button.setFocus()
        self.added.emit(tuple(names))

    def _import_instead(self) -> None:
        self.reject()
        self.import_requested.emit()

    def _find_instead(self) -> None:
        self.reject()
        self.find_requested.emit()
