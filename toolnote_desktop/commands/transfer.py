"""``toolnote toolset export`` and ``import``: toolsets handed from one person to another (CONTRACT 3)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import opened, save, toolset_of
from toolnote_desktop.commands.output import count, remark, remark_problem, say, write
from toolnote_desktop.model import jsontext
from toolnote_desktop.model.edits import toolset_document
from toolnote_desktop.model.moments import iso_utc
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.toolset_import import toolsets_in
from toolnote_desktop.paths import Home
from toolnote_desktop.store.documents import reason_of, write_file


def export(arguments: argparse.Namespace, home: Home) -> int:
    """The toolset's document as it is: it holds no server and so no secret."""
    with opened(home) as library:
        toolset = toolset_of(library.snapshot, arguments.name)
        data = jsontext.dumps_pretty(library.raw(toolset_document(toolset.name)))
    if arguments.file is None:
        write(data)
        return 0
    target = Path(arguments.file)
    try:
        write_file(target, data)
    except OSError as error:
        raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(target), reason=reason_of(error)) from error
    say(f"Wrote {toolset.name} to {target}.")
    return 0


def import_file(arguments: argparse.Namespace, home: Home) -> int:
    """Every toolset of the file, each under a name that is free here; nothing is replaced or put in use."""
    file = Path(arguments.file)
    raw = _read(file)
    with opened(home) as library:
        found = toolsets_in(
            raw,
            file=str(file),
            file_name=file.stem,
            taken=library.snapshot.toolsets,
            now=iso_utc(datetime.now(UTC)),
        )
        if not found:
            raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=str(file), reason="no toolset was found in it")
        save(library, *(toolset.edit for toolset in found))
    for toolset in found:
        for note in toolset.notes:
            remark_problem(note)
        say(f"Imported {toolset.name} with {count(len(toolset.content['tools']), 'tool')}.")
    if isinstance(raw, dict) and raw.get("mcpServers"):
        remark(f"its servers are not taken over with it; see toolnote servers import {arguments.file} --dry-run")
    return 0


def _read(file: Path) -> object:
    try:
        return jsontext.loads(file.read_bytes())
    except OSError as error:
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=str(file), reason=reason_of(error)) from error
    except ValueError as error:  # no JSON
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=str(file), reason=str(error)) from error


RUN: Final[Mapping[str, Command]] = {
    "export": export,
    "import": import_file,
}
