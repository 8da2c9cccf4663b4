"""Delegate of the library's rows: a triangle, a dot, the name, and a right column that is never elided."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.library_tree import Role, mark_of
from toolnote_desktop.desktop.theme.colours import Colours, colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_font, text_scale
from toolnote_desktop.desktop.theme.icons import draw_sign
from toolnote_desktop.desktop.widgets.banner import sign_of

AnyIndex = QModelIndex | QPersistentModelIndex

ROW_HEIGHT: Final = 28
"""Pixels, before scaling by the text size."""
INSET: Final = 6
"""Pixels between the selected row's ground and the pane's edge."""
_CHEVRON: Final = (14, 22)
"""Middle of the triangle of a group and of a row in it."""
_DOT: Final = (0, 36, 50)
_TEXT: Final = (26, 46, 60)
"""Where the words begin at each level."""
_FLAT_DOT: Final = 19
_FLAT_TEXT: Final = 30
_RIGHT_MARGIN: Final = 10
_GAP: Final = 12

_State = QStyle.StateFlag


class RowDelegate(QStyledItemDelegate):
    """Paint whole rows, ground included, because styles paint the ground around the triangle separately.

    ``flat``: for a list without nested rows.
    """

    def __init__(self, parent: QObject | None = None, *, flat: bool = False) -> None:
        super().__init__(parent)
        self._flat = flat

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(120, row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        option_: Any = option  # PySide's stubs leave out the fields of style options
        scheme = colours(option_.palette)
        rect: QRect = option_.rect
        state: QStyle.StateFlag = option_.state
        direction: Qt.LayoutDirection = option_.direction
        level = min(int(index.data(Role.LEVEL) or 0), 2)
        is_group = level == 0
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_ground(painter, rect, state, scheme, is_group=is_group)

        def placed(logical: QRect) -> QRect:
            return QStyle.visualRect(direction, rect, logical.translated(rect.topLeft()))

        right_edge = rect.width() - INSET - _RIGHT_MARGIN
        right_text = str(index.data(Role.RIGHT) or "")
        if right_text:
            right_font = text_font(change=-1)
            width = QFontMetrics(right_font).horizontalAdvance(right_text) + 1
            selected = bool(state & _State.State_Selected)
            painter.setFont(right_font)
            painter.setPen(QColor(scheme.accent if is_hint(index) else scheme.text if selected else scheme.dim))
            painter.drawText(placed(QRect(right_edge - width, 0, width, rect.height())), _middle(), right_text)
            right_edge -= width + _GAP
        if not is_group:
            dot = placed(QRect((_FLAT_DOT if self._flat else _DOT[level]) - 5, 0, 10, rect.height()))
            draw_sign(painter, sign_of(mark_of(index)), QRectF(dot).center(), scheme)
        left = _FLAT_TEXT if self._flat else _TEXT[level]
        font = _group_font() if is_group else text_font()
        painter.setFont(font)
        dim = is_group or (bool(index.data(Role.DIM)) and not state & _State.State_Selected)
        painter.setPen(QColor(scheme.dim if dim else scheme.text))
        text = QFontMetrics(font).elidedText(
            str(index.data(Qt.ItemDataRole.DisplayRole)), Qt.TextElideMode.ElideRight, right_edge - left
        )
        aligned = QStyle.visualAlignment(direction, Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(placed(QRect(left, 0, right_edge - left, rect.height())), aligned, text)
        second = str(index.data(Role.SECOND) or "")
        left += QFontMetrics(font).horizontalAdvance(text) + _GAP
        if second and right_edge - left > 40:
            painter.setFont(text_font(change=-1))
            painter.setPen(QColor(scheme.dim))
            second = painter.fontMetrics().elidedText(second, Qt.TextElideMode.ElideRight, right_edge - left)
            painter.drawText(placed(QRect(left, 0, right_edge - left, rect.height())), aligned, second)
        if index.model().rowCount(index) > 0:
            middle = placed(QRect(chevron_middle(level) - 5, 0, 10, rect.height()))
            is_open = bool(state & _State.State_Open)
            _paint_chevron(painter, middle, QColor(scheme.dim), is_open=is_open, mirrored=_is_mirrored(direction))
        painter.restore()


def drag_pixmap(widget: QWidget, text: str, count: int) -> QPixmap:
    """Return the drag image of rows: the name of the first and their count."""
    scheme = colours(widget.palette())
    font = text_font()
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, 220)
    if count > 1:
        shown = f"{shown}  +{count - 1}"
    size = QSize(metrics.horizontalAdvance(shown) + 24, row_height())
    ratio = widget.devicePixelRatioF()
    picture = QPixmap(size * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor(scheme.accent_ground))
    painter.setPen(QPen(QColor(scheme.accent), 1))
    painter.drawRoundedRect(QRectF(0.5, 0.5, size.width() - 1, size.height() - 1), 6, 6)
    painter.setFont(font)
    painter.setPen(QColor(scheme.text))
    painter.drawText(QRect(0, 0, size.width(), size.height()), _middle(), shown)
    painter.end()
    return picture


def is_hint(index: AnyIndex) -> bool:
    """Return True if a row is a hint in an empty group; pressing it starts the action that it names."""
    key = index.data(Role.KEY)
    return isinstance(key, RowKey) and key.kind is Kind.WAY


def row_height() -> int:
    """Pixels; more where the system's text is larger."""
    return round(ROW_HEIGHT * text_scale())


def chevron_middle(level: int) -> int:
    """Return the triangle's offset from the row's start in pixels."""
    return _CHEVRON[min(level, 1)]


def is_on_chevron(x: int, width: int, level: int, direction: Qt.LayoutDirection) -> bool:
    """Return True if a press at ``x`` hits the triangle."""
    from_start = width - x if _is_mirrored(direction) else x
    return abs(from_start - chevron_middle(level)) <= 9


def _is_mirrored(direction: Qt.LayoutDirection) -> bool:
    return direction == Qt.LayoutDirection.RightToLeft


def _middle() -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter


def _group_font() -> QFont:
    return style_font("group")


def _paint_ground(painter: QPainter, rect: QRect, state: QStyle.StateFlag, scheme: Colours, *, is_group: bool) -> None:
    ground = QRectF(rect).adjusted(INSET, 1, -INSET, -1)
    painter.setPen(Qt.PenStyle.NoPen)
    if state & _State.State_Selected:
        painter.setBrush(QColor(scheme.accent_ground))
        if scheme.is_high_contrast:  # a shade is not enough to say it by
            painter.setPen(QPen(QColor(scheme.accent), 2))
        painter.drawRoundedRect(ground, 6, 6)
    elif state & _State.State_MouseOver and not is_group:
        painter.setBrush(QColor(scheme.hover))
        painter.drawRoundedRect(ground, 6, 6)
    if state & _State.State_HasFocus:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(scheme.accent), 1.5))
        painter.drawRoundedRect(ground.adjusted(0.75, 0.75, -0.75, -0.75), 5.5, 5.5)


def _paint_chevron(painter: QPainter, place: QRect, colour: QColor, *, is_open: bool, mirrored: bool) -> None:
    middle = QRectF(place).center()
    if is_open:
        points = (QPointF(-3.5, -1.75), QPointF(0, 1.75), QPointF(3.5, -1.75))
    else:
        side = -1 if mirrored else 1
        points = (QPointF(-1.75 * side, -3.5), QPointF(1.75 * side, 0), QPointF(-1.75 * side, 3.5))
    pen = QPen(colour, 1.5)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([middle + point for point in points]))
