"""What the parts of a tool's settings have in common."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.models.tool_view import ToolView


class ToolForm(QWidget):
    """Shows and sets something that a toolset says of a tool.

    Signals:
        summarised: in a few words, for the line above.
    """

    summarised = Signal(str)

    def __init__(self, settings: ToolSettings) -> None:
        super().__init__()
        self._settings = settings
        self._view: ToolView | None = None

    def show_view(self, view: ToolView) -> None:
        """Show what is set for a tool in its toolset."""
        self._view = view
