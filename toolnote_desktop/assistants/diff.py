"""Unified diff of two states of a configuration file, with secrets masked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from toolnote_desktop.assistants.formats.base import Format
from toolnote_desktop.assistants.masking import masked

_CONTEXT: Final = 3
"""Lines of context before and after a change."""

_LONG_LINE: Final = 400
"""Characters above which a line is unreadable."""

_LINE_END: Final = re.compile(r"(\r\n|\n|\r)")
_HUNK_HEADER: Final = re.compile(r"^@@ -(\d+)((?:,\d+)?) \+(\d+)((?:,\d+)?) @@")


def difference(old: str, new: str, format: Format, was: str, becomes: str) -> str:
    """Return a unified diff with ``was`` and ``becomes`` in its head; empty without a difference.

    Only the parts shown are parsed: some files have megabytes of other data. A file in one endless line is shown
    pretty-printed, since it would be unreadable otherwise.
    """
    if old == new:
        return ""
    before, after = _pieces(old), _pieces(new)
    start = max(_common(before, after) - _CONTEXT, 0)
    left = _common(before[start:][::-1], after[start:][::-1])
    ends = [len(lines) - max(left - _CONTEXT, 0) for lines in (before, after)]
    shown = [*before[start : ends[0]], *after[start : ends[1]]]
    if any(len(line) > _LONG_LINE for line in shown):
        return _unified(_laid_out(old, format), _laid_out(new, format), was, becomes)
    lines = [
        _shown(text, pieces, start, end, format)
        for text, pieces, end in ((old, before, ends[0]), (new, after, ends[1]))
    ]
    return _unified(lines[0], lines[1], was, becomes, start)


def text_difference(old: str, new: str, was: str, becomes: str) -> str:
    """Return a unified diff of texts without secrets. Only what is between their equal ends is compared."""
    before, after = (text.replace("\r\n", "\n").split("\n") for text in (old, new))
    start = max(_common(before, after) - _CONTEXT, 0)
    left = max(_common(before[start:][::-1], after[start:][::-1]) - _CONTEXT, 0)
    return _unified(before[start : len(before) - left], after[start : len(after) - left], was, becomes, start)


def _pieces(text: str) -> list[str]:
    """Split a text into lines with their line ends."""
    parts = [*_LINE_END.split(text), ""]
    return [line + end for line, end in zip(parts[::2], parts[1::2], strict=True)] if text else []


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of lines that both begin with, line ends aside."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if first.rstrip("\r\n") != second.rstrip("\r\n"):
            break
        count += 1
    return count


def _shown(text: str, pieces: Sequence[str], start: int, end: int, format: Format) -> list[str]:
    """Return some lines with secrets masked."""
    first = sum(map(len, pieces[:start]))
    window = (first, first + sum(map(len, pieces[start:end])))
    covered = _pieces(masked(text, format.parse(text, window=window).root, window))
    return [line.rstrip("\r\n") for line in covered[start:end]]


def _laid_out(text: str, format: Format) -> list[str]:
    if not text:
        return []
    value = format.value(masked(text, format.parse(text).root))
    return json.dumps(value, indent=2, ensure_ascii=False).split("\n")


def _unified(old: Sequence[str], new: Sequence[str], was: str, becomes: str, before: int = 0) -> str:
    """Return the unified diff of texts whose first ``before`` lines were left out."""

    def placed(found: re.Match[str]) -> str:
        return f"@@ -{int(found[1]) + before}{found[2]} +{int(found[3]) + before}{found[4]} @@"

    import difflib  # only where a file is to be changed

    lines = difflib.unified_diff(old, new, was, becomes, lineterm="", n=_CONTEXT)
    return "\n".join(_HUNK_HEADER.sub(placed, line) for line in lines)
