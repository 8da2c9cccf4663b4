"""``toolnote toolset export`` and ``import``: toolsets as files (docs/contract.md 3)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from toolnote_desktop.assistants.importing.candidates import NO_SERVERS, CandidateState, ReadResult, merge_results
from toolnote_desktop.assistants.importing.hypertool import ImportOffer, folder_edits
from toolnote_desktop.assistants.importing.sources import read_import_file, read_import_text
from toolnote_desktop.assistants.toolset_file import export_toolset, toolset_servers
from toolnote_desktop.commands import Command
from toolnote_desktop.commands.files import write_or_print
from toolnote_desktop.commands.found_servers import describe, print_found
from toolnote_desktop.commands.library import find_toolset, open_library, save, toolnote_identity
from toolnote_desktop.commands.output import count, print_json, print_problem, print_text
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, toolset_document
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.paths import Home

STANDARD: Final = "-"
"""File name for standard input or output."""

STANDARD_INPUT: Final = "standard input"


def export(arguments: argparse.Namespace, home: Home) -> int:
    """Write the toolset's document: with servers only if requested, and never with a secret."""
    with open_library(home) as library:
        snapshot = library.snapshot
        toolset = find_toolset(snapshot, arguments.name)
        content = library.raw(toolset_document(toolset.name)) or {}
        entries = (library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
    if arguments.with_servers:
        content = export_toolset(
            content, entries if isinstance(entries, dict) else {}, toolset_servers(snapshot, toolset)
        )
    file = None if arguments.file == STANDARD else arguments.file
    write_or_print(json_text.dumps_pretty(content), file, toolset.name)
    return 0


def import_file(arguments: argparse.Namespace, home: Home) -> int:
    """Import all toolsets of a file or folder under free names, with its servers switched off.

    Nothing is replaced or activated (docs/contract.md 3).
    """
    with open_library(home) as library:
        snapshot, entries = library.snapshot, (library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        found = _read_source(arguments.file, home, snapshot)
        reading = merge_results(found.servers, entries if isinstance(entries, dict) else {})
        warnings = (*found.warnings, *reading.warnings)
        _require_toolsets(found, arguments.file, reading)
        new = [one.id for one in reading.candidates if one.state is not CandidateState.PRESENT]
        names = [toolset.name for toolset in found.toolsets]
        if not arguments.dry_run:
            save(library, *folder_edits(found, reading.candidates, new, names, disabled=True))
    for warning in warnings:
        print_problem(warning)
    for problem in (problem for toolset in found.toolsets for problem in toolset.notes):
        print_problem(problem)
    if arguments.json:
        toolsets = [
            {"name": one.name, "foundAs": one.found_as, "tools": len(one.content["tools"])} for one in found.toolsets
        ]
        servers = [describe(candidate) for candidate in reading.candidates]
        print_json({"dryRun": arguments.dry_run, "toolsets": toolsets, "servers": servers})
        return 0
    for toolset in found.toolsets:
        done = "Would import" if arguments.dry_run else "Imported"
        print_text(f"{done} {toolset.name} with {count(len(toolset.content['tools']), 'tool')}.")
    print_found(reading.candidates, dry_run=arguments.dry_run)
    return 0


def _read_source(name: str, home: Home, snapshot: Snapshot) -> ImportOffer:
    identity, taken, now = toolnote_identity(home, snapshot), snapshot.toolsets, iso_utc(datetime.now(UTC))
    if name != STANDARD:
        return read_import_file(Path(name), identity, taken=taken, now=now)
    if sys.stdin is None:
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=STANDARD_INPUT, reason="it is closed")
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = "it is not UTF-8 text"
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=STANDARD_INPUT, reason=reason) from error
    return read_import_text(text, STANDARD_INPUT, identity, taken=taken, now=now)


def _require_toolsets(found: ImportOffer, file: str, reading: ReadResult) -> None:
    """Raise the reason if no toolset was found: the first warning, with its own file and line."""
    if found.toolsets:
        return
    of_servers = [one for one in reading.warnings if one.parameters.get("reason") != NO_SERVERS]
    why = [*found.warnings, *(() if reading.candidates else of_servers)]
    if why:
        raise ToolnoteError(why[0].code, **why[0].parameters)
    name = STANDARD_INPUT if file == STANDARD else file
    raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=name, reason="it contains no toolset")


RUN: Final[Mapping[str, Command]] = {
    "export": export,
    "import": import_file,
}
