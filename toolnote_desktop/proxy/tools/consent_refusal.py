"""Results of calls that the user's rules refuse, with instructions for the assistant (docs/contract.md 7)."""

from __future__ import annotations

from typing import Any

from toolnote_desktop.error_messages import english
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.tools.consent import sentence


def refused_result(problem: Problem) -> Result[Any]:
    """Return the failed result for a problem of ``override_arguments``."""
    values = problem.parameters
    match problem.code:
        case Code.CONSENT_MISSING:
            given = sentence(values.get("reason", ""))
            reason = f" The reason is: {given}" if given else ""
            return Result.failure(
                english(problem),
                "consent_required",
                message=f"{values['tool']} is only used when you ask for it yourself.",
                instruction=(
                    f"Ask the user whether you may use {values['tool']}, and for what exactly.{reason} Do not call it "
                    f"again unless the user says yes to exactly this; then pass {values['argument']}: "
                    f'"{values["literal"]}". Do not look for another way to do the same.'
                ),
            )
        case Code.ARGUMENT_LOCKED:
            return Result.failure(
                english(problem),
                "argument_locked",
                instruction=f"Call the tool again without {values['argument']}: its value is filled in for you. If the "
                "user wants another value, say that it is fixed in Toolnote.",
            )
        case Code.ARGUMENT_NOT_ALLOWED:
            return Result.failure(
                english(problem),
                "argument_locked",
                instruction=f"Use only {values['allowed']} for {values['argument']}. If the user wants another value, "
                "say that Toolnote allows no other.",
            )
        case Code.ARGUMENT_NOT_FOUND:
            return Result.failure(
                english(problem),
                "argument_locked",
                instruction="The user limits this argument, and the tool's server has taken it out. Ask the user to "
                "look at the change in Toolnote.",
            )
        case _:
            return Result.failure(english(problem), "invalid_arguments")
