"""Texts of a tool source's states, each with the next step (docs/architecture.md, decision 2)."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from msgspec import Struct

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.tools.catalogue import ServerListing
from toolnote_desktop.store.secrets.store import KEYCHAIN_PROBLEMS

MARKS: Final = {
    ServerState.READY: Mark.GOOD,
    ServerState.STARTING: Mark.WAITING,
    ServerState.DOWNLOADING: Mark.WAITING,
    ServerState.RECONNECTING: Mark.WAITING,
    ServerState.FAILED: Mark.WRONG,
    ServerState.DISABLED: Mark.OFF,
}

_NODE: Final = "https://nodejs.org/en/download"
_UV: Final = "https://docs.astral.sh/uv/getting-started/installation/"
_DOCKER: Final = "https://docs.docker.com/get-started/get-docker/"
PROGRAMS: Final = {
    "npx": _NODE,
    "npm": _NODE,
    "node": _NODE,
    "uvx": _UV,
    "uv": _UV,
    "docker": _DOCKER,
    "deno": "https://docs.deno.com/runtime/getting_started/installation/",
    "bunx": "https://bun.sh/docs/installation",
    "bun": "https://bun.sh/docs/installation",
}
"""Programs that start tool sources, with their makers' installation pages."""


_LOCKED: Final = (Code.KEYCHAIN_LOCKED, Code.KEYCHAIN_SILENT)


class NextStep(Enum):
    """Action of the state's button."""

    NONE = auto()
    LOG = auto()
    START_AGAIN = auto()
    EDIT = auto()
    GET_PROGRAM = auto()
    SWITCH_ON = auto()
    SIGN_IN = auto()
    GIVE_SECRET = auto()
    UNLOCK = auto()


class StateText(Struct, frozen=True):
    """Text of a state.

    Attributes:
        action: the button's words; "" for none.
        link: for ``GET_PROGRAM``, the page to open.
        secret: for ``GIVE_SECRET`` and ``UNLOCK``, its name.
    """

    mark: Mark
    text: str
    step: NextStep = NextStep.NONE
    action: str = ""
    link: str = ""
    secret: str = ""


def state_text(listing: ServerListing) -> StateText:
    """Return the text of a tool source's state, with the next step."""
    state, problem = listing.status.state, listing.status.problem
    mark = MARKS.get(state, Mark.ATTENTION)
    text = messages.problem_text(problem) if problem is not None else messages.state_sentence(state)
    match state:
        case ServerState.STARTING if problem is not None and problem.code is Code.SAFE_MODE:
            return StateText(Mark.OFF, text)
        case ServerState.STARTING | ServerState.DOWNLOADING:
            return StateText(mark, text, NextStep.LOG, translate("server_states", "Show log"))
        case ServerState.RECONNECTING:
            return StateText(mark, text, NextStep.START_AGAIN, translate("server_states", "Retry now"))
        case ServerState.NEEDS_PROGRAM:
            return _needs_program(mark, text, problem)
        case ServerState.NEEDS_VALUE if problem is not None and problem.code in _LOCKED:
            words = translate("server_states", "Unlock…")
            return StateText(mark, text, NextStep.UNLOCK, words, secret=missing_secret(problem))
        case ServerState.NEEDS_VALUE if missing_secret(problem):
            words = translate("server_states", "Enter key…")
            return StateText(mark, text, NextStep.GIVE_SECRET, words, secret=missing_secret(problem))
        case ServerState.NEEDS_VALUE:
            return StateText(mark, text, NextStep.EDIT, translate("server_states", "Enter value…"))
        case ServerState.NEEDS_SIGN_IN:
            return StateText(mark, text, NextStep.SIGN_IN, translate("server_states", "Sign in"))
        case ServerState.FAILED if problem is not None and problem.code is Code.AUTHORIZATION_REFUSED:
            return StateText(mark, text, NextStep.EDIT, translate("server_states", "Enter new key…"))
        case ServerState.FAILED:
            return StateText(mark, text, NextStep.START_AGAIN, translate("server_states", "Restart"))
        case ServerState.DISABLED:
            return StateText(mark, text, NextStep.SWITCH_ON, translate("server_states", "Turn on"))
    return StateText(mark, text)


def withheld_variables(listing: ServerListing) -> tuple[str, ...]:
    """Return the variables that a failed start went without; () if it was given all (docs/contract.md 3, inherit)."""
    problem = listing.status.problem
    names = problem.parameters.get("withheld", "") if problem is not None else ""
    return tuple(names.split(", ")) if names else ()


def missing_secret(problem: Problem | None) -> str:
    """Return the name of the missing secret; "" for another problem."""
    if problem is None:
        return ""
    if problem.code in KEYCHAIN_PROBLEMS:
        return problem.parameters.get("name", "")
    kind, _, name = problem.parameters.get("variable", "").partition(":")
    return name if problem.code is Code.VALUE_MISSING and kind == "secret" else ""


def _needs_program(mark: Mark, text: str, problem: Problem | None) -> StateText:
    if problem is not None and problem.code is Code.FOLDER_MISSING:
        return StateText(mark, text, NextStep.EDIT, translate("server_states", "Edit"))
    program = problem.parameters.get("program", "") if problem is not None else ""
    link = PROGRAMS.get(program.removesuffix(".cmd").removesuffix(".exe"), "")
    if link:
        return StateText(mark, text, NextStep.GET_PROGRAM, translate("server_states", "How to install"), link)
    return StateText(mark, text, NextStep.START_AGAIN, translate("server_states", "Restart"))
