"""Command palette (Ctrl+K) of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.model.snapshot import Snapshot

if TYPE_CHECKING:
    from toolnote_desktop.desktop.models.palette_entries import Entry
    from toolnote_desktop.desktop.window.palette_dialog import PaletteDialog

_USE = "use:"


class CommandPalette(QObject):
    """Opens the palette with the entries of one window and runs what is chosen."""

    def __init__(self, window: QWidget, go: Callable[[RowKey], object], use_toolset: Callable[[str], object]) -> None:
        super().__init__(window)
        self._window = window
        self._go = go
        self._use_toolset = use_toolset
        self._actions: dict[str, QAction] = {}
        self.palette: PaletteDialog | None = None

    def open(self, snapshot: Snapshot, actions: Iterable[QAction] | None) -> None:
        """Show the palette with the available actions; ``None``: with tools only."""
        if self.palette is not None and isValid(self.palette):
            return
        # not needed for the first paint, like the imports below
        from toolnote_desktop.desktop.models.palette_entries import library_entries
        from toolnote_desktop.desktop.window.palette_dialog import PaletteDialog

        offered = [action for action in actions or () if action.isEnabled() and action.isVisible()]
        self._actions = {action.text(): action for action in offered}
        there = library_entries(snapshot)
        if actions is None:
            entries = [one for one in there if isinstance(one.target, RowKey) and one.target.kind is Kind.TOOL]
        else:
            entries = [*self._action_entries(), *self._toolsets_to_use(snapshot), *there]
        hint = self.tr("Find a tool by a part of its name") if actions is None else ""
        self.palette = PaletteDialog(entries, self._window, hint)
        self.palette.chosen.connect(self._choose)
        self.palette.open()

    def _action_entries(self) -> list[Entry]:
        from toolnote_desktop.desktop.models.palette_entries import Entry

        kind = self.tr("action")
        return [
            Entry(text.replace("&&", "&"), kind, text, right=_keys(action)) for text, action in self._actions.items()
        ]

    def _toolsets_to_use(self, snapshot: Snapshot) -> list[Entry]:
        from toolnote_desktop.desktop.models.palette_entries import Entry

        kind = self.tr("action")
        return [
            Entry(self.tr("Use the toolset {name}").format(name=toolset.title), kind, f"{_USE}{name}", more=name)
            for name, toolset in snapshot.toolsets.items()
            if name != snapshot.settings.equipped_toolset
        ]

    def _choose(self, target: object) -> None:
        if isinstance(target, RowKey):
            self._go(target)
        elif isinstance(target, str) and target in self._actions:
            self._actions[target].trigger()
        elif isinstance(target, str):
            self._use_toolset(target.removeprefix(_USE))


def _keys(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
