"""Keyboard focus from pane to pane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def pane_to_pane(
    panes: Sequence[QWidget], focus: QWidget | None, step: int, entrances: Mapping[QWidget, QWidget]
) -> None:
    """Move the focus ``step`` visible panes on: to the pane's widget in ``entrances``, else to its first control."""
    shown = [pane for pane in panes if pane.isVisible()]
    if not shown:
        return
    inside = (number for number, pane in enumerate(shown) if focus is not None and pane.isAncestorOf(focus))
    target = shown[(next(inside, -step) + step) % len(shown)]
    entrance = entrances.get(target) or first_control(target)
    if entrance is not None:
        entrance.setFocus(Qt.FocusReason.TabFocusReason)


def first_control(pane: QWidget) -> QWidget | None:
    """Return the first control in a pane that Tab would reach."""
    widget = pane.nextInFocusChain()
    while widget is not None and widget is not pane:
        reachable = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if pane.isAncestorOf(widget) and widget.isVisible() and widget.isEnabled() and reachable:
            return widget
        widget = widget.nextInFocusChain()
    return None
