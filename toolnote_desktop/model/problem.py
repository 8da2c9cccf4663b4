"""Errors and states as values: a code and its parameters instead of a sentence (docs/architecture.md).

``error_messages.py`` has the English text for logs and commands; the window has its own, translated.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct, field

UNEXPECTED: Final = "an unexpected error, which the log describes"
"""Reason where there is only an exception: its name says nothing to the user."""


class Code(StrEnum):
    """Codes of problems. The comment behind each lists its parameters."""

    # documents
    FILE_UNREADABLE = "file-unreadable"  # file, reason, kept (path of the set-aside file), backup ("" = none)
    FILE_NOT_WRITTEN = "file-not-written"  # file, reason
    FILE_ENTRY_INVALID = "file-entry-invalid"  # file, entry, reason
    FILE_DUPLICATE_KEY = "file-duplicate-key"  # file, key
    EDIT_NO_LONGER_FITS = "edit-no-longer-fits"  # what; because (code of the conflict with a changed file)
    # toolsets and notes
    TOOLSET_NAME_INVALID = "toolset-name-invalid"  # name
    TOOLSET_NOT_FOUND = "toolset-not-found"  # name
    TOOLSET_EXISTS = "toolset-exists"  # name
    TOOLSET_RENAMED = "toolset-renamed"  # name (original), renamed: on import; a note
    NOTE_NAME_INVALID = "note-name-invalid"  # name
    NOTE_TEXT_BLANK = "note-text-blank"  # name
    NOTE_TEXT_INVALID = "note-text-invalid"  # name, length
    NOTE_TEXT_BROKEN = "note-text-broken"  # name
    NOTE_EXISTS = "note-exists"  # name
    NOTE_NOT_FOUND = "note-not-found"  # name, tool
    NOTE_WITHOUT_TOOL = "note-without-tool"  # toolset, tool, name
    PACK_LEFT_OUT = "pack-left-out"  # entry: not exported, since it may be secret
    BENCH_ENDPOINT = "bench-endpoint"  # reason: the model of the bench did not answer
    TOOL_NOT_FOUND = "tool-not-found"  # tool
    TOOL_NOT_SEEN = "tool-not-seen"  # tool: its name is kept, and it works once its server lists it; a note
    TOOL_AMBIGUOUS = "tool-ambiguous"  # tool; candidates (usable names), where the user types one
    TOOL_NAME_SHARED = "tool-name-shared"  # tool
    TOOL_NOT_IN_TOOLSET = "tool-not-in-toolset"  # tool, toolset
    TOOL_MALFORMED = "tool-malformed"  # server, tool, reason
    TOOL_ODD = "tool-odd"  # server, tool, reason: served with a change, since its definition breaks the schema
    ENTRY_MALFORMED = "entry-malformed"  # server, kind, name, reason: of a prompt, resource or template
    ENTRY_ODD = "entry-odd"  # server, kind, name, reason: served with a change
    TOOL_DUPLICATE = "tool-duplicate"  # server, tool
    TOOL_CHANGED = "tool-changed"  # server, tool
    PROMPT_CHANGED = "prompt-changed"  # server, name
    SAFE_MODE = "safe-mode"  # server: not started, on purpose
    INSTRUCTIONS_CHANGED = "instructions-changed"  # server
    NO_TOOLSET = "no-toolset"
    # hints, consent and argument overrides
    HINTS_ABSENT = "hints-absent"  # set neither by the server nor the user: an effect, not a fault
    HINTS_READ_ONLY = "hints-read-only"  # effect on approval dialogs, not a fault
    HINTS_CHANGING = "hints-changing"  # likewise
    HINTS_DESTRUCTIVE = "hints-destructive"  # likewise
    HINTS_CONTRADICT = "hints-contradict"  # tool: read-only and destructive at once
    HINTS_LOOK_WRONG = "hints-look-wrong"  # tool, word (of its name that says it changes something)
    CONSENT_MISSING = "consent-missing"  # tool, argument, literal, reason
    ARGUMENT_LOCKED = "argument-locked"  # tool, argument
    ARGUMENT_NOT_ALLOWED = "argument-not-allowed"  # tool, argument, value, allowed (in words)
    ARGUMENTS_UNREADABLE = "arguments-unreadable"  # tool
    ARGUMENT_NOT_FOUND = "argument-not-found"  # tool, argument: absent from the schema
    MUTED_NOT_FOUND = "muted-not-found"  # tool, text (its beginning): no paragraph of the description (any more)
    SETTING_INVALID = "setting-invalid"  # setting, reason: a value for a tool that cannot be used
    ALIAS_CHANGED = "alias-changed"  # tool, alias (as given), name (as served)
    # the guide, dialects, templates, budgets
    TASK_TYPE_UNKNOWN = "task-type-unknown"  # name, known
    DIALECT_UNKNOWN = "dialect-unknown"  # name, known
    STARTER_INVALID = "starter-invalid"  # file, reason: a dialect, task type or note template file
    DIALECT_NAME_TOO_LONG = "dialect-name-too-long"  # dialect, tool, name (final), limit
    DIALECT_NAME_CHARACTERS = "dialect-name-characters"  # dialect, tool, name (final)
    DIALECT_DESCRIPTION_CUT = "dialect-description-cut"  # dialect, tool, length, limit
    DIALECT_NOTES_FIRST = "dialect-notes-first"  # dialect, tool: its notes come first so that they are not cut off
    DIALECT_SCHEMA_REFUSED = "dialect-schema-refused"  # dialect, tool, keyword
    DIALECT_SCHEMA_CHANGED = "dialect-schema-changed"  # dialect, tool, change
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
    AUTHORIZATION_REFUSED = "authorization-refused"  # server: the header configured in the entry is refused
    PROGRAM_MISSING = "program-missing"  # server, program, path (the PATH searched, for the user alone)
    PROGRAM_NOT_STARTED = "program-not-started"  # server, program, reason
    FOLDER_MISSING = "folder-missing"  # server, folder
    SERVER_EXITED = "server-exited"  # server, status (exit status or signal name), stderr (last line, redacted); and
    # withheld, if it sent nothing: names of variables that it was started without (docs/contract.md 3, inherit)
    SERVER_SILENT = "server-silent"  # server, seconds; and withheld, as above, where it sent nothing at all
    SERVER_UNREACHABLE = "server-unreachable"  # server, reason
    SERVER_SIGN_IN = "server-sign-in"  # server
    SERVER_PROTOCOL = "server-protocol"  # server, reason
    SERVER_LINE_TOO_LONG = "server-line-too-long"  # server, limit (MiB)
    SERVER_PAGES = "server-pages"  # server, method, reason: a list was not read completely
    SERVER_NOT_READY = "server-not-ready"  # server, state
    CALL_TIMED_OUT = "call-timed-out"  # server, tool, seconds
    CALL_INTERRUPTED = "call-interrupted"  # server, tool
    CLIENT_LIMIT_REACHED = "client-limit-reached"  # limit
    SERVER_LIMIT_REACHED = "server-limit-reached"  # limit, server
    # secrets
    KEYCHAIN_ABSENT = "keychain-absent"  # server, name, field
    KEYCHAIN_LOCKED = "keychain-locked"  # server, name, field
    KEYCHAIN_SILENT = "keychain-silent"  # server, name, field, seconds
    KEYCHAIN_FAILED = "keychain-failed"  # server, name, field, reason
    SECRET_NOT_FOUND = "secret-not-found"  # server, name
    SECRET_NAME_INVALID = "secret-name-invalid"  # name
    # signing in to a server
    SIGN_IN_NOT_OFFERED = "sign-in-not-offered"  # server: it offers no sign-in
    SIGN_IN_REFUSED = "sign-in-refused"  # server, reason: declined by the user or the authorization server
    SIGN_IN_NEEDS_ID = "sign-in-needs-id"  # server, redirect, reason: programs cannot register themselves there
    SIGN_IN_FAILED = "sign-in-failed"  # server, reason
    SIGN_IN_TIMED_OUT = "sign-in-timed-out"  # server, minutes
    MORE_RIGHTS_WANTED = "more-rights-wanted"  # server, scope: the granted scope does not cover a call
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
    CLIENT_FILE_AMBIGUOUS = "client-file-ambiguous"  # client, files: the user must choose the one in use
    CLIENT_FILE_OLD = "client-file-old"  # client, file: in an older format of the client's
    CLIENT_FILE_CHOSEN = "client-file-chosen"  # client, file, others: a note, not a fault
    CLIENT_ENTRY_REPLACED = "client-entry-replaced"  # client, entry: an earlier Toolnote entry is replaced; a note
    CLIENT_ENTRY_RENAMED = "client-entry-renamed"  # client, entry, taken: our usual name was in use; a note
    CLIENT_SERVER_OFF = "client-server-off"  # client, server: switched off there while Toolnote is installed; a note
    CLIENT_SERVERS_TWICE = "client-servers-twice"  # client, servers: both there and in Toolnote; a note
    CARRIER_FILE_UNREADABLE = "carrier-file-unreadable"  # file, reason: a file that guidance is published in
    CARRIER_FILE_CHANGED = "carrier-file-changed"  # file
    CARRIER_FILE_FOREIGN = "carrier-file-foreign"  # file: there already, and not as Toolnote wrote it
    CARRIER_MARKS_BROKEN = "carrier-marks-broken"  # file, line
    CARRIER_EDITED = "carrier-edited"  # file: Toolnote's part of it was changed by the user; a note
    CARRIER_NOTES_LEFT_OUT = "carrier-notes-left-out"  # count: by assistants, and not kept by the user; a note
    CARRIER_SECRETS_LEFT_OUT = "carrier-secrets-left-out"  # in the user's words; a note
    APP_TRANSLOCATED = "app-translocated"  # macOS runs the app from a path that changes with each start
    CLIENT_NEEDS_BRIDGE = "client-needs-bridge"  # client: it accepts no address with a token
    REGISTRY_UNREACHABLE = "registry-unreachable"  # reason: the public registry does not respond
    REGISTRY_ODD = "registry-odd"  # reason: its response cannot be used
    IMPORT_WARNING = "import-warning"  # file, line, reason
    IMPORT_FILE_UNREADABLE = "import-file-unreadable"  # file, reason
    # steps in a client after its file was changed
    CLIENT_QUIT_AND_OPEN = "client-quit-and-open"  # client
    CLIENT_SWITCH_ON = "client-switch-on"  # client
    CLIENT_SWITCH_OFF_AND_ON = "client-switch-off-and-on"  # client
    CLIENT_START_SERVER = "client-start-server"  # client
    CLIENT_NEW_SESSION = "client-new-session"  # client
    CLIENT_FOLLOWS = "client-follows"  # client: nothing to do
    CLIENT_FOLLOWS_UNSEEN = "client-follows-unseen"  # client: used tools keep their old text in a conversation
    CLIENT_FOLLOWS_CACHED = "client-follows-cached"  # client: a new session may begin with the last list
    CLIENT_SWITCH_OR_RESTART = "client-switch-or-restart"  # client: in an editor; on the command line
    CLIENT_TRUST_FOLDER = "client-trust-folder"  # client: it ignores its servers in other folders


class Problem(Struct, frozen=True):
    """Problem: ``code`` with the parameters that ``Code`` lists for it."""

    code: Code
    parameters: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.code, tuple(sorted(self.parameters.items()))))


class ToolnoteError(Exception):
    """Error that the user can act on. ``str()`` gives code and parameters; ``error_messages.english`` gives the
    message.
    """

    def __init__(self, code: Code, /, **parameters: str) -> None:
        super().__init__(f"{code} {parameters}" if parameters else str(code))
        self.problem = Problem(code, parameters)
