"""Assistants on this computer, each with the change to its file."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from toolnote_desktop.assistants.discovery import FoundClient, find_clients
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.installing import plan as installing
from toolnote_desktop.assistants.installing.connect import (
    ConnectOptions,
    PreparedChange,
    RawDocuments,
    inspect_installation,
    prepare_change,
)
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.model.problem import Problem, ToolnoteError
from toolnote_desktop.paths import Home


class PreparedAssistant(Struct, frozen=True):
    """Installed assistant with its planned change, or the problem that prevents it."""

    found: FoundClient
    prepared: PreparedChange | None = None
    problem: Problem | None = None
    diff: str = ""


class ConnectResult(Struct, frozen=True):
    """Result of connecting several assistants."""

    done: tuple[PreparedAssistant, ...] = ()
    problems: tuple[Problem, ...] = field(default=())


def prepare_assistants(
    environment: Environment,
    identity: ToolnoteIdentity,
    home: Home,
    documents: RawDocuments,
    url: str,
    *,
    switch_off: bool,
) -> tuple[PreparedAssistant, ...]:
    """Plan the change for each installed assistant. Reads files: call it in a thread.

    Args:
        documents: as they will be, so that duplicate servers are found.
        switch_off: switch duplicates off in the assistant.
    """
    ready = []
    for found in find_clients(environment, identity):
        if not found.installed:
            continue
        if found.chosen is None:
            ready.append(PreparedAssistant(found, problem=found.problem))
            continue
        file = found.chosen.location.file
        try:
            now = inspect_installation(found.client, file, home, identity, documents)
            off = frozenset(now.off) | (frozenset(now.duplicates) if switch_off else frozenset())
            wish = ConnectOptions(off=off, by_address=now.direct is not None)
            prepared = prepare_change(found.client, file, home, identity, documents, url, wish, now)
            ready.append(PreparedAssistant(found, prepared, diff=prepared.plan.diff()))
        except ToolnoteError as error:
            ready.append(PreparedAssistant(found, problem=error.problem))
    return tuple(ready)


def connect_all(chosen: Iterable[PreparedAssistant], home: Home) -> ConnectResult:
    """Change the files of the chosen assistants. Writes to disk: call it in a thread."""
    done, problems = [], []
    for one in chosen:
        if one.prepared is None:
            continue
        try:
            installing.apply(one.prepared.plan, home)
        except ToolnoteError as error:  # the others are independent of this one
            problems.append(error.problem)
        else:
            done.append(one)
    return ConnectResult(tuple(done), tuple(problems))
