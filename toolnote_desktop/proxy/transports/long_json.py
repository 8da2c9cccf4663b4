"""Check of megabytes of JSON in pieces: msgspec checks a text in one go, for whose time no other thread runs Python.

A text is cut at commas that are in no string. Before a piece comes what opens the arrays and objects that the piece is
in, behind it what closes those that are open at its end: the text is JSON exactly if all pieces are. Where to cut and
what is open may be guessed, since a wrong guess makes no JSON.
"""

from __future__ import annotations

import secrets
from collections.abc import Generator, Iterator
from typing import Final, NamedTuple

import msgspec
from msgspec import Raw

from toolnote_desktop.proxy.transports.strict_json import is_utf8

FEW_COMMAS: Final = 50_000
"""Commas up to which a text is checked in one go: most of it are strings, which take a tenth of the time."""

_PIECE: Final = 64 * 1024
_NESTED: Final = 10_000
"""Arrays and objects in each other, of which msgspec reads fewer."""

_ROUNDS: Final = 8
"""Times that pairs of brackets with nothing between them are left out before the rest is read one by one."""

_CHECK: Final = msgspec.json.Decoder(Raw).decode
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_OPEN: Final = {ord("["): b"[", ord("{"): b'{"":'}
_CLOSE: Final = {ord("["): b"]", ord("{"): b"}"}
_OPENING: Final = {ord("]"): ord("["), ord("}"): ord("{")}


class Outline(NamedTuple):
    """JSON text without the inner part of one of its values.

    Attributes:
        text: the rest, which is JSON, with ``filler`` in the place of what was left out.
        filler: text that occurs once.
        left_out: bytes that were left out.
    """

    text: bytes
    filler: bytes = b""
    left_out: int = 0

    def whole(self, value: bytes | Raw, text: bytes) -> bytes | Raw | memoryview | None:
        """Return a value of the outline as in the whole text, not copied; None if the part left out is not its."""
        if not self.filler:
            return value
        before = bytes(value).find(self.filler)
        start = self.text.find(self.filler) - before
        end = start + len(value) - len(self.filler) + self.left_out
        return memoryview(text)[start:end] if before >= 0 else None


def has_few_commas(text: bytes) -> Generator[None, None, bool]:
    """Return True if a text has at most ``FEW_COMMAS``. Yields wherever it may be interrupted."""
    commas = 0
    for at in range(0, len(text), _PIECE):
        commas += text.count(b",", at, at + _PIECE)
        if commas > FEW_COMMAS:
            return False
        yield
    return True


def outline_steps(text: bytes, depth: int) -> Generator[None, None, Outline | None]:
    """Check a text, and return what of it is in fewer than ``depth`` arrays and objects, and some of the rest.

    None if it is no JSON or UTF-8, nested too deeply, or has two long values at that depth. Yields wherever it may be
    interrupted.
    """
    opened, at, size = b"", 0, _PIECE
    began = ended = (0, b"")  # place, and what is open there
    while at + size < len(text):
        yield
        piece = text[at : at + size]
        found = _checked_cut(piece, opened, guess=size == _PIECE)
        if found is None:
            return None
        if found.end < 0:
            size *= 2
            continue
        if min(len(opened), found.lowest) >= depth:
            if not began[0]:
                began = ended = (at, opened)
            if ended[0] != at:
                return None
            ended = (at + found.end + 1, found.opened)
        opened, at, size = found.opened, at + found.end + 1, _PIECE
    if not _is_json(_before(opened), text[at:]):
        return None
    if began == ended:
        return Outline(text)
    filler = _filler(began[1], ended[1])
    return Outline(b"".join((text[: began[0]], filler, text[ended[0] :])), filler, ended[0] - began[0])


class _Cut(NamedTuple):
    """Place of a comma in a piece, -1 if there is none; what is open there, and how little was open before it."""

    end: int
    opened: bytes = b""
    lowest: int = 0


def _checked_cut(piece: bytes, opened: bytes, *, guess: bool) -> _Cut | None:
    """Return the last comma of a piece, which is JSON up to there; None if it is no JSON."""
    for end, brackets in _cuts(piece, guess=guess):
        if end < 0:
            return _Cut(end)
        now, lowest = _followed(opened, brackets)
        if now and len(now) <= _NESTED and _is_json(_before(opened), piece[: end + 1], _after(now)):
            return _Cut(end, now, lowest)
    return None


def _cuts(piece: bytes, *, guess: bool) -> Iterator[tuple[int, bytes]]:
    """Yield the last comma of a piece and the brackets before it: first as if there were none in strings, if wanted."""
    if guess and (end := piece.rfind(b",")) >= 0:
        yield end, piece[:end].translate(None, _NO_BRACKETS)
    if piece.find(b"\\") >= 0:
        piece = piece.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    parts = piece.split(b'"')
    end = len(piece)
    for place in range(len(parts) - 1, -1, -1):
        end -= len(parts[place])
        if not place % 2 and (comma := parts[place].rfind(b",")) >= 0:
            outside = b"".join((*parts[:place:2], parts[place][:comma]))
            yield end + comma, outside.translate(None, _NO_BRACKETS)
            return
        end -= 1
    yield -1, b""


def _followed(opened: bytes, brackets: bytes) -> tuple[bytes, int]:
    """Return what is open after some brackets, nothing if one closes another, and how little was open in between."""
    for _ in range(_ROUNDS):
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    now = bytearray(opened)
    lowest = len(now)
    for bracket in brackets:
        opening = _OPENING.get(bracket)
        if opening is None:
            now.append(bracket)
        elif now and now[-1] == opening:
            now.pop()
            lowest = min(lowest, len(now))
        else:
            return b"", 0
    return bytes(now), lowest


def _is_json(*parts: bytes) -> bool:
    text = b"".join(parts)
    try:
        _CHECK(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return is_utf8(text)


def _before(opened: bytes) -> bytes:
    """Return a text after which an element or member comes, in these arrays and objects."""
    return b"".join([*(_OPEN[one] for one in opened), b"0,"]) if opened else b""


def _after(opened: bytes, key: bytes = b"") -> bytes:
    """Return an element or member, and what closes these arrays and objects, of which one at least is open."""
    return _element(opened, key) + b"".join(_CLOSE[one] for one in reversed(opened))


def _element(opened: bytes, key: bytes) -> bytes:
    return b'"%s"' % key if opened.endswith(b"[") else b'"%s":0' % key


def _filler(before: bytes, after: bytes) -> bytes:
    """Return what leads from the element or member after a comma, in some arrays and objects, to that in others."""
    least = min(len(before), len(after))
    same = next((place for place in range(least) if before[place] != after[place]), least)
    key = secrets.token_hex(16).encode("ascii")
    closed = b"".join(_CLOSE[one] for one in reversed(before[same:]))
    name = b'"":' if after[:same].endswith(b"{") and after[same:] else b""
    return b"".join((_element(before, key), closed, b",", name, _before(after[same:])))
