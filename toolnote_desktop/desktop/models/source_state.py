"""State of a tool source in words, with the next step: the one place for the sidebar, Home and the pages."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.library_rows import Mark, listing_of
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.secrets.variable_expansion import SECRET_NAME, secret_references
from toolnote_desktop.model.servers import Server, ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import ServerListing
from toolnote_desktop.store.secrets.store import KEYCHAIN_PROBLEMS

_MARKS: Final = {
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


class SourceState(Struct, frozen=True):
    """State of a tool source.

    Attributes:
        word: the state in a word or two, for lists.
        title: the state as a sentence without its full stop; "" for a source that works.
        reason: what it means and what to do, in sentences.
        action: the words on the button; "" for none.
        link: for ``GET_PROGRAM``, the page to open.
        secret: for ``GIVE_SECRET`` and ``UNLOCK``, its name.
        since: how long its tools have failed, as a sentence; "" where that is unknown.
    """

    mark: Mark
    word: str
    title: str = ""
    reason: str = ""
    step: NextStep = NextStep.NONE
    action: str = ""
    link: str = ""
    secret: str = ""
    since: str = ""

    @property
    def sentence(self) -> str:
        """Title and reason as one text."""
        return f"{self.title}. {self.reason}".strip(" .") + "." if self.title else ""


def source_state(snapshot: Snapshot, server: str) -> SourceState:
    """Return the state of a tool source of ``servers.json``."""
    listing = listing_of(snapshot, server)
    state, since = _state_of(snapshot, server, listing), listing.status.since
    if since is None or not listing.tools:
        return state
    words = translate("source_state", "Its tools have failed since {time}.").format(time=messages.moment(since))
    return replace(state, since=words)


def _state_of(snapshot: Snapshot, server: str, listing: ServerListing) -> SourceState:
    state, problem = listing.status.state, listing.status.problem
    mark = _MARKS.get(state, Mark.ATTENTION)
    word = messages.state_word(state)
    word = word[:1].upper() + word[1:]
    match state:
        case ServerState.STARTING if problem is not None and problem.code is Code.SAFE_MODE:
            title = translate("source_state", "{source} doesn’t run")
            reason = translate("source_state", "Toolnote is in safe mode.")
            return _of(server, Mark.OFF, translate("source_state", "Not running"), title, reason, NextStep.NONE, "")
        case ServerState.STARTING:
            title = translate("source_state", "{source} is starting")
            reason = translate("source_state", "Its tools can be used as soon as it answers.")
            return _of(server, mark, word, title, reason, NextStep.LOG, translate("source_state", "Show log"))
        case ServerState.DOWNLOADING:
            title = translate("source_state", "{source} is being downloaded for the first time")
            reason = translate("source_state", "This can take a minute.")
            return _of(server, mark, word, title, reason, NextStep.LOG, translate("source_state", "Show log"))
        case ServerState.RECONNECTING:
            title = translate("source_state", "{source} isn’t answering")
            reason = translate("source_state", "Toolnote keeps trying.")
            step, action = NextStep.START_AGAIN, translate("source_state", "Retry now")
            return _of(server, mark, word, title, _detail(problem) or reason, step, action)
        case ServerState.NEEDS_PROGRAM:
            return _needs_program(server, mark, word, problem)
        case ServerState.NEEDS_VALUE:
            return _needs_value(server, mark, word, problem)
        case ServerState.NEEDS_SIGN_IN:
            title = translate("source_state", "{source} needs you to sign in")
            reason = _until(
                _count_listed(listing), translate("source_state", "Its tools appear once you have signed in.")
            )
            return _of(server, mark, word, title, reason, NextStep.SIGN_IN, translate("source_state", "Sign in"))
        case ServerState.FAILED if problem is not None and problem.code is Code.AUTHORIZATION_REFUSED:
            return _refused(server, snapshot.servers[server], _count_listed(listing))
        case ServerState.FAILED if problem is not None and problem.code is Code.FOLDER_MISSING:
            title = translate("source_state", "{source} can’t find its folder")
            reason = translate("source_state", "The folder {folder} doesn’t exist.")
            reason = reason.format(folder=problem.parameters.get("folder", "?"))
            return _of(server, mark, word, title, reason, NextStep.EDIT, translate("source_state", "Edit…"))
        case ServerState.FAILED:
            title = translate("source_state", "{source} couldn’t start")
            reason = _detail(problem) or translate("source_state", "The log may say why.")
            step, action = NextStep.START_AGAIN, translate("source_state", "Restart")
            return _of(server, mark, word, title, reason, step, action)
        case ServerState.DISABLED:
            title = translate("source_state", "{source} is off")
            reason = translate("source_state", "Assistants don’t get its tools. Your notes are kept.")
            return _of(server, mark, word, title, reason, NextStep.SWITCH_ON, translate("source_state", "Turn on"))
    return SourceState(mark, word)


def _of(
    server: str,
    mark: Mark,
    word: str,
    title: str,
    reason: str,
    step: NextStep,
    action: str,
    *,
    link: str = "",
    secret: str = "",
) -> SourceState:
    return SourceState(
        mark, word, title.format(source=messages.source_name(server)), reason, step, action, link, secret
    )


def _count_listed(listing: ServerListing) -> int:
    return sum(known.listed for known in listing.tools)


def _until(count: int, none: str) -> str:
    """Return what a source's missing step means for its tools."""
    if count == 0:
        return none
    if count == 1:
        return translate("source_state", "Its tool fails until then. Your notes are kept.")
    return translate("source_state", "Its %n tools fail until then. Your notes are kept.", None, count)


def _detail(problem: Problem | None) -> str:
    """Return a problem's text for the line below a title that says already what failed."""
    if problem is None:
        return ""
    if problem.code is Code.SERVER_EXITED:
        stderr = problem.parameters.get("stderr", "").strip()
        if stderr:
            return translate("source_state", "It stopped by itself. Its last line: {line}").format(line=stderr)
        return translate("source_state", "It stopped by itself. The log may say why.")
    return messages.problem_text(problem)


def _refused(server: str, entry: Server, count: int) -> SourceState:
    """Return the state of a source that refuses its key: a secret of its entry, else a value in it."""
    secrets = [name for name in secret_references(entry) if SECRET_NAME.fullmatch(name)]
    title = translate("source_state", "{source} doesn’t accept its key")
    reason = (
        translate("source_state", "Its tool fails until you enter a new one. Your notes are kept.")
        if count == 1
        else translate("source_state", "Its %n tools fail until you enter a new one. Your notes are kept.", None, count)
        if count
        else translate("source_state", "Its tools appear once you have entered a new one.")
    )
    return _of(
        server,
        Mark.WRONG,
        translate("source_state", "Key refused"),
        title,
        reason,
        NextStep.GIVE_SECRET if secrets else NextStep.EDIT,
        translate("source_state", "Enter new key…"),
        secret=secrets[0] if secrets else "",
    )


def _needs_value(server: str, mark: Mark, word: str, problem: Problem | None) -> SourceState:
    secret = missing_secret(problem)
    if problem is not None and problem.code in _LOCKED:
        if problem.code is Code.KEYCHAIN_LOCKED:
            title = translate("source_state", "Your keychain is locked")
            reason = translate("source_state", "{source} needs its key {name} from it.")
        else:
            title = translate("source_state", "Your keychain doesn’t answer")
            reason = translate("source_state", "It may be waiting for you to unlock it. {source} needs its key {name}.")
        reason = reason.format(source=messages.source_name(server), name=secret)
        action = translate("source_state", "Unlock…")
        word = translate("source_state", "Locked")
        return _of(server, mark, word, title, reason, NextStep.UNLOCK, action, secret=secret)
    if secret:
        title = translate("source_state", "{source} is missing a key")
        reason = translate("source_state", "It starts once you have entered {name}.").format(name=secret)
        if problem is not None and problem.code is Code.KEYCHAIN_ABSENT:
            reason = translate("source_state", "This computer has no keychain, so enter {name} again.")
            reason = reason.format(name=secret)
        action = translate("source_state", "Enter key…")
        word = translate("source_state", "Key missing")
        return _of(server, mark, word, title, reason, NextStep.GIVE_SECRET, action, secret=secret)
    title = translate("source_state", "{source} is missing a value")
    reason = translate("source_state", "Some value in its settings is not set.")
    variable = problem.parameters.get("variable", "") if problem is not None else ""
    if variable:
        reason = translate("source_state", "It starts once {name} is set.").format(name=variable)
    return _of(server, mark, word, title, reason, NextStep.EDIT, translate("source_state", "Enter value…"))


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


def _needs_program(server: str, mark: Mark, word: str, problem: Problem | None) -> SourceState:
    program = problem.parameters.get("program", "") if problem is not None else ""
    title = translate("source_state", "{source} needs a program that isn’t installed")
    if program:
        title = translate("source_state", "{source} needs the program {program}").replace("{program}", program)
    link = PROGRAMS.get(program.removesuffix(".cmd").removesuffix(".exe"), "")
    if link:
        reason = translate("source_state", "Install it. Toolnote starts {source} once it is there.")
        reason = reason.format(source=messages.source_name(server))
        step, action = NextStep.GET_PROGRAM, translate("source_state", "How to install")
        return _of(server, mark, word, title, reason, step, action, link=link)
    reason = translate("source_state", "Install it, then restart {source}.").format(source=messages.source_name(server))
    return _of(server, mark, word, title, reason, NextStep.START_AGAIN, translate("source_state", "Restart"))
