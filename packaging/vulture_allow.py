# Names that vulture believes unused, and their users. Unused code does not belong here.

# Qt calls overridden methods.
canInsertFromMimeData
columnCount
contextMenuEvent
dragEnterEvent
drawBranches
drawRow
dropEvent
expandingDirections
hasHeightForWidth
headerData
hitButton
insertFromMimeData
loadResource
minimumTabSizeHint
mouseDoubleClickEvent
supportedActions  # startDrag
tabSizeHint
wheelEvent

# asyncio calls the methods of a protocol.
eof_received

# httpcore2 calls those of a network.
get_extra_info

main_window  # pyproject.toml, project.gui-scripts
model_config  # pydantic
_without_nulls  # pydantic
main_loop  # uvicorn.Server
should_exit  # uvicorn.Server
LimitFlags  # the Windows API, in a structure
handleError  # logging.Handler
exc_text  # logging.LogRecord
trace  # sys.excepthook, and __exit__

dispatch  # watchdog, of a handler
more_body  # uvicorn, on the object that replaces its cycle

# The SDK's OAuth client asks these of its storage.
get_client_info
get_tokens
set_client_info
set_tokens

# Members of enumerations that files of ours and of users name by their values.
BEFORE_IF_CUT

# The proxy writes the activity log; only tests and other programs read these from the database.
fetched_revisions
recent_calls
recent_errors

# Fields of imported files (import_formats.py): pydantic checks them, no code reads them.
last_modified
mcp_servers
tool_ids
tool_notes
must_not_call

# Written into a release by packaging/client_document.py.
client_document

# The style sheet is filled in with each colour.
attention_ground
attention_line
removed_ground
removed_text
wrong_ground
wrong_line
