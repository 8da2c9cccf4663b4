"""Inspector of a tool source: secrets, connection, the toolsets that use it, and its calls."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.widgets.basics import Button, column, label, tooltip_text
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton
from toolnote_desktop.desktop.widgets.page import Inspector
from toolnote_desktop.model.servers import Server
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import ServerListing
from toolnote_desktop.model.url_parts import split_url
from toolnote_desktop.store.activity_queries import ServerCalls

POLICIES: Final = ("accept", "show", "hold-meaning", "hold")
LONGEST_TITLE: Final = 170
"""Pixels of a toolset's title; the tool tip has all of it."""


class ServerInspector(Inspector):
    """Panel beside the page of a tool source.

    Signals:
        place_requested: the ``RowKey`` to show.
        edit_requested: the user wants to change the connection.
        calls_requested: show all calls of the tool source.
        changes_chosen: what is to happen to a tool that the source changes (docs/contract.md 3, ``changes``).
    """

    place_requested = Signal(object)
    changes_chosen = Signal(object)
    calls_requested = Signal()
    edit_requested = Signal()

    def __init__(self) -> None:
        super().__init__("")
        self.setAccessibleName(self.tr("Details of the tool source"))
        self.secrets = self.add_section(self.tr("Secrets"))
        self.connection = self.add_section(self.tr("Connection"), self.tr("Edit…"), self.edit_requested.emit)
        self.address_name = label("", "second")
        self.address = label("", wraps=True, can_be_copied=True)
        self.more = Collapsible("", flat=True)
        self.facts = QWidget()
        self._facts = column(self.facts, spacing=8)
        self.more.body.addWidget(self.facts)
        self.more.body.setContentsMargins(18, 0, 0, 8)
        self.connection.rows.addWidget(self.address_name)
        self.connection.rows.addWidget(self.address)
        self.connection.rows.addWidget(self.more)
        self.changes = self.add_section(self.tr("When it changes a tool"))
        self.policy = MenuButton(self.tr("When it changes a tool"), boxed=True)
        self.policy.chosen.connect(self.changes_chosen)
        self.policy_text = label("", "small", wraps=True)
        self.changes.rows.addWidget(self.policy)
        self.changes.rows.addSpacing(6)
        self.changes.rows.addWidget(self.policy_text)
        self.used = self.add_section(self.tr("Used in"))
        self.calls = self.add_section(
            self.tr("Calls in the last 7 days"), self.tr("All calls"), self.calls_requested.emit
        )
        self._entry: object = None
        self._users: object = None

    def show_source(self, snapshot: Snapshot, entry: Server | None, listing: ServerListing) -> None:
        """Show a tool source."""
        self.connection.setVisible(entry is not None)
        self.changes.setVisible(entry is not None)
        if entry is not None:
            self._show_policy(entry.toolnote.changes)
        if entry is not None and entry != self._entry:
            self._entry = entry
            self._show_connection(entry)
        names = {known.tool.namespaced_name for known in listing.tools}
        counts = (
            (name, one.title, sum(entry.namespaced_name in names for entry in one.tools))
            for name, one in snapshot.toolsets.items()
        )
        users = tuple(one for one in counts if one[2])
        if users != self._users:
            self._users = users
            self._show_users(users)

    def _show_policy(self, policy: str) -> None:
        names = (
            self.tr("Use the new version"),
            self.tr("Use it and show me"),
            self.tr("Wait if its meaning changes"),
            self.tr("Always wait for me"),
        )
        self.policy.set_choices([Choice(text, value) for text, value in zip(names, POLICIES, strict=True)], policy)
        self.policy_text.setText(
            {
                "accept": self.tr("Assistants get the new version at once."),
                "show": self.tr("Assistants get the new version at once. You see what changed, and can undo it."),
                "hold-meaning": self.tr(
                    "A new ability, a parameter that sends data away and instructions to the assistant wait until you "
                    "accept them. Other changes are used at once."
                ),
                "hold": self.tr("Assistants keep the old version until you accept the new one."),
            }[policy]
        )

    def show_calls(self, calls: ServerCalls | None) -> None:
        """Show the calls of the last seven days; None while they are not read yet."""
        self.calls.clear()
        if calls is None or not calls.worked + calls.failed:
            self.calls.rows.addWidget(label(self.tr("No calls yet") if calls is not None else "", "second"))
            return
        self.calls.add_fact(self.tr("Worked"), messages.number(calls.worked))
        self.calls.add_fact(self.tr("Failed"), messages.number(calls.failed))
        if calls.usual_seconds is not None:
            seconds = self.tr("{n} s").format(n=messages.seconds(calls.usual_seconds))
            self.calls.add_fact(self.tr("Usual time"), seconds)

    def _show_connection(self, entry: Server) -> None:
        is_local = entry.type == "stdio"
        self.address_name.setText(self.tr("Command") if is_local else self.tr("Address"))
        self.address.setText(_breakable(address_of(entry)))
        while (item := self._facts.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        options = entry.toolnote
        facts = [
            (self.tr("Headers"), ", ".join(entry.headers)),
            (self.tr("Variables"), ", ".join(entry.env)),
            (self.tr("Folder"), entry.cwd or ""),
            (self.tr("Sign-in"), options.sign_in.client_id or ""),
            (self.tr("Time limit of a call"), self._seconds(entry.timeout)),
            (self.tr("Time limit of a start"), self._seconds(options.start_timeout)),
        ]
        shown = [fact for fact in facts if fact[1]]
        for name, value in shown:
            self._facts.addWidget(_fact(name, value))
        if not shown:
            self._facts.addWidget(label(self.tr("Nothing is set beyond the usual."), "second", wraps=True))
        self.more.header.rename(
            self.tr("Variables, folder, time limits") if is_local else self.tr("Sign-in, time limits, headers")
        )

    def _seconds(self, seconds: float | None) -> str:
        return "" if seconds is None else self.tr("{n} s").format(n=QLocale().toString(seconds, "g", 6))

    def _show_users(self, users: tuple[tuple[str, str, int], ...]) -> None:
        self.used.clear()
        for name, title, count in users:
            button = Button(title, "plain-link", pressed=partial(self.place_requested.emit, RowKey(Kind.TOOLSET, name)))
            button.setText(button.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, LONGEST_TITLE))
            button.setAccessibleName(title)
            button.setToolTip(tooltip_text(title))
            row = QWidget()
            line = QHBoxLayout(row)
            line.setContentsMargins(0, 2, 0, 2)
            line.setSpacing(8)
            line.addWidget(button)
            line.addStretch(1)
            line.addWidget(label(messages.count_tools(count), "second"))
            self.used.rows.addWidget(row)
        if not users:
            self.used.rows.addWidget(label(self.tr("Not in any toolset"), "second", wraps=True))


def _fact(name: str, value: str) -> QWidget:
    whole = QWidget()
    rows = column(whole, spacing=0)
    rows.addWidget(label(name, "small"))
    shown = label(value, wraps=True, can_be_copied=True)
    shown.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    rows.addWidget(shown)
    return whole


def _breakable(text: str) -> str:
    """Return an address or command with places where its line may break."""
    return text.replace("/", "/\u200b").replace("-", "-\u200b")


def address_of(entry: Server) -> str:
    """Return the command or the address, without what may be secret (docs/contract.md 4: url queries)."""
    if entry.type == "stdio":
        return " ".join((entry.command or "", *entry.args))
    parts = split_url(entry.url or "")
    return f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"
