# Names that vulture believes unused, and their users. Unused code does not belong here.

# Qt calls overridden methods.
canInsertFromMimeData
columnCount
contextMenuEvent
dragEnterEvent
drawBranches
drawRow
dropEvent
enterEvent
expandingDirections
hasHeightForWidth
headerData
hitButton
insertFromMimeData
itemAt
loadResource
leaveEvent
minimumTabSizeHint
mouseDoubleClickEvent
mouseMoveEvent
mouseReleaseEvent
redo
startDrag
supportedActions  # startDrag
tabSizeHint
wheelEvent

# asyncio calls the methods of a protocol.
connection_made
eof_received
pause_writing
pipe_connection_lost
pipe_data_received
process_exited
resume_writing
exc  # pipe_connection_lost

# httpcore2 calls those of a network.
connect_tcp
get_extra_info

main_window  # pyproject.toml, project.gui-scripts
model_config  # pydantic
main_loop  # uvicorn.Server
should_exit  # uvicorn.Server
timeout_keep_alive_task  # uvicorn's HttpToolsProtocol
LimitFlags  # the Windows API, in a structure
handleError  # logging.Handler
trace  # sys.excepthook, and __exit__

message_event  # uvicorn, on the object that replaces its cycle
more_body  # the same

# pydantic calls validators.
_null_is_not_set
_short

# The SDK's OAuth client asks these of its storage.
get_client_info
get_tokens
set_client_info
set_tokens

# Members of enumerations that files of ours and of users name by their values.
BEFORE_IF_CUT
CONVENTION
EXAMPLE
USAGE
WORKFLOW

catalog  # one of the home's files, beside its neighbours; the store finds it by its document

# The proxy writes the activity log; only tests and other programs read these from the database.
fetched_revisions
recent_calls
recent_errors

# Fields of imported files (import_formats.py): pydantic checks them, no code reads them.
last_modified
mcp_servers
tool_ids
tool_notes

# Written into a release by packaging/client_document.py.
client_document

# The style sheet is filled in with each colour.
attention_ground
attention_line
removed_ground
removed_text
wrong_ground
wrong_line
