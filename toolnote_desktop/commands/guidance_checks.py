"""Checks of guidance for ``toolnote doctor``: clients' limits, notes without a tool, budgets, starters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from toolnote_desktop.assistants.discovery import find_clients
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.commands.checks import ReportLine
from toolnote_desktop.commands.library import toolnote_identity
from toolnote_desktop.error_messages import english
from toolnote_desktop.guidance.budgets import Budgets, budget_problems
from toolnote_desktop.guidance.discovery import is_always_listed, is_searched
from toolnote_desktop.guidance.limits import list_problems
from toolnote_desktop.guidance.served_tools import served_problems, served_tools
from toolnote_desktop.guidance.unresolved import unresolved_notes
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect, choose_dialect
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.tools import built_in_definitions
from toolnote_desktop.publishing.publisher import Publisher
from toolnote_desktop.publishing.records import Records
from toolnote_desktop.store import bundled_files
from toolnote_desktop.system.program import toolnote_command

_PART: Final = "guidance"

# Problems that make a tool or a whole list unusable; the rest is information.
_WRONG: Final = frozenset(
    [
        Code.STARTER_INVALID,
        Code.ARGUMENT_NOT_FOUND,
        Code.DIALECT_NAME_TOO_LONG,
        Code.DIALECT_NAME_CHARACTERS,
        Code.DIALECT_TOO_MANY_TOOLS,
        Code.DIALECT_TOO_MANY_TOKENS,
    ]
)


def check_guidance(snapshot: Snapshot, home: Home) -> Iterator[ReportLine]:
    """Check the bundled and own files, then each toolset and each client."""
    bad_files: list[Problem] = []
    dialects = bundled_files.dialects(home, bad_files.append)
    bundled_files.task_types(home, bad_files.append)
    bundled_files.note_templates(home, bad_files.append)
    for problem in bad_files:
        yield _finding(problem)
    for toolset in snapshot.toolsets.values():
        yield from _toolset(snapshot, toolset)
    yield from _publications(snapshot, home, dialects)
    for client in _clients(snapshot, home):
        yield from _client(snapshot, client, dialects)


def _toolset(snapshot: Snapshot, toolset: Toolset) -> Iterator[ReportLine]:
    for problem in budget_problems(served_tools(snapshot, toolset), Budgets.of(snapshot.settings), toolset.title):
        yield _finding(problem, f"toolset {toolset.name}: ")
    for lost in unresolved_notes(snapshot, toolset):
        reference = lost.group.reference
        tool = reference.namespaced_name or reference.ref_id or "?"
        homes = ", ".join(one.known.tool.namespaced_name for one in lost.candidates)
        if homes:
            text = f"toolset {toolset.name}: notes on the missing tool {tool} may belong to: {homes}"
            yield ReportLine(_PART, text)


def _publications(snapshot: Snapshot, home: Home, dialects: Mapping[str, Dialect]) -> Iterator[ReportLine]:
    publisher = Publisher(home, dialects, toolnote_command())
    for record in Records(home).all():
        one = record.publication
        place = f"{one.carrier} of {one.toolset} in {one.path}"
        state = publisher.state(snapshot, one)
        if state.problem is not None:
            yield ReportLine(_PART, f"{place}: {english(state.problem)}", state.problem.code is not Code.CARRIER_EDITED)
        elif not state.is_on:
            yield ReportLine(_PART, f"{place}: taken out or deleted there, so it is not kept up to date")
        else:
            yield ReportLine(_PART, place)


def _clients(snapshot: Snapshot, home: Home) -> list[str]:
    """Return the clients that may connect: those in ``clients.json`` and those with Toolnote installed."""
    connected = (
        found.client.id
        for found in find_clients(current_environment(), toolnote_identity(home, snapshot))
        if found.connected
    )
    return list(dict.fromkeys([*snapshot.clients, *connected]))


def _client(snapshot: Snapshot, client: str, dialects: Mapping[str, Dialect]) -> Iterator[ReportLine]:
    entry = snapshot.clients.get(client)
    dialect = choose_dialect(dialects, entry, (), client)
    chosen = entry.toolset if entry is not None else None
    name = snapshot.settings.equipped_toolset if chosen is None else chosen
    toolset = snapshot.toolsets.get(name) if name else None
    served = served_tools(snapshot, toolset, dialect)
    searched = is_searched(snapshot, entry, toolset, dialect)
    own = built_in_definitions(snapshot, Principal(client), is_searched=searched)
    definitions = [*own, *(tool.definition for tool in served if not searched or is_always_listed(tool))]
    found = [problem for tool in served for problem in served_problems(tool, dialect)]
    for problem in (*found, *list_problems(definitions, dialect)):
        yield _finding(problem, f"client {client}: ")


def _finding(problem: Problem, before: str = "") -> ReportLine:
    return ReportLine(_PART, f"{before}{english(problem)}", problem.code in _WRONG, str(problem.code))
