"""Entry point of all programs. It imports as little as possible: the bridge must start at once."""

from __future__ import annotations

import sys

from toolnote_desktop.cli.early_arguments import bridge_options, split_command


def main() -> int:
    """Run the console program ``toolnote`` (docs/contract.md 4); return the exit status."""
    arguments = sys.argv[1:]
    command, rest = split_command(arguments)
    if command == "bridge" and not {"-h", "--help"} & set(rest):
        return _bridge(rest)
    _use_utf8()
    if command == "demo-server":
        from toolnote_desktop import demo

        return demo.main(rest[0] if rest else "")
    if command == "search-model":
        from toolnote_desktop.meaning import worker

        return worker.main(rest[0] if rest else "")
    return _run_until_signal(arguments) if command in (None, "gui", "serve") else _run(arguments)


def main_window() -> int:
    """Run the windowed program ``toolnote-desktop``: the desktop app and nothing else."""
    _use_utf8()
    return _run_until_signal(["gui", *sys.argv[1:]])


def _run(arguments: list[str]) -> int:
    from toolnote_desktop.cli import parser

    return parser.run(arguments)


def _run_until_signal(arguments: list[str]) -> int:
    """Run a command that goes on until it is ended by a signal."""
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


def _use_utf8() -> None:
    """Write UTF-8 everywhere, also to a Windows console or pipe; escape what is not text instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):  # a windowed program on Windows has none
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
