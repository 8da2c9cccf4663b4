"""Output of commands: results on stdout, notes on stderr. Control characters in foreign text are escaped."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from toolnote_desktop.error_messages import english
from toolnote_desktop.model import json_text
from toolnote_desktop.model.hidden_characters import escape_controls, escaped_in_json
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError


def print_text(text: str = "") -> None:
    """Print a part of the result."""
    with _reporting_write_errors():
        print(escape_controls(text))


def indent_following(text: str, width: int) -> str:
    """Indent the lines of ``text`` after the first, so that none looks like a line of the list."""
    return text.replace("\n", "\n" + " " * width)


def print_note(text: str) -> None:
    """Print one line on stderr that is not part of the result."""
    if sys.stderr is not None:  # closed by the caller
        print(f"toolnote: {one_line(text)}", file=sys.stderr, flush=True)


def print_problem(problem: Problem) -> None:
    """Print a problem as a note."""
    print_note(english(problem))


def print_json(value: Any) -> None:
    """Print data for programs."""
    write_output(json_text.dumps_pretty(value))


def print_purpose(described: dict[str, str], arguments: argparse.Namespace) -> None:
    """Print what a source or toolset is for, or that it was set: ``described`` has its name, and the text."""
    name, text = described.values()
    if arguments.json:
        print_json(described)
    elif arguments.text is None:
        print_text(text)
    else:
        says = f"says what {name} is for" if text else f"no longer says what {name} is for"
        print_text(f"The first line of instructions {says}.")


def write_output(data: bytes) -> None:
    """Write exactly these bytes of JSON to stdout; on a terminal with a line end and invisible characters escaped.

    The escapes are those of JSON: the data stays the same.
    """
    if sys.stdout is not None and sys.stdout.isatty():
        data = escaped_in_json(data.decode("utf-8", "replace")).encode("utf-8")
    if sys.stdout is None:  # closed by the caller
        return
    flush()
    with _reporting_write_errors():
        sys.stdout.buffer.write(data)
        if sys.stdout.isatty() and not data.endswith(b"\n"):
            sys.stdout.buffer.write(b"\n")
        sys.stdout.buffer.flush()


def flush() -> None:
    """Flush stdout.

    Raises:
        ToolnoteError: ``file-not-written`` if stdout is a file and the disk is full.
        BrokenPipeError: the reader is gone.
    """
    if sys.stdout is not None:
        with _reporting_write_errors():
            sys.stdout.flush()


def discard_output() -> None:
    """Discard buffered output, so that it does not fail again when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _reporting_write_errors() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        reason = error.strerror or str(error)
        raise ToolnoteError(Code.FILE_NOT_WRITTEN, file="standard output", reason=reason) from error


def print_table(rows: Iterable[Sequence[str]]) -> None:
    """Print rows with aligned columns, two spaces between."""
    lines = [[_cell(cell) for cell in row] for row in rows]
    if not lines:
        return
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    with _reporting_write_errors():
        for line in lines:
            print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def one_line(text: str) -> str:
    """Return ``text`` as one line: white space as single spaces, control characters escaped."""
    return escape_controls(" ".join(text.split()))


def _cell(text: str) -> str:
    return escape_controls(text).replace("\n", "\\x0a").replace("\t", "\\x09")


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: ``1 tool``, ``2 tools``."""
    return f"{number} {one if number == 1 else many or one + 's'}"
