"""Dialogs before there is a window: a start that is refused, or the choice of mode after a crash."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt

from toolnote_desktop.desktop.messages import problem_text
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.question import QuestionDialog
from toolnote_desktop.model.problem import Code, Problem

translate = QCoreApplication.translate


def choose_start_mode() -> str:
    """Let the user choose after a start that crashed; return ``normal``, ``safe``, or "" to quit."""
    question = QuestionDialog(
        translate("start_problems", "Toolnote didn’t start last time"),
        translate(
            "start_problems",
            "Toolnote was ended while it started. If that happens again, use safe mode: it starts no tool sources and "
            "resets the window, so that you can fix what keeps Toolnote from starting.",
        ),
        [
            ("normal", translate("start_problems", "Start normally")),
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
    """Dialog for a problem that the user can solve before starting again."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(None)
        self.setObjectName("start-refused")
        text = problem_text(problem)
        if problem.code is Code.FILE_NOT_WRITTEN:
            text = self.tr("Couldn’t write {file}: {reason}. Free some space or allow writing there, then try again.")
            text = text.format_map(problem.parameters)
        self.introduce(self.tr("Toolnote can’t start"), text)
        self.quit_button = Button(self.tr("Quit"), "primary")
        self.quit_button.clicked.connect(self.reject)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.quit_button)
        self.setMinimumWidth(round(480 * text_scale()))


def show_refusal(problem: Problem) -> None:
    """Show why the app does not start; return when the dialog was closed."""
    StartRefused(problem).exec()  # nothing else runs
