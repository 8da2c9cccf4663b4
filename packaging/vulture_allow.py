# Names that vulture believes unused, and who uses them. Code that waits for its first caller is not for here.

# Qt calls what it finds overridden.
columnCount
drawBranches
drawRow
expandingDirections
filterAcceptsRow
hasHeightForWidth
hitButton
insertFromMimeData
itemAt
redo
wheelEvent

# asyncio calls the methods of a protocol.
connection_made
pause_writing
pipe_connection_lost
pipe_data_received
process_exited
resume_writing
exc  # pipe_connection_lost

main_window  # pyproject.toml, project.gui-scripts
model_config  # pydantic
should_exit  # uvicorn.Server
LimitFlags  # the Windows API, in a structure
trace  # sys.excepthook, and __exit__

message_event  # uvicorn, of the answer that stands in the place of its cycle
more_body  # the same
