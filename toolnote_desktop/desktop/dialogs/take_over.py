"""Asked where `toolnote serve` owns the home: may the window take over?"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMessageBox

from toolnote_desktop.model.problem import Problem

translate = QCoreApplication.translate


def may_take_over(problem: Problem) -> bool:
    """Ask the user, before there is a window. ``problem`` is ``home-owned``."""
    question = QMessageBox()
    question.setObjectName("take-over")
    question.setIcon(QMessageBox.Icon.Question)
    question.setWindowTitle(translate("take_over", "Toolnote is running without a window"))
    question.setText(translate("take_over", "Toolnote is already serving your tools, without a window."))
    question.setInformativeText(
        translate(
            "take_over",
            "This window can take over: the other one (process {pid}) ends, and assistants connect to this one by "
            "themselves. Those that were given its address and token have to be given new ones.",
        ).format(pid=problem.parameters.get("pid", "?"))
    )
    take = question.addButton(translate("take_over", "Take over"), QMessageBox.ButtonRole.AcceptRole)
    question.addButton(QMessageBox.StandardButton.Cancel)
    question.setDefaultButton(take)
    question.exec()  # nothing else runs yet
    taken = question.clickedButton() is take
    question.deleteLater()
    return taken
