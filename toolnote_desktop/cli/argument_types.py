"""Argument types of the command line; any other value is wrong use (docs/contract.md 4)."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def path(text: str) -> str:
    """The path of a file or folder. An empty one is of a variable that is not set: neither the usual one nor the
    folder where we are is meant."""
    if not text:
        raise argparse.ArgumentTypeError("it must not be empty")
    return text


def unicode(text: str) -> str:
    """Text, and no bytes that are none."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise argparse.ArgumentTypeError("it has broken characters, which are no Unicode") from error
    return text


def tool(text: str) -> str:
    """What names a tool: see ``commands/tool_names.py``."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it must not be empty")
    return unicode(text)


def port(text: str) -> int:
    """The number of a port; 0 is any."""
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(text)


def position(text: str) -> int:
    """A place in a list, counted from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is none: positions are whole numbers and begin with 1")
    return int(text)


def client(text: str) -> str:
    """One of the names that docs/contract.md 4 lists: another is wrong use, whatever is installed."""
    from toolnote_desktop.assistants.registry import known_client
    from toolnote_desktop.error_messages import english
    from toolnote_desktop.model.problem import ToolnoteError

    try:
        return known_client(text).id
    except ToolnoteError as error:
        raise argparse.ArgumentTypeError(english(error.problem)) from error


def pair(separators: str) -> Callable[[str], tuple[str, str]]:
    """``KEY=VALUE``, or with another of the separators. What is wrong is told without the text: it may be a secret."""

    def key_and_value(text: str) -> tuple[str, str]:
        places = [text.index(one) for one in separators if one in text]
        if not places or not text[: min(places)].strip():
            raise argparse.ArgumentTypeError("it is to be written KEY=VALUE")
        place = min(places)
        value = text[place + 1 :]
        return text[:place].strip(), value.strip() if text[place] == ":" else value

    return key_and_value
