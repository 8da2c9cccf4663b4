"""The command line (docs/contract.md 4): what may be written, and the one place where errors become a line and a status.

No Qt, no mcp and no pydantic is imported here; a command's module is imported when it runs.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from toolnote_desktop import __version__
from toolnote_desktop.cli import argument_types
from toolnote_desktop.cli.dashed_arguments import MARK, escape_dashes
from toolnote_desktop.cli.early_arguments import split_command
from toolnote_desktop.paths import Home, home_folder

if TYPE_CHECKING:
    from toolnote_desktop.commands import Command

COMMANDS = ("gui", "serve", "bridge", "tools", "guide", "servers", "toolset", "note", "clients", "secret", "doctor")
"""The first words that name one."""


def run(arguments: Sequence[str]) -> int:
    """Run one command; the exit status. 2: wrong use, 1: it could not be done, with one line on stderr."""
    words = list(arguments)
    try:
        words = _with_command(words)
        parsed = _parser(words[0] if words else "").parse_args(escape_dashes(words))
    except SystemExit as ending:  # argparse has said what was wrong, or has shown the help
        return int(ending.code or 0)
    home = home_folder(getattr(parsed, "home", None))
    return _guarded(parsed, home)


def _guarded(parsed: argparse.Namespace, home: Home) -> int:
    """The boundary of every command: nothing but a line and a status leaves it."""
    from toolnote_desktop import log
    from toolnote_desktop.model.problem import ToolnoteError

    log_file = home.logs / log.LOG_FILE
    try:
        keeps_log = parsed.command in ("gui", "serve")
        log.set_up(file=log_file if keeps_log else None, quiet=not keeps_log)
        module, _, function = parsed.run.partition(":")
        commands: Mapping[str, Command] = importlib.import_module(f"toolnote_desktop.commands.{module}").RUN
        status = commands[function](parsed, home)
        if sys.stdout is not None:
            from toolnote_desktop.commands.output import flush

            flush()
        return status
    except ToolnoteError as error:
        from toolnote_desktop.error_messages import english

        return _failed(english(error.problem))
    except BrokenPipeError:  # the reader of our output has gone: nobody is left to be told
        from toolnote_desktop.commands.output import discard_output

        discard_output()
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - the supervising boundary: it is kept whole in the log, and told in a line
        return _unexpected(error, log.keep_traceback(error, log_file), debug=log.wanted_level() is not None)


def _unexpected(error: Exception, kept: object, *, debug: bool) -> int:
    from toolnote_desktop import log

    if debug:
        import traceback

        print(log.covered("".join(traceback.format_exception(error))), file=sys.stderr, end="")
    told = " ".join(log.covered(f"{type(error).__name__}: {error}").split())
    where = f"; the log is {kept}" if kept is not None else ""
    return _failed(f"an unexpected error, {told}{where}")


def _failed(text: str) -> int:
    from toolnote_desktop.commands.output import print_note

    if sys.stderr is not None:
        print_note(text)
    return 1


def _with_command(words: list[str]) -> list[str]:
    """``toolnote`` alone, with options of ``gui``, a link or a file opens the window."""
    if {"-h", "--help", "--version"} & set(words[:1]):
        return words
    first, _ = split_command(words)
    if first is None:
        return ["gui", *words]
    if first not in COMMANDS and ("://" in first or first.endswith((".toolnote", ".json")) or os.path.isfile(first)):
        return ["gui", *words]
    return words


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def __init__(self, **options: object) -> None:
        super().__init__(allow_abbrev=False, **options)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        from toolnote_desktop.commands.output import one_line

        print(f"{self.prog}: {one_line(message)} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def _common(*, data: bool) -> _Parser:
    common = _Parser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument(
        "--home",
        metavar="DIR",
        type=argument_types.path,
        help="the folder with Toolnote's files (else $TOOLNOTE_HOME, else the usual)",
    )
    if data:
        common.add_argument("--json", action="store_true", default=False, help="print JSON")
    return common


class _Group:
    """A command with sub-commands, or the top of all."""

    def __init__(self, parser: argparse.ArgumentParser, name: str) -> None:
        self._name = name
        self._choices = parser.add_subparsers(dest=name, metavar=name.upper(), required=True, parser_class=_Parser)

    def add(
        self, name: str, run: str, text: str, *, data: bool = False, more: str | None = None
    ) -> argparse.ArgumentParser:
        """A command that runs ``module:function``."""
        parser = self._choices.add_parser(
            name,
            parents=[_common(data=data)],
            help=text,
            description=f"{text[0].upper()}{text[1:]}.",
            epilog=more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.set_defaults(run=run)
        return parser

    def group(self, name: str, text: str) -> _Group:
        """A command that has commands of its own."""
        return _Group(
            self._choices.add_parser(name, parents=[_common(data=False)], help=text, description=text), "action"
        )


def _parser(first: str) -> argparse.ArgumentParser:
    """Of all commands, or of that which is the first word alone: the others take 7 ms."""
    parser = _Parser(
        prog="toolnote",
        parents=[_common(data=False)],
        description="Notes on the tools that your AI assistants use. With no command, the desktop app opens.",
    )
    parser.add_argument("--version", action="version", version=f"toolnote {__version__}")
    top = _Group(parser, "command")
    for names, add in _PARTS.items():
        if first in names or first not in COMMANDS:
            add(top)
    return parser


_TOOL = "server.tool, or server:tool where two tools share that name"


def _add_programs(top: _Group) -> None:
    gui = top.add("gui", "programs:gui", "open the desktop app")
    gui.add_argument("--background", action="store_true", help="start in the tray, with no window")
    gui.add_argument("--demo", action="store_true", help="offer the demo servers and their toolset")
    gui.add_argument("--safe", action="store_true", help="start no server, and the window as at the first start")
    gui.add_argument("--quit", action="store_true", help="end the app that runs")
    gui.add_argument(
        "target", nargs="?", metavar="URL|FILE", help="a link or a file to open; it is only ever shown first"
    )

    serve = top.add("serve", "programs:serve", "serve the tools with no window, until it is interrupted")
    serve.add_argument("--port", type=argument_types.port, metavar="N", help="0 picks a free one")
    serve.add_argument("--toolset", metavar="NAME", help="serve this one instead of the shared one")
    serve.add_argument("--demo", action="store_true", help="add the demo servers and their toolset")

    bridge = top.add(
        "bridge", "programs:bridge", "connect a client's stdio with the running app, which is started if need be"
    )
    bridge.add_argument("--client", metavar="NAME", help="which client this is")
    bridge.add_argument("--toolset", metavar="NAME", help="the toolset for a client that has none of its own")

    tools = top.add("tools", "tools:tools", "show exactly what a client is served", data=True)
    tools.add_argument("--client", metavar="NAME", help="as this client")
    tools.add_argument("--toolset", metavar="NAME", help="as with this toolset")

    guide = top.add("guide", "guide:guide", "show the guide to a toolset's tools, as Markdown", data=True)
    guide.add_argument("--toolset", metavar="NAME", help="of this toolset (default: the shared one)")
    guide.add_argument("--task", metavar="TYPE", help="only what matters for this kind of work: build, debug …")
    guide.add_argument("--input", metavar="TEXT", help="only what matters for what somebody said")
    guide.add_argument("--dialect", metavar="NAME", help="as for this kind of assistant")
    guide.add_argument("--detail", choices=("summary", "standard", "full"), default="standard", help="how much is said")


def _add_servers(top: _Group) -> None:
    servers = top.group("servers", "The MCP servers whose tools Toolnote serves.")
    servers.add("list", "servers:list", "list the servers", data=True)
    add = servers.add(
        "add",
        "servers:add",
        "add a server",
        more="Everything after --command is the server's command, up to one of the other options here. Arguments that\n"
        "are spelled like them go behind --, at the very end:\n"
        "  toolnote servers add git --command uvx mcp-server-git --repository . --cwd .\n"
        "  toolnote servers add x --env KEY=value --command -- npx -y mcp-remote https://host/mcp --header 'X: y'",
    )
    add.add_argument("id", metavar="ID", type=argument_types.unicode, help="what it is called here")
    add.add_argument("--command", dest="program", metavar="CMD", help="the program, then its arguments")
    add.add_argument(
        "--argument",
        action="append",
        default=[],
        dest="program_arguments",
        type=lambda word: word.removeprefix(MARK),
        help=argparse.SUPPRESS,
    )
    add.add_argument("--url", help="where an HTTP server answers")
    add.add_argument("--type", choices=("http", "sse"), help="what it speaks there (default: http)")
    add.add_argument(
        "--env", action="append", default=[], type=argument_types.pair("="), metavar="K=V", help="may be repeated"
    )
    add.add_argument(
        "--header", action="append", default=[], type=argument_types.pair("=:"), metavar="K=V", help="may be repeated"
    )
    add.add_argument("--cwd", type=argument_types.path, metavar="DIR", help="the folder that it runs in")
    add.add_argument("--toolset", metavar="NAME", help="a toolset that all its tools join")
    for name, text in (
        ("remove", "take a server away"),
        ("enable", "switch a server on"),
        ("disable", "switch it off"),
    ):
        servers.add(name, f"servers:{name}", text).add_argument("id", metavar="ID")
    sign_in = servers.add("sign-in", "sign_in:sign_in", "sign in to a server, in a browser")
    for parser in (sign_in, servers.add("sign-out", "sign_in:sign_out", "forget a sign-in")):
        parser.add_argument("id", metavar="ID")
    sign_in.add_argument("--not-encrypted", action="store_true", help="keep it in a plain file of the home")
    test = servers.add("test", "testing:test", "connect to a server and say what it offers", data=True)
    test.add_argument("id", metavar="ID")
    imported = servers.add(
        "import",
        "servers:import",
        "take over the servers of a client's or project's file",
        data=True,
        more="Imported servers are switched off until you say `toolnote servers enable ID`.",
    )
    imported.add_argument("file", type=argument_types.path, metavar="FILE")
    imported.add_argument("--dry-run", action="store_true", help="only show what would be done")
    imported.add_argument(
        "--secrets", choices=("keychain", "file"), help="keep what looks like a secret there, not in servers.json"
    )


def _add_toolsets(top: _Group) -> None:
    toolset = top.group("toolset", "Choices of tools, with their notes.")
    toolset.add("list", "toolsets:list", "list the toolsets", data=True)
    toolset.add("show", "toolsets:show", "show a toolset's tools and notes", data=True).add_argument(
        "name", metavar="NAME"
    )
    create = toolset.add("create", "toolsets:create", "make a toolset")
    create.add_argument("name", metavar="NAME", help="2 to 50 of a-z, 0-9 and -")
    create.add_argument(
        "tools", nargs="*", type=argument_types.tool, metavar="TOOL", help=f"{_TOOL}; one not seen yet may be named too"
    )
    create.add_argument("--title", type=argument_types.unicode, help="what people see (default: the name)")
    create.add_argument("--description", type=argument_types.unicode, default="")
    for name, text in (("delete", "delete a toolset (a backup is kept)"), ("equip", "make it the shared one")):
        toolset.add(name, f"toolsets:{name}", text).add_argument("name", metavar="NAME")
    toolset.add("unequip", "toolsets:unequip", "share no toolset: only the built-in tools are served")
    for name, text in (("add-tool", "put tools into a toolset"), ("remove-tool", "take tools out; their notes stay")):
        change = toolset.add(name, f"toolsets:{name}", text)
        change.add_argument("name", metavar="NAME")
        change.add_argument("tools", nargs="+", type=argument_types.tool, metavar="TOOL", help=_TOOL)
        change.add_argument("--server", metavar="ID", help="of which server, where two tools share the name")
    export = toolset.add("export", "transfer:export", "write a toolset with its notes, to hand it on", data=True)
    export.add_argument("name", metavar="NAME")
    export.add_argument("file", nargs="?", type=argument_types.path, metavar="FILE", help="else it is printed")
    export.add_argument("--with-servers", action="store_true", help="and its servers, without their secrets")
    taken = toolset.add(
        "import",
        "transfer:import",
        "take over toolsets: one of ours, FILE.toolnote, or hypertool's config.json",
        data=True,
    )
    taken.add_argument(
        "file", type=argument_types.path, metavar="FILE", help="or a persona's folder; - is standard input"
    )
    taken.add_argument("--dry-run", action="store_true", help="only show what would be done")


def _add_notes(top: _Group) -> None:
    note = top.group("note", "Notes on tools: what assistants read under a tool's own description.")

    def add(name: str, text: str, *, tool: str | None = None) -> argparse.ArgumentParser:
        parser = note.add(name, f"notes:{name}", text, data=name == "list")
        parser.add_argument("tool", metavar="TOOL", nargs=tool, type=argument_types.tool, help=_TOOL)
        where = parser.add_mutually_exclusive_group()
        where.add_argument("--toolset", metavar="NAME", help="in this toolset (default: the shared one)")
        where.add_argument("--everywhere", action="store_true", help="in every toolset")
        parser.add_argument("--server", metavar="ID", help="of which server, where two tools share the name")
        return parser

    add("list", "list notes", tool="?")
    for name, text in (("add", "add a note"), ("edit", "change a note's text")):
        parser = add(name, text)
        parser.add_argument("name", metavar="NAME", help="1 to 50 of a-z, 0-9 and -")
        parser.add_argument("text", metavar="TEXT")
    add("remove", "remove a note").add_argument("name", metavar="NAME")
    move = add("move", "change the order of a tool's notes")
    move.add_argument("name", metavar="NAME")
    move.add_argument("position", metavar="POSITION", type=argument_types.position, help="1 is the first")
    for name, text in (("export", "write a toolset's notes alone"), ("import", "take over notes; none is replaced")):
        parser = note.add(name, f"notes_transfer:{name}", text, data=name == "export")
        parser.add_argument("file", type=argument_types.path, metavar="FILE", nargs="?" if name == "export" else None)
        parser.add_argument("--toolset", metavar="NAME", help="of or into this toolset (default: the shared one)")


def _add_secrets(top: _Group) -> None:
    secret = top.group("secret", "Values that stand in no file: ${secret:NAME} in a server's entry.")
    listed = secret.add("list", "secrets:list", "list what a server wants and has, without the values", data=True)
    taken = secret.add("set", "secrets:set", "keep a value, read from stdin or asked for, in the system's keychain")
    for parser in (listed, taken, secret.add("remove", "secrets:remove", "forget a value")):
        parser.add_argument("server", metavar="SERVER")
        if parser is not listed:
            parser.add_argument("name", metavar="NAME")
    taken.add_argument("--not-encrypted", action="store_true", help="in a plain file of the home")


def _add_clients(top: _Group) -> None:
    clients = top.group("clients", "Put Toolnote into an assistant's own configuration, or take it out.")
    clients.add("list", "clients:list", "list the assistants and whether Toolnote is in them", data=True)
    names = "claude-desktop, cursor …: `toolnote clients list` has all names"
    for name, text in (
        ("install", "put Toolnote into an assistant"),
        ("uninstall", "take Toolnote out of an assistant"),
    ):
        parser = clients.add(name, f"clients:{name}", text)
        parser.add_argument(
            "name", metavar="NAME", nargs="?" if name == "uninstall" else None, type=argument_types.client, help=names
        )
        parser.add_argument(
            "--config", type=argument_types.path, metavar="FILE", help="its configuration file, if not the usual one"
        )
        if name == "install":
            parser.add_argument("--toolset", metavar="NAME", help="a toolset of its own")
            parser.add_argument("--url", action="store_true", help="by its address, with a new token of its own")
            parser.add_argument("--switch-off", action="store_true", help="its own servers that come twice")
            parser.add_argument("--replace", action="store_true", help="an entry that somebody has edited too")
        else:
            parser.add_argument("--all", action="store_true", help="out of every assistant")
        parser.add_argument("--dry-run", action="store_true", help="only show the change")
    revoke = clients.add("revoke", "clients:revoke", "make an assistant's own token good for nothing")
    revoke.add_argument("name", metavar="NAME", type=argument_types.client, help=names)


def _add_doctor(top: _Group) -> None:
    doctor = top.add("doctor", "doctor:doctor", "check everything; exit status 1 if something is wrong", data=True)
    doctor.add_argument(
        "--export",
        type=argument_types.path,
        metavar="FILE",
        help="write a report with no secret in it (.json, else Markdown)",
    )


_PARTS: Mapping[tuple[str, ...], Callable[[_Group], None]] = {
    ("gui", "serve", "bridge", "tools", "guide"): _add_programs,
    ("servers",): _add_servers,
    ("toolset",): _add_toolsets,
    ("note",): _add_notes,
    ("secret",): _add_secrets,
    ("clients",): _add_clients,
    ("doctor",): _add_doctor,
}
"""What adds which commands, in the order of the help."""
