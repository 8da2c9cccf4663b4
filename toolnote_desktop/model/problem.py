"""Errors and states as values: a code and its parameters, never a finished sentence (docs/architecture.md).

``error_messages.py`` has the English text for logs and commands; the window has its own, translated.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field


class Code(StrEnum):
    """What can be wrong. The comment behind each names its parameters."""

    # documents
    FILE_UNREADABLE = "file-unreadable"  # file, reason, kept (where the bad file was put), backup ("" = none)
    FILE_NOT_WRITTEN = "file-not-written"  # file, reason
    FILE_ENTRY_INVALID = "file-entry-invalid"  # file, entry, reason
    FILE_DUPLICATE_KEY = "file-duplicate-key"  # file, key
    EDIT_NO_LONGER_FITS = "edit-no-longer-fits"  # what; because (code of the misfit with a changed file)
    # toolsets and notes
    TOOLSET_NAME_INVALID = "toolset-name-invalid"  # name
    TOOLSET_NOT_FOUND = "toolset-not-found"  # name
    TOOLSET_EXISTS = "toolset-exists"  # name
    TOOLSET_RENAMED = "toolset-renamed"  # name (as it was), renamed: on import; a note
    NOTE_NAME_INVALID = "note-name-invalid"  # name
    NOTE_TEXT_INVALID = "note-text-invalid"  # name, length
    NOTE_TEXT_BROKEN = "note-text-broken"  # name
    NOTE_EXISTS = "note-exists"  # name
    NOTE_NOT_FOUND = "note-not-found"  # name, tool
    NOTE_WITHOUT_TOOL = "note-without-tool"  # toolset, tool, name
    TOOL_NOT_FOUND = "tool-not-found"  # tool
    TOOL_NOT_SEEN = "tool-not-seen"  # tool: its name is kept, and it works as soon as its server lists it; a note
    TOOL_AMBIGUOUS = "tool-ambiguous"  # tool; candidates (what can be written instead), where somebody writes
    TOOL_NAME_SHARED = "tool-name-shared"  # tool
    TOOL_NOT_IN_TOOLSET = "tool-not-in-toolset"  # tool, toolset
    TOOL_MALFORMED = "tool-malformed"  # server, tool, reason
    TOOL_ODD = "tool-odd"  # server, tool, reason: served, but strict clients may refuse it
    TOOL_DUPLICATE = "tool-duplicate"  # server, tool
    TOOL_CHANGED = "tool-changed"  # server, tool
    NO_TOOLSET = "no-toolset"
    # hints, consent and shaping
    HINTS_ABSENT = "hints-absent"  # neither the server nor the user said anything: an effect, not a fault
    HINTS_READ_ONLY = "hints-read-only"  # what this does to approval dialogs: an effect, not a fault
    HINTS_CHANGING = "hints-changing"  # likewise
    HINTS_DESTRUCTIVE = "hints-destructive"  # likewise
    HINTS_CONTRADICT = "hints-contradict"  # tool: read-only and destructive at once
    HINTS_LOOK_WRONG = "hints-look-wrong"  # tool, word (of its name that says it changes something)
    CONSENT_MISSING = "consent-missing"  # tool, argument, literal, reason
    ARGUMENT_LOCKED = "argument-locked"  # tool, argument
    ARGUMENTS_UNREADABLE = "arguments-unreadable"  # tool
    ARGUMENT_NOT_FOUND = "argument-not-found"  # tool, argument: the schema has no such one
    ALIAS_CHANGED = "alias-changed"  # tool, alias (as it was given), name (as it is served)
    # the guide, dialects, templates, budgets
    TASK_TYPE_UNKNOWN = "task-type-unknown"  # name, known
    DIALECT_UNKNOWN = "dialect-unknown"  # name, known
    STARTER_INVALID = "starter-invalid"  # file, reason: a dialect, task type or note template file
    DIALECT_NAME_TOO_LONG = "dialect-name-too-long"  # dialect, tool, name (final), limit
    DIALECT_NAME_CHARACTERS = "dialect-name-characters"  # dialect, tool, name (final)
    DIALECT_DESCRIPTION_CUT = "dialect-description-cut"  # dialect, tool, length, limit
    DIALECT_NOTES_FIRST = "dialect-notes-first"  # dialect, tool: its notes stand first so that they are not cut
    DIALECT_SCHEMA_REFUSED = "dialect-schema-refused"  # dialect, tool, keyword
    DIALECT_SCHEMA_CHANGED = "dialect-schema-changed"  # dialect, tool, change
    DIALECT_OUTPUT_REFUSED = "dialect-output-refused"  # dialect, tool
    DIALECT_MANY_TOOLS = "dialect-many-tools"  # dialect, count, limit: a warning
    DIALECT_TOO_MANY_TOOLS = "dialect-too-many-tools"  # dialect, count, limit
    DIALECT_TOO_MANY_TOKENS = "dialect-too-many-tokens"  # dialect, count, limit
    PLACEHOLDER_EMPTY = "placeholder-empty"  # name
    BUDGET_NEAR = "budget-near"  # what, tokens, limit
    BUDGET_PASSED = "budget-passed"  # what, tokens, limit
    # servers
    SERVER_NOT_FOUND = "server-not-found"  # server
    SERVER_EXISTS = "server-exists"  # server
    SERVER_ENTRY_INVALID = "server-entry-invalid"  # server, field, reason
    SERVER_IS_TOOLNOTE = "server-is-toolnote"  # server
    VALUE_MISSING = "value-missing"  # server, field, variable
    AUTHORIZATION_REFUSED = "authorization-refused"  # server: the header that the entry itself gives is refused
    PROGRAM_MISSING = "program-missing"  # server, program, path (the PATH searched)
    PROGRAM_NOT_STARTED = "program-not-started"  # server, program, reason
    FOLDER_MISSING = "folder-missing"  # server, folder
    SERVER_EXITED = "server-exited"  # server, status (exit status, or a signal's name), stderr (last line, redacted)
    SERVER_SILENT = "server-silent"  # server, seconds
    SERVER_UNREACHABLE = "server-unreachable"  # server, reason
    SERVER_SIGN_IN = "server-sign-in"  # server
    SERVER_PROTOCOL = "server-protocol"  # server, reason
    SERVER_LINE_TOO_LONG = "server-line-too-long"  # server, limit (MiB)
    SERVER_PAGES = "server-pages"  # server, method, reason: a list could not be read to its end
    SERVER_NOT_READY = "server-not-ready"  # server, state
    CALL_TIMED_OUT = "call-timed-out"  # server, tool, seconds
    CALL_INTERRUPTED = "call-interrupted"  # server, tool
    # secrets
    KEYCHAIN_ABSENT = "keychain-absent"  # server, name, field
    KEYCHAIN_LOCKED = "keychain-locked"  # server, name, field
    KEYCHAIN_SILENT = "keychain-silent"  # server, name, field, seconds
    KEYCHAIN_FAILED = "keychain-failed"  # server, name, field, reason
    SECRET_NOT_FOUND = "secret-not-found"  # server, name
    SECRET_NAME_INVALID = "secret-name-invalid"  # name
    # signing in to a server
    SIGN_IN_NOT_OFFERED = "sign-in-not-offered"  # server: it has no way to sign in
    SIGN_IN_REFUSED = "sign-in-refused"  # server, reason: whoever signed in, or the server they did it at, said no
    SIGN_IN_FAILED = "sign-in-failed"  # server, reason
    SIGN_IN_TIMED_OUT = "sign-in-timed-out"  # server, minutes
    MORE_RIGHTS_WANTED = "more-rights-wanted"  # server, scope: what was granted is too little for a call
    # endpoint
    PORT_TAKEN = "port-taken"  # port, other
    PROXY_FAILED = "proxy-failed"  # reason
    HOME_OWNED = "home-owned"  # home, owner ("window" or "serve"), pid
    # other programs' files
    CLIENT_UNKNOWN = "client-unknown"  # client, known
    CLIENT_FILE_UNREADABLE = "client-file-unreadable"  # client, file, reason
    CLIENT_FILE_CHANGED = "client-file-changed"  # client, file
    CLIENT_ENTRY_EDITED = "client-entry-edited"  # client, file
    CLIENT_NOT_INSTALLED = "client-not-installed"  # client
    CLIENT_FILE_AMBIGUOUS = "client-file-ambiguous"  # client, files: a person must say which one is in use
    CLIENT_FILE_OLD = "client-file-old"  # client, file: in an older shape of the client's
    CLIENT_FILE_CHOSEN = "client-file-chosen"  # client, file, others: a note, not a fault
    CLIENT_ENTRY_REPLACED = "client-entry-replaced"  # client, entry: an earlier Toolnote entry makes room; a note
    CLIENT_ENTRY_RENAMED = "client-entry-renamed"  # client, entry, taken: our usual name was taken; a note
    CLIENT_SERVER_OFF = "client-server-off"  # client, server: off there while Toolnote is in it; a note
    CLIENT_SERVERS_TWICE = "client-servers-twice"  # client, servers: there and in Toolnote too; a note
    APP_TRANSLOCATED = "app-translocated"  # macOS runs it from a place that changes with each start
    CLIENT_NEEDS_BRIDGE = "client-needs-bridge"  # client: it takes no address with a token
    REGISTRY_UNREACHABLE = "registry-unreachable"  # reason: the public list of servers does not answer
    REGISTRY_ODD = "registry-odd"  # reason: its answer cannot be used
    IMPORT_WARNING = "import-warning"  # file, line, reason
    IMPORT_FILE_UNREADABLE = "import-file-unreadable"  # file, reason
    # what a person must do in a client after a change there
    CLIENT_QUIT_AND_OPEN = "client-quit-and-open"  # client
    CLIENT_SWITCH_ON = "client-switch-on"  # client
    CLIENT_SWITCH_OFF_AND_ON = "client-switch-off-and-on"  # client
    CLIENT_START_SERVER = "client-start-server"  # client
    CLIENT_NEW_SESSION = "client-new-session"  # client
    CLIENT_FOLLOWS = "client-follows"  # client: nothing to do


class Problem(Struct, frozen=True):
    """One thing that is wrong: ``code`` with the parameters that ``Code`` names for it."""

    code: Code
    parameters: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.code, tuple(sorted(self.parameters.items()))))


class ToolnoteError(Exception):
    """An error a person can act on. Its text is the code and parameters; people get ``wording.english(problem)``."""

    def __init__(self, code: Code, /, **parameters: str) -> None:
        super().__init__(f"{code} {parameters}" if parameters else str(code))
        self.problem = Problem(code, parameters)
