"""``toolnote clients``: Toolnote in other programs' own configuration files."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from toolnote_desktop.assistants.discovery import FoundClient, choose_config_file, find_clients
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.installing.client_entries import install_edits, revoke_edits
from toolnote_desktop.assistants.installing.client_tokens import DirectAccess, new_token
from toolnote_desktop.assistants.installing.connect import RawDocuments, inspect_installation
from toolnote_desktop.assistants.installing.plan import InstallOptions, Plan, apply, plan_install, plan_uninstall
from toolnote_desktop.assistants.installing.switch_servers import duplicate_servers
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.assistants.registry import CLIENTS as KNOWN
from toolnote_desktop.assistants.registry import known_client
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.bridge.app_discovery import read_endpoint
from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import open_library, save, toolnote_identity
from toolnote_desktop.commands.output import print_json, print_note, print_problem, print_table, print_text
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.clients import Client
from toolnote_desktop.model.edits import ABSENT, CLIENT_ENTRIES, CLIENTS, SERVER_ENTRIES, SERVERS, SetEntryFields
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import DEFAULT_PORT, Home, endpoint_url
from toolnote_desktop.publishing.records import Records
from toolnote_desktop.store.library import Library


def list_clients(arguments: argparse.Namespace, home: Home) -> int:
    """List the known assistants: installed or not, connected or not, and their file."""
    with open_library(home) as library:
        snapshot = library.snapshot
        found = find_clients(current_environment(), toolnote_identity(home, snapshot))
    if arguments.json:
        print_json({"clients": [_describe(one, snapshot.clients.get(one.client.id)) for one in found]})
    else:
        print_table((one.client.id, one.client.name, _state(one), _file_or_problem(one)) for one in found)
    return 0


def _describe(found: FoundClient, entry: Client | None) -> JsonObject:
    problems = [*([found.problem] if found.problem else []), *(file.problem for file in found.files if file.problem)]
    return {
        "id": found.client.id,
        "name": found.client.name,
        "installed": found.installed,
        "connected": found.connected,
        "toolset": entry.toolset if entry is not None else None,
        "discovery": (entry.discovery or "full") if entry is not None else None,
        "hasToken": entry is not None and entry.token_hash is not None,
        "config": str(found.chosen.location.file) if found.chosen else None,
        "files": [
            {
                "file": str(file.location.file),
                "exists": file.exists,
                "servers": list(file.servers),
                "own": list(file.own),
            }
            for file in found.files
        ],
        "problems": [english(problem) for problem in problems],
    }


def _state(found: FoundClient) -> str:
    if found.connected:
        return "connected"
    return "not connected" if found.installed else "not installed"


def _file_or_problem(found: FoundClient) -> str:
    if found.chosen is not None:
        return english(found.chosen.problem) if found.chosen.problem else str(found.chosen.location.file)
    return english(found.problem) if found.installed and found.problem else ""


def install(arguments: argparse.Namespace, home: Home) -> int:
    """Print the change, then make it unless ``--dry-run`` is given."""
    client = known_client(arguments.name)
    file, notes = _config_file(client, arguments.config)
    with open_library(home) as library:
        if arguments.toolset is not None and arguments.toolset not in library.snapshot.toolsets:
            raise ToolnoteError(Code.TOOLSET_NOT_FOUND, name=arguments.toolset)
        identity = toolnote_identity(home, library.snapshot)
        direct = DirectAccess(_address(home, library.snapshot), new_token()) if arguments.url else None
        duplicates = _duplicates(library, client, file, identity)
        plan = plan_install(
            client,
            file,
            home,
            identity,
            InstallOptions(
                direct=direct,
                switch_off=duplicates if arguments.switch_off else (),
                replace_edited=arguments.replace,
            ),
        )
        for note in (*notes, *plan.notes):
            print_problem(note)
        if any(note.code is Code.CLIENT_ENTRY_EDITED for note in plan.notes):
            print_note("use --replace to overwrite it")
            return 1
        _print_plan(plan, f"Toolnote is already installed in {client.name}: {file}")
        if duplicates and not arguments.switch_off:
            print_problem(Problem(Code.CLIENT_SERVERS_TWICE, {"client": client.name, "servers": ", ".join(duplicates)}))
            print_note("use --switch-off to switch them off there while Toolnote is installed")
        toolset = _toolset_change(client, library.snapshot, arguments.toolset)
        if arguments.dry_run:
            if toolset:
                print_text(f"{toolset} would be set.")
            return 0
        documents = RawDocuments(library.raw(CLIENTS), library.raw(SERVERS))
        before = inspect_installation(client, file, home, identity, documents)
        apply(plan, home)  # before the document: if it fails, an earlier token stays valid
        token = direct.token if direct else None
        edits = install_edits(
            documents.clients, client.id, client.name, arguments.toolset, token=token, is_connected=before.connected
        )
        if edits:
            save(library, *edits)
    if plan.changes:
        print_text(f"Installed Toolnote in {file}.")
        print_problem(client.advice_after_install())
    if toolset:
        print_text(f"{toolset} is set.")
        if not plan.changes:
            print_problem(client.advice_after_change())
    return 0


def _toolset_change(client: KnownClient, snapshot: Snapshot, toolset: str | None) -> str:
    """Return the beginning of a sentence on the change of a client's toolset; "" without one."""
    entry = snapshot.clients.get(client.id)
    before = entry.toolset if entry is not None else None
    if toolset is None or (toolset == before and entry is not None and entry.toolset_assigned):
        return ""
    was = "the shared one" if before is None else before or "none"
    return f"The toolset {toolset} for {client.name} (before: {was})"


def _address(home: Home, snapshot: Snapshot) -> str:
    """Return the endpoint's address, now or at its next start."""
    running = read_endpoint(home)
    port = running.port if running is not None else snapshot.settings.port or DEFAULT_PORT
    return endpoint_url(port)


def _duplicates(library: Library, client: KnownClient, file: Path, identity: ToolnoteIdentity) -> tuple[str, ...]:
    entries = (library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
    return duplicate_servers(client, file, entries if isinstance(entries, dict) else {}, identity)


def revoke(arguments: argparse.Namespace, home: Home) -> int:
    """Revoke an assistant's own token."""
    client = known_client(arguments.name)
    with open_library(home) as library:
        edits = revoke_edits(library.raw(CLIENTS), client.id)
        if edits:
            save(library, *edits)
    print_text(f"Revoked the token of {client.name}." if edits else f"{client.name} has no token of its identity.")
    return 0


def set_client(arguments: argparse.Namespace, home: Home) -> int:
    """Set how an assistant of ``clients.json`` is served its tools, and what it may do.

    Raises:
        ToolnoteError: ``client-unknown``, ``setting-invalid``.
    """
    switches = {"mayWriteNotes": arguments.may_write_notes, "mayChooseToolset": arguments.may_choose_toolset}
    fields: JsonObject = {key: ABSENT if given == "yes" else False for key, given in switches.items() if given}
    if arguments.discovery is not None:
        fields["discovery"] = arguments.discovery
    if not fields:
        raise ToolnoteError(Code.SETTING_INVALID, setting="clients set", reason="name at least one setting")
    with open_library(home) as library:
        if arguments.name not in library.snapshot.clients:
            known = ", ".join(library.snapshot.clients)
            raise ToolnoteError(Code.CLIENT_UNKNOWN, client=arguments.name, known=known)
        save(library, SetEntryFields(CLIENTS, CLIENT_ENTRIES, arguments.name, fields))
    if arguments.discovery is not None:
        print_text(f"Discovery of {arguments.name}: {arguments.discovery}.")
    for key, words in (("mayWriteNotes", "write notes"), ("mayChooseToolset", "choose and build toolsets")):
        if key in fields:
            print_text(f"{arguments.name} may {'not ' if fields[key] is False else ''}{words}.")
    return 0


def uninstall(arguments: argparse.Namespace, home: Home) -> int:
    """Print the change, then make it, for one assistant or all."""
    if (arguments.name is None) != arguments.all:
        print_note("clients uninstall: give either NAME or --all (see toolnote clients uninstall --help)")
        return 2
    if arguments.all and arguments.config is not None:
        print_note("clients uninstall: --config needs a NAME (see toolnote clients uninstall --help)")
        return 2
    with open_library(home) as library:
        identity = toolnote_identity(home, library.snapshot)
    if not arguments.all:
        client = known_client(arguments.name)
        _uninstall(client, _config_file(client, arguments.config)[0], home, identity, dry_run=arguments.dry_run)
        if not arguments.dry_run:
            _revoke(home, [client])
            _note_published(home, [client])
        return 0
    failures: list[Problem] = []
    changed = False
    for found in find_clients(current_environment(), identity, KNOWN.values()):
        for location in (file.location for file in found.files if file.exists):
            try:
                changed |= _uninstall(found.client, location.file, home, identity, dry_run=arguments.dry_run)
            except ToolnoteError as error:  # the other assistants are independent of this one
                failures.append(error.problem)
    if not arguments.dry_run:
        _revoke(home, KNOWN.values())
        _note_published(home, KNOWN.values())
    if not changed and not failures:
        print_text("Toolnote is not installed in any assistant.")
    for problem in failures:
        print_problem(problem)
    return 1 if failures else 0


def _note_published(home: Home, clients: Iterable[KnownClient]) -> None:
    """Print what is still published for assistants that are no longer connected."""
    names = {client.id: client.name for client in clients}
    for record in Records(home).all():
        one = record.publication
        if one.client in names:
            place = f"the {one.carrier} of {one.toolset} for {names[one.client]} stays in {one.path}"
            print_note(f"{place}; `toolnote publish {one.toolset} --{one.carrier} … --remove` removes it")


def _revoke(home: Home, clients: Iterable[KnownClient]) -> None:
    with open_library(home) as library:
        raw = library.raw(CLIENTS)
        edits = [edit for client in clients for edit in revoke_edits(raw, client.id)]
        if edits:
            save(library, *edits)


def _uninstall(client: KnownClient, file: Path, home: Home, identity: ToolnoteIdentity, *, dry_run: bool) -> bool:
    """Remove Toolnote from a file; return True if there was something to remove."""
    plan = plan_uninstall(client, file, home, identity)
    _print_plan(plan, f"Toolnote is not in {file}.")
    if plan.changes and not dry_run:
        apply(plan, home)
        print_text(f"Removed Toolnote from {file}.")
    return bool(plan.changes)


def _config_file(client: KnownClient, given: str | None) -> tuple[Path, tuple[Problem, ...]]:
    if given is not None:
        return Path(given).expanduser().absolute(), ()
    return choose_config_file(client, current_environment())


def _print_plan(plan: Plan, unchanged: str) -> None:
    print_text(plan.diff() if plan.changes else unchanged)


RUN: Final[Mapping[str, Command]] = {
    "list": list_clients,
    "install": install,
    "revoke": revoke,
    "set_client": set_client,
    "uninstall": uninstall,
}
