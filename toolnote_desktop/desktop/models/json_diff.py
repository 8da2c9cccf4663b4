"""JSON text with the spans that differ from another JSON, compared by keys. No Qt."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.hidden_characters import escaped_in_json

Span = tuple[int, int]


class MarkedJson(Struct, frozen=True):
    """The text, two spaces for each step in, what cannot be seen written out; and the spans that differ."""

    text: str
    spans: tuple[Span, ...]


def marked_json(value: Any, other: Any) -> MarkedJson:
    """Format ``value`` and mark the spans that ``other`` lacks."""
    writer = _Writer()
    writer.write(value, other, 0)
    return MarkedJson("".join(writer.parts), tuple(writer.spans))


_NOTHING = object()


class _Writer:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.spans: list[Span] = []
        self._length = 0
        self._marking = False

    def write(self, value: Any, other: Any, depth: int) -> None:
        if isinstance(value, dict) and value:
            self._object(value, other, depth)
        elif isinstance(value, list) and value:
            self._list(value, other, depth)
        else:
            self._scalar(value, other)

    def _object(self, value: dict[str, Any], other: Any, depth: int) -> None:
        known = other if isinstance(other, dict) else {}
        self._put("{")
        for number, (key, one) in enumerate(value.items()):
            self._line(number, depth + 1)
            start = self._begin(key not in known)
            self._put(f"{_text(key)}: ")
            self.write(one, known.get(key, _NOTHING), depth + 1)
            self._end(start)
        self._put("\n" + "  " * depth + "}")

    def _list(self, value: list[Any], other: Any, depth: int) -> None:
        known = other if isinstance(other, list) else []
        aligned = len(known) == len(value)
        self._put("[")
        for number, one in enumerate(value):
            self._line(number, depth + 1)
            there = one in known
            start = self._begin(not there and not aligned)
            self.write(one, one if there else known[number] if aligned else _NOTHING, depth + 1)
            self._end(start)
        self._put("\n" + "  " * depth + "]")

    def _scalar(self, value: Any, other: Any) -> None:
        text = _text(value)
        if self._marking or (type(value) is type(other) and value == other):
            self._put(text)
            return
        start = self._length
        self._put(text)
        span = _within(text, _text(other)) if isinstance(value, str) and isinstance(other, str) else (0, len(text))
        if span[0] < span[1]:
            self.spans.append((start + span[0], start + span[1]))

    def _line(self, number: int, depth: int) -> None:
        self._put((",\n" if number else "\n") + "  " * depth)

    def _begin(self, marks: bool) -> int | None:
        if not marks or self._marking:
            return None
        self._marking = True
        return self._length

    def _end(self, start: int | None) -> None:
        if start is not None:
            self._marking = False
            self.spans.append((start, self._length))

    def _put(self, text: str) -> None:
        self.parts.append(text)
        self._length += len(text)


def _text(value: Any) -> str:
    return escaped_in_json(json_text.dumps(value).decode("utf-8"))


def _within(text: str, other: str) -> Span:
    """The part of a text that is not in another, without the line ends (as JSON writes them) before it."""
    shortest = min(len(text), len(other))
    start = next((place for place in range(shortest) if text[place] != other[place]), shortest)
    rest = shortest - start
    end = next((place for place in range(rest) if text[-1 - place] != other[-1 - place]), rest)
    stop = len(text) - end
    while text.startswith("\\n", start) and start + 2 <= stop:
        start += 2
    return start, stop
