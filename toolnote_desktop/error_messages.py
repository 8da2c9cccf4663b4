"""English messages of problem codes for logs, commands and responses to assistants.

The window has its own, translated texts in ``desktop/messages.py``.
"""

from __future__ import annotations

import os

from toolnote_desktop.model.problem import Code, Problem

TEXTS: dict[Code, str] = {
    Code.FILE_UNREADABLE: "{file} could not be read ({reason}); it was kept as {kept}",
    Code.FILE_NOT_WRITTEN: "{file} could not be written: {reason}",
    Code.FILE_ENTRY_INVALID: "{file}: {entry} was left out: {reason}",
    Code.FILE_DUPLICATE_KEY: '{file}: the key "{key}" occurs more than once; the last one counts',
    Code.EDIT_NO_LONGER_FITS: "this change no longer fits what is there: {what}",
    Code.TOOLSET_NAME_INVALID: '"{name}" is not a toolset name: use 2 to 50 of a-z, 0-9 and -',
    Code.TOOLSET_NOT_FOUND: 'there is no toolset "{name}"',
    Code.TOOLSET_EXISTS: 'there is a toolset "{name}" already',
    Code.TOOLSET_RENAMED: 'the toolset "{name}" is called "{renamed}" here',
    Code.NOTE_NAME_INVALID: '"{name}" is not a note name: use 1 to 50 of a-z, 0-9 and -',
    Code.NOTE_TEXT_BROKEN: 'the text of the note "{name}" contains characters that are not valid Unicode',
    Code.NOTE_TEXT_BLANK: 'the note "{name}" has no text: an assistant would read an empty bullet',
    Code.NOTE_TEXT_INVALID: 'the note "{name}" has {length} characters: 1 to 4,000 are possible',
    Code.NOTE_EXISTS: 'Annotation "{name}" already exists',
    Code.NOTE_NOT_FOUND: 'there is no note "{name}" on {tool}',
    Code.NOTE_WITHOUT_TOOL: 'the note "{name}" in toolset {toolset} belongs to {tool}, which is not there now',
    Code.PACK_LEFT_OUT: "{entry} was left out of the pack: it looks like it has a secret in it",
    Code.BENCH_ENDPOINT: "the model's endpoint: {reason}",
    Code.TOOL_NOT_FOUND: 'there is no tool "{tool}"',
    Code.TOOL_NOT_SEEN: 'no server has listed a tool "{tool}" yet; the name is kept and works as soon as one does',
    Code.TOOL_AMBIGUOUS: '"{tool}" is the name of more than one tool: add its server',
    Code.TOOL_NAME_SHARED: (
        'notes that hold everywhere know tools by name, and "{tool}" is the name of more than one: '
        "put the note into a toolset"
    ),
    Code.TOOL_NOT_IN_TOOLSET: '"{tool}" is not in the toolset "{toolset}"',
    Code.TOOL_MALFORMED: 'server "{server}": the tool {tool} is not served: {reason}',
    Code.ENTRY_MALFORMED: 'server "{server}": the {kind} {name} is not served: {reason}',
    Code.ENTRY_ODD: 'server "{server}": the {kind} {name} is not as it should be: {reason}',
    Code.TOOL_ODD: 'server "{server}": the tool {tool} is not as it should be: {reason}',
    Code.TOOL_DUPLICATE: 'server "{server}" lists the tool {tool} more than once; the first one is served',
    Code.TOOL_CHANGED: 'server "{server}" has changed its tool {tool} since you last looked',
    Code.PROMPT_CHANGED: 'server "{server}" has changed its prompt {name} since you last looked',
    Code.SAFE_MODE: 'server "{server}" does not run in safe mode',
    Code.INSTRUCTIONS_CHANGED: 'server "{server}" has changed its instructions since you last looked',
    Code.NO_TOOLSET: "no toolset is in use",
    Code.HINTS_ABSENT: "no hints: Claude Desktop puts the tool under Other tools, and most assistants ask each time",
    Code.HINTS_READ_ONLY: "read-only: Claude Desktop can allow it for good, and VS Code runs it without asking",
    Code.HINTS_CHANGING: "it changes things: assistants ask before they use it, unless you tell them not to",
    Code.HINTS_DESTRUCTIVE: "it may destroy things: assistants ask before they use it, some of them each time",
    Code.HINTS_CONTRADICT: "{tool} is marked read-only and destructive at once: only one can be true",
    Code.HINTS_LOOK_WRONG: '{tool} is marked read-only, but its name says "{word}"',
    Code.CONSENT_MISSING: "{tool} needs the user's explicit instruction, and this call did not carry it",
    Code.ARGUMENT_LOCKED: 'the argument "{argument}" of {tool} is fixed by the user and cannot be given another value',
    Code.ARGUMENT_NOT_ALLOWED: 'the user allows only {allowed} for the argument "{argument}" of {tool}, not {value}',
    Code.ARGUMENTS_UNREADABLE: "the arguments of {tool} must be an object",
    Code.ARGUMENT_NOT_FOUND: '{tool} has no argument "{argument}" (any more)',
    Code.MUTED_NOT_FOUND: 'the description of {tool} has no paragraph "{text}" (any more), so nothing of it is muted',
    Code.SETTING_INVALID: "{setting}: {reason}",
    Code.ALIAS_CHANGED: '{tool} is served as "{name}": "{alias}" is taken, too long, or not a name',
    Code.TASK_TYPE_UNKNOWN: 'there is no task type "{name}"; there are: {known}',
    Code.DIALECT_UNKNOWN: 'there is no dialect "{name}"; there are: {known}',
    Code.STARTER_INVALID: "{file} was left out: {reason}",
    Code.DIALECT_NAME_TOO_LONG: "{dialect}: the name {name} of {tool} is longer than {limit} characters",
    Code.DIALECT_NAME_CHARACTERS: "{dialect}: the name {name} of {tool} has letters that it does not take",
    Code.DIALECT_DESCRIPTION_CUT: "{dialect} cuts the description of {tool} ({length} characters) at {limit}",
    Code.DIALECT_NOTES_FIRST: "{dialect}: the notes of {tool} precede its description, so that they are not cut off",
    Code.DIALECT_SCHEMA_REFUSED: "{dialect} may refuse {tool}: its schema uses {keyword}",
    Code.DIALECT_SCHEMA_CHANGED: "{dialect}: the schema of {tool} was simplified: {change}",
    Code.DIALECT_MANY_TOOLS: "{dialect} warns above {limit} tools; there are {count}",
    Code.DIALECT_TOO_MANY_TOOLS: "{dialect} takes {limit} tools at most; there are {count}",
    Code.DIALECT_TOO_MANY_TOKENS: "{dialect} takes about {limit} tokens of definitions; there are about {count}",
    Code.PLACEHOLDER_EMPTY: 'the placeholder "{name}" has no value yet',
    Code.BUDGET_NEAR: "{what} takes about {tokens} tokens, near its budget of {limit}",
    Code.BUDGET_PASSED: "{what} takes about {tokens} tokens, more than its budget of {limit}",
    Code.SERVER_NOT_FOUND: 'there is no server "{server}"',
    Code.SERVER_EXISTS: 'there is a server "{server}" already',
    Code.SERVER_ENTRY_INVALID: 'server "{server}": {field}: {reason}',
    Code.SERVER_IS_TOOLNOTE: 'server "{server}" is Toolnote itself and cannot be one of its servers',
    Code.VALUE_MISSING: 'server "{server}": {field} needs a value for {variable}, and there is none',
    Code.PROGRAM_MISSING: 'server "{server}": the program {program} was not found on this computer{searched}',
    Code.PROGRAM_NOT_STARTED: 'server "{server}": {program} could not be started: {reason}',
    Code.FOLDER_MISSING: 'server "{server}": the folder {folder} is not there',
    Code.SERVER_EXITED: 'server "{server}" stopped by itself ({status}) {stderr}',
    Code.SERVER_SILENT: 'server "{server}" did not answer within {seconds} seconds',
    Code.SERVER_UNREACHABLE: 'server "{server}" cannot be reached: {reason}',
    Code.SERVER_SIGN_IN: 'server "{server}" wants you to sign in: in the window, or `toolnote servers sign-in`',
    Code.SERVER_PROTOCOL: 'server "{server}" violates the MCP protocol: {reason}',
    Code.SERVER_LINE_TOO_LONG: 'server "{server}" sent a line longer than {limit} MiB and was stopped',
    Code.SERVER_PAGES: 'server "{server}": {method} could not be read to its end: {reason}',
    Code.SERVER_NOT_READY: 'server "{server}" is not ready ({state})',
    Code.CALL_TIMED_OUT: 'server "{server}" did not answer the call of {tool} within {seconds} seconds',
    Code.CALL_INTERRUPTED: 'server "{server}" stopped during the call of {tool}; it is being started again',
    Code.CLIENT_LIMIT_REACHED: (
        "the call was not sent, because calls of this client that are not answered yet have reached "
        "the limit of {limit}"
    ),
    Code.SERVER_LIMIT_REACHED: (
        "the call was not sent, because calls that are not answered yet by "
        'server "{server}" have reached the limit of {limit}'
    ),
    Code.AUTHORIZATION_REFUSED: 'server "{server}" refuses the Authorization header that its entry has',
    Code.KEYCHAIN_ABSENT: 'server "{server}": {field}: there is no keychain that could hold the secret {name}',
    Code.KEYCHAIN_LOCKED: 'server "{server}": {field}: the keychain with the secret {name} is locked',
    Code.KEYCHAIN_SILENT: (
        'server "{server}": {field}: the keychain did not answer within {seconds} seconds about the secret {name}'
    ),
    Code.KEYCHAIN_FAILED: 'server "{server}": {field}: the keychain failed with the secret {name}: {reason}',
    Code.SECRET_NOT_FOUND: 'server "{server}" has no secret {name}',
    Code.SECRET_NAME_INVALID: "{name} cannot be a secret's name: use letters, digits, _, . and -, a letter or _ first",
    Code.SIGN_IN_NOT_OFFERED: 'server "{server}" offers no sign-in',
    Code.SIGN_IN_REFUSED: 'signing in to server "{server}" was refused: {reason}',
    Code.SIGN_IN_NEEDS_ID: (
        'server "{server}" lets no program register itself ({reason}): register Toolnote there with the redirect '
        'address {redirect}, and enter the id in its entry: "toolnote": {{"signIn": {{"clientId": …}}}}'
    ),
    Code.SIGN_IN_FAILED: 'signing in to server "{server}" failed: {reason}',
    Code.SIGN_IN_TIMED_OUT: 'the sign-in to server "{server}" was not completed within {minutes} minutes',
    Code.MORE_RIGHTS_WANTED: 'server "{server}" wants more rights than were granted ({scope}): sign in again',
    Code.PORT_TAKEN: "port {port} is taken by another program; Toolnote answers on port {other}",
    Code.PROXY_FAILED: "the part that serves your assistants has stopped: {reason}",
    Code.HOME_OWNED: "{home} is in use by another Toolnote ({owner}, process {pid})",
    Code.CLIENT_UNKNOWN: 'there is no client "{client}"; there are: {known}',
    Code.CLIENT_FILE_UNREADABLE: "{client}: {file} cannot be read and was left alone: {reason}",
    Code.CLIENT_FILE_CHANGED: "{client}: {file} has changed since the preview; check it again",
    Code.CLIENT_ENTRY_EDITED: "{client}: the Toolnote entry in {file} was edited elsewhere and was left unchanged",
    Code.CLIENT_NOT_INSTALLED: "{client} is not installed here",
    Code.CLIENT_FILE_AMBIGUOUS: "{client} has more than one file that may be in use; say which: {files}",
    Code.CLIENT_FILE_OLD: "{client}: {file} is of an older kind, which is not written to; bring it to the new one",
    Code.CLIENT_FILE_CHOSEN: "{client}: {file} is the file in use here; left alone: {others}",
    Code.CLIENT_ENTRY_REPLACED: '{client}: the earlier Toolnote entry "{entry}" is replaced',
    Code.CLIENT_ENTRY_RENAMED: '{client}: another server is called "{taken}" there, so Toolnote is called "{entry}"',
    Code.CLIENT_SERVER_OFF: '{client}: its own server "{server}" is switched off there, because Toolnote provides it',
    Code.CLIENT_SERVERS_TWICE: "{client}: it runs servers itself that Toolnote provides too: {servers}",
    Code.APP_TRANSLOCATED: "macOS runs Toolnote from a temporary place; move it to Applications and open it from there",
    Code.CARRIER_FILE_UNREADABLE: "{file} cannot be read and was left alone: {reason}",
    Code.CARRIER_FILE_CHANGED: "{file} has changed since the preview; nothing was written, try again",
    Code.CARRIER_FILE_FOREIGN: "{file} is not as Toolnote wrote it, so it was left alone; rename or remove it first",
    Code.CARRIER_MARKS_BROKEN: (
        "{file}: line {line}: Toolnote's marks are incomplete or there twice; nothing was changed, repair or remove "
        "them"
    ),
    Code.CARRIER_EDITED: "Toolnote's part of {file} was changed there; the earlier text is in Toolnote's backups",
    Code.CARRIER_NOTES_LEFT_OUT: "not in it: {count} of an assistant's notes that you have not kept",
    Code.CARRIER_SECRETS_LEFT_OUT: "a secret or an address in your notes was left out",
    Code.CLIENT_NEEDS_BRIDGE: "{client} does not connect to an address by itself; install it without one",
    Code.REGISTRY_UNREACHABLE: "the public list of servers does not answer: {reason}",
    Code.REGISTRY_ODD: "the public list of servers cannot be used now: {reason}",
    Code.IMPORT_WARNING: "{file}, line {line}: {reason}",
    Code.IMPORT_FILE_UNREADABLE: "{file} cannot be read: {reason}",
    Code.CLIENT_QUIT_AND_OPEN: "Quit {client} completely (closing its window is not enough) and open it again.",
    Code.CLIENT_SWITCH_ON: "Open the MCP page of {client}'s settings and see that toolnote is switched on.",
    Code.CLIENT_SWITCH_OFF_AND_ON: "On the MCP page of {client}'s settings, switch toolnote off and on again.",
    Code.CLIENT_START_SERVER: 'In {client}, run "MCP: List Servers", choose toolnote and start it.',
    Code.CLIENT_NEW_SESSION: "Start a new session in {client}.",
    Code.CLIENT_FOLLOWS: "{client} notices the change by itself.",
    Code.CLIENT_FOLLOWS_UNSEEN: (
        "{client} notices the change by itself, but tools that it has used keep their old notes in running "
        "conversations: /clear or a new session."
    ),
    Code.CLIENT_FOLLOWS_CACHED: (
        "{client} notices the change by itself; a new session may begin with the list of the last one."
    ),
    Code.CLIENT_SWITCH_OR_RESTART: (
        "On the MCP page of {client}'s settings, switch toolnote off and on again; start its command line again."
    ),
    Code.CLIENT_TRUST_FOLDER: (
        "Start a new session in {client}, in a folder that it trusts: elsewhere it leaves toolnote off."
    ),
}

_WITH_CANDIDATES = '"{tool}" is the name of more than one tool: write {candidates}'

ADVICE: dict[str, str] = {
    "starting": "It is still starting; try again in a moment.",
    "downloading": "It is still being downloaded; try again in a minute.",
    "reconnecting": "It is being connected again; try again in a moment.",
    "needs-program": "The program that it runs on is not installed; it starts by itself once it is.",
    "needs-value": "Open Toolnote and give it the value that it needs.",
    "needs-sign-in": "Open Toolnote and sign in to it.",
    "failed": "Open Toolnote to see its log, or restart it there.",
    "disabled": "It is switched off in Toolnote; switch it on there to use its tools.",
}
"""Advice to the user for a server that cannot be called, by its state."""


def advice_for(state: str) -> str:
    """Return the advice for a server in this state."""
    return ADVICE.get(state, "Try again in a moment.")


SIGN_IN_PAGES: dict[str, str] = {
    "done": "That is done. Go back to Toolnote; this page can be closed.",
    "refused": "You are not signed in: it was refused. Go back to Toolnote; this page can be closed.",
    "unknown": "This is not what Toolnote waits for. Begin anew in Toolnote.",
}
"""Pages that the browser shows after a sign-in."""


def english(problem: Problem) -> str:
    """Return the English message of a problem."""
    said = problem.code is Code.TOOL_AMBIGUOUS and "candidates" in problem.parameters
    template = _WITH_CANDIDATES if said else TEXTS[problem.code]
    parameters = _Parameters(problem.parameters)
    if problem.code is Code.PROGRAM_MISSING:  # assistants read it: which folders there are is not for them
        folders = len([one for one in problem.parameters.get("path", "").split(os.pathsep) if one])
        parameters["searched"] = f"; looked in {folders} folder{'s' if folders != 1 else ''}" if folders else ""
    text = template.format_map(parameters).strip()
    if withheld := problem.parameters.get("withheld"):
        text += f' (started without {withheld}; "toolnote": {{"inherit": [NAME, …]}} in its entry passes them on)'
    return " ".join(text.split())


class _Parameters(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "?"
