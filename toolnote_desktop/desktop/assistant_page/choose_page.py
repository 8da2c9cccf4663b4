"""Connect an assistant: the assistants on this computer, other known ones, and settings to copy into any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from toolnote_desktop.assistants.discovery import FoundClient, find_clients
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.assistant_page.manual_setup import ManualSetup
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.desktop.widgets.controls import Tile, initials_of
from toolnote_desktop.desktop.widgets.page import Page
from toolnote_desktop.store.library import Library


class ChooseAssistantPage(Page):
    """See the module; an assistant's button opens its page, which shows the change before it is made."""

    def __init__(self, library: Library, link: ProxyLink, identity: Callable[[], ToolnoteIdentity]) -> None:
        super().__init__(self.tr("Connect an assistant"))
        self._library, self._link, self._identity = library, link, identity
        self._search = LatestTask(self)
        self.title.setText(self.tr("Connect an assistant"))
        self.second.setText(
            self.tr("Toolnote adds one entry to the assistant’s settings file. You see the change first.")
        )
        self.wrong = Alert()
        self.wrong.hide()
        self.body.addSpacing(16)
        self.body.addWidget(self.wrong)
        self.state = label(self.tr("Searching this computer…"), "second")
        self.body.addWidget(self.state)
        self.buttons: dict[str, Button] = {}
        self.here = self._box()
        self.others = Collapsible(self.tr("Not on this computer"))
        self._others = QVBoxLayout()
        self.others.body.addLayout(self._others)
        self.body.addSpacing(16)
        self.body.addWidget(self.others)
        self.manual = Collapsible(self.tr("Set up another assistant manually"))
        self.setup = ManualSetup(library, link, identity(), lambda: link.url)
        self.manual.body.addWidget(self.setup)
        self.body.addWidget(self.manual)
        self.body.addStretch(1)

    def _box(self) -> QVBoxLayout:
        frame = QFrame()
        frame.setProperty("kind", "box")
        self.body.addWidget(frame)
        return column(frame, (1, 1, 1, 1), 0)

    def show_page(self) -> None:
        """Show the page, and search this computer anew."""
        environment, identity = current_environment(), self._identity()
        self._search.start(self._find(lambda: find_clients(environment, identity)))

    async def _find(self, find: Callable[[], Sequence[FoundClient]]) -> None:
        try:
            found = await in_thread(find)
        except Exception as error:  # noqa: BLE001 - other programs' files may hold anything
            self.wrong.setText(str(error))
            self.wrong.show()
            return
        self._show_found(found)

    def _show_found(self, found: Sequence[FoundClient]) -> None:
        empty(self.here)
        empty(self._others)
        self.buttons = {}
        here = [one for one in found if one.installed]
        for one in here:
            second = self.tr("Set up") if one.connected else self.tr("Not connected yet")
            self.here.addWidget(self._row(one, second, self.tr("Open") if one.connected else self.tr("Connect…")))
        for one in (one for one in found if not one.installed):
            self._others.addWidget(self._row(one, "", self.tr("Open")))
        self.state.setVisible(not here)
        self.state.setText(self.tr("No assistants found on this computer yet. Install one, then come back."))

    def _row(self, one: FoundClient, second: str, action: str) -> QWidget:
        held = QWidget()
        row = QHBoxLayout(held)
        row.setContentsMargins(16, 8, 12, 8)
        row.setSpacing(12)
        name, client = one.client.name, one.client.id
        row.addWidget(Tile(initials_of(name), 24))
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(label(name))
        if second:
            words.addWidget(label(second, "small"))
        row.addLayout(words, 1)
        button = Button(
            action,
            name=f"{action.rstrip('…')}: {name}",
            pressed=lambda: self.place_requested.emit(RowKey(Kind.ASSISTANT, client)),
        )
        self.buttons[client] = button
        row.addWidget(button)
        return held
