"""Where every program of ours begins. It decides with as few imports as can be: the bridge must start at once."""

from __future__ import annotations

import sys

from toolnote_desktop.cli.early_arguments import bridge_options, split_command


def main() -> int:
    """The console program ``toolnote`` (docs/contract.md 4). Gives the exit status."""
    arguments = sys.argv[1:]
    command, rest = split_command(arguments)
    if command == "bridge" and not {"-h", "--help"} & set(rest):
        return _bridge(rest)
    _speak_utf8()
    if command == "demo-server":
        from toolnote_desktop import demo

        return demo.main(rest[0] if rest else "")
    return _stay(arguments) if command in (None, "gui", "serve") else _run(arguments)


def main_window() -> int:
    """The windowed program ``toolnote-desktop``: the desktop app and nothing else."""
    _speak_utf8()
    return _stay(["gui", *sys.argv[1:]])


def _run(arguments: list[str]) -> int:
    from toolnote_desktop.cli import parser

    return parser.run(arguments)


def _stay(arguments: list[str]) -> int:
    """A command that goes on until it is told to end."""
    from toolnote_desktop import exit_signals

    exit_signals.install_exit_handlers()
    try:
        return _run(arguments)
    finally:
        exit_signals.ignore_signals()


def _bridge(words: list[str]) -> int:
    try:
        options = bridge_options(words)
    except ValueError as error:
        print(f"toolnote bridge: {error}", file=sys.stderr)
        return 2
    from toolnote_desktop import paths
    from toolnote_desktop.bridge import main as bridge

    return bridge.run(paths.home_folder(options.get("home")), options.get("client"), options.get("toolset"))


def _speak_utf8() -> None:
    """Output is UTF-8 everywhere, also on a Windows console or pipe; what is no text is escaped, never an error."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):  # a windowed program on Windows has none
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
