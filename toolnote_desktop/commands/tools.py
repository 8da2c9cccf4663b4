"""``toolnote tools`` and ``instructions``: what a client is served, from the same code that serves it."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
from typing import Final

from toolnote_desktop.bridge.app_discovery import read_endpoint
from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import ServedState, client_guidance, open_library, served_state
from toolnote_desktop.commands.output import count, print_json, print_note, print_problem, print_text, write_output
from toolnote_desktop.guidance.scanner import scan_tool
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import CATALOG
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.proxy.routing.served_lists import ClientView, ServedLists
from toolnote_desktop.proxy.routing.toolset_choice import ToolsetSelector
from toolnote_desktop.store.library import Library

FIRST_LISTING_SECONDS = 30.0


def run(arguments: argparse.Namespace, home: Home) -> int:
    """Print the list for a client, for a toolset, or (with neither) for the app's own token."""
    state = served_state(home)
    with open_library(home) as library:
        if arguments.toolset is not None and arguments.toolset not in library.snapshot.toolsets:
            raise ToolnoteError(Code.TOOLSET_NOT_FOUND, name=arguments.toolset)
        Registry(library).apply(library.snapshot.servers)  # served names must avoid the built-in ones
        list_new_servers(library, home)
        lists, principal = _lists(library, home, arguments.client, arguments.toolset, state)
        view = lists.view(library.snapshot, principal)
        if arguments.json:
            write_output(b'{"tools":' + view.listed.at_once() + b"}")
        else:
            _print_view(view)
            _print_faults(library, view)
            _print_findings(library, view)
    return 0


def instructions(arguments: argparse.Namespace, home: Home) -> int:
    """Print the server instructions for a client, for a toolset, or (with neither) for the app's own token."""
    state = served_state(home)
    with open_library(home) as library:
        if arguments.toolset is not None and arguments.toolset not in library.snapshot.toolsets:
            raise ToolnoteError(Code.TOOLSET_NOT_FOUND, name=arguments.toolset)
        Registry(library).apply(library.snapshot.servers)
        list_new_servers(library, home)
        lists, principal = _lists(library, home, arguments.client, arguments.toolset, state)
        made = lists.instructions(library.snapshot, principal)
    if arguments.json:
        text, cut = (None, ()) if made is None else (made.text, made.cut)
        print_json({"instructions": text, "cut": [part or "toolnote" for part in cut]})
    elif made is None:
        print_note("no toolset is in use: there are no instructions")
    else:
        write_output(made.text.encode("utf-8", "surrogatepass"))
        for part in made.cut:
            print_note(f"cut at the limit of the client: {f'the text of {part}' if part else 'the text of Toolnote'}")
    return 0


def _lists(
    library: Library, home: Home, client: str | None, toolset: str | None, state: ServedState
) -> tuple[ServedLists, Principal]:
    """Build the lists as the proxy does: with a client, ``toolset`` is its bridge's, else that of the whole run."""
    if client is None:
        choices, principal = ToolsetSelector(library, toolset or state.toolset), Principal(None)
    else:
        choices, principal = ToolsetSelector(library, state.toolset), Principal(client, toolset)
    guidance = client_guidance(home, state, client)
    if toolset is not None:  # the names that a client gave are known without a bridge's toolset
        guidance.introduce_as(principal, Principal(client))
    return ServedLists(choices, guidance), principal


def list_new_servers(library: Library, home: Home, again: Collection[str] = ()) -> set[str]:
    """List servers that were never listed, and those in ``again``, unless a running app does it.

    Return those that could not be listed, among them those in ``again`` that are off.
    """
    known = (library.raw(CATALOG) or {}).get("servers")
    listed = known if isinstance(known, dict) else {}
    servers = library.snapshot.servers
    new = [one for one, entry in servers.items() if not entry.disabled and (one not in listed or one in again)]
    if read_endpoint(home) is not None:
        return set()
    failed = {one for one in again if servers[one].disabled}
    for one in sorted(failed):
        print_note(f'server "{one}" is off')
    if not new:
        return failed
    from toolnote_desktop.proxy.one_shot.list_servers import list_servers

    first = "" if again else " for the first time"
    print_note(f"listing {count(len(new), 'server')}{first}: {', '.join(new)}")
    for server, status in list_servers(library, new, timeout=FIRST_LISTING_SECONDS).items():
        if status.problem is not None:
            print_problem(status.problem)
        elif status.state is not ServerState.READY:
            print_note(f'server "{server}" is not ready ({status.state})')
        if status.state is not ServerState.READY:
            failed.add(server)
    return failed


def _print_view(view: ClientView) -> None:
    if view.toolset is None:
        print_text("No toolset is in use: only the built-in tools are served.\n")
    else:
        print_text(f"Toolset {view.toolset}: {count(len(view.tools), 'tool')} and {len(view.built_in)} built-in.\n")
    for definition in json_text.loads(view.listed.at_once()):
        chosen = view.tools.get(definition["name"])
        _print_tool(definition, "built-in" if chosen is None else chosen.known.tool.namespaced_name)


def _print_faults(library: Library, view: ClientView) -> None:
    """Print what is served otherwise than its server sent it, or left out: tools, prompts, resources and templates."""
    for chosen in view.tools.values():
        for problem in chosen.known.problems:
            print_problem(problem)
    for server in view.servers:
        for problem in library.snapshot.catalogue.servers[server].status.problems:
            if problem.code in (Code.TOOL_MALFORMED, Code.TOOL_DUPLICATE, Code.ENTRY_MALFORMED, Code.ENTRY_ODD):
                print_problem(problem)


def _print_findings(library: Library, view: ClientView) -> None:
    """Print what in the served tools may try to mislead assistants."""
    for chosen in view.tools.values():
        for finding in scan_tool(library.snapshot, chosen.known):
            print_note(f"{chosen.known.tool.namespaced_name}: {finding.field}: {finding.sentence} See: toolnote scan")


def _print_tool(definition: JsonObject, origin: str) -> None:
    print_text(f"{definition['name']}  ({origin})")
    for line in (definition.get("description") or "").splitlines():
        print_text(f"    {line}".rstrip())
    print_text()


RUN: Final[Mapping[str, Command]] = {
    "tools": run,
    "instructions": instructions,
}
