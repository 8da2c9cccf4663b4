"""Two versions of a long text for a comparison that shows a part: what they share is left out, so that no change is
beyond the part that is shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

_LEFT_OUT: Final = "…"

_PIECE: Final = re.compile(r"[^\n.;!?]{0,200}[\n.;!?]\s*|[^\n.;!?]{1,200}")
_MOST: Final = 400
"""Pieces that are compared: more take quadratic time."""

_AROUND: Final = 2
"""Pieces that are kept on each side of a change."""


def condensed(before: str, now: str, longest: int, lines: int = _MOST) -> tuple[str, str]:
    """Return both versions without what they share, but what is around the changes; the same texts if they are short.

    Args:
        longest: characters, and ``lines`` lines, of a text that is short. Of a longer one it is said what is missing.
    """
    if all(len(text) <= longest and text.count("\n") < lines for text in (before, now)):
        return before, now
    old, new = _PIECE.findall(before), _PIECE.findall(now)
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    first, last = max(start - _AROUND, 0), max(end - _AROUND, 0)
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    if max(len(old), len(new)) > _MOST:
        old, new = _own(old, new), _own(new, old)
    left, right = ([_LEFT_OUT] if first else [] for _ in range(2))
    matcher = SequenceMatcher(None, old[:_MOST], new[:_MOST], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        same = kind == "equal" and b - a > 2 * _AROUND
        left += [*old[a : a + _AROUND], _LEFT_OUT, *old[b - _AROUND : b]] if same else old[a:b]
        right += [*new[c : c + _AROUND], _LEFT_OUT, *new[d - _AROUND : d]] if same else new[c:d]
    closing = _LEFT_OUT if last else ""
    was, is_now = (
        cut("".join(parts), longest, sum(map(len, rest[_MOST:]))) + closing
        for parts, rest in ((left, old), (right, new))
    )
    return was, is_now


def _own(pieces: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the pieces that the other text does not have, and those beside them."""
    known = set(others)
    near = {
        place + step for place, one in enumerate(pieces) if one not in known for step in range(-_AROUND, _AROUND + 1)
    }
    found: list[str] = []
    for place, one in enumerate(pieces):
        if place in near:
            found.append(one)
        elif not found or found[-1] != _LEFT_OUT:
            found.append(_LEFT_OUT)
    return found


def cut(text: str, longest: int, missing: int = 0) -> str:
    """Return the beginning of a text, and how many characters are missing, with those that were left out before."""
    missing += max(len(text) - longest, 0)
    return f"{text[:longest]}{_LEFT_OUT} (+{missing:,})" if missing else text


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
