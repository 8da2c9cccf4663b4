"""Icons and state signs, drawn in lines on a 16-pixel grid and crisp at each scale."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Final, Literal

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from toolnote_desktop.desktop.theme.colours import Colours

IconName = Literal[
    "activity",
    "arrow",
    "check",
    "clock",
    "close",
    "copy",
    "down",
    "folder",
    "globe",
    "grip",
    "hidden",
    "home",
    "key",
    "left",
    "lock",
    "menu",
    "more",
    "none",
    "panel",
    "pencil",
    "plus",
    "right",
    "search",
    "settings",
    "shield",
    "sidebar",
    "tool",
    "toolset",
    "undo",
]
Sign = Literal["", "good", "off", "attention", "wrong", "in-use"]

# SVG path data (https://www.w3.org/TR/SVG2/paths.html); "o x y r" is a circle of ours.
_PATHS: Final[dict[str, str]] = {
    "activity": "M1.5 8.5h2.8L6.3 3.5l3.4 9 2-4h2.8",
    "arrow": "M2.5 8h11M9.5 4l4 4-4 4",
    "check": "M3.2 8.4 6.5 11.6 12.8 4.6",
    "clock": "o8 8 5.8M8 4.8V8l2.2 1.6",
    "close": "M4 4l8 8M12 4l-8 8",
    "copy": "M6.7 5.5h5.6a1.2 1.2 0 0 1 1.2 1.2v5.6a1.2 1.2 0 0 1-1.2 1.2H6.7a1.2 1.2 0 0 1-1.2-1.2V6.7a1.2 1.2 0 0 1"
    " 1.2-1.2zM10.5 5.5V3.7a1.2 1.2 0 0 0-1.2-1.2H3.7a1.2 1.2 0 0 0-1.2 1.2v5.6a1.2 1.2 0 0 0 1.2 1.2h1.8",
    "down": "M4 6l4 4 4-4",
    "folder": "M2 4.6a1 1 0 0 1 1-1h3.2l1.5 1.6H13a1 1 0 0 1 1 1v6.2a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z",
    "globe": "o8 8 5.8M2.2 8h11.6M8 2.2c2.2 2 2.2 9.6 0 11.6M8 2.2c-2.2 2-2.2 9.6 0 11.6",
    "grip": "o6 4 1.1o10 4 1.1o6 8 1.1o10 8 1.1o6 12 1.1o10 12 1.1",
    "hidden": "M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4zo8 8 1.8M3 13 13 3",
    "home": "M2.5 7.2 8 2.8l5.5 4.4v6a.6.6 0 0 1-.6.6H10V10H6v3.8H3.1a.6.6 0 0 1-.6-.6z",
    "key": "o5.2 10.8 2.7M7.2 8.8 13.2 2.8M11 5l2 2",
    "left": "M10 4 6 8l4 4",
    "lock": "M4.4 7h7.2a1.2 1.2 0 0 1 1.2 1.2v4.1a1.2 1.2 0 0 1-1.2 1.2H4.4a1.2 1.2 0 0 1-1.2-1.2V8.2a1.2 1.2 0 0 1"
    " 1.2-1.2zM5.4 7V5.2a2.6 2.6 0 0 1 5.2 0V7",
    "menu": "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
    "more": "o3.5 8 1.25o8 8 1.25o12.5 8 1.25",
    "none": "o8 8 5.8M4 12 12 4",
    "panel": "M3.6 3h8.8a1.6 1.6 0 0 1 1.6 1.6v6.8a1.6 1.6 0 0 1-1.6 1.6H3.6a1.6 1.6 0 0 1-1.6-1.6V4.6a1.6 1.6 0 0 1"
    " 1.6-1.6zM10 3v10",
    "pencil": "M3 13l.6-2.8 7.2-7.2 2.2 2.2-7.2 7.2z",
    "plus": "M8 3v10M3 8h10",
    "right": "M6 4l4 4-4 4",
    "search": "o7 7 4.5M10.4 10.4 14 14",
    "settings": "M2 5h6.2M12.8 5H14M2 11h1.2M7.8 11H14o10.5 5 2.2o5.5 11 2.2",
    "shield": "M8 2l5 1.8v4c0 3-2 5.2-5 6.2-3-1-5-3.2-5-6.2v-4z",
    "sidebar": "M3.6 3h8.8a1.6 1.6 0 0 1 1.6 1.6v6.8a1.6 1.6 0 0 1-1.6 1.6H3.6a1.6 1.6 0 0 1-1.6-1.6V4.6a1.6 1.6 0 0 1"
    " 1.6-1.6zM6 3v10",
    "tool": "M10.6 2.5a3.5 3.5 0 0 0-4.3 4.6L2.7 10.7a1.85 1.85 0 0 0 2.6 2.6l3.6-3.6a3.5 3.5 0 0 0"
    " 4.6-4.3l-2.1 2.1-2.2-.7-.7-2.2z",
    "toolset": "M8 2.5 14 5.6 8 8.7 2 5.6zM2 8.7l6 3.1 6-3.1",
    "undo": "M5.8 3.8 3 6.6l2.8 2.8M3 6.6h6.4a3.4 3.4 0 0 1 0 6.8H7",
}
_FILLED: Final = frozenset({"more", "grip"})
_MIRRORED: Final = frozenset({"left", "right", "arrow", "panel", "sidebar", "undo"})
_TOKEN: Final = re.compile(r"[A-Za-z]|-?(?:\d*\.\d+|\d+)")
_NUMBERS: Final = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "a": 7, "o": 3, "z": 0}


def draw_icon(
    painter: QPainter, icon: IconName, rect: QRect | QRectF, colour: QColor, size: float = 16, *, mirrored: bool = False
) -> None:
    """Draw an icon of ``size`` pixels in the middle of ``rect``; arrows and panels turn round where ``mirrored``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(QRectF(rect).center())
    scale = size / 16
    painter.scale(-scale if mirrored and icon in _MIRRORED else scale, scale)
    painter.translate(-8, -8)
    if icon in _FILLED:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
    else:
        pen = QPen(colour, 1.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(icon_path(icon))
    painter.restore()


def draw_sign(painter: QPainter, sign: Sign, middle: QPointF, scheme: Colours) -> None:
    """Draw a state's sign of 10 pixels: disc *works*, ring *idle*, triangle *needs you*, diamond *failed*."""
    if not sign:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(middle - QPointF(5, 5))
    painter.setPen(Qt.PenStyle.NoPen)
    if sign == "off":
        painter.setPen(QPen(QColor(scheme.faint), 1.3))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(5, 5), 3, 3)
    elif sign == "attention":
        painter.setBrush(QColor(scheme.attention))
        painter.drawPolygon(QPolygonF([QPointF(5, 1), QPointF(9.4, 8.8), QPointF(0.6, 8.8)]))
    elif sign == "wrong":
        painter.setBrush(QColor(scheme.wrong))
        painter.drawPolygon(QPolygonF([QPointF(5, 0.6), QPointF(9.4, 5), QPointF(5, 9.4), QPointF(0.6, 5)]))
    else:
        painter.setBrush(QColor(scheme.good if sign == "good" else scheme.accent))
        painter.drawEllipse(QPointF(5, 5), 3.5, 3.5)
    painter.restore()


@cache
def icon_path(icon: IconName) -> QPainterPath:
    """Return an icon's path on the 16-pixel grid."""
    path = QPainterPath()
    tokens = _TOKEN.findall(_PATHS[icon])
    place, command = 0, ""
    control = QPointF()
    while place < len(tokens):
        if tokens[place].isalpha():
            command, place = tokens[place], place + 1
        count = _NUMBERS[command.lower()]
        values = [float(token) for token in tokens[place : place + count]]
        place += count
        control = _add(path, command, values, control)
        if command in "mM":
            command = "l" if command == "m" else "L"
    return path


def _add(path: QPainterPath, command: str, values: list[float], control: QPointF) -> QPointF:
    """Add one command to a path; return the control point that a following ``s`` mirrors."""
    here = path.currentPosition()
    base = here if command.islower() else QPointF()
    points = [base + QPointF(x, y) for x, y in zip(values[::2], values[1::2], strict=False)]
    match command.lower():
        case "m":
            path.moveTo(points[0])
        case "l":
            path.lineTo(points[0])
        case "h":
            path.lineTo(base.x() + values[0], here.y())
        case "v":
            path.lineTo(here.x(), base.y() + values[0])
        case "c":
            path.cubicTo(*points)
            return points[1]
        case "s":
            path.cubicTo(here * 2 - control, *points)
            return points[0]
        case "a":
            _add_arc(path, here, base + QPointF(values[5], values[6]), values[0], bool(values[3]), bool(values[4]))
        case "o":
            path.addEllipse(QPointF(values[0], values[1]), values[2], values[2])
        case _:
            path.closeSubpath()
    return path.currentPosition()


def _add_arc(path: QPainterPath, start: QPointF, end: QPointF, radius: float, large: bool, sweep: bool) -> None:
    """Add a circular arc (SVG 2, appendix B.2.4, with equal radii)."""
    along = end - start
    half = math.hypot(along.x(), along.y()) / 2
    radius = max(radius, half)
    side = math.sqrt(max(0.0, radius * radius - half * half)) / (half * 2)
    side = -side if large == sweep else side
    centre = (start + end) / 2 + QPointF(-along.y(), along.x()) * side
    first = math.degrees(math.atan2(centre.y() - start.y(), start.x() - centre.x()))
    last = math.degrees(math.atan2(centre.y() - end.y(), end.x() - centre.x()))
    length = (first - last) % 360 if sweep else (last - first) % 360
    box = QRectF(centre.x() - radius, centre.y() - radius, radius * 2, radius * 2)
    path.arcTo(box, first, -length if sweep else length)
