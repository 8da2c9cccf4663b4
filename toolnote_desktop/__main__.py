"""Where every program of ours begins. It decides with as few imports as can be: the bridge must start at once."""

from __future__ import annotations

import sys

_TOOLSET_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")  # CONTRACT 1; no `re` for one name


def main() -> int:
    """The console program ``toolnote`` (CONTRACT 4). Gives the exit status."""
    arguments = sys.argv[1:]
    command, rest = split_command(arguments)
    if command == "bridge" and not {"-h", "--help"} & set(rest):
        return _bridge(rest)
    _speak_utf8()
    if command == "demo-server":
        from toolnote_desktop import demo

        return demo.main(rest[0] if rest else "")
    from toolnote_desktop import cli

    return cli.run(arguments)


def main_window() -> int:
    """The windowed program ``toolnote-desktop``: the desktop app and nothing else."""
    _speak_utf8()
    from toolnote_desktop import cli

    return cli.run(["gui", *sys.argv[1:]])


def split_command(arguments: list[str]) -> tuple[str | None, list[str]]:
    """The first word that is no option, and everything else: ``--home DIR`` may stand before the command."""
    place = 0
    while place < len(arguments):
        word = arguments[place]
        if not word.startswith("-"):
            return word, arguments[:place] + arguments[place + 1 :]
        place += 2 if word == "--home" else 1
    return None, list(arguments)


def bridge_options(words: list[str]) -> dict[str, str]:
    """``--client``, ``--toolset`` and ``--home`` of ``toolnote bridge``.

    Raises:
        ValueError: wrong use, in one line.
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


def _bridge(words: list[str]) -> int:
    try:
        options = bridge_options(words)
    except ValueError as error:
        print(f"toolnote bridge: {error}", file=sys.stderr)
        return 2
    from toolnote_desktop import bridge, paths

    return bridge.run(paths.home_folder(options.get("home")), options.get("client"), options.get("toolset"))


def _speak_utf8() -> None:
    """Output is UTF-8 everywhere, also on a Windows console or pipe; what is no text is escaped, never an error."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):  # a windowed program on Windows has none
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
