"""Translated texts for coded states and errors (``error_messages.py`` has the English for logs).

Two sentences at most: the problem and the remedy. No jargon: a server is called a tool source here.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale

from toolnote_desktop.model.calls.outcome import Outcome
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import SOURCE_TITLE_LIMIT, ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.notes import USER

translate = QCoreApplication.translate
"""``lupdate`` knows this name: ``translate(context, text, disambiguation, n)``."""


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Marks a text in a table for ``lupdate``, which knows this name; it is translated when it is used."""
    return text


_CONTEXT: Final = "messages"

PROBLEMS: Final[dict[Code, str]] = {
    Code.FILE_UNREADABLE: QT_TRANSLATE_NOOP(
        "messages", "Couldn’t read {file} ({reason}). Toolnote uses the newest good copy and kept the file as {kept}."
    ),
    Code.FILE_NOT_WRITTEN: QT_TRANSLATE_NOOP(
        "messages", "Your change is here, but {file} could not be written: {reason}. Make room or allow writing there."
    ),
    Code.FILE_ENTRY_INVALID: QT_TRANSLATE_NOOP("messages", "{file}: {entry} is left out, but kept: {reason}."),
    Code.FILE_DUPLICATE_KEY: QT_TRANSLATE_NOOP("messages", "{file}: “{key}” is there twice; the last one counts."),
    Code.EDIT_NO_LONGER_FITS: QT_TRANSLATE_NOOP("messages", "That no longer fits what is there now ({what})."),
    Code.TOOLSET_NAME_INVALID: QT_TRANSLATE_NOOP(
        "messages", "“{name}” cannot be a toolset’s short name: use 2 to 50 of a–z, 0–9 and -."
    ),
    Code.TOOLSET_NOT_FOUND: QT_TRANSLATE_NOOP("messages", "The toolset “{name}” is not there any more."),
    Code.TOOLSET_EXISTS: QT_TRANSLATE_NOOP("messages", "There is a toolset “{name}” already: choose another name."),
    Code.TOOLSET_RENAMED: QT_TRANSLATE_NOOP("messages", "The toolset “{name}” is called “{renamed}” here."),
    Code.NOTE_NAME_INVALID: QT_TRANSLATE_NOOP(
        "messages", "“{name}” cannot be a note’s name: use 1 to 50 of a–z, 0–9 and -."
    ),
    Code.NOTE_TEXT_INVALID: QT_TRANSLATE_NOOP(
        "messages", "A note has 1 to 4,000 characters; “{name}” has {length}. Make it shorter to have it saved."
    ),
    Code.NOTE_TEXT_BLANK: QT_TRANSLATE_NOOP("messages", "“{name}” has no text. Write some to have it saved."),
    Code.NOTE_TEXT_BROKEN: QT_TRANSLATE_NOOP(
        "messages", "The text of “{name}” holds broken characters. Write it anew to have it saved."
    ),
    Code.PACK_LEFT_OUT: QT_TRANSLATE_NOOP("messages", "{entry} is left out: it looks like it has a secret in it."),
    Code.BENCH_ENDPOINT: QT_TRANSLATE_NOOP("messages", "The model’s endpoint: {reason}."),
    Code.NOTE_EXISTS: QT_TRANSLATE_NOOP("messages", "There is a note “{name}” here already: choose another name."),
    Code.NOTE_NOT_FOUND: QT_TRANSLATE_NOOP("messages", "The note “{name}” is not there any more."),
    Code.NOTE_WITHOUT_TOOL: QT_TRANSLATE_NOOP(
        "messages", "The note “{name}” belongs to {tool}, which is not there now. It works again when the tool returns."
    ),
    Code.TOOL_NOT_FOUND: QT_TRANSLATE_NOOP("messages", "Tool not found: {tool}. It works again when it returns."),
    Code.TOOL_NOT_SEEN: QT_TRANSLATE_NOOP(
        "messages", "No tool source has offered “{tool}” yet. It works as soon as one does."
    ),
    Code.TOOL_AMBIGUOUS: QT_TRANSLATE_NOOP("messages", "More than one tool is called {tool}: add it again to choose."),
    Code.TOOL_NAME_SHARED: QT_TRANSLATE_NOOP(
        "messages",
        "More than one tool is called {tool}, and notes that hold everywhere know tools by name alone: put it into a "
        "toolset.",
    ),
    Code.TOOL_NOT_IN_TOOLSET: QT_TRANSLATE_NOOP("messages", "{tool} is not in the toolset “{toolset}”."),
    Code.TOOL_MALFORMED: QT_TRANSLATE_NOOP(
        "messages", "{server}: the tool {tool} cannot be offered, because {reason}. Tell its maker."
    ),
    Code.TOOL_ODD: QT_TRANSLATE_NOOP(
        "messages",
        "{server}: the tool {tool} is offered with a change ({reason}), so that assistants accept it. Tell its maker.",
    ),
    Code.ENTRY_MALFORMED: QT_TRANSLATE_NOOP(
        "messages", "{server}: the {kind} {name} cannot be offered, because {reason}. Tell its maker."
    ),
    Code.ENTRY_ODD: QT_TRANSLATE_NOOP(
        "messages",
        "{server}: the {kind} {name} is offered with a change ({reason}), so that assistants accept it. "
        "Tell its maker.",
    ),
    Code.TOOL_DUPLICATE: QT_TRANSLATE_NOOP("messages", "{server} offers the tool {tool} twice; the first is used."),
    Code.TOOL_CHANGED: QT_TRANSLATE_NOOP("messages", "{server} has changed this tool since you last looked at it."),
    Code.PROMPT_CHANGED: QT_TRANSLATE_NOOP(
        "messages", "{server} has changed its prompt {name} since you last looked at it."
    ),
    Code.SAFE_MODE: QT_TRANSLATE_NOOP("messages", "{server} doesn’t run, because Toolnote is in safe mode."),
    Code.INSTRUCTIONS_CHANGED: QT_TRANSLATE_NOOP(
        "messages", "{server} has changed its instructions since you last looked at them."
    ),
    Code.NO_TOOLSET: QT_TRANSLATE_NOOP(
        "messages", "There is no default toolset, so assistants get none of your tools."
    ),
    Code.HINTS_ABSENT: QT_TRANSLATE_NOOP(
        "messages",
        "It is not known what it does: Claude Desktop lists it under “Other tools”, and assistants ask each time.",
    ),
    Code.HINTS_READ_ONLY: QT_TRANSLATE_NOOP(
        "messages", "It only reads: Claude Desktop can allow it for good, and VS Code runs it without asking."
    ),
    Code.HINTS_CHANGING: QT_TRANSLATE_NOOP(
        "messages", "It changes things: Claude and others ask before they use it, unless you tell them not to."
    ),
    Code.HINTS_DESTRUCTIVE: QT_TRANSLATE_NOOP(
        "messages", "What it does cannot be undone: Claude and others ask before they use it, some of them each time."
    ),
    Code.HINTS_CONTRADICT: QT_TRANSLATE_NOOP(
        "messages", "{tool} is said to change nothing and to destroy things: only one can be true."
    ),
    Code.HINTS_LOOK_WRONG: QT_TRANSLATE_NOOP(
        "messages", "{tool} is said to change nothing, but its name says “{word}”."
    ),
    Code.CONSENT_MISSING: QT_TRANSLATE_NOOP(
        "messages", "{tool} is only used when you say so, and this call did not carry your word."
    ),
    Code.ARGUMENT_LOCKED: QT_TRANSLATE_NOOP(
        "messages", "You fixed “{argument}” of {tool}: an assistant wanted another value."
    ),
    Code.ARGUMENT_NOT_ALLOWED: QT_TRANSLATE_NOOP(
        "messages", "You allow only {allowed} for “{argument}” of {tool}: an assistant wanted another value."
    ),
    Code.ARGUMENTS_UNREADABLE: QT_TRANSLATE_NOOP("messages", "The call of {tool} could not be read."),
    Code.ARGUMENT_NOT_FOUND: QT_TRANSLATE_NOOP(
        "messages", "{tool} has no “{argument}” any more: what you set for it does nothing."
    ),
    Code.MUTED_NOT_FOUND: QT_TRANSLATE_NOOP(
        "messages", "A text that you muted has changed, so it is read again. It began: “{text}”"
    ),
    Code.SETTING_INVALID: QT_TRANSLATE_NOOP("messages", "{setting} can’t be set: {reason}"),
    Code.ALIAS_CHANGED: QT_TRANSLATE_NOOP(
        "messages", "{tool} is served as {name}: “{alias}” is taken, too long, or has letters that names cannot have."
    ),
    Code.TASK_TYPE_UNKNOWN: QT_TRANSLATE_NOOP("messages", "There is no task type “{name}”."),
    Code.DIALECT_UNKNOWN: QT_TRANSLATE_NOOP("messages", "There is no assistant type “{name}”."),
    Code.STARTER_INVALID: QT_TRANSLATE_NOOP("messages", "{file} cannot be used: {reason}."),
    Code.DIALECT_NAME_TOO_LONG: QT_TRANSLATE_NOOP(
        "messages", "{dialect} takes names of {limit} characters: {name} is too long. Give {tool} a shorter one."
    ),
    Code.DIALECT_NAME_CHARACTERS: QT_TRANSLATE_NOOP("messages", "{dialect} does not take the name {name} of {tool}."),
    Code.DIALECT_DESCRIPTION_CUT: QT_TRANSLATE_NOOP(
        "messages", "{dialect} cuts descriptions at {limit} characters: this one has {length}."
    ),
    Code.DIALECT_NOTES_FIRST: QT_TRANSLATE_NOOP(
        "messages", "For {dialect} the notes stand first, so that they are not cut."
    ),
    Code.DIALECT_SCHEMA_REFUSED: QT_TRANSLATE_NOOP(
        "messages", "{dialect} may refuse {tool}: its parameters use {keyword}."
    ),
    Code.DIALECT_SCHEMA_CHANGED: QT_TRANSLATE_NOOP(
        "messages", "Parameters of {tool} are simplified for {dialect}: {change}."
    ),
    Code.DIALECT_MANY_TOOLS: QT_TRANSLATE_NOOP(
        "messages", "{dialect} warns when there are more than {limit} tools: there are {count}."
    ),
    Code.DIALECT_TOO_MANY_TOOLS: QT_TRANSLATE_NOOP(
        "messages", "{dialect} takes {limit} tools at most: there are {count}."
    ),
    Code.DIALECT_TOO_MANY_TOKENS: QT_TRANSLATE_NOOP(
        "messages", "{dialect} takes about {limit} tokens of tools: these are about {count}."
    ),
    Code.PLACEHOLDER_EMPTY: QT_TRANSLATE_NOOP("messages", "Still to be filled in: {name}."),
    Code.BUDGET_NEAR: QT_TRANSLATE_NOOP("messages", "{what}: about {tokens} tokens, near the {limit} that you allow."),
    Code.BUDGET_PASSED: QT_TRANSLATE_NOOP(
        "messages", "{what}: about {tokens} tokens, more than the {limit} that you allow."
    ),
    Code.SERVER_NOT_FOUND: QT_TRANSLATE_NOOP("messages", "The tool source {server} is not there any more."),
    Code.SERVER_EXISTS: QT_TRANSLATE_NOOP("messages", "There is a tool source {server} already: choose another name."),
    Code.SERVER_ENTRY_INVALID: QT_TRANSLATE_NOOP("messages", "{server}: {field} cannot be used: {reason}."),
    Code.SERVER_IS_TOOLNOTE: QT_TRANSLATE_NOOP(
        "messages", "{server} is Toolnote itself, which cannot be one of its own tool sources."
    ),
    Code.VALUE_MISSING: QT_TRANSLATE_NOOP("messages", "{server} needs a value for {variable}. Edit it to give one."),
    Code.PROGRAM_MISSING: QT_TRANSLATE_NOOP(
        "messages", "{server} needs the program {program}, which is not installed. Install it, then start again."
    ),
    Code.PROGRAM_NOT_STARTED: QT_TRANSLATE_NOOP("messages", "{program} could not be started: {reason}."),
    Code.FOLDER_MISSING: QT_TRANSLATE_NOOP("messages", "The folder {folder} is not there. Edit {server} to change it."),
    Code.SERVER_EXITED: QT_TRANSLATE_NOOP(
        "messages", "{server} stopped by itself ({status}). Its last words may say why: {stderr}"
    ),
    Code.SERVER_SILENT: QT_TRANSLATE_NOOP("messages", "{server} gave no answer in {seconds} seconds. Start it again."),
    Code.SERVER_UNREACHABLE: QT_TRANSLATE_NOOP(
        "messages", "{server} cannot be reached: {reason}. Toolnote keeps trying; check the connection."
    ),
    Code.SERVER_SIGN_IN: QT_TRANSLATE_NOOP("messages", "{server} wants you to sign in before it shows its tools."),
    Code.SERVER_PROTOCOL: QT_TRANSLATE_NOOP("messages", "{server} does not answer as a tool source should: {reason}."),
    Code.SERVER_LINE_TOO_LONG: QT_TRANSLATE_NOOP(
        "messages", "{server} sent more than {limit} MiB at once and was stopped. Start it again."
    ),
    Code.SERVER_PAGES: QT_TRANSLATE_NOOP("messages", "Not everything that {server} offers could be read: {reason}."),
    Code.SERVER_NOT_READY: QT_TRANSLATE_NOOP("messages", "{server} is not ready yet."),
    Code.CALL_TIMED_OUT: QT_TRANSLATE_NOOP("messages", "{server} gave {tool} no answer in {seconds} seconds."),
    Code.CLIENT_LIMIT_REACHED: QT_TRANSLATE_NOOP(
        "messages",
        "The call was not sent: calls of this assistant without an answer have reached the limit of {limit}.",
    ),
    Code.SERVER_LIMIT_REACHED: QT_TRANSLATE_NOOP(
        "messages", "The call was not sent: calls without an answer from {server} have reached the limit of {limit}."
    ),
    Code.CALL_INTERRUPTED: QT_TRANSLATE_NOOP(
        "messages", "{server} stopped while {tool} ran. It is being started again."
    ),
    Code.AUTHORIZATION_REFUSED: QT_TRANSLATE_NOOP(
        "messages", "{server} refuses the Authorization header that you gave. Change it, or take it out to sign in."
    ),
    Code.KEYCHAIN_ABSENT: QT_TRANSLATE_NOOP(
        "messages", "{server} is missing {name}. This computer has no keychain, so enter it again."
    ),
    Code.KEYCHAIN_LOCKED: QT_TRANSLATE_NOOP("messages", "Your keychain is locked. {server} needs {name} from it."),
    Code.KEYCHAIN_SILENT: QT_TRANSLATE_NOOP(
        "messages",
        "Your keychain doesn’t answer. It may be waiting for you to unlock it. {server} needs {name} from it.",
    ),
    Code.KEYCHAIN_FAILED: QT_TRANSLATE_NOOP(
        "messages", "Couldn’t read {name} of {server} from your keychain: {reason}."
    ),
    Code.SECRET_NOT_FOUND: QT_TRANSLATE_NOOP("messages", "{server} has no secret {name}."),
    Code.SECRET_NAME_INVALID: QT_TRANSLATE_NOOP(
        "messages", "“{name}” cannot be a secret’s name: use letters, digits, _, . and -, with a letter first."
    ),
    Code.SIGN_IN_NOT_OFFERED: QT_TRANSLATE_NOOP(
        "messages", "{server} has no place where one could sign in. It may want a token in its headers: edit it."
    ),
    Code.SIGN_IN_REFUSED: QT_TRANSLATE_NOOP("messages", "Signing in to {server} was refused: {reason}."),
    Code.SIGN_IN_NEEDS_ID: QT_TRANSLATE_NOOP(
        "messages",
        "{server} signs in only programs that are registered there. Register Toolnote with the redirect address "
        "{redirect}, then enter the ID that you get under Edit.",
    ),
    Code.SIGN_IN_FAILED: QT_TRANSLATE_NOOP("messages", "Signing in to {server} did not work: {reason}."),
    Code.SIGN_IN_TIMED_OUT: QT_TRANSLATE_NOOP(
        "messages", "You did not sign in to {server} within {minutes} minutes. Try again."
    ),
    Code.MORE_RIGHTS_WANTED: QT_TRANSLATE_NOOP(
        "messages", "{server} wants more than you allowed for one of its tools. Sign in once more to allow it."
    ),
    Code.PORT_TAKEN: QT_TRANSLATE_NOOP(
        "messages", "Another program has taken port {port}, so Toolnote answers on {other}. Assistants still find it."
    ),
    Code.HOME_OWNED: QT_TRANSLATE_NOOP("messages", "Another Toolnote is using {home} (process {pid})."),
    Code.CLIENT_UNKNOWN: QT_TRANSLATE_NOOP("messages", "There is no assistant “{client}”."),
    Code.CLIENT_FILE_UNREADABLE: QT_TRANSLATE_NOOP(
        "messages", "{client}’s file {file} cannot be read and was left alone: {reason}."
    ),
    Code.CLIENT_FILE_CHANGED: QT_TRANSLATE_NOOP(
        "messages", "{client}’s file {file} has changed since you looked. Look at the change again."
    ),
    Code.CLIENT_ENTRY_EDITED: QT_TRANSLATE_NOOP(
        "messages", "Toolnote’s entry in {client}’s file {file} was changed outside Toolnote; it was left alone."
    ),
    Code.CLIENT_NOT_INSTALLED: QT_TRANSLATE_NOOP("messages", "{client} is not on this computer."),
    Code.PROXY_FAILED: QT_TRANSLATE_NOOP(
        "messages", "The part of Toolnote that serves your assistants has stopped: {reason}. Quit and open it again."
    ),
    Code.CLIENT_FILE_AMBIGUOUS: QT_TRANSLATE_NOOP(
        "messages", "{client} has several settings files. Choose one: {files}"
    ),
    Code.CLIENT_FILE_OLD: QT_TRANSLATE_NOOP(
        "messages", "{client} keeps its settings in an older file, {file}, which Toolnote does not change."
    ),
    Code.CLIENT_FILE_CHOSEN: QT_TRANSLATE_NOOP(
        "messages", "{client} uses the file {file} here. It also has {others}, which are left alone."
    ),
    Code.CLIENT_ENTRY_REPLACED: QT_TRANSLATE_NOOP("messages", "The earlier Toolnote entry “{entry}” makes room."),
    Code.CLIENT_SERVER_OFF: QT_TRANSLATE_NOOP(
        "messages", "Its own copy of {server} is turned off there, because it comes through Toolnote now."
    ),
    Code.CLIENT_SERVERS_TWICE: QT_TRANSLATE_NOOP(
        "messages", "{client} runs these itself, and gets them from Toolnote too: {servers}"
    ),
    Code.APP_TRANSLOCATED: QT_TRANSLATE_NOOP(
        "messages", "macOS runs Toolnote from a temporary place. Move it to Applications and open it from there."
    ),
    Code.CARRIER_FILE_UNREADABLE: QT_TRANSLATE_NOOP("messages", "{file} cannot be read and was left alone: {reason}"),
    Code.CARRIER_FILE_CHANGED: QT_TRANSLATE_NOOP(
        "messages", "{file} has changed since the preview. Nothing was written; try again."
    ),
    Code.CARRIER_FILE_FOREIGN: QT_TRANSLATE_NOOP(
        "messages", "{file} is not as Toolnote wrote it, so it was left alone. Rename or remove it first."
    ),
    Code.CARRIER_MARKS_BROKEN: QT_TRANSLATE_NOOP(
        "messages",
        "Toolnote’s marks in {file} are incomplete or there twice (line {line}). Nothing was changed: repair or remove "
        "them.",
    ),
    Code.CARRIER_EDITED: QT_TRANSLATE_NOOP(
        "messages", "Toolnote’s part of {file} was changed there. The earlier text is in Toolnote’s backups."
    ),
    Code.CARRIER_NOTES_LEFT_OUT: QT_TRANSLATE_NOOP(
        "messages", "Not in it: {count} of an assistant’s notes that you have not kept."
    ),
    Code.CARRIER_SECRETS_LEFT_OUT: QT_TRANSLATE_NOOP("messages", "A secret or an address in your notes was left out."),
    Code.CLIENT_NEEDS_BRIDGE: QT_TRANSLATE_NOOP("messages", "{client} cannot be given an address."),
    Code.CLIENT_ENTRY_RENAMED: QT_TRANSLATE_NOOP(
        "messages", "Something else is called “{taken}” there, so Toolnote’s entry is called “{entry}”."
    ),
    Code.IMPORT_FILE_UNREADABLE: QT_TRANSLATE_NOOP("messages", "{file} cannot be read: {reason}."),
    Code.CLIENT_QUIT_AND_OPEN: QT_TRANSLATE_NOOP(
        "messages", "Quit {client} completely (closing its window is not enough) and open it again."
    ),
    Code.CLIENT_SWITCH_ON: QT_TRANSLATE_NOOP(
        "messages", "Open the MCP page of {client}’s settings and check that toolnote is turned on."
    ),
    Code.CLIENT_SWITCH_OFF_AND_ON: QT_TRANSLATE_NOOP(
        "messages", "On the MCP page of {client}’s settings, switch toolnote off and on again."
    ),
    Code.CLIENT_START_SERVER: QT_TRANSLATE_NOOP(
        "messages", "In {client}, run the command “MCP: List Servers”, choose toolnote and start it."
    ),
    Code.CLIENT_NEW_SESSION: QT_TRANSLATE_NOOP("messages", "Start a new session in {client}."),
    Code.CLIENT_FOLLOWS: QT_TRANSLATE_NOOP("messages", "{client} notices changes by itself."),
    Code.CLIENT_FOLLOWS_UNSEEN: QT_TRANSLATE_NOOP(
        "messages",
        "{client} notices changes by itself, but tools that it has used keep their old notes in running "
        "conversations: type /clear there or start a new one.",
    ),
    Code.CLIENT_FOLLOWS_CACHED: QT_TRANSLATE_NOOP(
        "messages", "{client} notices changes by itself; a new session may begin with the tools of the last one."
    ),
    Code.CLIENT_SWITCH_OR_RESTART: QT_TRANSLATE_NOOP(
        "messages",
        "On the MCP page of {client}’s settings, switch toolnote off and on again; start its command line again.",
    ),
    Code.CLIENT_TRUST_FOLDER: QT_TRANSLATE_NOOP(
        "messages", "Start a new session in {client}, in a folder that it trusts: elsewhere it leaves Toolnote off."
    ),
    Code.REGISTRY_UNREACHABLE: QT_TRANSLATE_NOOP(
        "messages", "The public list of tool sources does not answer: {reason}."
    ),
    Code.REGISTRY_ODD: QT_TRANSLATE_NOOP("messages", "The public list of tool sources cannot be used now: {reason}."),
    Code.IMPORT_WARNING: QT_TRANSLATE_NOOP("messages", "{file}, line {line}: {reason}"),
}

_STATE_WORDS: Final[dict[ServerState, str]] = {
    ServerState.STARTING: QT_TRANSLATE_NOOP("messages", "starting"),
    ServerState.DOWNLOADING: QT_TRANSLATE_NOOP("messages", "downloading"),
    ServerState.READY: QT_TRANSLATE_NOOP("messages", "ready"),
    ServerState.RECONNECTING: QT_TRANSLATE_NOOP("messages", "reconnecting"),
    ServerState.NEEDS_PROGRAM: QT_TRANSLATE_NOOP("messages", "needs a program"),
    ServerState.NEEDS_VALUE: QT_TRANSLATE_NOOP("messages", "needs a value"),
    ServerState.NEEDS_SIGN_IN: QT_TRANSLATE_NOOP("messages", "sign in"),
    ServerState.FAILED: QT_TRANSLATE_NOOP("messages", "failed"),
    ServerState.DISABLED: QT_TRANSLATE_NOOP("messages", "off"),
}


FINDINGS: Final[dict[str, str]] = {
    "hidden-characters": QT_TRANSLATE_NOOP("messages", "It has characters that you don’t see and assistants read."),
    "hidden-markup": QT_TRANSLATE_NOOP("messages", "It has markup that you don’t see and assistants read."),
    "encoded-text": QT_TRANSLATE_NOOP("messages", "It has encoded words that assistants can read."),
    "role-marks": QT_TRANSLATE_NOOP("messages", "It poses as instructions of the system or the user."),
    "hide-from-user": QT_TRANSLATE_NOOP("messages", "It tells assistants to hide something from you."),
    "read-secrets": QT_TRANSLATE_NOOP("messages", "It tells assistants to read keys, passwords or files with them."),
    "other-tools": QT_TRANSLATE_NOOP("messages", "It tells assistants how to use tools of other sources."),
    "send-elsewhere": QT_TRANSLATE_NOOP("messages", "It tells assistants to send data elsewhere."),
    "asks-for-conversation": QT_TRANSLATE_NOOP("messages", "It asks assistants for your conversation."),
    "skip-consent": QT_TRANSLATE_NOOP("messages", "It tells assistants to act without asking you."),
    "look-alike-name": QT_TRANSLATE_NOOP("messages", "Its name looks like that of a tool of another source."),
    "imitates-notes": QT_TRANSLATE_NOOP("messages", "It imitates the section with your notes."),
    "long-text": QT_TRANSLATE_NOOP("messages", "It is too long to be checked whole."),
}
"""Findings of the scanner, by kind."""


def finding_text(kind: str, field: str, excerpt: str) -> str:
    """Return a finding for the user: the reason, the place in the definition, the words."""
    said = f"{translate(_CONTEXT, FINDINGS[kind])} {field}".strip()
    return f"{said}{':' if field else ''} “{excerpt}”" if excerpt else said


def problem_text(problem: Problem) -> str:
    """Return one or two sentences for the user: the problem and what to do about it."""
    text = translate(_CONTEXT, PROBLEMS[problem.code])
    parameters = _Parameters(problem.parameters)
    if "server" in parameters:
        parameters["server"] = source_name(parameters["server"])
    return text.format_map(parameters).strip().rstrip(":")


def error_text(error: Exception) -> str:
    """Return what an exception means, in the window's language if it is one of ours."""
    return problem_text(error.problem) if isinstance(error, ToolnoteError) else str(error)


def state_word(state: ServerState) -> str:
    """Return a tool source's state in a word or two, for the library."""
    return translate(_CONTEXT, _STATE_WORDS[state])


def count_notes(count: int) -> str:
    """``1 note``, ``3 notes``."""
    return translate("messages", "1 note") if count == 1 else translate("messages", "%n notes", None, count)


def count_tools(count: int) -> str:
    """``1 tool``, ``3 tools``."""
    return translate("messages", "1 tool") if count == 1 else translate("messages", "%n tools", None, count)


def joined(names: list[str] | tuple[str, ...]) -> str:
    """``A``, ``A and B``, ``A, B and C``."""
    if len(names) < 2:
        return "".join(names)
    start = translate("messages", ", ").join(names[:-1])
    return translate("messages", "{first} and {last}").format(first=start, last=names[-1])


def number(value: int) -> str:
    """Format a whole number for the user's locale."""
    return QLocale().toString(value)


def decimal(value: float, places: int = 1, *, sign: bool = False) -> str:
    """Format a number with decimal places for the user's locale; ``sign``: a plus before a positive one."""
    text = QLocale().toString(value, "f", places)
    return f"+{text}" if sign and value >= 0 else text


def seconds(value: float) -> str:
    """Format a duration for the user's locale: a tenth of a second, below it a hundredth."""
    return QLocale().toString(value, "f", 1) if value >= 0.1 else QLocale().toString(max(value, 0.01), "f", 2)


_source_names: dict[str, str] = {}


def name_sources(snapshot: Snapshot) -> None:
    """Use the titles that the user gave tool sources from now on. From any thread."""
    global _source_names  # noqa: PLW0603 - replaced whole, so that each reader sees one state
    titles = {server: " ".join(one.toolnote.title.split()) for server, one in snapshot.servers.items()}
    _source_names = {server: title[:SOURCE_TITLE_LIMIT] for server, title in titles.items() if title}


def source_name(server: str) -> str:
    """Return the title that the user gave a tool source, else its id."""
    return _source_names.get(server, server)


def author_name(snapshot: Snapshot, author: str) -> str:
    """Return the author for display: empty for the user, else the assistant's known name."""
    return "" if author == USER else client_name(snapshot, author)


def client_name(snapshot: Snapshot, client: str) -> str:
    """Return an assistant's name for display, by the id of its client."""
    known = snapshot.clients.get(client)
    return known.name if known is not None and known.name else client.replace("-", " ").title()


def how_long_ago(moment: str | None, now: datetime | None = None) -> str:
    """``just now``, ``5 minutes ago``, ``yesterday``, ``3 days ago``, else the date; nothing for no time."""
    try:
        then = datetime.fromisoformat(moment or "")
    except ValueError:
        return ""
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    minutes = int(((now or datetime.now(UTC)) - then).total_seconds() // 60)
    if minutes < 2:
        return translate("messages", "now")
    if minutes < 60:
        return translate("messages", "%n minutes ago", None, minutes)
    if minutes < 120:
        return translate("messages", "an hour ago")
    if minutes < 24 * 60:
        return translate("messages", "%n hours ago", None, minutes // 60)
    days = minutes // (24 * 60)
    if days == 1:
        return translate("messages", "yesterday")
    if days < 14:
        return translate("messages", "%n days ago", None, days)
    date = QDateTime.fromSecsSinceEpoch(int(then.timestamp())).date()
    return QLocale().toString(date, QLocale.FormatType.ShortFormat)


def moment(time: float, now: datetime | None = None) -> str:
    """Return the time of a call, in seconds since the epoch: ``10:31`` today, ``Yesterday``, else the day."""
    now = now or datetime.now(UTC)
    then = QDateTime.fromSecsSinceEpoch(int(time))
    days = then.date().daysTo(QDateTime.fromSecsSinceEpoch(int(now.timestamp())).date())
    if days == 0:
        return QLocale().toString(then.time(), QLocale.FormatType.ShortFormat)
    return translate("messages", "Yesterday") if days == 1 else day(then.date(), short=True)


def outcome_word(outcome: Outcome) -> str:
    """Return the word for an outcome."""
    match outcome:
        case Outcome.WORKED:
            return translate("activity", "Worked")
        case Outcome.REFUSED:
            return translate("activity", "Not allowed")
        case Outcome.CANCELLED:
            return translate("activity", "Canceled")
        case Outcome.FAILED | Outcome.TIMED_OUT:
            return translate("activity", "Failed")


def day_of(moment: str | None) -> str:
    """Return the day of a time in ISO 8601; nothing for no time."""
    try:
        then = datetime.fromisoformat(moment or "")
    except ValueError:
        return ""
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return day(QDateTime.fromSecsSinceEpoch(int(then.timestamp())).date())


def day(date: QDate, *, short: bool = False) -> str:
    """Format a day of this year without the year, such as ``12 January``; ``short`` for ``12 Jan``."""
    if date.year() != QDate.currentDate().year():
        return QLocale().toString(date, QLocale.FormatType.ShortFormat)
    if short:
        return QLocale().toString(date, translate("messages", "d MMM", "how a day is written: Qt's format"))
    return QLocale().toString(date, translate("messages", "d MMMM", "how a day is written: Qt's format"))


class _Parameters(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "?"
