"""Argument types of the command line; an invalid value is wrong use (docs/contract.md 4)."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Final

_LARGEST: Final = 2**31 - 1


def path(text: str) -> str:
    """Return the path of a file or folder.

    An empty one, as from an unset variable, is refused: it means neither the default nor the current folder.
    """
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return text


def unicode(text: str) -> str:
    """Return the text if it is valid Unicode."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise argparse.ArgumentTypeError("is not valid Unicode") from error
    return text


def tool(text: str) -> str:
    """Return the name of a tool: see ``commands/tool_names.py``."""
    if not text.strip():
        raise argparse.ArgumentTypeError("must not be empty")
    return unicode(text)


def port(text: str) -> int:
    """Return a port number; 0 means any free port."""
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError("must be a port number from 0 to 65535")
    return int(text)


def position(text: str) -> int:
    """Return a whole number from 1: a position in a list, or a count; a larger one than any list has is cut."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} cannot be used: use a whole number from 1")
    return min(int(text), _LARGEST)


def price(text: str) -> float:
    """Return a price: a number that is not below 0."""
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} cannot be used: use a number from 0, such as 2.5")
    return found


def age(text: str) -> float:
    """Return the seconds of an age such as ``90m``, ``12h``, ``7d`` or ``4w``."""
    units = {"m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
    number, unit = text[:-1], text[-1:].lower()
    if unit not in units or not number.isdecimal() or not 0 < int(number) <= 100_000:
        raise argparse.ArgumentTypeError("must be an age such as 90m, 12h, 7d or 4w")
    return int(number) * units[unit]


def client(text: str) -> str:
    """Return the id of a client from docs/contract.md 4, installed or not."""
    from toolnote_desktop.assistants.registry import known_client
    from toolnote_desktop.error_messages import english
    from toolnote_desktop.model.problem import ToolnoteError

    try:
        return known_client(text).id
    except ToolnoteError as error:
        raise argparse.ArgumentTypeError(english(error.problem)) from error


def pair(separators: str) -> Callable[[str], tuple[str, str]]:
    """Return a type for ``KEY=VALUE`` with any of the separators. Errors do not repeat the text: it may be a secret."""

    def key_and_value(text: str) -> tuple[str, str]:
        positions = [text.index(one) for one in separators if one in text]
        if not positions or not text[: min(positions)].strip():
            raise argparse.ArgumentTypeError("must have the form KEY=VALUE")
        at = min(positions)
        value = text[at + 1 :]
        return text[:at].strip(), value.strip() if text[at] == ":" else value

    return key_and_value
