"""Adding tool sources: their secrets go to the keychain first, so that they start with them; then one edit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity, is_own
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.store_secrets import StoreSecrets
from toolnote_desktop.desktop.async_tasks import LatestTask
from toolnote_desktop.desktop.editing.default_toolset import collecting_toolset
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.work import WorkList, in_progress
from toolnote_desktop.desktop.widgets.basics import column, label
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore

NO_TOOLSET = ""


class SourceAdder(QObject):
    """Adds tool sources of one page.

    Signals:
        added: the ids of the sources that were added.
        failed: the exception for which nothing was added.
    """

    added = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        library: Library,
        store: SecretStore | None,
        identity: Callable[[], ToolnoteIdentity],
        owner: QWidget,
    ) -> None:
        super().__init__(owner)
        self._library, self._identity, self._owner = library, identity, owner
        self._task = LatestTask(self)
        self._again: Callable[[], None] = lambda: None
        self.work: WorkList | None = None
        self.secrets = StoreSecrets(library, store, owner)
        """Never shown: secrets always go to the keychain. ``places`` is shown where that fails."""
        self.secrets.location_chosen.connect(self._add_again)

    def add(self, entries: Mapping[str, JsonObject], toolset: str | None, known: Collection[str] = ()) -> None:
        """Add sources by id; emit ``added`` or ``failed``.

        Args:
            toolset: the one that their tools are added to.
            known: values that are secret whatever their name.
        """
        if self._task.is_running:
            return
        self._again = lambda: self.add(entries, toolset, known)
        there = (self._library.raw(SERVERS) or {}).get(SERVER_ENTRIES) or {}
        for name, entry in entries.items():
            if name in there:  # before its secrets are written over
                self.failed.emit(ToolnoteError(Code.SERVER_EXISTS, server=name))
                return
            if is_own(name, entry, self._identity()):
                self.failed.emit(ToolnoteError(Code.SERVER_IS_TOOLNOTE, server=name))
                return
        self._task.start(self._add(entries, toolset, known))

    def _add_again(self) -> None:
        self._again()

    async def _add(self, entries: Mapping[str, JsonObject], toolset: str | None, known: Collection[str]) -> None:
        try:
            with in_progress(self.work, _title(entries), self.secrets.cancel):
                await self.secrets.store(self._owner, entries, known)
            edits = []
            for name, entry in entries.items():
                made = self.secrets.without_secrets(entry, known)
                if toolset is not None:
                    own = made.get("toolnote")
                    made = {**made, "toolnote": {**(own if isinstance(own, dict) else {}), "toolset": toolset}}
                edits.append(AddEntry(SERVERS, SERVER_ENTRIES, name, made))
            self._library.submit(*edits)
        except InterruptedError:
            pass  # what was given stays in the form
        except Exception as error:  # noqa: BLE001 - a keychain may fail with anything; the user sees why
            self.failed.emit(error)
        else:
            self.added.emit(tuple(entries))


def _title(entries: Collection[str]) -> str:
    if len(entries) != 1:
        return translate("work", "Adding tools")
    return translate("work", "Adding {source}").format(source=messages.source_name(next(iter(entries))))


class TargetToolset(QWidget):
    """Menu of the toolset that new tools are added to, and who uses that toolset."""

    def __init__(self, heading: str, snapshot: Snapshot, *, max_menu_width: int | None = None) -> None:
        super().__init__()
        self.menu = MenuButton(translate("adding", "Add its tools to"), boxed=True)
        if max_menu_width is not None:
            self.menu.setMaximumWidth(max_menu_width)
        self.users = label("", "small", wraps=True)
        self._snapshot = snapshot
        self.menu.chosen.connect(lambda _name: self._show_users())
        whole = column(self, spacing=6)
        whole.addWidget(label(heading, "heading"))
        whole.addWidget(self.menu)
        whole.addWidget(self.users)
        self.show_snapshot(snapshot)

    @property
    def toolset(self) -> str | None:
        """Name of the chosen toolset; None for none."""
        return str(self.menu.current) if self.menu.current not in (None, NO_TOOLSET) else None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Offer the toolsets of a snapshot; the choice stays, at first it is the one that collects new tools."""
        self._snapshot = snapshot
        choices = [Choice(one.title, name) for name, one in snapshot.toolsets.items()]
        choices.append(Choice(translate("adding", "No toolset"), NO_TOOLSET))
        collecting = collecting_toolset(snapshot)
        current = self.menu.current if isinstance(self.menu.current, str) else getattr(collecting, "name", NO_TOOLSET)
        self.menu.set_choices(choices, current if current in {one.value for one in choices} else NO_TOOLSET)
        self._show_users()

    def _show_users(self) -> None:
        self.users.setText(users_text(self._snapshot, self.toolset))


def users_text(snapshot: Snapshot, toolset: str | None) -> str:
    """Return who uses a toolset, in a sentence; "" for none."""
    chosen = snapshot.toolsets.get(toolset or "")
    if chosen is None:
        return translate("adding", "No assistant gets its tools until you add them to a toolset.")
    shared = snapshot.shared_toolset
    is_shared = shared is not None and shared.name == chosen.name
    names = [
        messages.author_name(snapshot, client)
        for client, entry in snapshot.clients.items()
        if entry.toolset == chosen.name or (is_shared and not entry.toolset)
    ]
    if is_shared and names:
        everyone = messages.joined([*names, translate("adding", "new assistants")])
        return translate("adding", "{assistants} use {toolset}.").format(assistants=everyone, toolset=chosen.title)
    if is_shared:
        return translate("adding", "New assistants use {toolset}.").format(toolset=chosen.title)
    if names:
        return translate("adding", "Used by {assistants}.").format(assistants=messages.joined(names))
    return translate("adding", "No assistant uses {toolset} yet.").format(toolset=chosen.title)
