"""Base class of the forms for a tool's settings."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.models.tool_view import ToolView


class ToolForm(QWidget):
    """Form of some of a tool's settings in a toolset.

    Signals:
        summarised: the summary for the collapsed section's line.
    """

    summarised = Signal(str)

    def __init__(self, settings: ToolSettings) -> None:
        super().__init__()
        self._settings = settings
        self._view: ToolView | None = None

    def show_view(self, view: ToolView) -> None:
        """Show a tool's settings in its toolset."""
        self._view = view
