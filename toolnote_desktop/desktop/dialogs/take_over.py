"""Question whether the window may take over from ``toolnote serve``."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt

from toolnote_desktop.desktop.widgets.question import QuestionDialog
from toolnote_desktop.model.problem import Problem

translate = QCoreApplication.translate


def may_take_over(problem: Problem) -> bool:
    """Show the question before there is a window; return True if the user agrees. ``problem`` is ``home-owned``."""
    question = QuestionDialog(
        translate("take_over", "Toolnote is already serving your tools, without a window"),
        translate(
            "take_over",
            "This window can take over. Then the other Toolnote (process {pid}) ends, and connected assistants find "
            "this one by themselves. Assistants that use an address and a token need new ones.",
        ).format(pid=problem.parameters.get("pid", "?")),
        [("take", translate("take_over", "Take over"))],
    )
    question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    question.setObjectName("take-over")
    question.exec()  # nothing else runs yet
    taken = question.answer == "take"
    question.deleteLater()
    return taken
