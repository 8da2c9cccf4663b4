"""Window that asks the user whether a call may run: who, what, with which arguments, and the user's notes on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QColor, QFocusEvent, QGuiApplication, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLayout, QScrollArea, QWidget

from toolnote_desktop.desktop.models.library_rows import Mark, initials_of
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import fixed_font, style_font, text_scale
from toolnote_desktop.desktop.widgets.alert import announce
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, hairline, label, restyle
from toolnote_desktop.desktop.widgets.controls import IconButton, Menu, Tile, paint_user_block
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel, made_visible

DEAD_SECONDS: Final = 0.5
"""Seconds after which the buttons work, so that a press meant for another window allows nothing."""

_WIDTH: Final = 480
_MOST_NOTES: Final = 3
_LONGEST_VALUE: Final = 4_000
"""Characters of a value that are laid out, several screens; a button opens the rest."""


class Argument(Struct, frozen=True):
    """Argument of a call: its title, and its value as text without secrets."""

    title: str
    value: str
    mono: bool = False


class Details(Struct, frozen=True):
    """Details of the question that is shown.

    Attributes:
        effect: what the tool may do, with its mark.
    """

    effect: str
    mark: Mark
    arguments: tuple[Argument, ...]
    notes: tuple[str, ...] = ()


class Question(Struct, frozen=True):
    """Question that waits.

    Attributes:
        details: returns the details once the question is shown: those of many or large calls take long to prepare.
        ends: when the call is refused, by ``time.monotonic``. ``seconds``: the whole time for the answer.
        for_session: *Allow for this session* is offered.
    """

    id: int
    assistant: str
    tool: str
    details: Callable[[], Details]
    ends: float
    seconds: float
    for_session: bool = True


class ApprovalWindow(QWidget):
    """Queue of questions, the oldest shown. It never takes the keyboard from another window.

    Signals:
        decided: id of the question, and ``once``, ``session``, ``always`` or ``deny``.
    """

    decided = Signal(int, str)

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(None, Qt.WindowType.Window | Qt.WindowType.WindowStaysOnTopHint)
        self.setObjectName("approval-window")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setWindowTitle("Toolnote")
        self._clock = clock
        self._questions: dict[int, Question] = {}
        self._first: int | None = None
        layout = column(self, (24, 24, 24, 20), 16)
        layout.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)

        self._tile = Tile("", 40)
        self.head = label("", "window-head", wraps=True)
        self._sign = Dot()
        self.effect = label("", "second", wraps=True)
        self.count = label("", "small")
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self._tile, 0, Qt.AlignmentFlag.AlignTop)
        beside = QWidget()
        words = column(beside, spacing=2)
        words.addWidget(self.head)
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self._sign)
        line.addWidget(self.effect, 1)
        words.addLayout(line)
        head.addWidget(beside, 1)
        head.addWidget(self.count, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(head)

        self._body = QWidget()
        self._rows = column(self._body, spacing=12)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._body)
        self._scroll.setAccessibleName(self.tr("Call"))
        layout.addWidget(self._scroll, 1)

        self._track = _TimeTrack()
        self.left = label("", "second")
        layout.addWidget(self._track)
        layout.addWidget(self.left)

        self.deny_button = _AnswerOfEscape(self.tr("Don’t allow"), pressed=lambda: self._decide("deny"))
        self.deny_all_button = Button(self.tr("Don’t allow all"), pressed=self._deny_all)
        self.session_button = Button(self.tr("Allow for this session"), pressed=lambda: self._decide("session"))
        self.once_button = Button(self.tr("Allow once"), pressed=lambda: self._decide("once"))
        self.more_button = IconButton("more", self.tr("More ways to allow"))
        self.more_button.clicked.connect(self._open_menu)
        self.menu = Menu(self)
        self.always = self.menu.addAction(self.tr("Always with these arguments"))
        self.always.triggered.connect(lambda: self._decide("always"))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.deny_button)
        buttons.addWidget(self.deny_all_button)
        buttons.addStretch(1)
        buttons.addWidget(self.session_button)
        buttons.addWidget(self.once_button)
        buttons.addWidget(self.more_button)
        layout.addLayout(buttons)

        self._timer = QTimer(self, interval=250)
        self._timer.timeout.connect(self._tick)
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._show_questions)
        self._live = QTimer(self, singleShot=True, interval=round(DEAD_SECONDS * 1000))
        self._live.timeout.connect(lambda: self._set_live(True))

    @property
    def questions(self) -> tuple[Question, ...]:
        """Questions that wait, the shown one first."""
        return tuple(self._questions.values())

    def ask(self, questions: Sequence[Question]) -> None:
        """Add questions, and show the window if it was hidden."""
        self._questions.update((one.id, one) for one in questions)
        self._show_questions()

    def withdraw(self, question: int) -> None:
        """Remove a question that needs no answer any more; what follows is shown once for all that end together."""
        if self._questions.pop(question, None) is None:
            return
        if not self._questions:
            self._show_questions()
            return
        if question == self._first:
            self._live.stop()
            self._set_live(False)
        self._next.start()

    def _show_questions(self) -> None:
        """Show the oldest question, if it is not shown already, and how many there are; hide the window without one."""
        first = next(iter(self._questions), None)
        if first is None:
            self._first = None
            self._timer.stop()
            self.hide()
        elif first != self._first:
            self._first = first
            self._show_first(self._questions[first])
        else:
            self._show_count()

    def _show_first(self, question: Question) -> None:
        details = question.details()
        self._tile.show_initials(initials_of(question.assistant))
        self.head.setText(made_visible(self.tr("{0} wants to run {1}").format(question.assistant, question.tool)))
        self.effect.setText(details.effect)
        self._sign.show_mark(details.mark)
        self.session_button.setVisible(question.for_session)
        self._fill(details)
        self._show_count()
        self._set_live(False)
        self._live.start()
        self._show_time(question)
        self._timer.start()
        self._place()
        self.show()
        self.deny_button.setFocus(Qt.FocusReason.OtherFocusReason)
        announce(self.head, self.head.text())

    def _fill(self, details: Details) -> None:
        empty(self._rows)
        self._rows.addWidget(hairline())
        if arguments := details.arguments:
            grid = QGridLayout()
            grid.setHorizontalSpacing(16)
            grid.setVerticalSpacing(8)
            grid.setColumnStretch(1, 1)
            for row, argument in enumerate(arguments):
                name = label(made_visible(argument.title), "second", wraps=True)
                name.setFixedWidth(round(96 * text_scale()))
                value = FullTextLabel(argument.value, longest=_LONGEST_VALUE)
                value.setAccessibleName(argument.title)
                if argument.mono:
                    value.setFont(fixed_font(12))
                grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(value, row, 1)
            holder = QWidget()
            holder.setLayout(grid)
            grid.setContentsMargins(0, 0, 0, 0)
            self._rows.addWidget(holder)
        else:
            self._rows.addWidget(label(self.tr("No arguments"), "second"))
        self._rows.addWidget(hairline())
        for text in details.notes[:_MOST_NOTES]:
            self._rows.addWidget(_NoteBox(self.tr("Your note"), text))
        self._rows.addStretch(1)

    def _show_count(self) -> None:
        several = len(self._questions) > 1
        self.count.setText(self.tr("1 of {0}").format(len(self._questions)) if several else "")
        self.count.setVisible(several)
        self.deny_all_button.setVisible(several)

    def _set_live(self, live: bool) -> None:
        for button in (self.deny_button, self.deny_all_button, self.session_button, self.once_button, self.more_button):
            button.setEnabled(live)
        if live:  # also in the back: the place of the keyboard once the window has it
            self.deny_button.setFocus(Qt.FocusReason.OtherFocusReason)
        restyle(self.deny_button, ring=live)  # the answer of Escape and Enter, whichever window has the keyboard

    def _tick(self) -> None:
        if self._first in self._questions:
            self._show_time(self._questions[self._first])

    def _show_time(self, question: Question) -> None:
        left = max(0.0, question.ends - self._clock())
        minutes, seconds = divmod(round(left), 60)
        self.left.setText(self.tr("Not allowed automatically in {0}").format(f"{minutes}:{seconds:02}"))
        self._track.show_share(left / question.seconds if question.seconds > 0 else 0.0)

    def _place(self) -> None:
        """Fit the window into the screen's free area: as wide as its drawing, at the bottom right."""
        screen = self.screen() or QGuiApplication.primaryScreen()
        free = screen.availableGeometry().adjusted(24, 24, -24, -24)
        self.ensurePolished()
        width = min(round(_WIDTH * text_scale()), free.width())
        chrome = self.sizeHint().height() - self._scroll.sizeHint().height()
        self._body.setMinimumWidth(0)
        wanted = (
            self._rows.heightForWidth(width - 48) if self._rows.hasHeightForWidth() else self._rows.sizeHint().height()
        )
        self._scroll.setMinimumHeight(min(wanted, 120))
        height = min(chrome + max(wanted, 60) + 8, free.height())
        self.resize(width, height)
        self.move(free.right() - width, free.bottom() - height)

    def _open_menu(self) -> None:
        self.more_button.open_menu(self.menu)

    def _decide(self, decision: str) -> None:
        if self._first is not None and self._questions.pop(self._first, None) is not None:
            self.decided.emit(self._first, decision)
            self._show_questions()

    def _deny_all(self) -> None:
        """Deny all questions, of which the next ones are not shown meanwhile."""
        denied = list(self._questions)
        self._questions.clear()
        for question in denied:
            self.decided.emit(question, "deny")
        self._show_questions()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._questions and self.deny_button.isEnabled():
            self._decide("deny")
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing the window allows nothing: its questions are answered with no."""
        self._deny_all()
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self.deny_button.isEnabled():
            self.deny_button.setFocus(Qt.FocusReason.ActiveWindowFocusReason)
        super().changeEvent(event)


class _AnswerOfEscape(Button):
    """Button with its ring unless another control of its window has the focus."""

    def _show(self, event: QFocusEvent) -> None:
        is_next = event.gotFocus() or event.reason() is Qt.FocusReason.ActiveWindowFocusReason
        restyle(self, ring=self.isEnabled() and is_next)


class _TimeTrack(QWidget):
    """Line that shortens with the time left; screen readers have the text below it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(2)
        self._share = 1.0

    def show_share(self, share: float) -> None:
        """Show the share of the time that is left, 0 to 1."""
        self._share = share
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, scheme = QPainter(self), colours(self.palette())
        whole = QRectF(self.rect())
        painter.fillRect(whole, QColor(scheme.track))
        left = QRectF(whole)
        left.setWidth(whole.width() * self._share)
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            left.moveRight(whole.right())
        painter.fillRect(left, QColor(scheme.text))


class _NoteBox(QFrame):
    """Note of the user, on the ground of notes."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        layout = column(self, (12, 8, 12, 8), 2)
        head = label(title, "good")
        head.setFont(style_font("head"))
        body = FullTextLabel(text)
        layout.addWidget(head)
        layout.addWidget(body)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_user_block(QPainter(self), QRectF(self.rect()), self)
