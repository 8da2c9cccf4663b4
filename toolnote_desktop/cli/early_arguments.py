"""Parsing without argparse, which the bridge has no time to import."""

from __future__ import annotations

_TOOLSET_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")  # docs/contract.md 1; no `re` for one name


def split_command(arguments: list[str]) -> tuple[str | None, list[str]]:
    """Return the command and all other words; ``--home DIR`` may come before the command."""
    at = 0
    while at < len(arguments):
        word = arguments[at]
        if not word.startswith("-"):
            return word, arguments[:at] + arguments[at + 1 :]
        at += 2 if word == "--home" else 1
    return None, list(arguments)


def bridge_options(words: list[str]) -> dict[str, str]:
    """Return ``--client``, ``--toolset`` and ``--home`` of ``toolnote bridge``.

    Raises:
        ValueError: wrong use, described in one line.
    """
    options: dict[str, str] = {}
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=")
        if name not in ("--client", "--toolset", "--home"):
            raise ValueError(f"unknown argument {word}")
        if not equals:
            value = next(left, "")
        if not value:
            raise ValueError(f"{name} needs a value")
        options[name[2:]] = value
    toolset = options.get("toolset")
    if toolset is not None and not (2 <= len(toolset) <= 50 and _TOOLSET_LETTERS.issuperset(toolset)):
        raise ValueError(f'"{toolset}" is not a toolset name: use 2 to 50 of a-z, 0-9 and -')
    return options
