"""``toolnote toolset export`` and ``import``: toolsets handed from one person to another (CONTRACT 3)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from toolnote_desktop.assistants.hypertool import folder_edits, read_folder
from toolnote_desktop.assistants.importing import CandidateState, preview
from toolnote_desktop.commands import Command
from toolnote_desktop.commands.files import hand_out, read_json
from toolnote_desktop.commands.library import opened, save, toolset_of
from toolnote_desktop.commands.ourselves import ourselves
from toolnote_desktop.commands.output import count, remark, remark_problem, say
from toolnote_desktop.model import jsontext
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, toolset_document
from toolnote_desktop.model.moments import iso_utc
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.toolset_import import ImportedToolset, toolsets_in
from toolnote_desktop.paths import Home


def export(arguments: argparse.Namespace, home: Home) -> int:
    """The toolset's document as it is: it holds no server and so no secret."""
    with opened(home) as library:
        toolset = toolset_of(library.snapshot, arguments.name)
        data = jsontext.dumps_pretty(library.raw(toolset_document(toolset.name)))
    hand_out(data, arguments.file, toolset.name)
    return 0


def import_file(arguments: argparse.Namespace, home: Home) -> int:
    """Every toolset of the file, each under a name that is free here; nothing is replaced or put in use."""
    file = Path(arguments.file)
    if file.is_dir():
        return _import_folder(file, home)
    raw = read_json(file)
    with opened(home) as library:
        found = toolsets_in(
            raw,
            file=str(file),
            file_name=file.stem,
            taken=library.snapshot.toolsets,
            now=iso_utc(datetime.now(UTC)),
        )
        _demand_some(found, file)
        save(library, *(toolset.edit for toolset in found))
    _tell(found)
    if isinstance(raw, dict) and raw.get("mcpServers"):
        remark(f"its servers are not taken over with it; see toolnote servers import {arguments.file} --dry-run")
    return 0


def _import_folder(folder: Path, home: Home) -> int:
    """A persona, or hypertool-mcp's own folder: its toolsets and the servers that they are about, switched off."""
    with opened(home) as library:
        snapshot, entries = library.snapshot, (library.raw(SERVERS) or {}).get(SERVER_ENTRIES)
        now = iso_utc(datetime.now(UTC))
        found = read_folder(folder, ourselves(home, snapshot), taken=snapshot.toolsets, now=now)
        _demand_some(found.toolsets, folder)
        reading = preview(found.servers, entries if isinstance(entries, dict) else {})
        new = [one.id for one in reading.candidates if one.state is not CandidateState.PRESENT]
        names = [toolset.name for toolset in found.toolsets]
        save(library, *folder_edits(found, reading.candidates, new, names, disabled=True))
    for warning in (*found.warnings, *reading.warnings):
        remark_problem(warning)
    _tell(found.toolsets)
    for server in new:
        say(f"Imported the server {server}, switched off; look at it, then toolnote servers enable {server}")
    return 0


def _demand_some(found: Sequence[ImportedToolset], file: Path) -> None:
    if not found:
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=str(file), reason="no toolset was found in it")


def _tell(found: Sequence[ImportedToolset]) -> None:
    for toolset in found:
        for note in toolset.notes:
            remark_problem(note)
        say(f"Imported {toolset.name} with {count(len(toolset.content['tools']), 'tool')}.")


RUN: Final[Mapping[str, Command]] = {
    "export": export,
    "import": import_file,
}
