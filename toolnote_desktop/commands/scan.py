"""``toolnote scan``: planted instructions in what servers and assistants wrote, or in a file (docs/contract.md 4)."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import open_library
from toolnote_desktop.commands.output import count, one_line, print_json, print_problem, print_text
from toolnote_desktop.guidance.scanner import Finding, scan_definition, scan_snapshot
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.store.documents import reason_of

MAX_BYTES: Final = 256 * 1024 * 1024
"""Bytes of a file that is scanned."""

_MOST_LINES: Final = 1_000_000


def run(arguments: argparse.Namespace, home: Home) -> int:
    """Print the findings; exit status 1 if there are any."""
    if arguments.file is None:
        are_all_read = True
        with open_library(home) as library:
            found = list(scan_snapshot(library.snapshot))
    else:
        found, are_all_read = _scan_file(arguments.file)
    if arguments.json:
        print_json([_document(finding) for finding in found])
    else:
        for finding in found:
            place = ".".join(part for part in (finding.server, finding.tool) if part)
            print_text(f"{place}: {finding.field}: {finding.sentence}")
            if finding.excerpt:
                print_text(f"    {one_line(finding.excerpt)}")
        print_text(f"{count(len(found), 'finding')}.")
    return 1 if found or not are_all_read else 0


def _scan_file(file: str) -> tuple[list[Finding], bool]:
    """Return the findings in a file with a definition a line, and True if all lines are definitions; print the others.

    Raises:
        ToolnoteError: the file cannot be read.
    """
    lines = _read_text(file).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found: list[Finding] = []
    if not (are_all_read := len(lines) <= _MOST_LINES):
        entry = {"file": file, "entry": f"what follows line {_MOST_LINES:,}", "reason": "it has too many lines"}
        print_problem(Problem(Code.FILE_ENTRY_INVALID, entry))
    for number, line in enumerate(lines[:_MOST_LINES], start=1):
        if not line.strip():
            continue
        try:
            definition = json.loads(line)
        except (ValueError, RecursionError):
            definition = None
        if isinstance(definition, dict):
            found += scan_definition(definition)
        else:
            are_all_read = False
            entry = {"file": file, "entry": f"line {number}", "reason": "not a JSON object"}
            print_problem(Problem(Code.FILE_ENTRY_INVALID, entry))
    return found, are_all_read


def _read_text(file: str) -> str:
    """Return the text of a file, pipes included, which may have no end.

    Raises:
        ToolnoteError: ``import-file-unreadable``.
    """
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=file, reason=reason) from error
    if len(data) > MAX_BYTES:
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=file, reason=f"it has more than {MAX_BYTES:,} bytes")
    return text


def _document(finding: Finding) -> dict[str, str]:
    return {
        "server": finding.server,
        "tool": finding.tool,
        "field": finding.field,
        "kind": str(finding.kind),
        "reason": finding.sentence,
        "excerpt": finding.excerpt,
    }


RUN: Final[Mapping[str, Command]] = {"scan": run}
