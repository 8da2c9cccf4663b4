"""Motion of the window: short, only to show where something went, and none where the system or the user says so."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QVariantAnimation
from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

MOTION_MS: Final = 120
"""Longest duration of a motion in milliseconds."""

_STILL: Final = "toolnote_still"
_UNFOLDING: Final = "unfolding"


def set_still(application: QCoreApplication, *, still: bool) -> None:
    """Turn all motion off, or on again."""
    application.setProperty(_STILL, still)


def motion_ms() -> int:
    """Return the duration of a motion in milliseconds; 0 for none."""
    application = QCoreApplication.instance()
    return 0 if application is None or application.property(_STILL) else MOTION_MS


class Slide(QVariantAnimation):
    """Value between 0 and 1 that moves to a target."""

    def __init__(self, parent: QObject, at: float = 0.0) -> None:
        super().__init__(parent)
        self.at = at
        self.valueChanged.connect(self._move)

    def jump(self, target: float) -> None:
        """Take a value at once."""
        self.stop()
        self.at = target

    def go(self, target: float) -> None:
        """Move to a value, in the time that motion has."""
        self.stop()
        duration = motion_ms()
        if not duration:
            self._move(target)
            self.valueChanged.emit(target)
            return
        self.setDuration(duration)
        self.setStartValue(self.at)
        self.setEndValue(float(target))
        self.start()

    def _move(self, value: float) -> None:
        self.at = float(value)


def unfold(widget: QWidget) -> None:
    """Show a widget below its heading, growing to its height."""
    widget.show()
    duration, most = motion_ms(), widget.maximumHeight()
    if not duration or not widget.isVisible() or widget.findChild(Slide, _UNFOLDING) is not None:
        return
    height = widget.heightForWidth(widget.width()) if widget.hasHeightForWidth() else widget.sizeHint().height()
    slide = Slide(widget)
    slide.setObjectName(_UNFOLDING)
    slide.valueChanged.connect(lambda share: widget.setMaximumHeight(max(1, round(share * height))))
    slide.finished.connect(lambda: widget.setMaximumHeight(most))
    slide.finished.connect(slide.deleteLater)
    slide.go(1.0)


def fade_in(widget: QWidget) -> None:
    """Let a widget that is shown now appear."""
    duration = motion_ms()
    if not duration:
        return
    effect = QGraphicsOpacityEffect(widget)
    effect.setOpacity(0.0)
    widget.setGraphicsEffect(effect)
    slide = Slide(effect)
    slide.valueChanged.connect(effect.setOpacity)
    slide.finished.connect(lambda: widget.setGraphicsEffect(None))  # type: ignore[arg-type]  # takes the effect off
    slide.go(1.0)
