"""Files that are named on the command line: read as JSON, or written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from toolnote_desktop.commands.output import print_text, write_output
from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.store.documents import reason_of
from toolnote_desktop.system.atomic_file import write_file


def read_json(file: Path) -> Any:
    """Parse a JSON file.

    Raises:
        ToolnoteError: ``import-file-unreadable``.
    """
    try:
        return json_text.loads(file.read_bytes())
    except OSError as error:
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=str(file), reason=reason_of(error)) from error
    except ValueError as error:  # no JSON
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=str(file), reason=str(error)) from error


def write_or_print(data: bytes, file: str | None, label: str) -> None:
    """Write ``data`` to a file and report it, or print it if no file is named.

    Raises:
        ToolnoteError: ``file-not-written``.
    """
    if file is None:
        write_output(data)
        return
    target = Path(file)
    try:
        write_file(target, data)
    except OSError as error:
        raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(target), reason=reason_of(error)) from error
    print_text(f"Wrote {label} to {target}.")
