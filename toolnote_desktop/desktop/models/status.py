"""Status line: the state and the next required action. No Qt but for translated texts."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from msgspec import Struct

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.library_rows import PROBLEMS, Kind, Mark, RowKey, all_problems
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot


class Assistant(Protocol):
    """Connected client as the proxy reports it."""

    @property
    def id(self) -> str:
        """Client id; "" for the run's own token."""

    @property
    def name(self) -> str:
        """Name that the client reported."""

    @property
    def up_to_date(self) -> bool:
        """True if the client has fetched the current lists."""


class StatusTarget(Enum):
    """Targets of a status action that are no row of the library."""

    CONNECT = "connect"
    RESUME_NOTES = "resume-notes"
    EXPLAIN_RESTART = "explain-restart"


class StatusAction(Struct, frozen=True):
    """Problem or task that needs the user's attention.

    Attributes:
        action: the words on the button; empty where nothing can be done here.
        target: where the button leads.
        about: the assistant's name, for ``StatusTarget.EXPLAIN_RESTART``.
    """

    mark: Mark
    text: str
    action: str = ""
    target: RowKey | StatusTarget | None = None
    about: str = ""


class Serving(Struct, frozen=True):
    """State of the endpoint: ``url`` once assistants can reach it, ``problem`` if they cannot.

    ``is_safe_mode``: nothing is started, on purpose.
    """

    url: str | None = None
    problem: Problem | None = None
    is_safe_mode: bool = False


def assistant_name(snapshot: Snapshot, assistant: Assistant) -> str:
    """Return the display name: from ``clients.json``, else from its id, else the reported name."""
    known = snapshot.clients.get(assistant.id)
    if known is not None and known.name:
        return known.name
    return messages.author_name(snapshot, assistant.id) if assistant.id else assistant.name


def status_of(snapshot: Snapshot, assistants: Sequence[Assistant], serving: Serving) -> tuple[Mark, str]:
    """Return dot and text of the state: on and for whom, starting, or unreachable."""
    if serving.is_safe_mode:
        return Mark.ATTENTION, translate("attention", "Safe mode")
    if serving.url is None:
        if serving.problem is not None:
            return Mark.WRONG, translate("attention", "Assistants cannot reach Toolnote")
        return Mark.WAITING, translate("attention", "Starting")
    names = tuple(dict.fromkeys(assistant_name(snapshot, one) for one in assistants))
    if not names:
        return Mark.GOOD, translate("attention", "On  ·  no assistant connected")
    if len(names) > 3:
        return Mark.GOOD, translate("attention", "On  ·  %n assistants connected", None, len(names))
    return Mark.GOOD, translate("attention", "On  ·  {names} connected").format(names=messages.joined(names))


def next_status_action(snapshot: Snapshot, assistants: Sequence[Assistant], serving: Serving) -> StatusAction | None:
    """Return the most urgent action; None if nothing needs attention."""
    if serving.url is None and serving.problem is not None:
        return StatusAction(Mark.WRONG, messages.problem_text(serving.problem))
    return (
        _server_in_need(snapshot)
        or _document_in_need(snapshot)
        or _notes_paused(snapshot)
        or _assistant_behind(snapshot, assistants)
        or _changed_tools(snapshot)
        or _port(serving)
        or _no_assistant_connected(snapshot, assistants, serving)
    )


def _server_in_need(snapshot: Snapshot) -> StatusAction | None:
    texts = {
        ServerState.NEEDS_SIGN_IN: translate("attention", "{source} wants you to sign in"),
        ServerState.NEEDS_VALUE: translate("attention", "{source} needs a value that only you know"),
        ServerState.NEEDS_PROGRAM: translate("attention", "{source} needs a program that is not installed"),
        ServerState.FAILED: translate("attention", "{source} could not be started"),
    }
    found = [
        (server, listing.status.state)
        for server, listing in snapshot.catalogue.servers.items()
        if listing.status.state in texts
    ]
    if not found:
        return None
    server, state = found[0]
    mark = Mark.WRONG if state is ServerState.FAILED else Mark.ATTENTION
    target = RowKey(Kind.SERVER, server)
    return StatusAction(mark, texts[state].format(source=server), translate("attention", "What to do"), target)


def _document_in_need(snapshot: Snapshot) -> StatusAction | None:
    problems = all_problems(snapshot)
    if not problems:
        return None
    count = len(problems)
    text = translate("attention", "1 problem") if count == 1 else translate("attention", "%n problems", None, count)
    return StatusAction(Mark.ATTENTION, text, translate("attention", "Have a look"), PROBLEMS)


def _notes_paused(snapshot: Snapshot) -> StatusAction | None:
    if not snapshot.settings.notes_paused:
        return None
    text = translate("attention", "Your notes are paused: assistants do not get them")
    return StatusAction(Mark.ATTENTION, text, translate("attention", "Go on"), StatusTarget.RESUME_NOTES)


def _assistant_behind(snapshot: Snapshot, assistants: Sequence[Assistant]) -> StatusAction | None:
    for one in assistants:
        if not one.up_to_date:
            name = assistant_name(snapshot, one)
            text = translate("attention", "{assistant} has not seen your last change").format(assistant=name)
            action = translate("attention", "What to do")
            return StatusAction(Mark.ATTENTION, text, action, StatusTarget.EXPLAIN_RESTART, name)
    return None


def _changed_tools(snapshot: Snapshot) -> StatusAction | None:
    changed = [known for known in snapshot.catalogue.tools.values() if known.changed and known.listed]
    if not changed:
        return None
    if len(changed) == 1:
        text = translate("attention", "1 tool has changed")
    else:
        text = translate("attention", "%n tools have changed", None, len(changed))
    target = RowKey(Kind.CHANGED, *changed[0].tool.key)
    return StatusAction(Mark.ATTENTION, text, translate("attention", "Have a look"), target)


def _port(serving: Serving) -> StatusAction | None:
    if serving.problem is None:
        return None
    return StatusAction(Mark.ATTENTION, messages.problem_text(serving.problem))


def _no_assistant_connected(
    snapshot: Snapshot, assistants: Sequence[Assistant], serving: Serving
) -> StatusAction | None:
    if serving.url is None or assistants or snapshot.clients or not snapshot.catalogue.tools:
        return None
    text = translate("attention", "No assistant reads your notes yet")
    return StatusAction(Mark.NONE, text, translate("attention", "Connect one"), StatusTarget.CONNECT)
