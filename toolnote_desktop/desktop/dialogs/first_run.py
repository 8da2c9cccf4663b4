"""The first start, on one page: what other programs have, with tick boxes, or the demo library to try it with."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from toolnote_desktop.assistants.importing import Reading
from toolnote_desktop.desktop.dialogs.frame import button, set_kind
from toolnote_desktop.desktop.dialogs.import_servers import ImportServers
from toolnote_desktop.store.library import Library


class FirstRun(ImportServers):
    """As the import of other programs' servers, with two more ways to begin.

    Signals:
        demo_requested: add the demo library.
        paste_requested: add tools by hand.
    """

    demo_requested = Signal()
    paste_requested = Signal()

    def __init__(self, library: Library, parent: QWidget | None = None) -> None:
        super().__init__(library, parent)
        self.setObjectName("first-run")
        self.demo_button = button(self.tr("Try it with a demo"), "link")
        self.demo_button.clicked.connect(lambda: self._leave_for(self.demo_requested))
        self.paste_button = button(self.tr("Add tools by hand…"), "link")
        self.paste_button.clicked.connect(lambda: self._leave_for(self.paste_requested))
        self.buttons.insertWidget(0, self.demo_button)
        self.buttons.insertWidget(1, self.paste_button)
        self.cancel_button.setText(self.tr("Later"))

    def introduce(self, title: str, lead: str = "") -> None:
        """Welcome, whatever is shown."""
        super().introduce(
            self.tr("Welcome to Toolnote"),
            self.tr(
                "Your assistants use tools. Here you write notes on those tools, in your own words, and every "
                "assistant reads them. Which tools shall it be? Other programs’ own settings stay as they are."
            ),
        )

    def show_readings(self, readings: Sequence[Reading]) -> None:
        """Show what was found; where there is nothing, the other ways to begin."""
        super().show_readings(readings)
        found = bool(self.choices.isVisibleTo(self))
        self.nothing.setText(self.tr("No other program on this computer has tools to take over."))
        self.add_button.setVisible(found)
        self.collect.setVisible(found)
        if not found:
            set_kind(self.paste_button, "primary")
            self.buttons.removeWidget(self.paste_button)
            self.buttons.addWidget(self.paste_button)
            self.paste_button.setFocus()

    def _leave_for(self, way: SignalInstance) -> None:
        self.reject()
        way.emit()
