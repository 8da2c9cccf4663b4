"""Live state of servers that were just added."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.widgets.basics import Button, label, restyle
from toolnote_desktop.desktop.widgets.diff_view import DiffView
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.tools.catalogue import ServerListing
from toolnote_desktop.store.library import Library

_WORKING = (ServerState.STARTING, ServerState.DOWNLOADING, ServerState.READY, ServerState.RECONNECTING)


class _Row(Struct, frozen=True):
    state: QLabel
    why: QLabel
    log_button: QPushButton
    again_button: QPushButton


class ServerProgress(QWidget):
    """Panel for each server, updated until closed."""

    def __init__(self, library: Library, link: ProxyLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._link = link
        self.rows: dict[str, _Row] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.log = DiffView()
        self.log.setAccessibleName(self.tr("What it wrote"))
        self.log.hide()
        self._column.addWidget(self.log, 1)
        self._column.addStretch(0)
        link.changed.connect(self.refresh)

    def watch(self, servers: Sequence[str]) -> None:
        """Show these servers, by their ids."""
        for server in servers:
            self._column.insertWidget(len(self.rows), self._panel(server))
        self.refresh()

    def refresh(self, _change: object = None) -> None:
        """Update the state of each server."""
        listings = self._library.snapshot.catalogue.servers
        for server, row in self.rows.items():
            listing = listings.get(server)
            if listing is not None:
                self._describe(row, listing)

    def _describe(self, row: _Row, listing: ServerListing) -> None:
        status = listing.status
        ready = status.state is ServerState.READY
        count = messages.count_tools(len([known for known in listing.tools if known.listed]))
        row.state.setText(self.tr("ready, {0}").format(count) if ready else messages.state_word(status.state))
        restyle(row.state, kind="good" if ready else "second" if status.state in _WORKING else "wrong")
        why = [messages.problem_text(status.problem)] if status.problem is not None else []
        if not why and not ready:
            why = [messages.state_sentence(status.state)]
        why += [messages.problem_text(problem) for problem in status.problems]
        row.why.setText("\n".join(why))
        row.why.setVisible(bool(why))
        trouble = status.state not in _WORKING and status.state is not ServerState.DISABLED
        row.log_button.setVisible(trouble)
        row.again_button.setVisible(trouble)

    def _panel(self, server: str) -> QFrame:
        panel = QFrame()
        panel.setProperty("kind", "panel")
        column = QVBoxLayout(panel)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(4)
        top = QHBoxLayout()
        state = label("", "second")
        top.addWidget(label(server, "heading", wraps=True), 1)
        top.addWidget(state)
        column.addLayout(top)
        why = label("", "second", wraps=True)
        column.addWidget(why)
        log_button = Button(self.tr("What it wrote"), "link")
        log_button.clicked.connect(lambda: self._show_log(server))
        again_button = Button(self.tr("Start it again"), "link")
        again_button.clicked.connect(lambda: self._link.restart_server(server))
        bottom = QHBoxLayout()
        bottom.addWidget(log_button)
        bottom.addWidget(again_button)
        bottom.addStretch(1)
        column.addLayout(bottom)
        self.rows[server] = _Row(state, why, log_button, again_button)
        return panel

    def _show_log(self, server: str) -> None:
        lines = self._link.server_log(server)
        self.log.setPlainText("\n".join(lines) or self.tr("It has written nothing."))
        self.log.show()
