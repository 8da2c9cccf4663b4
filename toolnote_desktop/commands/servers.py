"""``toolnote servers``: the entries of ``servers.json``."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from toolnote_desktop.assistants.discovery import detect_client
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.importing.candidates import Candidate, CandidateState, import_edits, merge_results
from toolnote_desktop.assistants.importing.hypertool import read_servers
from toolnote_desktop.assistants.masking import masked_url, masked_words
from toolnote_desktop.assistants.toolnote_entry import is_own
from toolnote_desktop.commands import Command
from toolnote_desktop.commands.found_servers import (
    describe,
    print_found,
    print_secrets,
    store_candidate_secrets,
    with_placeholders,
)
from toolnote_desktop.commands.library import open_library, save, toolnote_identity
from toolnote_desktop.commands.output import (
    count,
    print_json,
    print_note,
    print_problem,
    print_purpose,
    print_table,
    print_text,
)
from toolnote_desktop.model.containers import RUNTIMES, contained, usual_image
from toolnote_desktop.model.document import parse_entry
from toolnote_desktop.model.edits import ABSENT, OWN_KEY, SERVER_ENTRIES, SERVERS, AddEntry, SetEntryFields
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.secrets.url_checks import first_header_problem, url_problem
from toolnote_desktop.model.servers import SOURCE_TITLE_LIMIT, Server
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.tool_settings import removing_edits
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretLocation, SecretStore

_LONGEST_TARGET: Final = 160
"""Characters of a command line or an address in the table; ``--json`` has it whole."""
_LOCATIONS: Final = {"keychain": SecretLocation.KEYCHAIN, "file": SecretLocation.FILE}


def list_servers(arguments: argparse.Namespace, home: Home) -> int:
    """List all entries, invalid ones included."""
    with open_library(home) as library:
        snapshot = library.snapshot
        entries = (library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        listed = [_describe(snapshot, server) for server in (entries if isinstance(entries, dict) else {})]
    if arguments.json:
        print_json({"servers": listed})
    elif not listed:
        print_text("There are no servers yet. `toolnote servers add --help` explains how to add one.")
    else:
        print_table([_row(entry) for entry in listed])
    return 0


def _describe(snapshot: Snapshot, server: str) -> JsonObject:
    entry = snapshot.servers.get(server)
    if entry is None:
        reasons = [p.parameters["reason"] for p in snapshot.problems if p.parameters.get("entry") == f"server {server}"]
        return {"id": server, "usable": False, "reason": "; ".join(reasons)}
    listing = snapshot.catalogue.servers.get(server)
    described: JsonObject = {"id": server, "usable": True, "type": entry.type, "disabled": entry.disabled}
    if entry.type == "stdio":
        described["command"] = entry.command
        described["args"] = masked_words(list(entry.args))
    else:
        described["url"] = masked_url(entry.url or "")
    described["env"] = list(entry.env)
    described["headers"] = list(entry.headers)
    described["tools"] = len([known for known in listing.tools if known.listed]) if listing is not None else 0
    return described


def _row(entry: JsonObject) -> tuple[str, str, str, str]:
    if not entry["usable"]:
        return (entry["id"], "unusable", "", entry["reason"])
    target = entry["url"] if "url" in entry else shlex.join([entry["command"], *entry["args"]])
    if len(target) > _LONGEST_TARGET:
        target = f"{target[: _LONGEST_TARGET - 1]}…"
    return (entry["id"], "off" if entry["disabled"] else "on", count(entry["tools"], "tool"), target)


def add(arguments: argparse.Namespace, home: Home) -> int:
    """Add an entry, switched on."""
    entry = _entry(arguments)
    if isinstance(entry, str):
        print_note(f"servers add: {entry} (see toolnote servers add --help)")
        return 2
    with open_library(home) as library:
        toolset = entry.get("toolnote", {}).get("toolset")
        if toolset is not None and toolset not in library.snapshot.toolsets:
            raise ToolnoteError(Code.TOOLSET_NOT_FOUND, name=toolset)
        if is_own(arguments.id, entry, toolnote_identity(home, library.snapshot)):
            raise ToolnoteError(Code.SERVER_IS_TOOLNOTE, server=arguments.id)
        _require_valid(arguments.id, entry)
        save(library, AddEntry(SERVERS, SERVER_ENTRIES, arguments.id, entry))
    target = (
        masked_url(entry["url"]) if "url" in entry else shlex.join([entry["command"], *masked_words(entry["args"])])
    )
    print_text(f"Added {arguments.id}: {target}")
    return 0


def _entry(arguments: argparse.Namespace) -> JsonObject | str:
    """Return the entry for the arguments, or an error in one line."""
    entry: JsonObject
    if not arguments.id:
        return "ID must not be empty"
    if (arguments.program is None) == (arguments.url is None):
        return "give either --command or --url"
    if arguments.program is not None:
        if arguments.header or arguments.type:
            return "--header and --type belong to --url; put arguments of the command that look like them after --"
        if not arguments.program:
            return "--command must not be empty"
        if arguments.program.startswith("-"):
            return f"--command needs a program, not {arguments.program}"
        entry = {"type": "stdio", "command": arguments.program, "args": arguments.program_arguments}
    else:
        if not arguments.url.lower().startswith(("http://", "https://")) and not arguments.url.startswith("${"):
            return "--url must begin with http:// or https://"
        if (reason := _url_problem(arguments.url)) is not None:
            return f"--url cannot be used: {reason}"
        if (bad := first_header_problem(dict(arguments.header))) is not None:
            return f"--header cannot be used: {bad[0]}: {bad[1]}"
        if arguments.env or arguments.cwd:
            return "--env and --cwd belong to --command"
        entry = {"type": arguments.type or "http", "url": arguments.url}
    wants_container = arguments.container or arguments.mount or arguments.no_network
    if wants_container and (arguments.program is None or arguments.container is None or arguments.cwd):
        return "--mount and --no-network belong to --container, and that to --command without --cwd"
    if arguments.env:
        entry["env"] = dict(arguments.env)
    if arguments.header:
        entry["headers"] = dict(arguments.header)
    if arguments.cwd:
        entry["cwd"] = (
            arguments.cwd if arguments.cwd.startswith("${") else str(Path(arguments.cwd).expanduser().absolute())
        )
    if arguments.container is not None:
        runtime = next((one for one in RUNTIMES if shutil.which(one)), None)
        image = usual_image(arguments.program) if arguments.container == "auto" else arguments.container
        if runtime is None:
            return "--container needs docker or podman, and neither is installed"
        if not image:
            return f"--container auto knows no image for {arguments.program}: name one"
        if image.startswith("-"):
            return f"--container {image} is an option of {runtime}, no image"
        folders = [os.path.abspath(Path(folder).expanduser()) for folder in arguments.mount]
        if (reason := next(filter(None, map(_mount_problem, folders)), None)) is not None:
            return reason
        entry = contained(entry, runtime, image, folders=folders, network=not arguments.no_network)
    if arguments.toolset:
        entry["toolnote"] = {"toolset": arguments.toolset}
    return entry


def _mount_problem(folder: str) -> str | None:
    """Return why a container cannot have a folder: a runtime makes one that is not there, as root, and reads what
    follows a colon as another path or an option.
    """
    if not os.path.isdir(folder):
        return f"--mount {folder} is no folder"
    if folder == os.path.dirname(folder):
        return f"--mount {folder} is the whole disk: name a folder on it"
    return f"--mount {folder} cannot be used: it has a colon" if ":" in os.path.splitdrive(folder)[1] else None


def _url_problem(url: str) -> str | None:
    """Return the problem with an address; None for one with variables, which is checked at launch."""
    if "${" in url and url.isprintable():
        return None
    try:
        return url_problem(url)
    except ValueError:  # its message may repeat a part of the URL
        return "it is not a URL"


def _require_valid(server: str, entry: JsonObject) -> None:
    """Check an entry with the model that reads ``servers.json``."""

    def report(location: str, reason: str) -> None:
        field, _, why = reason.partition(": ")
        raise ToolnoteError(
            Code.SERVER_ENTRY_INVALID, server=server, field=field if why else location, reason=why or reason
        )

    parse_entry(Server, entry, server, report)


def remove(arguments: argparse.Namespace, home: Home) -> int:
    """Remove an entry and its secrets; toolsets and notes stay."""
    with open_library(home) as library:
        save(library, *removing_edits(library.raw(SERVERS), arguments.id))
        store = SecretStore.of(library)
        for name in store.names(arguments.id):  # a command has no undo
            store.remove(arguments.id, name)
    print_text(f"Removed {arguments.id}. Toolsets and notes for its tools are kept.")
    return 0


def enable(arguments: argparse.Namespace, home: Home) -> int:
    """Switch a server on."""
    with open_library(home) as library:
        save(library, SetEntryFields(SERVERS, SERVER_ENTRIES, arguments.id, {"disabled": ABSENT}))
    print_text(f"Switched {arguments.id} on.")
    return 0


def describe_purpose(arguments: argparse.Namespace, home: Home) -> int:
    """Set or print what a server is for, in the user's words."""
    with open_library(home) as library:
        server = library.snapshot.servers.get(arguments.id)
        if server is None:
            raise ToolnoteError(Code.SERVER_NOT_FOUND, server=arguments.id)
        about = server.toolnote.about if arguments.text is None else " ".join(arguments.text.split())
        if arguments.text is not None:
            fields = {"about": about or ABSENT}
            save(library, SetEntryFields(SERVERS, SERVER_ENTRIES, arguments.id, fields, (OWN_KEY,)))
    print_purpose({"id": arguments.id, "about": about}, arguments)
    return 0


def rename(arguments: argparse.Namespace, home: Home) -> int:
    """Set or print the name that the window shows for a server; its id stays."""
    with open_library(home) as library:
        server = library.snapshot.servers.get(arguments.id)
        if server is None:
            raise ToolnoteError(Code.SERVER_NOT_FOUND, server=arguments.id)
        if arguments.title is None:
            title = server.toolnote.title or arguments.id
            print_json({"id": arguments.id, "title": title}) if arguments.json else print_text(title)
            return 0
        title = " ".join(arguments.title.split())[:SOURCE_TITLE_LIMIT]
        names = {name for one, entry in library.snapshot.servers.items() for name in (one, entry.toolnote.title)}
        if title and title.casefold() in {name.casefold() for name in names - {arguments.id, server.toolnote.title}}:
            raise ToolnoteError(Code.SERVER_EXISTS, server=title)
        value = ABSENT if title in ("", arguments.id) else title
        save(library, SetEntryFields(SERVERS, SERVER_ENTRIES, arguments.id, {"title": value}, (OWN_KEY,)))
    if arguments.json:
        print_json({"id": arguments.id, "title": title or arguments.id})
        return 0
    print_text(f"The window shows {title or arguments.id}. Assistants and commands go on using {arguments.id}.")
    return 0


def disable(arguments: argparse.Namespace, home: Home) -> int:
    """Switch a server off."""
    with open_library(home) as library:
        save(library, SetEntryFields(SERVERS, SERVER_ENTRIES, arguments.id, {"disabled": True}))
    print_text(f"Switched {arguments.id} off.")
    return 0


def import_file(arguments: argparse.Namespace, home: Home) -> int:
    """Import the servers of a file, switched off (docs/contract.md 3): the user checks each before it may start."""
    location = _LOCATIONS.get(arguments.secrets)
    with open_library(home) as library:
        entries = (library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        file = Path(arguments.file)
        reading = merge_results(
            read_servers(file, toolnote_identity(home, library.snapshot), detect_client(file, current_environment())),
            entries if isinstance(entries, dict) else {},
        )
        for warning in reading.warnings:
            print_problem(warning)
        new = [candidate for candidate in reading.candidates if candidate.state is not CandidateState.PRESENT]
        if not arguments.dry_run:
            _import(library, new, location)
    if arguments.json:
        print_json({"dryRun": arguments.dry_run, "servers": [describe(candidate) for candidate in reading.candidates]})
    else:
        print_found(reading.candidates, dry_run=arguments.dry_run)
        print_secrets(new, location, dry_run=arguments.dry_run)
    unreadable = any(warning.code is Code.IMPORT_FILE_UNREADABLE for warning in reading.warnings)
    return 1 if unreadable or (reading.warnings and not reading.candidates) else 0


def _import(library: Library, new: Sequence[Candidate], location: SecretLocation | None) -> None:
    """Store secrets first, so that no server arrives without the secrets that could not be stored."""
    if location is not None:
        store_candidate_secrets(new, SecretStore.of(library), location)
        new = with_placeholders(new)
    save(library, *import_edits(new, [candidate.id for candidate in new], disabled=True))


RUN: Final[Mapping[str, Command]] = {
    "list": list_servers,
    "add": add,
    "remove": remove,
    "enable": enable,
    "disable": disable,
    "describe_purpose": describe_purpose,
    "rename": rename,
    "import": import_file,
}
