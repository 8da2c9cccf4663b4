"""Command line (docs/contract.md 4): its syntax, and the conversion of errors into one line and an exit status.

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
from toolnote_desktop.cli.dashed_arguments import MARK, escape_dashes, home_words
from toolnote_desktop.cli.early_arguments import split_command
from toolnote_desktop.paths import Home, home_folder

if TYPE_CHECKING:
    from toolnote_desktop.commands import Command


def run(arguments: Sequence[str]) -> int:
    """Run one command; return its exit status: 2 for wrong use, 1 for a failure, with one line on stderr."""
    words = list(arguments)
    try:
        words = _add_default_command(words)
        parsed = new_parser(words[0] if words else "").parse_args(escape_dashes(words))
    except SystemExit as ending:  # argparse has printed the error or the help
        return int(ending.code or 0)
    home = home_folder(getattr(parsed, "home", None))
    return _run_command(parsed, home)


def _run_command(parsed: argparse.Namespace, home: Home) -> int:
    """Run a command; turn every exception into a line and an exit status."""
    from toolnote_desktop import log
    from toolnote_desktop.model.problem import Code, ToolnoteError

    log_file = home.logs / log.LOG_FILE
    try:
        logs_to_file = parsed.command in ("gui", "serve")
        log.set_up(
            file=log_file if logs_to_file else None, quiet=not logs_to_file, traces=None if logs_to_file else log_file
        )
        module, _, function = parsed.run.partition(":")
        commands: Mapping[str, Command] = importlib.import_module(f"toolnote_desktop.commands.{module}").RUN
        status = commands[function](parsed, home)
        if sys.stdout is not None:
            from toolnote_desktop.commands.output import flush

            flush()
        return status
    except ToolnoteError as error:
        from toolnote_desktop.error_messages import english

        _fail(english(error.problem))
        return 2 if error.problem.code is Code.SETTING_INVALID else 1
    except BrokenPipeError:  # the reader of the output is gone, and needs no message
        from toolnote_desktop.commands.output import discard_output

        discard_output()
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - the outermost boundary: logged in full, printed as one line
        return _fail_unexpected(error, log.keep_traceback(error, log_file), debug=log.wanted_level() is not None)


def _fail_unexpected(error: Exception, log_path: object, *, debug: bool) -> int:
    from toolnote_desktop import log

    if debug:
        import traceback

        from toolnote_desktop.model.hidden_characters import escape_controls

        trace = log.covered("".join(traceback.format_exception(error)))
        print(escape_controls(trace), file=sys.stderr, end="")
    message = " ".join(log.covered(f"{type(error).__name__}: {error}").split())
    log_note = f"; the log is {log_path}" if log_path is not None else ""
    return _fail(f"unexpected error: {message}{log_note}")


def _fail(text: str) -> int:
    from toolnote_desktop.commands.output import print_note

    if sys.stderr is not None:
        print_note(text)
    return 1


def _add_default_command(words: list[str]) -> list[str]:
    """Return the words with ``gui`` before options, a link or a file without a command."""
    at = home_words(words)
    if {"-h", "--help", "--version"} & set(words[at : at + 1]):
        return words
    first, _ = split_command(words)
    if first is None:
        return ["gui", *words]
    if first not in COMMANDS and ("://" in first or first.endswith((".toolnote", ".json")) or os.path.isfile(first)):
        return ["gui", *words]
    return words


class _Parser(argparse.ArgumentParser):
    """Parser that reports an error in one line."""

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
        help="folder with Toolnote's files (default: $TOOLNOTE_HOME, else the standard folder)",
    )
    if data:
        common.add_argument("--json", action="store_true", default=False, help="print JSON")
    return common


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


class _Group:
    """Command with sub-commands, or the top level."""

    def __init__(self, parser: argparse.ArgumentParser, name: str) -> None:
        self._name = name
        self._choices = parser.add_subparsers(dest=name, metavar=name.upper(), required=True, parser_class=_Parser)

    def add(
        self, name: str, run: str, text: str, *, data: bool = False, more: str | None = None
    ) -> argparse.ArgumentParser:
        """Add a command that runs ``module:function``."""
        parser = self._choices.add_parser(
            name,
            parents=[_common(data=data)],
            help=text,
            description=_sentence(text),
            epilog=more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.set_defaults(run=run)
        return parser

    def group(self, name: str, text: str) -> _Group:
        """Add a command with commands of its own."""
        return _Group(
            self._choices.add_parser(name, parents=[_common(data=False)], help=text, description=_sentence(text)),
            "action",
        )


def new_parser(first: str) -> argparse.ArgumentParser:
    """Build the parser of all commands, or of the command ``first`` alone: the others take 7 ms."""
    parser = _Parser(
        prog="toolnote",
        parents=[_common(data=False)],
        description="Notes on the tools that your AI assistants use. Without a command, the desktop app opens.",
    )
    parser.add_argument("--version", action="version", version=f"toolnote {__version__}")
    top = _Group(parser, "command")
    for names, add in _COMMAND_GROUPS.items():
        if first in names or first not in COMMANDS:
            add(top)
    return parser


_TOOL = "server.tool, or server:tool where two tools share that name"
_TOOL_OR_TEXT = f"{_TOOL}; server:prompt:NAME for a prompt, server:instructions for a server's own instructions"


def _add_programs(top: _Group) -> None:
    gui = top.add("gui", "programs:gui", "open the desktop app")
    gui.add_argument("--background", action="store_true", help="start in the tray, without a window")
    gui.add_argument("--demo", action="store_true", help="offer the demo servers and their toolset")
    gui.add_argument("--safe", action="store_true", help="start without servers and with the window's initial layout")
    gui.add_argument("--quit", action="store_true", help="quit the running app")
    gui.add_argument(
        "target", nargs="?", metavar="URL|FILE", help="link or file to open; nothing is changed before you confirm"
    )

    serve = top.add("serve", "programs:serve", "serve the tools without a window, until interrupted")
    serve.add_argument("--port", type=argument_types.port, metavar="N", help="0 picks a free one")
    serve.add_argument("--toolset", metavar="NAME", help="toolset to serve instead of the shared one")
    serve.add_argument("--demo", action="store_true", help="add the demo servers and their toolset")

    bridge = top.add(
        "bridge", "programs:bridge", "connect a client's stdio to the running app; start the app if needed"
    )
    bridge.add_argument("--client", metavar="NAME", help="name of the client")
    bridge.add_argument("--toolset", metavar="NAME", help="toolset for a client without one of its own")

    tools = top.add("tools", "tools:tools", "show exactly what a client is served", data=True)
    tools.add_argument("--client", metavar="NAME", help="client to list for")
    tools.add_argument("--toolset", metavar="NAME", help="toolset to list with")

    instructions = top.add("instructions", "tools:instructions", "show the instructions that a client gets", data=True)
    instructions.add_argument("--client", metavar="NAME", help="client to show them for")
    instructions.add_argument("--toolset", metavar="NAME", help="toolset to show them with")

    guide = top.add("guide", "guidance:guide", "show the guide to a toolset's tools, as Markdown", data=True)
    guide.add_argument("--client", metavar="NAME", help="client to write for, as it gets it (default: a text to copy)")
    guide.add_argument("--toolset", metavar="NAME", help="toolset (default: the one in use)")
    guide.add_argument("--task", metavar="TYPE", help="limit the guide to a kind of work: build, debug …")
    guide.add_argument("--input", metavar="TEXT", help="limit the guide to what fits this request")
    guide.add_argument("--dialect", metavar="NAME", help="kind of assistant to write for")
    guide.add_argument("--detail", choices=_DETAILS, help="level of detail")


_DETAILS = ("summary", "standard", "full")


def _add_guidance(top: _Group) -> None:
    preferences = top.group("preferences", "show and set how assistants should work with you")
    show = preferences.add("show", "guidance:show_preferences", "show the preferences in effect", data=True)
    change = preferences.add(
        "set",
        "guidance:set_preferences",
        "set preferences for all assistants, or for one",
        more="  toolnote preferences set --language de --ask-before-changes yes\n"
        "  toolnote preferences set --client cursor --never web.search",
    )
    for parser in (show, change):
        parser.add_argument("--client", metavar="NAME", help="assistant (default: all)")
    text = argument_types.unicode
    change.add_argument(
        "--language", type=text, metavar="CODE", help="what you read, and notes, are written in it: de …"
    )
    change.add_argument("--detail", choices=_DETAILS, help="level of detail of guides")
    change.add_argument("--guide-tokens", type=int, metavar="N", help="most tokens of a guide (default: 8000)")
    change.add_argument(
        "--ask-before-changes", choices=("yes", "no"), help="ask before a call that may change something"
    )
    for option, words in (("always", "tool to prefer"), ("never", "tool to leave alone")):
        change.add_argument(
            f"--{option}", action="append", default=[], metavar="TOOL", type=argument_types.tool, help=words
        )
    keys = ("language", "detail", "always", "never", "askBeforeChanges", "guideTokens")
    change.add_argument("--clear", action="append", default=[], choices=keys, help="remove a preference")
    dialect = top.group("dialect", "show and set the limits and sentences of a family of assistants")
    show = dialect.add("show", "guidance:show_dialect", "show a dialect with its sources, or list all", data=True)
    show.add_argument("name", metavar="NAME", nargs="?")
    change = dialect.add(
        "set",
        "guidance:set_dialect",
        "save a version of your own",
        more="--sentence and --tool-sentence replace those that there are; an empty text removes them all.\n"
        "  toolnote dialect set gemini --sentence 'Call one tool at a time.' --figure descriptionLimit=1024",
    )
    change.add_argument("name", metavar="NAME")
    change.add_argument("--sentence", action="append", type=text, metavar="TEXT", help="in instructions and guides")
    change.add_argument("--tool-sentence", action="append", type=text, metavar="TEXT", help="after each description")
    pair = argument_types.pair("=")
    change.add_argument("--figure", action="append", type=pair, metavar="KEY=JSON", help="limit; null removes it")
    change.add_argument("--notes", choices=("after", "before", "before-if-cut"), help="place of your notes")
    change.add_argument("--reset", action="store_true", help="go back to the bundled one")


def _add_servers(top: _Group) -> None:
    servers = top.group("servers", "manage the MCP servers whose tools Toolnote serves")
    servers.add("list", "servers:list", "list the servers", data=True)
    add = servers.add(
        "add",
        "servers:add",
        "add a server",
        more="Everything after --command is the server's command, up to one of the other options here. Put arguments\n"
        "that look like these options after --, at the end:\n"
        "  toolnote servers add git --command uvx mcp-server-git --repository . --cwd .\n"
        "  toolnote servers add x --env KEY=value --command -- npx -y mcp-remote https://host/mcp --header 'X: y'\n"
        "  toolnote servers add y --container auto --mount . --command npx -y some-server",
    )
    add.add_argument("id", metavar="ID", type=argument_types.unicode, help="name of the server")
    add.add_argument("--command", dest="program", metavar="CMD", help="program and its arguments")
    add.add_argument(
        "--argument",
        action="append",
        default=[],
        dest="program_arguments",
        type=lambda word: word.removeprefix(MARK),
        help=argparse.SUPPRESS,
    )
    add.add_argument(
        "--container",
        metavar="IMAGE|auto",
        help="run it in a container of docker or podman, where one is installed; before --command",
    )
    add.add_argument(
        "--mount", action="append", default=[], type=argument_types.path, metavar="DIR", help="folder for the container"
    )
    add.add_argument("--no-network", action="store_true", help="no network in the container")
    add.add_argument("--url", help="address of an HTTP server")
    add.add_argument("--type", choices=("http", "sse"), help="transport (default: http)")
    add.add_argument(
        "--env",
        action="append",
        default=[],
        type=argument_types.pair("="),
        metavar="K=V",
        help="environment variable; may be repeated",
    )
    add.add_argument(
        "--header",
        action="append",
        default=[],
        type=argument_types.pair("=:"),
        metavar="K=V",
        help="HTTP header; may be repeated",
    )
    add.add_argument("--cwd", type=argument_types.path, metavar="DIR", help="working directory")
    add.add_argument("--toolset", metavar="NAME", help="toolset to which all its tools are added")
    for name, text in (
        ("remove", "remove a server"),
        ("enable", "switch a server on"),
        ("disable", "switch a server off"),
    ):
        servers.add(name, f"servers:{name}", text).add_argument("id", metavar="ID")
    about = servers.add(
        "describe", "servers:describe_purpose", "say what a server is for, or show what was said", data=True
    )
    about.add_argument("id", metavar="ID")
    about.add_argument("text", nargs="?", type=argument_types.unicode, metavar="TEXT", help="an empty one removes it")
    naming = servers.add(
        "rename", "servers:rename", "set the name that the window shows for a server, or show it", data=True
    )
    naming.add_argument("id", metavar="ID")
    naming.add_argument(
        "title", nargs="?", type=argument_types.unicode, metavar="TITLE", help="an empty one removes it"
    )
    sign_in = servers.add("sign-in", "sign_in:sign_in", "sign in to a server, in a browser")
    for parser in (sign_in, servers.add("sign-out", "sign_in:sign_out", "sign out of a server")):
        parser.add_argument("id", metavar="ID")
    sign_in.add_argument("--not-encrypted", action="store_true", help="store it in a plain file in Toolnote's folder")
    test = servers.add("test", "testing:test", "connect to a server and show what it offers", data=True)
    test.add_argument("id", metavar="ID")
    imported = servers.add(
        "import",
        "servers:import",
        "import the servers from a client's or project's file",
        data=True,
        more="Imported servers stay switched off until you run `toolnote servers enable ID`.",
    )
    imported.add_argument("file", type=argument_types.path, metavar="FILE")
    imported.add_argument("--dry-run", action="store_true", help="show what would be done, change nothing")
    imported.add_argument(
        "--secrets", choices=("keychain", "file"), help="store what looks like a secret there, not in servers.json"
    )


def _add_toolsets(top: _Group) -> None:
    toolset = top.group("toolset", "manage toolsets: selections of tools with notes on them")
    toolset.add("list", "toolsets:list", "list the toolsets", data=True)
    toolset.add("show", "toolsets:show", "show a toolset's tools and notes", data=True).add_argument(
        "name", metavar="NAME"
    )
    create = toolset.add("create", "toolsets:create", "create a toolset")
    create.add_argument("name", metavar="NAME", help="name of the toolset: 2 to 50 characters of a-z, 0-9 and -")
    create.add_argument(
        "tools", nargs="*", type=argument_types.tool, metavar="TOOL", help=f"{_TOOL}; it need not have been listed yet"
    )
    create.add_argument("--title", type=argument_types.unicode, help="title shown to users (default: the name)")
    create.add_argument("--description", type=argument_types.unicode, default="")
    for name, text in (("delete", "delete a toolset (a backup is kept)"), ("equip", "make a toolset the shared one")):
        toolset.add(name, f"toolsets:{name}", text).add_argument("name", metavar="NAME")
    about = toolset.add(
        "describe", "toolsets:describe_purpose", "say what a toolset is for, or show what was said", data=True
    )
    about.add_argument("name", metavar="NAME")
    about.add_argument("text", nargs="?", type=argument_types.unicode, metavar="TEXT", help="an empty one removes it")
    toolset.add("unequip", "toolsets:unequip", "share no toolset: serve only the built-in tools")
    for name, text in (
        ("add-tool", "add tools to a toolset"),
        ("remove-tool", "remove tools from a toolset; notes on them stay"),
    ):
        change = toolset.add(name, f"toolsets:{name}", text)
        change.add_argument("name", metavar="NAME")
        change.add_argument("tools", nargs="+", type=argument_types.tool, metavar="TOOL", help=_TOOL)
        change.add_argument("--server", metavar="ID", help="server of the tool, if two servers share the name")
    export = toolset.add("export", "transfer:export", "export a toolset with its notes", data=True)
    export.add_argument("name", metavar="NAME")
    export.add_argument("file", nargs="?", type=argument_types.path, metavar="FILE", help="default: standard output")
    export.add_argument("--with-servers", action="store_true", help="include its servers, without their secrets")
    imported = toolset.add(
        "import",
        "transfer:import",
        "import toolsets from FILE.toolnote or hypertool's config.json",
        data=True,
    )
    imported.add_argument(
        "file", type=argument_types.path, metavar="FILE", help="file, persona folder, or - for standard input"
    )
    imported.add_argument("--dry-run", action="store_true", help="show what would be done, change nothing")


def _add_pack(top: _Group) -> None:
    pack = top.group("pack", "share a toolset's notes, with the tools that they were written for")
    export = pack.add("export", "transfer:export_pack", "write a toolset's pack")
    export.add_argument("name", metavar="TOOLSET")
    export.add_argument(
        "file", type=argument_types.path, metavar="FILE", help="FILE.toolnote, or - for standard output"
    )
    export.add_argument("--with-sources", action="store_true", help="include its servers, without their secrets")
    imported = pack.add(
        "import",
        "transfer:import_pack",
        "import a pack's toolset, with its servers switched off",
        data=True,
        more="Where a toolset of its name is here already:\n"
        "  --merge   add what is missing here and change nothing (default)\n"
        "  --both    add the pack as another toolset\n"
        "  --theirs  make the toolset what the pack is; your approvals and consents stay",
    )
    choice = imported.add_mutually_exclusive_group()
    for name in ("merge", "both", "theirs"):
        choice.add_argument(f"--{name}", dest="choice", action="store_const", const=name, help=argparse.SUPPRESS)
    imported.add_argument("--likely", action="store_true", help="put the notes of missing tools on the likely ones")
    imported.add_argument("--dry-run", action="store_true", help="show what would be done, change nothing")
    text = "compare a pack with the tools that are here; exit status 1 if one differs"
    check = pack.add("check", "transfer:check_pack", text, data=True)
    check.add_argument("--live", action="store_true", help="list its servers anew, instead of trusting their last list")
    for parser in (imported, check):
        parser.add_argument("file", type=argument_types.path, metavar="FILE")


def _add_bench(top: _Group) -> None:
    bench = top.group("bench", "measure whether notes lead a model to the right calls")
    run = bench.add(
        "run",
        "bench:run",
        "ask a model the prompts of a file, with and without the notes; exit status 1 where the notes harm",
        data=True,
        more="No tool is called. What it will take is said first, and asked unless --yes is given.\n"
        "The key is read from $TOOLNOTE_BENCH_KEY, else from the keychain (`toolnote bench key`).",
    )
    run.add_argument("file", type=argument_types.path, metavar="FILE", help="prompts, or a pack with prompts")
    run.add_argument("--model", type=argument_types.unicode, metavar="M", help="name of the model")
    run.add_argument("--toolset", metavar="NAME", help="toolset whose tools are offered (default: the file's)")
    run.add_argument("--repeat", type=argument_types.position, default=3, metavar="N", help="times (default: 3)")
    run.add_argument("--steps", type=argument_types.position, default=1, metavar="N", help="answers each (default: 1)")
    run.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the order (default: 0)")
    run.add_argument(
        "--price", nargs=2, type=argument_types.price, metavar=("IN", "OUT"), help="prices of a million tokens"
    )
    run.add_argument("--dry-run", action="store_true", help="say what it will take, and ask the model nothing")
    run.add_argument("--yes", action="store_true", help="run without a question")
    key = bench.add("key", "bench:key", "store the key of an endpoint, read from stdin or a prompt, in the keychain")
    key.add_argument("--remove", action="store_true", help="delete it")
    key.add_argument("--not-encrypted", action="store_true", help="store it in a plain file in Toolnote's folder")
    for parser in (run, key):
        parser.add_argument(
            "--endpoint", metavar="URL", help="https address, or http on this computer (default: the vendor's)"
        )
        parser.add_argument("--api", choices=("openai", "anthropic"), help="kind of endpoint (default: openai)")


def _add_tool(top: _Group) -> None:
    tool = top.group("tool", "show and set what belongs to a tool in every toolset")
    show = tool.add("show", "tool_settings:show", "show a tool's settings and notes", data=True)
    show.add_argument("tool", metavar="TOOL", type=argument_types.tool, help=_TOOL)
    show.add_argument("--toolset", metavar="NAME", help="toolset to show it in (default: the shared one)")
    suggest = tool.add(
        "suggest", "tool_settings:suggest", "suggest each tool's place in guides from its use", data=True
    )
    suggest.add_argument("--toolset", metavar="NAME", help="toolset (default: the shared one)")
    suggest.add_argument(
        "--days", type=argument_types.position, default=30, metavar="N", help="calls of the last N days (default: 30)"
    )
    suggest.add_argument("--apply", action="store_true", help="set what is suggested")
    lost = tool.add("lost-rules", "tool_settings:lost_rules", "show which rules could not be read", data=True)
    lost.add_argument(
        "--drop",
        action="store_true",
        help="go on without them",
    )
    change = tool.add(
        "set",
        "tool_settings:set",
        "set a tool's settings in every toolset",
        more="An empty text or null removes a setting. --default, --fix and --hide replace one another:\n"
        "  toolnote tool set linear.create_issue --approval ask --default priority=3 --note 'team=One of A, B.'",
    )
    change.add_argument("tools", nargs="+", metavar="TOOL", type=argument_types.tool, help=_TOOL)
    change.add_argument("--toolset", metavar="NAME", help="set an exception in this toolset alone")
    for parser in (show, change):
        parser.add_argument("--server", metavar="ID", help="server of the tool, if two servers share the name")
    text, pair = argument_types.unicode, argument_types.pair("=")
    change.add_argument("--alias", type=text, metavar="A", help="name that assistants see, in one toolset")
    change.add_argument("--category", type=text, metavar="C", help="category in the guide")
    change.add_argument(
        "--optionality",
        choices=("required", "optional", "by-task"),
        help="place in guides, in one toolset: always, only where relevant, or by the task (default)",
    )
    change.add_argument("--when", type=text, metavar="TEXT", help="when to use the tool")
    change.add_argument("--instructions", type=text, metavar="TEXT", help="instructions for the tool")
    change.add_argument(
        "--approval", choices=("ask", "off", "null"), help="ask the user before each call; off: not, nor suggest it"
    )
    change.add_argument("--consent", type=text, metavar="WORD|off", help="word that the assistant must pass")
    for option, meta, words in (
        ("hint", "KEY=JSON", "a hint, such as readOnlyHint=true, or alwaysLoad=true: always in the list"),
        ("note", "PARAM=TEXT", "words on a parameter"),
        ("default", "PARAM=JSON", "value where the assistant omits a parameter"),
        ("fix", "PARAM=JSON", "value that is always sent; the parameter is hidden"),
        ("allow", "PARAM=JSON", 'allowed values: {"values": […]}, {"under": FOLDER} or {"like": GLOB}'),
    ):
        change.add_argument(f"--{option}", action="append", default=[], type=pair, metavar=meta, help=words)
    change.add_argument("--hide", action="append", default=[], metavar="PARAM", help="hide a parameter")
    change.add_argument(
        "--mute", action="append", default=[], metavar="TEXT", help="paragraph of the description that is not served"
    )
    state = change.add_mutually_exclusive_group()
    state.add_argument("--on", action="store_true", default=None, help="serve the tool")
    state.add_argument("--off", action="store_false", dest="on", help="serve it in no toolset")
    pinned = change.add_mutually_exclusive_group()
    pinned.add_argument(
        "--always-on", action="store_true", dest="pinned", default=None, help="serve it in every toolset, listed or not"
    )
    pinned.add_argument("--not-always-on", action="store_false", dest="pinned", help="serve it where it is listed")


def _add_notes(top: _Group) -> None:
    note = top.group("note", "manage notes on tools, which assistants read below a tool's own description")

    def add(name: str, text: str, *, tool: str | None = None) -> argparse.ArgumentParser:
        """Add a command that runs ``module:function``."""
        parser = note.add(name, f"notes:{name}", text, data=name == "list")
        parser.add_argument("tool", metavar="TOOL", nargs=tool, type=argument_types.tool, help=_TOOL)
        scope = parser.add_mutually_exclusive_group()
        scope.add_argument("--toolset", metavar="NAME", help="toolset of the note (default: the shared one)")
        scope.add_argument("--everywhere", action="store_true", help="the same as --scope tool")
        scope.add_argument(
            "--scope",
            choices=("toolset", "tool", "source", "all"),
            help="the shared toolset alone (default), the tool in every toolset, all tools of its server, every tool",
        )
        parser.add_argument("--server", metavar="ID", help="server of the tool, if two servers share the name")
        return parser

    add("list", "list notes", tool="?")
    for name, text in (("add", "add a note"), ("edit", "change a note's text")):
        parser = add(name, text)
        parser.add_argument("name", metavar="NAME", help="name of the note: 1 to 50 characters of a-z, 0-9 and -")
        parser.add_argument("text", metavar="TEXT", help="text of the note")
    add("remove", "remove a note").add_argument("name", metavar="NAME")
    move = add("move", "change the order of a tool's notes")
    move.add_argument("name", metavar="NAME")
    move.add_argument("position", metavar="POSITION", type=argument_types.position, help="1 is the first")
    for name, text in (
        ("export", "export the notes of a toolset"),
        ("import", "import notes; existing notes are not replaced"),
    ):
        parser = note.add(name, f"notes:{name}", text, data=name == "export")
        parser.add_argument("file", type=argument_types.path, metavar="FILE", nargs="?" if name == "export" else None)
        parser.add_argument("--toolset", metavar="NAME", help="toolset (default: the shared one)")


def _add_secrets(top: _Group) -> None:
    secret = top.group("secret", "manage the values of ${secret:NAME} in a server's entry")
    listed = secret.add(
        "list", "secrets:list", "list the secrets that a server needs and has, without values", data=True
    )
    imported = secret.add("set", "secrets:set", "store a value, read from stdin or a prompt, in the system's keychain")
    for parser in (listed, imported, secret.add("remove", "secrets:remove", "delete a secret")):
        parser.add_argument("server", metavar="SERVER")
        if parser is not listed:
            parser.add_argument("name", metavar="NAME")
    imported.add_argument("--not-encrypted", action="store_true", help="store it in a plain file in Toolnote's folder")


def _add_clients(top: _Group) -> None:
    clients = top.group("clients", "install Toolnote in an assistant's own configuration, or remove it")
    clients.add("list", "clients:list", "list the assistants and whether Toolnote is installed in them", data=True)
    names = "claude-desktop, cursor …: see `toolnote clients list`"
    for name, text in (
        ("install", "install Toolnote in an assistant"),
        ("uninstall", "remove Toolnote from an assistant"),
    ):
        parser = clients.add(name, f"clients:{name}", text)
        parser.add_argument(
            "name", metavar="NAME", nargs="?" if name == "uninstall" else None, type=argument_types.client, help=names
        )
        parser.add_argument(
            "--config",
            type=argument_types.path,
            metavar="FILE",
            help="its configuration file (default: the standard one)",
        )
        if name == "install":
            parser.add_argument("--toolset", metavar="NAME", help="toolset for this assistant")
            parser.add_argument(
                "--url", action="store_true", help="connect by URL, with a new token for this assistant"
            )
            parser.add_argument(
                "--switch-off", action="store_true", help="switch off its own servers that Toolnote also provides"
            )
            parser.add_argument("--replace", action="store_true", help="replace an entry that was edited")
        else:
            parser.add_argument("--all", action="store_true", help="remove Toolnote from every assistant")
        parser.add_argument("--dry-run", action="store_true", help="show the change without making it")
    change = clients.add("set", "clients:set_client", "change how an assistant is served")
    change.add_argument("name", metavar="NAME", type=argument_types.unicode, help=names)
    change.add_argument(
        "--discovery",
        choices=("full", "search", "auto"),
        help="list all tools; let it search for them; or (auto) the one that suits its limits",
    )
    for option, text in (
        ("--may-write-notes", "offer it the tools that write notes"),
        ("--may-choose-toolset", "offer it the tools that build, choose and delete toolsets"),
    ):
        change.add_argument(option, choices=("yes", "no"), help=text)
    revoke = clients.add("revoke", "clients:revoke", "revoke an assistant's own token")
    revoke.add_argument("name", metavar="NAME", type=argument_types.client, help=names)


def _add_publish(top: _Group) -> None:
    publish = top.add(
        "publish",
        "publish:publish",
        "write your notes on a toolset where assistants read them: as a skill, as rules, or as a plugin",
        more="The rest of a file stays as it is: Toolnote's part is between marks, and --remove takes it out again.\n"
        "  toolnote publish linear-work --skill ~/.claude/skills\n"
        "  toolnote publish linear-work --rules AGENTS.md --dry-run",
        data=True,
    )
    publish.add_argument("toolset", metavar="TOOLSET")
    carrier = publish.add_mutually_exclusive_group(required=True)
    for name, meta, words in (
        ("skill", "DIR", "folder of skills, in which the toolset gets a folder with SKILL.md"),
        ("rules", "FILE", "file of rules, such as CLAUDE.md, AGENTS.md, GEMINI.md, .cursor/rules/NAME.mdc"),
        ("plugin", "DIR", "folder of the plugin: plugin.json, mcp.json and the skill"),
    ):
        carrier.add_argument(f"--{name}", nargs="?", const=True, type=argument_types.path, metavar=meta, help=words)
    publish.add_argument(
        "--client",
        metavar="NAME",
        type=argument_types.client,
        help="assistant whose names the tools get, and whose usual place is meant where none is given (default: the "
        "one that reads that place)",
    )
    publish.add_argument("--dry-run", action="store_true", help="show the change, write nothing")
    publish.add_argument("--remove", action="store_true", help="take out what was published there")


def _add_review(top: _Group) -> None:
    review = top.group("review", "decide on tools, prompts and instructions that servers changed")
    review.add("list", "review:list", "list changed tools, prompts and instructions", data=True)
    show = review.add("show", "review:show", "show what changed, and the notes on the tool", data=True)
    show.add_argument("tool", metavar="TOOL", type=argument_types.tool, help=_TOOL_OR_TEXT)
    show.add_argument("--server", metavar="ID", help="server of the tool, if two servers share the name")
    for name, text in (
        ("accept", "serve the new definition or instructions"),
        ("keep", "go on serving the old ones; the tool itself works the new way"),
        ("follow", "move what you said under the earlier name of a renamed tool to its new one"),
        ("off", "turn the tool off in every toolset, or the prompt, or the server's own instructions"),
    ):
        parser = review.add(name, f"review:{name}", text)
        parser.add_argument("tools", metavar="TOOL", nargs="*", type=argument_types.tool, help=_TOOL_OR_TEXT)
        parser.add_argument("--server", metavar="ID", help="server of the tool, if two servers share the name")
        if name == "accept":
            newest = "all that changed, as `review list` printed it last, which names the FINGERPRINT"
            parser.add_argument("--all", metavar="FINGERPRINT", nargs="?", const="", help=newest)
    policy = review.add("policy", "review:policy", "show or set what happens to what a server changes", data=True)
    policy.add_argument("server", metavar="SERVER", type=argument_types.unicode, help="id of the server")
    policy.add_argument(
        "policy",
        nargs="?",
        choices=("accept", "show", "hold-meaning", "hold"),
        help="serve it at once; serve and flag it; hold it where its meaning changes; hold all (default: print it)",
    )
    text = "look for planted instructions; exit status 1 if there are findings"
    scan = top.add("scan", "scan:scan", text, data=True)
    help_text = "file with a tool's definition a line (JSON), or - for standard input; default: everything in use"
    scan.add_argument("file", metavar="FILE", nargs="?", type=argument_types.path, help=help_text)
    search = top.add("search", "guidance:search", "find tools by what they do, as search-tools does", data=True)
    search.add_argument("text", metavar="TEXT", type=argument_types.unicode, help="what it should do; empty names all")
    search.add_argument("--toolset", metavar="NAME", help="toolset to search (default: the shared one)")
    text = "show what each toolset's list costs each assistant, and the tools that no assistant calls"
    top.add("budget", "guidance:budget", text, data=True)
    search.add_argument("--limit", type=argument_types.position, default=5, metavar="N", help="most tools (default: 5)")


def _add_doctor(top: _Group) -> None:
    doctor = top.add("doctor", "doctor:doctor", "check everything; exit status 1 if there is a problem", data=True)
    doctor.add_argument(
        "--export",
        type=argument_types.path,
        metavar="FILE",
        help="write a report without secrets (.json: JSON, else Markdown)",
    )


def _add_activity(top: _Group) -> None:
    activity = top.add("activity", "activity:activity", "show recorded calls, newest first")
    activity.add_argument("--since", type=argument_types.age, metavar="AGE", help="as far back as 90m, 12h, 7d or 4w")
    activity.add_argument("--client", type=argument_types.unicode, metavar="NAME", help="calls of one client")
    activity.add_argument("--outcome", choices=("worked", "failed", "refused", "cancelled", "timed-out"))
    help_text = "calls whose error, client, server or tool contains TEXT"
    activity.add_argument("--text", type=argument_types.unicode, metavar="TEXT", default="", help=help_text)
    activity.add_argument("--limit", type=argument_types.position, metavar="N", help="at most N calls (default: 100)")
    effect = top.add(
        "effect",
        "activity:effect",
        "show what each note changed: failed calls before it was first read, and since",
        data=True,
        more="The intervals hold however often you look: docs/effect.md.",
    )
    for parser in (activity, effect):
        parser.add_argument("--tool", type=argument_types.tool, metavar="TOOL", help=_TOOL)
        parser.add_argument("--server", metavar="ID", help="server of the tool, if two servers share the name")
    audit = top.add("audit", "audit:audit", "show who called, decided and changed what, newest first")
    audit.add_argument("--since", type=argument_types.age, metavar="AGE", help="as far back as 90m, 12h, 7d or 4w")
    audit.add_argument("--kind", choices=_AUDIT_KINDS, metavar="KIND", help=", ".join(_AUDIT_KINDS))
    audit.add_argument("--limit", type=argument_types.position, metavar="N", help="at most N entries (default: 100)")
    for parser in (activity, audit):
        output = parser.add_mutually_exclusive_group()
        for name in ("json", "csv"):
            output.add_argument(f"--{name}", action="store_true", help=f"print {name.upper()}")


_AUDIT_KINDS = (
    *("call", "approval", "note", "review", "tool", "toolset", "assignment"),
    *("server", "client", "setting", "publication", "audit"),
)


_COMMAND_GROUPS: Mapping[tuple[str, ...], Callable[[_Group], None]] = {
    ("gui", "serve", "bridge", "tools", "instructions", "guide"): _add_programs,
    ("preferences", "dialect"): _add_guidance,
    ("servers",): _add_servers,
    ("toolset",): _add_toolsets,
    ("pack",): _add_pack,
    ("bench",): _add_bench,
    ("tool",): _add_tool,
    ("note",): _add_notes,
    ("secret",): _add_secrets,
    ("clients",): _add_clients,
    ("publish",): _add_publish,
    ("review", "scan", "search", "budget"): _add_review,
    ("doctor",): _add_doctor,
    ("activity", "effect", "audit"): _add_activity,
}
"""Functions that add the commands, in the order of the help."""

COMMANDS = tuple(name for names in _COMMAND_GROUPS for name in names)
"""Names of the commands."""
