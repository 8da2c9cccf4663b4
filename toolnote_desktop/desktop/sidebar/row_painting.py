"""Delegate of the sidebar's rows: places with icons, groups with a button, assistants in two lines, sources, tools."""

from __future__ import annotations

from typing import Any, Final, cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.library_tree import Role
from toolnote_desktop.desktop.theme.app_icons import app_icon
from toolnote_desktop.desktop.theme.colours import Colours, colours
from toolnote_desktop.desktop.theme.fonts import TextStyle, style_font, text_scale
from toolnote_desktop.desktop.theme.icons import IconName, draw_icon, draw_sign
from toolnote_desktop.desktop.widgets.banner import sign_of
from toolnote_desktop.desktop.widgets.controls import paint_focus, paint_tile

AnyIndex = QModelIndex | QPersistentModelIndex

INSET: Final = 12
"""Pixels between the ground of a selected row and the edge of the sidebar."""
_TEXT: Final = 52
_TOOL_TEXT: Final = 64
_SIGN: Final = 32
_CHEVRON: Final = 19
_RIGHT: Final = 20
_GROUP_GAP: Final = 12
_HEIGHTS: Final = {Kind.HOME: 32, Kind.ACTIVITY: 32, Kind.GROUP: 28 + _GROUP_GAP, Kind.ASSISTANT: 44}
_ROW: Final = 28
_State = QStyle.StateFlag


class SidebarDelegate(QStyledItemDelegate):
    """Paint whole rows, ground included."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(120, row_height(kind_at(index)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        option_: Any = option  # PySide's stubs leave out the fields of style options
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _Row(painter, option_.rect, option_.state, option_.direction, colours(option_.palette), index).paint()
        painter.restore()


class _Row:
    """Painting of one row; all places are given from left to right and mirrored where the window is."""

    def __init__(
        self,
        painter: QPainter,
        rect: QRect,
        state: QStyle.StateFlag,
        direction: Qt.LayoutDirection,
        scheme: Colours,
        index: AnyIndex,
    ) -> None:
        self._painter = painter
        self._rect = rect
        self._state = state
        self._direction = direction
        self._scheme = scheme
        self._index = index
        self._is_selected = bool(state & _State.State_Selected)
        self._right = rect.width() - _RIGHT

    def paint(self) -> None:
        kind = kind_at(self._index)
        text = str(self._index.data(Qt.ItemDataRole.DisplayRole) or "")
        icon = str(self._index.data(Role.ICON) or "")
        dim = bool(self._index.data(Role.DIM)) and not self._is_selected
        colour = self._scheme.dim if dim else self._scheme.text
        if kind is Kind.GROUP:
            self._paint_group(text)
            return
        self._paint_ground()
        if kind is Kind.ASSISTANT:
            self._paint_assistant(text, icon)
            return
        self._paint_right()
        if kind is Kind.WAY:
            self._text(text, "text", self._scheme.accent, _TEXT)
            return
        if kind in (Kind.TOOL, Kind.ALL_TOOLS):
            self._text(text, "text", colour, _TOOL_TEXT)
            return
        if icon:
            shade = self._scheme.accent if self._is_selected else self._scheme.dim
            draw_icon(self._painter, cast(IconName, icon), self._place(_SIGN - 8, 16), QColor(shade), 16)
        else:
            draw_sign(self._painter, sign_of(_mark(self._index, Role.MARK)), self._middle(_SIGN), self._scheme)
        if self._index.model().hasChildren(self._index):
            opened = bool(self._state & _State.State_Open)
            mirrored = self._direction is Qt.LayoutDirection.RightToLeft
            place = self._place(_CHEVRON - 6, 12)
            draw_icon(
                self._painter,
                "down" if opened else "right",
                place,
                QColor(self._scheme.dim),
                12,
                mirrored=mirrored and not opened,
            )
        self._text(text, "text", colour, _TEXT)

    def _paint_group(self, text: str) -> None:
        top = round(_GROUP_GAP * text_scale())
        self._rect = self._rect.adjusted(0, top, 0, 0)
        self._text(text, "group", self._scheme.dim, INSET + 8)
        place = self._place(self._rect.width() - INSET - 28, 28)
        hovered = bool(self._state & _State.State_MouseOver)
        if hovered or self._state & _State.State_HasFocus:
            ground = QRectF(place.adjusted(0, (place.height() - 28) // 2, 0, -((place.height() - 28) // 2)))
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(QColor(self._scheme.hover))
            self._painter.drawRoundedRect(ground, 6, 6)
            if self._state & _State.State_HasFocus:
                paint_focus(self._painter, ground, self._scheme, 6)
        draw_icon(self._painter, "plus", place, QColor(self._scheme.dim), 16)

    def _paint_assistant(self, text: str, initials: str) -> None:
        side = 24
        tile = self._place(INSET + 8, side)
        tile = tile.adjusted(0, (tile.height() - side) // 2, 0, 0)
        tile.setHeight(side)
        key: RowKey = self._index.data(Role.KEY)
        paint_tile(self._painter, QRectF(tile), initials, self._scheme, app_icon(key.owner))
        middle = self._rect.height() / 2
        first = self._rect.adjusted(0, round(middle - 18 * text_scale()), 0, -round(middle))
        second = self._rect.adjusted(0, round(middle), 0, -round(middle - 17 * text_scale()))
        whole, self._rect = self._rect, first
        self._text(text, "text", self._scheme.text, _TEXT)
        self._rect = second
        draw_sign(self._painter, sign_of(_mark(self._index, Role.MARK)), self._middle(_TEXT + 5), self._scheme)
        self._text(str(self._index.data(Role.SECOND) or ""), "second", self._scheme.dim, _TEXT + 15)
        self._rect = whole

    def _paint_right(self) -> None:
        text = str(self._index.data(Role.RIGHT) or "")
        if not text:
            return
        mark = _mark(self._index, Role.RIGHT_MARK)
        font = style_font("second", figures=True)
        width = QFontMetrics(font).horizontalAdvance(text) + 1
        self._painter.setFont(font)
        shade = self._scheme.attention_text if mark is Mark.ATTENTION else self._scheme.dim
        self._painter.setPen(QColor(shade))
        place = self._place(self._right - width, width)
        self._painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        self._right -= width + 5
        if mark is not Mark.NONE:
            draw_sign(self._painter, sign_of(mark), self._middle(self._right - 5), self._scheme)
            self._right -= 10
        self._right -= 7

    def _paint_ground(self) -> None:
        ground = QRectF(self._rect).adjusted(INSET, 0, -INSET, 0)
        self._painter.setPen(Qt.PenStyle.NoPen)
        if self._is_selected:
            self._painter.setBrush(QColor(self._scheme.accent_ground))
            if self._scheme.is_high_contrast:  # a shade alone is too little
                self._painter.setPen(QPen(QColor(self._scheme.accent), 2))
                ground.adjust(1, 1, -1, -1)
            self._painter.drawRoundedRect(ground, 6, 6)
        elif self._state & _State.State_MouseOver:
            self._painter.setBrush(QColor(self._scheme.hover))
            self._painter.drawRoundedRect(ground, 6, 6)
        if self._state & _State.State_HasFocus:
            paint_focus(self._painter, ground, self._scheme, 6)

    def _text(self, text: str, style: TextStyle, colour: str, left: int) -> None:
        font: QFont = style_font(style)
        room = self._right - left
        self._painter.setFont(font)
        self._painter.setPen(QColor(colour))
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room)
        aligned = QStyle.visualAlignment(self._direction, Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter
        self._painter.drawText(self._place(left, room), aligned, shown)

    def _place(self, left: int, width: int) -> QRect:
        place = QRect(self._rect.left() + left, self._rect.top(), width, self._rect.height())
        return QStyle.visualRect(self._direction, self._rect, place)

    def _middle(self, x: int) -> QPointF:
        return QRectF(self._place(x - 5, 10)).center()


def kind_at(index: AnyIndex) -> Kind:
    """Return the kind of the row at an index."""
    key = index.data(Role.KEY)
    return key.kind if isinstance(key, RowKey) else Kind.GROUP


def row_height(kind: Kind) -> int:
    """Return the height of a kind of row in pixels."""
    return round(_HEIGHTS.get(kind, _ROW) * text_scale())


def is_on_chevron(x: int, width: int, direction: Qt.LayoutDirection) -> bool:
    """Return True if a press at ``x`` opens or closes a source."""
    from_start = width - x if direction is Qt.LayoutDirection.RightToLeft else x
    return abs(from_start - _CHEVRON) <= 9


def is_on_plus(x: int, width: int, direction: Qt.LayoutDirection) -> bool:
    """Return True if a press at ``x`` hits the button of a group."""
    from_end = x if direction is Qt.LayoutDirection.RightToLeft else width - x
    return INSET <= from_end <= INSET + 28


def _mark(index: AnyIndex, role: Role) -> Mark:
    return Mark(index.data(role) or "")
