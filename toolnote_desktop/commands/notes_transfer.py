"""``toolnote note export`` and ``import``: the notes of a toolset as a file."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.files import read_json, write_or_print
from toolnote_desktop.commands.library import find_toolset, open_library, save
from toolnote_desktop.commands.output import count, print_problem, print_text
from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.model.toolsets.notes_file import contains_notes, notes_document, plan_notes_import
from toolnote_desktop.paths import Home


def export(arguments: argparse.Namespace, home: Home) -> int:
    """Write the notes of a toolset to a file, or print them."""
    with open_library(home) as library:
        toolset = find_toolset(library.snapshot, arguments.toolset)
    data = json_text.dumps_pretty(notes_document(toolset))
    write_or_print(data, arguments.file, f"the notes of {toolset.name}")
    return 0


def import_notes(arguments: argparse.Namespace, home: Home) -> int:
    """Add the notes of a file to a toolset; existing notes are never replaced."""
    file = Path(arguments.file)
    raw = read_json(file)
    if not contains_notes(raw):
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=str(file), reason="it contains no notes")
    with open_library(home) as library:
        toolset = find_toolset(library.snapshot, arguments.toolset)
        found = plan_notes_import(raw, toolset, file=str(file), now=iso_utc(datetime.now(UTC)))
        if found.edits:
            save(library, *found.edits)
    for problem in found.problems:
        print_problem(problem)
    existing = f"; {count(len(found.same), 'note')} already there" if found.same else ""
    print_text(f"Added {count(len(found.added), 'note')} to {toolset.name}{existing}.")
    return 0


RUN: Final[Mapping[str, Command]] = {
    "export": export,
    "import": import_notes,
}
