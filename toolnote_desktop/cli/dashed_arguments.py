"""Preparation of arguments that may begin with dashes for argparse: a server's command, a note's text."""

from __future__ import annotations

# Toolnote's own options, which end the command after `servers add ID --command CMD` (docs/contract.md 4).
_AFTER_COMMAND = ("--env", "--header", "--cwd", "--url", "--type", "--toolset", "--home", "--json")

MARK = "="
"""Prefix of each argument of a command, so that argparse does not take ``--`` for its own (Python 3.11)."""


def home_words(words: list[str]) -> int:
    """Return the number of words at the beginning that are ``--home DIR`` or ``--home=DIR``."""
    at = 0
    while words[at : at + 1] == ["--home"] or (at < len(words) and words[at].startswith("--home=")):
        at += 2 if words[at] == "--home" else 1
    return at


def escape_dashes(words: list[str]) -> list[str]:
    """Return the words with values that may begin with dashes put so that argparse accepts them."""
    command = home_words(words)
    if words[command : command + 1] == ["servers"]:
        return _fold_server_command(words)
    action = command + 1 + home_words(words[command + 1 :])
    if words[command : command + 1] == ["note"] and words[action : action + 1] in (["add"], ["edit"]):
        return [*words[: action + 1], *_options_first(words[action + 1 :])]
    return words


def _fold_server_command(words: list[str]) -> list[str]:
    """Turn the words after ``servers add ID --command`` into options, up to one of Toolnote's own.

    After ``--`` all words belong to the command.
    """
    start = next((at for at, word in enumerate(words) if word.partition("=")[0] == "--command"), None)
    if start is None or "add" not in words[:start]:
        return words
    _, equals, program = words[start].partition("=")
    command = [program] if equals else []
    at = start + 1
    while at < len(words):
        word = words[at]
        if word == "--":
            command += words[at + 1 :]
            at = len(words)
        elif command and word.partition("=")[0] in _AFTER_COMMAND:
            break
        else:
            command.append(word)
            at += 1
    if not command:
        return words
    return [
        *words[:start],
        f"--command={command[0]}",
        *(f"--argument={MARK}{word}" for word in command[1:]),
        *words[at:],
    ]


def _options_first(words: list[str]) -> list[str]:
    """Move the positional words after ``note add`` behind ``--``, in their order."""
    options: list[str] = []
    texts: list[str] = []
    left = iter(words)
    for word in left:
        name, equals, _ = word.partition("=")
        if word == "--":
            texts += left
        elif name in ("--toolset", "--server", "--home", "--scope"):
            options += [word] if equals else [word, *[value for value in [next(left, None)] if value is not None]]
        elif word in ("--everywhere", "-h", "--help"):
            options.append(word)
        else:
            texts.append(word)
    return [*options, "--", *texts]
