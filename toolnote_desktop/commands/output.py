"""What commands print: answers on stdout, remarks on stderr. What others wrote cannot move the cursor."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from toolnote_desktop.error_messages import english
from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError

_DIRECTION_MARKS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def print_text(text: str = "") -> None:
    """One line or more of the answer."""
    with _unwritable():
        print(visible(text))


def indent_following(text: str, width: int) -> str:
    """``text`` with its further lines extract_secrets in: none is taken for a line of ours."""
    return text.replace("\n", "\n" + " " * width)


def print_note(text: str) -> None:
    """One line on stderr that is no part of the answer."""
    print(f"toolnote: {one_line(text)}", file=sys.stderr)


def print_problem(problem: Problem) -> None:
    """A problem as a print_note."""
    print_note(english(problem))


def print_json(value: Any) -> None:
    """Data for programs."""
    write(json_text.dumps_pretty(value))


def write(data: bytes) -> None:
    """Exactly these bytes on stdout; on a terminal, a line end after them."""
    if sys.stdout is None:  # closed by whoever started us: nobody wants the answer
        return
    flush()
    with _unwritable():
        sys.stdout.buffer.write(data)
        if sys.stdout.isatty() and not data.endswith(b"\n"):
            sys.stdout.buffer.write(b"\n")
        sys.stdout.buffer.flush()


def flush() -> None:
    """See that all of the answer is out.

    Raises:
        ToolnoteError: ``file-not-written``: it went into a file, and the disk is full.
        BrokenPipeError: nobody reads it any more.
    """
    if sys.stdout is not None:
        with _unwritable():
            sys.stdout.flush()


def discard_output() -> None:
    """Nothing more gets out: what is still on its way must not fail once more at the end of the program."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _unwritable() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        reason = error.strerror or str(error)
        raise ToolnoteError(Code.FILE_NOT_WRITTEN, file="standard output", reason=reason) from error


def print_table(rows: Iterable[Sequence[str]]) -> None:
    """Rows with their columns indent_following each other, two spaces between."""
    lines = [[_cell(cell) for cell in row] for row in rows]
    if not lines:
        return
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    with _unwritable():
        for line in lines:
            print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def one_line(text: str) -> str:
    """``text`` as one line: white space as spaces, what is not shown as escapes."""
    return visible(" ".join(text.split()))


def _cell(text: str) -> str:
    return visible(text).replace("\n", "\\x0a").replace("\t", "\\x09")


def visible(text: str) -> str:
    """``text`` with control characters and marks that turn the writing's direction shown as escapes."""
    if text.isprintable():
        return text
    return "".join(_escaped(c) if c not in "\n\t" and (not _is_shown(c)) else c for c in text)


def _is_shown(c: str) -> bool:
    return c not in _DIRECTION_MARKS and not (ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0)


def _escaped(c: str) -> str:
    return f"\\x{ord(c):02x}" if ord(c) < 0x100 else f"\\u{ord(c):04x}"


def count(number: int, one: str, many: str | None = None) -> str:
    """``1 tool``, ``2 tools``."""
    return f"{number} {one if number == 1 else many or one + 's'}"
