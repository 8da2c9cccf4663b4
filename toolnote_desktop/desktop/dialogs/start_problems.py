"""What is said before there is a window: why it does not come, or that it did not come the last time."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt

from toolnote_desktop.desktop.messages import problem_text
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.question import Question
from toolnote_desktop.model.problem import Code, Problem

translate = QCoreApplication.translate


def how_to_start() -> str:
    """Ask the user, after a start that was killed or aborted: ``normal``, ``safe``, or not at all (empty)."""
    question = Question(
        translate("start_problems", "Toolnote did not come up the last time"),
        translate(
            "start_problems",
            "It was ended while it started. If that happens again, start it in safe mode: no tool source is started, "
            "and the window looks as at the first start, so that you can put right what keeps it from starting.",
        ),
        [
            ("normal", translate("start_problems", "Start as usual")),
            ("safe", translate("start_problems", "Start in safe mode")),
        ],
    )
    question.setObjectName("start-unfinished")
    question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    question.exec()  # nothing else runs yet
    answer = question.answer
    question.deleteLater()
    return answer


class StartRefused(Dialog):
    """Why there is no window, where it is something that a person can act on."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(None)
        self.setObjectName("start-refused")
        text = problem_text(problem)
        if problem.code is Code.FILE_NOT_WRITTEN:
            text = self.tr("{file} cannot be written: {reason}. Make room or allow writing there, and start it again.")
            text = text.format_map(problem.parameters)
        self.introduce(self.tr("Toolnote cannot start"), text)
        self.quit_button = Button(self.tr("Quit"), "primary")
        self.quit_button.clicked.connect(self.reject)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.quit_button)
        self.setMinimumWidth(round(480 * text_scale()))


def say_why_not(problem: Problem) -> None:
    """Tell the user, and wait until that was read."""
    StartRefused(problem).exec()  # nothing else runs
