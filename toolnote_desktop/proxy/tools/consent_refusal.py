"""What an assistant is told of a call that the user's own rules refuse: a ``Result`` with what to do (docs/contract.md 7)."""

from __future__ import annotations

from typing import Any

from toolnote_desktop.error_messages import english
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.tools.consent import sentence


def refused_result(problem: Problem) -> Result[Any]:
    """A failure for a problem of ``model.shaping.override_arguments``."""
    told = problem.parameters
    match problem.code:
        case Code.CONSENT_MISSING:
            given = sentence(told.get("reason", ""))
            reason = f" The reason is: {given}" if given else ""
            return Result.failure(
                english(problem),
                "consent_required",
                message=f"{told['tool']} is only used when you ask for it yourself.",
                instruction=(
                    f"Ask the user whether you may use {told['tool']}, and for what exactly.{reason} Do not call it "
                    f"again unless the user says yes to exactly this; then pass {told['argument']}: "
                    f'"{told["literal"]}". Do not look for another way to do the same.'
                ),
            )
        case Code.ARGUMENT_LOCKED:
            return Result.failure(
                english(problem),
                "argument_locked",
                instruction=f"Call the tool again without {told['argument']}: its value is filled in for you. If the "
                "user wants another value, say that it is fixed in Toolnote.",
            )
        case _:
            return Result.failure(english(problem), "invalid_arguments")
