"""``toolnote toolset export`` and ``import``, and ``toolnote pack``: toolsets as files (docs/packs.md)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from toolnote_desktop.assistants.importing.candidates import NO_SERVERS, CandidateState, ReadResult, merge_results
from toolnote_desktop.assistants.importing.hypertool import ImportOffer, folder_edits, imported_server_ids
from toolnote_desktop.assistants.importing.sources import read_import_file, read_import_text
from toolnote_desktop.assistants.toolset_file import export_toolset, toolset_servers
from toolnote_desktop.commands import Command
from toolnote_desktop.commands.files import write_or_print
from toolnote_desktop.commands.found_servers import describe, print_found
from toolnote_desktop.commands.library import find_toolset, open_library, save, toolnote_identity
from toolnote_desktop.commands.output import count, one_line, print_json, print_note, print_problem, print_text
from toolnote_desktop.commands.tools import list_new_servers
from toolnote_desktop.guidance.scanner import Finding
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, TOOLS, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.model.toolsets.carry import with_settings
from toolnote_desktop.model.toolsets.toolset_import import ImportedToolset, rename_servers
from toolnote_desktop.packs.fit import Fit, ToolFit, likely_tools, pack_findings, pack_toolset, tool_fits
from toolnote_desktop.packs.folder import written_edit
from toolnote_desktop.packs.pack_file import (
    PROMPTS,
    beyond_limits,
    export_pack,
    is_pack,
    received_pack,
    with_tools_renamed,
)
from toolnote_desktop.packs.plan import SETTINGS, Here, MergeChoice, PackPlan, other_parts, pack_name, plan_pack
from toolnote_desktop.paths import Home

STANDARD: Final = "-"
"""File name for standard input or output."""

STANDARD_INPUT: Final = "standard input"


def export(arguments: argparse.Namespace, home: Home) -> int:
    """Write the toolset's document: with servers only if requested, and never with a secret."""
    with open_library(home) as library:
        snapshot = library.snapshot
        toolset = find_toolset(snapshot, arguments.name)
        content = with_settings(library.raw(toolset_document(toolset.name)) or {}, snapshot)
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
        toolsets = [{"name": one.name, "foundAs": one.found_as, "tools": one.tools} for one in found.toolsets]
        servers = [describe(candidate) for candidate in reading.candidates]
        print_json({"dryRun": arguments.dry_run, "toolsets": toolsets, "servers": servers})
        return 0
    for toolset in found.toolsets:
        done = "Would import" if arguments.dry_run else "Imported"
        print_text(f"{done} {toolset.name} with {count(toolset.tools, 'tool')}.")
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


# --- packs

_WORDS: Final[Mapping[Fit, str]] = {
    Fit.MATCHES: "matches",
    Fit.CHANGED: "changed since",
    Fit.MISSING: "missing",
    Fit.LIKELY: "likely this one",
}


def export_pack_file(arguments: argparse.Namespace, home: Home) -> int:
    """Write the pack of a toolset; print what was left out because it may be secret."""
    with open_library(home) as library:
        snapshot = library.snapshot
        toolset = find_toolset(snapshot, arguments.name)
        documents = {
            "toolset": library.raw(toolset_document(toolset.name)),
            "tools": library.raw(TOOLS),
            "servers": library.raw(SERVERS),
        }
        servers = toolset_servers(snapshot, toolset) if arguments.with_sources else ()
        pack = export_pack(snapshot, toolset, documents, servers)
        for problem in pack.problems:
            print_problem(problem)
        file = None if arguments.file == STANDARD else arguments.file
        write_or_print(json_text.dumps_pretty(pack.content), file, f"the pack of {toolset.name}")
        if file is not None and (seen := written_edit(snapshot.settings, Path(file))) is not None:
            save(library, seen)
    return 0


def import_pack(arguments: argparse.Namespace, home: Home) -> int:
    """Import a pack after the choice for a toolset of its name; its servers stay switched off."""
    with open_library(home) as library:
        snapshot, entries = library.snapshot, (library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        offer, pack = _read_pack(arguments.file, home, snapshot)
        reading = merge_results(offer.servers, entries if isinstance(entries, dict) else {})
        new = [one.id for one in reading.candidates if one.state is not CandidateState.PRESENT]
        ids = imported_server_ids(reading.candidates)
        content = rename_servers(pack.content, {one: id for one, id in ids.items() if one != id}, ids.keys())
        fits = tool_fits(content, snapshot)
        if arguments.likely:
            content = with_tools_renamed(content, likely_tools(fits))
        name = pack_name(content)
        here = Here.of(library.raw, name, snapshot.toolsets)
        plan = plan_pack(content, here, MergeChoice(arguments.choice or MergeChoice.MERGE))
        edits = (*folder_edits(offer, reading.candidates, new, (), disabled=True), *plan.edits)
        if not arguments.dry_run:
            save(library, *edits)
    _print_unread(offer, pack)
    for problem in reading.warnings:
        print_problem(problem)
    findings = pack_findings(content, snapshot.catalogue)
    if arguments.json:
        servers = [describe(candidate) for candidate in reading.candidates]
        print_json(
            {"dryRun": arguments.dry_run, **_plan_document(plan), "servers": servers, **_pack_document(fits, findings)}
        )
        return 0
    _print_plan(plan, dry_run=arguments.dry_run, replaces=arguments.choice == MergeChoice.THEIRS)
    _print_fits([one for one in fits if one.fit is not Fit.MATCHES])
    _print_findings(findings)
    print_found(reading.candidates, dry_run=arguments.dry_run)
    return 0


def check_pack(arguments: argparse.Namespace, home: Home) -> int:
    """Print the fit of each tool; exit status 1 if one does not match, a part of the file cannot be used, or one of its
    servers cannot be listed.

    Servers that are new here are listed first.
    """
    with open_library(home) as library:
        offer, pack = _read_pack(arguments.file, home, library.snapshot)
        named = pack_toolset(pack.content)
        servers = toolset_servers(library.snapshot, named)
        unlisted = list_new_servers(library, home, servers if arguments.live else ()).intersection(servers)
        snapshot = library.snapshot
    fits, findings = tool_fits(pack.content, snapshot), pack_findings(pack.content, snapshot.catalogue)
    fitting = sum(one.fit is Fit.MATCHES for one in fits)
    repeated = [
        one for reading in offer.servers for one in reading.warnings if one.parameters.get("reason") != NO_SERVERS
    ]
    unread = _print_unread(replace(offer, warnings=(*offer.warnings, *repeated)), pack)
    if arguments.json:
        print_json(_pack_document(fits, findings))
    else:
        _print_fits(fits)
        _print_findings(findings)
        print_text(f"{fitting} of {count(len(fits), 'tool')} {'matches' if fitting == 1 else 'match'}.")
    return 0 if fitting == len(fits) and not unread and not unlisted else 1


def _print_unread(offer: ImportOffer, pack: ImportedToolset) -> int:
    """Print what could not be used of a pack's file; return how much that is."""
    problems = [one for one in (*offer.warnings, *pack.notes) if one.code is not Code.TOOLSET_RENAMED]
    for problem in problems:
        print_problem(problem)
    return len(problems)


def _read_pack(file: str, home: Home, snapshot: Snapshot) -> tuple[ImportOffer, ImportedToolset]:
    """Return what a file offers, and its pack.

    Raises:
        ToolnoteError: the file cannot be read, or is no pack.
    """
    identity = toolnote_identity(home, snapshot)
    offer = read_import_file(Path(file), identity, taken=(), now=iso_utc(datetime.now(UTC)))
    pack = next((one for one in offer.toolsets if is_pack(one.content)), None)
    if pack is None:
        warnings = [*offer.warnings, *(warning for one in offer.servers for warning in one.warnings)]
        faults = [one for one in warnings if one.parameters.get("reason") != NO_SERVERS]
        if faults and not offer.toolsets:
            raise ToolnoteError(faults[0].code, **faults[0].parameters)
        reason = "it is not a pack"
        if offer.toolsets:
            reason = f"{reason}: import it with `toolnote toolset import`"
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=file, reason=reason)
    notes = (*pack.notes, *beyond_limits(pack.content, file))
    return offer, replace(pack, content=received_pack(pack.content), notes=notes)


_PARTS: Final = {
    SETTINGS: "settings of tools",
    "guidelines": "guidelines",
    "taskTypes": "kinds of work",
    PROMPTS: "prompts of the bench",
}


def _print_plan(plan: PackPlan, *, dry_run: bool, replaces: bool) -> None:
    if not plan.edits:
        print_text(f"{plan.toolset} has all of it already.")
        return
    done = "Would add" if dry_run else "Added"
    print_text(f"{done} {count(plan.tools, 'tool')} and {count(len(plan.added), 'note')} to {plan.toolset}.")
    for tool, note in plan.differing:
        print_text(f"    {one_line(tool)}: {note} is {'replaced' if replaces else 'kept as it is here'}")
    for tool, note in plan.removed:
        print_text(f"    {one_line(tool)}: {note} is removed")
    if parts := [_PARTS[one] for one in other_parts(plan)]:
        print_text(f"    with them: {', '.join(parts)}")


def _print_fits(fits: list[ToolFit] | tuple[ToolFit, ...]) -> None:
    for one in fits:
        here = f": {one_line(one.known.tool.namespaced_name)}" if one.fit is Fit.LIKELY and one.known else ""
        print_text(f"{one_line(one.tool.label)}: {_WORDS[one.fit]}{here}")
        for label, names in (("no longer has", one.removed), ("has now", one.added)):
            if names:
                print_text(f"    {label} {', '.join(map(one_line, names))}")
        if one.notes:
            print_text(f"    notes to mend: {', '.join(one.notes)}")


def _print_findings(findings: tuple[Finding, ...]) -> None:
    for one in findings:
        place = ".".join(part for part in (one.tool, one.field) if part)
        print_note(f"{one_line(place)}: {one.sentence} {one_line(one.excerpt)}".strip())


def _plan_document(plan: PackPlan) -> JsonObject:
    def named(pairs: tuple[tuple[str, str], ...]) -> list[JsonObject]:
        return [{"tool": tool, "note": note} for tool, note in pairs]

    lists = {"added": plan.added, "differing": plan.differing, "removed": plan.removed}
    notes = {key: named(pairs) for key, pairs in lists.items()}
    return {
        "toolset": plan.toolset,
        "changed": bool(plan.edits),
        "newTools": plan.tools,
        "notes": notes,
        "other": list(other_parts(plan)),
    }


def _pack_document(fits: tuple[ToolFit, ...], findings: tuple[Finding, ...]) -> JsonObject:
    return {
        "tools": [
            {
                "tool": one.tool.label,
                "fit": str(one.fit),
                "here": one.known.tool.namespaced_name if one.known else None,
                "addedParameters": list(one.added),
                "removedParameters": list(one.removed),
                "notesToMend": list(one.notes),
            }
            for one in fits
        ],
        "findings": [
            {"tool": one.tool, "field": one.field, "kind": str(one.kind), "excerpt": one.excerpt} for one in findings
        ],
    }


RUN: Final[Mapping[str, Command]] = {
    "export": export,
    "import": import_file,
    "export_pack": export_pack_file,
    "import_pack": import_pack,
    "check_pack": check_pack,
}
