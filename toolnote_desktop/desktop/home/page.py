"""Home: what needs the user, the assistants with their toolsets, and the calls of a week."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QHBoxLayout, QSizePolicy, QStyle, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.home.calls_chart import CallsChart
from toolnote_desktop.desktop.home.note_boxes import EffectsBox, OffersBox
from toolnote_desktop.desktop.models.library_rows import ACTIVITY, Kind, RowKey, initials_of
from toolnote_desktop.desktop.models.needs_you import (
    Assistant,
    AssistantState,
    Need,
    assistant_states,
    count_all_notes,
    count_notes_in,
)
from toolnote_desktop.desktop.models.note_offers import Offer
from toolnote_desktop.desktop.theme.app_icons import app_icon
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.desktop.theme.icons import draw_icon, draw_sign
from toolnote_desktop.desktop.widgets.banner import Dot, sign_of
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, hairline, label
from toolnote_desktop.desktop.widgets.controls import PaintedButton, paint_focus, paint_tile
from toolnote_desktop.desktop.widgets.page import Page, Width
from toolnote_desktop.guidance.effects import NoteEffect
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.store.activity_queries import Day

_CARD_WIDTH: Final = 300
"""Least width of a card in pixels; it decides how many are in a row."""


class Activity(Struct, frozen=True):
    """Part of the activity log that Home shows."""

    days: tuple[Day, ...] = ()
    last_calls: Mapping[str, float] = {}
    effects: tuple[NoteEffect, ...] = ()
    offers: tuple[Offer, ...] = ()


class NeedRow(QWidget):
    """Row of something that needs the user: sign, state, reason and one button."""

    def __init__(self, need: Need, pressed: Callable[[], object]) -> None:
        super().__init__()
        self.need = need
        self.dot = Dot(need.mark)
        self.text = label(need.text, "heading", wraps=True)
        self.reason = label(need.reason, "small", wraps=True)
        self.button = Button(need.action, name=f"{need.action}: {need.text}", pressed=pressed)
        self.button.setVisible(bool(need.action))
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 16, 10)
        row.setSpacing(12)
        row.addWidget(self.dot)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.text)
        words.addWidget(self.reason)
        row.addLayout(words, 1)
        row.addWidget(self.button)


class AssistantCard(QWidget):
    """Card of an assistant: the upper part opens it, the lower one its toolset."""

    def __init__(
        self,
        state: AssistantState,
        initials: str,
        second: str,
        toolset_second: str,
        open_assistant: Callable[[], object],
        open_toolset: Callable[[], object],
    ) -> None:
        super().__init__()
        self.assistant_part = _CardPart(state.name, second, initials=initials, state=state, pressed=open_assistant)
        title = state.toolset.title if state.toolset is not None else self.tr("No toolset")
        self.toolset_part = _CardPart(title, toolset_second, pressed=open_toolset)
        self.toolset_part.setEnabled(state.toolset is not None)
        whole = column(self, spacing=0)
        whole.addWidget(self.assistant_part)
        whole.addWidget(self.toolset_part)

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.fillPath(path, QColor(scheme.card))
        painter.setClipPath(path)
        painter.fillRect(self.toolset_part.geometry(), QColor(scheme.side))
        painter.fillRect(0, self.toolset_part.y(), self.width(), 1, QColor(scheme.line))
        painter.setClipping(False)
        painter.setPen(QPen(QColor(scheme.edge if scheme.is_high_contrast else scheme.line), 1))
        painter.drawPath(path)


class _CardPart(PaintedButton):
    """Half of a card: a tile or an arrow, a name and a second line."""

    def __init__(
        self,
        name: str,
        second: str,
        *,
        pressed: Callable[[], object],
        initials: str = "",
        state: AssistantState | None = None,
    ) -> None:
        super().__init__(f"{name}, {second}")
        self._name, self._second, self._initials, self._state = name, second, initials, state
        self.clicked.connect(lambda _on: pressed())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def second(self) -> str:
        """Second line."""
        return self._second

    def sizeHint(self) -> QSize:
        return QSize(_CARD_WIDTH, round((68 if self._state is not None else 55) * text_scale()))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole, direction = self.rect(), self.layoutDirection()
        if self.isEnabled() and (self.underMouse() or self.isDown()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.pressed if self.isDown() else scheme.hover))
            painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), 7, 7)

        def place(left: int, width: int, top: int, height: int) -> QRectF:
            return QRectF(QStyle.visualRect(direction, whole, QRect(left, top, width, height)))

        middle = whole.height() // 2
        if self._state is not None:
            paint_tile(painter, place(16, 32, middle - 16, 32), self._initials, scheme, app_icon(self._state.id))
        else:
            mirrored = direction is Qt.LayoutDirection.RightToLeft
            draw_icon(painter, "arrow", place(24, 16, middle - 8, 16), QColor(scheme.dim), mirrored=mirrored)
        room = whole.width() - 60 - 16
        line = round(18 * text_scale())
        aligned = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        head = style_font("head" if self._state is not None else "text")
        painter.setFont(head)
        painter.setPen(QColor(scheme.text))
        shown = QFontMetrics(head).elidedText(self._name, Qt.TextElideMode.ElideRight, room)
        painter.drawText(place(60, room, middle - line + 1, line), aligned, shown)
        small = style_font("second")
        painter.setFont(small)
        painter.setPen(QColor(scheme.dim))
        left = 60
        if self._state is not None:
            sign = place(60, 10, middle, line).center()
            draw_sign(painter, sign_of(self._state.mark), sign, scheme)
            left += 15
        shown = QFontMetrics(small).elidedText(self._second, Qt.TextElideMode.ElideRight, room - left + 60)
        painter.drawText(place(left, room - left + 60, middle, line), aligned, shown)
        if self._ring:
            paint_focus(painter, QRectF(whole).adjusted(1, 1, -1, -1), scheme, 7)


class HomePage(Page):
    """Home page. Its title is the state.

    Signals:
        need_pressed: the ``Need`` whose button was pressed.
        connect_requested: an assistant is to be connected.
        add_tools_requested: tools are to be added.
        day_requested: the ``date`` whose activity is to be shown.
        offer_taken: the ``Offer`` whose note is to be added.
    """

    need_pressed = Signal(object)
    connect_requested = Signal()
    add_tools_requested = Signal()
    day_requested = Signal(object)
    offer_taken = Signal(object)

    def __init__(self) -> None:
        super().__init__(self.tr("Home"))
        self._needs: tuple[Need, ...] | None = None
        self._cards_shown: tuple[object, ...] | None = None
        self._lines: dict[str, tuple[tuple[object, ...], str]] = {}
        self._first_step: Callable[[], object] | None = None
        self._activity = Activity()
        self._shown: tuple[Snapshot, tuple[Assistant, ...]] | None = None
        self._columns = 0
        self.need_rows: list[NeedRow] = []
        self.cards: list[AssistantCard] = []
        self.needs_heading = label(self.tr("Needs you"), "heading")
        self.needs_box = QFrame()
        self.needs_box.setProperty("kind", "box")
        self._needs_column = column(self.needs_box, (1, 1, 1, 1), 0)
        self.connect_button = Button(self.tr("Connect an assistant…"), "link", pressed=self.connect_requested.emit)
        self.first_button = Button("", "primary", pressed=self._press_first)
        self._grid = QGridLayout()
        self._grid.setSpacing(16)
        self.activity_heading = label(self.tr("Calls in the last 7 days"), "heading")
        self.activity_button = Button(
            self.tr("All activity"), "link", pressed=lambda: self.place_requested.emit(ACTIVITY)
        )
        self.chart = CallsChart()
        self.chart.day_pressed.connect(self.day_requested)
        self.no_calls = label(
            self.tr("No calls yet. They appear here when an assistant uses a tool."), "second", wraps=True
        )
        self.effects, self.offers = EffectsBox(), OffersBox()
        self.effects.place_requested.connect(self.place_requested)
        self.offers.place_requested.connect(self.place_requested)
        self.offers.taken.connect(self.offer_taken)
        self._lay_out()
        self.show_activity(Activity())

    def _lay_out(self) -> None:
        self.body.addSpacing(8)
        self.body.addWidget(self.first_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._needs_gap = QWidget()
        self._needs_gap.setFixedHeight(24)
        self.body.addWidget(self._needs_gap)
        self.body.addWidget(self.needs_heading)
        self.body.addSpacing(6)
        self.body.addWidget(self.needs_box)
        self.body.addSpacing(30)
        head = QHBoxLayout()
        head.addWidget(label(self.tr("Assistants"), "heading"), 1)
        head.addWidget(self.connect_button)
        self.body.addLayout(head)
        self.body.addSpacing(6)
        self.body.addLayout(self._grid)
        self.body.addSpacing(30)
        self._chart_column = QWidget()
        self._chart_column.setMaximumWidth(round(560 * text_scale()))
        chart = column(self._chart_column, spacing=6)
        chart_head = QHBoxLayout()
        chart_head.addWidget(self.activity_heading, 1)
        chart_head.addWidget(self.activity_button)
        chart.addLayout(chart_head)
        chart.addWidget(self.chart)
        chart.addWidget(self.no_calls)
        self._figures = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._figures.setSpacing(32)
        self._figures.addWidget(self._chart_column, 560)
        beside = QWidget()
        in_line = (self.activity_button.sizeHint().height() - self.activity_heading.sizeHint().height()) // 2
        boxes = column(beside, (0, max(0, in_line), 0, 0), 24)
        boxes.addWidget(self.effects)
        boxes.addWidget(self.offers)
        boxes.addStretch(1)
        self._figures.addWidget(beside, 412)
        self.body.addLayout(self._figures)
        self.body.addStretch(1)

    def show_state(self, snapshot: Snapshot, assistants: Sequence[Assistant], needs: Sequence[Need]) -> None:
        """Show the current state."""
        self._shown = (snapshot, tuple(assistants))
        self._show_title(snapshot)
        self._show_needs(tuple(needs))
        self._show_cards()

    def show_activity(self, activity: Activity, today: date | None = None) -> None:
        """Show what the activity log has."""
        self._activity = activity
        has_calls = any(day.calls for day in activity.days)
        self.chart.setVisible(has_calls)
        self.activity_button.setVisible(has_calls)
        self.no_calls.setVisible(not has_calls)
        if self._shown is not None:
            self.effects.show_effects(self._shown[0], activity.effects)
        self.offers.show_offers(activity.offers)
        self.chart.show_days(activity.days, today or datetime.now(UTC).astimezone().date())
        self._show_cards()

    def set_width_class(self, width: Width) -> None:
        super().set_width_class(width)
        beside = QBoxLayout.Direction.LeftToRight
        self._figures.setDirection(beside if width >= Width.MEDIUM else QBoxLayout.Direction.TopToBottom)

    def entrance(self) -> QWidget | None:
        """Focus the button of the worst need."""
        return next((row.button for row in self.need_rows if row.need.action), None)

    def _show_title(self, snapshot: Snapshot) -> None:
        written = count_all_notes(snapshot)
        notes = messages.count_notes(written)
        states = assistant_states(snapshot, self._shown[1] if self._shown else ())
        count = sum(one.is_connected for one in states)
        if not snapshot.servers:
            title = self.tr("Tell your assistants how to use their tools")
            second = self.tr("You write notes on tools, and every assistant you connect reads them.")
        else:
            if not count:
                title = self.tr("No assistant reads your notes yet")
            elif not written:
                title = self.tr("You haven’t written a note yet")
            elif count == 1:
                title = self.tr("1 assistant reads your {notes}").format(notes=notes)
            else:
                title = self.tr("%n assistants read your {notes}", "", count).format(notes=notes)
            tools = snapshot.catalogue.listed_count
            sources = len(snapshot.servers)
            source_words = self.tr("1 tool source") if sources == 1 else self.tr("%n tool sources", "", sources)
            second = self.tr("{tools} from {sources}").format(tools=messages.count_tools(tools), sources=source_words)
        self.title.setText(title)
        self.second.setText(second)
        tool = next((key for key, known in snapshot.catalogue.tools.items() if known.listed), None)
        self._first_step = None
        if not snapshot.servers:
            self.first_button.setText(self.tr("Add tools…"))
            self._first_step = self.add_tools_requested.emit
        elif not count:
            self.first_button.setText(self.tr("Connect an assistant…"))
            self._first_step = self.connect_requested.emit
        elif not written and tool is not None:
            self.first_button.setText(self.tr("Write a note…"))
            self._first_step = partial(self.place_requested.emit, RowKey(Kind.TOOL, *tool))
        self.first_button.setVisible(self._first_step is not None)

    def _press_first(self) -> None:
        if self._first_step is not None:
            self._first_step()

    def _show_needs(self, needs: tuple[Need, ...]) -> None:
        if needs == self._needs:
            return
        self._needs = needs
        focused = next((row.need for row in self.need_rows if row.button.hasFocus()), None)
        empty(self._needs_column)
        self.need_rows = []
        for number, need in enumerate(needs):
            if number:
                self._needs_column.addWidget(hairline())
            row = NeedRow(need, partial(self.need_pressed.emit, need))
            self.need_rows.append(row)
            self._needs_column.addWidget(row)
        for widget in (self._needs_gap, self.needs_heading, self.needs_box):
            widget.setVisible(bool(needs))
        if focused is not None:  # never into another part of the window by itself
            kept = [row for row in self.need_rows if row.need == focused] or self.need_rows
            target = kept[0].button if kept else self.connect_button
            target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_cards(self) -> None:
        if self._shown is None:
            return
        snapshot, assistants = self._shown
        states = assistant_states(snapshot, assistants)
        taken: set[str] = set()
        lines: dict[str, tuple[tuple[object, ...], str]] = {}
        for one in states:
            if (toolset := one.toolset) is not None and toolset.name not in lines:
                sources = (toolset, snapshot.notes, snapshot.catalogue)
                same = self._lines.get(toolset.name)
                is_same = same is not None and all(map(operator.is_, same[0], sources))
                lines[toolset.name] = same if same and is_same else (sources, _toolset_line(snapshot, toolset))
        self._lines = lines
        made: list[tuple[AssistantState, str, str, str]] = []
        for one in states:
            initials = initials_of(one.name, taken)
            taken.add(initials)
            line = lines[one.toolset.name][1] if one.toolset is not None else ""
            made.append((one, initials, self._second_of(one), line))
        shown = tuple((one.id, one.name, one.mark, *rest) for one, *rest in made)
        if shown == self._cards_shown:
            return
        self._cards_shown = shown
        empty(self._grid)
        self.cards = [self._card(*one) for one in made]
        self._columns = 0
        self._arrange_cards()

    def _card(self, state: AssistantState, initials: str, second: str, toolset_second: str) -> AssistantCard:
        def open_assistant() -> None:
            self.place_requested.emit(RowKey(Kind.ASSISTANT, state.id))

        def open_toolset() -> None:
            if state.toolset is not None:
                self.place_requested.emit(RowKey(Kind.TOOLSET, state.toolset.name))

        return AssistantCard(state, initials, second, toolset_second, open_assistant, open_toolset)

    def _second_of(self, state: AssistantState) -> str:
        moment = self._activity.last_calls.get(state.id)
        if moment is None:
            return state.word
        when = messages.how_long_ago(datetime.fromtimestamp(moment, UTC).isoformat())
        return self.tr("{state} · last call {when}").format(state=state.word, when=when)

    def _arrange_cards(self) -> None:
        room = self.viewport().width() - self._outer.contentsMargins().left() * 2
        columns = max(1, min(3, room // round(_CARD_WIDTH * text_scale())))
        if columns == self._columns:
            return
        self._columns = columns
        for card in self.cards:
            self._grid.removeWidget(card)
        for number in range(3):
            self._grid.setColumnStretch(number, 1 if number < columns else 0)
        for number, card in enumerate(self.cards):
            self._grid.addWidget(card, number // columns, number % columns)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange_cards()


def _toolset_line(snapshot: Snapshot, toolset: Toolset) -> str:
    return f"{messages.count_tools(len(toolset.tools))} · {messages.count_notes(count_notes_in(snapshot, toolset))}"
