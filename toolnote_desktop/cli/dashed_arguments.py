"""Words of a command line, put so that argparse takes what may begin with dashes: a server's command, a note's text."""

from __future__ import annotations

# What ends the words after `servers add ID --command CMD`: our own options (docs/contract.md 4).
_AFTER_COMMAND = ("--env", "--header", "--cwd", "--url", "--type", "--toolset", "--home", "--json")

MARK = "="
"""Before each of a command's arguments, so that ``--`` is not taken for argparse's own (Python 3.11)."""


def escape_dashes(words: list[str]) -> list[str]:
    """Words as argparse takes them, where they may begin with dashes: a server's command, a note's text."""
    if words[:1] == ["--home"]:
        return [*words[:2], *escape_dashes(words[2:])]
    if words[:1] == ["servers"]:
        return _fold_server_command(words)
    if words[:2] in (["note", "add"], ["note", "edit"]):
        return _options_first(words)
    return words


def _fold_server_command(words: list[str]) -> list[str]:
    """Tie the words after ``servers add ID --command`` to options, up to one of our own; after ``--`` all are taken."""
    start = next((place for place, word in enumerate(words) if word.partition("=")[0] == "--command"), None)
    if start is None or "add" not in words[:start]:
        return words
    _, equals, program = words[start].partition("=")
    taken = [program] if equals else []
    place = start + 1
    while place < len(words):
        word = words[place]
        if word == "--":
            taken += words[place + 1 :]
            place = len(words)
        elif taken and word.partition("=")[0] in _AFTER_COMMAND:
            break
        else:
            taken.append(word)
            place += 1
    if not taken:
        return words
    return [
        *words[:start],
        f"--command={taken[0]}",
        *(f"--argument={MARK}{word}" for word in taken[1:]),
        *words[place:],
    ]


def _options_first(words: list[str]) -> list[str]:
    """Put what is no option of ``note add`` behind ``--``, in its order."""
    options: list[str] = []
    texts: list[str] = []
    left = iter(words[2:])
    for word in left:
        name, equals, _ = word.partition("=")
        if word == "--":
            texts += left
        elif name in ("--toolset", "--server", "--home"):
            options += [word] if equals else [word, *[value for value in [next(left, None)] if value is not None]]
        elif word in ("--everywhere", "-h", "--help"):
            options.append(word)
        else:
            texts.append(word)
    return [*words[:2], *options, "--", *texts]
