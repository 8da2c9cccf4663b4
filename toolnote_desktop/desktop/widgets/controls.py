"""Painted controls: icon buttons, switches, tabs, menus and filter chips, one look for each meaning.

*Tabs* are views of the same thing, a *switch* is on or off at once, a *menu* one of several, a *chip* a filter of the
list below it. Initials stand for a program without an icon.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QIcon,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QMenu, QSizePolicy, QStyle, QTabBar, QWidget

from toolnote_desktop.desktop.models.library_rows import initials_of as initials_of  # noqa: PLC0414 - goes with Tile
from toolnote_desktop.desktop.theme.colours import Colours, colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_font, text_scale
from toolnote_desktop.desktop.theme.icons import IconName, draw_icon
from toolnote_desktop.desktop.theme.motion import Slide
from toolnote_desktop.desktop.widgets.basics import KEYBOARD_REASONS, Button, without_mnemonics
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout

CONTROL_HEIGHT: Final = 32
"""Pixels of a button or field, before scaling by the text size."""

if TYPE_CHECKING:
    _Widget = QWidget
else:
    _Widget = object


def control_height() -> int:
    """Return the height of buttons and fields in pixels."""
    return round(CONTROL_HEIGHT * text_scale())


class PaintedButton(QAbstractButton):
    """Base of painted buttons: accessible name and keyboard focus frame."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._ring = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring = event.reason() in KEYBOARD_REASONS

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._ring = False

    def _paint_ground(self, painter: QPainter, scheme: Colours, corner: float = 6) -> None:
        """Paint the ground under the pointer or while pressed, and the focus frame."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = None
        if self.isDown() or self.isChecked():
            ground = scheme.pressed if self.isDown() else scheme.hover
        elif self.isEnabled() and self.underMouse():
            ground = scheme.hover
        if ground is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(self.rect(), corner, corner)
        if self._ring:
            paint_focus(painter, QRectF(self.rect()), scheme, corner)


def paint_focus(painter: QPainter, rect: QRectF, scheme: Colours, corner: float) -> None:
    """Paint the keyboard focus: 2 pixels of the accent inside the edge."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(scheme.accent), 2))
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), corner - 1, corner - 1)


class IconButton(PaintedButton):
    """Square button with an icon; its name is the tool tip."""

    def __init__(
        self, icon: IconName, name: str, *, pressed: Callable[[], object] | None = None, tooltip: str = ""
    ) -> None:
        super().__init__(name)
        self._icon: IconName = icon
        self._is_faded = False
        self.setToolTip(tooltip or name)
        side = round(28 * text_scale())
        self.setFixedSize(side, side)
        if pressed is not None:
            self.clicked.connect(lambda _checked: pressed())

    def set_faded(self, faded: bool) -> None:
        """Paint nothing unless it has the focus; its room stays."""
        if faded is not self._is_faded:
            self._is_faded = faded
            self.update()

    def open_menu(self, menu: QMenu) -> None:
        """Show a menu below this button, the far edges of both in line."""
        popup_below(self, menu, at_end=True)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_faded and not self.hasFocus():
            return
        scheme = colours(self.palette())
        painter = QPainter(self)
        self._paint_ground(painter, scheme)
        lit = self.isChecked() or (self.isEnabled() and self.underMouse())
        colour = QColor(scheme.text if lit else scheme.dim if self.isEnabled() else scheme.faint)
        draw_icon(painter, self._icon, self.rect(), colour, 16 * text_scale(), mirrored=self.isRightToLeft())


def popup_below(widget: QWidget, menu: QMenu, *, at_end: bool = False) -> None:
    """Show a menu below a widget, their starts in line, or their ends."""
    if at_end is not widget.isRightToLeft():
        menu.popup(widget.mapToGlobal(widget.rect().bottomRight() + QPoint(1 - menu.sizeHint().width(), 2)))
    else:
        menu.popup(widget.mapToGlobal(widget.rect().bottomLeft() + QPoint(0, 2)))


class Switch(PaintedButton):
    """Switch with its word beside it; a check box to screen readers."""

    def __init__(self, on_text: str, off_text: str, name: str, *, flush: bool = False) -> None:
        """``flush``: in line with what is above and below it, for a form; else with space for the focus frame."""
        super().__init__(name)
        self._texts = (off_text, on_text)
        self._edge = 0 if flush else 4
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.knob = Slide(self)
        self.knob.valueChanged.connect(lambda _value: self.update())
        self.toggled.connect(lambda on: self.knob.go(float(on)))
        self.toggled.connect(self._show_text)
        self._show_text()

    def _show_text(self) -> None:
        self.setText(self._texts[self.isChecked()])
        self.setAccessibleDescription(self.text())

    def set_text(self, text: str) -> None:
        """Change the name, which is also the text beside the switch in both states."""
        self._texts = (text, text)
        self.setAccessibleName(text)
        self._show_text()
        self.updateGeometry()

    def show_state(self, on: bool) -> None:
        """Set the state without emitting a signal."""
        if self.isChecked() != on:
            before = self.blockSignals(True)
            self.setChecked(on)
            self.blockSignals(before)
            self.knob.jump(float(on))
            self._show_text()
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(text_font())
        widest = max(metrics.horizontalAdvance(text) for text in self._texts)
        words = 8 + widest + 1 if widest else 0
        return QSize(self._edge + 32 + words + (0 if widest else 4), max(26, metrics.height() + 6))

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = self.rect()
        track = QRect(self._edge, (whole.height() - 18) // 2, 32, 18)
        on = self.isChecked()
        paint_switch(painter, track, whole, scheme, self.layoutDirection(), on=on, at=self.knob.at)
        painter.setPen(QColor(scheme.text if self.isEnabled() else scheme.faint))
        text = QStyle.visualRect(self.layoutDirection(), whole, whole.adjusted(track.right() + 9, 0, 0, 0))
        aligned = QStyle.visualAlignment(
            self.layoutDirection(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        painter.drawText(text, aligned, self.text())
        if self._ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(scheme.accent), 2))
            ring = QRectF(QStyle.visualRect(self.layoutDirection(), whole, track))
            painter.drawRoundedRect(ring.adjusted(-3, -3, 3, 3) & QRectF(whole).adjusted(1, 1, -1, -1), 12, 12)


def paint_switch(
    painter: QPainter,
    track: QRect,
    whole: QRect,
    scheme: Colours,
    direction: Qt.LayoutDirection,
    *,
    on: bool,
    at: float | None = None,
) -> None:
    """Paint a switch (32 × 18 pixels, in tables 28 × 16) in ``whole``, mirrored from right to left.

    Its knob is white in each scheme, and at ``at`` from 0 to 1; None: where it rests.
    """
    outlined = scheme.is_high_contrast and not on
    place = QRectF(QStyle.visualRect(direction, whole, track))
    side = track.height() - 4
    way = track.width() - side - 4
    knob = QRect(track.left() + 2 + round(way * (float(on) if at is None else at)), track.top() + 2, side, side)
    painter.setPen(QPen(QColor(scheme.field), 2) if outlined else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(scheme.card if outlined else scheme.switch_on if on else scheme.field))
    corner = track.height() / 2
    painter.drawRoundedRect(place.adjusted(1, 1, -1, -1) if outlined else place, corner, corner)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(scheme.field if outlined else "#ffffff"))
    painter.drawEllipse(QStyle.visualRect(direction, whole, knob))


class Tabs(QTabBar):
    """Underlined tabs: views of the same thing. Painted, since a style gives a semi-bold text too little room."""

    GAP: Final = 24

    def __init__(self, name: str, texts: Iterable[str] = ()) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._ring = False
        for text in texts:
            self.addTab(without_mnemonics(text))

    def setTabVisible(self, index: int, visible: bool) -> None:
        """Show or hide a tab, and have the layout give the bar room for it: Qt lays out nothing anew."""
        super().setTabVisible(index, visible)
        self.updateGeometry()

    def tabSizeHint(self, index: int) -> QSize:
        width = QFontMetrics(style_font("head")).horizontalAdvance(self._text(index))
        return QSize(width + self._gap(index), round(40 * text_scale()))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return QSize(24 + self._gap(index), round(40 * text_scale()))

    def _gap(self, index: int) -> int:
        """Return the room after a tab: none after the last one, where it would cut a text for nothing."""
        return self.GAP if any(self.isTabVisible(one) for one in range(index + 1, self.count())) else 0

    def _text(self, index: int) -> str:
        return self.tabText(index).replace("&&", "&")

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring = event.reason() in KEYBOARD_REASONS
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._ring = False
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._ring = True
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in range(self.count()):
            if not self.isTabVisible(index):
                continue
            room = self._gap(index)
            gap = (room, 0) if self.isRightToLeft() else (0, -room)
            place = self.tabRect(index).adjusted(gap[0], 0, gap[1], 0)
            current = index == self.currentIndex()
            font = style_font("head" if current else "text")
            painter.setFont(font)
            painter.setPen(QColor(scheme.text if current else scheme.dim if self.isTabEnabled(index) else scheme.faint))
            text = QFontMetrics(font).elidedText(self._text(index), Qt.TextElideMode.ElideRight, place.width() + 1)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter, text)
            if current:
                painter.fillRect(place.left(), place.bottom() - 1, place.width(), 2, QColor(scheme.accent))
                if self._ring:
                    paint_focus(painter, QRectF(place.adjusted(-4, 6, 4, -6)), scheme, 6)


class Menu(QMenu):
    """Menu with a tick at its checked entries."""

    def __init__(self, parent: QWidget | None = None, title: str = "") -> None:
        super().__init__(title, parent)
        self.setProperty("ticks", True)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        scheme = colours(self.palette())
        for action in self.actions():
            if action.isCheckable() and action.isChecked():
                place = self.actionGeometry(action)
                start = place.right() - 28 if self.isRightToLeft() else place.left() + 8
                colour = QColor(scheme.text if action.isEnabled() else scheme.faint)
                draw_icon(painter, "check", QRect(start, place.top(), 20, place.height()), colour)


class Choice(Struct, frozen=True):
    """Entry of a menu: its text and the value that it is for. One without a value is a heading."""

    text: str
    value: Hashable | None = None
    enabled: bool = True


class MenuButton(PaintedButton):
    """Menu: the current choice and a chevron; pressing it shows all choices, the current one ticked.

    Signals:
        chosen: the value that the user chose.
    """

    chosen = Signal(object)

    def __init__(self, name: str, *, boxed: bool = False, small: bool = False) -> None:
        """``boxed``: with a field's border, in forms. ``small``: in the second size and dim, as in a note's corner."""
        super().__init__(name)
        self._name = name
        self._boxed = boxed
        self._small = small
        self._choices: tuple[Choice, ...] = ()
        self.current: Hashable | None = None
        """Value of the current choice."""
        self.menu = Menu(self)
        self.menu.aboutToShow.connect(self._fill)
        self.clicked.connect(lambda _checked: popup_below(self, self.menu))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_choices(self, choices: Sequence[Choice], current: Hashable | None) -> None:
        """Offer these choices and show the current one."""
        self._choices = tuple(choices)
        self.current = current
        text = next((one.text for one in self._choices if one.value == current), "")
        if text != self.text():
            self.setText(text)
            self.updateGeometry()
        self.setAccessibleName(f"{self._name}: {text}" if text else self._name)
        self.update()

    def choose(self, value: Hashable) -> None:
        """Choose a value as the user would."""
        if value != self.current:
            self.set_choices(self._choices, value)
            self.chosen.emit(value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        width = QFontMetrics(self._font()).horizontalAdvance(self.text()) + 1
        if self._boxed:
            return QSize(12 + width + 8 + 12 + 8, control_height())
        return QSize(4 + width + 4 + 12 + 4, round((24 if self._small else 28) * text_scale()))

    def minimumSizeHint(self) -> QSize:
        return QSize(48, self.sizeHint().height())

    def _font(self) -> QFont:
        return style_font("second" if self._small else "text")

    def _fill(self) -> None:
        self.menu.clear()
        for one in self._choices:
            if one.value is None:
                heading = QAction(without_mnemonics(one.text), self.menu, enabled=False)
                self.menu.addAction(heading)
                continue
            action = self.menu.addAction(without_mnemonics(one.text))
            action.setCheckable(True)
            action.setChecked(one.value == self.current)
            action.setEnabled(one.enabled)
            action.triggered.connect(lambda _on, value=one.value: self.choose(value))

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        whole = self.rect()
        if self._boxed:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(QColor(scheme.hover if self.underMouse() and self.isEnabled() else scheme.card))
            painter.setPen(QPen(QColor(scheme.accent if self._ring else scheme.field), 2 if self._ring else 1))
            inset = 1 if self._ring else 0.5
            painter.drawRoundedRect(QRectF(whole).adjusted(inset, inset, -inset, -inset), 7.5, 7.5)
        else:
            self._paint_ground(painter, scheme)
        edge = 12 if self._boxed else 4
        direction = self.layoutDirection()
        room = whole.width() - 2 * edge - 16
        font = self._font()
        shown = QFontMetrics(font).elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        self.setToolTip("" if shown == self.text() else self.text())
        painter.setFont(font)
        painter.setPen(QColor(scheme.faint if not self.isEnabled() else scheme.dim if self._small else scheme.text))
        place = QStyle.visualRect(direction, whole, QRect(edge, 0, room, whole.height()))
        painter.drawText(place, Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter, shown)
        width = room if self._boxed else QFontMetrics(font).horizontalAdvance(shown)
        chevron = QStyle.visualRect(direction, whole, QRect(edge + width + 4, 0, 12, whole.height()))
        draw_icon(painter, "down", chevron, QColor(scheme.dim), 12)


class SearchField(QLineEdit):
    """Field that filters what is below it, with a magnifier at its start and a button that clears it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.clear_button = IconButton("close", self.tr("Clear"), pressed=self.clear)
        self.clear_button.setParent(self)
        self.clear_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.clear_button.setCursor(Qt.CursorShape.ArrowCursor)
        self.clear_button.hide()
        self.textChanged.connect(lambda text: self.clear_button.setVisible(bool(text)))
        self.setTextMargins(24, 0, 24, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = self.clear_button.width()
        place = QRect(self.width() - side - 2, (self.height() - side) // 2, side, side)
        self.clear_button.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), place))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        place = QStyle.visualRect(self.layoutDirection(), self.rect(), QRect(10, 0, 16, self.height()))
        draw_icon(QPainter(self), "search", place, QColor(colours(self.palette()).dim))


class FilterChips(QWidget):
    """Chips that filter the list below them, one at a time.

    Signals:
        chosen: the value of the chip that the user pressed.
    """

    chosen = Signal(object)

    def __init__(self, name: str, choices: Iterable[Choice]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        row = FlowLayout(spacing=8)
        self.setLayout(row)
        row.setContentsMargins(0, 0, 0, 0)
        self.chips: dict[Hashable, Button] = {}
        for one in choices:
            chip = Button(one.text, "chip")
            chip.setCheckable(True)
            chip.clicked.connect(lambda _on, value=one.value: self._press(value))
            self.chips[one.value] = chip
            row.addWidget(chip)
        self.current: Hashable = next(iter(self.chips))
        self.chips[self.current].setChecked(True)

    def _press(self, value: Hashable) -> None:
        changed = value != self.current
        self.current = value
        for one, chip in self.chips.items():
            chip.setChecked(one == value)
        if changed:
            self.chosen.emit(value)


class Tile(QWidget):
    """Initials of a program; screen readers skip them, since its name is beside them."""

    def __init__(self, initials: str = "", size: int = 24) -> None:
        super().__init__()
        self._initials = initials
        self.setFixedSize(size, size)

    def show_initials(self, initials: str) -> None:
        """Show other initials."""
        self._initials = initials
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_tile(QPainter(self), QRectF(self.rect()), self._initials, colours(self.palette()))


def paint_tile(painter: QPainter, place: QRectF, initials: str, scheme: Colours, icon: QIcon | None = None) -> None:
    """Paint a program's icon, or its initials on their ground."""
    if icon is not None:
        icon.paint(painter, place.toRect())
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(scheme.tile))
    corner = 4 if place.width() < 20 else 6 if place.width() < 30 else 8
    painter.drawRoundedRect(place, corner, corner)
    font = style_font("head")
    font.setPixelSize(round({16: 10, 24: 12, 32: 14}.get(round(place.width()), 16)))
    painter.setFont(font)
    painter.setPen(QColor(scheme.tile_text))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, initials)
    painter.restore()


def paint_user_block(
    painter: QPainter, place: QRectF, widget: QWidget, *, writing: bool = False, is_off: bool = False
) -> None:
    """Paint the ground of the user's words: a one-sided border of a style sheet bends at a round corner."""
    scheme = colours(widget.palette())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    path = QPainterPath()
    path.addRoundedRect(place, 8, 8)
    if writing:
        painter.fillPath(path, QColor(scheme.card))
        painter.setPen(QPen(QColor(scheme.accent), 2))
        painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 7, 7)
        return
    if not is_off:
        painter.fillPath(path, QColor(scheme.note_ground))
    painter.setClipPath(path)
    width = 3 if not scheme.is_high_contrast else 5
    start = place.right() - width if widget.isRightToLeft() else place.left()
    painter.fillRect(
        QRectF(start, place.top(), width, place.height()), QColor(scheme.bar if is_off else scheme.note_bar)
    )
