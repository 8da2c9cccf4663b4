"""Needs of the user, and states of the assistants and the app. No Qt but for translated texts."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, Protocol

from msgspec import Struct

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import QT_TRANSLATE_NOOP, translate
from toolnote_desktop.desktop.models.library_rows import (
    LOST_NOTES,
    PROBLEMS,
    Kind,
    Mark,
    RowKey,
    all_problems,
    lost_notes,
)
from toolnote_desktop.desktop.models.source_state import NextStep, source_state
from toolnote_desktop.model.edits import CATALOG, CLIENTS, SERVERS, SETTINGS, TOOLS, DocumentId
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.servers import ServerOptions
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool, ReviewState
from toolnote_desktop.model.tools.review import instructions_review
from toolnote_desktop.model.toolsets.toolset import Toolset


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

    @property
    def changes_behind(self) -> int:
        """Changes of its list since it fetched it."""


class NeedAction(Enum):
    """Action of a need that opens no place."""

    RESUME_NOTES = "resume-notes"
    TURN_ON = "turn-on"
    DROP_LOST_RULES = "drop-lost-rules"
    DROP_LOST_CLIENTS = "drop-lost-clients"
    DROP_LOST_SOURCES = "drop-lost-sources"
    DROP_LOST_SETTINGS = "drop-lost-settings"
    DROP_LOST_CATALOGUE = "drop-lost-catalogue"


LOST_DOCUMENTS: Final = {
    NeedAction.DROP_LOST_RULES: TOOLS,
    NeedAction.DROP_LOST_CLIENTS: CLIENTS,
    NeedAction.DROP_LOST_SOURCES: SERVERS,
    NeedAction.DROP_LOST_SETTINGS: SETTINGS,
    NeedAction.DROP_LOST_CATALOGUE: CATALOG,
}
"""Document whose lost rules an action drops."""

_LOST_TEXTS: Final[dict[DocumentId, tuple[str, str, str]]] = {
    TOOLS: (
        QT_TRANSLATE_NOOP("needs", "Your rules for tools couldn’t be read"),
        QT_TRANSLATE_NOOP(
            "needs", "You are asked before each call until you set them again, or bring back the file tools.json."
        ),
        QT_TRANSLATE_NOOP("needs", "Don’t ask anymore"),
    ),
    CLIENTS: (
        QT_TRANSLATE_NOOP("needs", "Your settings for assistants couldn’t be read"),
        QT_TRANSLATE_NOOP("needs", "They get no tools until you give them a toolset, or bring back clients.json."),
        QT_TRANSLATE_NOOP("needs", "Use the default toolset"),
    ),
    SERVERS: (
        QT_TRANSLATE_NOOP("needs", "Your tool sources couldn’t be read"),
        QT_TRANSLATE_NOOP(
            "needs", "Add them again, or bring back the file servers.json. Changes of those that you add are held."
        ),
        QT_TRANSLATE_NOOP("needs", "Hold no more changes"),
    ),
    SETTINGS: (
        QT_TRANSLATE_NOOP("needs", "Your settings couldn’t be read"),
        QT_TRANSLATE_NOOP(
            "needs", "Toolnote’s own tools are off until you set them again, or bring back the file settings.json."
        ),
        QT_TRANSLATE_NOOP("needs", "Use the usual settings"),
    ),
    CATALOG: (
        QT_TRANSLATE_NOOP("needs", "What you accepted of tools couldn’t be read"),
        QT_TRANSLATE_NOOP(
            "needs", "Where changes are held, look through the tools below. Or bring back the file catalog.json."
        ),
        QT_TRANSLATE_NOOP("needs", "I have seen it"),
    ),
}
"""What is said of each: title, reason, action."""


MAX_CHANGED = 3
"""Changed tools of a source that are needs of their own; more are one need."""

MAX_NEEDS = 50
"""Needs that are listed; the others are counted."""


class Need(Struct, frozen=True):
    """Something that needs the user.

    Attributes:
        text: the state, without a full stop.
        reason: what it means, as a sentence.
        action: the words on the button; empty where nothing can be done here.
        target: the place that the button opens, or the step that it takes.
    """

    mark: Mark
    text: str
    reason: str = ""
    action: str = ""
    target: RowKey | NeedAction | None = None


class EndpointState(Struct, frozen=True):
    """State of the endpoint: ``url`` once assistants can reach it, ``problem`` if they cannot.

    ``is_safe_mode``: nothing is started, on purpose; ``is_off``: the user has turned Toolnote off.
    """

    url: str | None = None
    problem: Problem | None = None
    is_safe_mode: bool = False
    is_off: bool = False

    @property
    def runs_sources(self) -> bool:
        """True if tool sources are started."""
        return not self.is_safe_mode and not self.is_off


class Unconnected(Struct, frozen=True):
    """Assistant of ``clients.json`` whose settings file has no entry of Toolnote now; listed among ``Assistant``s."""

    id: str
    name: str = ""
    up_to_date: bool = True
    changes_behind: int = 0


class AssistantState(Struct, frozen=True):
    """State of one assistant: ``word`` is one of *Running*, *Set up*, *Not connected*, *Restart needed*."""

    id: str
    name: str
    mark: Mark
    word: str
    toolset: Toolset | None = None
    changes_behind: int = 0
    is_connected: bool = True


def assistant_name(snapshot: Snapshot, assistant: Assistant) -> str:
    """Return the display name: from ``clients.json``, else from its id, else the reported name."""
    known = snapshot.clients.get(assistant.id)
    if known is not None and known.name:
        return known.name
    return messages.author_name(snapshot, assistant.id) if assistant.id else assistant.name


def assistant_states(snapshot: Snapshot, assistants: Sequence[Assistant]) -> tuple[AssistantState, ...]:
    """List the assistants that are set up, in the order of ``clients.json``, then others that are connected."""
    running: dict[str, list[Assistant]] = {}
    unconnected = {one.id for one in assistants if isinstance(one, Unconnected)}
    for one in assistants:
        if not isinstance(one, Unconnected):
            running.setdefault(one.id or one.name, []).append(one)
    states = []
    for client in (*snapshot.clients, *(one for one in running if one not in snapshot.clients)):
        known = snapshot.clients.get(client)
        here = running.get(client, [])
        name = messages.author_name(snapshot, client) if known is not None else assistant_name(snapshot, here[0])
        toolset = snapshot.toolsets.get(known.toolset) if known is not None and known.toolset else None
        is_connected = bool(here) or client not in unconnected
        if not is_connected:
            mark, word = Mark.OFF, translate("assistants", "Not connected")
        elif not here:
            mark, word = Mark.OFF, translate("assistants", "Set up")
        elif all(one.up_to_date for one in here):
            mark, word = Mark.GOOD, translate("assistants", "Running")
        elif _follows(client):
            mark, word = Mark.WAITING, translate("assistants", "Reading your changes")
        else:
            mark, word = Mark.ATTENTION, translate("assistants", "Restart needed")
        behind = max((one.changes_behind for one in here), default=0)
        served = toolset or snapshot.shared_toolset
        states.append(AssistantState(client, name, mark, word, served, behind, is_connected))
    return tuple(states)


def _follows(client: str) -> bool:
    """Return True if a known assistant reads changes by itself."""
    from toolnote_desktop.assistants.known_client import FollowsChanges  # not needed for the first paint
    from toolnote_desktop.assistants.registry import CLIENTS

    known = CLIENTS.get(client)
    return known is not None and known.follows is not FollowsChanges.RESTART


def _advice(client: str, name: str) -> str:
    """Return what the user has to do, so that an assistant reads changes."""
    from toolnote_desktop.assistants.registry import CLIENTS  # not needed for the first paint

    known = CLIENTS.get(client)
    if known is not None:
        return messages.problem_text(known.advice_after_change())
    return translate("needs", "Quit {assistant} completely, then open it again.").format(assistant=name)


def state_of_toolnote(snapshot: Snapshot, serving: EndpointState) -> tuple[Mark, str]:
    """Return sign and words of the app's own state, for the foot of the sidebar."""
    if serving.is_safe_mode:
        return Mark.ATTENTION, translate("needs", "Safe mode")
    if serving.is_off:
        return Mark.OFF, translate("needs", "Toolnote is off")
    if serving.url is None:
        if serving.problem is not None:
            return Mark.WRONG, translate("needs", "Toolnote is off")
        return Mark.WAITING, translate("needs", "Toolnote is starting")
    if snapshot.settings.notes_paused:
        return Mark.ATTENTION, translate("needs", "Notes are paused")
    return Mark.GOOD, translate("needs", "Toolnote is on")


def needs_you(snapshot: Snapshot, assistants: Sequence[Assistant], serving: EndpointState) -> tuple[Need, ...]:
    """List what needs the user, worst first."""
    needs = [
        *_own_state(serving),
        *_lost_rules(snapshot),
        *(_sources(snapshot) if serving.runs_sources else ()),
        *_problems(snapshot),
        *_changed_tools(snapshot),
        *_changed_prompts(snapshot),
        *_changed_instructions(snapshot),
        *_assistants_behind(snapshot, assistants),
        *_notes(snapshot),
    ]
    needs.sort(key=lambda need: need.mark is not Mark.WRONG)
    if len(needs) > MAX_NEEDS:
        more = Need(Mark.ATTENTION, translate("needs", "%n more", None, len(needs) - MAX_NEEDS))
        return (*needs[:MAX_NEEDS], more)
    return tuple(needs)


def _own_state(serving: EndpointState) -> list[Need]:
    if serving.is_off:
        reason = translate("needs", "No tool source runs, and assistants get no tools.")
        text, action = translate("needs", "Toolnote is off"), translate("needs", "Turn on")
        return [Need(Mark.ATTENTION, text, reason, action, NeedAction.TURN_ON)]
    if serving.url is None and serving.problem is not None and not serving.is_safe_mode:
        text = translate("needs", "Assistants can’t reach Toolnote")
        return [Need(Mark.WRONG, text, messages.problem_text(serving.problem))]
    return []


def _sources(snapshot: Snapshot) -> list[Need]:
    found = []
    for server in snapshot.servers:
        now = source_state(snapshot, server)
        if now.mark in (Mark.WRONG, Mark.ATTENTION) and server in snapshot.catalogue.servers:
            is_restart = now.step is NextStep.START_AGAIN  # the page has it, beside the log
            action = translate("needs", "Show log") if is_restart else now.action
            found.append(Need(now.mark, now.title, now.reason, action, RowKey(Kind.SERVER, server)))
    return found


def _lost_rules(snapshot: Snapshot) -> list[Need]:
    found = []
    for drop, document in LOST_DOCUMENTS.items():
        if document in snapshot.lost_rules:
            text, reason, action = (translate("needs", one) for one in _LOST_TEXTS[document])
            found.append(Need(Mark.WRONG, text, reason, action, drop))
    return found


def _problems(snapshot: Snapshot) -> list[Need]:
    problems = all_problems(snapshot)
    if not problems:
        return []
    count = len(problems)
    text = translate("needs", "1 problem") if count == 1 else translate("needs", "%n problems", None, count)
    reason = messages.problem_text(problems[0])
    return [Need(Mark.ATTENTION, text, reason, translate("needs", "Review"), PROBLEMS)]


def _changed_tools(snapshot: Snapshot) -> list[Need]:
    changed: dict[str, list[KnownTool]] = {}
    for known in snapshot.catalogue.changed_tools:
        changed.setdefault(known.tool.server, []).append(known)
    found = []
    for server, tools in changed.items():
        if len(tools) > MAX_CHANGED:
            text = translate("needs", "{source} changed %n tools", None, len(tools)).format(
                source=messages.source_name(server)
            )
            is_held = any(one.review is ReviewState.HELD for one in tools)
            reason = _reading(ReviewState.HELD if is_held else ReviewState.SHOWN)
            found.append(Need(Mark.ATTENTION, text, reason, translate("needs", "Review"), RowKey(Kind.SERVER, server)))
            continue
        for known in tools:
            text = translate("needs", "{source} changed {tool}").format(
                source=messages.source_name(known.tool.server), tool=known.tool.title
            )
            count = len(notes_on(snapshot, known.tool.namespaced_name))
            reason = _reading(known.review)
            if count:
                reason = translate("needs", "You have {notes} on it.").format(notes=messages.count_notes(count))
            place = RowKey(Kind.CHANGED, *known.tool.key)
            found.append(Need(Mark.ATTENTION, text, reason, translate("needs", "Review change"), place))
    return found


def _changed_prompts(snapshot: Snapshot) -> list[Need]:
    found = []
    for server, listing in snapshot.catalogue.servers.items():
        changed = [known for known in listing.prompts if known.changed and known.listed]
        source = messages.source_name(server)
        if len(changed) > MAX_CHANGED:
            text = translate("needs", "{source} changed several prompts").format(source=source)
            state = ReviewState.HELD if any(one.review is ReviewState.HELD for one in changed) else ReviewState.SHOWN
            place, action = RowKey(Kind.SERVER, server), translate("needs", "Review")
            found.append(Need(Mark.ATTENTION, text, _reading(state), action, place))
            continue
        for known in changed:
            text = translate("needs", "{source} changed its prompt {name}").format(source=source, name=known.tool.title)
            place, action = RowKey(Kind.CHANGED_PROMPT, *known.tool.key), translate("needs", "Review change")
            found.append(Need(Mark.ATTENTION, text, _reading(known.review), action, place))
    return found


def _changed_instructions(snapshot: Snapshot) -> list[Need]:
    text = translate("needs", "{source} changed its instructions")
    action = translate("needs", "Review change")
    found = []
    for server, listing in snapshot.catalogue.servers.items():
        entry = snapshot.servers.get(server)
        state = instructions_review(listing, entry.toolnote if entry is not None else ServerOptions())
        if state in (ReviewState.SHOWN, ReviewState.HELD):
            place = RowKey(Kind.SERVER, server)
            found.append(
                Need(Mark.ATTENTION, text.format(source=messages.source_name(server)), _reading(state), action, place)
            )
    return found


def _reading(state: ReviewState) -> str:
    """Return which version of something that changed assistants read."""
    if state is ReviewState.HELD:
        return translate("needs", "Assistants still read the old version.")
    return translate("needs", "Assistants already read the new version.")


def unread_words(assistant: str, changes: int) -> str:
    """Return how many changes an assistant has not read. ``changes``: 0 if the number is not known."""
    if changes == 1:
        text = translate("needs", "{assistant} hasn’t read your last change")
    elif changes:
        text = translate("needs", "{assistant} hasn’t read your last %n changes", None, changes)
    else:
        text = translate("needs", "{assistant} hasn’t read your latest changes")
    return text.format(assistant=assistant)


def unread_count(changes: int) -> str:
    """Return how many changes an assistant that is named beside it has not read; "" if the number is not known."""
    if changes == 1:
        return translate("needs", "Hasn’t read your last change")
    return translate("needs", "Hasn’t read your last %n changes", None, changes) if changes else ""


def _assistants_behind(snapshot: Snapshot, assistants: Sequence[Assistant]) -> list[Need]:
    return [
        Need(
            Mark.ATTENTION,
            unread_words(one.name, one.changes_behind),
            _advice(one.id, one.name),
            translate("needs", "Show steps"),
            RowKey(Kind.ASSISTANT, one.id),
        )
        for one in assistant_states(snapshot, assistants)
        if one.mark is Mark.ATTENTION
    ]


def _notes(snapshot: Snapshot) -> list[Need]:
    found = []
    if snapshot.settings.notes_paused:
        text = translate("needs", "Your notes are paused")
        reason = translate("needs", "Assistants get the original descriptions until you resume.")
        found.append(Need(Mark.ATTENTION, text, reason, translate("needs", "Resume"), NeedAction.RESUME_NOTES))
    count = len(lost_notes(snapshot))
    if count:
        if count == 1:
            text = translate("needs", "1 note has lost its tool")
        else:
            text = translate("needs", "%n notes have lost their tools", None, count)
        reason = translate("needs", "They are kept and come back with their tool, or move them to another.")
        found.append(Need(Mark.ATTENTION, text, reason, translate("needs", "Review"), LOST_NOTES))
    return found


def notes_on(snapshot: Snapshot, name: str) -> tuple[str, ...]:
    """Return the names of a tool's own notes, in every toolset and in single ones."""
    found = [note.name for note in snapshot.notes.tools.get(name, ())]
    for toolset in snapshot.toolsets.values():
        found += [
            note.name for group in toolset.notes if group.reference.namespaced_name == name for note in group.notes
        ]
    return tuple(found)


def count_all_notes(snapshot: Snapshot) -> int:
    """Return the number of notes in every scope."""
    everywhere = snapshot.notes
    count = len(everywhere.everything)
    count += sum(map(len, everywhere.servers.values())) + sum(map(len, everywhere.tools.values()))
    return count + sum(len(group.notes) for one in snapshot.toolsets.values() for group in one.notes)


def count_notes_in(snapshot: Snapshot, toolset: Toolset) -> int:
    """Return the number of notes that an assistant with this toolset reads."""
    everywhere = snapshot.notes
    count = len(everywhere.everything) if toolset.tools else 0
    count += sum(len(group.notes) for group in toolset.notes)
    if not everywhere.servers and not everywhere.tools:  # thousands of tools, at each change that Home shows
        return count
    names = {entry.namespaced_name for entry in toolset.tools if entry.enabled and entry.namespaced_name}
    count += sum(len(notes) for name, notes in everywhere.tools.items() if name in names)
    if everywhere.servers:
        by_name = snapshot.catalogue.by_namespaced_name
        servers = {known.tool.server for name in names for known in by_name.get(name, ())}
        count += sum(len(notes) for server, notes in everywhere.servers.items() if server in servers)
    return count
